"""The live ledger: charged as the finished run is, and nothing by halves."""

from __future__ import annotations

import asyncio
import json
import pickle
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from outscore import Score, Scorer
from outscore.diagnostics import Code, RunError
from outscore.journal import LedgerError, LedgerWarning, LiveLedger, RedactedLedger, open_ledger
from outscore.jsontext import read_json
from outscore.loader import loads
from outscore.run import Run, Void

from tests import generate
from tests.test_layers import TEXT, closure

RULES = """
outscore: 1
scenario: desk
timezone: Europe/Berlin
kpi: {direction: higher, pinned: {baseline: 0, reference: 100}}
fields: {channel: [chat, mail], minutes: number, urgent: boolean, note: text, refund: number}
contacts:
  people:
    chief: {price: 0.1, patience: 2, past_patience: {times: 3}}
    clerk: {price: 0.02}
    lawyer: {price: 0.05}
  restrictions:
    - {id: night, when: to == "chief" and hour < 8, charge: {plus: 0.01}}
    - {id: talk, when: to == "clerk" and channel == "chat" and minutes > 10, charge: {times: 2}}
    - {id: refunded, when: to == "lawyer" and note == "refund", charge: {plus: 0 - refund}}
    - {id: shared, when: to == "lawyer" and note == "shared", charge: {times: 1 / minutes}}
trials: {count: true, prices: [0, 0.02]}
waiting: {count: true, price_per_day: 0.24, free_days: 1}
incidents: {outage: {}}
"""
DAY = "2026-03-02T"
KPI = {"delivered": 90}


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return loads(RULES)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "r1.jsonl"


@pytest.fixture(params=["memory", "file"])
def ledger(request: pytest.FixtureRequest, scorer: Scorer, path: Path) -> Iterator[LiveLedger]:
    with open_ledger(scorer, "r1", path=path if request.param == "file" else None) as opened:
        yield opened


EVENTS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda ledger: ledger.contact("chief", at=DAY + "07:59"), "0.11"),
    (lambda ledger: ledger.contact("chief", at=DAY + "09:00", channel="mail"), "0.1"),
    (lambda ledger: ledger.contact("clerk", answered=False), "0"),
    (lambda ledger: ledger.contact("chief", at=DAY + "10:00"), "0.3"),
    (lambda ledger: ledger.contact("clerk", at=DAY + "10:00", channel="chat", minutes=10.1), "0.04"),
    (lambda ledger: ledger.trial(), "0"),
    (lambda ledger: ledger.trial(at=DAY + "10:00:00.25"), "0.02"),
    (lambda ledger: ledger.wait(18), "0"),
    (lambda ledger: ledger.wait(12.5, at=DAY + "23:00"), "0.065"),
    (lambda ledger: ledger.contact("lawyer", note="refund", refund=Decimal("0.05")), "0"),
    # Neither a seventh nor six decimals fit the scales of the generated function.
    (lambda ledger: ledger.contact("lawyer", note="shared", minutes=7), "1/140"),
    (lambda ledger: ledger.contact("clerk", channel="chat", minutes=10.000001), "0.04"),
    (lambda ledger: ledger.contact("chief", at="2026-03-03T09:00"), "0.3"),
]
"""Calls in order, and what each is charged."""


def play(ledger: LiveLedger | RedactedLedger, count: int = len(EVENTS)) -> list[Any]:
    return [call(ledger) for call, _ in EVENTS[:count]]


def state(ledger: LiveLedger) -> tuple[object, ...]:
    """All that a refused call must leave as it was."""
    file = ledger._file
    return ledger.events, ledger.charges, ledger.total, ledger.incidents, file and file.read()


# What it charges.


def test_events_are_charged_as_they_come(ledger: LiveLedger) -> None:
    charges = play(ledger)
    assert [charge.amount for charge in charges] == [Fraction(amount) for _, amount in EVENTS]
    assert ledger.charges == tuple(charges)
    assert ledger.total == sum(charge.amount for charge in charges)
    assert [charge.event for charge in charges] == list(range(1, len(EVENTS) + 1))


