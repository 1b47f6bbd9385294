"""Stored results, the runs they are of, and new rules -> the results anew, each with the old one kept beside it.

Whole or not at all: where one stored result cannot be scored anew, nothing is. Writes no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from outscore import __version__
from outscore.alike import Findings
from outscore.batch import BadRun, Outcome, Rulebook, score_file
from outscore.diagnostics import Code, Diagnostic
from outscore.numbers import nearest_double
from outscore.results import Result, ResultsError, finding, read_result
from outscore.score import Score, encode
from outscore.scorer import Scorer
from outscore.summary.checks import refuse_to_mix
from outscore.summary.groups import floored_score
from outscore.summary.sample import mean_of
from outscore.summary.statistic import exact_text


class NothingToRescoreError(ValueError):
    """No stored result is of a scenario that the new rules are for."""


class Rescored(msgspec.Struct, frozen=True):
    """One stored result, and what the new rules make of its run."""

    old: Result
    new: Result
    """The same as `old` where the new rules are not for it."""
    is_touched: bool
    """Whether the new rules are for it."""

    @property
    def score_changed(self) -> bool:
        """Whether the exact score is another, or is there for one of them only."""
        return _score(self.old) != _score(self.new)

    @property
    def verdict_changed(self) -> bool:
        """Whether one is resolved and the other is not; what is not scored is not resolved."""
        return self.old.resolved != self.new.resolved

    @property
    def is_scored_by_both(self) -> bool:
        """Whether it had a score and has one; only such runs show what the rules change in a mean."""
        return self.old.fate == self.new.fate == "scored"

    @property
    def is_rescored(self) -> bool:
        """Whether the new rules scored it."""
        return self.is_touched and self.new.fate == "scored"

    @property
    def is_failed(self) -> bool:
        """Whether the new rules could not score it."""
        return self.is_touched and self.new.fate == "failed"

    @property
    def is_newly_failed(self) -> bool:
        """Whether the new rules could not score it, and it had not failed before."""
        return self.is_failed and self.old.fate != "failed"

    @property
    def is_unidentified(self) -> bool:
        """Whether it stays as it is because nobody knows which run, or which scenario, it is of."""
        return not self.is_touched and (self.old.run is None or self.old.scenario is None)

    @property
    def is_changed(self) -> bool:
        """Whether anything that is told of a run is another."""
        old, new = self.old, self.new
        return (old.fate, old.figures, old.incidents) != (new.fate, new.figures, new.incidents)

    def to_json(self) -> bytes:
        """The new result as one line of JSON, with the old one under `rescored`."""
        if not self.is_touched:
            return msgspec.json.format(self.old.source, indent=0)
        kept = {"from": self.old.ruleset, "to": self.new.ruleset, "old": msgspec.Raw(self.old.source)}
        return self.new.source[:-1] + b', "rescored": ' + encode(kept) + b"}"

    def to_record(self) -> dict[str, Any]:
        """What changed, as plain data."""
        names = {"run": self.new.run, "scenario": self.new.scenario, "task": self.new.task, "agent": self.new.agent}
        return names | {"old": _told(self.old), "new": _told(self.new)}


class Standing(msgspec.Struct, frozen=True):
    """An agent's place among all by its mean floored score over the runs that were and are scored."""

    mean: Fraction | None
    rank: int | None
    """From 1; agents with the same mean share a rank. None where there is no such run."""

    def to_record(self) -> dict[str, Any]:
        """The standing as plain data."""
        mean = None if self.mean is None else nearest_double(self.mean.numerator, self.mean.denominator)
        return {"mean_floored_score": mean, "exact": exact_text(self.mean), "rank": self.rank}


class Move(msgspec.Struct, frozen=True):
    """An agent's old and new standing, both over the same runs, so that a change of rules is all that they show."""

    runs: int
    """How many runs both are over: those that had a score and have one."""
    old: Standing
    new: Standing

    def to_record(self) -> dict[str, Any]:
        """The move as plain data."""
        return {"runs": self.runs, "old": self.old.to_record(), "new": self.new.to_record()}


