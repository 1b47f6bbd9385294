"""Outcomes -> a summary: how many runs of each fate, and their averages, over all and by agent.

Averages are over task-runs: each scored run counts once. They take the floored score; no run's own score or verdict is
touched. Sums are exact; a mean leaves exactness only as the nearest double.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

from outscore.batch import BadRun, Outcome
from outscore.numbers import nearest_double
from outscore.run import Void
from outscore.score import Score

Shown = TypeVar("Shown", float, str)


class Sum:
    """An exact sum of many ratios, kept by denominator, so that adding one costs next to nothing.

    The exact sum of many denominators has as many digits as all of them, and takes long; so a lower bound is kept
    beside it, in fixed point and less than one unit a ratio below. What both ends of the bounds agree on is exact.
    """

    __slots__ = ("_by_denominator", "_lower", "_parts")

    _UNITS = 2**256

    def __init__(self) -> None:
        self._by_denominator: dict[int, int] = {}
        self._lower = 0
        self._parts = 0

    def add(self, numerator: int, denominator: int) -> None:
        """Add one ratio."""
        self._by_denominator[denominator] = self._by_denominator.get(denominator, 0) + numerator
        self._lower += numerator * self._UNITS // denominator
        self._parts += 1

    def mean(self, shown: Callable[[Fraction], Shown]) -> Shown:
        """The mean of the ratios as a monotonous function shows it: the nearest double, or decimals cut short."""
        units = self._UNITS * self._parts
        lower, upper = shown(Fraction(self._lower, units)), shown(Fraction(self._lower + self._parts, units))
        return lower if lower == upper else shown(self.value() / self._parts)

    def value(self) -> Fraction:
        """The sum."""
        return Fraction(*self.ratio())

    def ratio(self) -> tuple[int, int]:
        """The sum as a numerator over a denominator, not reduced, which for very many terms takes longest."""
        ratios = [(numerator, denominator) for denominator, numerator in self._by_denominator.items()] or [(0, 1)]
        # Pairwise, so that the large numbers meet only at the end.
        while len(ratios) > 1:
            odd = ratios[-1:] if len(ratios) % 2 else []
            pairs = zip(ratios[::2], ratios[1::2], strict=False)
            ratios = [(a * d + c * b, b * d) for (a, b), (c, d) in pairs] + odd
        return ratios[0]


class Group:
    """The runs of one agent, or all of them."""

    def __init__(self) -> None:
        self.scored = 0
        self.void = 0
        self.failed = 0
        self.resolved = 0
        self.incidents = 0
        """Runs with an incident."""
        self._floored = Sum()
        self._cost = Sum()

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        if isinstance(outcome, Score):
            self.scored += 1
            self.resolved += outcome.resolved
            self.incidents += bool(outcome.incidents)
            figures = outcome.figures
            self._floored.add(figures.floored_score, figures.score_denominator)
            self._cost.add(figures.contact_cost, figures.cost_denominator)
        elif isinstance(outcome, Void):
            self.void += 1
        else:
            self.failed += 1

    @property
    def mean_floored_score(self) -> Fraction | None:
        """The mean floored score over task-runs; None where nothing was scored."""
        return self._floored.value() / self.scored if self.scored else None

    @property
    def mean_contact_cost(self) -> Fraction | None:
        """The mean contact cost over task-runs; None where nothing was scored."""
        return self._cost.value() / self.scored if self.scored else None

    def means(self, shown: Callable[[Fraction], Shown]) -> dict[str, Shown | None]:
        """The means as a monotonous function shows them; None where nothing was scored."""
        sums = {"mean_floored_score": self._floored, "mean_contact_cost": self._cost}
        return {name: each.mean(shown) if self.scored else None for name, each in sums.items()}

    def to_record(self, planned: int | None = None) -> dict[str, Any]:
        """The group as plain data."""
        record: dict[str, Any] = {} if planned is None else {"planned": planned, "missing": max(planned - self.seen, 0)}
        record |= {"scored": self.scored, "void": self.void, "failed": self.failed}
        record |= {"resolved": self.resolved, "incidents": self.incidents}
        return record | self.means(lambda mean: nearest_double(mean.numerator, mean.denominator))

    @property
    def seen(self) -> int:
        """Runs of any fate."""
        return self.scored + self.void + self.failed


class Summary:
    """What became of all runs, and of each agent's."""

    def __init__(self, planned: int | None = None) -> None:
        self.planned = planned
        """How many runs were planned, where that is known."""
        self.all = Group()
        self.by_agent: dict[str | None, Group] = {}
        """By agent, None for runs that name none."""
        self.repeated = 0
        """Outcomes of runs that there was one of before; they count like any other, in averages too."""

    def add(self, outcome: Outcome, *, is_repeated: bool = False) -> None:
        """Count one outcome; whether there was one of its run before is for the caller to know."""
        self.repeated += is_repeated
        self.all.add(outcome)
        self.by_agent.setdefault(getattr(outcome, "agent", None), Group()).add(outcome)

    def agents(self) -> list[tuple[str | None, Group]]:
        """The groups by agent in order of name, the nameless last."""
        return sorted(self.by_agent.items(), key=lambda each: (each[0] is None, each[0] or ""))

    def to_record(self) -> dict[str, Any]:
        """The summary as plain data."""
        agents = [{"agent": agent, **group.to_record()} for agent, group in self.agents()]
        return {"all": self.all.to_record(self.planned), "by_agent": agents, "repeated": self.repeated}


def aggregate(outcomes: Iterable[Outcome], planned: int | None = None) -> Summary:
    """Sum up outcomes; `planned` is how many runs there should be, where that is known."""
    summary = Summary(planned)
    seen: set[str] = set()
    for outcome in outcomes:
        run = outcome.error.run if isinstance(outcome, BadRun) else outcome.run
        summary.add(outcome, is_repeated=run in seen)
        if run is not None:
            seen.add(run)
    return summary
