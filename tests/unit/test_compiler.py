"""A plan holds the rules' meaning and nothing else; its digest changes with the meaning and with nothing else."""

from __future__ import annotations

import hashlib
import json
import pickle
from fractions import Fraction
from pathlib import Path

import pytest
from outscore.compiler import canonical, compile_ruleset, digest_of
from outscore.document import read_document
from outscore.plan import Change, Person, Plan, Trials
from outscore.ruleset import read_ruleset

OK = Path(__file__).parents[1] / "rulesets" / "ok"
CLAIMS = (OK / "claims_intake.yaml").read_text(encoding="utf-8")

BASE = """\
outscore: 1
scenario: demo
title: Demo
description: A demo.
timezone: Europe/Berlin
kpi:
  name: Gain
  unit: EUR
  direction: higher
  measures: [gain, loss]
  formula: gain - 0.5 * loss
  pinned:
    baseline: {gain: 1, loss: 2}
    reference: {gain: 5, loss: 2}
fields:
  channel: [chat, mail, call]
  minutes: number
contacts:
  people:
    chief: {role: Boss, price: 0.01, patience: 4, past_patience: {times: 3}}
    sponsor: {price: 0.05}
  anyone_else: {price: 0.02}
  restrictions:
    - {id: late, why: Dark., when: hour >= 18, charge: {plus: 0.01}}
    - {id: long, charge: {plus: 0.001 * minutes}}
trials:
  count: true
  prices: [0, 0.02]
  restrictions: []
waiting:
  count: true
  price_per_day: 0.01
incidents:
  outage: {why: Down.}
  harm: {when: delivered.loss > 2}
tests:
  - {name: t, run: {kpi: {delivered: {gain: 5, loss: 2}}}, expect: {resolved: true}}
"""


def compiled(text: str) -> Plan:
    document, problems = read_document(text.encode(), "r.yaml")
    assert document is not None, problems
    ruleset, findings, _ = read_ruleset(document)
    assert ruleset is not None, findings
    return compile_ruleset(ruleset)


def edited(*changes: tuple[str, str]) -> str:
    text = BASE
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def test_the_claims_example_compiles_to_its_rules() -> None:
    plan = compiled(CLAIMS)
    assert plan.scenario == "claims_intake"
    assert plan.timezone == "Europe/Berlin"
    assert plan.kpi.pinned_baseline == {"recovered": 1500, "refunds": 600, "missed_urgent": 0}
    assert plan.fields == {"channel": ("chat", "mail", "call"), "minutes": "number"}
    assert plan.contacts is not None
    assert plan.contacts.people == {
        "head_of_claims": Person(Fraction(1, 100), 4, Change("times", Fraction(3))),
        "fraud_analyst": Person(Fraction(1, 50), 2, Change("plus", Fraction(3, 100))),
        "sponsor": Person(Fraction(1, 20)),
    }
    assert plan.contacts.anyone_else == Person(Fraction(1, 50))
    assert [each.id for each in plan.contacts.restrictions] == ["after_hours", "sponsor_once"]
    assert plan.contacts.restrictions[1].charge == Change("price", Fraction(3, 20))
    assert plan.trials == Trials(True, (Fraction(0), Fraction(1, 50), Fraction(1, 20)), ())
    assert plan.waiting is not None
    assert (plan.waiting.price_per_day, plan.waiting.free_days) == (Fraction(1, 100), Fraction(1))
    assert list(plan.incidents) == ["missed_emergency", "outage"]
    assert plan.incidents["outage"] is None
    assert plan.incidents["missed_emergency"] is not None


def test_a_plan_pickles_and_hashes() -> None:
    plan = compiled(BASE)
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan
    assert hash(again) == hash(plan)


