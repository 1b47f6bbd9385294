"""What was found wrong, as values: a code, a severity, a place, a message, a hint -> text.

Holds no wording of any one finding (those live with the stage that finds it), only their shape.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

Path = tuple[str | int, ...]
"""Where in a document: keys and list positions (from 0) from the root."""


class Severity(StrEnum):
    """How bad a finding is: an error stops the work, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


class Code(StrEnum):
    """The stable names of findings; each has a section in docs/reference/diagnostics.md."""

    # Text: what stands in the file is not YAML (or JSON) that we read.
    TOO_LARGE = "too-large"
    BAD_ENCODING = "bad-encoding"
    EMPTY_DOCUMENT = "empty-document"
    ODD_SPACE = "odd-space"
    SYNTAX = "syntax"
    DUPLICATE_KEY = "duplicate-key"
    AMBIGUOUS_SCALAR = "ambiguous-scalar"
    UNSUPPORTED_YAML = "unsupported-yaml"
    BAD_NUMBER = "bad-number"
    SPLIT_EXPRESSION = "split-expression"
    # Shape: the wrong keys or types.
    UNKNOWN_KEY = "unknown-key"
    MISSING_KEY = "missing-key"
    WRONG_TYPE = "wrong-type"
    BAD_VALUE = "bad-value"
    BAD_ID = "bad-id"
    FIXED_FORMULA = "fixed-formula"
    # Meaning: well-formed, but it cannot be meant.
    RESERVED_NAME = "reserved-name"
    DUPLICATE_ID = "duplicate-id"
    CONFLICT = "conflict"
    UNKNOWN_TIMEZONE = "unknown-timezone"
    NEGATIVE_CHARGE = "negative-charge"
    REFERENCE_NOT_BETTER = "reference-not-better"
    # Expressions.
    BAD_EXPRESSION = "bad-expression"
    REFUSED_SYNTAX = "refused-syntax"
    TOO_COMPLEX = "too-complex"
    UNKNOWN_NAME = "unknown-name"
    TYPE_MISMATCH = "type-mismatch"
    IMPOSSIBLE_VALUE = "impossible-value"
    DIVISION_BY_ZERO = "division-by-zero"
    # Lint: all of it can be used, and was probably not meant. Warnings only.
    CONSTANT_CONDITION = "constant-condition"
    OVERRIDDEN_RESTRICTION = "overridden-restriction"
    UNREACHABLE_PRICE = "unreachable-price"
    DEAR_CHARGE = "dear-charge"
    FALLING_PRICES = "falling-prices"
    PINNED_INCIDENT = "pinned-incident"
    UNRESOLVED_REFERENCE = "unresolved-reference"
    UNUSED_FIELD = "unused-field"
    UNUSED_MEASURE = "unused-measure"
    NO_TESTS = "no-tests"
    MISSING_WHY = "missing-why"
    UNUSED_ALLOW = "unused-allow"
    BAD_ALLOW = "bad-allow"
    SCHEMA_LINE = "schema-line"
    # Runs: a run that cannot be scored.
    WRONG_SCENARIO = "wrong-scenario"
    UNKNOWN_PERSON = "unknown-person"
    UNEXPECTED_EVENT = "unexpected-event"
    BAD_TIME = "bad-time"
    TIME_ORDER = "time-order"
    MIXED_TIMES = "mixed-times"
    NO_TIMEZONE = "no-timezone"
    MISSING_VALUE = "missing-value"
    PINNED_MISMATCH = "pinned-mismatch"
    DATA_MISMATCH = "data-mismatch"
    RESULT_TOO_LARGE = "result-too-large"
    # Live ledgers: a ledger that cannot do what was asked of it.
    LEDGER_CLOSED = "ledger-closed"
    LEDGER_OPEN = "ledger-open"
    LEDGER_IN_USE = "ledger-in-use"
    LEDGER_MISMATCH = "ledger-mismatch"
    LEDGER_DAMAGED = "ledger-damaged"
    LEDGER_UNSAVED = "ledger-unsaved"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file: lines and columns count characters from 1; the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding."""

    code: Code
    severity: Severity
    message: str
    span: Span | None = None
    path: Path = ()
    hint: str | None = None
    """What to do about it, where that can be said."""

    def __post_init__(self) -> None:
        # A name in it may be as long as its author liked, and hold what moves a terminal's cursor.
        for words in ("message", "hint"):
            text = getattr(self, words)
            if text is None or (len(text) <= _LONGEST_MESSAGE and text.isprintable()):
                continue
            shown = "".join(each if each.isprintable() else "�" for each in text[:_LONGEST_MESSAGE])
            object.__setattr__(self, words, shown if len(text) <= _LONGEST_MESSAGE else f"{shown}...")


_LONGEST_MESSAGE: Final = 1_000


class RulesetError(Exception):
    """A ruleset that cannot be loaded; carries every finding of the stage that stopped it."""

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = in_order(diagnostics)
        self.sources: Mapping[str, str] = sources or {}
        """The texts by file name, for excerpts, as far as they could be read."""
        super().__init__(self.diagnostics, self.sources)

    @classmethod
    def joined(cls, errors: Iterable[RulesetError]) -> RulesetError:
        """One error that carries the findings of many."""
        errors = list(errors)
        sources = {name: text for error in errors for name, text in error.sources.items()}
        return cls([each for error in errors for each in error.diagnostics], sources)

    def __str__(self) -> str:
        return "\n".join(
            render(each, self.sources.get(each.span.file, "") if each.span else "") for each in self.diagnostics
        )


class RunError(Exception):
    """A run that cannot be scored: its id where known, the place, what was found and wanted."""

    def __init__(
        self, code: Code, message: str, *, path: str = "$", hint: str | None = None, run: str | None = None
    ) -> None:
        self.code = code
        self.message = message
        self.path = path
        """JSON path into the run: `$.events[0].to`."""
        self.hint = hint
        self.run = run
        super().__init__(code, message, path, hint, run)

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments do not survive the default pickling of exceptions.
        return _run_error, (self.code, self.message, self.path, self.hint, self.run)

    def __str__(self) -> str:
        who = f"run {self.run!r}: " if self.run is not None else ""
        hint = f" (hint: {self.hint})" if self.hint else ""
        return f"{who}{self.path}: error[{self.code}]: {self.message}{hint}"


def _run_error(code: Code, message: str, path: str, hint: str | None, run: str | None) -> RunError:
    return RunError(code, message, path=path, hint=hint, run=run)


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings sorted by place, each once."""
    return tuple(sorted(dict.fromkeys(diagnostics), key=_place))


