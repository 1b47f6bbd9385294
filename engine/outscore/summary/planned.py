"""A plan's file -> the runs that there should be, so that what is missing can be counted and said.

A plan is JSON Lines or CSV: `run`, and as far as they are known `scenario`, `task` and `agent`. Other keys are passed
over, so that a file of runs is a plan too. Knows nothing of results.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from outscore.alike import Findings
from outscore.diagnostics import Code, nearest
from outscore.results import ResultsError, finding

_KEYS: Final = ("run", "scenario", "task", "agent")


class PlannedRun(msgspec.Struct, frozen=True):
    """A run that there should be."""

    run: str
    scenario: str | None
    task: str | None
    agent: str | None
    file: str
    line: int


def read_plan(path: str) -> dict[str, PlannedRun]:
    """Read a plan, by run; raises ResultsError with what is wrong with it, and OSError."""
    source = Path(path).read_bytes()
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ResultsError([finding(Code.BAD_ENCODING, path, 1, f"byte {error.start + 1} is not UTF-8")]) from None
    planned: dict[str, PlannedRun] = {}
    findings = Findings()
    for line, record in _rows(text, path):
        problem = _problem(record)
        if problem is not None:
            findings.add(
                finding(problem.code, path, line, problem.message, problem.hint), problem.words, f"line {line}"
            )
            continue
        values = [record.get(key) or None for key in _KEYS]
        run = PlannedRun(str(values[0]), values[1], values[2] or values[1], values[3], path, line)
        if run.run in planned:
            first = planned[run.run].line
            message = f"run {run.run!r} is planned twice, first in line {first}"
            place = f"{run.run!r} (lines {first} and {line})"
            findings.add(finding(Code.DUPLICATE_ID, path, line, message), "runs are planned a second time", place)
        planned.setdefault(run.run, run)
    if findings:
        raise ResultsError(findings.told())
    if not planned:
        raise ResultsError([finding(Code.EMPTY_DOCUMENT, path, 1, "the plan names no run")])
    return planned


def _rows(text: str, path: str) -> Iterator[tuple[int, Mapping[Any, Any]]]:
    if text.lstrip()[:1] != "{":
        rows = csv.DictReader(io.StringIO(text, newline=""))
        # DictReader's type says that a header is always there; a file without a line has none.
        if "run" not in (rows.fieldnames or ()):
            names = [str(name) for name in rows.fieldnames or ()]
            near = nearest("run", names)
            hint = f"is {near!r} meant to be 'run'?" if near else "a plan is CSV with a column 'run', or JSON Lines"
            raise ResultsError([finding(Code.MISSING_KEY, path, 1, "the plan has no column 'run'", hint)])
        for row in rows:
            if any(row.values()):
                yield rows.line_num, row
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                record = msgspec.json.decode(line)
            except msgspec.DecodeError as error:
                raise ResultsError([finding(Code.SYNTAX, path, number, f"not JSON: {error}")]) from None
            yield number, record if isinstance(record, dict) else {}


class _Problem(NamedTuple):
    code: Code
    message: str
    words: str
    """What is wrong with several such rows."""
    hint: str | None = None


def _problem(record: Mapping[Any, Any]) -> _Problem | None:
    for key in _KEYS:
        value = record.get(key)
        if value is not None and not isinstance(value, str):
            return _Problem(
                Code.WRONG_TYPE, f"{key!r} is {value!r}; wanted text", f"rows have a {key!r} that is no text"
            )
        if not value:
            # A misspelt key would leave runs without their agent, unnoticed.
            near = nearest(key, [str(name) for name in record if name not in _KEYS])
            if near is not None and (key == "run" or record.get(near)):
                message, words = f"{near!r} is not a key of a plan", f"rows have {near!r}, which is not a key of a plan"
                return _Problem(Code.UNKNOWN_KEY, message, words, f"did you mean {key!r}?")
    if not record.get("run"):
        return _Problem(Code.MISSING_KEY, "the key 'run' is missing", "rows have no key 'run'")
    return None
