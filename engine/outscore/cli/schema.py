"""`outscore schema [NAME] [--for RULESET]`: the JSON Schemas, and the strict one of one scenario's runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from outscore.cli.console import echo_diagnostics, os_words, printable, stop
from outscore.cli.files import results_file

if TYPE_CHECKING:
    from outscore.schema.parts import Schema


@click.command("schema")
@click.argument("name", type=click.Choice(["ruleset", "run", "score"]), default="ruleset")
@click.option(
    "--for",
    "ruleset",
    metavar="RULESET",
    type=click.Path(exists=True, dir_okay=False),
    help="With run: the strict schema of this ruleset's runs, with its people, fields and measures and no others.",
)
@click.option("--out", type=click.Path(dir_okay=False), help="Write the schema to this file, whole or not at all.")
def command(name: str, ruleset: str | None, out: str | None) -> None:
    """Print the JSON Schema of rulesets (the default), of runs, or of scores.

    Editors complete, explain and check by the ruleset's; a ruleset names it in its first line:

    \b
      # yaml-language-server: $schema=ruleset.schema.json

    The schema of runs holds for every scenario and leaves names open. With --for, a harness can check its runs
    against one scenario's names before it sends them. (A schema checks keys and types; order of times, pinned values
    and the like are checked when a run is scored.)

    \b
    Examples:
      outscore schema --out ruleset.schema.json
      outscore schema run --for rulesets/claims_intake.yaml
      outscore schema score
    """
    from outscore.schema import as_text, generate

    if ruleset is not None and name != "run":
        raise click.UsageError("--for goes with run: outscore schema run --for RULESET")
    schema = generate(name) if ruleset is None else _of_runs(ruleset)
    text = as_text(schema)
    if out is None:
        # As bytes, so that it is UTF-8 whatever the terminal's encoding.
        click.echo(text.encode(), nl=False)
        return
    try:
        with results_file(out) as file:
            file.write(text)
    except OSError as error:
        stop(os_words(error))


def _of_runs(path: str) -> Schema:
    from outscore.diagnostics import RulesetError
    from outscore.loader import load
    from outscore.schema import run_schema_for

    try:
        return run_schema_for(load(path).plan)
    except RulesetError as error:
        echo_diagnostics(error.diagnostics, error.sources, err=True)
        stop(f"{printable(path)}: no schema was made, the rules have errors")
    except OSError as error:
        stop(os_words(error))
