"""Tests beside the rules: exact comparison, refusals, and slips found at load."""

from __future__ import annotations

import copy
import json
import re
from fractions import Fraction
from typing import Any

import pytest
from outscore.casetest import CaseResult, SuiteResult, read_suite, run_suite
from outscore.casetest.compare import shown
from outscore.casetest.words import came_to, told
from outscore.diagnostics import Code, Diagnostic, dotted
from outscore.document import read_document
from outscore.schema.cases import REFUSALS

from tests.cases import conformance_cases

RULES = """\
outscore: 1
scenario: desk
timezone: Europe/Berlin
kpi: {direction: higher}
fields: {channel: [chat, call], minutes: number}
contacts:
  people:
    chief:
      price: 0.1
      patience: 2
      past_patience: {times: 3}
    clerk: {price: 0.02}
  restrictions:
    - id: by_call
      when: channel == "call"
      charge: {plus: 0.005}
    - id: dear
      when: minutes > 10
      charge: {times: 1 / (minutes - 11)}
trials: {count: true, prices: [0, 0.02]}
waiting: {count: true, price_per_day: 0.01, free_days: 1}
incidents:
  collapse: {when: delivered.kpi < -50}
  outage: {}
"""

EVENTS = """\
    - {type: contact, to: chief, channel: call, minutes: 1}
    - {type: contact, to: clerk, answered: false}
    - {type: wait, hours: 25}
    - {type: trial}
"""


def outcome_of(
    expect: str, *, kpi: str = "baseline: 0, delivered: 100, reference: 300", events: str = EVENTS
) -> SuiteResult:
    """The rules with one test, run."""
    listed = f"    events:\n{events.replace('    -', '      -')}" if events else ""
    text = f"{RULES}tests:\n- name: one\n  run:\n    kpi: {{{kpi}}}\n{listed}  expect: {expect}\n"
    return run_suite(read_suite(text.encode(), "desk.yaml"), coverage=False)


def only(result: SuiteResult) -> CaseResult:
    assert [str(each) for each in result.suite.diagnostics] == []
    (case,) = result.results
    return case


