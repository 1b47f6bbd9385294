"""`outscore new SCENARIO`: writes a ruleset to start from, with two tests, and the schema that it names."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import click

from outscore.cli.console import os_words, printable, stop

if TYPE_CHECKING:
    from outscore.plan import Direction


@click.command("new")
@click.argument("scenario")
@click.option(
    "--out",
    type=click.Path(),
    metavar="DIR|FILE",
    help="Where to write it: a file (*.yaml, *.yml), or a folder for SCENARIO.yaml. By default the folder rulesets "
    "where there is one, else here.",
)
@click.option(
    "--direction",
    type=click.Choice(["higher", "lower"]),
    default="higher",
    show_default=True,
    help="Which way the customer's number is better.",
)
def command(scenario: str, out: str | None, direction: Direction) -> None:
    """Write a ruleset for SCENARIO to start from: commented, valid, with two tests that hold.

    SCENARIO is an id: small letters, digits and _, a letter first. The first line tells editors where the JSON Schema
    lies; where the tree has none, it is written too. Nothing that is there is overwritten.

    \b
    Examples:
      outscore new claims_intake
      outscore new on_call --direction lower --out scenarios/
    """
    from outscore.new import as_id, is_id, new_ruleset

    if not is_id(scenario):
        near = as_id(scenario)
        hint = f"; did you mean {near}?" if near else ""
        stop(f"{printable(scenario)!r} is no id: small letters, digits and _, a letter first{hint}")
    path = _path(scenario, out)
    if os.path.lexists(path):
        stop(f"{printable(str(path))} is there already, and is not overwritten")
    try:
        made = new_ruleset(scenario, path, direction)
        made.write()
    except OSError as error:
        stop(os_words(error))
    shown = printable(str(path))
    if not made.is_schema_there:
        click.echo(f"wrote {printable(str(made.schema))}, the schema for editors")
    if made.is_schema_other:
        schema = printable(str(made.schema))
        click.echo(f"outscore: {schema} is not this version's schema; it was left as it is", err=True)
        click.echo(f"  hint: outscore schema --out {schema}", err=True)
    click.echo(f"wrote {shown}")
    # Quoted where it has blanks and the like, so that the line can be pasted.
    word = subprocess.list2cmdline([shown]) if os.name == "nt" else shlex.quote(shown)
    click.echo(f"next: outscore validate {word}; outscore test --coverage {word}; outscore explain {word}")


def _path(scenario: str, out: str | None) -> Path:
    """Where the ruleset is to be written."""
    from outscore.loader import SUFFIXES

    if out is None:
        folder = Path("rulesets")
        return (folder if folder.is_dir() else Path()) / f"{scenario}{SUFFIXES[0]}"
    path = Path(out)
    if path.suffix in SUFFIXES and not path.is_dir():
        if path.name.endswith(tuple(f".runs{suffix}" for suffix in SUFFIXES)):
            stop(f"{printable(out)}: files of that name hold runs; name it {scenario}{SUFFIXES[0]}")
        return path
    if path.is_file():
        stop(f"{printable(out)}: a ruleset's name ends in .yaml or .yml")
    return path / f"{scenario}{SUFFIXES[0]}"
