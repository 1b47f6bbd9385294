"""Files that `outscore score` wrote -> results: scored, void and failed runs, each with its place.

Reads JSON Lines and JSON. Figures come from the exact fractions, never from the doubles beside them, and a result that
contradicts itself is refused. Sums nothing up, and leaves duplicates and mixed rules to those who do.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, BinaryIO, Final, Literal

import msgspec

from outscore.alike import PLACES_TOLD, Findings, listed_places
from outscore.diagnostics import Code, Diagnostic, Severity, Span, in_order
from outscore.formula import FLOOR, RESOLVED_AT
from outscore.score import Exact

STDIN: Final = "-"
"""The path that stands for standard input."""

MAX_FINDINGS: Final = 20
"""Findings that an error carries; of more it says how many there are."""

Fate = Literal["scored", "void", "failed"]
Progress = Callable[[str, int], None]
"""Called with a file's name and the bytes of it that were read since the last call."""


class ResultsError(Exception):
    """Results that cannot be read, or may not be put together; carries what was found, of very much the beginning."""

    def __init__(self, diagnostics: Iterable[Diagnostic], more: int = 0) -> None:
        found = list(dict.fromkeys(diagnostics))
        self.diagnostics: tuple[Diagnostic, ...] = in_order(found[:MAX_FINDINGS])
        self.more = more + max(0, len(found) - MAX_FINDINGS)
        """How many findings there are besides."""
        super().__init__(self.diagnostics, self.more)

    def __str__(self) -> str:
        lines = [f"{place_text(each.span)}: {each.message}" for each in self.diagnostics]
        return "\n".join(lines + [f"and {self.more} more"] * bool(self.more))


class Result(msgspec.Struct, frozen=True):
    """One line of results, read back."""

    run: str | None
    """None for a failed run whose id could not be read."""
    scenario: str | None
    task: str | None
    agent: str | None
    fate: Fate
    file: str
    line: int
    figures: Exact | None = None
    """The exact figures of a scored run."""
    resolved: bool = False
    incidents: tuple[str, ...] = ()
    ruleset: str | None = None
    engine: str | None = None
    why: str | None = None
    """Why the run is void, or failed."""
    source: bytes = b""
    """The result's JSON as it was written, where that was asked for."""

    @property
    def place(self) -> str:
        """`scores.jsonl:12`."""
        return f"{self.file}:{self.line}"

    def is_same(self, other: Result) -> bool:
        """Whether the two say the same, wherever they stand."""
        return msgspec.structs.replace(self, file="", line=0, source=b"") == msgspec.structs.replace(
            other, file="", line=0, source=b""
        )


def place_text(span: Span | None) -> str:
    """`scores.jsonl:12`, without a column."""
    return f"{span.file}:{span.line}" if span else "<results>"


def finding(code: Code, file: str, line: int, message: str, hint: str | None = None) -> Diagnostic:
    """A finding about the line of a file."""
    return Diagnostic(code, Severity.ERROR, message, Span(file, line, 1, line, 1), hint=hint)


def read_results(
    paths: Iterable[str],
    *,
    stdin: BinaryIO | None = None,
    keep_source: bool = False,
    progress: Progress | None = None,
) -> list[Result]:
    """Read files of results, in order.

    Raises ResultsError with what cannot be read, and OSError.
    """
    results: list[Result] = []
    findings = Findings()
    for path in paths:
        results += _read_file(path, stdin, keep_source, progress, findings)
    if findings:
        raise ResultsError(findings.told())
    return results


def records_of(path: str, stdin: BinaryIO | None = None) -> Iterator[tuple[int, bytes | Diagnostic]]:
    """The JSON texts of a file's records, each with its line, from 1; or what is wrong with the file.

    A document of results (`{"runs": [...]}`), a JSON list, or JSON Lines, told apart by how the file begins.
    """
    name = "<stdin>" if path == STDIN else path
    if path == STDIN and stdin is not None:
        yield from _records(stdin, name)
        return
    with open(path, "rb") as file:
        yield from _records(file, name)


# What a document of results, or a list, begins with; JSON Lines begin with the object of one run.
_DOCUMENT: Final = re.compile(rb'\s*(?:\{\s*"(?:runs|summary)"\s*:|\[)')


def _records(file: BinaryIO, name: str) -> Iterator[tuple[int, bytes | Diagnostic]]:
    first = file.readline().removeprefix(b"\xef\xbb\xbf")
    if _DOCUMENT.match(first) or (first.strip() in (b"{", b"[")):
        yield from _document(first + file.read(), name)
        return
    line, number = first, 1
    while line:
        if not line.isspace():
            yield number, line
        line = file.readline()
        number += 1


