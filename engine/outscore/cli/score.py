"""`outscore score RULESET|FOLDER RUNS...`: files of runs to a table, JSON, JSON Lines or CSV, and a closing summary."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from outscore.cli.console import FINDINGS, console, os_words, stop

if TYPE_CHECKING:
    from outscore.batch import Outcome, Rulebook
    from outscore.summary import Summary


@click.command("score")
@click.argument("ruleset", type=click.Path(exists=True))
@click.argument("runs", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, allow_dash=True))
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

    RUNS are files: JSON Lines, or .json or .yaml with one run or a list of runs; - is standard input (JSON Lines).
    A run that cannot be scored is reported with its place and reason, never stops the others, and makes the exit
    code 1.

    \b
    Examples:
      outscore score rulesets/claims_intake.yaml rulesets/claims_intake.runs.jsonl
      outscore score rulesets/ runs/*.jsonl --format jsonl --out scores.jsonl
    """
    from outscore.cli import results
    from outscore.summary import Summary

    rulebook = _load(ruleset)
    summary = Summary(planned)
    outcomes = _counted(_outcomes(rulebook, runs), summary)
    try:
        with _results_file(out) as file:
            if form == "table":
                results.write_table(outcomes, summary, file, account)
            else:
                results.WRITERS[form](outcomes, summary, file)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        stop(os_words(error))
    if form != "table" and (form != "json" or out):
        # Standard output holds data alone; the summary is for whoever watches.
        results.print_summary(summary, console(sys.stderr))
    if summary.all.seen == 0:
        stop(f"no run in {', '.join(runs)}")
    if summary.all.failed:
        raise SystemExit(FINDINGS)


def _load(path: str) -> Rulebook:
    """The scorer of a ruleset's file, or those of a folder; says what is wrong and ends where there is an error."""
    from outscore.cli.console import echo_diagnostics
    from outscore.diagnostics import RulesetError
    from outscore.loader import load, load_all

    try:
        return load_all(path) if Path(path).is_dir() else load(path)
    except RulesetError as error:
        echo_diagnostics(error.diagnostics, error.sources, err=True)
        stop(f"{path}: no run was scored, the rules have errors")
    except OSError as error:
        stop(os_words(error))


def _outcomes(rulebook: Rulebook, paths: tuple[str, ...]) -> Iterator[Outcome]:
    """Every run's outcome in order, with a progress bar on a terminal where the work is long."""
    from outscore.batch import score_file

    with _progress() as advance:
        for path in paths:
            for outcome in score_file(rulebook, path, sys.stdin.buffer):
                advance(f"{path}: scoring")
                yield outcome


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """What to call with a few words at each run."""
    if not sys.stderr.isatty():
        yield lambda words: None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed:,} runs"), TimeElapsedColumn())
    with Progress(*columns, console=console(sys.stderr), transient=True) as progress:
        task = progress.add_task("scoring", total=None)
        yield lambda words: progress.update(task, advance=1, description=words)


def _counted(outcomes: Iterator[Outcome], summary: Summary) -> Iterator[Outcome]:
    for outcome in outcomes:
        summary.add(outcome)
        yield outcome


@contextmanager
def _results_file(out: str | None) -> Iterator[IO[str]]:
    """Standard output, or a file that appears under its name only when it is whole."""
    if out is None:
        yield sys.stdout
        return
    path = Path(out)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
