"""YAML events -> where a text's comments stand: behind every `#` that is in no scalar.

Whom a comment is about is not judged here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from yaml.events import Event, ScalarEvent, StreamEndEvent

from outscore.document.events import HAS_LIBYAML, end_of, event_reader, start_of
from outscore.document.source import Source

Span = tuple[int, int]

BLOCK_HEADER: Final = re.compile(
    r"(?P<style>[|>])(?P<digit>[0-9]?)(?P<chomping>[-+]?)(?P<late>[0-9]?)[ \t]*(?P<note>#.*)?"
)
"""The first line of a scalar written with `|` or `>`."""

_ANCHOR: Final = re.compile(r"&[^\s,\[\]{}]+")
_GAP: Final = re.compile(r"(?:\s|#.*)*")
_COMMENT: Final = re.compile(r"#.*")


def read_events(text: str) -> list[Event]:
    """The events of a text that has been read as a document before."""
    next_event = event_reader(Source("", text), not HAS_LIBYAML)
    events: list[Event] = []
    while not events or not isinstance(events[-1], StreamEndEvent):
        events.append(next_event())
    return events


def find_comments(text: str, events: Iterable[Event]) -> Iterator[Span]:
    """Where each comment of the text begins and ends, in order."""
    position = 0
    for event in events:
        if not isinstance(event, ScalarEvent):
            continue
        start, end = content_of(text, event)
        yield from (match.span() for match in _COMMENT.finditer(text, position, start))
        if event.style in ("|", ">") and (header := BLOCK_HEADER.match(text, start)) and header["note"]:
            yield header.span("note")
        position = max(position, end)
    yield from (match.span() for match in _COMMENT.finditer(text, position))


def content_of(text: str, event: ScalarEvent) -> Span:
    """Where a scalar is written, its anchor left out."""
    start, end = start_of(event), end_of(event)
    if event.anchor is None:
        return start, end
    start = anchor_end(text, start)
    gap = _GAP.match(text, start, max(start, end))
    assert gap is not None
    # An anchor of a value that is left out has nothing behind it.
    return (gap.end(), end) if gap.end() < end else (start, start)


def anchor_end(text: str, start: int) -> int:
    """Where the anchor that begins at an offset ends."""
    anchor = _ANCHOR.match(text, start)
    assert anchor is not None
    return anchor.end()


def behind_gap(text: str, start: int) -> int:
    """The first offset from `start` on that is neither blank nor comment."""
    gap = _GAP.match(text, start)
    assert gap is not None
    return gap.end()