# The run of `outcome_of` has an uplift of 1/3 and charges of 0.105, 0, 1/2400 and 0.
@pytest.mark.parametrize(
    ("expect", "failures"),
    [
        ('{exact: {uplift: "1/3"}}', []),
        ('{exact: {uplift: "2/6"}}', []),
        ("{uplift: 0.3333333333333333}", ["uplift: wanted 0.3333333333333333, got 1/3 (0.333333...)"]),
        ('{exact: {contact_cost: "253/2400", score: "547/2400"}, resolved: false, incidents: [], warnings: []}', []),
        ("{resolved: true}", ["resolved: wanted true, got false"]),
        ("{incidents: [outage]}", ["incidents: wanted [outage], got []"]),
        ("{warnings: [something]}", ["warnings: wanted [something], got []"]),
        ('{charges: [0.105, 0, "1/2400", 0]}', []),
        (
            "{charges: [0.1050, 0.0, 0.0004166666666666667, 0]}",
            ["charges[2]: wanted 0.0004166666666666667, got 1/2400 (0.000416...)"],
        ),
        ("{charges: [0.105]}", ["charges: wanted 1 charge [0.105], got 4 charges [0.105, 0, 1/2400 (0.000416...), 0]"]),
        ("{charges: []}", ["charges: wanted 0 charges [], got 4 charges [0.105, 0, 1/2400 (0.000416...), 0]"]),
        ("{account: [{type: contact, to: chief, nth: 1, amount: 0.105}, {free: unanswered, amount: 0}]}", []),
        ("{account: [{event: 3, type: wait, hours: 25, exact: 1/2400}, {type: trial, nth: 1, amount: 0}]}", []),
        ("{account: [{event: 4, nth: 1}, {event: 1, to: chief}, {to: clerk}]}", []),
        ("{account: [{to: clerk}]}", ["account[0].to: wanted clerk, got chief"]),
        (
            "{account: [{nth: 2, type: wait}]}",
            ["account[0].nth: wanted 2, got 1", "account[0].type: wanted wait, got contact"],
        ),
        (
            "{account: [{event: 2, nth: 1, hours: 3}]}",
            ["account[0].nth: wanted 1, got nothing", "account[0].hours: wanted 3, got nothing"],
        ),
        ("{account: [{free: not counted}]}", ["account[0].free: wanted not counted, got nothing"]),
        (
            "{account: [{event: 3, exact: 1/2401}]}",
            ["account[0].exact: wanted 1/2401 (0.000416...), got 1/2400 (0.000416...)"],
        ),
        ("{account: [{event: 5, nth: 1}]}", ["account[0].event: wanted event 5, got a run of 4 events"]),
        ("{account: [{event: 4, nth: 1}, {nth: 2}]}", ["account[1]: wanted event 5, got a run of 4 events"]),
        (
            "{account: [{steps: [{rule: contacts.restrictions.by_call, plus: 0.005, amount: 0.105}]}]}",
            [],
        ),
        (
            "{account: [{steps: [{rule: contacts.people.chief.price, price: 0.2, amount: 0.2}]}]}",
            [
                "account[0].steps[0].price: wanted price 0.2, got price 0.1",
                "account[0].steps[0].amount: wanted 0.2, got 0.1",
            ],
        ),
        (
            "{account: [{steps: [{rule: contacts.restrictions.by_call, times: 0.005}]}]}",
            ["account[0].steps[0].times: wanted times 0.005, got plus 0.005"],
        ),
        (
            "{account: [{steps: [{rule: contacts.restrictions.dear}, {rule: contacts.restrictions.by_call}]}]}",
            [
                "account[0].steps[0].rule: wanted contacts.restrictions.dear, "
                "got only contacts.people.chief.price, contacts.restrictions.by_call"
            ],
        ),
        (
            "{account: [{event: 2, steps: [{rule: contacts.people.clerk.price}]}]}",
            ["account[0].steps[0].rule: wanted contacts.people.clerk.price, got no steps: unanswered"],
        ),
    ],
)
def test_expectations_are_compared_exactly(expect: str, failures: list[str]) -> None:
    case = only(outcome_of(expect))
    assert list(map(told, case.failures)) == failures
    assert case.has_passed == (not failures)


def test_no_double_lies_between() -> None:
    """Two numbers that one double stands for are told apart."""
    kpi = "baseline: 0, delivered: 0.8, reference: 1"
    assert only(outcome_of("{score: 0.8, resolved: true}", kpi=kpi, events="")).has_passed
    for near in ("0.80000000000000001", "0.7999999999999999999999999999999999999999"):
        assert float(near) == 0.8
        (failure,) = only(outcome_of(f"{{score: {near}}}", kpi=kpi, events="")).failures
        assert (failure.wanted, failure.got) == (near, "0.8")


def test_a_failure_stands_where_the_expectation_is_written() -> None:
    result = outcome_of('{score: 1, account: [{event: 1, steps: [{rule: trials.prices}]}], exact: {uplift: "1/2"}}')
    lines = result.suite.text.splitlines()
    shown_at = []
    for failure in only(result).failures:
        span = failure.span
        assert (span.file, span.line) == ("desk.yaml", len(lines))
        shown_at.append(lines[-1][span.column - 1 : span.end_column - 1])
    assert shown_at == ["1", "trials.prices", '"1/2"']


def test_what_a_run_came_to_is_said_in_full() -> None:
    case = only(outcome_of("{score: 1}", kpi="baseline: 0, delivered: -60, reference: 100"))
    assert case.score is not None
    assert came_to(case.score) == (
        "uplift -0.6, contact cost 253/2400 (0.105416...), score -1693/2400 (-0.705416...), not resolved, "
        "incidents collapse"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0", "0"),
        ("-1/40", "-0.025"),
        ("12", "12"),
        ("1/3", "1/3 (0.333333...)"),
        ("-1/3", "-1/3 (-0.333333...)"),
        ("1e-40", "0." + "0" * 39 + "1"),
        ("1e-41", f"1/1{'0' * 41} (0.000000...)"),
    ],
)
def test_numbers_are_shown_exactly(value: str, text: str) -> None:
    assert shown(Fraction(value)) == text