def _document(text: bytes, name: str) -> Iterator[tuple[int, bytes | Diagnostic]]:
    try:
        found: Any = msgspec.json.decode(text, type=list[msgspec.Raw] if text.lstrip()[:1] == b"[" else _Document)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        hint = "results are written by `outscore score --format jsonl` or `--format json`"
        yield 1, finding(Code.SYNTAX, name, 1, f"not a document of results: {error}", hint)
        return
    position, line = 0, 1
    for raw in found if isinstance(found, list) else found.runs:
        record = bytes(raw)
        # They stand in this order, so each is the next one that reads so.
        start = text.find(record, position)
        line += text.count(b"\n", position, start)
        line, position = line + record.count(b"\n"), start + len(record)
        yield line - record.count(b"\n"), record


def holds_runs(path: str) -> bool:
    """Whether a file's first record that shows it is a run's, or a live ledger's, and no result's.

    Void runs may look the same in both.
    """
    for _, record in records_of(path):
        try:
            keys = msgspec.json.decode(record, type=dict[str, msgspec.Raw]) if isinstance(record, bytes) else {}
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if not {"kpi", "events", "outscore_ledger"}.isdisjoint(keys):
            return True
        if "void" not in keys:
            return False
    return False


class _Document(msgspec.Struct):
    runs: list[msgspec.Raw]


class _ExactTexts(msgspec.Struct):
    uplift: str
    adjusted_uplift: str
    contact_cost: str
    score: str
    floored_score: str


class _Line(msgspec.Struct):
    """What is read of a line; the account is passed over."""

    run: str | None = None
    scenario: str | None = None
    task: str | None = None
    agent: str | None = None
    exact: _ExactTexts | None = None
    uplift: float | None = None
    adjusted_uplift: float | None = None
    contact_cost: float | None = None
    score: float | None = None
    floored_score: float | None = None
    resolved: bool | None = None
    incidents: list[str] = []
    ruleset: str | None = None
    engine: str | None = None
    void: str | None = None
    error: dict[str, Any] | None = None
    kpi: Any = None
    events: Any = None


_DECODER: Final = msgspec.json.Decoder(_Line)
_FIGURES: Final = Exact.__struct_fields__
_LONGEST_INT: Final = 600
_EXACT: Final = re.compile(r"-?[0-9]+(?:/[1-9][0-9]*)?")


class _BadResultError(Exception):
    """A line that is no result; `words` say what is wrong with several such lines, `detail` what with this one."""

    def __init__(self, code: Code, message: str, words: str, hint: str | None = None, detail: str = "") -> None:
        self.code, self.message, self.words, self.hint, self.detail = code, message, words, hint, detail
        super().__init__(message)


class _RunInsteadError(_BadResultError):
    """A line that is a run, and not what became of it."""


def _read_file(
    path: str, stdin: BinaryIO | None, keep_source: bool, progress: Progress | None, findings: Findings
) -> Iterator[Result]:
    name = "<stdin>" if path == STDIN else path
    runs: list[int] = []
    fates: Counter[Fate] = Counter()
    for line, record in records_of(path, stdin):
        if isinstance(record, Diagnostic):
            findings.add(record, record.message, f"line {line}")
            continue
        if progress is not None:
            progress(name, len(record))
        try:
            result = read_result(record, name, line, keep_source=keep_source)
        except _RunInsteadError:
            runs.append(line)
            continue
        except _BadResultError as error:
            place = f"line {line} ({error.detail})" if error.detail else f"line {line}"
            one = finding(error.code, name, line, error.message, error.hint)
            findings.add(one, f"lines of {name} {error.words}", place)
            continue
        fates[result.fate] += 1
        yield result
    if runs:
        message = _runs_instead(name, runs, fates)
        findings.add(finding(Code.WRONG_TYPE, name, runs[0], message, _SCORE_FIRST), message, "")


_SCORE_FIRST: Final = "score it first: outscore score RULESET RUNS --format jsonl"


def _runs_instead(name: str, runs: list[int], fates: Counter[Fate]) -> str:
    """What a file is that has runs in place of results, by the lines of its runs and the fates of its results."""
    if fates["scored"] or fates["failed"]:
        if len(runs) == 1:
            return "this is a run, not a run's score; other lines are"
        places = listed_places([f"line {line}" for line in runs[:PLACES_TOLD]], len(runs))
        return f"{len(runs)} lines of {name} are runs, not runs' scores: {places}"
    if len(runs) == 1 and not fates:
        return "this is a run, not a run's score"
    void = f", and {fates['void']} void" if fates["void"] else ""
    return f"{name} is a file of runs, not of runs' scores: {len(runs)} run{'s' * (len(runs) > 1)}{void}"


