"""The shipped rulesets and their sample runs: exact figures, and that the samples show what they are there to show."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from outscore.loader import load
from outscore.scorer import Scorer

from tests import naive

ROOT = Path(__file__).parents[1]
EXPECTED: dict[str, dict[str, Any]] = yaml.load(
    (ROOT / "tests" / "scoring" / "shipped.yaml").read_text(encoding="utf-8"), yaml.BaseLoader
)
NAMES = sorted(path.stem for path in (ROOT / "rulesets").glob("*.yaml"))
FIGURES = ("uplift", "adjusted_uplift", "contact_cost", "score", "floored_score")


@cache
def rules_of(name: str) -> dict[str, Any]:
    return naive.load_ruleset((ROOT / "rulesets" / f"{name}.yaml").read_text(encoding="utf-8"))


@cache
def scorer_of(name: str) -> Scorer:
    return load(ROOT / "rulesets" / f"{name}.yaml")


@cache
def lines_of(name: str) -> list[str]:
    return (ROOT / "rulesets" / f"{name}.runs.jsonl").read_text(encoding="utf-8").splitlines()


def expected_of(name: str, run: str) -> dict[str, Any]:
    wanted = EXPECTED[name][run]
    return {
        "adjusted_uplift": wanted["uplift"],
        "floored_score": wanted["score"],
        "incidents": [],
        **wanted,
        "resolved": wanted["resolved"] == "true",
    }


SCORED = [
    pytest.param(name, line, id=f"{name}-{json.loads(line)['run']}")
    for name in NAMES
    for line in lines_of(name)
    if "void" not in json.loads(line)
]


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_run_has_its_figures_in_order(name: str) -> None:
    runs = [json.loads(line) for line in lines_of(name)]
    assert [run["run"] for run in runs] == list(EXPECTED[name])
    assert 8 <= len(runs) <= 20
    assert {run["scenario"] for run in runs} == {name}
    for run in runs:
        assert run.get("void") == EXPECTED[name][run["run"]].get("void")


@pytest.mark.parametrize(("name", "line"), SCORED)
def test_the_oracle_agrees(name: str, line: str) -> None:
    found = naive.score(rules_of(name), naive.load_run(line))
    assert {
        **{figure: str(getattr(found, figure)) for figure in FIGURES},
        "charges": [str(charge) for charge in found.charges],
        "resolved": found.resolved,
        "incidents": found.incidents,
    } == expected_of(name, json.loads(line)["run"])


@pytest.mark.parametrize(("name", "line"), SCORED)
def test_the_engine_agrees(name: str, line: str) -> None:
    found = json.loads(scorer_of(name).score(json.loads(line)).to_json())
    assert found["exact"] | {
        "charges": [charge["exact"] for charge in found["account"]],
        "resolved": found["resolved"],
        "incidents": found["incidents"],
    } == expected_of(name, json.loads(line)["run"])
    assert found["warnings"] == []


def test_by_hand() -> None:
    """A few of the figures, written out."""
    net_benefit = Fraction(4460) - Fraction(400) / 2
    uplift = (net_benefit - 1200) / (4800 - 1200)
    assert uplift == Fraction(85, 100)
    cost = Fraction("0.01") + Fraction("0.02") + Fraction("0.02")
    assert EXPECTED["claims_intake"]["r-0018"]["score"] == str(uplift - cost) == "4/5"
    assert 0.85 - (0.01 + 0.02 + 0.02) < 0.8, "plain floats would judge it unresolved"
    # A cent less of recovered money, and it is not resolved.
    below = (Fraction("4459.99") - 200 - 1200) / 3600 - cost
    assert EXPECTED["claims_intake"]["r-0019"]["score"] == str(below)

    downtime = Fraction("160") + Fraction("62.3")
    uplift = (downtime - 480) / (180 - 480)
    assert uplift == Fraction("0.859")
    # Three contacts, then 22.8 hours of which 12 are free, then the third trial.
    cost = 2 * Fraction("0.01") + Fraction("0.02") + Fraction("0.02") * Fraction("10.8") / 24 + Fraction("0.01")
    assert EXPECTED["on_call"]["oc-101"]["score"] == str(uplift - cost) == "4/5"


@pytest.mark.parametrize("name", NAMES)
def test_the_rulesets_own_tests_hold(name: str) -> None:
    tests = rules_of(name)["tests"]
    for test in tests:
        found = naive.score(rules_of(name), test["run"])
        assert {key: getattr(found, key) for key in test["expect"]} == test["expect"], test["name"]


@pytest.mark.parametrize("name", ["claims_intake", "on_call"])
def test_the_samples_show_what_can_happen(name: str) -> None:
    """Each feature of scoring that a reader would look for stands in the samples of these two."""
    runs = [naive.load_run(line) for line in lines_of(name)]
    scored = {run["run"]: naive.score(rules_of(name), run) for run in runs if "void" not in run}
    scores = list(scored.values())
    steps = [step for score in scores for charged in score.steps for step in charged]
    events = [event for run in runs for event in run.get("events", [])]
    free_hours = 24 * rules_of(name)["waiting"]["free_days"]
    waits = [[event["hours"] for event in run.get("events", []) if event["type"] == "wait"] for run in runs]
    shown = {
        "gain erased by an incident": any(score.incidents and score.uplift > 0 for score in scores),
        "harm kept with an incident": any(score.incidents and score.uplift < 0 for score in scores),
        "harm without incident": any(not score.incidents and score.uplift < 0 for score in scores),
        "a reported incident": any(run.get("incidents") for run in runs),
        "unanswered": any("unanswered" in score.free for score in scores),
        "past patience": any(rule.endswith("past_patience") for rule, *_ in steps),
        "a restriction by the clock": any(rule.endswith(("after_hours", "woken")) for rule, *_ in steps),
        "exactly at 0.8": any(score.score == Fraction(4, 5) and score.resolved for score in scores),
        "just below": any(Fraction("0.7999") < score.score < Fraction(4, 5) for score in scores),
        "better than the expert": any(score.uplift > 1 for score in scores),
        "nothing changed": any(score.uplift == 0 for score in scores),
        "void": any("void" in run for run in runs),
        "trials": any(event["type"] == "trial" for event in events),
        "free hours end inside a wait": any(_ends_inside(hours, free_hours) for hours in waits),
        "someone not listed": any(rule.startswith("contacts.anyone_else") for rule, *_ in steps),
        "offsets": any(event.get("at", "").endswith(("Z", "00")) and event["at"].count(":") > 1 for event in events),
        "an agent's second try at a task": len({(run["agent"], run["task"]) for run in runs}) < len(runs),
        "agents to compare": len({run["agent"] for run in runs}) > 1,
    }
    missing = [feature for feature, is_shown in shown.items() if not is_shown]
    assert missing == []


def _ends_inside(hours: list[Fraction], free: Fraction) -> bool:
    return any(sum(hours[:index]) < free < sum(hours[: index + 1]) for index in range(len(hours)))


@pytest.mark.parametrize(
    ("name", "run", "event", "as_if", "charge", "charge_as_if"),
    [
        # With the offset that was in force before the clock changed, each would have been charged otherwise.
        ("claims_intake", "r-0025", 1, "2026-03-30T08:15", "1/50", "3/100"),
        ("claims_intake", "r-0025", 2, "2026-03-30T17:05", "1/50", "1/100"),
        ("on_call", "oc-105", 1, "2026-03-08T06:05", "1/20", "11/100"),
        ("on_call", "oc-105", 2, "2026-03-08T21:00", "1/25", "1/100"),
    ],
)
def test_the_change_of_the_clock_matters(
    name: str, run: str, event: int, as_if: str, charge: str, charge_as_if: str
) -> None:
    (line,) = (line for line in lines_of(name) if json.loads(line)["run"] == run)
    data = naive.load_run(line)
    assert str(naive.score(rules_of(name), data).charges[event]) == charge
    # The same run told on the wrong wall clock, all its times without offsets.
    events = data["events"]
    for index, each in enumerate(events):
        each["at"] = as_if if index >= event else each["at"][:16]
    assert str(naive.score(rules_of(name), data).charges[event]) == charge_as_if
