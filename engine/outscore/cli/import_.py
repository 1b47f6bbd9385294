"""`outscore import fde-gym`: another harness's files to rulesets and runs of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from outscore.cli.foreign import faults_end_it, run_id, scenario_of, warn

if TYPE_CHECKING:
    from outscore.integrations.fde_gym import Engagement, Result
    from outscore.plan import Direction

_FILE = click.Path(exists=True, dir_okay=False)


@click.group("import")
def command() -> None:
    """Turn another harness's files into rulesets and runs."""


@command.command("fde-gym")
@click.argument("npcs", required=False, type=_FILE)
@click.option("--npcs", "more_npcs", type=_FILE, help="With --log: the npcs.json that the log was written under.")
@click.option("--log", type=_FILE, help="A run's ask.jsonl; what comes out is then the run.")
@click.option("--result", "graded", type=_FILE, help="The run's result.json: KPI values, incidents, whose run it was.")
@click.option(
    "--scenario", metavar="NAME", help="The scenario; else the engagement of result.json, or the folder's name."
)
@click.option(
    "--direction",
    type=click.Choice(["higher", "lower"]),
    help="Which way the KPI is better; else the way from baseline to oracle in --result.",
)
@click.option("--run", metavar="ID", help="The run's id; else the name in result.json.")
@click.option("--task", metavar="NAME", help="The run's task; else engagement/variant/level of result.json.")
@click.option("--agent", metavar="NAME", help="The run's agent; else the one in result.json.")
@click.option(
    "--as-recorded",
    is_flag=True,
    help="Let the recorded charge stand where the people server lost count (a restart). For ruleset and run alike.",
)
@click.option("--out", type=click.Path(dir_okay=False), help="Write to this file, whole or not at all.")
def fde_gym(
    npcs: str | None,
    more_npcs: str | None,
    log: str | None,
    graded: str | None,
    scenario: str | None,
    direction: Direction | None,
    run: str | None,
    task: str | None,
    agent: str | None,
    as_recorded: bool,
    out: str | None,
) -> None:
    """Turn FDE-Gym's NPCS (npcs.json) into a ruleset; or, with --log and --result, a run's files into a run.

    The ruleset has a comment wherever npcs.json says what a ruleset cannot. The run is one line of JSON.

    \b
    Examples:
      outscore import fde-gym port_yard/npcs.json --direction higher --out port_yard.yaml
      outscore import fde-gym --log logs/ask.jsonl --result result.json >> runs.jsonl
    """
    if npcs and more_npcs:
        raise click.UsageError("NPCS is given twice, by itself and with --npcs.")
    npcs = npcs or more_npcs
    with faults_end_it():
        from outscore.integrations.fde_gym import read_engagement, read_result

        engagement = read_engagement(npcs) if npcs else None
        result = read_result(graded) if graded else None
        if log is None:
            if engagement is None:
                raise click.UsageError("Give NPCS for a ruleset, or --log and --result for a run.")
            if run or task or agent:
                raise click.UsageError("--run, --task and --agent belong to a run, which needs --log.")
            made = _ruleset(engagement, result, scenario, direction, as_recorded)
        else:
            if result is None:
                raise click.UsageError("--log needs --result, which has the KPI values.")
            if direction:
                raise click.UsageError("--direction belongs to a ruleset; a run has none.")
            name = scenario_of(scenario, result, npcs)
            made = _run(engagement, log, result, name, (run, task, agent), as_recorded)
        _write(made, out)


def _ruleset(
    engagement: Engagement, result: Result | None, scenario: str | None, direction: Direction | None, as_recorded: bool
) -> bytes:
    from outscore.integrations.fde_gym import ruleset_of

    why = None
    if direction is None and result is not None and result.direction is not None:
        direction = result.direction
        side = "above" if direction == "higher" else "below"
        why = f"In {result.file.rpartition('/')[2]} the oracle's KPI lies {side} the baseline's."
    name = scenario_of(scenario, result, engagement.file, engagement.name)
    converted = ruleset_of(engagement, name, direction, why_direction=why, as_recorded=as_recorded)
    for words in converted.warnings:
        warn(f"{engagement.file}: {words}")
    return converted.text.encode()


def _run(
    engagement: Engagement | None,
    path: str,
    result: Result,
    scenario: str,
    names: tuple[str | None, str | None, str | None],
    as_recorded: bool,
) -> bytes:
    from outscore.integrations.fde_gym import count, count_log, encode_run, events_of, read_log, refuse_credits, run_of

    log = read_log(path)
    counted = count_log(engagement, log) if engagement else count(log.lines)
    refuse_credits(log, counted)
    for restart in counted.restarts:
        warn(
            f"{path}: the people server was restarted between lines {restart.after} and {restart.by}, and counts anew "
            f"there; {'what it charged stands' if as_recorded else 'the run goes on counting (see --as-recorded)'}"
        )
    # What cannot be text in any file (bytes of a command line that are no UTF-8) is written out.
    run, task, agent = (name and name.encode("utf-8", "backslashreplace").decode() for name in names)
    run = run or result.run or run_id(path)
    events = events_of(counted, as_recorded=as_recorded)
    return encode_run(run_of(result, events, run=run, scenario=scenario, task=task, agent=agent)) + b"\n"


def _write(made: bytes, out: str | None) -> None:
    from outscore.cli.files import results_file

    if out is None:
        # As bytes, so that it is UTF-8 whatever the terminal's encoding.
        click.echo(made, nl=False)
        return
    with results_file(out) as file:
        file.write(made.decode())
