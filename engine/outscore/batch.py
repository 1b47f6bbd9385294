"""Files of runs -> outcomes, in input order: scores, void runs, and bad runs with their file and line.

One bad run never stops a batch and never becomes a number. Summing up is `summary`'s; writing is the faces'.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO, Final, NamedTuple

import msgspec

from outscore.diagnostics import Code, RunError, nearest
from outscore.jsontext import read_json
from outscore.run import Void
from outscore.runfiles import FileRun, read_runs
from outscore.score import Score
from outscore.scorer import Scorer


class Place(NamedTuple):
    """Where a run stands."""

    file: str
    line: int | None = None
    """From 1; None in a JSON document."""
    item: int | None = None
    """Position in a JSON list of runs, from 1."""

    def __str__(self) -> str:
        where = f":{self.line}" if self.line is not None else f", item {self.item}" if self.item is not None else ""
        return f"{self.file}{where}"


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
        return f"{Place(self.file, self.line, self.item)}: {self.error}"


def writable(text: str) -> str:
    """The text with halves of surrogate pairs, which no UTF-8 can hold, written as escapes."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


Outcome = Score | Void | BadRun
"""What became of one run."""

Rulebook = Scorer | Mapping[str, Scorer]
"""One scenario's scorer, for all runs; or scorers by scenario, each run to its own."""


def score_file(rulebook: Rulebook, path: str | os.PathLike[str], stdin: BinaryIO | None = None) -> Iterator[Outcome]:
    """Score a file's runs in order: JSON (`.json`), YAML (`.yaml`, `.yml`), else JSON Lines or a live ledger's file.

    Raises OSError where the file cannot be read, and TypeError for what is no rulebook.
    """
    _must_be_rulebook(rulebook)
    return (_outcome(rulebook, run) for run in read_runs(path, stdin))


def score_placed(
    rulebook: Rulebook, path: str | os.PathLike[str], stdin: BinaryIO | None = None
) -> Iterator[tuple[Place, Outcome]]:
    """Score a file's runs like `score_file`, each outcome with the place of its run."""
    _must_be_rulebook(rulebook)
    return ((Place(run.file, run.line, run.item), _outcome(rulebook, run)) for run in read_runs(path, stdin))


def _must_be_rulebook(rulebook: object) -> None:
    if not isinstance(rulebook, Scorer | Mapping):
        # A caller's slip and no bad input, so no error of ours; but one that says what to do.
        message = f"score_file takes a Scorer, or Scorers by scenario, not {type(rulebook).__name__}"
        raise TypeError(f"{message}: outscore.load(path) and load_all(folder) make them")


def _outcome(rulebook: Rulebook, run: FileRun) -> Outcome:
    content = run.content
    try:
        if isinstance(content, RunError):
            raise content
        return _pick(rulebook, content)(content)
    except RunError as error:
        about = {key: writable(each) for key, each in run.about.items() if key != "run"} or _about(content)
        return BadRun(error, run.file, run.line, run.item, **about)


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
