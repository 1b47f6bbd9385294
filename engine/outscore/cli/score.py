"""`outscore score RULESET|FOLDER RUNS...`: files of runs to a table, JSON, JSON Lines or CSV, and a closing summary."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from outscore.cli import sums
from outscore.cli.console import FINDINGS, os_words, printable, stop
from outscore.cli.file_paths import RUNS, paths_of
from outscore.cli.files import results_file

if TYPE_CHECKING:
    from outscore.batch import Outcome, Place, Rulebook
    from outscore.cli.run_ids import RunIds
    from outscore.summary import Summary


_RUN = re.compile(r"""\s*[\[{]\s*(?:\{\s*)?["'](?:run|scenario)["']\s*:""")
"""How a file of runs begins."""


@click.command("score")
@click.argument("ruleset", type=click.Path(exists=True))
@click.argument("runs", nargs=-1, required=True, type=click.Path(), callback=paths_of(RUNS))
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "jsonl", "csv"]),
    default="table",
    show_default=True,
    help="How results are written. jsonl: one line a run, in input order; json: one document with the summary.",
)
@click.option("--out", type=click.Path(dir_okay=False), help="Write results to this file, whole or not at all.")
@click.option("--account", metavar="RUN", help="After the table, print the account of this run.")
@click.option(
    "--planned", type=click.IntRange(min=0), help="How many runs there should be; the summary says what is missing."
)
def command(
    ruleset: str, runs: tuple[str, ...], form: str, out: str | None, account: str | None, planned: int | None
) -> None:
    """Score RUNS by RULESET, or each by its own scenario's ruleset in a FOLDER.

    RUNS are files: JSON Lines, .json or .yaml with one run or a list of runs, a live ledger's file; folders of them
    (*.jsonl, *.json, *.runs.yaml); or quoted patterns. - is standard input (JSON Lines). A run that cannot be scored is
    reported with its place and reason, never stops the others, and makes the exit code 1. So does a run whose id is
    there a second time: its results are written, and both places are named.

    \b
    Examples:
      outscore score rulesets/claims_intake.yaml rulesets/claims_intake.runs.jsonl
      outscore score rulesets/ runs/ --format jsonl --out scores.jsonl
      outscore score rulesets/ "runs/**/*.jsonl" --account r-0021
    """
    from outscore.cli import results
    from outscore.cli.console import echo_diagnostics
    from outscore.cli.page import show
    from outscore.cli.run_ids import RunIds
    from outscore.cli.score_page import score_page, summary_page
    from outscore.diagnostics import nearest
    from outscore.summary import Summary

    if out is not None and os.path.exists(out):
        for path in (ruleset, *runs):
            if path != "-" and os.path.samefile(out, path):
                stop(f"{out}: the results would replace what they are made from; give --out another name")
    rulebook = load_rulebook(ruleset)
    summary = Summary(planned)
    ids = RunIds()
    outcomes = _counted(_outcomes(rulebook, runs), summary, ids)
    try:
        with results_file(out) as file:
            if form == "table":
                show(score_page(outcomes, summary, account, ids), file)
            else:
                results.WRITERS[form](outcomes, summary, file)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        stop(os_words(error))
    if form != "table" and (form != "json" or out):
        # Standard output holds data alone; the summary is for whoever watches.
        show(summary_page(summary), sys.stderr)
    if summary.all.seen == 0:
        stop(f"no run in {', '.join(map(printable, runs))}")
    if account is not None and account not in ids.known:
        near = nearest(account, ids.known)
        stop(f"there is no run {account!r}" + (f"; did you mean {near!r}?" if near else ""))
    echo_diagnostics(ids.findings(), {}, err=True)
    too_many = planned is not None and summary.all.seen > planned
    if too_many:
        click.echo(f"outscore: there are {summary.all.seen} runs, and {planned} were planned", err=True)
    if summary.all.failed or summary.repeated or too_many:
        raise SystemExit(FINDINGS)


def load_rulebook(path: str) -> Rulebook:
    """The scorer of a ruleset's file, or those of a folder; says what is wrong and ends where there is an error."""
    from outscore.cli.console import echo_diagnostics
    from outscore.diagnostics import RulesetError
    from outscore.loader import load, load_all

    try:
        return load_all(path) if Path(path).is_dir() else load(path)
    except RulesetError as error:
        if any(_RUN.match(text) for text in error.sources.values()):
            stop(f"{printable(path)}: this is a run, not a ruleset; the ruleset comes first, its runs after it")
        echo_diagnostics(error.diagnostics, error.sources, err=True)
        stop(f"{printable(path)}: no run was scored, the rules have errors")
    except OSError as error:
        stop(os_words(error))


def _outcomes(rulebook: Rulebook, paths: tuple[str, ...]) -> Iterator[tuple[Place, Outcome]]:
    """Every run's outcome in order, with a progress bar on a terminal where the work is long."""
    from outscore.batch import score_placed

    with sums.progress("scoring") as advance:
        for path in paths:
            try:
                for placed in score_placed(rulebook, path, sys.stdin.buffer):
                    advance(f"{path}: runs scored", 1)
                    yield placed
            except OSError as error:
                # What fails amid a file does not say which.
                error.filename = error.filename or path
                raise


def _counted(outcomes: Iterator[tuple[Place, Outcome]], summary: Summary, ids: RunIds) -> Iterator[Outcome]:
    for place, outcome in outcomes:
        summary.add(outcome, is_repeated=ids.add(outcome, place))
        yield outcome
