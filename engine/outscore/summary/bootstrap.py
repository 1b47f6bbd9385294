"""A sample's clusters and strata -> standard errors and intervals by resampling, the same ones everywhere.

Tasks are drawn anew within their stratum, n - 1 of its n with replacement, and weighted by n / (n - 1): the rescaled
bootstrap of Rao and Wu, whose variance is right however few tasks a scenario has. The interval is the mean and
Student's t times the resamples' standard deviation.

INVARIANT: nothing here depends on the platform. Draws come from PCG64's raw stream, which numpy keeps as it is, and
not from methods of Generator, which it may change. Sums are of whole numbers, or running ones (`cumsum`), never numpy's
pairwise `sum` or a dot product of floats, whose order and fusing differ from machine to machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import fsum, isfinite, ldexp, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit  # type: ignore[import-untyped, unused-ignore]

from outscore.summary.sample import TRIM, Ranked, Ratio, is_still, scaled
from outscore.summary.statistic import Resampling

Progress = Callable[[int], None]
"""Called with how many resamples were made since the last call."""

_WORD_BITS: Final = 62
_CELLS_AT_ONCE: Final = 2_000_000
"""Numbers that one step holds; results do not depend on it."""

_NOISE: Final = 1e-12

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]


def bootstrap_errors(
    strata: Sequence[Sequence[int]],
    ratios: Sequence[Ratio],
    ranked: Sequence[Ranked],
    settings: Resampling,
    progress: Progress | None = None,
) -> tuple[list[float], list[float]]:
    """The standard errors of the means and of the interquartile means; 0 where resampling moves nothing."""
    clusters = sum(len(stratum) for stratum in strata)
    weights = _weights(strata, clusters)
    tables = [_table(ratio, weights, sum(len(stratum) - 1 for stratum in strata)) for ratio in ratios]
    rows = [column for table in tables for column in table[:2]]
    columns = np.array(rows, dtype=np.int64).reshape(len(rows), clusters).T
    orders = [_order(each, weights) for each in ranked]
    means: list[list[float]] = [[] for _ in ratios]
    middles: list[list[float]] = [[] for _ in ranked]
    width = max([clusters, columns.size // max(clusters, 1), *(each.n for each in ranked)])
    stream = np.random.PCG64(settings.seed)
    left = settings.resamples
    while left:
        count = min(left, max(1, _CELLS_AT_ONCE // width))
        counts = _draw(stream, strata, clusters, count)
        sums = (counts @ columns).astype(np.float64)
        for index in range(len(ratios)):
            means[index] += (sums[:, 2 * index] / sums[:, 2 * index + 1]).tolist()
        for index, order in enumerate(orders):
            middles[index] += _middles(counts, *order).tolist()
        left -= count
        if progress is not None:
            progress(count)
    errors = [
        0.0 if is_still(ratio, strata) else ldexp(_deviation(values), table[2])
        for ratio, values, table in zip(ratios, means, tables, strict=True)
    ]
    return errors, [_deviation(values) for values in middles]


def interval(
    value: Fraction, error: float, df: int, level: float, limits: tuple[float, float] | None
) -> tuple[float, float] | None:
    """The mean and Student's t times its error to either side, within its limits; None beyond the doubles."""
    # To six decimals, so that the last bit of another scipy's t changes nothing.
    t = round(float(stdtrit(df, (1 + level) / 2)), 6)
    middle = value.numerator / value.denominator
    low, high = middle - t * error, middle + t * error
    if limits is not None:
        low, high = max(low, limits[0]), min(high, limits[1])
    return (low, high) if isfinite(low) and isfinite(high) else None


def _weights(strata: Sequence[Sequence[int]], clusters: int) -> list[Fraction]:
    """What one draw of each cluster weighs."""
    weights = [Fraction(1)] * clusters
    for stratum in strata:
        for cluster in stratum:
            weights[cluster] = Fraction(len(stratum), max(len(stratum) - 1, 1))
    return weights


def _table(ratio: Ratio, weights: list[Fraction], draws: int) -> tuple[list[int], list[int], int]:
    """Weighted totals and sizes as whole numbers, whose sums over a resample fit a word; and their ratio's scale."""
    totals = [total * weight for total, weight in zip(ratio.totals, weights, strict=True)]
    sizes = [size * weight for size, weight in zip(ratio.sizes, weights, strict=True)]
    above, below = _shift(totals, draws), _shift(sizes, draws)
    return [scaled(each, above) for each in totals], [scaled(each, below) for each in sizes], below - above


def _shift(values: list[Fraction], draws: int) -> int:
    largest = max(map(abs, values), default=Fraction(0))
    if not largest:
        return 0
    bits = largest.numerator.bit_length() - largest.denominator.bit_length() + 1
    return _WORD_BITS - bits - max(draws, 1).bit_length()


def _draw(stream: np.random.PCG64, strata: Sequence[Sequence[int]], clusters: int, count: int) -> _Ints:
    """How often each cluster was drawn, for so many resamples."""
    members = np.array([cluster for stratum in strata for cluster in stratum], dtype=np.int64)
    sizes = [len(stratum) for stratum in strata for _ in range(len(stratum) - 1)]
    starts: list[int] = []
    start = 0
    for stratum in strata:
        starts += [start] * (len(stratum) - 1)
        start += len(stratum)
    raw = stream.random_raw(count * len(sizes)).reshape(count, len(sizes))
    # The upper half of each word, times n, over 2**32: one of n, with a bias below n / 2**32.
    picked = ((raw >> np.uint64(32)) * np.array(sizes, dtype=np.uint64)) >> np.uint64(32)
    drawn = members[picked.astype(np.int64) + np.array(starts, dtype=np.int64)]
    flat = (drawn + np.arange(count, dtype=np.int64)[:, None] * clusters).ravel()
    return np.bincount(flat, minlength=count * clusters).astype(np.int64).reshape(count, clusters)


def _order(ranked: Ranked, weights: list[Fraction]) -> tuple[_Floats, _Ints, _Floats, float]:
    """The values in order, their clusters, their weights, and the part that is left out at either end."""
    values = np.array([value.numerator / value.denominator for value in ranked.values], dtype=np.float64)
    own = np.array([float(weights[cluster]) for cluster in ranked.clusters], dtype=np.float64)
    return values, np.array(ranked.clusters, dtype=np.int64), own, (ranked.n // TRIM) / ranked.n


def _middles(counts: _Ints, values: _Floats, clusters: _Ints, weights: _Floats, part: float) -> _Floats:
    """The interquartile mean of each resample; values weigh what their clusters do."""
    reached = np.cumsum(counts[:, clusters] * weights, axis=1)
    total = reached[:, -1:]
    kept = np.clip(reached, part * total, total - part * total)
    kept = np.diff(kept, axis=1, prepend=part * total)
    result: _Floats = np.cumsum(kept * values, axis=1)[:, -1] / (total - 2 * part * total)[:, 0]
    return result


def _deviation(values: list[float]) -> float:
    """The standard deviation; 0 where all are equal but for their last bits."""
    # Scaled, so that squares of values near either end of the doubles stay within them.
    scale = max(map(abs, values))
    if max(values) - min(values) <= _NOISE * scale:
        return 0.0
    parts = [value / scale for value in values]
    mean = fsum(parts) / len(parts)
    return scale * sqrt(fsum((part - mean) ** 2 for part in parts) / (len(parts) - 1))
