"""A file of runs, and an id -> the one run that is meant, as it was read, with its place.

Checks no run: that is the strict reader's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from outscore.batch import BadRun
from outscore.diagnostics import RunError, nearest
from outscore.jsontext import read_json
from outscore.runfiles import STDIN, read_runs

MOST_IDS: Final = 40
"""Ids that a message lists."""


class NoSuchRunError(Exception):
    """No one run is meant; the message says why, and what there is."""


@dataclass(frozen=True, slots=True)
class FoundRun:
    """One run of a file."""

    record: object
    """Plain data, unchecked; or what is wrong with its text."""
    file: str
    line: int | None
    item: int | None

    @property
    def id(self) -> str | None:
        """The run's id, where it has one that can be read."""
        name = self.record.get("run") if isinstance(self.record, dict) else None
        return name if isinstance(name, str) else None

    def as_bad(self, error: RunError) -> BadRun:
        """The run as one that could not be scored."""
        record = self.record if isinstance(self.record, dict) else {}
        about = {key: record[key] for key in ("scenario", "task", "agent") if isinstance(record.get(key), str)}
        return BadRun(error, self.file, self.line, self.item, **about)

    def __str__(self) -> str:
        return f"line {self.line}" if self.line is not None else f"item {self.item or 1}"


def find_run(path: str, stdin: BinaryIO, run: str | None) -> FoundRun:
    """The run of that id; without an id, the file's only run.

    Raises NoSuchRunError where there is none or more than one, and OSError.
    """
    if run is None:
        return _only_run(path, stdin)
    found = [each for each in _runs(path, stdin, run) if each.id == run]
    if len(found) > 1:
        places = ", ".join(str(each) for each in found[:MOST_IDS])
        raise NoSuchRunError(f"{path} has {len(found)} runs called {run!r}: {places}; give a file with one of them")
    if not found:
        raise NoSuchRunError(f"no run in {path} is called {run!r}{_meant(path, stdin, run)}")
    return found[0]


def _only_run(path: str, stdin: BinaryIO) -> FoundRun:
    runs = _runs(path, stdin)
    first = next(runs, None)
    if first is None:
        raise NoSuchRunError(f"no run in {path}")
    second = next(runs, None)
    if second is None or (isinstance(first.record, RunError) and isinstance(second.record, RunError)):
        # What cannot be read at all has a finding for each of its faults.
        return first
    ids = [each.id if each.id is not None else f"({each}: no id)" for each in (first, second)]
    for each in runs:
        if len(ids) == MOST_IDS:
            ids.append("and more")
            break
        ids.append(each.id if each.id is not None else f"({each}: no id)")
    raise NoSuchRunError(f"{path} has several runs; say which with --run: {', '.join(ids)}")


def _meant(path: str, stdin: BinaryIO, run: str) -> str:
    # What was piped in is gone by now.
    ids = [] if path == STDIN else [each.id for each in _runs(path, stdin) if each.id is not None]
    near = nearest(run, ids[:10_000])
    if near is not None:
        return f"; did you mean {near!r}?"
    more = ", and more" if len(ids) > MOST_IDS else ""
    return f"; there are {', '.join(ids[:MOST_IDS])}{more}" if ids else ""


def _runs(path: str, stdin: BinaryIO, sought: str | None = None) -> Iterator[FoundRun]:
    """The file's runs in order; lines that plainly are not the sought run are passed over unread."""
    wanted = None if sought is None else f'"{sought}"'.encode(errors="surrogatepass")
    for each in read_runs(path, stdin):
        content = each.content
        if isinstance(content, bytes):
            # Text without escapes holds an id to the letter, or not at all.
            if wanted is not None and b"\\" not in content and wanted not in content:
                continue
            content = _read(content)
        yield FoundRun(content, each.file, each.line, each.item)


def _read(text: bytes) -> object:
    try:
        return read_json(text)
    except RunError as error:
        return error
