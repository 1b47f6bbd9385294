"""Files of runs -> outcomes, in input order: scores, void runs, and bad runs with their file and line.

One bad run never stops a batch and never becomes a number. Summing up is `summary`'s; writing is the faces'.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from outscore.diagnostics import Code, RunError, nearest
from outscore.document import read_document, read_source
from outscore.jsontext import MAX_RUN_BYTES, read_json
from outscore.run import Void
from outscore.score import Score
from outscore.scorer import Scorer

STDIN: Final = "-"
"""The path that stands for standard input, read as JSON Lines."""


class BadRun(msgspec.Struct, frozen=True):
    """A run that could not be scored, and where it stands."""

    error: RunError
    file: str
    line: int | None = None
    """Line in the file, from 1; None in a JSON document of several runs."""
    item: int | None = None
    """Position in a list of runs, from 1; None in JSON Lines."""
    scenario: str | None = None
    task: str | None = None
    agent: str | None = None

    def to_record(self) -> dict[str, Any]:
        """The bad run as plain data, keys in the order that results carry them."""
        place = {"file": writable(self.file), "line": self.line, "item": self.item}
        error = self.error
        about = {"scenario": self.scenario, "task": self.task, "agent": self.agent}
        texts = {"path": error.path, "message": error.message, "hint": error.hint}
        fault = {"code": str(error.code), **{key: writable(text) for key, text in texts.items() if text is not None}}
        return {
            "run": None if error.run is None else writable(error.run),
            **{key: value for key, value in about.items() if value is not None},
            "input": {key: value for key, value in place.items() if value is not None},
            "error": fault,
        }

    def __str__(self) -> str:
        place = f":{self.line}" if self.line is not None else f", item {self.item}" if self.item is not None else ""
        return f"{self.file}{place}: {self.error}"


def writable(text: str) -> str:
    """The text with halves of surrogate pairs, which no UTF-8 can hold, written as escapes."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


Outcome = Score | Void | BadRun
"""What became of one run."""

Rulebook = Scorer | Mapping[str, Scorer]
"""One scenario's scorer, for all runs; or scorers by scenario, each run to its own."""


def score_file(rulebook: Rulebook, path: str | os.PathLike[str], stdin: BinaryIO | None = None) -> Iterator[Outcome]:
    """Score a file's runs in order: JSON (`.json`), YAML (`.yaml`, `.yml`), else JSON Lines.

    Raises OSError where the file cannot be read.
    """
    path = os.fspath(path)
    if path == STDIN and stdin is not None:
        yield from score_lines(rulebook, stdin, "<stdin>")
        return
    suffix = Path(path).suffix.lower()
    if suffix in (".yaml", ".yml"):
        yield from _score_document(rulebook, path, read_source(path))
    elif suffix == ".json":
        yield from _score_json(rulebook, path, Path(path).read_bytes())
    else:
        with open(path, "rb") as file:
            yield from score_lines(rulebook, file, path)


def score_lines(rulebook: Rulebook, lines: BinaryIO, name: str) -> Iterator[Outcome]:
    """Score JSON Lines in order; blank lines are passed over."""
    number = 0
    # One byte more than a run may have shows that a line is too long, without reading it whole.
    while line := lines.readline(MAX_RUN_BYTES + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if len(line) > MAX_RUN_BYTES and not line.endswith(b"\n"):
            while (rest := lines.readline(2**20)) and not rest.endswith(b"\n"):
                pass
        if not line.strip():
            continue
        yield _outcome(rulebook, line, name, line_number=number)


def _score_json(rulebook: Rulebook, name: str, text: bytes) -> Iterator[Outcome]:
    try:
        data = read_json(text)
    except RunError as error:
        hint = error.hint if error.code is not Code.SYNTAX else "a file of one run a line is named .jsonl"
        yield BadRun(RunError(error.code, error.message, hint=hint), name)
        return
    for item, record in _items(data):
        yield _outcome(rulebook, record, name, item=item)


def _score_document(rulebook: Rulebook, name: str, text: bytes) -> Iterator[Outcome]:
    document, diagnostics = read_document(text, name)
    if document is None:
        for each in diagnostics:
            line = each.span.line if each.span else None
            yield BadRun(RunError(each.code, each.message, hint=each.hint), name, line)
        return
    for item, record in _items(document.data):
        line = document.span(() if item is None else (item - 1,)).line
        yield _outcome(rulebook, record, name, line_number=line, item=item)


def _items(data: object) -> Iterator[tuple[int | None, object]]:
    """The runs of a document: a list of them, or one."""
    if isinstance(data, list):
        yield from enumerate(data, 1)
    else:
        yield None, data


def _outcome(
    rulebook: Rulebook, run: Any, name: str, *, line_number: int | None = None, item: int | None = None
) -> Outcome:
    try:
        return _pick(rulebook, run)(run)
    except RunError as error:
        return BadRun(error, name, line_number, item, **_about(run))


_SCENARIO: Final = re.compile(rb'"scenario"\s*:\s*"([^"\\]*)"')


def _pick(rulebook: Rulebook, run: Any) -> Callable[[Any], Score | Void]:
    """The `score` of the scorer for this run; raises RunError where there is none."""
    if isinstance(rulebook, Scorer):
        return rulebook.score
    if isinstance(run, bytes) and (match := _SCENARIO.search(run)):
        # A glance; a scorer refuses a run of another scenario, and then the whole run is read below.
        scorer = rulebook.get(match[1].decode(errors="replace"))
        if scorer is not None and len(_SCENARIO.findall(run)) == 1:
            return scorer.score
    record: Any = read_json(run) if isinstance(run, bytes) else run
    scenario = record.get("scenario") if isinstance(record, dict) else None
    if isinstance(scenario, str) and scenario in rulebook:
        return rulebook[scenario].score
    if not isinstance(scenario, str):
        # Any scorer says what is wrong with a run that names no scenario.
        return next(iter(rulebook.values())).score
    near = nearest(scenario, rulebook)
    hint = f"did you mean {near!r}?" if near else f"known are {', '.join(sorted(rulebook)[:12])}"
    message = f"no ruleset of scenario {scenario[:60]!r} is at hand"
    name = record.get("run")
    who = name if isinstance(name, str) else None
    raise RunError(Code.WRONG_SCENARIO, message, path="$.scenario", hint=hint, run=who)


def _about(run: Any) -> dict[str, str]:
    """What a bad run says of itself, as far as it can be read."""
    if isinstance(run, bytes):
        try:
            run = read_json(run)
        except RunError:
            return {}
    if not isinstance(run, dict):
        return {}
    return {key: writable(run[key]) for key in ("scenario", "task", "agent") if isinstance(run.get(key), str)}
