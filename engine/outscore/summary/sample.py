"""Scored results -> clusters and strata, the exact values that are averaged over them, and standard errors.

A cluster is a task (of a scenario): its runs are alike, so tasks and not runs are what was sampled. A stratum is a
scenario. A task's repeats are the runs that one agent made of it. Needs no numpy: all is done on whole numbers, so that
every platform finds the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, isqrt
from typing import Final

import msgspec

from outscore.numbers import nearest_double
from outscore.results import Result
from outscore.summary.tally import Sum

# Bits that a standard error's terms are kept to; what is cut off lies far below a double's last.
_BITS: Final = 160
_NOISE_BITS: Final = 60
"""What differs by less than this many of the last of those bits does not differ."""

_LONGEST_BITS: Final = 4096
"""A mean of very many unlike fractions is kept to so many bits; to reduce it whole could take minutes."""

TRIM: Final = 4
"""The interquartile mean leaves out the lowest and the highest n // 4 of n values."""


class Ratio(msgspec.Struct, frozen=True):
    """A mean as a ratio of totals over clusters: what is summed, and how many values, in each."""

    totals: tuple[Fraction, ...]
    sizes: tuple[int, ...]

    @property
    def n(self) -> int:
        """How many values the mean is of."""
        return sum(self.sizes)

    @property
    def value(self) -> Fraction:
        """The mean."""
        return _mean(self.totals, self.n)


class Ranked(msgspec.Struct, frozen=True):
    """Values in order, each with its cluster, for the interquartile mean."""

    values: tuple[Fraction, ...]
    clusters: tuple[int, ...]

    @property
    def n(self) -> int:
        """How many values there are, those that are left out included."""
        return len(self.values)

    @property
    def value(self) -> Fraction:
        """The interquartile mean."""
        cut = self.n // TRIM
        return _mean(self.values[cut : self.n - cut], self.n - 2 * cut)


class Sample:
    """Scored results, which must come in canonical order, by cluster and cell."""

    def __init__(self, results: Sequence[Result]) -> None:
        self.results = results
        clusters: dict[tuple[str, str], int] = {}
        self._clusters: list[int] = []
        cells: dict[tuple[int, str | None], list[Result]] = {}
        for each in results:
            cluster = clusters.setdefault((each.scenario or "", each.task or ""), len(clusters))
            self._clusters.append(cluster)
            cells.setdefault((cluster, each.agent), []).append(each)
        self.tasks: list[tuple[str, str]] = list(clusters)
        """The clusters: scenario and task."""
        self.cells = cells
        """The repeats: the results of one agent on one task, by cluster and agent."""
        self.strata = strata_of([scenario for scenario, _ in self.tasks])

    def over_runs(self, value: Callable[[Result], Fraction]) -> Ratio:
        """The mean of a value over task-runs: each run counts once."""
        sums = [Sum() for _ in self.tasks]
        sizes = [0] * len(self.tasks)
        for each, cluster in zip(self.results, self._clusters, strict=True):
            term = value(each)
            sums[cluster].add(term.numerator, term.denominator)
            sizes[cluster] += 1
        return Ratio(tuple(each.value() for each in sums), tuple(sizes))

    def over_tasks(self, value: Callable[[list[Result]], Fraction]) -> Ratio:
        """The mean over tasks of a value that is taken of a task's repeats: each task counts once for each agent."""
        sums = [Sum() for _ in self.tasks]
        sizes = [0] * len(self.tasks)
        for (cluster, _), repeats in self.cells.items():
            term = value(repeats)
            sums[cluster].add(term.numerator, term.denominator)
            sizes[cluster] += 1
        return Ratio(tuple(each.value() for each in sums), tuple(sizes))

    def ranked(self, value: Callable[[Result], Fraction]) -> Ranked:
        """A value of every run, in order of size."""
        pairs = sorted(zip(map(value, self.results), self._clusters, strict=True))
        return Ranked(tuple(each for each, _ in pairs), tuple(cluster for _, cluster in pairs))


def mean_of(value: Callable[[Result], Fraction]) -> Callable[[list[Result]], Fraction]:
    """The mean of a value over a task's repeats, exactly."""
    return lambda repeats: _mean([value(each) for each in repeats], len(repeats))


