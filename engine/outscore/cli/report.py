"""`outscore report SCORES... -o report.html`: results to a page to look at, or to a leaderboard in Markdown."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from outscore.cli import sums
from outscore.cli.console import stop

if TYPE_CHECKING:
    from outscore.summary.contents import Summaries


@click.command("report")
@sums.SCORES
@click.option("-o", "--out", type=click.Path(dir_okay=False), help="Write to this file, whole or not at all.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "md"]),
    default="html",
    show_default=True,
    help="html: one file that opens offline; md: the leaderboard, to paste into a page.",
)
@click.option("--title", default="Score report", show_default=True, help="The report's title.")
@sums.PLAN
@click.option("--planned", type=click.IntRange(min=0), help="How many runs there should be, where no plan names them.")
@sums.ALLOW_MIXED
@sums.interval_options
def command(
    scores: tuple[str, ...],
    out: str | None,
    form: str,
    title: str,
    plan: str | None,
    planned: int | None,
    allow_mixed: bool,
    no_intervals: bool,
    resamples: int,
    level: float,
    seed: int,
) -> None:
    """Make a report of SCORES, the files that outscore score wrote (--format jsonl or json), folders of them or
    quoted patterns; - is standard input.

    The page holds everything it needs and asks nothing of the network: a leaderboard with intervals, the distribution
    of scores, cost by person, and for each run its waterfall and its bill.

    \b
    Examples:
      outscore report scores.jsonl -o report.html
      outscore report scores/*.jsonl --plan plan.csv --title "Claims, March" -o report.html
      outscore report scores.jsonl --format md
    """
    from outscore.results import ResultsError

    if plan is not None and planned is not None:
        raise click.UsageError("--plan says how many runs are planned; leave --planned out.")
    if form == "html" and out is None and sys.stdout.isatty():
        raise click.UsageError("a report is a file to open in a browser: say where with -o report.html")
    if form == "html":
        _need("plotly", "jinja2")
    how = sums.resampling(no_intervals, resamples, level, seed)
    planned_runs = sums.read_plan(plan)
    # Where it is known what there should be, nothing found means that all of it is missing.
    results = sums.read(scores, keep_source=form == "html", may_be_none=plan is not None or planned is not None)
    from outscore.report.board import board_page, boards
    from outscore.report.data import missing_runs, page_data
    from outscore.summary.groups import summarize

    def summed(*by: str) -> Summaries:
        return summarize(
            results,
            by,  # type: ignore[arg-type]
            plan=planned_runs,
            planned=planned,
            resampling=how,
            allow_mixed=allow_mixed,
            step=lambda words, steps: advance(f"{words}: resamples", steps),
        )

    try:
        with sums.progress("drawing") as advance:
            by_agent = summed("agent")
            # One scenario's leaderboard is that of everything.
            several = len({each.scenario for each in results}) > 1
            made = boards(by_agent, summed("scenario", "agent") if several else None)
        if form == "md":
            from outscore.explain.markdown import markdown

            text = markdown(board_page(title, made, by_agent))
        else:
            from outscore.report.html import report_html

            data = page_data(results, missing_runs(results, planned_runs), made)
            text = report_html(title, data, made, by_agent)
    except ResultsError as error:
        sums.refuse(error)
    sums.write(out, text)


def _need(*libraries: str) -> None:
    from importlib.util import find_spec

    absent = [name for name in libraries if find_spec(name) is None]
    if absent:
        stop(f"a report needs {' and '.join(absent)}: pip install 'outscore[report]'; or take --format md")
