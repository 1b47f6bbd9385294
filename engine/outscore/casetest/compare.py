"""A Score and what was expected of it -> the differences, each with what was wanted and what came out.

Numbers are compared as exact fractions, never as doubles, and shown exactly. Only what was written is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple

from outscore.account import Charge, Step
from outscore.diagnostics import Path
from outscore.numbers import cut, exact_places, text
from outscore.score import Exact, Score


class Difference(NamedTuple):
    """One expectation that did not come out."""

    path: Path
    """Where in the expectations."""
    wanted: str
    got: str


Written = int | Decimal | str
"""An expected number: as a number, or as the text of a fraction."""

_NOTHING: Final = "nothing"


def compare(score: Score, expect: Mapping[str, Any]) -> Iterator[Difference]:
    """Every difference, in the order in which the expectations were written."""
    for key, wanted in expect.items():
        if key in Exact.__struct_fields__:
            yield from _number((key,), wanted, getattr(score.exact, key))
        elif key == "exact":
            for figure, value in wanted.items():
                yield from _number((key, figure), value, getattr(score.exact, figure))
        elif key == "charges":
            yield from _charges(wanted, score)
        elif key == "account":
            yield from _account(wanted, score)
        else:
            got = getattr(score, key)
            yield from _plain((key,), wanted, list(got) if isinstance(got, tuple) else got)


def _number(path: Path, wanted: Written, got: Fraction | None) -> Iterator[Difference]:
    exact = Fraction(wanted)
    if exact != got:
        yield Difference(path, shown(exact), _NOTHING if got is None else shown(got))


def _plain(path: Path, wanted: object, got: object) -> Iterator[Difference]:
    if wanted != got:
        yield Difference(path, _text(wanted), _NOTHING if got is None else _text(got))


def _charges(wanted: Sequence[Written], score: Score) -> Iterator[Difference]:
    amounts = [charge.amount for charge in score.account]
    if len(wanted) != len(amounts):
        expected = [Fraction(each) for each in wanted]
        yield Difference(("charges",), _amounts(expected), _amounts(amounts))
        return
    for position, (each, amount) in enumerate(zip(wanted, amounts, strict=True)):
        yield from _number(("charges", position), each, amount)


def _amounts(amounts: Sequence[Fraction]) -> str:
    noun = "charge" if len(amounts) == 1 else "charges"
    return f"{len(amounts)} {noun} [{', '.join(map(shown, amounts))}]"


def _account(wanted: Sequence[Mapping[str, Any]], score: Score) -> Iterator[Difference]:
    event = 0
    for position, charge in enumerate(wanted):
        path: Path = ("account", position)
        event = int(charge.get("event", event + 1))
        if event > len(score.account):
            at = (*path, "event") if "event" in charge else path
            events = "1 event" if len(score.account) == 1 else f"{len(score.account)} events"
            yield Difference(at, f"event {event}", f"a run of {events}")
            continue
        yield from _charge(path, charge, score.account[event - 1])


def _charge(path: Path, wanted: Mapping[str, Any], got: Charge) -> Iterator[Difference]:
    for key, value in wanted.items():
        at = (*path, key)
        if key in ("hours", "amount"):
            yield from _number(at, value, getattr(got, key))
        elif key == "exact":
            yield from _number(at, value, got.amount)
        elif key == "steps":
            yield from _steps(at, value, got)
        elif key != "event":
            yield from _plain(at, value, getattr(got, key))


def _steps(path: Path, wanted: Sequence[Mapping[str, Any]], got: Charge) -> Iterator[Difference]:
    # No rule has more than one part in a charge.
    taken = {step.rule: step for step in got.steps}
    for position, each in enumerate(wanted):
        step = taken.get(each["rule"])
        if step is None:
            came = f"only {', '.join(taken)}" if taken else f"no steps: {got.free}"
            yield Difference((*path, position, "rule"), each["rule"], came)
            continue
        yield from _step((*path, position), each, step)


def _step(path: Path, wanted: Mapping[str, Any], got: Step) -> Iterator[Difference]:
    for key, value in wanted.items():
        if key == "amount":
            yield from _number((*path, key), value, got.amount)
        elif key != "rule" and (key, Fraction(value)) != (got.kind, got.value):
            wanted_change, got_change = f"{key} {shown(Fraction(value))}", f"{got.kind} {shown(got.value)}"
            yield Difference((*path, key), wanted_change, got_change)


_MOST_PLACES: Final = 40
"""Decimals up to which an exact number is shown in full; as many as a ruleset's numbers may have."""

_CUT_PLACES: Final = 6


def shown(value: Fraction) -> str:
    """The number, exactly: as a decimal where one says it, else as the fraction with its first decimals."""
    places = exact_places(value)
    if places is not None and places <= _MOST_PLACES:
        return cut(value, places)
    return f"{text(value)} ({'-' if value < 0 else ''}{cut(abs(value), _CUT_PLACES)}...)"


def _text(value: object) -> str:
    """A truth value, text or list as it stands in a ruleset."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    return str(value)