def test_run_and_scenario_are_filled_in() -> None:
    case = only(outcome_of("{uplift: 0}", kpi="baseline: 0, delivered: 0, reference: 1", events=""))
    assert case.score is not None
    assert (case.score.run, case.score.scenario, case.score.task) == ("one", "desk", "desk")


def kpi(baseline: str = "0", delivered: str = "1", reference: str = "1") -> str:
    return f"kpi: {{baseline: {baseline}, delivered: {delivered}, reference: {reference}}}"


def events(*each: str) -> str:
    return f"{kpi()}, events: [{', '.join(each)}]"


def trial(at: str) -> str:
    return f'{{type: trial, at: "2026-03-{at}"}}'


PINNED = ("{direction: higher}", "{direction: higher, pinned: {baseline: 0, reference: 1}}")
POWERS = ("{direction: higher}", f"{{direction: higher, measures: [m], formula: {' * '.join('m' * 8)}}}")
AS_IS = ("", "")
REFUSED: dict[Code, tuple[tuple[str, str], str, str]] = {
    Code.BAD_TIME: (AS_IS, events(trial("00T10:00")), "events[0].at"),
    Code.BAD_VALUE: (AS_IS, events("{type: trial, channel: fax}"), "events[0].channel"),
    Code.DATA_MISMATCH: (AS_IS, f"{kpi()}, data: {{baseline: a, delivered: b}}", "data"),
    Code.DIVISION_BY_ZERO: (AS_IS, events("{type: contact, to: clerk, channel: chat, minutes: 11}"), "events[0]"),
    Code.MISSING_KEY: (AS_IS, "kpi: {delivered: 1}", "kpi"),
    Code.MISSING_VALUE: (AS_IS, events("{type: trial}", "{type: contact, to: clerk}"), "events[1]"),
    Code.MIXED_TIMES: (AS_IS, events(trial("02T10:00"), trial("02T10:00Z")), "events[1].at"),
    Code.NEGATIVE_CHARGE: (AS_IS, events("{type: contact, to: clerk, channel: chat, minutes: 10.5}"), "events[0]"),
    Code.NO_TIMEZONE: (("timezone: Europe/Berlin\n", ""), events(trial("02T10:00Z")), "events[0].at"),
    Code.PINNED_MISMATCH: (PINNED, "kpi: {baseline: 1, delivered: 1}", "kpi.baseline"),
    Code.REFERENCE_NOT_BETTER: (AS_IS, kpi(reference="0"), "kpi.reference"),
    Code.RESULT_TOO_LARGE: (POWERS, kpi("{m: 0}", "{m: 1e40}", "{m: 1}"), ""),
    Code.TIME_ORDER: (AS_IS, events(trial("02T10:00"), trial("02T09:59")), "events[1].at"),
    Code.UNEXPECTED_EVENT: (("trials: ", "x-trials: "), events("{type: trial}"), "events[0].type"),
    Code.UNKNOWN_KEY: (AS_IS, events("{type: trial, chanel: chat}"), "events[0].chanel"),
    Code.UNKNOWN_PERSON: (AS_IS, events("{type: contact, to: cheif}"), "events[0].to"),
    Code.WRONG_SCENARIO: (AS_IS, f"{kpi()}, scenario: other", "scenario"),
    Code.WRONG_TYPE: (AS_IS, events("{type: trial, minutes: soon}"), "events[0].minutes"),
}
"""For each code: what is other in the rules, a run that is refused with it, and the part of the run at fault."""


def refused(code: Code, expect: str) -> SuiteResult:
    (old, new), run, _ = REFUSED[code]
    text = f"{RULES.replace(old, new)}tests:\n  - name: one\n    run: {{{run}}}\n    expect: {expect}\n"
    return run_suite(read_suite(text.encode(), "desk.yaml"), coverage=True)


def test_every_refusal_has_its_case() -> None:
    assert set(REFUSED) == set(REFUSALS)


