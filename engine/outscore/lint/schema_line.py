"""A ruleset's text and the folder it lies in -> a warning where editors do not check it by our schema.

Looks only at the comments before the first key, as the language server does, and at the one file that they name.
Never fetches anything: what stands behind a URL is not known, and nothing is said of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from outscore.diagnostics import Code, Diagnostic, Severity, Span
from outscore.document import Document
from outscore.resources import schema_text

MARK: Final = "# yaml-language-server: $schema="

_HEADER: Final = re.compile(r"(?:[ \t]*|#[^\n]*|%[^\n]*|---[ \t]*(?:#[^\n]*)?)\r?\Z")
# The language server takes the first comment that begins so, and in it the first schema.
_IS_OURS: Final = re.compile(r"#\s+(?:yaml-language-server\s*:|\$schema:)")
_SCHEMA: Final = re.compile(r"\$schema(?:=|:[^\S\r\n]*)(\S+)")
_IS_URL: Final = re.compile(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]+:")

_LARGEST: Final = 4 * 1024 * 1024
"""Most bytes of a file that could be our schema; more are not read."""


def schema_line(document: Document, folder: Path) -> Iterator[Diagnostic]:
    """What is wrong with the schema line of a ruleset that lies in the folder; nothing where a URL is named."""
    found = _find(document)
    if found is None:
        message = "no comment names a schema, so that editors neither complete nor explain what is written here"
        hint = f"put '{MARK}PATH' into the first line; 'outscore schema --out PATH' writes the schema"
        yield Diagnostic(Code.SCHEMA_LINE, Severity.WARNING, message, _first_line(document), (), hint)
        return
    target, span = found
    problem = None if _IS_URL.match(target) else _problem(target, folder)
    if problem is not None:
        message = f"the schema line leads to {target!r}, {problem}, so that editors do not check what we check"
        hint = f"write the schema there, 'outscore schema --out {_shown_path(target, folder)}', or name where it lies"
        yield Diagnostic(Code.SCHEMA_LINE, Severity.WARNING, message, span, (), hint)


def _find(document: Document) -> tuple[str, Span] | None:
    """The schema that the first schema comment names, and where."""
    for number, line in enumerate(document.text.split("\n"), start=1):
        if _HEADER.match(line) is None:
            return None
        if _IS_OURS.match(line) and (match := _SCHEMA.search(line)):
            return match[1], Span(document.name, number, match.start(1) + 1, number, match.end(1) + 1)
    return None


def _first_line(document: Document) -> Span:
    """The first key's place: a comment above it can allow the finding."""
    root = document.span(())
    return Span(root.file, root.line, root.column, root.line, root.column + 1)


def _problem(target: str, folder: Path) -> str | None:
    """Why the file is not our schema; None where it is."""
    path = _path(target, folder)
    try:
        # Pipes and devices are not opened: they might never end.
        if not path.is_file():
            return "where no file is"
        if path.stat().st_size > _LARGEST:
            return "which is not the schema of this version"
        source = path.read_bytes()
    except (OSError, ValueError) as error:
        return f"which cannot be read ({getattr(error, 'strerror', None) or error})"
    return None if _is_ours(source) else "which is not the schema of this version"


def _is_ours(source: bytes) -> bool:
    ours = schema_text("ruleset")
    if source == ours.encode():
        return True
    try:
        # Another layout, or other line ends, say the same.
        return bool(json.loads(source) == json.loads(ours))
    except (ValueError, RecursionError):
        return False


def _path(target: str, folder: Path) -> Path:
    if target.startswith("file:"):
        return Path(unquote(target.removeprefix("file:").removeprefix("//")))
    return folder / target.partition("#")[0]


def _shown_path(target: str, folder: Path) -> str:
    return _path(target, folder).as_posix()
