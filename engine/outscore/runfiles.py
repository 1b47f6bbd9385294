"""Files of runs -> each run as it stands there, text or plain data, with its place.

JSON Lines, JSON, YAML, and the file of a live ledger, which holds one run. Checks no run: that is the strict reader's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from outscore.diagnostics import Code, RunError
from outscore.document import read_document, read_source
from outscore.jsontext import MAX_RUN_BYTES, Duplicate, read_json

STDIN: Final = "-"
"""The path that stands for standard input, read as JSON Lines."""

_YAML: Final = (".yaml", ".yml")
_LEDGER: Final = re.compile(rb'\s*\{\s*"outscore_ledger"\s*:')
_LONGEST_LEDGER: Final = 2 * MAX_RUN_BYTES
"""Bytes; an entry of a ledger has a few more than the event it holds."""


class FileRun(msgspec.Struct, frozen=True):
    """One run of a file."""

    content: Any
    """JSON text as bytes, or plain data, unchecked; or the RunError that says why there is neither."""
    file: str
    line: int | None = None
    """Line in the file, from 1; None in a JSON document of several runs."""
    item: int | None = None
    """Position in a list of runs, from 1; None in JSON Lines."""
    about: dict[str, str] = {}
    """Where there is no content: what is known of the run all the same, by its keys."""


def read_runs(path: str | os.PathLike[str], stdin: BinaryIO | None = None) -> Iterator[FileRun]:
    """A file's runs in order: JSON (`.json`), YAML (`.yaml`, `.yml`), else JSON Lines or a live ledger.

    Raises OSError where the file cannot be read.
    """
    path = os.fspath(path)
    suffix = Path(path).suffix.lower()
    if path == STDIN and stdin is not None:
        yield from _of_lines(stdin, "<stdin>")
    elif suffix in _YAML:
        yield from _of_yaml(read_source(path), path)
    elif suffix == ".json":
        yield from _of_json(Path(path).read_bytes(), path)
    else:
        with open(path, "rb") as file:
            yield from _of_lines(file, path)


def _of_lines(lines: BinaryIO, name: str) -> Iterator[FileRun]:
    """The runs of JSON Lines in order, blank lines passed over; or the one run of a live ledger's file."""
    number = 0
    # One byte more than a run may have shows that a line is too long, without reading it whole.
    while line := lines.readline(MAX_RUN_BYTES + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
            if _LEDGER.match(line):
                yield _of_ledger(line + lines.read(_LONGEST_LEDGER), name)
                return
        if len(line) > MAX_RUN_BYTES and not line.endswith(b"\n"):
            while (rest := lines.readline(2**20)) and not rest.endswith(b"\n"):
                pass
        if not line.isspace():
            yield FileRun(line, name, number)


def _of_ledger(text: bytes, name: str) -> FileRun:
    if len(text) >= _LONGEST_LEDGER:
        return FileRun(RunError(Code.TOO_LARGE, f"a ledger has more than {_LONGEST_LEDGER} bytes"), name, 1)
    # Imported here: few files are ledgers.
    from outscore.journal.finished import finished_run

    try:
        return FileRun(finished_run(text, name), name, 1)
    except RunError as error:
        # Where in a ledger's file something is wrong, its path says.
        line = error.path.rpartition(":")[2] if error.path else ""
        place = int(line) if line.isdecimal() else 1
        about = _header_of(text)
        who = error.run or about.pop("run", None)
        return FileRun(RunError(error.code, error.message, hint=error.hint, run=who), name, place, None, about)


def _header_of(ledger: bytes) -> dict[str, str]:
    """What a ledger's first line says of its run, as far as it can be read."""
    try:
        header = read_json(ledger.partition(b"\n")[0])
    except RunError:
        return {}
    if not isinstance(header, dict):
        return {}
    # Of a key that is there twice nobody knows which was meant.
    known = {key: header.get(key) for key in ("run", "scenario", "task", "agent") if Duplicate(key) not in header}
    return {key: each for key, each in known.items() if isinstance(each, str)}


def _of_json(text: bytes, name: str) -> Iterator[FileRun]:
    try:
        data = read_json(text)
    except RunError as error:
        hint = error.hint if error.code is not Code.SYNTAX else "a file of one run a line is named .jsonl"
        yield FileRun(RunError(error.code, error.message, hint=hint), name)
        return
    for item, record in _items(data):
        yield FileRun(record, name, None, item)


def _of_yaml(text: bytes, name: str) -> Iterator[FileRun]:
    document, diagnostics = read_document(text, name)
    if document is None:
        for each in diagnostics:
            error = RunError(each.code, each.message, hint=each.hint)
            yield FileRun(error, name, each.span.line if each.span else None)
        return
    for item, record in _items(document.data):
        yield FileRun(record, name, document.span(() if item is None else (item - 1,)).line, item)


def _items(data: object) -> Iterator[tuple[int | None, object]]:
    """The runs of a document: a list of them, or one."""
    if isinstance(data, list):
        yield from enumerate(data, 1)
    else:
        yield None, data
