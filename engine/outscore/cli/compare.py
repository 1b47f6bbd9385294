"""`outscore compare SCORES... --a AGENT --b AGENT`: two agents on the tasks that both were set."""

from __future__ import annotations

import click

from outscore.cli import sums
from outscore.cli.console import FINDINGS, printable, stop


@click.command("compare")
@sums.SCORES
@click.option("--a", "a", required=True, metavar="AGENT", help="The agent from whose figures the other's are taken.")
@click.option("--b", "b", required=True, metavar="AGENT", help="The other agent.")
@sums.PLAN
@sums.ALLOW_MIXED
@sums.interval_options
@sums.FORMAT
@sums.OUT
def command(
    scores: tuple[str, ...],
    a: str,
    b: str,
    plan: str | None,
    allow_mixed: bool,
    no_intervals: bool,
    resamples: int,
    level: float,
    seed: int,
    form: str,
    out: str | None,
) -> None:
    """Compare two agents by SCORES, task by task: the difference is that of A minus that of B.

    Only tasks that both have a scored run of are compared; the others are listed. The exit code is 1
    if there are none, or if the results are refused, as by outscore summary.

    \b
    Examples:
      outscore compare scores.jsonl --a model-a --b model-b
      outscore compare scores/*.jsonl --a model-a --b model-b --format md
    """
    from outscore.cli.compare_page import compare_page
    from outscore.results import ResultsError
    from outscore.summary.compare import NoSuchAgentError, compare

    if a == b:
        raise click.UsageError("--a and --b are the same agent.")
    sums.keep_inputs(out, (*scores, *([plan] if plan else [])))
    how = sums.resampling(no_intervals, resamples, level, seed)
    planned_runs = sums.read_plan(plan)
    results = sums.read(scores)
    try:
        with sums.progress("drawing") as advance:
            made = compare(
                results,
                a,
                b,
                plan=planned_runs,
                resampling=how,
                allow_mixed=allow_mixed,
                progress=lambda steps: advance("resamples", steps),
            )
    except ResultsError as error:
        sums.refuse(error)
    except NoSuchAgentError as error:
        stop(printable(str(error)))
    sums.hand_out(form, out, made.to_record, lambda: compare_page(made))
    if not made.pairs:
        click.echo("no task has a scored run of both agents: there is nothing to compare", err=True)
        raise SystemExit(FINDINGS)
