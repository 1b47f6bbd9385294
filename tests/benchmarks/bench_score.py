"""Scoring against the same rules hand-written in plain floats, without checks and without an account.

The runs differ: 500 runs of 12 events over three weeks, so that nothing is fast because it came before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import cycle
from random import Random
from typing import Any

from outscore.loader import loads

from tests.benchmarks.timing import ratio

RULESET = """
outscore: 1
scenario: claims_intake
kpi:
  direction: higher
  measures: [recovered, refunds, missed_urgent]
  formula: recovered - 0.5 * refunds
  pinned:
    baseline: {recovered: 1500, refunds: 600, missed_urgent: 0}
    reference: {recovered: 5000, refunds: 400, missed_urgent: 0}
fields:
  channel: [chat, mail, call]
  minutes: number
contacts:
  people:
    head_of_claims: {price: 0.01, patience: 4, past_patience: {times: 3}}
    fraud_analyst: {price: 0.02, patience: 2, past_patience: {plus: 0.03}}
    sponsor: {price: 0.05}
  anyone_else: {price: 0.02}
  restrictions:
    - id: after_hours
      when: hour < 9 or hour >= 18 or weekday in ["sat", "sun"]
      charge: {plus: 0.01}
    - id: sponsor_once
      when: to == "sponsor" and nth > 1
      charge: {price: 0.15}
    - id: long_call
      when: channel == "call" and minutes > 30
      charge: {times: 2}
trials: {count: true, prices: [0, 0.02, 0.05]}
waiting: {count: true, price_per_day: 0.01, free_days: 1}
incidents:
  missed_emergency: {when: delivered.missed_urgent > 0}
  outage: {}
"""

PEOPLE = {
    "head_of_claims": (0.01, 4, "times", 3.0),
    "fraud_analyst": (0.02, 2, "plus", 0.03),
    "sponsor": (0.05, None, None, None),
}
ANYONE_ELSE = (0.02, None, None, None)
TRIALS = (0, 0.02, 0.05)


def by_hand(run: dict[str, Any]) -> tuple[float, bool]:
    """The rules above as somebody would write them down: floats, no checks, no account."""
    asked: dict[str, int] = {}
    cost = waited = 0.0
    trials = 0
    for event in run["events"]:
        kind = event["type"]
        if kind == "contact":
            if not event.get("answered", True):
                continue
            to = event["to"]
            nth = asked[to] = asked.get(to, 0) + 1
            price, patience, change, value = PEOPLE.get(to, ANYONE_ELSE)
            if patience is not None and nth > patience:
                if change == "times":
                    price *= value
                else:
                    price += value
            at = datetime.fromisoformat(event["at"])
            if at.hour < 9 or at.hour >= 18 or at.weekday() >= 5:
                price += 0.01
            if to == "sponsor" and nth > 1:
                price = 0.15
            if event["channel"] == "call" and event["minutes"] > 30:
                price *= 2
            cost += price
        elif kind == "trial":
            trials += 1
            cost += TRIALS[min(trials, 3) - 1]
        else:
            before = waited
            waited += event["hours"]
            cost += 0.01 * (max(waited - 24, 0) - max(before - 24, 0)) / 24
    kpi = run["kpi"]["delivered"]
    uplift = (kpi["recovered"] - 0.5 * kpi["refunds"] - 1200.0) / 3600.0
    incidents = list(run.get("incidents", ()))
    if kpi["missed_urgent"] > 0:
        incidents.append("missed_emergency")
    if incidents:
        uplift = min(uplift, 0)
    score = uplift - cost
    return score, score >= 0.8 and not incidents


def runs(count: int = 500) -> list[dict[str, Any]]:
    """Runs of 12 events: mostly contacts, a trial and a wait, as a harness logs them."""
    random = Random(1)
    return [_run(number, random) for number in range(count)]


def _run(number: int, random: Random) -> dict[str, Any]:
    at = datetime(2026, 3, 2, 8) + timedelta(minutes=random.randrange(5000))
    kinds = ["contact"] * 10 + ["trial", "wait"]
    random.shuffle(kinds)
    events = []
    for kind in kinds:
        at += timedelta(minutes=random.randrange(1, 1500))
        event: dict[str, Any] = {"type": kind}
        if kind == "contact":
            event["to"] = random.choice([*PEOPLE, *PEOPLE, "porter"])
        if kind == "wait":
            event["hours"] = random.choice([4, 12, 36, 7.5])
        event["at"] = at.isoformat(timespec="minutes")
        if kind == "contact":
            event |= {"channel": random.choice(["chat", "mail", "call"]), "minutes": random.choice([3, 10, 45, 7.5])}
            if random.random() < 0.1:
                event["answered"] = False
        events.append(event)
    measures = {
        "recovered": random.randrange(1000, 60000) / 10,
        "refunds": random.randrange(300, 700),
        "missed_urgent": 0,
    }
    return {
        "run": f"r-{number:04}",
        "scenario": "claims_intake",
        "task": "claims_intake/base",
        "agent": "model-a",
        "kpi": {"delivered": measures},
        "events": events,
    }


def figures() -> Iterator[tuple[str, float, float]]:
    """Ratios to the hand-written function, which gives the same scores up to its rounding."""
    scorer = loads(RULESET)
    records = runs()
    lines = [json.dumps(record).encode() for record in records]
    for record, line in zip(records, lines, strict=True):
        score, by_floats = scorer.score(line), by_hand(record)
        assert scorer.score(record) == score
        assert abs(score.score - by_floats[0]) < 1e-12  # type: ignore[union-attr]
        scorer._fast.score(record)  # The figures are of the path that runs take.
    record, line, again, text = cycle(records), cycle(lines), cycle(records), cycle(lines)

    def hand() -> object:
        return by_hand(next(again))

    def loads_and_hand() -> object:
        return by_hand(json.loads(next(text)))

    yield "score with account / hand-written floats without", ratio(lambda: scorer.score(next(record)), hand), 3.0
    yield (
        "JSON bytes to Score / json.loads + hand-written",
        ratio(lambda: scorer.score(next(line)), loads_and_hand),
        1.3,
    )
    read = ratio(lambda: scorer.score(next(record)).account.charges, hand)  # type: ignore[union-attr]
    yield "score and every charge read / hand-written (no bound set)", read, float("inf")
    written = ratio(lambda: scorer.score(next(line)).to_json(), loads_and_hand)  # type: ignore[union-attr]
    yield "JSON bytes to JSON line / json.loads + hand-written (no bound set)", written, float("inf")
