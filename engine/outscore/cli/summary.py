"""`outscore summary SCORES...`: results to counts, averages, rates and intervals, by agent, scenario or task."""

from __future__ import annotations

import click

from outscore.cli import sums


def _dimensions(ctx: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(each.strip() for each in value.split(",")))
    for each in found:
        if each not in ("agent", "scenario", "task"):
            raise click.BadParameter(f"{each!r} is none of agent, scenario, task.")
    return found


@click.command("summary")
@sums.SCORES
@click.option(
    "--by",
    default="agent",
    show_default=True,
    callback=_dimensions,
    metavar="agent,scenario,task",
    help="What runs are grouped by: any of these, with commas between.",
)
@sums.PLAN
@click.option("--planned", type=click.IntRange(min=0), help="How many runs there should be, where no plan names them.")
@sums.ALLOW_MIXED
@sums.interval_options
@sums.FORMAT
@sums.OUT
def command(
    scores: tuple[str, ...],
    by: tuple[str, ...],
    plan: str | None,
    planned: int | None,
    allow_mixed: bool,
    no_intervals: bool,
    resamples: int,
    level: float,
    seed: int,
    form: str,
    out: str | None,
) -> None:
    """Sum up SCORES, the files that outscore score wrote (--format jsonl or json), folders of them or quoted
    patterns; - is standard input.

    Void, failed and missing runs are never dropped from the counts, and the resolved rate says how low and how high
    they could have brought it. Results of different rules, and runs that are there twice or were not planned, are
    refused with exit code 1. The code is 2 where a file or an option is wrong, or where there is no result.

    \b
    Examples:
      outscore summary scores.jsonl
      outscore summary scores/ --by agent,scenario --plan plan.csv
      outscore summary scores.jsonl --format json --out summary.json
    """
    from outscore.cli.summary_page import summary_page
    from outscore.results import ResultsError
    from outscore.summary.groups import summarize

    if plan is not None and planned is not None:
        raise click.UsageError("--plan says how many runs are planned; leave --planned out.")
    sums.keep_inputs(out, (*scores, *([plan] if plan else [])))
    how = sums.resampling(no_intervals, resamples, level, seed)
    planned_runs = sums.read_plan(plan)
    # Where it is known what there should be, nothing found means that all of it is missing.
    results = sums.read(scores, may_be_none=plan is not None or planned is not None)
    try:
        with sums.progress("drawing") as advance:
            made = summarize(
                results,
                by,  # type: ignore[arg-type]
                plan=planned_runs,
                planned=planned,
                resampling=how,
                allow_mixed=allow_mixed,
                step=lambda words, steps: advance(f"{words}: resamples", steps),
            )
    except ResultsError as error:
        sums.refuse(error)
    sums.hand_out(form, out, made.to_record, lambda: summary_page(made))
