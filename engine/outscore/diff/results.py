"""Two Scorers and files of runs -> what happens to scores, verdicts and ranks from the one to the other.

Every run is scored by both. Means are over runs that both could score, so that a change of rules is all that they
show; each run counts once. Prices and judges nothing itself.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappush, heappushpop
from itertools import combinations
from typing import BinaryIO, Generic, TypeVar

from outscore.batch import BadRun, Outcome, score_file
from outscore.diagnostics import Code
from outscore.run import Void
from outscore.runfiles import STDIN
from outscore.score import Score
from outscore.scorer import Scorer
from outscore.summary import Sum

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ChangedRun:
    """A run that the two score differently."""

    run: str
    agent: str | None
    old: Fraction
    new: Fraction
    was_resolved: bool
    is_resolved: bool
    old_incidents: tuple[str, ...]
    new_incidents: tuple[str, ...]

    @property
    def change(self) -> Fraction:
        """How much the score rises."""
        return self.new - self.old

    @property
    def has_flipped(self) -> bool:
        """Whether the verdict is another."""
        return self.was_resolved != self.is_resolved


@dataclass(frozen=True, slots=True)
class LostRun:
    """A run that only one of the two can score."""

    score: Score
    bad: BadRun
    """Why the other cannot."""


@dataclass(frozen=True, slots=True)
class AgentMeans:
    """One agent's runs, by both."""

    agent: str | None
    """None for runs that name none, which have no rank."""
    runs: int
    old: Fraction
    """The mean floored score."""
    new: Fraction
    old_rank: int | None
    """From 1; agents of one mean share a rank."""
    new_rank: int | None


@dataclass(frozen=True, slots=True)
class Swap:
    """Two agents that change places."""

    ahead: AgentMeans
    """The one that was ahead."""
    behind: AgentMeans


@dataclass(frozen=True, slots=True)
class Effects:
    """What a change of rules does to runs; lists hold the largest only, counts are of all."""

    files: tuple[str, ...]
    scored: int
    """Runs scored by both."""
    void: int
    failed: int
    """Runs scored by neither."""
    foreign: int
    """Runs of scenarios that are neither's."""
    changed: int
    """Runs with another score."""
    largest: tuple[ChangedRun, ...]
    to_resolved: int
    to_unresolved: int
    flipped: tuple[ChangedRun, ...]
    only_old: int
    """Runs that the new rules cannot score."""
    only_old_runs: tuple[LostRun, ...]
    only_new: int
    only_new_runs: tuple[LostRun, ...]
    agents: tuple[AgentMeans, ...]
    """In order of their new rank, then by name; runs without an agent last."""
    swapped: int
    swaps: tuple[Swap, ...]

    @property
    def seen(self) -> int:
        """Runs of the two rulesets' scenario, of any fate."""
        return self.scored + self.void + self.failed + self.only_old + self.only_new


def compare_results(
    old: Scorer, new: Scorer, paths: tuple[str, ...], stdin: BinaryIO | None = None, *, top: int
) -> Effects:
    """Score every run of the files by both; raises OSError."""
    tally = _Tally(top)
    for path in paths:
        for before, after in _outcomes(old, new, path, stdin):
            tally.add(before, after)
    return tally.effects(paths)


def _outcomes(old: Scorer, new: Scorer, path: str, stdin: BinaryIO | None) -> Iterator[tuple[Outcome, Outcome]]:
    # A file is read twice, side by side; standard input can be read but once.
    text = stdin.read() if path == STDIN and stdin is not None else None
    before, after = (score_file(each, path, None if text is None else io.BytesIO(text)) for each in (old, new))
    return zip(before, after, strict=True)


