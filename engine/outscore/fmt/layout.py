"""A tree -> its text in the canonical layout.

Two blanks a level, one blank line before a section, brackets kept where what is in them fits on the line. Scalars are
written as they were spelt. Changes neither order nor words, and uses the tree up.
"""

from __future__ import annotations

from typing import Final

from outscore.fmt.syntax import Collection, Comment, Entry, Leaf, Node, Tree

WIDTH: Final = 120
"""Longest line that brackets are kept on."""

_STEP: Final = "  "
_BEFORE_NOTE: Final = "  "
_SECTIONS: Final = frozenset(("kpi", "fields", "contacts", "trials", "waiting", "incidents", "tests"))


def lay_out(tree: Tree) -> str:
    """The tree's text, which ends in a line break."""
    layout = _Layout()
    layout.comments(tree.top, "")
    layout.lines += tree.prologue
    for entry in tree.root.entries:
        _settle(entry, 0)
    first = tree.root.entries[0]
    # Whatever stands on top is read as being about the file.
    head, first.before = [*tree.head, *first.before], []
    _space_sections(tree.root)
    layout.comments(head, "")
    layout.block(tree.root, "", follows_key=False)
    return "\n".join(layout.lines) + "\n"


def _space_sections(root: Collection) -> None:
    """One blank line before each section, and before the holders in front of it."""
    was_holder = False
    for entry in root.entries:
        is_holder = entry.name.startswith("x-")
        if entry.name in _SECTIONS or (is_holder and not was_holder):
            _put_blank(entry, True)
        was_holder = is_holder


class _Layout:
    """The lines so far."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._is_sealed = False
        """Whether the last scalar would take a blank line for its own."""

    def comments(self, comments: list[Comment], indent: str) -> None:
        for each in comments:
            self._blank_line(each.blank)
            self._add(indent + each.text)

    def block(self, node: Collection, indent: str, *, opening: str = "", follows_key: bool = True) -> None:
        """A collection spread over lines; its first entry stands behind the opening, where there is one."""
        for position, entry in enumerate(node.entries):
            _settle(entry, len(indent))
            if position == 0 and opening:
                self._entry(entry, opening, indent)
                continue
            if position == 0 and follows_key:
                _put_blank(entry, False)
            self.comments(entry.before, indent)
            self._blank_line(entry.blank)
            self._entry(entry, indent, indent)
        self.comments(node.foot, indent)

    def _entry(self, entry: Entry, start: str, indent: str) -> None:
        head = f"{start}-" if entry.key is None else f"{start}{entry.key}:"
        note = "".join(_BEFORE_NOTE + each for each in entry.notes)
        value, inner = entry.value, indent + _STEP
        if isinstance(value, Leaf):
            self._leaf(value, head, note, inner)
        elif not _is_spread(value, len(head)):
            self._add(f"{head} {_in_brackets(value)}{note}")
        elif _is_compact(entry, len(indent)):
            self.block(value, inner, opening=f"{head} ")
        else:
            self._add(f"{head} {value.anchor}".rstrip() + note)
            self.block(value, inner)

    def _leaf(self, leaf: Leaf, head: str, note: str, indent: str) -> None:
        first = f"{head} {leaf.text}" if leaf.text else head
        more = [indent + line if line else "" for line in leaf.more]
        if more and not leaf.is_block:
            # Within it a comment would be a part of it.
            more[-1] += note
            note = ""
        self._add(first + note)
        self.lines += more
        self._is_sealed = leaf.keeps_blanks

    def _add(self, line: str) -> None:
        self.lines.append(line)
        self._is_sealed = False

    def _blank_line(self, is_wanted: bool) -> None:
        if is_wanted and self.lines and not self._is_sealed:
            self.lines.append("")


def _put_blank(entry: Entry, blank: bool) -> None:
    """Whether a blank line stands before the entry and the comments above it."""
    if entry.before:
        entry.before[0].blank = blank
    else:
        entry.blank = blank


def _settle(entry: Entry, column: int) -> None:
    """Put comments above the entry that have no place behind it, or above what begins on its line."""
    value = entry.value
    if isinstance(value, Collection) and not value.entries:
        entry.before += (Comment(each.text) for each in value.foot)
        value.foot = []
    if len(entry.notes) > 1:
        entry.before += map(Comment, entry.notes)
        entry.notes = []
    if _is_compact(entry, column):
        assert isinstance(value, Collection)
        # What stood behind the item now stands behind what its line holds of it.
        first = value.entries[0]
        first.notes, entry.notes = [*first.notes, *entry.notes], []
        _settle(first, column + len(_STEP))
        entry.before += (Comment(each.text) for each in first.before)
        first.before = []


def _is_compact(entry: Entry, column: int) -> bool:
    """Whether the entry is an item whose own first entry begins on its line."""
    value = entry.value
    return entry.key is None and isinstance(value, Collection) and not value.anchor and _is_spread(value, column + 1)


def _is_spread(value: Collection, width: int) -> bool:
    """Whether a collection takes lines of its own; the width is that of what stands before it on its line."""
    text = _in_brackets(value)
    return bool(value.entries) and (text is None or width + 1 + len(text) > WIDTH)


def _in_brackets(node: Node) -> str | None:
    """The node on one line; None where it has to be spread."""
    if isinstance(node, Leaf):
        # What is left out has no agreed spelling within brackets.
        is_empty = not node.text or (node.text.startswith("&") and " " not in node.text)
        return None if node.more or node.is_block or is_empty else node.text
    if not node.is_flow or node.foot:
        return None
    parts = []
    for entry in node.entries:
        text = _in_brackets(entry.value)
        if text is None or entry.before or entry.notes:
            return None
        parts.append(text if entry.key is None else f"{entry.key}: {text}")
    listed = ", ".join(parts)
    return f"{node.anchor} ".lstrip() + (f"{{{listed}}}" if node.is_mapping else f"[{listed}]")
