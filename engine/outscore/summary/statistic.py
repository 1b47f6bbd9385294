"""One number with what belongs to it: how many it stands on, how far off it may be, and why something is not known.

Holds values that were computed elsewhere, and turns them into plain data.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import msgspec

from outscore.numbers import nearest_double

DEFAULT_SEED: Final = 20260301
DEFAULT_RESAMPLES: Final = 5000
DEFAULT_LEVEL: Final = 0.95

LONGEST_EXACT: Final = 100
"""Characters past which the exact text of a mean is left out: it would fill pages, and nobody reads it."""


class Resampling(msgspec.Struct, frozen=True):
    """How intervals are made."""

    level: float = DEFAULT_LEVEL
    resamples: int = DEFAULT_RESAMPLES
    seed: int = DEFAULT_SEED

    def to_record(self) -> dict[str, Any]:
        """The settings as plain data, with the method's name."""
        method = "stratified cluster bootstrap (tasks within scenarios), Student's t"
        return {"method": method, "level": self.level, "resamples": self.resamples, "seed": self.seed}


class Statistic(msgspec.Struct, frozen=True):
    """A mean or a rate, exactly, with its uncertainty as far as it is known."""

    value: Fraction | None
    """None where there is nothing to take it of."""
    n: int
    """How many values it is the mean of."""
    standard_error: float | None = None
    interval: tuple[float, float] | None = None
    worst: Fraction | None = None
    """How bad it could be, whatever became of the runs that were not scored; for rates with such runs."""
    best: Fraction | None = None
    """How good it could be."""
    reason: str | None = None
    """Why the value is unknown, or how far off it may be."""

    def to_record(self) -> dict[str, Any]:
        """The statistic as plain data."""
        record: dict[str, Any] = {"value": _double(self.value), "exact": exact_text(self.value), "n": self.n}
        record["standard_error"] = self.standard_error
        record["interval"] = None if self.interval is None else list(self.interval)
        if self.worst is not None:
            record |= {"worst": _double(self.worst), "best": _double(self.best)}
        if self.reason is not None:
            record["reason"] = self.reason
        return record


def _double(value: Fraction | None) -> float | None:
    return None if value is None else nearest_double(value.numerator, value.denominator)


def exact_text(value: Fraction | None) -> str | None:
    """The exact text, where it is short enough to be of use."""
    if value is None or value.numerator.bit_length() + value.denominator.bit_length() > 4 * LONGEST_EXACT:
        return None
    text = str(value)
    return text if len(text) <= LONGEST_EXACT else None