def test_the_canonical_form_is_as_the_module_describes_it() -> None:
    form = {
        "format": 1,
        "scenario": "demo",
        "timezone": "Europe/Berlin",
        "kpi": {
            "direction": "higher",
            "measures": ["gain", "loss"],
            "formula": "gain - 0.5 * loss",
            "pinned": {"baseline": {"gain": "1", "loss": "2"}, "reference": {"gain": "5", "loss": "2"}},
        },
        "fields": {"channel": ["call", "chat", "mail"], "minutes": "number"},
        "contacts": {
            "people": {
                "chief": {"price": "1/100", "patience": 4, "past_patience": {"times": "3"}},
                "sponsor": {"price": "1/20", "patience": None, "past_patience": None},
            },
            "anyone_else": {"price": "1/50", "patience": None, "past_patience": None},
            "restrictions": [
                {"id": "late", "when": "hour >= 18", "charge": {"plus": "1/100"}},
                {"id": "long", "when": None, "charge": {"plus": {"expression": "0.001 * minutes"}}},
            ],
        },
        "trials": {"count": True, "prices": ["0", "1/50"], "restrictions": []},
        "waiting": {"count": True, "price_per_day": "1/100", "free_days": "0", "restrictions": []},
        "incidents": {"outage": None, "harm": "delivered.loss > 2"},
    }
    plan = compiled(BASE)
    assert canonical(plan) == form
    text = json.dumps(form, sort_keys=True, separators=(",", ":"))
    assert plan.digest == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    assert digest_of(plan) == plan.digest


def test_absent_sections_are_null() -> None:
    form = canonical(compiled("outscore: 1\nscenario: demo\nkpi: {direction: lower}\n"))
    assert form == {
        "format": 1,
        "scenario": "demo",
        "timezone": None,
        "kpi": {"direction": "lower", "measures": [], "formula": None, "pinned": None},
        "fields": {},
        "contacts": None,
        "trials": None,
        "waiting": None,
        "incidents": {},
    }


# A digest that stood in results once must never change for the same rules.
def test_the_digest_of_the_smallest_ruleset_is_fixed() -> None:
    plan = compiled("outscore: 1\nscenario: demo\nkpi: {direction: lower}\n")
    text = (
        '{"contacts":null,"fields":{},"format":1,"incidents":{},"kpi":{"direction":"lower","formula":null,'
        '"measures":[],"pinned":null},"scenario":"demo","timezone":null,"trials":null,"waiting":null}'
    )
    assert plan.digest == "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


SAME = {
    "a title": [("title: Demo", "title: Another")],
    "no description": [("description: A demo.\n", "")],
    "the names of the number": [("name: Gain", "name: Profit"), ("unit: EUR", "unit: USD")],
    "a role": [("role: Boss, ", "")],
    "a reason": [("why: Dark.", "why: It is late."), (" {why: Down.}", " {}")],
    "a comment": [("trials:\n", "# Trials are dear.\ntrials:\n")],
    "layout": [("  anyone_else: {price: 0.02}", "  anyone_else:\n    price:   0.02\n")],
    "key order": [("  count: true\n  price_per_day: 0.01", "  price_per_day: 0.01\n  count: true")],
    "numbers written otherwise": [("price: 0.01, p", "price: 1e-2, p"), ("[0, 0.02]", "[0.0, 2.0e-2]")],
    "a whole number as a decimal": [("patience: 4", "patience: 4.0")],
    "an expression written otherwise": [("gain - 0.5 * loss", "(gain) - (0.50*loss)"), ("hour >= 18", "hour>=18.0")],
    "quotes": [("hour >= 18", "'hour >= 18'")],
    "order of people": [
        ("    sponsor: {price: 0.05}\n", ""),
        ("  people:\n", "  people:\n    sponsor: {price: 0.05}\n"),
    ],
    "order of fields, options, measures": [
        ("  channel: [chat, mail, call]\n  minutes: number", "  minutes: number\n  channel: [mail, call, chat]"),
        ("[gain, loss]", "[loss, gain]"),
        ("{gain: 1, loss: 2}", "{loss: 2, gain: 1}"),
    ],
    "order of incidents": [
        ("  outage: {why: Down.}\n", ""),
        ("  harm: {when: delivered.loss > 2}\n", "  harm: {when: delivered.loss > 2}\n  outage: {}\n"),
    ],
    "a default written out": [("  price_per_day: 0.01", "  price_per_day: 0.01\n  free_days: 0\n  restrictions: []")],
    "a default left out": [("  restrictions: []\n", "")],
    "an anchor": [
        ("kpi:\n", "x-seller: &seller {price: 0.05}\nkpi:\n"),
        ("    sponsor: {price: 0.05}", "    sponsor: *seller"),
    ],
    "a merge": [
        ("kpi:\n", "x-seller: &seller {price: 0.05}\nkpi:\n"),
        ("    sponsor: {price: 0.05}", "    sponsor: {<<: *seller}"),
    ],
    "no tests": [("  - {name: t, run: {kpi: {delivered: {gain: 5, loss: 2}}}, expect: {resolved: true}}\n", "  []\n")],
}  # fmt: skip

