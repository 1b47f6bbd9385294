"""YAML events -> findings where YAML reads a line otherwise than its author meant it.

Expressions cut up by {...}, commas and comments, tabs, and spaces that are none. Looks only; what the data is has
been decided in `build`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from yaml.events import CollectionEndEvent, CollectionStartEvent, Event, MappingStartEvent, ScalarEvent

from outscore.diagnostics import Code, Diagnostic
from outscore.document import messages
from outscore.document.events import end_of, start_of
from outscore.document.places import extent
from outscore.document.source import Source

_ODD: Final = "\u00a0\u1680\u2000-\u200d\u202f\u205f\u2060\u3000"

# Signs that a trap may have sprung; where none shows, the events are not walked. None is searched for twice from one
# character, however often its beginning is repeated.
_ODD_SPACE: Final = re.compile(f"[{_ODD}]")
_QUOTED_HASH: Final = re.compile(r"^[^\n\"']*[\"'][^\n]* #", re.MULTILINE)
_HASH_AFTER_HEADER: Final = re.compile(r"[|>][0-9+-]*#")
_COMMA_IN_PARENTHESES: Final = re.compile(r"\([^()\n]*,")

# Odd spaces at the edge of a line of a plain scalar, and, where the parser failed, about a key.
_ODD_EDGE: Final = re.compile(f"(?:^|\\n)[ ]*([{_ODD}])|([{_ODD}])[ ]*(?:\\r?\\n|$)")
_ODD_ABOUT_KEY: Final = re.compile(f"^[ -]*([{_ODD}])|([{_ODD}]) *:|:([{_ODD}])")

# A key, its colon, and what looks like the space that makes the colon one.
_ODD_BEHIND_KEY: Final = re.compile(f"[A-Za-z_][A-Za-z0-9_]*:([{_ODD}])")

_WIDEST_INDENT: Final = 200
_LONGEST_VALUE: Final = 2_000

_MOST_TRAPS: Final = 1_000

_TO_COLON: Final = re.compile(r"\s*:")
_COMMENT: Final = re.compile(r" +#[^\n]*")
_IN_COMMENT: Final = re.compile(r"(?:^|[ \t])#")
_TEXT_OR_TAB: Final = re.compile(
    r"(?<!\w)\"(?:[^\"\\]|\\.)*(?:\"|\\?\Z)|(?<!\w)'[^']*(?:'|\Z)|(?<!\S)#[^\n]*|\t", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Trap:
    """A finding, and the offsets between which nothing else that was found is to be trusted."""

    finding: Diagnostic
    start: int
    end: int

    @property
    def is_odd_space(self) -> bool:
        """Whether it is a space that is none, which can upset all that follows."""
        return self.finding.code is Code.ODD_SPACE


def find_traps(source: Source, events: list[Event], has_empty: bool) -> list[Trap]:
    """The values that YAML cut up, and the spaces that are none."""
    text = source.text
    found: Iterator[Trap] = iter(())
    if has_empty or _COMMA_IN_PARENTHESES.search(text):
        found = chain(found, _cut_in_flow(source, events))
    if " #" in text and _QUOTED_HASH.search(text):
        found = chain(found, _cut_by_comment(source, events))
    if _HASH_AFTER_HEADER.search(text):
        found = chain(found, _unspaced_comments(source, events))
    if not text.isascii() and _ODD_SPACE.search(text):
        found = chain(found, _odd_spaces(source, events))
    return list(islice(found, _MOST_TRAPS))


@dataclass(slots=True)
class _Level:
    """A collection being walked through."""

    is_mapping: bool
    in_flow: bool
    key: Event | None = None
    """In a mapping: the key whose value comes next."""
    before: Event | None = None
    """The value before."""
    is_told: bool = False
    """Whether a key without a value was reported: those that follow it say nothing new."""


def _cut_in_flow(source: Source, events: list[Event]) -> Iterator[Trap]:
    text = source.text
    levels: list[_Level] = []
    trusted_from = 0
    for event in events:
        if isinstance(event, CollectionStartEvent):
            levels.append(_Level(isinstance(event, MappingStartEvent), bool(event.flow_style)))
            continue
        if isinstance(event, CollectionEndEvent):
            levels.pop()
        if not levels:
            continue
        level = levels[-1]
        key, before = level.key, level.before
        if not level.is_mapping:
            level.before = event
        elif key is None:
            level.key = event
        else:
            level.key, level.before = None, event
        if not level.in_flow or not isinstance(event, ScalarEvent) or start_of(event) < trusted_from:
            continue
        start, end = start_of(event), end_of(event)
        if not event.style and event.value.count("(") > event.value.count(")"):
            trusted_from = whole_end(text, start, in_flow=True)
            words = messages.cut_by_comma(event.value, text[start:trusted_from])
            yield Trap(source.finding(words, start, trusted_from), start, trusted_from)
        elif isinstance(key, ScalarEvent) and start == end == end_of(key) and not _is_before_colon(text, end):
            # A key without a colon: the comma before it was meant as part of a value, or the colon is missing.
            start, end = start_of(key), end_of(key)
            if level.is_told:
                continue
            level.is_told = True
            if not key.style and ":" in key.value.rstrip(":"):
                yield Trap(source.finding(messages.no_space_after_colon(key.value), start, end), start, end)
            elif isinstance(before, ScalarEvent) and not before.style and before.value:
                first = start_of(before)
                words = messages.cut_by_comma(before.value, text[first:end])
                yield Trap(source.finding(words, first, end), first, end)
            else:
                yield Trap(source.finding(messages.entry_without_value(key.value), start, end), start, end)


def _is_before_colon(text: str, offset: int) -> bool:
    return _TO_COLON.match(text, offset) is not None


def _cut_by_comment(source: Source, events: list[Event]) -> Iterator[Trap]:
    flows = 0
    for event in events:
        if isinstance(event, CollectionStartEvent):
            flows += bool(event.flow_style)
        elif isinstance(event, CollectionEndEvent):
            # A block's end has no width.
            flows -= end_of(event) > start_of(event)
        if not isinstance(event, ScalarEvent) or event.style:
            continue
        comment = _COMMENT.match(source.text, end_of(event))
        quote = _open_quote(event.value) if comment is not None else None
        if comment is not None and quote is not None and quote in comment[0]:
            start = start_of(event)
            end = whole_end(source.text, start, in_flow=flows > 0)
            words = messages.cut_by_comment(event.value, source.text[start:end])
            yield Trap(source.finding(words, start, end), start, comment.end())


def _open_quote(plain: str) -> str | None:
    """The quote that is open where a plain scalar ends; an apostrophe inside a word opens none."""
    quote = None
    for before, character in zip(" " + plain, plain, strict=False):
        if character == quote:
            quote = None
        elif quote is None and character in "\"'" and not before.isalnum():
            quote = character
    return quote


def _unspaced_comments(source: Source, events: list[Event]) -> Iterator[Trap]:
    # libyaml takes '>#' for a block with a comment; the other parser, and YAML, want a space before the '#'.
    for event in events:
        if isinstance(event, ScalarEvent) and event.style in ("|", ">"):
            start, _ = extent(event, source.text)
            header = _HASH_AFTER_HEADER.match(source.text, start)
            if header is not None:
                words = messages.bad_block_header(event.style, "'#'")
                yield Trap(source.finding(words, start, header.end()), start, header.end())


def _odd_spaces(source: Source, events: list[Event]) -> Iterator[Trap]:
    text = source.text
    for event in events:
        if not isinstance(event, ScalarEvent) or event.style or not event.value:
            continue
        start, end = start_of(event), end_of(event)
        written = text[start:end]
        odd = _ODD_EDGE.search(written)
        at = start + max(odd.start(1), odd.start(2)) if odd is not None else None
        behind = _ODD_BEHIND_KEY.match(written)
        if odd is None and behind is not None and _begins_its_line(text, event):
            at = start + behind.start(1)
        elif odd is None and (_is_before_colon(text, end) or len(events) == 1):
            inside = _ODD_SPACE.search(written)
            at = start + inside.start() if inside is not None else None
        if at is not None:
            yield Trap(source.finding(messages.odd_space(text[at]), at, at + 1), at, at + 1)


def _begins_its_line(text: str, event: ScalarEvent) -> bool:
    # Looks back no further than an indent is wide: there may be many on one line, and it may be long.
    start = start_of(event)
    before = text[max(0, start - _WIDEST_INDENT) : start]
    line_end = before.rfind("\n")
    return (line_end >= 0 or start < _WIDEST_INDENT) and not before[line_end + 1 :].strip(" -")


def odd_space_near(source: Source, offsets: tuple[int, ...]) -> Diagnostic | None:
    """An odd space about the key of a line at which the parser failed."""
    if source.text.isascii():
        return None
    for offset in offsets:
        start = source.line_start(offset)
        odd = _ODD_ABOUT_KEY.search(source.text[start : source.text.find("\n", start) % (len(source.text) + 1)])
        if odd is not None:
            at = start + max(odd.start(1), odd.start(2), odd.start(3))
            return source.finding(messages.odd_space(source.text[at]), at, at + 1)
    return None


def stray_tab(source: Source, events: list[Event], upto: int) -> Diagnostic | None:
    """The first tab, up to an offset, that stands neither in quotes nor in a block of text nor in a comment.

    The two parsers read tabs differently, so nothing that follows one is trusted.
    """
    text = source.text
    tab = text.find("\t", 0, upto)
    if tab < 0:
        return None
    texts = iter([event for event in events if isinstance(event, ScalarEvent) and event.style])
    covered = next(texts, None)
    known_to = end_of(events[-1]) if events else 0
    after = 0
    while 0 <= tab < known_to:
        while covered is not None and end_of(covered) <= tab:
            after, covered = end_of(covered), next(texts, None)
        if covered is not None and _is_inside(text, covered, tab):
            tab = text.find("\t", end_of(covered), upto)
        elif _IN_COMMENT.search(text[max(after, source.line_start(tab)) : tab]):
            line_end = text.find("\n", tab)
            tab = text.find("\t", line_end, upto) if line_end >= 0 else -1
        else:
            return source.finding(messages.tab(), tab, tab + 1)
    # Past the last event there may be quotes that were read and not yet told of; they are told by their looks.
    for part in _TEXT_OR_TAB.finditer(text, known_to, upto) if tab >= 0 else ():
        if part[0] == "\t":
            return source.finding(messages.tab(), part.start(), part.end())
    return None


def _is_inside(text: str, event: ScalarEvent, tab: int) -> bool:
    """Whether a tab is part of a quoted text or of a block's."""
    start = start_of(event)
    if start > tab or event.style not in ("|", ">"):
        return start < tab
    # A block's text begins on the line after its header; a tab cannot be what its first line is indented by.
    header_end = text.find("\n", start)
    before = text[header_end:tab] if header_end >= 0 else ""
    return bool(before.strip()) or (bool(before) and re.search(r"[|>][+-]?[1-9]", text[start:header_end]) is not None)


def whole_end(text: str, start: int, in_flow: bool) -> int:
    """Where the value that begins at `start` was most likely meant to end, on its line.

    Brackets and quotes are taken as an expression has them; in flow a comma or bracket outside them ends it.
    """
    depth, quote, end = 0, "", start
    last = min(len(text), start + _LONGEST_VALUE)
    for end in range(start, last):
        character, before = text[end], text[end - 1] if end else " "
        if character in "\r\n" or (character == "#" and before.isspace() and not quote):
            break
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'" and not before.isalnum():
            quote = character
        elif character in "([{":
            depth += 1
        elif in_flow and depth == 0 and character in ",)]}":
            break
        elif character in ")]}":
            depth -= 1
    else:
        end = last
    return start + len(text[start:end].rstrip())
