"""A file of runs, and an id -> the one run that is meant, as it was read, with its place.

Reads the forms of files that `batch` scores, and checks no run: that is the strict reader's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from outscore.batch import STDIN, BadRun
from outscore.diagnostics import Code, RunError, nearest
from outscore.document import read_document, read_source
from outscore.jsontext import MAX_RUN_BYTES, read_json

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
    found = [each for each in read_runs(path, stdin, run) if each.id == run]
    if len(found) > 1:
        places = ", ".join(str(each) for each in found[:MOST_IDS])
        raise NoSuchRunError(f"{path} has {len(found)} runs called {run!r}: {places}; give a file with one of them")
    if not found:
        raise NoSuchRunError(f"no run in {path} is called {run!r}{_meant(path, stdin, run)}")
    return found[0]


def _only_run(path: str, stdin: BinaryIO) -> FoundRun:
    runs = read_runs(path, stdin)
    first = next(runs, None)
    if first is None:
        raise NoSuchRunError(f"no run in {path}")
    second = next(runs, None)
    if second is None:
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
    ids = [] if path == STDIN else [each.id for each in read_runs(path, stdin) if each.id is not None]
    near = nearest(run, ids[:10_000])
    if near is not None:
        return f"; did you mean {near!r}?"
    more = ", and more" if len(ids) > MOST_IDS else ""
    return f"; there are {', '.join(ids[:MOST_IDS])}{more}" if ids else ""


def read_runs(path: str, stdin: BinaryIO, sought: str | None = None) -> Iterator[FoundRun]:
    """The file's runs in order; lines that plainly are not the sought run are passed over unread."""
    suffix = Path(path).suffix.lower()
    if path == STDIN:
        yield from _lines(stdin, "<stdin>", sought)
    elif suffix in (".yaml", ".yml"):
        document, diagnostics = read_document(read_source(path), path)
        if document is None:
            first = diagnostics[0]
            error = RunError(first.code, first.message, hint=first.hint)
            yield FoundRun(error, path, first.span.line if first.span else None, None)
            return
        for item, record in _items(document.data):
            yield FoundRun(record, path, document.span(() if item is None else (item - 1,)).line, item)
    elif suffix == ".json":
        for item, record in _items(_read(Path(path).read_bytes(), "a file of one run a line is named .jsonl")):
            yield FoundRun(record, path, None, item)
    else:
        with open(path, "rb") as file:
            yield from _lines(file, path, sought)


def _lines(lines: BinaryIO, name: str, sought: str | None) -> Iterator[FoundRun]:
    wanted = None if sought is None else f'"{sought}"'.encode(errors="surrogatepass")
    for number, line in enumerate(_bounded(lines), 1):
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        # Text without escapes holds an id to the letter, or not at all.
        if text.isspace() or (wanted is not None and b"\\" not in text and wanted not in text):
            continue
        yield FoundRun(_read(text), name, number, None)


def _bounded(lines: BinaryIO) -> Iterator[bytes]:
    """The lines; of one that is longer than a run may be, as much as shows that it is."""
    while line := lines.readline(MAX_RUN_BYTES + 1):
        if len(line) > MAX_RUN_BYTES and not line.endswith(b"\n"):
            while (rest := lines.readline(2**20)) and not rest.endswith(b"\n"):
                pass
        yield line


def _read(text: bytes, hint: str | None = None) -> object:
    try:
        return read_json(text)
    except RunError as error:
        return RunError(error.code, error.message, hint=hint if hint and error.code is Code.SYNTAX else error.hint)


def _items(data: object) -> Iterator[tuple[int | None, object]]:
    """The runs of a document: a list of them, or one."""
    if isinstance(data, list):
        yield from enumerate(data, 1)
    else:
        yield None, data
