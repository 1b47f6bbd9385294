"""What is shown to people, apart from how: headings, paragraphs and tables, which each format renders its own way.

Texts stand here as they are written; making them safe to show is for those who render them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


class Code(str):
    """Text to be shown as code, where the format can."""

    __slots__ = ()


Line = tuple[str, ...]
"""One line, in pieces; some are Code."""

Tone = Literal["", "strong", "quiet", "good", "bad"]
"""How a thing is meant, for formats with colours."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: any number of lines."""

    lines: tuple[Line, ...]
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading."""

    text: Line
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that belong together."""

    lines: tuple[Line, ...]
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table; rows have a cell for each column."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


Block = Heading | Paragraph | Table
Page = tuple[Block, ...]


def cell(*pieces: str, tone: Tone = "") -> Cell:
    """A cell of one line, or empty."""
    return Cell((pieces,) if any(pieces) else (), tone)


def listed(texts: Iterable[str]) -> Line:
    """Code texts with commas between."""
    pieces: list[str] = []
    for text in texts:
        pieces += [", ", Code(text)] if pieces else [Code(text)]
    return tuple(pieces)


def place(file: str, line: int) -> Code:
    """`claims_intake.yaml:24`; the folder is said once, at the head of the page."""
    return Code(f"{file.replace(chr(92), '/').rsplit('/', 1)[-1]}:{line}")
