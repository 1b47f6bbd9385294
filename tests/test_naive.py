"""The oracle of the tests against the conformance cases, and against small cases worked out by hand."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests import naive

LINES = (Path(__file__).parent / "conformance" / "conformance.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]


def test_there_are_250_cases() -> None:
    assert len({case["id"] for case in CASES}) == 250


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_conformance(case: dict) -> None:
    wanted = case["expected"]
    found = naive.score(naive.load_ruleset(case["ruleset"]), naive.load_run(case["run"]))
    assert {
        "uplift": str(found.uplift),
        "adjusted_uplift": str(found.adjusted_uplift),
        "contact_cost": str(found.contact_cost),
        "score": str(found.score),
        "floored": str(found.floored_score),
        "resolved": found.resolved,
        "incidents": found.incidents,
        "charges": [str(charge) for charge in found.charges],
    } == wanted


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1 + 0.2", Fraction(3, 10)),
        ("1 / 3 * 3 == 1", True),
        ("-2 - -3", Fraction(1)),
        ("1e-2", Fraction(1, 100)),
        ("1 < n <= 5", True),
        ("5 < n < missing", False),
        ("word in ['a', 'é'] and not word == 'a'", True),
        ("min(n, 3, 4) if true else missing", Fraction(3)),
        ("false and missing", False),
        ("true or missing", True),
        ("abs(delivered.x)", Fraction(7)),
    ],
)
def test_expressions(text: str, value: object) -> None:
    assert naive.evaluate(text, {"n": Fraction(5), "word": "é", "delivered.x": Fraction(-7)}) == value


RULES = """
outscore: 1
scenario: s
timezone: Europe/Berlin
kpi: {direction: higher}
contacts:
  people:
    a: {price: 0.01, patience: 1, past_patience: {times: 3}}
  restrictions:
    - {id: early, when: hour < 9, charge: {plus: 0.5}}
    - {id: later, when: day > 0, charge: {plus: 1}}
"""


def _charges(*events: dict) -> list[Fraction]:
    run = {"kpi": {"baseline": Fraction(0), "delivered": Fraction(1), "reference": Fraction(1)}, "events": events}
    return naive.score(naive.load_ruleset(RULES), run).charges


def _contact(at: str, **rest: object) -> dict:
    return {"type": "contact", "to": "a", "at": at, **rest}


@pytest.mark.parametrize(
    ("events", "charges"),
    [
        # The second answered contact is the first past a patience of one.
        ([_contact("2026-03-02T09:00"), _contact("2026-03-02T09:00")], ["0.01", "0.03"]),
        # An unanswered one is free and uses up nobody's patience, but its time is the first of the run.
        ([_contact("2026-03-02T08:00", answered=False), _contact("2026-03-03T08:00")], ["0", "1.51"]),
        ([_contact("2026-03-02T09:00"), _contact("2026-03-03T08:59:59.9")], ["0.01", "0.53"]),
        # The clock goes forward in Berlin on 2026-03-29: 24 hours after 08:30 it shows 09:30.
        ([_contact("2026-03-28T07:30Z"), _contact("2026-03-29T09:30+02:00")], ["0.51", "1.03"]),
        # 23 hours by the clock, 24 elapsed, when it goes back on 2026-10-25.
        ([_contact("2026-10-24T12:00+02:00"), _contact("2026-10-25T11:00+01:00")], ["0.01", "1.03"]),
    ],
)
def test_charges_of_contacts(events: list[dict], charges: list[str]) -> None:
    assert _charges(*events) == [Fraction(charge) for charge in charges]


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([_contact("2026-03-02T09:00"), _contact("2026-03-02T08:59:59")], "time-order"),
        ([_contact("2026-03-02T09:00"), _contact("2026-03-02T09:01Z")], "mixed-times"),
        ([{"type": "contact", "to": "a"}], "missing-value"),
        ([{"type": "contact", "to": "b", "answered": False}], "unknown-person"),
        ([{"type": "trial"}], "unexpected-event"),
    ],
)
def test_what_has_no_score(events: list[dict], code: str) -> None:
    with pytest.raises(naive.NoScoreError) as caught:
        _charges(*events)
    assert caught.value.code == code