class Rescoring(msgspec.Struct, frozen=True):
    """All stored results, scored anew."""

    runs: tuple[Rescored, ...]
    """In the order of the stored results."""
    rulesets: dict[str, str]
    """The new digests by scenario."""
    without_score: int
    """Runs of these scenarios that no stored result is of; they are left out."""

    def lines(self) -> Iterator[bytes]:
        """The results as JSON Lines."""
        for each in self.runs:
            yield each.to_json() + b"\n"

    @property
    def changes(self) -> list[Rescored]:
        """What changed, in order."""
        return [each for each in self.runs if each.is_changed]

    @property
    def failed(self) -> list[Rescored]:
        """What the new rules could not score."""
        return [each for each in self.runs if each.is_failed]

    def counts(self) -> dict[str, int]:
        """How many results became what, and changed in which way.

        What is stored is rescored, void, failed or untouched.
        """
        fates = [(each.old.fate, each.new.fate) for each in self.runs]
        return {
            "stored": len(self.runs),
            "rescored": sum(each.is_rescored for each in self.runs),
            "void": sum(each.is_touched and each.new.fate == "void" for each in self.runs),
            "failed": len(self.failed),
            "untouched": sum(not each.is_touched for each in self.runs),
            "unidentified": sum(each.is_unidentified for each in self.runs),
            "changed": len(self.changes),
            # A score that is there for one of them only is newly, or no longer, scored.
            "score_changed": sum(each.is_scored_by_both and each.score_changed for each in self.runs),
            "newly_resolved": sum(each.verdict_changed and each.new.resolved for each in self.runs),
            "no_longer_resolved": sum(each.verdict_changed and each.old.resolved for each in self.runs),
            "newly_scored": sum(old != "scored" and new == "scored" for old, new in fates),
            "no_longer_scored": sum(old == "scored" and new != "scored" for old, new in fates),
            "newly_failed": sum(each.is_newly_failed for each in self.runs),
            "runs_without_score": self.without_score,
        }

    def agents(self) -> dict[str | None, Move]:
        """Each agent's move, in order of name, the nameless last."""
        both: dict[str | None, list[Rescored]] = {}
        for each in self.runs:
            # A run that failed may not say whose it is; one that is scored by both says the same both times.
            own = both.setdefault(each.new.agent if each.old.agent is None else each.old.agent, [])
            if each.is_scored_by_both:
                own.append(each)
        old = _standings({agent: [each.old for each in own] for agent, own in both.items()})
        new = _standings({agent: [each.new for each in own] for agent, own in both.items()})
        names = sorted(both, key=lambda name: (name is None, name or ""))
        return {name: Move(len(both[name]), old[name], new[name]) for name in names}

    def to_record(self) -> dict[str, Any]:
        """What changed, as plain data."""
        scenarios: dict[str, set[str]] = {scenario: set() for scenario in self.rulesets}
        for each in self.runs:
            if each.is_touched and each.old.ruleset is not None and each.old.scenario in scenarios:
                scenarios[each.old.scenario].add(each.old.ruleset)
        return {
            "engine": __version__,
            "rulesets": {
                name: {"from": sorted(scenarios[name]), "to": digest} for name, digest in sorted(self.rulesets.items())
            },
            "counts": self.counts(),
            "agents": [{"agent": agent, **move.to_record()} for agent, move in self.agents().items()],
            "changes": [each.to_record() for each in self.changes],
        }


