"""What `summary`, `compare` and `rescore` share: their options, files read with a progress bar, and what they hand out.

Apart from the commands, so that their help and completion load none of what does the work; this module's own imports
are light too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from outscore.cli.console import FINDINGS, console, echo_diagnostics, os_words, printable, stop
from outscore.cli.file_paths import RESULTS, paths_of

if TYPE_CHECKING:
    from outscore.explain.page import Page
    from outscore.results import Result, ResultsError
    from outscore.summary.planned import PlannedRun
    from outscore.summary.statistic import Resampling

Command = TypeVar("Command", bound=Callable[..., Any])

SCORES = click.argument(
    "scores",
    nargs=-1,
    required=True,
    type=click.Path(),
    callback=paths_of(RESULTS),
    metavar="SCORES...",
)
FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "md"]),
    default="table",
    show_default=True,
    help="table for people, json for programs, md to paste into a page.",
)
OUT = click.option("--out", type=click.Path(dir_okay=False), help="Write to this file, whole or not at all.")
PLAN = click.option(
    "--plan",
    type=click.Path(exists=True, dir_okay=False),
    help="The runs there should be: JSON Lines or CSV with run, and scenario, task and agent. What is missing counts.",
)
ALLOW_MIXED = click.option(
    "--allow-mixed",
    is_flag=True,
    help="Put runs of one scenario together though different rules scored them; the output says so.",
)


def interval_options(command: Command) -> Command:
    """The options that say how intervals are made."""
    for option in (
        click.option("--no-intervals", is_flag=True, help="Leave intervals out; numpy and scipy are not needed then."),
        click.option(
            "--resamples",
            type=click.IntRange(100, 1_000_000),
            default=5000,
            show_default=True,
            help="How often tasks are drawn anew for an interval.",
        ),
        click.option(
            "--level",
            type=click.FloatRange(0.5, 0.9999),
            default=0.95,
            show_default=True,
            help="How often such intervals hold the true value.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=20260301,
            show_default=True,
            help="Where the draws begin; the same seed gives the same intervals everywhere.",
        ),
    ):
        command = option(command)
    return command


def resampling(no_intervals: bool, resamples: int, level: float, seed: int) -> Resampling | None:
    """How intervals are made, or None; ends where what they need is not installed."""
    from importlib.util import find_spec

    from outscore.summary.statistic import Resampling

    if no_intervals:
        return None
    if find_spec("numpy") is None or find_spec("scipy") is None:
        stop("intervals need numpy and scipy: pip install 'outscore[stats]'; or leave them out with --no-intervals")
    return Resampling(level, resamples, seed)


def keep_inputs(out: str | None, paths: Iterable[str]) -> None:
    """End where writing the output would replace what it is made from."""
    if out is None or not os.path.exists(out):
        return
    for path in paths:
        if path != "-" and os.path.samefile(out, path):
            stop(f"{out}: this would replace what it is made from; give --out another name")


def read(paths: Sequence[str], *, keep_source: bool = False, may_be_none: bool = False) -> list[Result]:
    """The results of all files; ends where they cannot be read, or where there are none although there must be."""
    from outscore.results import ResultsError, read_results

    try:
        with progress("reading") as advance:
            results = read_results(
                paths,
                stdin=sys.stdin.buffer,
                keep_source=keep_source,
                progress=lambda path, size: advance(f"{path}: results", 1),
            )
    except ResultsError as error:
        refuse(error)
    except OSError as error:
        stop(os_words(error))
    if not results and not may_be_none:
        stop(f"no result in {', '.join(map(printable, paths))}; they are written by outscore score --format jsonl")
    return results


def read_plan(path: str | None) -> Mapping[str, PlannedRun] | None:
    """The planned runs, where there is a plan; ends where it cannot be read."""
    from outscore.results import ResultsError
    from outscore.summary import planned

    try:
        return None if path is None else planned.read_plan(path)
    except ResultsError as error:
        refuse(error)
    except OSError as error:
        stop(os_words(error))


def refuse(error: ResultsError) -> NoReturn:
    """Print what stands against the job, and end with exit code 1."""
    echo_diagnostics(error.diagnostics, {}, err=True)
    if error.more:
        click.echo(f"and {error.more} more", err=True)
    raise SystemExit(FINDINGS)


def hand_out(form: str, out: str | None, record: Callable[[], Any], page: Callable[[], Page]) -> None:
    """Write what was made: to a file, whole or not at all, or to standard output."""
    import json

    if form == "table" and out is None:
        from outscore.cli.page import show

        with _os_errors():
            show(page())
        return
    if form == "json":
        text = json.dumps(record(), indent=2, ensure_ascii=False) + "\n"
    elif form == "md":
        from outscore.explain.markdown import markdown

        text = markdown(page())
    else:
        from outscore.cli.page import plain

        text = plain(page()) + "\n"
    write(out, text)


def write(out: str | None, text: str) -> None:
    """Write a text to a file, whole or not at all, or to standard output; ends with exit code 2 where that fails."""
    from outscore.cli.files import results_file, write_utf8

    with _os_errors(), results_file(out) as file:
        write_utf8(file, text.encode(errors="replace"))


@contextmanager
def _os_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        stop(os_words(error))


@contextmanager
def progress(what: str) -> Iterator[Callable[[str, int], None]]:
    """What to call with a few words and a number of steps done; shown on a terminal, and gone when done."""
    if not sys.stderr.isatty():
        yield lambda words, steps: None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed:,}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=console(sys.stderr), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda words, steps: bar.update(task, advance=steps, description=words)