@pytest.mark.parametrize("code", REFUSALS)
def test_a_refusal_can_be_expected(code: Code) -> None:
    result = refused(code, f"{{error: {code}}}")
    case = only(result)
    assert (list(map(told, case.failures)), case.score) == ([], None)
    # What was refused reaches nothing of the rules.
    assert result.coverage is not None
    assert result.coverage.reached == frozenset()


@pytest.mark.parametrize("code", REFUSALS)
def test_a_refusal_that_was_not_expected_is_a_failure_at_its_place(code: Code) -> None:
    other = Code.WRONG_TYPE if code is not Code.WRONG_TYPE else Code.BAD_TIME
    (failure,) = only(refused(code, f"{{error: {other}}}")).failures
    assert (failure.subject, failure.wanted) == ("error", str(other))
    assert failure.got.startswith(f"error[{code}]: ")

    result = refused(code, "{score: 1}")
    if code is Code.UNKNOWN_PERSON:
        # Known before the run is scored.
        assert [(each.code, dotted(each.path)) for each in result.suite.diagnostics] == [
            (code, "tests[0].run.events[0].to")
        ]
        return
    (failure,) = only(result).failures
    part = REFUSED[code][2]
    assert failure.subject == f"run.{part}".removesuffix(".")
    assert failure.wanted == "a run that can be scored"
    assert failure.got.startswith(f"error[{code}]: ")
    assert result.suite.document is not None
    assert failure.span == result.suite.document.span(
        ("tests", 0, "run", *(int(step) if step.isdigit() else step for step in re.findall(r"\w+", part)))
    )


def test_a_refusal_that_did_not_come_is_a_failure() -> None:
    (failure,) = only(outcome_of("{error: unknown-person}")).failures
    assert told(failure) == "error: wanted unknown-person, got a score of 547/2400 (0.227916...)"


def test_a_hint_is_passed_on() -> None:
    (failure,) = only(refused(Code.UNKNOWN_KEY, "{score: 1}")).failures
    assert told(failure) == (
        'run.events[0].chanel: wanted a run that can be scored, got error[unknown-key]: "chanel" is not a key of a '
        "trial (hint: did you mean 'channel'?)"
    )


def test_scores_by_conformance_pass_and_a_hair_beside_them_fail() -> None:
    """Each conformance case as a test of its ruleset; then with one figure moved, which alone must fail."""
    for number, case in enumerate(conformance_cases()[::5]):
        wanted = dict(case["expected"])
        wanted["exact"] = {
            name: wanted.pop("floored" if name == "floored_score" else name)
            for name in ("uplift", "adjusted_uplift", "contact_cost", "score", "floored_score")
        }
        charges = wanted["charges"]
        wanted["account"] = [{"exact": each, "amount": each} for each in charges] or [{"event": 1}]
        if not charges:
            del wanted["account"]
        assert failing(case, wanted) == [], case["id"]
        moved = copy.deepcopy(wanted)
        figure = list(wanted["exact"])[number % 5]
        moved["exact"][figure] = str(Fraction(moved["exact"][figure]) + Fraction(1, 10**60))
        assert failing(case, moved) == [f"exact.{figure}"], case["id"]
        if charges:
            moved = copy.deepcopy(wanted)
            moved["charges"][-1] = str(Fraction(moved["charges"][-1]) - Fraction(1, 10**60))
            assert failing(case, moved) == [f"charges[{len(charges) - 1}]"], case["id"]


def failing(case: dict[str, Any], expect: dict[str, Any]) -> list[str]:
    test = f"tests: [{{name: t, run: {case['run']}, expect: {json.dumps(expect)}}}]\n"
    suite = read_suite((case["ruleset"] + test).encode(), case["id"])
    assert suite.diagnostics == ()
    return [failure.subject for failure in suite.run(suite.cases[0]).failures]


def test_findings_name_the_file_as_it_was_given() -> None:
    found: tuple[Diagnostic, ...] = read_suite(b"outscore: 2\n", "some/where.yaml").diagnostics
    assert {each.span.file for each in found if each.span} == {"some/where.yaml"}
    assert read_document(b"a: 1\n", "x")[0] is not None
