"""KPI values, incidents and charges -> uplift, score, verdict: the fixed core, which no ruleset can change.

    U     = (D - B) / (R - B)
    U_adj = min(U, 0) if an incident happened, else U
    S     = U_adj - C
    resolved = S >= 0.8 and no incident
    floored score = max(U_adj, -1) - C, for averages only

Everything is done on integers: a ratio is a numerator over a positive denominator, not reduced.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import msgspec

RESOLVED_AT: Final = Fraction(4, 5)
"""The score from which a run without incident is resolved."""

FLOOR: Final = Fraction(-1)
"""The least adjusted uplift that averages take from a run."""


class Figures(msgspec.Struct, frozen=True):
    """A run's results as exact ratios: each numerator stands over its denominator, which is positive."""

    uplift: int
    adjusted_uplift: int
    uplift_denominator: int
    contact_cost: int
    cost_denominator: int
    score: int
    floored_score: int
    score_denominator: int
    resolved: bool


def is_improvement(baseline: Fraction | int, reference: Fraction | int, direction: str) -> bool:
    """Whether the reference is better than the baseline in the declared direction, strictly."""
    return reference > baseline if direction == "higher" else reference < baseline


def judge(gain: int, span: int, incident: bool, cost: int, quanta: int) -> Figures:
    """Apply the formula.

    gain / span is the uplift: D - B and R - B in one common unit, span not zero.
    cost / quanta is the contact cost, quanta positive.
    """
    if span < 0:
        gain, span = -gain, -span
    adjusted = gain if gain < 0 or not incident else 0
    # -1 is -span over span.
    floored = adjusted if adjusted > -span else -span
    off = cost * span
    score = adjusted * quanta - off
    # Mostly the floor does nothing, and then the two are one and the same number.
    floored_score = score if floored is adjusted else floored * quanta - off
    denominator = span * quanta
    # score / denominator >= 4 / 5, cross-multiplied.
    resolved = not incident and 5 * score >= 4 * denominator
    return Figures(gain, adjusted, span, cost, quanta, score, floored_score, denominator, resolved)
