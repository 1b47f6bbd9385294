"""Results -> a summary of all of them, and of each group: counts beside each other, means, rates, verdicts.

Averages take the floored score; no run's own score or verdict is touched. What is not known is None with a reason,
never 0. Whether the results may be summed up at all is for `checks`, which runs first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Final

import msgspec

from outscore.formula import RESOLVED_AT
from outscore.results import Result
from outscore.summary.checks import in_canonical_order, refuse_to_mix, rulesets_of
from outscore.summary.contents import Counts, Dimension, Distance, GroupSummary, Summaries, Verdicts
from outscore.summary.planned import PlannedRun
from outscore.summary.sample import (
    Ranked,
    Ratio,
    Sample,
    clustered_error,
    degrees_of_freedom,
    flip_chance,
    mean_of,
    pass_hat,
)
from outscore.summary.statistic import Resampling, Statistic

MAX_PASS: Final = 10
"""The greatest k that pass^k is given for."""

NOTHING_SCORED: Final = "no run was scored"
NOTHING_SHARED: Final = "no task has a scored run of both agents"
NOT_ASKED: Final = "no interval was asked for"
ONE_RUN: Final = "one run only: nothing shows how far another would lie from it"
ONE_TASK: Final = "one task only: its repeats say nothing of other tasks"
ALL_EQUAL: Final = "every task has the same value: resampling them cannot show how far off it may be"
STILL: Final = "drawing tasks anew within their scenarios never moves it, so that cannot show how far off it may be"
TOO_LARGE: Final = "the interval lies beyond the range of double numbers"

Step = Callable[[str, int], None]
"""Called with a few words and how many resamples were made since the last call."""


def summarize(
    results: Sequence[Result],
    by: Sequence[Dimension] = ("agent",),
    *,
    plan: Mapping[str, PlannedRun] | None = None,
    planned: int | None = None,
    resampling: Resampling | None = None,
    allow_mixed: bool = False,
    step: Step | None = None,
) -> Summaries:
    """Sum up results over all and by group; intervals only with `resampling`, which needs numpy and scipy.

    Raises ResultsError for results that may not be put together.
    """
    refuse_to_mix(results, plan, planned, allow_mixed=allow_mixed)
    ordered = in_canonical_order(results)
    found = {each.run for each in ordered}
    missing = [each for run, each in (plan or {}).items() if run not in found]
    keys = _keys(by)
    everything = counts_of(ordered, plan, missing)
    if planned is not None and plan is None:
        everything = msgspec.structs.replace(everything, planned=planned, missing=planned - everything.total)
    groups = []
    found_keys = {_key(each, keys) for each in ordered} | {_key(each, keys) for each in missing}
    for key in sorted(found_keys, key=_none_last):
        own = [each for each in ordered if _key(each, keys) == key]
        absent = [each for each in missing if _key(each, keys) == key]
        counts = counts_of(own, plan, absent)
        groups.append(_summary(dict(zip(keys, key, strict=True)), own, counts, resampling, step))
    return Summaries(
        by=tuple(by),
        everything=_summary({}, ordered, everything, resampling, step),
        groups=tuple(groups),
        rulesets={scenario: tuple(digests) for scenario, digests in rulesets_of(ordered).items()},
        engines=tuple(sorted({each.engine for each in ordered if each.engine is not None})),
        resampling=resampling,
    )


def _keys(by: Sequence[Dimension]) -> tuple[str, ...]:
    """The attributes that make a group: those asked for, in order, and the scenario before a task."""
    keys: dict[str, None] = {}
    for each in by:
        if each == "task":
            keys["scenario"] = None
        keys[each] = None
    return tuple(keys)


def _key(run: Result | PlannedRun, keys: tuple[str, ...]) -> tuple[str | None, ...]:
    return tuple(getattr(run, key) for key in keys)


def _none_last(key: tuple[str | None, ...]) -> tuple[tuple[bool, str], ...]:
    return tuple((each is None, each or "") for each in key)


def counts_of(
    results: Sequence[Result], plan: Mapping[str, PlannedRun] | None, missing: Sequence[PlannedRun]
) -> Counts:
    """What became of the runs; `missing` are those of the plan that nothing was found of."""
    fates = [each.fate for each in results]
    unidentified = sum(each.run is None for each in results)
    # What was planned of these is what was found of the plan, wherever it was learnt whose it is, and what was not.
    planned = None if plan is None else len(missing) + sum(each.run in plan for each in results)
    return Counts(
        planned=planned,
        scored=fates.count("scored"),
        void=fates.count("void"),
        failed=fates.count("failed"),
        # A failed run without an id is one of those that the plan finds nothing of; it must not count twice.
        missing=None if plan is None else max(0, len(missing) - unidentified),
        unidentified=unidentified,
    )


def floored_score(result: Result) -> Fraction:
    """The floored score of a scored run."""
    assert result.figures is not None
    return result.figures.floored_score


def uplift(result: Result) -> Fraction:
    """The uplift of a scored run, as measured."""
    assert result.figures is not None
    return result.figures.uplift


def contact_cost(result: Result) -> Fraction:
    """The contact cost of a scored run."""
    assert result.figures is not None
    return result.figures.contact_cost


def is_resolved(result: Result) -> Fraction:
    """1 for a resolved run, else 0."""
    return Fraction(int(result.resolved))


def has_incident(result: Result) -> Fraction:
    """1 for a run with an incident, else 0."""
    return Fraction(int(bool(result.incidents)))


VALUES: Final[dict[str, Callable[[Result], Fraction]]] = {
    "mean_floored_score": floored_score,
    "mean_uplift": uplift,
    "mean_contact_cost": contact_cost,
    "resolved_rate": is_resolved,
    "incident_rate": has_incident,
}
RATES: Final = ("resolved_rate", "incident_rate")
Strata = Sequence[Sequence[int]]
Limits = tuple[float, float] | None
"""What a statistic cannot go beyond."""

UNIT: Final = (0.0, 1.0)
LIMITS: Final = {"resolved_rate": UNIT, "incident_rate": UNIT, "mean_contact_cost": (0.0, inf)}


def _summary(
    key: dict[str, str | None],
    results: Sequence[Result],
    counts: Counts,
    resampling: Resampling | None,
    step: Step | None,
) -> GroupSummary:
    sample = Sample([each for each in results if each.fate == "scored"])
    repeats = [len(each) for each in sample.cells.values()]
    if sample.results:
        found = _measured(sample, min(*repeats, MAX_PASS), key, resampling, step)
    else:
        found = [Statistic(None, 0, reason=NOTHING_SCORED)] * (2 * len(VALUES) + 1)
    statistics = {}
    for index, name in enumerate(VALUES):
        over_runs, over_tasks = found[2 * index : 2 * index + 2]
        if name in RATES and counts.unscored:
            of = sum(int(VALUES[name](each)) for each in sample.results)
            worst, best = Fraction(of, counts.total), Fraction(of + counts.unscored, counts.total)
            if name == "incident_rate":
                # Of incidents, many are worse than few.
                worst, best = best, worst
            over_runs = msgspec.structs.replace(over_runs, worst=worst, best=best)
        statistics[name] = {"over_task_runs": over_runs, "over_tasks": over_tasks}
    statistics["mean_floored_score"]["interquartile"] = found[-1]
    return GroupSummary(
        key=key,
        counts=counts,
        tasks=len(sample.tasks),
        statistics=statistics,
        pass_hat=tuple(found[2 * len(VALUES) : -1]),
        fewest_repeats=min(repeats, default=None),
        most_repeats=max(repeats, default=None),
        verdicts=_verdicts(sample),
    )


def _measured(
    sample: Sample, last: int, key: dict[str, str | None], resampling: Resampling | None, step: Step | None
) -> list[Statistic]:
    """Each of VALUES over task-runs and over tasks, pass^k up to the last k, and the interquartile mean."""
    ratios: list[tuple[Ratio, Limits]] = []
    for name, value in VALUES.items():
        limits = LIMITS.get(name)
        ratios += [(sample.over_runs(value), limits), (sample.over_tasks(mean_of(value)), limits)]
    ratios += [(sample.over_tasks(pass_hat(k)), UNIT) for k in range(1, last + 1)]
    words = ", ".join(str(each) for each in key.values()) or "all runs"
    return measured(
        sample.strata,
        ratios,
        [sample.ranked(floored_score)],
        resampling,
        alone=ONE_RUN if len(sample.results) == 1 else ONE_TASK if len(sample.tasks) == 1 else None,
        progress=None if step is None else lambda made: step(words, made),
    )


def measured(
    strata: Strata,
    ratios: Sequence[tuple[Ratio, Limits]],
    ranked: Sequence[Ranked],
    resampling: Resampling | None,
    *,
    alone: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Statistic]:
    """The means, each with what it cannot go beyond, and the interquartile means, with their uncertainty.

    `alone` says why no interval can be made, where that is so.
    """
    everything: list[tuple[Ratio | Ranked, Limits]] = [*ratios, *((each, None) for each in ranked)]
    if alone is not None or resampling is None:
        return [_plain(each, alone or NOT_ASKED) for each, _ in everything]
    # Only here, so that whoever asks for no interval needs no numpy.
    from outscore.summary.bootstrap import bootstrap_errors, interval

    own, middles = bootstrap_errors(strata, [ratio for ratio, _ in ratios], ranked, resampling, progress)
    df = degrees_of_freedom(strata)
    found = []
    for (each, limits), spread in zip(everything, [*own, *middles], strict=True):
        # An interquartile mean is no ratio of totals; its error is the resamples'.
        error = clustered_error(each) if isinstance(each, Ratio) else spread
        if not spread:
            moves = error if isinstance(each, Ratio) else each.values[0] != each.values[-1]
            found.append(_plain(each, STILL if moves else ALL_EQUAL))
            continue
        bounds = interval(each.value, spread, df, resampling.level, limits)
        reason = TOO_LARGE if bounds is None else None
        found.append(Statistic(each.value, each.n, error, bounds, reason=reason))
    return found


def _plain(each: Ratio | Ranked, reason: str) -> Statistic:
    """The value without an interval; its standard error where there is one that means something."""
    error = clustered_error(each) if isinstance(each, Ratio) else None
    return Statistic(each.value, each.n, error or None, reason=reason)


def _verdicts(sample: Sample) -> Verdicts:
    resolved: list[Distance] = []
    others: list[Distance] = []
    for each in sample.results:
        assert each.figures is not None
        assert each.run is not None
        if each.resolved or not each.incidents:
            distance = Distance(each.run, each.figures.score - RESOLVED_AT)
            (resolved if each.resolved else others).append(distance)
    repeated = [repeats for repeats in sample.cells.values() if len(repeats) > 1]
    chances = [flip_chance(repeats) for repeats in repeated]
    rate = Statistic(None, 0, reason="no task has two scored repeats")
    if chances:
        rate = Statistic(sum(chances, Fraction(0)) / len(chances), len(chances))
    return Verdicts(
        # Of equally close ones the first in canonical order.
        closest_resolved=min(resolved, key=lambda each: each.distance, default=None),
        closest_unresolved=max(others, key=lambda each: each.distance, default=None),
        tasks_repeated=len(repeated),
        tasks_mixed=sum(chance > 0 for chance in chances),
        flip_rate=rate,
    )
