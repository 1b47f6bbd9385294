"""Results, and a plan -> what forbids summing them up; or the same results in their one order.

A number over results that do not belong together is worse than none, so these are errors: a run that is there twice,
a scenario scored by two sets of rules, a run that nobody planned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from outscore.alike import Findings, shortened
from outscore.diagnostics import Code, Diagnostic, Severity
from outscore.results import Result, ResultsError, finding
from outscore.summary.planned import PlannedRun


def in_canonical_order(results: Iterable[Result]) -> list[Result]:
    """The results in the order in which everything is computed, so that the order of the input changes nothing."""
    return sorted(results, key=_order)


def _order(result: Result) -> tuple[str, str, str, str, str, int]:
    names = (result.scenario, result.task, result.agent, result.run)
    scenario, task, agent, run = (name or "" for name in names)
    return scenario, task, agent, run, result.file, result.line


def refuse_to_mix(
    results: Sequence[Result],
    plan: Mapping[str, PlannedRun] | None = None,
    planned: int | None = None,
    *,
    allow_mixed: bool = False,
) -> None:
    """Raise ResultsError where these results may not be summed up together."""
    # Mixed rules first: of very many findings the later ones are only counted.
    findings = [] if allow_mixed else [*_mixed(results)]
    alike = Findings()
    _find_duplicates(results, alike)
    if plan is not None:
        _find_unplanned(results, plan, alike)
    findings += alike.told()
    if findings:
        raise ResultsError(findings)
    if planned is not None and len(results) > planned:
        runs = "is 1 run" if len(results) == 1 else f"are {len(results)} runs"
        message = f"there {runs}, and {planned} were planned"
        hint = "which of them count must be known before anything is averaged; name the planned ones with --plan FILE"
        raise ResultsError([Diagnostic(Code.CONFLICT, Severity.ERROR, message, hint=hint)])


def _find_duplicates(results: Sequence[Result], findings: Findings) -> None:
    digests = shortened(each.ruleset for each in results if each.ruleset is not None)
    first: dict[str, Result] = {}
    for each in sorted(results, key=lambda result: (result.file, result.line)):
        if each.run is None:
            continue
        if each.run not in first:
            first[each.run] = each
            continue
        other = first[each.run]
        if each.is_same(other):
            message = f"run {each.run!r} is here a second time; the same result stands at {other.place}"
            hint = "give each file of results once"
            words, place = _same_words(other, each), f"run {each.run!r} ({_lines(other, each)})"
        else:
            found = _difference(other, each, digests)
            message = f"run {each.run!r} has another result at {other.place}: {found.name} {found.values}"
            hint = "keep the one that counts; two attempts are two runs, each with its own id"
            words = f"runs of {each.file} have another result in {_it(other, each)}, with another {found.name}"
            words, place = (
                (f"{words} ({found.values})", f"run {each.run!r} ({_lines(other, each)})")
                if found.is_of_all
                else (words, f"run {each.run!r} ({_lines(other, each)}: {found.values})")
            )
        findings.add(finding(Code.DUPLICATE_ID, each.file, each.line, message, hint), words, place)


def _same_words(first: Result, second: Result) -> str:
    if first.place == second.place:
        return f"results of {second.file} are here twice, because the file was given twice"
    if first.file == second.file:
        return f"results of {second.file} are in it a second time"
    return f"results of {second.file} are the same as in {first.file}"


def _it(first: Result, second: Result) -> str:
    return "it" if first.file == second.file else first.file


def _lines(first: Result, second: Result) -> str:
    if first.place == second.place:
        return f"line {first.line}"
    if first.file == second.file:
        return f"lines {first.line} and {second.line}"
    return f"{first.place} and {second.place}"


class _Difference(NamedTuple):
    name: str
    values: str
    is_of_all: bool
    """Whether many runs differ in these very values, so that they are told once for all."""


def _difference(first: Result, second: Result, digests: Mapping[str, str]) -> _Difference:
    """What differs between two results of one run, the first thing only."""
    for name in ("fate", "scenario", "task", "agent", "ruleset"):
        there, here = getattr(first, name), getattr(second, name)
        if there != here:
            there, here = digests.get(there, there), digests.get(here, here)
            return _Difference(name, f"{there} there, {here} here", name in ("fate", "ruleset"))
    if first.figures is not None and second.figures is not None:
        for name in first.figures.__struct_fields__:
            there, here = getattr(first.figures, name), getattr(second.figures, name)
            if there != here:
                return _Difference(name.replace("_", " "), f"{there} there, {here} here", False)
    return _Difference("content", "there than here", True)


def rulesets_of(results: Iterable[Result]) -> dict[str, dict[str, list[Result]]]:
    """The scored results by scenario, and there by the digest of the rules that scored them."""
    found: dict[str, dict[str, list[Result]]] = {}
    for each in results:
        if each.ruleset is not None and each.scenario is not None:
            found.setdefault(each.scenario, {}).setdefault(each.ruleset, []).append(each)
    return {scenario: dict(sorted(digests.items())) for scenario, digests in sorted(found.items())}


def _mixed(results: Sequence[Result]) -> Iterator[Diagnostic]:
    found = rulesets_of(results)
    short = shortened(digest for digests in found.values() for digest in digests)
    for scenario, digests in found.items():
        if len(digests) < 2:
            continue
        by_place = {digest: sorted((each.file, each.line) for each in of) for digest, of in digests.items()}
        parts = [
            f"{short[digest]} ({len(places)} run{'s' * (len(places) > 1)}, the first at {places[0][0]}:{places[0][1]})"
            for digest, places in by_place.items()
        ]
        file, line = max(places[0] for places in by_place.values())
        message = f"scenario {scenario!r} was scored by {len(digests)} different sets of rules: {', '.join(parts)}"
        hint = "score all runs by one ruleset (outscore rescore), or say --allow-mixed and be told so in the summary"
        yield finding(Code.CONFLICT, file, line, message, hint)


def _find_unplanned(results: Sequence[Result], plan: Mapping[str, PlannedRun], findings: Findings) -> None:
    for each in results:
        if each.run is None:
            continue
        wanted = plan.get(each.run)
        if wanted is None:
            hint = "put it into the plan, or leave its result out; what was not planned must not move an average"
            one = finding(Code.CONFLICT, each.file, each.line, f"run {each.run!r} is not in the plan", hint)
            findings.add(one, f"runs of {each.file} are not in the plan", f"{each.run!r} (line {each.line})")
            continue
        for name in ("scenario", "task", "agent"):
            said, found = getattr(wanted, name), getattr(each, name)
            if said is not None and found is not None and said != found:
                message = f"run {each.run!r} is of {name} {found!r}, and planned as {said!r} at {_place(wanted)}"
                words = f"runs of {each.file} are planned with another {name} in {wanted.file}"
                place = f"{each.run!r} (line {each.line}: {found!r}, planned as {said!r} in line {wanted.line})"
                findings.add(finding(Code.CONFLICT, each.file, each.line, message), words, place)


def _place(planned: PlannedRun) -> str:
    return f"{planned.file}:{planned.line}"
