"""Results for tests of reports: the shipped runs' scores, names that want to be markup, and very many runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from outscore.batch import score_file
from outscore.loader import load_all

from tests.scores import scored, void

RULESETS = Path(__file__).parents[1] / "rulesets"

HOSTILE = """</script><script>taken=1</script><!--<script><img src=x onerror=taken=1> & "quoted" 'a' $x$ %{y}"""
"""What would become markup, script or a formula, were it not kept a text."""

PEOPLE = ("head_of_claims", "fraud_analyst", "sponsor", "intake_lead")


@cache
def shipped_scores() -> tuple[str, ...]:
    """The scores of all shipped sample runs, as lines of results."""
    rulebook = load_all(RULESETS)
    found: list[str] = []
    for path in sorted(RULESETS.glob("*.runs.jsonl")):
        for each in score_file(rulebook, path):
            to_json = getattr(each, "to_json", None)
            found.append(to_json().decode() if to_json else json.dumps(each.to_record()))
    return tuple(found)


def plan_of(lines: Iterable[str], *more: dict[str, Any]) -> list[str]:
    """A plan of these results' runs, and more."""
    records = [json.loads(line) for line in lines]
    kept = [{key: each[key] for key in ("run", "scenario", "task", "agent") if key in each} for each in records]
    return [json.dumps(each) for each in (*kept, *more)]


def charge(event: int, amount: Fraction | str, to: str | None = None, type_: str = "contact") -> dict[str, Any]:
    """One event of an account, charged its list price."""
    rule = f"contacts.people.{to}.price" if type_ == "contact" else "trials.prices"
    value = Fraction(amount)
    steps = [{"rule": rule, "price": str(value), "amount": str(value)}]
    record = {"event": event, "type": type_, "to": to, "nth": event, "amount": float(value), "exact": str(value)}
    return {key: each for key, each in record.items() if each is not None} | {"steps": steps}


def with_account(record: dict[str, Any], *charges: dict[str, Any]) -> dict[str, Any]:
    """The score with these events as its account."""
    return record | {"account": list(charges)}


def many(count: int, seed: int = 7) -> Iterator[dict[str, Any]]:
    """So many results of five agents in three scenarios, with some four to twenty events each."""
    random = Random(seed)
    for number in range(count):
        scenario = random.choice(("claims", "alerts", "yard"))
        where = {"agent": f"model-{random.choice('abcde')}", "scenario": scenario}
        where["task"] = f"{scenario}/t{random.randrange(30)}"
        run = f"r-{number:05d}"
        if random.random() < 0.02:
            yield void(run, **where)
            continue
        events = []
        for event in range(1, random.randint(5, 21)):
            if random.random() < 0.8:
                events.append(charge(event, Fraction(random.randint(0, 40), 1000), random.choice(PEOPLE)))
            else:
                events.append(charge(event, Fraction(random.randint(0, 480), 24_000), type_="trial"))
        cost = sum((Fraction(each["exact"]) for each in events), Fraction(0))
        uplift = Fraction(random.randint(-3000, 11_000), 10_000)
        incidents = ("outage",) if random.random() < 0.06 else ()
        yield with_account(scored(run, uplift, cost, incidents=incidents, **where), *events)  # type: ignore[arg-type]
