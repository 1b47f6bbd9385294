"""`outscore rescore SCORES|RUNS... --ruleset NEW`: stored results anew, whole or not at all, and what changed by it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from outscore.cli import sums
from outscore.cli.console import os_words, printable, stop
from outscore.cli.file_paths import RUNS, paths_of

if TYPE_CHECKING:
    from outscore.rescore import Rescoring
    from outscore.results import Result

_YAML: Final = (".yaml", ".yml")


@click.command("rescore")
@click.argument("files", nargs=-1, required=True, type=click.Path(), callback=paths_of(RUNS), metavar="FILES...")
@click.option("--ruleset", "new", required=True, type=click.Path(exists=True), help="The new rules: file or folder.")
@click.option(
    "--runs",
    multiple=True,
    type=click.Path(),
    callback=paths_of(RUNS),
    help="A file of the runs that the results are of; may be given again. FILES may hold them as well.",
)
@click.option(
    "--old",
    type=click.Path(exists=True),
    metavar="RULESET",
    help="Where only runs are stored: the rules, a file or a folder, that they were scored by so far.",
)
@click.option("--out", type=click.Path(dir_okay=False), help="Write the new results here; without it none are written.")
@click.option(
    "--allow-failed", is_flag=True, help="Go on, with exit code 0, though some runs cannot be scored any more."
)
@sums.FORMAT
def command(
    files: tuple[str, ...],
    new: str,
    runs: tuple[str, ...],
    old: str | None,
    out: str | None,
    allow_failed: bool,
    form: str,
) -> None:
    """Score stored runs by new rules, keep each old score beside the new one, and say what changed.

    FILES are results that outscore score wrote, and files of the runs they are of, in any order: results do not hold
    the runs. A folder of such files, or a quoted pattern, stands for them.

    Each new result carries the old one, whole, under "rescored", with both digests. Results of scenarios that the new
    rules are not for stay as they are. --out is written whole or not at all; it may be the file that the results came
    from. What changed is printed; means are over the runs that both the old and the new rules score.

    The exit code is 1, and nothing is written, where the stored runs cannot all be scored anew: one is not there, is
    another run, or cannot be scored any more, which --allow-failed allows. Runs that had failed before may fail again.
    The code is 2 where nothing could be tried.

    \b
    Examples:
      outscore rescore scores.jsonl runs.jsonl --ruleset rulesets/
      outscore rescore scores.jsonl --runs runs.jsonl --ruleset claims_v2.yaml --out scores.jsonl
      outscore rescore runs.jsonl --old claims_v1.yaml --ruleset claims_v2.yaml --out scores.jsonl
    """
    from outscore.cli.rescore_page import rescore_page
    from outscore.cli.score import load_rulebook
    from outscore.rescore import NothingToRescoreError, rescore
    from outscore.results import ResultsError

    scores, found = _told_apart(files)
    sources = [*found, *runs]
    # The results may be replaced: that is what this is for.
    sums.keep_inputs(out, (*sources, new, *([old] if old else [])))
    if not sources:
        raise click.UsageError("results do not hold the runs they are of; give the files of runs, or --runs.")
    if scores and old is not None:
        raise click.UsageError("--old is for runs alone; here the stored results say how they were scored.")
    if not scores and old is None:
        raise click.UsageError(
            "these are runs, and no results of them are stored: give the results too, or --old RULESET; "
            "outscore score scores runs for the first time."
        )
    rulebook = load_rulebook(new)
    try:
        with sums.progress("scoring") as advance:
            stored = sums.read(scores, keep_source=True) if scores else _stored(str(old), sources)
            made = rescore(
                stored,
                sources,
                rulebook,
                allow_failed=allow_failed,
                progress=lambda path: advance(f"{path}: runs", 1),
            )
    except ResultsError as error:
        sums.refuse(error)
    except NothingToRescoreError as error:
        stop(printable(str(error)))
    except OSError as error:
        stop(os_words(error))
    if out is not None:
        _write(made, out)
    sums.hand_out(form, None, made.to_record, lambda: rescore_page(made, out))
    newly = made.counts()["newly_failed"]
    if newly:
        were = "1 run that had not failed before" if newly == 1 else f"{newly} runs that had not failed before"
        click.echo(f"outscore: the new rules could not score {were}; --allow-failed let them become failed", err=True)


def _told_apart(paths: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The files of results, and the files of runs."""
    scores: list[str] = []
    runs: list[str] = []
    try:
        for path in paths:
            (runs if _holds_runs(path) else scores).append(path)
    except OSError as error:
        stop(os_words(error))
    return scores, runs


def _holds_runs(path: str) -> bool:
    """Whether the first record that shows it is a run; void runs look the same in both."""
    from outscore.results import holds_runs

    if path == "-":
        return False
    if Path(path).suffix.lower() in _YAML:
        return True
    return holds_runs(path)


def _stored(old: str, sources: list[str]) -> list[Result]:
    """The results that the old rules give, where none are stored."""
    from outscore.batch import score_file
    from outscore.cli.score import load_rulebook
    from outscore.rescore import as_result

    rulebook = load_rulebook(old)
    return [
        as_result(outcome, path, number)
        for path in sources
        for number, outcome in enumerate(score_file(rulebook, path, sys.stdin.buffer), 1)
    ]


def _write(made: Rescoring, out: str) -> None:
    from outscore.cli.files import results_file

    try:
        with results_file(out) as file:
            for line in made.lines():
                file.write(line.decode())
    except OSError as error:
        stop(os_words(error))