def rescore(
    stored: Sequence[Result],
    runs: Iterable[str],
    rulebook: Rulebook,
    *,
    allow_failed: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Rescoring:
    """Score the runs of stored results anew; the results must have been read with their source.

    Raises ResultsError with everything that stands against it, NothingToRescoreError, and OSError.
    """
    refuse_to_mix(stored, allow_mixed=True)
    scorers = {rulebook.scenario: rulebook} if isinstance(rulebook, Scorer) else dict(rulebook)
    touched = {each.run for each in stored if each.run is not None and each.scenario in scorers}
    if not touched:
        raise NothingToRescoreError(f"no stored result is of scenario {', '.join(sorted(scorers))}")
    found, without_score = _score_anew(runs, scorers, touched, progress)
    rows: list[Rescored] = []
    findings = Findings()
    for old in stored:
        if old.run is None or old.run not in touched:
            rows.append(Rescored(old, old, is_touched=False))
            continue
        new = found.get(old.run)
        problem = _problem(old, new, allow_failed=allow_failed)
        if problem is not None:
            findings.add(*problem)
        elif new is not None:
            rows.append(Rescored(old, new, is_touched=True))
    if findings:
        raise ResultsError(findings.told())
    used = {each.scenario for each in stored if each.run in touched}
    digests = {scenario: scorer.digest for scenario, scorer in scorers.items() if scenario in used}
    return Rescoring(tuple(rows), digests, without_score)


def as_result(outcome: Outcome, file: str, number: int) -> Result:
    """An outcome as it would be read back."""
    line = outcome.to_json() if isinstance(outcome, Score) else encode(outcome.to_record())
    return read_result(line, file, number, keep_source=True)


def _score_anew(
    paths: Iterable[str],
    scorers: Mapping[str, Scorer],
    wanted: set[str],
    progress: Callable[[str], None] | None,
) -> tuple[dict[str, Result], int]:
    """The new results by run, as far as they are wanted, and how many runs there are besides."""
    found: dict[str, Result] = {}
    findings = Findings()
    others = 0
    for path in paths:
        for number, outcome in enumerate(score_file(scorers, path), 1):
            if progress is not None:
                progress(path)
            run = outcome.error.run if isinstance(outcome, BadRun) else outcome.run
            if run not in wanted:
                others += outcome.scenario in scorers
                continue
            new = as_result(outcome, path, number)
            if run in found:
                findings.add(*_again(found[run], new, _line(outcome, number)))
            found.setdefault(run, new)
    if findings:
        raise ResultsError(findings.told())
    return found, others


def _again(first: Result, second: Result, line: int) -> _Problem:
    """A run that the files of runs hold twice; a result's line is here its number among the runs of its file."""
    message = (
        f"run {second.run!r} is here a second time, as run {second.line} of this file; the first is run {first.line} "
        f"of {first.file}"
    )
    one = finding(Code.DUPLICATE_ID, second.file, line, message, "give each run once")
    words, place = f"runs of {second.file} are in {first.file} too", f"{second.run!r} (run {second.line} of it)"
    if first.place == second.place:
        words = f"runs of {second.file} are here twice, because the file was given twice"
    elif first.file == second.file:
        words = f"runs of {second.file} are in it a second time"
        place = f"{second.run!r} (its runs {first.line} and {second.line})"
    return _Problem(one, words, place)


def _line(outcome: Outcome, number: int) -> int:
    return outcome.line if isinstance(outcome, BadRun) and outcome.line is not None else number


class _Problem(NamedTuple):
    """What stands against putting a new result in an old one's place: alone, in words for many, and where."""

    one: Diagnostic
    words: str
    place: str


def _problem(old: Result, new: Result | None, *, allow_failed: bool) -> _Problem | None:
    """What stands against putting the new result in the old one's place."""
    run, of, line = f"run {old.run!r}", f"runs of {old.file}", f"{old.run!r} (line {old.line})"

    def conflict(message: str, hint: str, words: str, place: str = line) -> _Problem:
        return _Problem(finding(Code.CONFLICT, old.file, old.line, message, hint), words, place)

    if new is None:
        hint = "give every file of runs; what cannot be scored anew would stay scored by the old rules"
        message = f"{run} has a stored result, but is in none of the files of runs"
        one = finding(Code.MISSING_VALUE, old.file, old.line, message, hint)
        return _Problem(one, f"{of} have a stored result, but are in none of the files of runs", line)
    for name in ("scenario", "task", "agent"):
        there, here = getattr(old, name), getattr(new, name)
        if there != here and (new.fate != "failed" or here is not None):
            message = f"{run} is stored with {name} {there!r}, but is of {name} {here!r} in {new.file}"
            place = f"{old.run!r} (line {old.line}: {there!r}, there {here!r})"
            words = f"{of} are of another {name} in {new.file} than stored"
            return conflict(message, "these are different runs of the same id", words, place)
    if new.fate == "failed" and old.fate != "failed" and not allow_failed:
        message = f"{run} cannot be scored by the new rules: {new.why}"
        hint = "mend the rules or the run; with --allow-failed it becomes a failed run"
        code, _, why = (new.why or "").partition(": ")
        place = f"{old.run!r} (line {old.line}: {why})"
        return conflict(message, hint, f"{of} cannot be scored by the new rules, {code}", place)
    if new.fate == old.fate == "scored" and _events(old) != _events(new):
        message = f"{run} has other events in {new.file} than in its stored account"
        words = f"{of} have other events in {new.file} than in their stored accounts"
        return conflict(message, "give the runs that the results are of", words)
    return None


class _Entry(msgspec.Struct):
    type: str
    to: str | None = None


class _Account(msgspec.Struct):
    account: list[_Entry] = []


_ACCOUNT = msgspec.json.Decoder(_Account)


def _events(result: Result) -> list[tuple[str, str | None]]:
    return [(entry.type, entry.to) for entry in _ACCOUNT.decode(result.source).account]


def _score(result: Result) -> Fraction | None:
    return None if result.figures is None else result.figures.score


def _told(result: Result) -> dict[str, Any]:
    record: dict[str, Any] = {"fate": result.fate, "ruleset": result.ruleset}
    if result.figures is None:
        return record | {"why": result.why}
    figures = result.figures
    exact = {name: exact_text(getattr(figures, name)) for name in ("uplift", "contact_cost", "score")}
    return record | {
        "score": nearest_double(figures.score.numerator, figures.score.denominator),
        "resolved": result.resolved,
        "incidents": list(result.incidents),
        "exact": exact,
    }


def _standings(by_agent: Mapping[str | None, list[Result]]) -> dict[str | None, Standing]:
    means = {agent: mean_of(floored_score)(own) if own else None for agent, own in by_agent.items()}
    return {
        agent: Standing(
            mean, None if mean is None else 1 + sum(other is not None and other > mean for other in means.values())
        )
        for agent, mean in means.items()
    }
