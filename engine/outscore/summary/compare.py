"""Results of two agents -> how they differ on the tasks that both have a scored run of.

Pairing takes out what makes tasks easy or hard for everybody, so the difference is far better known than either mean.
A task's repeats are averaged first, and each task counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from outscore import __version__
from outscore.diagnostics import nearest
from outscore.numbers import nearest_double
from outscore.results import Result
from outscore.summary.checks import in_canonical_order, refuse_to_mix, rulesets_of
from outscore.summary.contents import Counts
from outscore.summary.groups import (
    NOTHING_SHARED,
    ONE_TASK,
    RATES,
    VALUES,
    Limits,
    counts_of,
    floored_score,
    is_resolved,
    measured,
)
from outscore.summary.planned import PlannedRun
from outscore.summary.sample import Ratio, Sample, mean_of
from outscore.summary.statistic import Resampling, Statistic, exact_text

Task = tuple[str, str]
"""Scenario and task."""


class NoSuchAgentError(ValueError):
    """No result is of the agent that was named."""


class Side(msgspec.Struct, frozen=True):
    """What one agent made of one task."""

    runs: int
    resolved: int
    mean_floored_score: Fraction

    def to_record(self) -> dict[str, Any]:
        """The side as plain data."""
        return {"runs": self.runs, "resolved": self.resolved, "mean_floored_score": _double(self.mean_floored_score)}


class Pair(msgspec.Struct, frozen=True):
    """Two agents on one task."""

    scenario: str
    task: str
    a: Side
    b: Side

    @property
    def difference(self) -> Fraction:
        """The mean floored score of `a` minus that of `b`."""
        return self.a.mean_floored_score - self.b.mean_floored_score

    @property
    def verdicts(self) -> Fraction:
        """The resolved rate of `a` minus that of `b`."""
        return Fraction(self.a.resolved, self.a.runs) - Fraction(self.b.resolved, self.b.runs)

    def to_record(self) -> dict[str, Any]:
        """The pair as plain data."""
        record = {"scenario": self.scenario, "task": self.task, "a": self.a.to_record(), "b": self.b.to_record()}
        return record | {"difference": _double(self.difference), "exact": exact_text(self.difference)}


class Comparison(msgspec.Struct, frozen=True):
    """One agent against another."""

    a: str
    b: str
    counts: dict[str, Counts]
    """What became of each agent's runs, under `a` and `b`."""
    pairs: tuple[Pair, ...]
    """The tasks that both have a scored run of, in order."""
    only_a: tuple[Task, ...]
    """Tasks that only `a` has a scored run of; they are not compared."""
    only_b: tuple[Task, ...]
    differences: dict[str, Statistic]
    """`a` minus `b`, by what is compared: the mean over tasks of the difference on each."""
    rulesets: dict[str, tuple[str, ...]]
    """The digests that scored each scenario's runs."""
    resampling: Resampling | None

    @property
    def wins(self) -> int:
        """Tasks on which `a` has the higher mean floored score."""
        return sum(pair.difference > 0 for pair in self.pairs)

    @property
    def losses(self) -> int:
        """Tasks on which `b` has it."""
        return sum(pair.difference < 0 for pair in self.pairs)

    @property
    def ties(self) -> int:
        """Tasks on which they are exactly equal."""
        return len(self.pairs) - self.wins - self.losses

    def flips(self) -> dict[str, int]:
        """On how many tasks the verdict differs: wholly, where every run of one resolves and none of the other does; or
        in part."""
        verdicts = [pair.verdicts for pair in self.pairs]
        return {
            "only_a_resolves": sum(each == 1 for each in verdicts),
            "only_b_resolves": sum(each == -1 for each in verdicts),
            "a_more_often": sum(0 < each < 1 for each in verdicts),
            "b_more_often": sum(-1 < each < 0 for each in verdicts),
            "same": sum(each == 0 for each in verdicts),
        }

    def to_record(self) -> dict[str, Any]:
        """The comparison as plain data."""
        return {
            "a": self.a,
            "b": self.b,
            "engine": __version__,
            "rulesets": {scenario: list(digests) for scenario, digests in self.rulesets.items()},
            "mixed": [scenario for scenario, digests in self.rulesets.items() if len(digests) > 1],
            "intervals": None if self.resampling is None else self.resampling.to_record(),
            "counts": {side: counts.to_record() for side, counts in self.counts.items()},
            "tasks": {
                "compared": len(self.pairs),
                "only_a": [_task(each) for each in self.only_a],
                "only_b": [_task(each) for each in self.only_b],
            },
            "difference": {name: each.to_record() for name, each in self.differences.items()},
            "tasks_won": {"a": self.wins, "tied": self.ties, "b": self.losses},
            "verdict_flips": self.flips(),
            "by_task": [pair.to_record() for pair in self.pairs],
        }


