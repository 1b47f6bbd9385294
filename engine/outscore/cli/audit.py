"""`outscore audit fde-gym`: what another harness charged and scored, beside what its own rules come to here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from outscore.cli.console import FINDINGS
from outscore.cli.foreign import faults_end_it, scenario_of

if TYPE_CHECKING:
    from outscore.plan import Direction

_FILE = click.Path(exists=True, dir_okay=False)


@click.group("audit")
def command() -> None:
    """Check another harness's charges and scores line by line."""


@command.command("fde-gym")
@click.argument("npcs", type=_FILE)
@click.argument("log", type=_FILE)
@click.argument("graded", metavar="[RESULT]", required=False, type=_FILE)
@click.option("--scenario", metavar="NAME", help="The scenario; else the engagement of RESULT, or the folder's name.")
@click.option(
    "--direction",
    type=click.Choice(["higher", "lower"]),
    help="Which way the KPI is better; else the way from baseline to oracle in RESULT.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="text for people; json for programs, with every line.",
)
def fde_gym(
    npcs: str, log: str, graded: str | None, scenario: str | None, direction: Direction | None, form: str
) -> None:
    """Bill FDE-Gym's LOG (ask.jsonl) anew by NPCS (npcs.json), and compare with what was recorded and with RESULT.

    Says of every line that was charged otherwise why, and sets our exact score beside the harness's rounded one.
    The exit code is 1 where a line differs, or RESULT is not what the harness's own arithmetic gives; roundings are
    no findings.

    \b
    Examples:
      outscore audit fde-gym port_yard/npcs.json logs/ask.jsonl result.json
      outscore audit fde-gym port_yard/npcs.json logs/ask.jsonl --format json
    """
    with faults_end_it():
        from outscore.integrations import fde_gym as files

        engagement = files.read_engagement(npcs)
        result = files.read_result(graded) if graded else None
        name = scenario_of(scenario, result, npcs, engagement.name)
        made = files.audit(engagement, files.read_log(log), result, scenario=name, direction=direction)
        if form == "json":
            # As bytes, so that it is UTF-8 whatever the terminal's encoding.
            click.echo(json.dumps(files.record(made), indent=2, ensure_ascii=False).encode(errors="replace"))
        else:
            from outscore.cli.page import show

            show(files.page(made))
    if made.has_findings:
        raise SystemExit(FINDINGS)