def test_the_closed_run_scores_as_its_record_and_its_line_do(ledger: LiveLedger, scorer: Scorer) -> None:
    play(ledger)
    ledger.report_incident("outage")
    with pytest.warns(LedgerWarning):
        ledger.report_incident("elsewhere")
    ledger.report_incident("outage")
    total = ledger.total
    assert ledger.record is None
    run = ledger.close({"delivered": Decimal("90.10")}, data="sha256:1")
    score = scorer.score(run)
    assert isinstance(score, Score)
    assert score.exact.contact_cost == total
    assert score.account.charges == ledger.charges
    assert score.incidents == ("outage", "elsewhere")
    record = ledger.record
    assert record is not None
    assert list(record) == ["run", "scenario", "kpi", "incidents", "data", "events"]
    written = {scorer.score(each).to_json() for each in (run, record, json.dumps(record), ledger.to_json())}  # type: ignore[union-attr,arg-type]
    assert written == {score.to_json()}
    assert ledger.finished == run


@pytest.mark.filterwarnings("ignore::outscore.journal.LedgerWarning")
@pytest.mark.parametrize("seed", range(80))
def test_any_run_is_charged_live_as_it_is_when_finished(seed: int, path: Path) -> None:
    """Each event is quoted, then recorded, in memory and in a file that is opened again and again."""
    text, run_text = generate.case(seed)
    scorer = loads(text)
    record: Any = read_json(run_text)
    in_memory = open_ledger(scorer, record["run"], record.get("task"), record.get("agent"))
    in_file = open_ledger(scorer, record["run"], record.get("task"), record.get("agent"), path)
    try:
        for number, event in enumerate(record.get("events", [])):
            given = {key: value for key, value in event.items() if key != "type"}
            quoted = in_memory.quote(event["type"], **given)
            assert getattr(in_memory, event["type"])(**given) == quoted
            assert getattr(in_file, event["type"])(**given) == quoted
            if number % 5 == 2:
                in_file.release()
                in_file = open_ledger(scorer, record["run"], path=path)
        for name in record.get("incidents", []):
            in_memory.report_incident(name)
            in_file.report_incident(name)
    except RunError:
        # Whatever of the KPIs may be wrong with it as well, this run has no score.
        with pytest.raises(RunError):
            scorer.score(run_text)
        return
    assert in_memory.charges == in_file.charges
    assert in_memory.total == in_file.total
    for ledger in (in_memory, in_file):
        run = ledger.close(record["kpi"], record.get("data"))
        try:
            score = scorer.score(run_text)
        except RunError:
            with pytest.raises(RunError):
                scorer.score(run)
            continue
        assert isinstance(score, Score)
        assert score.account.charges == ledger.charges
        assert {scorer.score(each).to_json() for each in (run, ledger.to_json())} == {score.to_json()}  # type: ignore[union-attr]


def test_generated_runs_reach_both_ways_of_pricing() -> None:
    ways = set()
    for seed in range(30):
        text, run_text = generate.case(seed)
        scorer, record = loads(text), read_json(run_text)
        ledger = open_ledger(scorer, "r")
        for event in record.get("events", []):  # type: ignore[attr-defined]
            try:
                getattr(ledger, event["type"])(**{key: value for key, value in event.items() if key != "type"})
            except RunError:
                ways.add("refused")
                break
        ways.add("by the ledger" if ledger._tally._is_exact else "by the generated function")
    assert len(ways) == 3


