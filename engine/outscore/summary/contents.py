"""What a summary holds, as values -> plain data: counts beside each other, statistics, verdicts.

Computes nothing but sums of counts.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import msgspec

from outscore import __version__
from outscore.formula import RESOLVED_AT
from outscore.numbers import nearest_double
from outscore.summary.statistic import Resampling, Statistic, exact_text

Dimension = Literal["agent", "scenario", "task"]
"""What runs can be grouped by; a task is told with its scenario."""


class Counts(msgspec.Struct, frozen=True):
    """How many runs of each fate, beside how many there should be."""

    planned: int | None
    """None where it is not known."""
    scored: int
    void: int
    failed: int
    missing: int | None
    """Planned, and nowhere to be found; None where no plan says so."""
    unidentified: int = 0
    """Failed runs whose id could not be read; each stands for one of the planned runs that nothing was found of."""

    @property
    def total(self) -> int:
        """Runs of every fate, missing ones included: the honest denominator."""
        return self.scored + self.unscored

    @property
    def unscored(self) -> int:
        """Runs of which it is not known how they would have scored."""
        return self.void + self.failed + (self.missing or 0)

    def to_record(self) -> dict[str, Any]:
        """The counts as plain data."""
        names = ("planned", "scored", "void", "failed", "missing")
        record = {name: getattr(self, name) for name in names}
        return record | {"total": self.total} | ({"unidentified": self.unidentified} if self.unidentified else {})


class Distance(msgspec.Struct, frozen=True):
    """A run's exact distance to the mark of 0.8; negative below it."""

    run: str
    distance: Fraction

    def to_record(self) -> dict[str, Any]:
        """The distance as plain data."""
        value = self.distance
        return {
            "run": self.run,
            "distance": nearest_double(value.numerator, value.denominator),
            "exact": exact_text(value),
        }


class Verdicts(msgspec.Struct, frozen=True):
    """How firm the verdicts are: how close to the mark, and whether a task's repeats agree."""

    closest_resolved: Distance | None
    """The resolved run that is closest to the mark."""
    closest_unresolved: Distance | None
    """The closest of the others that had no incident."""
    tasks_repeated: int
    """Tasks with two scored repeats or more."""
    tasks_mixed: int
    """Those of them whose repeats have different verdicts."""
    flip_rate: Statistic
    """The mean over those tasks of the chance that two of a task's repeats have different verdicts."""

    def to_record(self) -> dict[str, Any]:
        """The verdicts as plain data."""
        rate = self.flip_rate.to_record()
        del rate["standard_error"], rate["interval"]
        closest = {"closest_resolved": self.closest_resolved, "closest_unresolved": self.closest_unresolved}
        return {
            "resolved_at": str(RESOLVED_AT),
            **{name: None if each is None else each.to_record() for name, each in closest.items()},
            "repeats": {"tasks_repeated": self.tasks_repeated, "tasks_mixed": self.tasks_mixed, "flip_rate": rate},
        }


class GroupSummary(msgspec.Struct, frozen=True):
    """What a group of runs comes to."""

    key: dict[str, str | None]
    """What its runs have in common: agent, scenario, task, as grouped by; empty for all runs."""
    counts: Counts
    tasks: int
    """Tasks with a scored run; repeats by different agents are of one task."""
    statistics: dict[str, dict[str, Statistic]]
    """By name, then by what is averaged: `over_task_runs`, `over_tasks`, `interquartile`."""
    pass_hat: tuple[Statistic, ...]
    """pass^1, pass^2 and so on, as far as every task has that many scored repeats."""
    fewest_repeats: int | None
    most_repeats: int | None
    verdicts: Verdicts

    def to_record(self) -> dict[str, Any]:
        """The group as plain data."""
        record: dict[str, Any] = {**self.key, "counts": self.counts.to_record(), "tasks": self.tasks}
        record["repeats"] = {"fewest": self.fewest_repeats, "most": self.most_repeats}
        for name, kinds in self.statistics.items():
            record[name] = {kind: each.to_record() for kind, each in kinds.items()}
        record["pass_hat"] = [{"k": k, **each.to_record()} for k, each in enumerate(self.pass_hat, 1)]
        record["verdict"] = self.verdicts.to_record()
        return record


class Summaries(msgspec.Struct, frozen=True):
    """The summary of all results, and of each group."""

    by: tuple[Dimension, ...]
    everything: GroupSummary
    groups: tuple[GroupSummary, ...]
    """In order of their keys."""
    rulesets: dict[str, tuple[str, ...]]
    """The digests that scored each scenario's runs; more than one only where mixing was allowed."""
    engines: tuple[str, ...]
    """The versions of outscore that scored the runs."""
    resampling: Resampling | None
    """How intervals were made; None where none were asked for."""

    @property
    def mixed(self) -> tuple[str, ...]:
        """Scenarios that were scored by several sets of rules."""
        return tuple(scenario for scenario, digests in self.rulesets.items() if len(digests) > 1)

    def to_record(self) -> dict[str, Any]:
        """The summary as plain data."""
        return {
            "by": list(self.by),
            "engine": __version__,
            "scored_by": list(self.engines),
            "rulesets": {scenario: list(digests) for scenario, digests in self.rulesets.items()},
            "mixed": list(self.mixed),
            "intervals": None if self.resampling is None else self.resampling.to_record(),
            "all": self.everything.to_record(),
            "groups": [each.to_record() for each in self.groups],
        }
