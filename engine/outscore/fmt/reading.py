"""A ruleset's text -> the tree of its syntax, with every comment beside what it is about.

Reads what the document stage has accepted. Knows nothing of rulesets, and puts nothing in order.

A comment behind something on its line is about that. One on a line of its own is about what follows, unless it stands
further in than that: then it closes the innermost of the collections just ended that it stands in.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import NamedTuple

from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
)

from outscore.document.events import end_of, start_of
from outscore.fmt.comments import BLOCK_HEADER, anchor_end, behind_gap, content_of, find_comments, read_events
from outscore.fmt.syntax import CannotFormatError, Collection, Comment, Entry, Leaf, Node, Tree


def read_tree(text: str) -> Tree:
    """The tree of a text whose lines end in LF alone; raises CannotFormatError for what no layout of ours can hold."""
    return _Reading(text).tree()


class _Waiting(NamedTuple):
    """A comment whose place is not known yet."""

    comment: Comment
    column: int


class _Reading:
    """One pass over the events; comments are handed out on the way."""

    def __init__(self, text: str) -> None:
        self._text = text
        events = read_events(text)
        self._events = iter(events)
        self._comments = list(find_comments(text, events))
        # With comments blanked out, so that a dash found in it is a dash of the syntax.
        self._bare = _without(text, self._comments)
        self._line_starts = [0, *(offset + 1 for offset, character in enumerate(text) if character == "\n")]
        self._given = 0
        """How many comments have been looked at."""
        self._waiting: list[_Waiting] = []
        self._content: tuple[int, Entry] | None = None
        """Where the last piece of content ended, and the entry that it belongs to."""
        self._closed: list[Collection] = []
        """The block collections that ended since the last entry began, innermost first."""
        self._head: list[Comment] | None = None

    def tree(self) -> Tree:
        top: list[Comment] = []
        prologue: list[str] = []
        while not isinstance(event := next(self._events), CollectionStartEvent):
            if isinstance(event, DocumentStartEvent) and event.explicit:
                lines = self._bare[: end_of(event)].split("\n")
                prologue = [*(line.rstrip() for line in lines if line.startswith("%")), "---"]
                self._look_at_comments(end_of(event))
                self._hand_out(top, -1)
        root = self._collection(event, None)
        self._look_at_comments(len(self._text))
        self._hand_out(root.foot, -1)
        return Tree(top, prologue, self._head or [], root)

    def _node(self, event: Event, entry: Entry) -> Node:
        if isinstance(event, CollectionStartEvent):
            return self._collection(event, entry)
        if isinstance(event, AliasEvent):
            assert event.anchor is not None
            entry.aliases.append(event.anchor)
            self._value_begins(start_of(event), entry)
            self._content = end_of(event), entry
            return Leaf(self._text[start_of(event) : end_of(event)])
        assert isinstance(event, ScalarEvent)
        anchor = self._anchor(event, entry)
        start, end = content_of(self._text, event)
        if start == end:
            return Leaf(anchor)
        self._value_begins(start, entry)
        if event.style in ("|", ">"):
            # A comment may stand behind the first line alone.
            self._content = start, entry
            return _block_scalar(self._text[start:end], anchor, self._column)
        self._content = end, entry
        first, *more = self._text[start:end].split("\n")
        # At the end of a line in double quotes a blank may be escaped.
        stripped = (line.lstrip(" \t") if event.style == '"' else line.strip(" \t") for line in more)
        return Leaf(f"{anchor} {first}".lstrip(), tuple(stripped))

    def _anchor(self, event: ScalarEvent | CollectionStartEvent, entry: Entry | None) -> str:
        if event.anchor is None:
            return ""
        start = start_of(event)
        if entry is not None:
            entry.anchors.append(event.anchor)
            self._value_begins(start, entry)
            self._content = anchor_end(self._text, start), entry
        return f"&{event.anchor}"

    def _collection(self, start: CollectionStartEvent, owner: Entry | None) -> Collection:
        found = Collection(isinstance(start, MappingStartEvent), bool(start.flow_style), self._anchor(start, owner))
        # The anchor may stand lines above.
        begin = (
            start_of(start) if start.anchor is None else behind_gap(self._text, anchor_end(self._text, start_of(start)))
        )
        found.column = self._column_of(begin)
        if found.is_flow and owner is not None:
            self._value_begins(begin, owner)
            self._content = begin + 1, owner
        outer, self._column = self._column, found.column
        while not isinstance(event := next(self._events), CollectionEndEvent):
            found.entries.append(entry := self._entry(event, found))
            if owner is not None:
                owner.anchors += entry.anchors
                owner.aliases += entry.aliases
        self._column = outer
        if found.is_flow:
            self._look_at_comments(end_of(event))
            found.foot += (each.comment for each in self._waiting)
            self._waiting.clear()
            if owner is not None:
                self._content = end_of(event), owner
        else:
            self._closed.append(found)
        return found

    _column = 0
    """Where the keys or dashes of the innermost open collection stand."""

    def _entry(self, event: Event, within: Collection) -> Entry:
        start = start_of(event)
        if not within.is_mapping:
            start = start if within.is_flow else self._bare.rfind("-", 0, start)
            entry = self._entry_begins(start, within)
            entry.value = self._node(event, entry)
            return entry
        # The document stage has refused every key that is no scalar.
        assert isinstance(event, ScalarEvent)
        entry = self._entry_begins(start, within)
        if event.anchor is not None:
            entry.anchors.append(event.anchor)
        entry.key, entry.name = self._text[start : end_of(event)], event.value
        if "\n" in entry.key or event.style in ("|", ">"):
            raise CannotFormatError("a key that takes several lines has no place in the canonical layout", entry.line)
        self._content = end_of(event), entry
        entry.value = self._node(next(self._events), entry)
        return entry

    def _entry_begins(self, start: int, within: Collection) -> Entry:
        self._look_at_comments(start)
        line = bisect_right(self._line_starts, start)
        entry = Entry(line, self._is_first_on_line(start) and self._is_behind_blank(line))
        if self._head is None:
            self._head = [each.comment for each in self._waiting]
            self._waiting.clear()
        self._hand_out(entry.before, within.column)
        return entry

    def _value_begins(self, start: int, entry: Entry) -> None:
        """What stands between a key and its value is about the entry."""
        self._look_at_comments(start)
        entry.before += (each.comment for each in self._waiting)
        self._waiting.clear()

    def _look_at_comments(self, end: int) -> None:
        """Give comments up to an offset to the content on their line; the others wait."""
        while self._given < len(self._comments) and self._comments[self._given][0] < end:
            start, stop = self._comments[self._given]
            self._given += 1
            text = self._text[start:stop].rstrip()
            if self._content is not None and "\n" not in self._text[self._content[0] : start]:
                self._content[1].notes.append(text)
                continue
            line = bisect_right(self._line_starts, start)
            blank = self._is_first_on_line(start) and self._is_behind_blank(line)
            self._waiting.append(_Waiting(Comment(text, blank), self._column_of(start)))

    def _hand_out(self, following: list[Comment], column: int) -> None:
        """Give the waiting comments to the collections just ended, or to what follows at that column."""
        closed = self._closed
        for comment, at in self._waiting:
            # Each stands no further in than the one before it, so that their order stays.
            while closed and not column < at >= closed[0].column:
                closed.pop(0)
            (closed[0].foot if closed else following).append(comment)
        self._waiting.clear()
        self._closed = []

    def _column_of(self, offset: int) -> int:
        return offset - self._line_starts[bisect_right(self._line_starts, offset) - 1]

    def _is_first_on_line(self, offset: int) -> bool:
        return not self._text[self._line_starts[bisect_right(self._line_starts, offset) - 1] : offset].strip()

    def _is_behind_blank(self, line: int) -> bool:
        return line > 1 and not self._text[self._line_starts[line - 2] : self._line_starts[line - 1]].strip()


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with stretches of it blanked out."""
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    parts = [text[start:end] for start, end in pairwise(edges)]
    return "".join(" " * len(part) if odd % 2 else part for odd, part in enumerate(parts))


def _block_scalar(text: str, anchor: str, column: int) -> Leaf:
    header = BLOCK_HEADER.match(text)
    assert header is not None
    chomping, digit = header["chomping"], header["digit"] or header["late"]
    lines = text[header.end() :].split("\n")[1:]
    if lines and not lines[-1]:
        # It ends where the next line begins.
        lines.pop()
    elif lines:
        # The file ends in it, without the line break that the canonical form has there.
        chomping = "-"
    filled = next((line for line in lines if line.strip(" ")), None)
    if digit:
        indent = column + int(digit)
    elif filled is not None:
        indent = len(filled) - len(filled.lstrip(" "))
    else:
        indent = max(map(len, lines), default=0)
    lines = [line[indent:] for line in lines]
    keeps_blanks = chomping == "+"
    while lines and not lines[-1] and not keeps_blanks:
        lines.pop()
    # Told from its surroundings, whose levels are two apart in the canonical layout.
    first = f"{anchor} {header['style']}{'2' if digit else ''}{chomping}".lstrip()
    return Leaf(first, tuple(lines), is_block=True, keeps_blanks=keeps_blanks)