def test_a_quote_records_nothing(ledger: LiveLedger) -> None:
    play(ledger, 4)
    before = state(ledger)
    assert ledger.quote("contact", "chief", at=DAY + "10:00").amount == Fraction("0.3")
    assert ledger.quote("contact", to="lawyer", note="shared", minutes=7).amount == Fraction(1, 140)
    assert ledger.quote("contact", "clerk", answered=False).free == "unanswered"
    assert ledger.quote("wait", 48).amount == Fraction("0.24")
    assert ledger.quote("wait", hours=48).event == 5
    assert ledger.quote("trial").amount == 0
    with pytest.raises(RunError):
        ledger.quote("contact", "cheif")
    assert state(ledger) == before


def test_numbers_are_taken_as_the_harness_means_them(scorer: Scorer) -> None:
    class Told(float):
        """As numpy's float64 does, it prints itself otherwise."""

        def __repr__(self) -> str:
            return f"Told({float(self)})"

    class Channel(str, Enum):  # noqa: UP042  (it is the kind that prints itself otherwise)
        CHAT = "chat"

    ledger = open_ledger(scorer, "r1")
    for hours in (0.1, Decimal("0.1"), Told(0.1), Decimal("1e-40"), 10**17, 1e22, 1e40):
        assert ledger.wait(hours).hours == Fraction(
            str(Decimal(repr(float(hours)))) if isinstance(hours, float) else hours
        )
    assert ledger.contact("clerk", channel=Channel.CHAT, minutes=Decimal("11.0")).amount == Fraction("0.04")
    events = ledger.events
    assert [event["hours"] for event in events[:3]] == [0.1] * 3
    assert {type(value) for event in events for value in event.values()} <= {str, int, float}
    assert events[7] == {"type": "contact", "to": "clerk", "channel": "chat", "minutes": 11}
    ledger.wait(Decimal("0.1234567890123456789012345678901234567890"))
    ledger.close(KPI)
    assert ledger.to_json().count(b"0.1234567890123456789012345678901234567890") == 1
    assert scorer.score(ledger.to_json()) == scorer.score(ledger.record)  # type: ignore[arg-type]


def test_a_datetime_stands_for_its_text(ledger: LiveLedger) -> None:
    ledger.contact("chief", at=datetime(2026, 3, 2, 6, 30, tzinfo=UTC))
    assert ledger.events[0]["at"] == "2026-03-02T06:30:00+00:00"
    # Berlin is an hour ahead, and at half past seven it is night by the rules.
    assert ledger.total == Fraction("0.11")


# What it refuses.