def read_result(record: bytes, file: str, line: int, *, keep_source: bool = False) -> Result:
    """Read one result's JSON; what is wrong with it comes as an exception that `read_results` gives a place."""
    try:
        found = _DECODER.decode(record)
    except msgspec.ValidationError as error:
        raise _BadResultError(Code.WRONG_TYPE, f"not a result: {error}", "are not results", detail=str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = "results are written by `outscore score --format jsonl` or `--format json`"
        raise _BadResultError(Code.SYNTAX, f"not JSON: {error}", "are not JSON", hint, str(error)) from None
    source = record.strip() if keep_source else b""
    # The task of a run that names none is its scenario, as in scoring.
    names = (found.run, _same(found.scenario), _same(found.task or found.scenario), _same(found.agent))
    if found.exact is not None:
        return _scored(found, names, file, line, source)
    if found.error is not None:
        why = f"{found.error.get('code', 'error')}: {found.error.get('message', '')}"
        return Result(*names, "failed", file, line, why=why, source=source)
    if found.kpi is not None or found.events is not None:
        raise _RunInsteadError(Code.WRONG_TYPE, "this is a run, not a run's score", "are runs", _SCORE_FIRST)
    if found.void is not None:
        if found.run is None:
            raise _BadResultError(Code.MISSING_KEY, "the key 'run' is missing", "have no key 'run'")
        return Result(*names, "void", file, line, why=found.void, source=source)
    hint = "results are written by `outscore score --format jsonl` or `--format json`"
    message = "not a result: it has no 'exact' figures, no 'void' and no 'error'"
    words = "are not results: they have no 'exact' figures, no 'void' and no 'error'"
    raise _BadResultError(Code.MISSING_KEY, message, words, hint)


def _same(text: str | None) -> str | None:
    # A million results share a few names.
    return None if text is None else sys.intern(text)


def _scored(
    found: _Line, names: tuple[str | None, str | None, str | None, str | None], file: str, line: int, source: bytes
) -> Result:
    needed = {"run": found.run, "scenario": found.scenario, "resolved": found.resolved}
    needed |= {"ruleset": found.ruleset, "engine": found.engine}
    for key, value in needed.items():
        if value is None:
            words = f"are not scores: they have no key {key!r}"
            raise _BadResultError(Code.MISSING_KEY, f"not a score: the key {key!r} is missing", words)
    assert found.exact is not None
    figures = Exact(*(_fraction(getattr(found.exact, name), name) for name in _FIGURES))
    _check(found, figures)
    return Result(
        *names,
        "scored",
        file,
        line,
        figures,
        bool(found.resolved),
        tuple(map(sys.intern, found.incidents)),
        _same(found.ruleset),
        _same(found.engine),
        source=source,
    )


def _fraction(text: str, name: str) -> Fraction:
    if _EXACT.fullmatch(text) is None:
        message = f"exact.{name} is {text[:60]!r}; wanted a fraction like '4/5'"
        words = f"have an exact.{name} that is no fraction like '4/5'"
        raise _BadResultError(Code.BAD_NUMBER, message, words, detail=repr(text[:60]))
    numerator, _, denominator = text.partition("/")
    if len(text) > _LONGEST_INT:
        # Python reads no int of more digits; Decimal reads them all.
        return Fraction(int(Decimal(numerator)), int(Decimal(denominator or 1)))
    return Fraction(int(numerator), int(denominator or 1))


def _check(found: _Line, figures: Exact) -> None:
    """Hold a score against the formula and its own doubles: what was cut, edited or mixed up shows here."""
    adjusted, cost = figures.adjusted_uplift, figures.contact_cost
    faults = {
        "adjusted_uplift": adjusted != (min(figures.uplift, Fraction(0)) if found.incidents else figures.uplift),
        "score": figures.score != adjusted - cost,
        "floored_score": figures.floored_score != max(adjusted, FLOOR) - cost,
        "resolved": found.resolved != (figures.score >= RESOLVED_AT and not found.incidents),
    }
    hint = "it was not written by outscore, or was changed since; score the run again"
    for name, is_fault in faults.items():
        if is_fault:
            message = f"{name!r} does not follow from the result's other figures"
            words = f"have a {name!r} that does not follow from the result's other figures"
            raise _BadResultError(Code.CONFLICT, message, words, hint)
    for name in _FIGURES:
        double, exact = getattr(found, name), getattr(figures, name)
        if double is not None and double != _double(exact):
            message = f"{name!r} is {double!r}, but exact.{name} is {exact}"
            words = f"have a {name!r} that is not their exact.{name}"
            raise _BadResultError(Code.CONFLICT, message, words, hint, f"{double!r}, but {exact}"[:120])


def _double(value: Fraction) -> float | None:
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return None
