"""ask.jsonl -> its lines, typed, each with its place; everything that is wrong with it is found at once.

Takes the harness's JSON Lines, a JSON list of the same objects, and an object that holds such a list as `log`. Says
nothing on what a line means: who was answered, and what was counted, is `counting`'s matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from outscore.diagnostics import Code, Path, RunError
from outscore.integrations.fde_gym.reading import (
    Fault,
    ForeignFileError,
    count_at,
    error,
    fault_of,
    list_at,
    needed,
    number_at,
    object_at,
    parse,
    read_bytes,
    text_at,
    wrong_type,
)
from outscore.numbers import Number
from outscore.run import MAX_EVENTS

MAX_FAULTS: Final = 50
"""After so many faults reading stops: nobody mends more at once."""

UNCOUNTED: Final = ("wait", "inbox")
"""Whose lines carry no count."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the log."""

    number: int
    """From 1: the line in JSON Lines, else the entry in the list."""
    to: str
    question: str
    topics: tuple[str, ...]
    facts: tuple[str, ...]
    n_asked: int
    """A person's count after this message, a trial's day, 0 for waits and the inbox."""
    cost: Number
    """The charge as written; 0 where none is."""
    has_time: bool
    """Whether there is an `at`, null or not: the lines of trials have none."""


@dataclass(frozen=True, slots=True)
class Log:
    """A run's log."""

    file: str
    lines: tuple[Line, ...]
    is_document: bool
    """Whether it was one JSON document, so that its lines are entries of a list."""

    def fault(self, line: Line, code: Code, message: str, path: Path = (), hint: str | None = None) -> Fault:
        """A fault at a line."""
        at: Path = ("log", line.number - 1, *path) if self.is_document else path
        return fault_of(error(code, message, at, hint), self.file, None if self.is_document else line.number)


def read_log(path: str) -> Log:
    """Read a log; raises OSError, and ForeignFileError with all faults. An empty file is an empty log."""
    data = read_bytes(path).removeprefix(b"\xef\xbb\xbf")
    entries = _entries(data)
    if entries is not None:
        return Log(path, _document_lines(path, entries), is_document=True)
    return Log(path, _json_lines(path, data), is_document=False)


def _entries(data: bytes) -> list[Any] | None:
    """The list that a log in one JSON document is; None for JSON Lines."""
    if not data.strip().startswith((b"[", b"{")):
        return None
    try:
        # JSON Lines of more than one line are no JSON, and end here at the second.
        whole = parse(data, "")
    except RunError:
        return None
    if isinstance(whole, dict) and "log" in whole and "to" not in whole:
        whole = whole["log"]
    return whole if isinstance(whole, list) else None


def _document_lines(path: str, entries: list[Any]) -> tuple[Line, ...]:
    faults: list[Fault] = []
    lines = []
    for number, entry in enumerate(entries, 1):
        try:
            lines.append(_line(entry, ("log", number - 1), number))
        except RunError as found:
            faults.append(fault_of(found, path))
            if len(faults) == MAX_FAULTS:
                break
    return _whole(path, lines, faults)


def _json_lines(path: str, data: bytes) -> tuple[Line, ...]:
    faults: list[Fault] = []
    lines = []
    for number, text in enumerate(data.split(b"\n"), 1):
        if not text or text.isspace():
            continue
        try:
            lines.append(_line(parse(text, "each line of the log is one JSON object"), (), number))
        except RunError as found:
            faults.append(fault_of(found, path, number))
            if len(faults) == MAX_FAULTS:
                break
    return _whole(path, lines, faults)


def _whole(path: str, lines: Iterable[Line], faults: list[Fault]) -> tuple[Line, ...]:
    if faults:
        raise ForeignFileError(faults)
    whole = tuple(lines)
    if len(whole) > MAX_EVENTS:
        message = f"the log has {len(whole)} lines; at most {MAX_EVENTS} are read"
        raise ForeignFileError([Fault(path, Code.TOO_LARGE, message)])
    return whole


def _line(value: object, path: Path, number: int) -> Line:
    found = object_at(value, path)
    to = text_at(needed(found, "to", path), (*path, "to"))
    # The harness writes 0 for waits and the inbox, and reads the count of neither.
    counted = needed(found, "n_asked", path) if to not in UNCOUNTED else found.get("n_asked", 0)
    return Line(
        number=number,
        to=to,
        question=question if isinstance(question := found.get("question"), str) else "",
        topics=_texts(found.get("topics", []), (*path, "topics")),
        facts=_texts(found.get("facts", []), (*path, "facts")),
        n_asked=count_at(counted, (*path, "n_asked")),
        cost=number_at(found.get("cost", 0), (*path, "cost")),
        has_time="at" in found,
    )


def _texts(value: object, path: Path) -> tuple[str, ...]:
    for position, each in enumerate(list_at(value, path)):
        if not isinstance(each, str):
            raise wrong_type("text", each, (*path, position))
    return tuple(list_at(value, path))