REFUSED: list[tuple[str, Callable[[LiveLedger], object], Code, str]] = [
    ("unknown person", lambda it: it.contact("cheif"), Code.UNKNOWN_PERSON, "$.events[4].to"),
    (
        "unknown person unanswered",
        lambda it: it.contact("cheif", answered=False),
        Code.UNKNOWN_PERSON,
        "$.events[4].to",
    ),
    ("empty person", lambda it: it.contact(""), Code.BAD_VALUE, "$.events[4].to"),
    ("no text", lambda it: it.contact(3), Code.WRONG_TYPE, "$.events[4].to"),  # type: ignore[arg-type]
    ("unhashable", lambda it: it.contact(["chief"]), Code.WRONG_TYPE, "$.events[4].to"),  # type: ignore[arg-type]
    ("nobody", lambda it: it.contact(None), Code.WRONG_TYPE, "$.events[4].to"),  # type: ignore[arg-type]
    ("half a character", lambda it: it.contact("clerk", note="\ud800"), Code.BAD_ENCODING, "$.events[4].note"),
    ("answered is no boolean", lambda it: it.contact("clerk", answered=1), Code.WRONG_TYPE, "$.events[4].answered"),  # type: ignore[arg-type]
    ("negative hours", lambda it: it.wait(-1), Code.BAD_VALUE, "$.events[4].hours"),
    ("NaN", lambda it: it.wait(float("nan")), Code.BAD_NUMBER, "$.events[4].hours"),
    ("infinity", lambda it: it.wait(float("inf")), Code.BAD_NUMBER, "$.events[4].hours"),
    ("NaN in a field no rule reads", lambda it: it.trial(refund=Decimal("NaN")), Code.BAD_NUMBER, "$.events[4].refund"),
    ("a boolean for hours", lambda it: it.wait(True), Code.WRONG_TYPE, "$.events[4].hours"),
    ("a text for hours", lambda it: it.wait("3"), Code.WRONG_TYPE, "$.events[4].hours"),  # type: ignore[arg-type]
    ("a fraction for hours", lambda it: it.wait(Fraction(1, 3)), Code.BAD_NUMBER, "$.events[4].hours"),  # type: ignore[arg-type]
    ("no hours", lambda it: it.wait(None), Code.WRONG_TYPE, "$.events[4].hours"),  # type: ignore[arg-type]
    ("41 digits", lambda it: it.wait(int("1" * 41)), Code.BAD_NUMBER, "$.events[4].hours"),
    ("time backwards", lambda it: it.contact("chief", at=DAY + "09:59"), Code.TIME_ORDER, "$.events[4].at"),
    ("mixed offsets", lambda it: it.trial(at="2026-03-04T10:00Z"), Code.MIXED_TIMES, "$.events[4].at"),
    ("no time", lambda it: it.trial(at="noon"), Code.BAD_TIME, "$.events[4].at"),
    ("a number for a time", lambda it: it.trial(at=9), Code.WRONG_TYPE, "$.events[4].at"),  # type: ignore[arg-type]
    ("unknown field", lambda it: it.trial(chanel="chat"), Code.UNKNOWN_KEY, "$.events[4].chanel"),
    ("another event's key", lambda it: it.trial(hours=3), Code.UNKNOWN_KEY, "$.events[4].hours"),
    ("the event's own type", lambda it: it.trial(type="wait"), Code.UNKNOWN_KEY, "$.events[4].type"),
    ("a value that is none", lambda it: it.trial(channel="pager"), Code.BAD_VALUE, "$.events[4].channel"),
    ("null", lambda it: it.trial(channel=None), Code.WRONG_TYPE, "$.events[4].channel"),  # type: ignore[arg-type]
    ("what a rule reads", lambda it: it.contact("chief"), Code.MISSING_VALUE, "$.events[4]"),
    ("below zero", lambda it: it.contact("lawyer", note="refund", refund=0.06), Code.NEGATIVE_CHARGE, "$.events[4]"),
    ("by zero", lambda it: it.contact("lawyer", note="shared", minutes=0), Code.DIVISION_BY_ZERO, "$.events[4]"),
    ("no kind of event", lambda it: it.quote("chief"), Code.BAD_VALUE, "$.events[4].type"),  # type: ignore[call-overload]
    ("no incident", lambda it: it.report_incident(""), Code.BAD_VALUE, "$.incidents[1]"),
    ("no name", lambda it: it.report_incident(None), Code.WRONG_TYPE, "$.incidents[1]"),  # type: ignore[arg-type]
    ("no KPI", lambda it: it.close({}), Code.MISSING_KEY, "$.kpi"),
    ("no object", lambda it: it.close(90), Code.WRONG_TYPE, "$.kpi"),  # type: ignore[arg-type]
    ("a measure that is none", lambda it: it.close({"delivered": {"x": 1}}), Code.WRONG_TYPE, "$.kpi.delivered"),
    ("not as pinned", lambda it: it.close({"baseline": 1, **KPI}), Code.PINNED_MISMATCH, "$.kpi.baseline"),
    ("two sets of data", lambda it: it.close(KPI, {"delivered": "a", "baseline": "b"}), Code.DATA_MISMATCH, "$.data"),
    ("no reason", lambda it: it.void(""), Code.BAD_VALUE, "$.void"),
]