def pass_hat(k: int) -> Callable[[list[Result]], Fraction]:
    """The chance that k of a task's repeats, drawn without putting back, are all resolved."""

    def chance(repeats: list[Result]) -> Fraction:
        return Fraction(comb(sum(each.resolved for each in repeats), k), comb(len(repeats), k))

    return chance


def flip_chance(repeats: list[Result]) -> Fraction:
    """The chance that two different repeats of a task have different verdicts; there must be two."""
    n, resolved = len(repeats), sum(each.resolved for each in repeats)
    return Fraction(resolved * (n - resolved), comb(n, 2))


def strata_of(scenarios: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """The clusters of each stratum, given each cluster's scenario.

    A scenario with one task shows no spread of its own. Such scenarios are put together into one stratum; where there
    is only one of them, it joins the smallest other scenario, of those the first by name. This errs towards wide
    intervals.
    """
    by_scenario: dict[str, list[int]] = {}
    for cluster, scenario in enumerate(scenarios):
        by_scenario.setdefault(scenario, []).append(cluster)
    alone = [cluster for clusters in by_scenario.values() if len(clusters) == 1 for cluster in clusters]
    strata = {name: clusters for name, clusters in sorted(by_scenario.items()) if len(clusters) > 1}
    if len(alone) == 1 and strata:
        smallest = min(strata, key=lambda name: (len(strata[name]), name))
        strata[smallest] = sorted([*strata[smallest], *alone])
        alone = []
    found = [*strata.values(), *([sorted(alone)] if alone else [])]
    return tuple(tuple(clusters) for clusters in found)


def degrees_of_freedom(strata: Sequence[Sequence[int]]) -> int:
    """Clusters less strata."""
    return sum(len(clusters) - 1 for clusters in strata)


def clustered_error(ratio: Ratio) -> float | None:
    """The cluster-robust standard error of the mean, with G/(G - 1) for G clusters; None for fewer than two."""
    count = sum(size > 0 for size in ratio.sizes)
    if count < 2:
        return None
    deviations, shift = _deviations(ratio)
    squares = sum(each * each for each in deviations)
    # The square root of squares * G / (G - 1), then over n * n and the scale.
    root = isqrt((squares * count << 2 * _BITS) // (count - 1))
    error = Fraction(root, ratio.n * ratio.n) / Fraction(2) ** (_BITS + shift)
    return nearest_double(error.numerator, error.denominator)


def is_still(ratio: Ratio, strata: Sequence[Sequence[int]]) -> bool:
    """Whether drawing clusters anew within their strata never moves the mean."""
    deviations, _ = _deviations(ratio)
    return all(len({deviations[cluster] for cluster in stratum}) == 1 for stratum in strata)


def _deviations(ratio: Ratio) -> tuple[list[int], int]:
    """How far each cluster's total lies from what the mean makes of its size; times n and two to the power given."""
    shift = _BITS - max((_bits(total) for total in ratio.totals if total), default=0)
    totals = [scaled(each, shift) for each in ratio.totals]
    n, total = ratio.n, sum(totals)
    found = [own * n - size * total for own, size in zip(totals, ratio.sizes, strict=True)]
    # Equal ones may come out a few last bits apart.
    noise = n << _NOISE_BITS
    return [(each + noise // 2) // noise * noise for each in found], shift


def scaled(value: Fraction, shift: int) -> int:
    """The value times two to the power of `shift`, cut to a whole number."""
    if shift >= 0:
        return (value.numerator << shift) // value.denominator
    return value.numerator // (value.denominator << -shift)


def _bits(value: Fraction) -> int:
    """The power of two that the value lies below, or at most one more."""
    return value.numerator.bit_length() - value.denominator.bit_length() + 1


def _mean(values: Sequence[Fraction], n: int) -> Fraction:
    sums = Sum()
    for each in values:
        sums.add(each.numerator, each.denominator)
    numerator, denominator = sums.ratio()
    excess = denominator.bit_length() - _LONGEST_BITS
    if excess > 0:
        numerator, denominator = (numerator << _LONGEST_BITS) // denominator, 1 << _LONGEST_BITS
    return Fraction(numerator, denominator * n)