def _place(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    span = diagnostic.span
    if span is None:
        return "", 0, 0, diagnostic.code, diagnostic.message
    return span.file, span.line, span.column, diagnostic.code, diagnostic.message


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any of the findings is an error."""
    return any(each.severity is Severity.ERROR for each in diagnostics)


def dotted(path: Path) -> str:
    """A path in the words of a ruleset's author: `contacts.restrictions[0].when`."""
    out = ""
    for step in path:
        out += f"[{step}]" if isinstance(step, int) else f".{step}" if out else step
    return out


def json_path(path: Path) -> str:
    """A path into a run, in JSON path notation: `$.events[0].to`."""
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)


MAX_FINDINGS: Final = 1_000
"""After so many findings a stage stops: nobody mends more at once, and a hostile text has no end of them."""

_MOST_COMPARED: Final = 100
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/. "


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` was most likely meant to be, if one is near.

    Of more than a hundred known words, only one that is a single slip away: each comparison takes its time.
    """
    words = known if isinstance(known, Set | Mapping) else list(known)
    if len(words) > _MOST_COMPARED:
        among = frozenset(words) if isinstance(words, list) else words
        return next((slip for slip in _slips(word[:40]) if slip in among), None)
    found = difflib.get_close_matches(word[:80], list(words), n=1, cutoff=0.6)
    return found[0] if found else None


def _slips(word: str) -> Iterator[str]:
    """What the word becomes by two letters swapped, or one left out, replaced or put in."""
    halves = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    yield from (before + after[1] + after[0] + after[2:] for before, after in halves if len(after) > 1)
    yield from (before + after[1:] for before, after in halves if after)
    yield from (before + letter + after[1:] for before, after in halves if after for letter in _LETTERS)
    yield from (before + letter + after for before, after in halves for letter in _LETTERS)


_WIDEST_EXCERPT: Final = 100


def render(diagnostic: Diagnostic, source: str = "") -> str:
    """The finding as people read it: place, code, message, excerpt with caret, hint."""
    head = f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"
    span = diagnostic.span
    place = f"{span.file}:{span.line}:{span.column}: " if span else ""
    lines = [place + head, *(_excerpt(span, source) if span else ())]
    if diagnostic.hint:
        lines.append(f"  hint: {diagnostic.hint}")
    return "\n".join(lines)


@lru_cache(maxsize=1)
def _rows(source: str) -> list[str]:
    # Kept from one finding to the next: to split a long file for each of a thousand would be slow.
    return source.split("\n")


def _excerpt(span: Span, source: str) -> list[str]:
    rows = _rows(source)
    if not source or span.line > len(rows):
        return []
    row = rows[span.line - 1].rstrip("\r")
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(row.rstrip())
    # A very long line is shown around the place only.
    shift = max(0, start - _WIDEST_EXCERPT // 2) if len(row) > _WIDEST_EXCERPT else 0
    shown = row[shift : shift + _WIDEST_EXCERPT]
    width = max(1, min(end, shift + _WIDEST_EXCERPT) - start)
    # The caret line repeats tabs, so that it stays under the place however wide tabs are shown.
    indent = "".join("\t" if character == "\t" else " " for character in row[shift:start])
    number = str(span.line)
    printable = "".join(character if character.isprintable() or character == "\t" else "�" for character in shown)
    return [f"  {number:>3} | {printable}", f"  {'':>{max(3, len(number))}} | {indent}^{'~' * (width - 1)}"]