@pytest.mark.parametrize("is_exact", [False, True], ids=["fast", "exact"])
@pytest.mark.parametrize(("call", "code", "place"), [each[1:] for each in REFUSED], ids=[each[0] for each in REFUSED])
def test_a_refused_call_changes_nothing(
    call: Callable[[LiveLedger], object], code: Code, place: str, is_exact: bool, ledger: LiveLedger
) -> None:
    if is_exact:
        play(ledger, 3)
        ledger.contact("lawyer", at=DAY + "10:00", note="shared", minutes=7)
    else:
        play(ledger, 4)
    assert ledger._tally._is_exact is is_exact
    ledger.report_incident("outage")
    before = state(ledger)
    with pytest.raises(RunError) as refused:
        call(ledger)
    error = refused.value
    assert (error.code, error.path, error.run) == (code, place, "r1")
    assert state(ledger) == before
    # And it goes on as if nothing had been: the next contact is the one that is past the chief's patience, or not yet.
    assert ledger.contact("chief", at=DAY + "10:00").nth == (3 if is_exact else 4)
    assert ledger.total == before[2] + Fraction("0.3")  # type: ignore[operator]


@pytest.mark.parametrize(
    "call",
    [
        lambda it: it.contact("chief", at=DAY + "10:00"),
        lambda it: it.trial(),
        lambda it: it.wait(1),
        lambda it: it.quote("trial"),
        lambda it: it.report_incident("outage"),
        lambda it: it.close(KPI),
        lambda it: it.void("lost"),
    ],
)
@pytest.mark.parametrize("end", ["close", "void", "release"])
def test_after_its_end_a_ledger_takes_nothing(
    call: Callable[[LiveLedger], object], end: str, ledger: LiveLedger
) -> None:
    play(ledger, 2)
    if end == "release" and ledger._file is None:
        # There is nothing to let go of, and nothing it could be taken up from again.
        ledger.release()
        call(ledger)
        return
    {"close": lambda: ledger.close(KPI), "void": lambda: ledger.void("lost"), "release": ledger.release}[end]()
    before = (ledger.record, ledger.charges, ledger.total, ledger.finished)
    with pytest.raises(LedgerError) as refused:
        call(ledger)
    assert (refused.value.code, refused.value.run) == (Code.LEDGER_CLOSED, "r1")
    assert (ledger.record, ledger.charges, ledger.total, ledger.finished) == before


def test_a_run_that_is_not_closed_has_no_line(ledger: LiveLedger) -> None:
    with pytest.raises(LedgerError) as refused:
        ledger.to_json()
    assert refused.value.code is Code.LEDGER_OPEN


@pytest.mark.parametrize(
    ("ids", "place"),
    [
        ({"run": ""}, "$.run"),
        ({"run": 7}, "$.run"),
        ({"run": "r", "task": ""}, "$.task"),
        ({"run": "r", "agent": 1}, "$.agent"),
    ],
)
def test_ids_that_no_run_can_have(ids: dict[str, Any], place: str, scorer: Scorer, path: Path) -> None:
    with pytest.raises(RunError) as refused:
        open_ledger(scorer, **ids, path=path)
    assert refused.value.path == place
    assert not path.exists()


def test_a_void_run(ledger: LiveLedger, scorer: Scorer) -> None:
    play(ledger, 2)
    assert ledger.void("grader timed out") == Void("r1", "desk", "desk", None, "grader timed out")
    assert ledger.record == {"run": "r1", "scenario": "desk", "void": "grader timed out"}
    assert scorer.score(ledger.to_json()) == ledger.finished


def test_the_names_of_task_and_agent_go_into_the_run(scorer: Scorer) -> None:
    ledger = open_ledger(scorer, run="r1", task="desk/a", agent="m")
    run = ledger.close(KPI)
    assert isinstance(run, Run)
    assert (run.task, run.agent) == ("desk/a", "m")


