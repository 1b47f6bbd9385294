"""A page -> Markdown that can be pasted into a pull request.

Texts of rulesets and runs are escaped: they form no markup, mention nobody and link nowhere.
"""

from __future__ import annotations

import re
from typing import Final

from outscore.explain.page import Block, Cell, Code, Heading, Line, Page, Paragraph, Table

_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>|~])")
_REFERENCE: Final = re.compile(r"([@#])(?=\w)")
_TICKS: Final = re.compile("`+")


def markdown(page: Page) -> str:
    """The page as Markdown."""
    return "\n\n".join(_block(block) for block in page) + "\n"


def _block(block: Block) -> str:
    match block:
        case Heading(text, level):
            # A page is a part of something larger there, so its headings start lower.
            return f"{'#' * (level + 2)} {_line(text)}"
        case Paragraph(lines):
            return "<br>\n".join(map(_line, lines))
        case Table():
            return _table(block)


def _table(table: Table) -> str:
    rows = [
        [_escaped(column.name) for column in table.columns],
        ["---:" if column.is_number else "---" for column in table.columns],
        *([_cell(each) for each in row] for row in table.rows),
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(cell: Cell) -> str:
    text = "<br>".join(map(_line, cell.lines))
    return f"**{text}**" if cell.tone == "strong" and text else text


def _line(line: Line) -> str:
    return "".join(_code(piece) if isinstance(piece, Code) else _escaped(piece) for piece in line).strip()


def _escaped(text: str) -> str:
    return _REFERENCE.sub(r"\1<!-- -->", _MARKUP.sub(r"\\\1", _printable(text)))


def _code(text: str) -> str:
    """A code span; its fence is longer than any row of ticks in it, and bars are escaped as tables need it."""
    text = _printable(text)
    fence = "`" * (max((len(ticks) for ticks in _TICKS.findall(text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}".replace("|", r"\|")


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "�" for character in text)
