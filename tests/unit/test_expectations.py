"""Expectations as they are written: a slip is found when the ruleset is loaded, and schema and model agree."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from outscore.casetest import read_suite
from outscore.diagnostics import Code
from outscore.ruleset.model import Ruleset
from outscore.schema import check as checking
from outscore.schema.cases import REFUSALS
from pydantic import ValidationError

RULES = """\
outscore: 1
scenario: desk
kpi: {direction: higher}
contacts:
  people:
    chief: {price: 0.1, patience: 2, past_patience: {times: 3}}
    clerk: {price: 0}
  restrictions:
    - {id: by_call, when: nth > 1, charge: {plus: 0.005}}
incidents: {collapse: {when: delivered.kpi < -50}, outage: {}}
tests:
- name: one
  run:
    kpi: {baseline: 0, delivered: 1, reference: 1}
    events: [{type: contact, to: chief}, {type: contact, to: clerk}]
"""


@pytest.mark.parametrize(
    ("expect", "code", "at", "hint"),
    [
        ("{scroe: 1}", Code.UNKNOWN_KEY, "scroe", "did you mean 'score'?"),
        ("{acount: [{nth: 1}]}", Code.UNKNOWN_KEY, "acount", "did you mean 'account'?"),
        ("{account: [{ammount: 1}]}", Code.UNKNOWN_KEY, "ammount", "did you mean 'amount'?"),
        ("{account: [{steps: [{rul: x}]}]}", Code.UNKNOWN_KEY, "rul", "did you mean 'rule'?"),
        ("{exact: {scor: 1/2}}", Code.UNKNOWN_KEY, "scor", "did you mean 'score'?"),
        ("{account: [{type: trail}]}", Code.BAD_VALUE, "trail", "did you mean 'trial'?"),
        ("{account: [{free: unanswerd}]}", Code.BAD_VALUE, "unanswerd", "did you mean 'unanswered'?"),
        ("{error: unknown-persn}", Code.BAD_VALUE, "unknown-persn", "did you mean 'unknown-person'?"),
        ("{error: nonsense}", Code.BAD_VALUE, "nonsense", f"the codes are {', '.join(REFUSALS)}"),
        ("{error: time-order, score: 1}", Code.CONFLICT, "score", "keep 'error' alone, or take it out"),
        ("{incidents: [outge]}", Code.UNKNOWN_NAME, "outge", "did you mean 'outage'?"),
        ("{incidents: [qqq]}", Code.UNKNOWN_NAME, "qqq", "known are collapse, outage"),
        ("{account: [{to: clrk}]}", Code.UNKNOWN_NAME, "clrk", "did you mean 'clerk'?"),
        (
            "{account: [{steps: [{rule: contacts.restrictions.by_cal}]}]}",
            Code.UNKNOWN_NAME,
            "contacts.restrictions.by_cal",
            "did you mean 'contacts.restrictions.by_call'?",
        ),
        (
            "{account: [{steps: [{rule: contacts.people.clerk.past_patience}]}]}",
            Code.UNKNOWN_NAME,
            "contacts.people.clerk.past_patience",
            "did you mean 'contacts.people.chief.past_patience'?",
        ),
        ("{account: [{steps: [{plus: 1}]}]}", Code.MISSING_KEY, "{plus: 1}", None),
        ("{account: []}", Code.BAD_VALUE, "[]", None),
        ("{account: [{}]}", Code.BAD_VALUE, "{}", None),
        ("{account: [{event: 0}]}", Code.BAD_VALUE, "0", None),
        ("{account: [{event: 1.5}]}", Code.WRONG_TYPE, "1.5", None),
        ('{account: [{amount: "0.1"}]}', Code.WRONG_TYPE, '"0.1"', "drop the quotes: amount: 0.1"),
        ('{charges: ["0.1"]}', Code.WRONG_TYPE, '"0.1"', "drop the quotes: 0.1"),
        ("{charges: [1/0]}", Code.BAD_VALUE, "1/0", "write for example '4/5'"),
        ("{charges: [true]}", Code.WRONG_TYPE, "true", None),
        ("{resolved: 1}", Code.WRONG_TYPE, "1", None),
    ],
)
def test_a_slip_in_an_expectation_is_found_at_load(expect: str, code: Code, at: str, hint: str | None) -> None:
    suite = read_suite(f"{RULES}  expect: {expect}\n".encode(), "desk.yaml")
    assert suite.ruleset is None
    assert suite.cases == ()
    (found,) = suite.diagnostics
    assert found.code is code
    assert found.span is not None
    assert found.span.line == suite.text.count("\n")
    assert suite.text.splitlines()[-1][found.span.column - 1 : found.span.end_column - 1] == at
    if hint is not None:
        assert found.hint == hint


def test_names_that_only_the_run_brings_are_no_slips() -> None:
    text = RULES.replace("    clerk: {price: 0}", "    clerk: {price: 0}\n  anyone_else: {price: 0}")
    text = text.replace("to: chief", "to: stranger").replace("  run:", "  run:\n    incidents: [flood]")
    rule = "contacts.anyone_else.price"
    text += f"  expect: {{incidents: [flood], account: [{{to: stranger, steps: [{{rule: {rule}}}]}}, {{to: clerk}}]}}\n"
    suite = read_suite(text.encode(), "desk.yaml")
    assert suite.diagnostics == ()
    assert suite.run(suite.cases[0]).has_passed


CONTACTS = "events: [{type: contact, to: chief}, {type: contact, to: clerk}]"
STRANGERS = "events: [{type: contact, to: cheif, answered: false}, {type: contact, to: director}]"


def test_people_for_whom_a_test_is_refused_are_found_at_load() -> None:
    text = RULES.replace(CONTACTS, STRANGERS)
    suite = read_suite(f"{text}  expect: {{score: 1}}\n".encode(), "desk.yaml")
    assert suite.ruleset is None
    words = [(each.code, each.message, each.hint) for each in suite.diagnostics]
    assert words == [
        (
            Code.UNKNOWN_PERSON,
            f"tests[0].run.events[{position}].to is '{name}', whom the ruleset does not list",
            hint,
        )
        for position, name, hint in ((0, "cheif", "did you mean 'chief'?"), (1, "director", "known are chief, clerk"))
    ]
    spans = [each.span for each in suite.diagnostics if each.span is not None]
    lines = suite.text.splitlines()
    assert [lines[each.line - 1][each.column - 1 : each.end_column - 1] for each in spans] == ["cheif", "director"]


@pytest.mark.parametrize(
    ("rules", "expect"),
    [
        # Whom they may be refused for is what the test is about.
        (RULES, "{error: unknown-person}"),
        (RULES, "{error: time-order}"),
        (RULES.replace("  restrictions:", "  anyone_else: {price: 0}\n  restrictions:"), "{score: 1}"),
        # Without the section it is the event that has no price, whoever it is with.
        (RULES.replace("contacts:", "x-contacts:"), "{score: 1}"),
    ],
)
def test_people_who_are_not_refused_or_meant_to_be_are_no_slips(rules: str, expect: str) -> None:
    suite = read_suite(f"{rules.replace(CONTACTS, STRANGERS)}  expect: {expect}\n".encode(), "desk.yaml")
    assert suite.diagnostics == ()


DATA: dict[str, Any] = {
    "outscore": 1,
    "scenario": "demo",
    "kpi": {"direction": "higher"},
    "tests": [
        {
            "name": "scored",
            "run": {"kpi": {"delivered": 1}},
            "expect": {
                "charges": [0, Decimal("0.5"), "1/3"],
                "account": [
                    {"event": 2, "type": "wait", "to": "chief", "nth": 1, "hours": 36, "amount": "1/3"},
                    {
                        "exact": "1/3",
                        "free": "not counted",
                        "steps": [{"rule": "trials.prices", "price": 1, "times": 2, "plus": -1, "amount": "1/3"}],
                    },
                ],
            },
        },
        {"name": "refused", "run": {"kpi": {"delivered": 1}}, "expect": {"error": "time-order"}},
    ],
}
OTHERS: list[object] = [
    ...,
    None,
    True,
    "",
    "x",
    "0.5",
    "1/3",
    "1/0",
    "-2",
    "1" * 1001,
    "unanswered",
    "trial",
    "bad-time",
    0,
    1,
    -1,
    Decimal("0.5"),
    Decimal("2.0"),
    [],
    [1],
    ["1/3"],
    [None],
    {},
    {"rule": "a"},
    {"nth": 1},
    {"zzz": 1},
    {"error": "bad-time"},
]


def _paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, each in items:
        yield (*path, step)
        yield from _paths(each, (*path, step))


def test_schema_and_model_agree_on_expectations() -> None:
    is_valid = checking._validator().is_valid
    verdicts = []
    for path in _paths(DATA):
        if path[0] != "tests" or "expect" not in path:
            continue
        for other in OTHERS:
            data = copy.deepcopy(DATA)
            at: Any = data
            for step in path[:-1]:
                at = at[step]
            if other is ... and isinstance(path[-1], int):
                continue
            if other is ...:
                del at[path[-1]]
            else:
                at[path[-1]] = other
            by_schema = is_valid(data)
            try:
                Ruleset.model_validate(data)
                by_model = True
            except ValidationError:
                by_model = False
            assert by_schema == by_model, (path, other)
            verdicts.append(by_schema)
    assert is_valid(DATA)
    assert verdicts.count(True) > 80
    assert verdicts.count(False) > 300


def test_error_and_score_exclude_each_other_in_both() -> None:
    data = copy.deepcopy(DATA)
    data["tests"][1]["expect"]["score"] = 1
    assert not checking._validator().is_valid(data)
    with pytest.raises(ValidationError):
        Ruleset.model_validate(data)
