"""Paths -> where in the text they are written: the side table of a document.

The table keeps the parser's events as they came, shaped like the data; spans are worked out when asked for,
so that a clean document pays next to nothing for them.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from yaml.events import Event, ScalarEvent

from outscore.diagnostics import Path, Span
from outscore.document.events import end_of, start_of
from outscore.document.source import Source


class Branch(NamedTuple):
    """Where a mapping or a list is written, and its children by key or position."""

    start: Event
    end: Event
    children: dict[str, tuple[Event, Place]] | list[Place]
    """Of a mapping, each key with its own event; what a merge or an alias brought in stands where it is written."""


Place = Branch | Event
"""Where a value is written; a scalar's is its event."""

# An anchor and the blanks after it, comments and line breaks included.
_ANCHOR: Final = re.compile(r"&[^\s,\[\]{}]+(?:\s|(?<=\s)#[^\n]*)*")

_COMMENT: Final = re.compile(r"(?:^|\s)#")


class Places:
    """The side table of one document."""

    __slots__ = ("_root", "_source")

    def __init__(self, source: Source, root: Place) -> None:
        self._source = source
        self._root = root

    def span(self, path: Path) -> Span:
        """The value at the path, or at its longest known prefix."""
        return self._source.span(*extent(self._follow(path)[1], self._source.text))

    def key_span(self, path: Path) -> Span:
        """The key at the path, or the item of a list; with the same fallback."""
        key, place = self._follow(path)
        return self._source.span(*extent(place if key is None else key, self._source.text))

    def text_span(self, path: Path, start: int, end: int) -> Span:
        """The characters from `start` to `end` of the text at the path; all of it where columns are unclear."""
        place = self._follow(path)[1]
        first, last = extent(place, self._source.text)
        if isinstance(place, ScalarEvent):
            if place.style in ("'", '"'):
                first, last = first + 1, last - 1
            # Equal exactly when nothing was escaped, folded or indented away.
            if self._source.text[first:last] == place.value:
                return self._source.span(min(first + start, last), min(first + end, last))
        return self.span(path)

    def _follow(self, path: Path) -> tuple[Event | None, Place]:
        key: Event | None = None
        place = self._root
        for step in path:
            if not isinstance(place, Branch):
                break
            if isinstance(place.children, dict):
                if not isinstance(step, str) or step not in place.children:
                    break
                key, place = place.children[step]
            else:
                if not isinstance(step, int) or not 0 <= step < len(place.children):
                    break
                key, place = None, place.children[step]
        return key, place


def _end_of_content(text: str, start: int, end: int) -> int:
    """Where the blanks and the whole lines of comment before an offset begin."""
    while True:
        while end > start and text[end - 1].isspace():
            end -= 1
        line = text.rfind("\n", start, end) + 1
        if line == 0 or not text[line:end].lstrip().startswith("#"):
            return end
        end = line


def _behind_colon(text: str, offset: int) -> int:
    """Where a value left out belongs: behind its colon. The parsers put it there or right before the next thing."""
    end = _end_of_content(text, 0, offset)
    comment = _COMMENT.search(text, text.rfind("\n", 0, end) + 1, end) if "\n" in text[end:offset] else None
    return _end_of_content(text, 0, comment.start()) if comment is not None and text[end - 1] != ":" else end


def extent(place: Place, text: str) -> tuple[int, int]:
    """The offsets between which a value is written, its anchor left out."""
    first, last = (place.start, place.end) if isinstance(place, Branch) else (place, place)
    start, end = start_of(first), end_of(last)
    if start == end and isinstance(place, ScalarEvent):
        start = end = _behind_colon(text, start)
    anchor = _ANCHOR.match(text, start, end) if getattr(first, "anchor", None) is not None else None
    if anchor is not None:
        start = anchor.end()
    # The parser lets a block end where the next thing begins.
    if isinstance(last, ScalarEvent) and last.style in ("|", ">"):
        while end > start and text[end - 1].isspace():
            end -= 1
    elif isinstance(place, Branch) and not getattr(first, "flow_style", True):
        end = _end_of_content(text, start, end)
    return start, max(start, end)