def test_what_is_given_stays_the_callers(scorer: Scorer) -> None:
    ledger, kpi, fields = open_ledger(scorer, "r1"), {"delivered": 90}, {"channel": "mail"}
    ledger.contact("clerk", **fields)  # type: ignore[arg-type]
    fields["channel"] = "chat"
    ledger.events[0]["to"] = "chief"
    ledger.close(kpi)
    kpi["delivered"] = 1
    record = ledger.record
    assert record is not None
    assert record["kpi"] == {"delivered": 90}
    assert record["events"] == [{"type": "contact", "to": "clerk", "channel": "mail"}]
    record["events"].clear()
    assert ledger.record != record


def test_errors_survive_pickling(ledger: LiveLedger) -> None:
    ledger.void("lost")
    with pytest.raises(LedgerError) as refused:
        ledger.trial()
    again = pickle.loads(pickle.dumps(refused.value))
    assert type(again) is LedgerError
    assert str(again) == str(refused.value)


# Many at once.


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads take turns as often as Python lets them, so that what they could spoil is spoilt."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def _three_kinds(ledger: LiveLedger, worker: int, number: int) -> int:
    if number % 3 == 0:
        return ledger.contact("clerk", channel="mail", note=f"{worker}/{number}").event
    return (
        ledger.trial(note=f"{worker}/{number}") if number % 3 == 1 else ledger.wait(0.5, note=f"{worker}/{number}")
    ).event


def _check_order(ledger: LiveLedger, scorer: Scorer, places: list[dict[str, int]]) -> None:
    events = ledger.events
    for worker, own in enumerate(places):
        # Each call was told the place that its event has, and a worker's events stand in the order of its calls.
        assert [events[place - 1]["note"] for place in own.values()] == list(own)
        assert list(own.values()) == sorted(own.values())
        assert len(own) == 60
        assert all(note.startswith(f"{worker}/") for note in own)
    total = ledger.total
    if ledger._file is not None:
        lines = ledger._file.read().splitlines()
        assert [json.loads(line) for line in lines[1:]] == [{"event": event} for event in events]
    run = ledger.close(KPI)
    score = scorer.score(run)
    assert isinstance(score, Score)
    assert score.account.charges == ledger.charges
    assert score.exact.contact_cost == total == sum((charge.amount for charge in ledger.charges), Fraction(0))


@pytest.mark.usefixtures("restless")
def test_eight_threads(ledger: LiveLedger, scorer: Scorer) -> None:
    def work(worker: int) -> dict[str, int]:
        places = {}
        for number in range(60):
            ledger.quote("contact", "chief", at=DAY + "09:00")
            places[f"{worker}/{number}"] = _three_kinds(ledger, worker, number)
            assert ledger.total >= 0
        return places

    with ThreadPoolExecutor(8) as pool:
        _check_order(ledger, scorer, list(pool.map(work, range(8))))


@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize("in_threads", [False, True])
def test_eight_tasks(in_threads: bool, ledger: LiveLedger, scorer: Scorer) -> None:
    async def work(worker: int) -> dict[str, int]:
        places = {}
        for number in range(60):
            await asyncio.sleep(0)
            if in_threads:
                place = await asyncio.to_thread(_three_kinds, ledger, worker, number)
            else:
                place = _three_kinds(ledger, worker, number)
            places[f"{worker}/{number}"] = place
        return places

    async def together() -> list[dict[str, int]]:
        return await asyncio.gather(*(work(worker) for worker in range(8)))

    _check_order(ledger, scorer, asyncio.run(together()))


# What an agent may see.

SECRETS = (
    "0.1",
    "1/10",
    "3/10",
    "price",
    "charge",
    "amount",
    "night",
    "talk",
    "refunded",
    "shared",
    "restriction",
    "patience",
)


def _says_a_secret(text: str) -> bool:
    return any(secret in text for secret in SECRETS)


