"""A name of an expression -> what it can hold, as far as that is known before any run.

Wider than the truth in doubt: what a domain leaves out must be impossible. Knows no expressions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Final, NamedTuple

from outscore.expression.names import WEEKDAYS, NameInfo
from outscore.numbers import brief

Point = Fraction | str | bool | None
"""A value that stands for all that a condition cannot tell from it; None: any text that the condition does not name."""


class Domain(NamedTuple):
    """The values a name can have."""

    least: Fraction | None = None
    most: Fraction | None = None
    is_whole: bool = False
    texts: frozenset[str] | None = None
    """All that it can be; None: any text."""
    fixed: Fraction | None = None
    """Its one value, where rulesets pin it."""
    words: str | None = None
    """The limits in words that follow the name; None where it has none."""

    def points(self, type: str, cuts: Collection[Fraction | str]) -> tuple[Point, ...]:
        """Values that stand for all, for conditions that tell them apart by comparing with the cuts alone."""
        if type == "boolean":
            return (False, True)
        if type == "text":
            return self._texts([each for each in cuts if isinstance(each, str)])
        numbers = [each for each in cuts if isinstance(each, Fraction)]
        return tuple(self._whole_numbers(numbers) if self.is_whole else self._numbers(numbers))

    def _texts(self, cuts: Collection[str]) -> tuple[Point, ...]:
        if self.texts is None:
            return (*sorted(cuts), None)
        named = sorted(each for each in cuts if each in self.texts)
        # An empty domain, where nobody is listed, keeps a point, so that nothing is proven from there being none.
        return tuple(named) if 0 < len(self.texts) == len(named) else (*named, None)

    def _whole_numbers(self, cuts: Iterable[Fraction]) -> list[Fraction]:
        # Between two neighbouring cuts all whole numbers are alike: the first after each stands for them.
        near = {step for cut in cuts for step in (ceil(cut) - 1, floor(cut), ceil(cut), floor(cut) + 1)}
        return self._within({*map(Fraction, near), self.least or Fraction(0), self.most or Fraction(0)})

    def _numbers(self, cuts: Iterable[Fraction]) -> list[Fraction]:
        limits = sorted({*cuts, *(each for each in (self.least, self.most) if each is not None)})
        if not limits:
            return [Fraction(0)]
        between = {(a + b) / 2 for a, b in pairwise(limits)}
        return self._within({*limits, *between, limits[0] - 1, limits[-1] + 1})

    def _within(self, numbers: Iterable[Fraction]) -> list[Fraction]:
        return sorted(
            each
            for each in numbers
            if (self.least is None or each >= self.least) and (self.most is None or each <= self.most)
        )


ANY: Final = Domain()


def _from(least: int, most: int | None = None) -> Domain:
    words = f"is a whole number of {least} or more" if most is None else f"is a whole number from {least} to {most}"
    return Domain(Fraction(least), None if most is None else Fraction(most), is_whole=True, words=words)


# No field and no measure can take these names.
_OWN_NAMES: Final = {
    "hour": _from(0, 23),
    "minute": _from(0, 59),
    "day": _from(0),
    "nth": _from(1),
    "nth_overall": _from(1),
    "hours": Domain(Fraction(0), words="is 0 or more"),
}


def domain_of(name: str, info: NameInfo, fixed: Fraction | None = None) -> Domain:
    """What a name of a scope can hold; `fixed` is its one value, where the ruleset pins it."""
    if fixed is not None:
        return Domain(fixed=fixed, words=f"is pinned at {brief(fixed)}")
    if info.type == "text" and info.values is not None and not info.open:
        # Of many people nobody wants the list, and to sort them for each condition would take its time.
        if not 0 < len(info.values) <= _MOST_LISTED:
            return Domain(texts=info.values)
        in_order = WEEKDAYS if info.values == frozenset(WEEKDAYS) else sorted(info.values)
        return Domain(texts=info.values, words=f"is always one of {', '.join(in_order)}")
    return _OWN_NAMES.get(name, ANY) if info.type == "number" else ANY


_MOST_LISTED: Final = 12
