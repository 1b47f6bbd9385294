"""The price sheet of a scorer: list prices, and what follows them, as events are charged."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from pathlib import Path

import pytest
from outscore import PriceSheet, open_ledger
from outscore.loader import load, loads

from tests.cases import ruleset_text

RULESETS = Path(__file__).parents[2] / "rulesets"


def sheet_of(name: str) -> PriceSheet:
    return load(RULESETS / f"{name}.yaml").price_sheet()


def test_people() -> None:
    people = sheet_of("claims_intake").people
    assert [people["head_of_claims"].nth(nth) for nth in (1, 4, 5, 99)] == [Fraction(n, 100) for n in (1, 1, 3, 3)]
    assert [people["fraud_analyst"].nth(nth) for nth in (2, 3)] == [Fraction(2, 100), Fraction(5, 100)]
    assert people["sponsor"].patience is None
    assert people["sponsor"].nth(10**6) == Fraction(1, 20)


def test_the_rest() -> None:
    sheet = sheet_of("claims_intake")
    assert sheet.anyone_else is not None
    assert sheet.trials is not None
    assert sheet.waiting is not None
    assert sheet.anyone_else.price == Fraction(1, 50)
    assert [sheet.trials.nth(nth) for nth in (1, 2, 3, 9)] == [0, Fraction(1, 50), Fraction(1, 20), Fraction(1, 20)]
    assert (sheet.waiting.price_per_day, sheet.waiting.free_days) == (Fraction(1, 100), 1)
    rules = [(rule.section, rule.id, rule.kind, rule.value, rule.is_conditional) for rule in sheet.restrictions]
    assert rules == [
        ("contacts", "after_hours", "plus", Fraction(1, 100), True),
        ("contacts", "sponsor_once", "price", Fraction(3, 20), True),
    ]


def test_what_is_not_counted_or_not_there() -> None:
    sheet = loads(ruleset_text({"trials": {"count": False}})).price_sheet()
    assert sheet.trials is not None
    assert (sheet.trials.count, sheet.trials.nth(3)) == (False, 0)
    assert (sheet.waiting, sheet.anyone_else) == (None, None)


@pytest.mark.parametrize("name", [path.stem for path in RULESETS.glob("*.yaml")])
def test_prices_are_those_that_are_charged(name: str) -> None:
    """An event's first steps are its list price and the person's patience, whatever the restrictions make of it."""
    scorer = load(RULESETS / f"{name}.yaml")
    sheet, ledger = scorer.price_sheet(), open_ledger(scorer, "r")
    fields = {
        field: {"number": 1, "text": "x", "boolean": False}.get(str(type_), type_[0])
        for field, type_ in scorer.plan.fields.items()
    }
    for nth in range(1, 8):
        for person, prices in sheet.people.items():
            charge = ledger.contact(person, at="2026-03-02T10:00", **fields)  # type: ignore[arg-type]
            own = [step.amount for step in charge.steps if step.rule.startswith("contacts.people.")]
            assert own[-1] == prices.nth(nth)


def test_plain_data() -> None:
    sheet = sheet_of("claims_intake")
    record = json.loads(json.dumps(sheet.to_record()))
    assert record["people"]["head_of_claims"] == {"price": "1/100", "patience": 4, "past_patience": "3/100"}
    assert record["trials"] == {"count": True, "prices": ["0", "1/50", "1/20"]}
    assert record["scenario"] == "claims_intake"
    assert pickle.loads(pickle.dumps(sheet)) == sheet