def compare(
    results: Sequence[Result],
    a: str,
    b: str,
    *,
    plan: Mapping[str, PlannedRun] | None = None,
    resampling: Resampling | None = None,
    allow_mixed: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Compare two agents; the difference is `a` minus `b`.

    Raises ResultsError for results that may not be put together, and NoSuchAgentError.
    """
    refuse_to_mix(results, plan, allow_mixed=allow_mixed)
    ordered = in_canonical_order(results)
    found = {each.run for each in ordered}
    known = sorted({each.agent for each in ordered if each.agent is not None})
    counts: dict[str, Counts] = {}
    by_task: list[dict[Task, list[Result]]] = []
    for side, agent in (("a", a), ("b", b)):
        own = [each for each in ordered if each.agent == agent]
        if not own:
            raise NoSuchAgentError(_unknown(agent, known))
        absent = [each for run, each in (plan or {}).items() if each.agent == agent and run not in found]
        counts[side] = counts_of(own, plan, absent)
        scored = Sample([each for each in own if each.fate == "scored"])
        by_task.append({scored.tasks[cluster]: runs for (cluster, _), runs in scored.cells.items()})
    of_a, of_b = by_task
    shared = [task for task in of_a if task in of_b]
    return Comparison(
        a=a,
        b=b,
        counts=counts,
        pairs=tuple(Pair(*task, _side(of_a[task]), _side(of_b[task])) for task in shared),
        only_a=tuple(task for task in of_a if task not in of_b),
        only_b=tuple(task for task in of_b if task not in of_a),
        differences=_differences(shared, of_a, of_b, resampling, progress),
        rulesets={
            scenario: tuple(digests)
            for scenario, digests in rulesets_of(each for each in ordered if each.agent in (a, b)).items()
        },
        resampling=resampling,
    )


def _differences(
    shared: Sequence[Task],
    of_a: Mapping[Task, list[Result]],
    of_b: Mapping[Task, list[Result]],
    resampling: Resampling | None,
    progress: Callable[[int], None] | None,
) -> dict[str, Statistic]:
    if not shared:
        return {name: Statistic(None, 0, reason=NOTHING_SHARED) for name in VALUES}
    # One cluster a task, whose only value is the difference.
    sample = Sample([of_a[task][0] for task in shared])
    ones = (1,) * len(shared)
    ratios: list[tuple[Ratio, Limits]] = []
    for name, value in VALUES.items():
        mean = mean_of(value)
        differences = tuple(mean(of_a[task]) - mean(of_b[task]) for task in shared)
        ratios.append((Ratio(differences, ones), (-1.0, 1.0) if name in RATES else None))
    alone = ONE_TASK if len(shared) == 1 else None
    found = measured(sample.strata, ratios, [], resampling, alone=alone, progress=progress)
    return dict(zip(VALUES, found, strict=True))


def _side(runs: Sequence[Result]) -> Side:
    resolved = sum(is_resolved(each) for each in runs)
    return Side(len(runs), int(resolved), mean_of(floored_score)(list(runs)))


def _unknown(agent: str, known: list[str]) -> str:
    near = nearest(agent, known)
    hint = f"did you mean {near!r}?" if near else f"there are {', '.join(map(repr, known[:12])) or 'no agents named'}"
    return f"no run is of agent {agent!r}; {hint}"


def _task(task: Task) -> dict[str, str]:
    return {"scenario": task[0], "task": task[1]}


def _double(value: Fraction) -> float:
    return nearest_double(value.numerator, value.denominator)
