"""What a ruleset's text is made of, part by part in its own spelling, as values; and why one is left as it is.

Holds no values of scalars: what a number or a text says is the document's matter.
"""

from __future__ import annotations

from dataclasses import dataclass, field


class CannotFormatError(Exception):
    """A ruleset in order that the formatter leaves as it is; says why, and where that is known in which line."""

    def __init__(self, message: str, line: int | None = None) -> None:
        self.message = message
        self.line = line
        super().__init__(message, line)


@dataclass(slots=True)
class Comment:
    """A comment on a line of its own."""

    text: str
    """From its `#`."""
    blank: bool = False
    """Whether a blank line stands before it."""


@dataclass(slots=True)
class Leaf:
    """A scalar or an alias."""

    text: str = ""
    """Its first line, anchor included; empty where the value is left out."""
    more: tuple[str, ...] = ()
    """The lines that follow, without their indentation."""
    is_block: bool = False
    """Whether it is written with `|` or `>`."""
    keeps_blanks: bool = False
    """Whether blank lines after it belong to it."""


@dataclass(slots=True)
class Collection:
    """A mapping or a list."""

    is_mapping: bool
    is_flow: bool
    """Whether it is written with brackets."""
    anchor: str = ""
    """Its anchor, `&` included."""
    column: int = 0
    """Where its keys or dashes stand, from 0; without meaning in brackets."""
    entries: list[Entry] = field(default_factory=list)
    foot: list[Comment] = field(default_factory=list)
    """Comments below its last entry."""


Node = Leaf | Collection


@dataclass(slots=True)
class Entry:
    """A key with its value, or an item of a list."""

    line: int
    blank: bool
    """Whether a blank line stands right before it, below its comments."""
    key: str | None = None
    """As it is spelt; None in a list."""
    name: str = ""
    """What the key says."""
    value: Node = field(default_factory=Leaf)
    before: list[Comment] = field(default_factory=list)
    """Comments above it."""
    notes: list[str] = field(default_factory=list)
    """Comments behind it, on one of its lines."""
    anchors: list[str] = field(default_factory=list)
    """The anchors that are set somewhere in it."""
    aliases: list[str] = field(default_factory=list)
    """The anchors that are referred to somewhere in it."""


@dataclass(slots=True)
class Tree:
    """A whole text."""

    top: list[Comment]
    """Comments above the mark where the document starts, if that is written."""
    prologue: list[str]
    """That mark, below the directive."""
    head: list[Comment]
    """Comments above the first key: they are about the file, and stay where they are."""
    root: Collection