@pytest.mark.parametrize("kind", ["view", "redacted"])
def test_no_price_shows(kind: str, scorer: Scorer, path: Path) -> None:
    whole = open_ledger(scorer, "r1", path=path) if kind == "view" else None
    view: Any = whole.agent_view if whole else open_ledger(scorer, "r1", path=path, redact=True)
    receipts = play(view)
    assert [(receipt.event, receipt.type) for receipt in receipts[:3]] == [
        (1, "contact"),
        (2, "contact"),
        (3, "contact"),
    ]
    shown = [repr(receipts), repr(view), repr(view.events)]
    assert not any(map(_says_a_secret, shown[:2]))
    for name in ("total", "charges", "quote"):
        assert not hasattr(view, name)
    # Nor does the file tell.
    assert not any(secret in path.read_text() for secret in ("price", "amount", "night", "restriction"))
    for _, call, code, place in REFUSED:
        if code is Code.NEGATIVE_CHARGE or not place.startswith("$.events") or "quote" in call.__code__.co_names:
            continue
        with pytest.raises(RunError) as refused:
            call(view)
        assert refused.value.code is code


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda it: it.contact("lawyer", note="refund", refund=0.06), Code.NEGATIVE_CHARGE),
        (lambda it: it.contact("lawyer", note="shared", minutes=0), Code.DIVISION_BY_ZERO),
        (lambda it: it.contact("chief"), Code.MISSING_VALUE),
        (lambda it: it.contact("cheif"), Code.UNKNOWN_PERSON),
    ],
)
def test_no_price_shows_in_errors(call: Callable[[Any], object], code: Code, scorer: Scorer) -> None:
    ledger = open_ledger(scorer, "r1", redact=True)
    with pytest.raises(RunError) as refused:
        call(ledger)
    error = refused.value
    assert (error.code, error.run) == (code, "r1")
    said = str(error).replace("negative-charge", "").replace("cannot be charged", "")
    assert not _says_a_secret(said)
    assert (error.__context__, error.__cause__) == (None, None)


def test_a_redacted_ledger_runs_a_run(scorer: Scorer, path: Path) -> None:
    with open_ledger(scorer, "r1", path=path, redact=True) as ledger:
        play(ledger, 5)
        ledger.report_incident("outage")
    with open_ledger(scorer, "r1", path=path, redact=True) as ledger:
        assert (ledger.incidents, len(ledger.events), ledger.torn, ledger.run) == (("outage",), 5, None, "r1")
        run = ledger.close(KPI)
        assert ledger.finished == run
        assert ledger.record == json.loads(ledger.to_json())
    # Whoever may see opens the file again.
    with open_ledger(scorer, "r1", path=path) as whole:
        assert whole.total == Fraction("0.55")
    lost = open_ledger(scorer, "r2", redact=True)
    assert lost.void("lost").void == "lost"


def test_pricing_live_knows_nothing_of_the_language_side() -> None:
    assert closure({"journal"}) & TEXT == set()


@pytest.mark.parametrize("where", ["before the charge is made", "in the ledger"])
def test_a_signal_in_between_leaves_no_count_moved(where: str, scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    ledger = open_ledger(scorer, "r1")
    play(ledger, 4)
    if where == "in the ledger":
        ledger.contact("lawyer", note="shared", minutes=7)
    before = state(ledger)
    tally: Any = ledger._tally
    with monkeypatch.context() as patch:
        if where == "in the ledger":
            # The ledger has entered it, and the tally has not.
            enter = tally._ledger.enter
            patch.setattr(tally._ledger, "enter", lambda priced: interrupted(enter(priced)))
        else:
            patch.setattr(tally, "_read_one", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ledger.contact("chief", at=DAY + "10:00")
    assert state(ledger) == before
    assert ledger.contact("chief", at=DAY + "10:00").nth == 4


def test_a_path_in_place_of_a_scorer_is_a_slip_with_a_hint() -> None:
    with pytest.raises(TypeError, match=r"takes a Scorer, not str: outscore\.load\(path\) makes one"):
        open_ledger("rules.yaml", "r1")  # type: ignore[call-overload]
