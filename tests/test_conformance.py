"""The engine against exact expected figures, on both of its paths, and the JSON numbers against the nearest doubles."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from outscore.diagnostics import RunError
from outscore.jsontext import read_json
from outscore.loader import loads
from outscore.run import Run, read_run
from outscore.score import Score
from outscore.scorer import Scorer

from tests.cases import conformance_cases, fractions, named_cases, ruleset_text, run_text

FIGURES = ("uplift", "adjusted_uplift", "contact_cost", "score", "floored_score")


def by_every_path(scorer: Scorer, text: str) -> list[Score]:
    """The score of a run as text, as bytes, as a record, and by the general path."""
    run = read_run(read_json(text), scorer.plan)
    assert isinstance(run, Run)
    scores = [scorer.score(text), scorer.score(text.encode()), scorer.score(read_json(text)), scorer.score(run)]
    return [score for score in scores if isinstance(score, Score)]


def check(scorer: Scorer, text: str, expected: dict[str, Any]) -> None:
    first, *others = by_every_path(scorer, text)
    assert len(others) == 3
    assert {other.to_json() for other in others} == {first.to_json()}
    for name in FIGURES:
        if name in expected:
            assert getattr(first.exact, name) == Fraction(expected[name]), name
    if "charges" in expected:
        assert [charge.amount for charge in first.account] == fractions(expected["charges"])
    assert first.account.total() == first.exact.contact_cost
    for name in ("incidents", "warnings"):
        if name in expected:
            assert list(getattr(first, name)) == expected[name]
    if "resolved" in expected:
        assert str(first.resolved).lower() == str(expected["resolved"]).lower()
    check_doubles(first)


def check_doubles(score: Score) -> None:
    """Each JSON number is the double nearest to the exact value beside it."""
    record = json.loads(score.to_json())
    assert record == score.to_record()
    for name in FIGURES:
        assert is_nearest(record[name], Fraction(record["exact"][name])), name
        assert str(record[name]) != "-0.0"
    for charge in record["account"]:
        assert is_nearest(charge["amount"], Fraction(charge["exact"]))
        if "steps" in charge:
            assert charge["exact"] == charge["steps"][-1]["amount"]


def is_nearest(double: float, exact: Fraction) -> bool:
    """Whether no double is nearer: half the distance to either neighbour is not less than the error."""
    import math

    error = abs(Fraction(double) - exact)
    below, above = math.nextafter(double, -math.inf), math.nextafter(double, math.inf)
    return all(error <= abs(Fraction(neighbour) - exact) for neighbour in (below, above))


CASES = conformance_cases()


def test_there_are_250_cases() -> None:
    assert len(CASES) == 250


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_conformance(case: dict[str, Any]) -> None:
    expected = dict(case["expected"])
    expected["floored_score"] = expected.pop("floored")
    check(loads(case["ruleset"], case["id"]), case["run"], expected)


def test_the_fast_path_takes_every_conformance_case() -> None:
    # A slip in the generated function would only make it slow: the general path would silently do its work.
    for case in CASES:
        loads(case["ruleset"])._fast.score(read_json(case["run"]))


NAMED = named_cases()


@pytest.mark.parametrize("case", NAMED, ids=lambda case: case["name"])
def test_named(case: dict[str, Any]) -> None:
    scorer = loads(ruleset_text(case.get("rules")))
    text = run_text(case.get("run"))
    if "error" in case:
        code, path = case["error"]
        for run in (text, text.encode(), read_json(text)):
            with pytest.raises(RunError) as caught:
                scorer.score(run)
            assert (caught.value.code, caught.value.path, caught.value.run) == (code, path, "r1")
    else:
        check(scorer, text, case["expect"])


def test_names_are_given_once() -> None:
    names = [case["name"] for case in NAMED]
    assert len(set(names)) == len(names)


def test_240_waits_of_a_tenth_of_an_hour_are_one_of_24() -> None:
    rules = '{"outscore": 1, "scenario": "case", "kpi": {"direction": "higher"}, "waiting": %s}'
    scorer = loads(rules % '{"count": true, "price_per_day": 0.07, "free_days": 0.25}')
    short = run_text({"events": [{"type": "wait", "hours": json.loads("0.1")}] * 240})
    long = run_text({"events": [{"type": "wait", "hours": 24}]})
    one, many = by_every_path(scorer, long)[0], by_every_path(scorer, short)
    assert {score.exact.score for score in many} == {one.exact.score}
    assert one.exact.contact_cost == Fraction("0.07") * 18 / 24