OTHER = {
    "scenario": [("scenario: demo", "scenario: demo2")],
    "timezone": [("Europe/Berlin", "Europe/Paris")],
    "no timezone": [("timezone: Europe/Berlin\n", "")],
    "direction": [("direction: higher", "direction: lower"), ("{gain: 5, loss: 2}\nf", "{gain: 0, loss: 2}\nf")],
    "formula": [("0.5 * loss", "0.4 * loss")],
    "pinned baseline": [("{gain: 1, loss: 2}", "{gain: 1.5, loss: 2}")],
    "pinned reference": [("reference: {gain: 5, loss: 2}", "reference: {gain: 6, loss: 2}")],
    "no pinned": [("  pinned:\n    baseline: {gain: 1, loss: 2}\n    reference: {gain: 5, loss: 2}\n", "")],
    "measure": [
        ("[gain, loss]", "[gain, loss, cases]"),
        ("baseline: {", "baseline: {cases: 0, "),
        ("reference: {", "reference: {cases: 0, "),
    ],
    "field": [("  minutes: number", "  minutes: number\n  urgent: boolean")],
    "option": [("[chat, mail, call]", "[chat, mail]")],
    "field type": [("channel: [chat, mail, call]", "channel: text")],
    "person": [("    sponsor: {price: 0.05}\n", "")],
    "person's id": [("    sponsor: {price: 0.05}\n", "    sponsors: {price: 0.05}\n")],
    "price": [("sponsor: {price: 0.05}", "sponsor: {price: 0.050000000000000000001}")],
    "patience": [("patience: 4", "patience: 5")],
    "past patience": [("{times: 3}", "{times: 3.5}")],
    "kind of past patience": [("{times: 3}", "{plus: 3}")],
    "no patience": [(", patience: 4, past_patience: {times: 3}", "")],
    "anyone else": [("  anyone_else: {price: 0.02}\n", "")],
    "restriction's id": [("id: late", "id: later")],
    "condition": [("hour >= 18", "hour > 18")],
    "no condition": [(" when: hour >= 18,", "")],
    "charge": [("charge: {plus: 0.01}", "charge: {plus: 0.02}")],
    "kind of charge": [("charge: {plus: 0.01}", "charge: {price: 0.01}")],
    "charge expression": [("0.001 * minutes", "0.002 * minutes")],
    "order of restrictions": [
        ("    - {id: long, charge: {plus: 0.001 * minutes}}\n", ""),
        ("  restrictions:\n", "  restrictions:\n    - {id: long, charge: {plus: 0.001 * minutes}}\n"),
    ],
    "trials not counted": [("trials:\n  count: true", "trials:\n  count: false")],
    "trial prices": [("[0, 0.02]", "[0.02, 0]")],
    "a price more": [("[0, 0.02]", "[0, 0.02, 0.02]")],
    "trial restriction": [("  restrictions: []\n", "  restrictions: [{id: a, charge: {plus: 1}}]\n")],
    "no trials": [("trials:\n  count: true\n  prices: [0, 0.02]\n  restrictions: []\n", "")],
    "waiting not counted": [("  count: true\n  price_per_day", "  count: false\n  price_per_day")],
    "price per day": [("price_per_day: 0.01", "price_per_day: 0.011")],
    "free days": [("price_per_day: 0.01", "price_per_day: 0.01\n  free_days: 1")],
    "incident": [("  outage: {why: Down.}\n", "")],
    "incident's condition": [("delivered.loss > 2", "delivered.loss > 3")],
    "incident by report": [(" {when: delivered.loss > 2}", " {}")],
}  # fmt: skip


@pytest.mark.parametrize("changes", SAME.values(), ids=SAME)
def test_the_digest_stays_when_the_meaning_does(changes: list[tuple[str, str]]) -> None:
    text = edited(*changes)
    assert text != BASE
    assert compiled(text).digest == compiled(BASE).digest


def test_every_change_of_a_rule_changes_the_digest() -> None:
    digests = {"as it was": compiled(BASE).digest}
    for name, changes in OTHER.items():
        digests[name] = compiled(edited(*changes)).digest
    assert len(set(digests.values())) == len(digests)


def test_a_constant_is_not_mistaken_for_an_expression() -> None:
    number, text = edited(("{plus: 0.001 * minutes}", "{plus: 0.5}")), edited(("0.001 * minutes", "1 / 2"))
    assert compiled(number).digest != compiled(text).digest
