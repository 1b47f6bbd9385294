"""A page -> text on standard output: coloured and fitted on a terminal, else plain, each row on one line.

Lays tables out itself: a bill may have a million rows, for which rich's own tables are far too slow, and on a narrow
terminal they cut off the end of a row. Colours, and where a line breaks, are rich's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import IO, TYPE_CHECKING, Final

import click

from outscore.cli.console import console, printable
from outscore.explain.page import Cell, Heading, Line, Page, Paragraph, Table

if TYPE_CHECKING:
    from rich.console import Console

_STYLES: Final = {"": "", "strong": "bold", "quiet": "dim", "good": "green", "bad": "yellow"}

_GAP: Final = 2
"""Blanks between columns."""

Segments = list[tuple[str, str]]
"""One line of output: texts with their styles."""


def show(page: Page, file: IO[str] | None = None) -> None:
    """Print a page: to standard output, unless another stream is given."""
    screen = console(file)
    if not screen.is_terminal:
        click.echo(plain(page), file=file)
        return
    from rich.text import Text

    for segments in _lines(page, screen):
        screen.print(Text.assemble(*segments), soft_wrap=True)


def plain(page: Page) -> str:
    """A page as plain text, each row of a table on one line."""
    return "\n".join("".join(text for text, _ in segments).rstrip() for segments in _lines(page, None))


def _lines(page: Page, screen: Console | None) -> Iterator[Segments]:
    """The page's lines; fitted to the screen where there is one."""
    for position, block in enumerate(page):
        if position:
            yield []
        if isinstance(block, Heading):
            yield [(_plain(block.text), "bold underline" if block.level == 1 else "bold")]
        elif isinstance(block, Paragraph):
            yield from ([(_plain(line), _STYLES[block.tone])] for line in block.lines)
        else:
            yield from _table(block, screen)


def _plain(line: Line) -> str:
    return printable("".join(line))


def _table(table: Table, screen: Console | None) -> Iterator[Segments]:
    head = [[printable(column.name)] for column in table.columns]
    rows = [[[_plain(line) for line in cell.lines] for cell in row] for row in table.rows]
    widths = _natural_widths([head, *rows])
    if screen is not None:
        widths = _fitted(widths, _longest_words([head, *rows]), screen.width - _GAP * (len(widths) - 1))
    to_right = [column.is_number for column in table.columns]
    yield from _row(head, ["bold"] * len(head), widths, to_right, screen)
    for texts, cells in zip(rows, table.rows, strict=True):
        yield from _row(texts, _styles(cells), widths, to_right, screen)


def _styles(cells: Iterable[Cell]) -> list[str]:
    return [_STYLES[cell.tone] for cell in cells]


def _row(
    texts: list[list[str]], styles: list[str], widths: list[int], to_right: list[bool], screen: Console | None
) -> Iterator[Segments]:
    from rich.cells import cell_len

    if screen is not None:
        texts = [
            [part for line in lines for part in _broken(line, width, screen)]
            for lines, width in zip(texts, widths, strict=True)
        ]
    for parts in zip_longest(*texts, fillvalue=""):
        segments: Segments = []
        for part, style, width, is_number in zip(parts, styles, widths, to_right, strict=True):
            blanks = " " * (width - cell_len(part))
            segments += [(blanks, ""), (part, style)] if is_number else [(part, style), (blanks, "")]
            segments.append((" " * _GAP, ""))
        yield segments[:-1]


def _broken(line: str, width: int, screen: Console) -> list[str]:
    """The line in pieces that fit; later ones stand as far in as the first."""
    from rich.cells import cell_len
    from rich.text import Text

    if cell_len(line) <= width:
        return [line]
    inner = line.lstrip(" ")
    indent = line[: min(len(line) - len(inner), width // 2)]
    pieces = Text(inner).wrap(screen, width - len(indent), overflow="fold")
    return [indent + piece.plain.rstrip() for piece in pieces]


def _natural_widths(rows: list[list[list[str]]]) -> list[int]:
    from rich.cells import cell_len

    columns = zip(*rows, strict=True)
    return [max((cell_len(line) for lines in column for line in lines), default=0) for column in columns]


def _longest_words(rows: list[list[list[str]]]) -> list[int]:
    return _natural_widths([[[word for line in lines for word in line.split()] for lines in row] for row in rows])


def _fitted(natural: list[int], least: list[int], available: int) -> list[int]:
    """The columns' widths: the widest give way first, to their longest word; past that to anything, so all is shown."""
    for narrowest in (least, [1] * len(least)):
        for level in range(min(max(natural), max(available, 1)), 0, -1):
            widths = [max(low, min(high, level)) for low, high in zip(narrowest, natural, strict=True)]
            if sum(widths) <= available:
                return widths
    return [1] * len(least)
