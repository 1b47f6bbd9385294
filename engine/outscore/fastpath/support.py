"""What the generated source calls, and the bounds within which it stays.

Nothing here has words for a bad run: whatever is not proven clean raises, and the general path judges the run anew.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from outscore.numbers import take_number

SCALE: Final = 10**4
"""Integers per unit of a number that an event carries: four decimals."""

KPI_SCALE: Final = 10**6
"""Integers per unit of a measure or KPI: six decimals."""

BOUND: Final = 10**15
"""Scaled numbers stay below this; what is larger takes the general path."""

MOST_QUANTA: Final = 10**30
"""Past this the common denominator no longer follows factors; what it cannot hold takes the general path."""


class Unproven(Exception):  # noqa: N818  (no error: the general path takes over)
    """The fast path cannot prove that it has this run right."""


def start() -> list[Any]:
    """The counts at the start of a run: asked by person, contacts, trials, waits, hours, first, last, offsets."""
    return [{}, 0, 0, 0, 0, -1, -1, None]


def absent() -> Any:
    """Stands where a rule would read what an event does not carry."""
    raise Unproven


def exact(value: object) -> Fraction:
    """A measure that no scale holds, as the decimal that was written; raises NumberError for what is no number."""
    return Fraction(take_number(value))


def scaled(value: object, scale: int) -> int:
    """A number that is neither an int nor a float, as an integer over the scale; raises Unproven and NumberError."""
    ratio = exact(value) * scale
    if ratio.denominator != 1:
        raise Unproven
    return ratio.numerator


def is_unicode(text: str) -> bool:
    """Whether the text is free of halves of surrogate pairs, which cannot be written out again."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def quanta_of(value: Fraction, quanta: int) -> int:
    """A charge in quanta; raises Unproven where they cannot hold it."""
    whole, rest = divmod(value.numerator * quanta, value.denominator)
    if rest:
        raise Unproven
    return whole
