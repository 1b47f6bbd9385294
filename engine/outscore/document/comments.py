"""A document's text -> its comments, each with its place. What they say is not judged here.

The text is parsed once more, so whoever asks should know that there is something to find.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from yaml.events import ScalarEvent, StreamEndEvent

from outscore.document import Document
from outscore.document.events import HAS_LIBYAML, end_of, event_reader, start_of
from outscore.document.source import Source


class Comment(NamedTuple):
    """One comment, up to the end of its line."""

    text: str
    """Without the number sign."""
    line: int
    column: int
    """Where the text begins."""
    is_alone: bool
    """Whether nothing else stands on its line."""


# Anything else that begins with a number sign is part of a plain scalar.
_SIGN: Final = re.compile(r"(?<![^ \t\n])#")
_LINE: Final = re.compile(r"[^\r\n]*")


def comments_of(document: Document, *, _pure: bool = not HAS_LIBYAML) -> Iterator[Comment]:
    """The comments in the order written; a number sign in a quoted or block scalar is none.

    `_pure` asks for PyYAML's own parser, which gives the same.
    """
    text = document.text
    starts, ends = [], []
    for start, end in _texts(Source(document.name, text), _pure):
        starts.append(start)
        ends.append(end)
    line, at = 1, 0
    while sign := _SIGN.search(text, at):
        before = bisect_right(starts, sign.start()) - 1
        if before >= 0 and sign.start() < ends[before]:
            line, at = line + text.count("\n", at, ends[before]), ends[before]
            continue
        line += text.count("\n", at, sign.start())
        content = _LINE.match(text, sign.end())
        assert content is not None, "an empty line matches too"
        line_start = text.rfind("\n", 0, sign.start()) + 1
        is_alone = not text[line_start : sign.start()].strip()
        yield Comment(content[0], line, sign.end() - line_start + 1, is_alone)
        at = content.end()


def _texts(source: Source, pure: bool) -> Iterator[tuple[int, int]]:
    """Where the scalars are written in which a number sign is no comment."""
    next_event = event_reader(source, pure)
    while not isinstance(event := next_event(), StreamEndEvent):
        if isinstance(event, ScalarEvent) and event.style:
            start, end = start_of(event), end_of(event)
            if event.style in ("|", ">"):
                # The line with the indicator may end in a comment of its own.
                header_end = source.text.find("\n", start, end)
                start = header_end if header_end >= 0 else end
            yield start, end
