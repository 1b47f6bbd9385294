"""Bytes -> text that a YAML file may hold, with a span for any stretch of it.

Knows nothing of YAML's structure: only the encoding, the size and the characters are judged here.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from functools import cache
from itertools import islice
from typing import Final

from outscore.diagnostics import Diagnostic, Path, Severity, Span
from outscore.document import messages
from outscore.document.messages import Words

MAX_BYTES: Final = 2 * 1024 * 1024
"""Largest file that is read."""

MAX_COUNTED: Final = 100
"""Unwanted characters are counted up to here: past that there is another reason than a slip."""

# Deleting these leaves nothing of a plain file; what is left makes it worth a closer look. Tabs and CRs are not in it.
_PLAIN_BYTES: Final = bytes(range(0x20, 0x7F)) + b"\n"

# YAML's printable characters, without those that some readers take as a line break and others do not (a lone CR, NEL,
# the line and the paragraph separator) and without a byte order mark that is not at the start.
_WANTED: Final = "\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"


@cache
def _unwanted() -> re.Pattern[str]:
    # Made when first needed: it takes longer to compile than most files take to read.
    return re.compile(f"[^{_WANTED}]|\r(?!\n)")


class Stopped(Exception):  # noqa: N818  (not a failure of the program, but the end of a reading)
    """Reading ends here; carries the finding that says why."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding)
        self.finding = finding


class Source:
    """A file's name and text; turns offsets into spans."""

    __slots__ = ("_line_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._line_starts: list[int] | None = None

    def span(self, start: int, end: int) -> Span:
        """The characters from offset `start` up to `end`."""
        (line, column), (end_line, end_column) = self._position(start), self._position(max(start, end))
        return Span(self.name, line, column, end_line, end_column)

    def line(self, offset: int) -> int:
        """The number of the line that the offset stands in, from 1."""
        return self._position(offset)[0]

    def line_start(self, offset: int) -> int:
        """The offset at which that line begins."""
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """The offset at which that line ends, its trailing blanks left out where they lie past `offset`."""
        end = self.text.find("\n", offset)
        return offset + len(self.text[offset : end if end >= 0 else len(self.text)].rstrip(" \t\r"))

    def offset(self, span: Span) -> int:
        """The offset at which a span begins."""
        self._position(0)
        assert self._line_starts is not None
        return self._line_starts[span.line - 1] + span.column - 1

    def finding(self, words: Words, start: int, end: int, path: Path = ()) -> Diagnostic:
        """An error at those characters."""
        return Diagnostic(words.code, Severity.ERROR, words.message, self.span(start, end), path, words.hint)

    def _position(self, offset: int) -> tuple[int, int]:
        # Only findings ask for places, so a clean file never pays for the table.
        if self._line_starts is None:
            self._line_starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1


def read_source(path: str | os.PathLike[str]) -> bytes:
    """A file's bytes, no more of them than it takes to see that they are too many; raises OSError."""
    with open(path, "rb") as file:
        return file.read(MAX_BYTES + 1)


def decode(source: bytes, name: str) -> Source:
    """The text of a file, without its byte order mark.

    Raises Stopped for what is too large, is not UTF-8, or holds characters that YAML readers do not agree on.
    """
    if len(source) > MAX_BYTES:
        raise Stopped(Source(name, "").finding(messages.too_many_bytes(MAX_BYTES), 0, 0))
    if source[:2] in (b"\xff\xfe", b"\xfe\xff") or source[:2].count(0) == 1:
        raise Stopped(Source(name, "").finding(messages.utf_16(), 0, 0))
    try:
        # The mark is dropped here, so that columns count from the first visible character, as editors do.
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        words = messages.not_utf_8(error.object[error.start])
        raise Stopped(Source(name, before).finding(words, len(before), len(before) + 1)) from None
    result = Source(name, text)
    if is_plain(source):
        return result
    unwanted = _unwanted().search(text)
    if unwanted is not None:
        others = sum(1 for _ in islice(_unwanted().finditer(text, unwanted.end()), MAX_COUNTED))
        words = messages.unwanted_character(unwanted[0], others, MAX_COUNTED)
        raise Stopped(result.finding(words, unwanted.start(), unwanted.end()))
    return result


def is_plain(source: bytes) -> bool:
    """Whether the file holds nothing but line feeds and ASCII's visible characters and spaces."""
    return not source.translate(None, _PLAIN_BYTES)
