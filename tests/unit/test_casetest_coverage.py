"""What a ruleset's tests reach: each side of each rule, by the line it stands in, and the share of all."""

from __future__ import annotations

import pytest
from outscore.casetest import read_suite, run_suite
from outscore.casetest.coverage import Coverage

COVERED = """\
outscore: 1
scenario: desk
kpi: {direction: higher}
fields: {channel: text}
contacts:
  people:
    chief:
      price: 0.1
      patience: 1
      past_patience: {times: 3}
    clerk: {price: 0}
    never: {price: 0.1, patience: 0, past_patience: {price: 0.2}}
  anyone_else: {price: 0.3, patience: 1, past_patience: {plus: 0}}
  restrictions:
    - id: always
      charge: {plus: 0}
    - id: by_call
      when: channel == "call"
      charge: {plus: 0}
trials:
  count: true
  prices:
    - 0
    - 0.02
  restrictions:
    - {id: second, when: nth == 2, charge: {plus: 0}}
waiting:
  count: true
  price_per_day: 0.01
  free_days: 1
  restrictions:
    - {id: long, when: hours > 48, charge: {plus: 0}}
incidents:
  collapse: {when: delivered.kpi < 0}
  outage: {}
"""

QUIET = ["incidents.collapse did not hold", "incidents.outage not reported"]
CALM = ["score resolved", *QUIET]
ANY = ["contacts.restrictions.always held", "contacts.restrictions.by_call did not hold"]


def coverage(*runs: str, rules: str = COVERED) -> Coverage:
    tests = "".join(f"- {{name: t, run: {run}, expect: {{resolved: true}}}}\n" for run in runs)
    text = f"{rules}tests:\n{tests}" if tests else rules
    result = run_suite(read_suite(text.encode(), "desk.yaml"), coverage=True)
    assert result.suite.diagnostics == ()
    assert result.coverage is not None
    return result.coverage


def run_of(*events: str, delivered: int = 100, more: str = "") -> str:
    kpi = f"{{baseline: 0, delivered: {delivered}, reference: 100}}"
    return f"{{kpi: {kpi}, events: [{', '.join(events)}]{more}}}"


CHIEF = "{type: contact, to: chief, channel: chat}"
TRIAL = "{type: trial}"


@pytest.mark.parametrize(
    ("run", "reached"),
    [
        (run_of(), CALM),
        (run_of("{type: contact, to: chief, answered: false}"), CALM),
        (
            run_of(CHIEF),
            [*CALM, *ANY, "contacts.people.chief contacted", "contacts.people.chief.patience at list price"],
        ),
        (
            run_of(CHIEF, CHIEF),
            [
                "score not resolved",
                *QUIET,
                *ANY,
                "contacts.people.chief contacted",
                "contacts.people.chief.patience at list price",
                "contacts.people.chief.patience past patience",
            ],
        ),
        (
            run_of("{type: contact, to: clerk, channel: call}"),
            [
                *CALM,
                "contacts.people.clerk contacted",
                "contacts.restrictions.always held",
                "contacts.restrictions.by_call held",
            ],
        ),
        (
            run_of("{type: contact, to: never, channel: chat}"),
            [*CALM, *ANY, "contacts.people.never contacted", "contacts.people.never.patience past patience"],
        ),
        (
            # Two strangers: each id is counted by itself.
            run_of("{type: contact, to: one, channel: chat}", "{type: contact, to: two, channel: chat}"),
            [
                "score not resolved",
                *QUIET,
                *ANY,
                "contacts.anyone_else contacted",
                "contacts.anyone_else.patience at list price",
            ],
        ),
        (run_of(TRIAL), [*CALM, "trials.prices[0] charged", "trials.restrictions.second did not hold"]),
        (
            run_of(TRIAL, TRIAL, TRIAL),
            [
                *CALM,
                "trials.prices[0] charged",
                "trials.prices[1] charged",
                "trials.restrictions.second did not hold",
                "trials.restrictions.second held",
            ],
        ),
        (run_of("{type: wait, hours: 0}"), [*CALM, "waiting.restrictions.long did not hold"]),
        (
            run_of("{type: wait, hours: 24}"),
            [*CALM, "waiting.free_days within", "waiting.restrictions.long did not hold"],
        ),
        (
            run_of("{type: wait, hours: 49}"),
            [*CALM, "waiting.free_days within", "waiting.free_days past", "waiting.restrictions.long held"],
        ),
        (
            run_of("{type: wait, hours: 24}", "{type: wait, hours: 0.1}"),
            [*CALM, "waiting.free_days within", "waiting.free_days past", "waiting.restrictions.long did not hold"],
        ),
        (
            run_of(delivered=-1),
            ["score not resolved", "incidents.collapse held", "incidents.outage not reported"],
        ),
        (
            run_of(more=", incidents: [outage]"),
            ["score not resolved", "incidents.collapse did not hold", "incidents.outage reported"],
        ),
        # That a run reports what a rule would find says nothing of the rule.
        (run_of(more=", incidents: [collapse]"), ["score not resolved", *QUIET]),
    ],
)
def test_a_run_reaches_its_places(run: str, reached: list[str]) -> None:
    found = coverage(run)
    places = {f"{place.rule} {place.side}": place for place in found.places}
    assert {name for name, place in places.items() if found.is_reached(place)} == set(reached)


