"""Recorded costs and KPI values -> the figures that the harness itself writes, to the last bit.

The one place where floats calculate, and rightly so: it repeats another program's arithmetic, in that program's order,
with the roundings it makes on the way. Nothing here feeds a score; the audit sets its figures beside ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from outscore.numbers import Number

PLACES: Final = 4
"""Decimals that it rounds to: half to even, on the binary value, as Python does."""

PASS_MARK: Final = 0.8
"""From which rounded net its site calls a run solved."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What it writes into result.json, and its site's verdict."""

    uplift_bounded: float
    uplift: float
    uplift_net: float
    contact_cost: float
    passes: bool


def double(number: Number) -> int | float:
    """A number as Python's JSON reader gives it to the harness: whole ones stay whole."""
    return number if isinstance(number, int) else float(number)


def summed(costs: Iterable[Number]) -> float:
    """The recorded costs added from left to right; float noise gathers here."""
    total = 0.0
    for cost in costs:
        total += double(cost)
    return total


def contact_cost(costs: Iterable[Number]) -> float:
    """A run's contact cost: the sum, then one rounding."""
    return round(summed(costs), PLACES)


def wait_cost(price_per_day: Number, hours: float) -> float:
    """One wait's cost, rounded by itself."""
    return round(float(price_per_day) * hours / 24.0, PLACES)


def raw_uplift(baseline: Number, delivered: Number, reference: Number) -> float:
    """The uplift before it is rounded; 0 where reference and baseline are equal."""
    span = double(reference) - double(baseline)
    return (double(delivered) - double(baseline)) / span if span else 0.0


def grade(
    baseline: Number, delivered: Number, reference: Number, costs: Iterable[Number], *, has_incident: bool
) -> Figures:
    """A run's figures, in the harness's order: the uplift is rounded before incidents, the net after everything."""
    before = round(raw_uplift(baseline, delivered, reference), PLACES)
    bounded = max(-1.0, before)
    uplift = min(before, 0.0) if has_incident else before
    cost = contact_cost(costs)
    net = round(uplift - cost, PLACES)
    return Figures(bounded, uplift, net, cost, passes=net >= PASS_MARK and not has_incident)
