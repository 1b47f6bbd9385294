"""Exact figures and who was paid what -> the bars that lead from the uplift to the score.

Draws nothing, and computes nothing but differences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from outscore.account import Charge
from outscore.score import Exact

TRIALS: Final = "trials"
WAITS: Final = "waits"
NOT_ITEMISED: Final = "not itemised"
"""What a score charges beyond its account; only results that were stripped of theirs have it."""

Payee = tuple[str, str]
"""The events' type, and whom or what was paid: a person, trials, waits."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a waterfall."""

    label: str
    start: Fraction
    end: Fraction
    is_total: bool = False
    """Whether it stands for a sum, from zero, and not for a change."""


def payee(type_: str, to: str | None) -> Payee:
    """Whom a charge goes to."""
    if type_ == "contact":
        return type_, to or ""
    return type_, {"trial": TRIALS, "wait": WAITS}.get(type_, type_)


def paid(charges: Iterable[Charge]) -> dict[Payee, Fraction]:
    """What each was paid, in order of the first charge; who only had free events is left out."""
    found: dict[Payee, Fraction] = {}
    for charge in charges:
        if charge.amount:
            whom = payee(charge.type, charge.to)
            found[whom] = found.get(whom, Fraction(0)) + charge.amount
    return found


def bars(exact: Exact, costs: Mapping[Payee, Fraction], incidents: Iterable[str]) -> tuple[Bar, ...]:
    """The bars: the uplift, an incident's effect, each charge, the score."""
    made = [Bar("uplift", Fraction(0), exact.uplift, is_total=True)]
    level = exact.uplift
    if tuple(incidents):
        made.append(Bar("incident", level, exact.adjusted_uplift))
        level = exact.adjusted_uplift
    for (_, name), cost in costs.items():
        made.append(Bar(name, level, level - cost))
        level -= cost
    if level != exact.score:
        made.append(Bar(NOT_ITEMISED, level, exact.score))
    return (*made, Bar("score", Fraction(0), exact.score, is_total=True))
