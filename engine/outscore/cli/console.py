"""What the commands share: consoles, words on standard error, and text made safe to show."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, NoReturn

import click

from outscore.diagnostics import Diagnostic, Severity, render

if TYPE_CHECKING:
    from rich.console import Console

FINDINGS = 1
CANNOT = 2


def console(file: IO[str] | None = None) -> Console:
    """A console on the stream: coloured on a terminal, plain and never wrapped elsewhere."""
    from rich.console import Console

    stream = file or sys.stdout
    # Wide enough that a table in a pipe or a file keeps each row on one line.
    width = None if stream.isatty() else 10_000
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


def printable(text: str) -> str:
    """The text without control characters, which could move a terminal's cursor or colour its lines."""
    return "".join(character if character.isprintable() else "�" for character in text)


def stop(message: str) -> NoReturn:
    """Say why the job could not be done, and end with exit code 2."""
    click.echo(f"outscore: {message}", err=True)
    raise SystemExit(CANNOT)


def os_words(error: OSError) -> str:
    """An operating system error in words: what, and on which file."""
    what = error.strerror or str(error)
    return f"{printable(os.fsdecode(error.filename))}: {what}" if isinstance(error.filename, str | bytes) else what


def echo_diagnostics(diagnostics: Iterable[Diagnostic], sources: Any, *, err: bool) -> None:
    """Print findings with excerpt, caret and hint, coloured on a terminal."""
    for each in diagnostics:
        # Nothing in a file's name moves a terminal's cursor.
        span = each.span and replace(each.span, file=printable(each.span.file))
        text = render(replace(each, span=span), sources.get(each.span.file, "") if each.span else "")
        head, *rest = text.split("\n")
        colour = "red" if each.severity is Severity.ERROR else "yellow"
        click.echo("\n".join([click.style(head, fg=colour, bold=True), *rest]), err=err)