def test_every_place_has_its_line_and_words() -> None:
    assert [f"{place.span.line} {place.missing}" for place in coverage(run_of()).places] == [
        "3 no run that resolves",
        "3 no run that does not resolve",
        "7 no answered contact with chief",
        "9 no contact within patience, up to the 1st",
        "9 no contact past patience, from the 2nd on",
        "11 no answered contact with clerk",
        "12 no answered contact with never",
        "12 no contact past patience, from the 1st on",
        "13 no answered contact with anyone else",
        "13 no contact within patience, up to the 1st",
        "13 no contact past patience, from the 2nd on",
        "15 no contact",
        "18 no contact for which it holds",
        "18 no contact for which it does not hold",
        "23 no 1st trial",
        "24 no 2nd or later trial",
        "26 no trial for which it holds",
        "26 no trial for which it does not hold",
        "30 no wait within the free days",
        "30 no wait past the free days",
        "32 no wait for which it holds",
        "32 no wait for which it does not hold",
        "34 no run in which it happens",
        "34 no run in which it does not happen",
        "35 no run that reports it",
        "35 no run that does not report it",
    ]


def test_all_can_be_reached() -> None:
    stranger = "{type: contact, to: one, channel: call}"
    found = coverage(
        run_of(CHIEF, CHIEF, "{type: contact, to: clerk, channel: call}", "{type: contact, to: never, channel: x}"),
        run_of(stranger, stranger, TRIAL, TRIAL, "{type: wait, hours: 1}", "{type: wait, hours: 50}"),
        run_of(delivered=-5, more=", incidents: [outage]"),
        run_of(),
    )
    assert [place for place in found.places if not found.is_reached(place)] == []
    assert (found.percent, found.shown_percent) == (100, "100%")


@pytest.mark.parametrize(
    ("waiting", "places"),
    [
        ("{count: true, price_per_day: 0.01}", [("waiting.price_per_day", "charged")]),
        ("{count: true, price_per_day: 0, free_days: 3}", [("waiting.price_per_day", "charged")]),
        ("{count: false, restrictions: [{id: a, charge: {plus: 1}}]}", []),
    ],
)
def test_what_can_make_no_difference_is_no_place(waiting: str, places: list[tuple[str, str]]) -> None:
    rules = f"outscore: 1\nscenario: desk\nkpi: {{direction: higher}}\ntrials: {{count: false}}\nwaiting: {waiting}\n"
    found = coverage(run_of("{type: wait, hours: 2}", TRIAL), rules=rules)
    assert [(place.rule, place.side) for place in found.places][2:] == places
    assert found.count == 1 + len(places)


def test_a_percentage_is_never_rounded_up() -> None:
    rules = "outscore: 1\nscenario: desk\nkpi: {direction: higher}\nincidents: {a: {}, b: {}}\n"
    found = coverage(run_of(), run_of(delivered=0), rules=rules)
    assert (found.count, len(found.places), found.shown_percent) == (4, 6, "66.6%")
    assert coverage(rules=rules).shown_percent == "0%"