class _Largest(Generic[Item]):
    """The items of the largest size among many; of equal ones those that came first."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._heap: list[tuple[Fraction, int, Item]] = []
        self.count = 0

    def add(self, item: Item, size: Fraction = Fraction(0)) -> None:
        self.count += 1
        # The count settles every tie, so that items themselves are never compared.
        (heappush if len(self._heap) < self._top else heappushpop)(self._heap, (size, -self.count, item))

    def items(self) -> tuple[Item, ...]:
        return tuple(item for _, _, item in sorted(self._heap, key=lambda each: (-each[0], -each[1])))


@dataclass(slots=True)
class _Sums:
    runs: int = 0
    old: Sum = field(default_factory=Sum)
    new: Sum = field(default_factory=Sum)


class _Tally:
    """What has been seen so far; holds no more than the largest of it."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._largest: _Largest[ChangedRun] = _Largest(top)
        self._flipped: _Largest[ChangedRun] = _Largest(top)
        self._to_resolved = 0
        self._only_old: _Largest[LostRun] = _Largest(top)
        self._only_new: _Largest[LostRun] = _Largest(top)
        self._sums: dict[str | None, _Sums] = {}
        self._scored = self._void = self._failed = self._foreign = 0

    def add(self, old: Outcome, new: Outcome) -> None:
        if isinstance(old, Score) and isinstance(new, Score):
            self._add_scored(old, new)
        elif isinstance(old, Score) and isinstance(new, BadRun):
            self._only_old.add(LostRun(old, new))
        elif isinstance(new, Score) and isinstance(old, BadRun):
            self._only_new.add(LostRun(new, old))
        elif isinstance(old, Void) or isinstance(new, Void):
            self._void += 1
        elif all(isinstance(each, BadRun) and each.error.code is Code.WRONG_SCENARIO for each in (old, new)):
            self._foreign += 1
        else:
            self._failed += 1

    def _add_scored(self, old: Score, new: Score) -> None:
        self._scored += 1
        sums = self._sums.setdefault(old.agent, _Sums())
        sums.runs += 1
        sums.old.add(old.figures.floored_score, old.figures.score_denominator)
        sums.new.add(new.figures.floored_score, new.figures.score_denominator)
        before, after = old.exact.score, new.exact.score
        # A verdict cannot change without the score: what resolves is 0.8 or more, and with an incident 0 or less.
        if before == after:
            return
        verdicts = old.resolved, new.resolved
        run = ChangedRun(old.run, old.agent, before, after, *verdicts, old.incidents, new.incidents)
        self._largest.add(run, abs(run.change))
        if run.has_flipped:
            self._to_resolved += run.is_resolved
            self._flipped.add(run, abs(run.change))

    def effects(self, files: tuple[str, ...]) -> Effects:
        agents = self._agents()
        swaps = [
            (first, second) if first.old > second.old else (second, first)
            for first, second in combinations([each for each in agents if each.agent is not None], 2)
            if (first.old - second.old) * (first.new - second.new) < 0
        ]
        return Effects(
            files=files,
            scored=self._scored,
            void=self._void,
            failed=self._failed,
            foreign=self._foreign,
            changed=self._largest.count,
            largest=self._largest.items(),
            to_resolved=self._to_resolved,
            to_unresolved=self._flipped.count - self._to_resolved,
            flipped=self._flipped.items(),
            only_old=self._only_old.count,
            only_old_runs=self._only_old.items(),
            only_new=self._only_new.count,
            only_new_runs=self._only_new.items(),
            agents=agents,
            swapped=len(swaps),
            swaps=tuple(Swap(*each) for each in swaps[: self._top]),
        )

    def _agents(self) -> tuple[AgentMeans, ...]:
        means = {
            agent: (sums.runs, sums.old.value() / sums.runs, sums.new.value() / sums.runs)
            for agent, sums in self._sums.items()
        }
        old_rank = _ranking([old for agent, (_, old, _) in means.items() if agent is not None])
        new_rank = _ranking([new for agent, (_, _, new) in means.items() if agent is not None])
        found = [
            AgentMeans(agent, runs, old, new, *((None, None) if agent is None else (old_rank(old), new_rank(new))))
            for agent, (runs, old, new) in means.items()
        ]
        return tuple(
            sorted(found, key=lambda each: (each.new_rank or len(found), each.agent is None, each.agent or ""))
        )


def _ranking(means: list[Fraction]) -> Callable[[Fraction], int]:
    """What gives a mean its rank among all: one more than there are better ones."""
    ranks: dict[Fraction, int] = {}
    for place, mean in enumerate(sorted(means, reverse=True), 1):
        ranks.setdefault(mean, place)
    return ranks.__getitem__
