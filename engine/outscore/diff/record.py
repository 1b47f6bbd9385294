"""A Difference -> plain data for JSON; docs/how-to/change-rules.md has its shape.

Values of rules are those that the digest covers: numbers as fractions in text, expressions in canonical text.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from outscore.compiler import canonical
from outscore.diff import Difference
from outscore.diff.results import AgentMeans, ChangedRun, Effects, LostRun, Swap
from outscore.diff.rules import RuleChange
from outscore.numbers import nearest_double, text
from outscore.plan import Plan


def difference_record(difference: Difference) -> dict[str, Any]:
    """The difference as plain data."""
    old, new, words = difference.old, difference.new, difference.words
    record = {
        "old": {"file": difference.old_name, "scenario": old.scenario, "ruleset": old.digest},
        "new": {"file": difference.new_name, "scenario": new.scenario, "ruleset": new.digest},
        "same_rules": difference.is_same,
        "rules": [_rule(each, old, new) for each in difference.rules],
        "words": list(words.texts),
        "tests": {
            "added": list(words.tests_added),
            "removed": list(words.tests_removed),
            "changed": list(words.tests_changed),
            "reordered": words.are_tests_reordered,
        },
    }
    return record if difference.effects is None else record | {"results": _effects(difference.effects)}


def _rule(change: RuleChange, old: Plan, new: Plan) -> dict[str, Any]:
    # What moved is the list, not the rule.
    path = change.rule.rpartition(".")[0] if change.kind == "moved" else change.rule
    before, after = (_value(_canonical(plan), path.split(".")) for plan in (old, new))
    if change.kind == "moved":
        before, after = ([each["id"] for each in restrictions] for restrictions in (before, after))
    return {
        "section": change.section,
        "rule": change.rule,
        "change": change.kind,
        "words": change.words,
        "old": before,
        "new": after,
    }


def _canonical(plan: Plan) -> dict[str, Any]:
    rules = canonical(plan)
    # As it is written, so that an incident without a rule is told from one that is not there.
    return rules | {"incidents": {name: {"when": when} for name, when in rules["incidents"].items()}}


def _value(value: Any, path: list[str]) -> Any:
    for step in path:
        if isinstance(value, list):
            value = next((each for each in value if each["id"] == step), None)
        elif isinstance(value, dict):
            value = value.get(step)
        else:
            return None
    return value


def _effects(effects: Effects) -> dict[str, Any]:
    return {
        "files": list(effects.files),
        "scored": effects.scored,
        "void": effects.void,
        "failed": effects.failed,
        "other_scenarios": effects.foreign,
        "changed": {"count": effects.changed, "largest": [_run(each) for each in effects.largest]},
        "flipped": {
            "to_resolved": effects.to_resolved,
            "to_unresolved": effects.to_unresolved,
            "largest": [_run(each) for each in effects.flipped],
        },
        "only_old": {"count": effects.only_old, "first": [_lost(each) for each in effects.only_old_runs]},
        "only_new": {"count": effects.only_new, "first": [_lost(each) for each in effects.only_new_runs]},
        "agents": [_agent(each) for each in effects.agents],
        "swapped": {"count": effects.swapped, "pairs": [_swap(each) for each in effects.swaps]},
    }


def _double(value: Fraction) -> float:
    return nearest_double(value.numerator, value.denominator)


def _run(run: ChangedRun) -> dict[str, Any]:
    return {
        "run": run.run,
        "agent": run.agent,
        "old": {
            "score": _double(run.old),
            "exact": text(run.old),
            "resolved": run.was_resolved,
            "incidents": list(run.old_incidents),
        },
        "new": {
            "score": _double(run.new),
            "exact": text(run.new),
            "resolved": run.is_resolved,
            "incidents": list(run.new_incidents),
        },
        "change": _double(run.change),
    }


def _lost(lost: LostRun) -> dict[str, Any]:
    score, bad = lost.score, lost.bad.to_record()
    return {
        "run": score.run,
        "agent": score.agent,
        "score": score.score,
        "exact": text(score.exact.score),
        "resolved": score.resolved,
        "input": bad["input"],
        "error": bad["error"],
    }


def _agent(agent: AgentMeans) -> dict[str, Any]:
    return {
        "agent": agent.agent,
        "runs": agent.runs,
        "old": {"mean_floored_score": _double(agent.old), "rank": agent.old_rank},
        "new": {"mean_floored_score": _double(agent.new), "rank": agent.new_rank},
    }


def _swap(swap: Swap) -> dict[str, Any]:
    return {"was_ahead": swap.ahead.agent, "is_ahead": swap.behind.agent}
