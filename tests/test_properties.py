"""Laws of every ruleset and run: against a naive oracle, between both paths, under changes of no meaning."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.diagnostics import RunError
from outscore.fastpath.support import start
from outscore.formula import RESOLVED_AT, judge
from outscore.jsontext import read_json
from outscore.ledger import Ledger
from outscore.loader import loads
from outscore.run import Run, Void, read_run
from outscore.score import Score
from outscore.scorer import Scorer

from tests import generate, naive
from tests.cases import ruleset_text

RULESETS, RUNS_EACH = 250, 40


def general(scorer: Scorer, text: str) -> Score:
    """The score by the general path alone."""
    run = read_run(read_json(text), scorer.plan)
    assert isinstance(run, Run)
    score = scorer.score(run)
    assert isinstance(score, Score)
    return score


def figures(score: Any) -> tuple[Any, ...]:
    exact = getattr(score, "exact", score)
    names = ("uplift", "adjusted_uplift", "contact_cost", "score", "floored_score")
    return *(getattr(exact, name) for name in names), score.resolved, list(score.incidents)


@pytest.mark.parametrize("block", range(10))
def test_the_scorer_equals_the_naive_formula_on_10_000_runs(block: int) -> None:
    """And its two paths equal each other, to the byte; what has no score for one has none for the other."""
    fast = slow = refused = 0
    for seed in range(block * RULESETS // 10, (block + 1) * RULESETS // 10):
        text = generate.ruleset(seed)
        rules, scorer = naive.load_ruleset(text), loads(text)
        for number in range(RUNS_EACH):
            run = generate.run_for(rules, 1000 * seed + number)
            try:
                expected = naive.score(rules, naive.load_run(run))
            except (naive.NoScoreError, ZeroDivisionError):
                expected = None
            if expected is None:
                with pytest.raises(RunError):
                    scorer.score(run)
                refused += 1
                continue
            score = scorer.score(run)
            assert figures(score) == figures(expected)
            assert [charge.amount for charge in score.account] == expected.charges
            assert sum((charge.amount for charge in score.account), Fraction(0)) == score.exact.contact_cost
            try:
                quick = scorer._fast.score(read_json(run))
            except Exception:
                slow += 1
                continue
            fast += 1
            assert quick.to_json() == general(scorer, run).to_json()
    # The law would be empty if the generated functions never ran, or always.
    assert fast > slow > 0
    assert refused < fast


@pytest.mark.parametrize(("target", "resolved"), [(RESOLVED_AT, True), (RESOLVED_AT - Fraction("1e-12"), False)])
def test_no_run_at_the_mark_is_misjudged(target: Fraction, resolved: bool) -> None:
    random = Random(5)
    scorer = loads(
        ruleset_text(
            {"waiting": {"count": True, "price_per_day": 0, "restrictions": [{"id": "a", "charge": {"plus": "hours"}}]}}
        )
    )
    judged = 0
    for _ in range(5000):
        # Costs with few decimals and KPIs whose uplift makes up for them exactly.
        cost = Fraction(random.randrange(0, 4000), 1000)
        baseline = Fraction(random.randrange(-(10**7), 10**7), 100)
        span = Fraction(random.choice([1, 2, 4, 5, 8, 10, 25, 40, 125]) * random.randrange(1, 10**5), 1000)
        delivered = baseline + span * (target + cost)
        run = {
            "run": "r",
            "scenario": "case",
            "kpi": {"baseline": "@0", "delivered": "@1", "reference": "@2"},
            "events": [{"type": "wait", "hours": "@3"}],
        }
        text = json.dumps(run)
        for index, value in enumerate((baseline, delivered, baseline + span, cost)):
            text = text.replace(f'"@{index}"', decimal(value))
        score = scorer.score(text)
        assert score.exact.score == target
        assert score.resolved is resolved
        assert (score.score >= 0.8) is resolved or target != RESOLVED_AT
        judged += 1
    assert judged == 5000


def decimal(value: Fraction) -> str:
    """A fraction of tens as its decimal."""
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
        assert places < 40
    whole = int(value * 10**places)
    digits = str(abs(whole)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if whole < 0 else text


ints = st.integers(-(10**30), 10**30)


@given(ints, ints.filter(bool), st.booleans(), st.integers(0, 10**30), st.integers(1, 10**20))
@settings(max_examples=500, deadline=None, derandomize=True)
def test_the_formula_on_integers_is_the_formula_on_fractions(
    gain: int, span: int, incident: bool, cost: int, quanta: int
) -> None:
    judged = judge(gain, span, incident, cost, quanta)
    uplift, contact_cost = Fraction(gain, span), Fraction(cost, quanta)
    adjusted = min(uplift, Fraction(0)) if incident else uplift
    assert Fraction(judged.uplift, judged.uplift_denominator) == uplift
    assert Fraction(judged.adjusted_uplift, judged.uplift_denominator) == adjusted
    assert Fraction(judged.score, judged.score_denominator) == adjusted - contact_cost
    assert Fraction(judged.floored_score, judged.score_denominator) == max(adjusted, Fraction(-1)) - contact_cost
    assert judged.resolved is (adjusted - contact_cost >= Fraction(4, 5) and not incident)
    assert min(judged.uplift_denominator, judged.cost_denominator, judged.score_denominator) > 0


SEEDS = range(3000, 3040)


def scored(seed: int) -> tuple[Scorer, dict[str, Any], Score] | None:
    text, run = generate.case(seed)
    scorer = loads(text)
    try:
        score = scorer.score(run)
    except RunError:
        return None
    assert isinstance(score, Score)
    return scorer, read_json(run), score  # type: ignore[return-value]


CASES = [case for seed in SEEDS if (case := scored(seed)) is not None]


def test_unanswered_messages_change_nothing() -> None:
    tried = 0
    for scorer, run, score in CASES:
        contacts = scorer.plan.contacts
        events = run.get("events", [])
        if contacts is None or not contacts.people:
            continue
        person = next(iter(contacts.people))
        more = []
        for event in events:
            at = {"at": event["at"]} if "at" in event else {}
            more += [event, {"type": "contact", "to": person, "answered": False, **at}]
        with_them = scorer.score({**run, "events": more})
        assert figures(with_them) == figures(score)
        tried += bool(events)
    assert tried > 10


def test_order_of_runs_changes_nothing() -> None:
    for scorer, run, score in CASES[:10]:
        other = {**run, "run": "another"}
        first, again, last = (scorer.score(each) for each in (run, other, run))
        assert isinstance(again, Score)
        assert first.to_json() == last.to_json() == score.to_json()


def test_a_pickled_scorer_gives_the_same_bytes() -> None:
    for scorer, run, score in CASES[:10]:
        copy = pickle.loads(pickle.dumps(scorer))
        assert copy == scorer
        assert hash(copy) == hash(scorer)
        assert copy.score(run).to_json() == score.to_json()
        assert pickle.loads(pickle.dumps(score)) == score


def test_events_priced_one_by_one_are_events_priced_together() -> None:
    tried = 0
    for scorer, run, score in CASES:
        events, counts, total = run.get("events", []), start(), 0
        try:
            for event in events:
                _, amount, _ = scorer._fast.price([event], counts)
                total += amount
        except Exception:
            continue
        assert Fraction(total, scorer._fast.quanta) == score.exact.contact_cost
        tried += bool(events)
    assert tried > 5


def test_the_ledger_is_the_account() -> None:
    for scorer, run, score in CASES:
        read = read_run(run, scorer.plan)
        assert isinstance(read, Run)
        ledger = Ledger(scorer._exact_rules.tariff)
        assert tuple(ledger.charge(event) for event in read.events) == score.account.charges


def test_a_void_run_is_no_score() -> None:
    scorer = loads(ruleset_text())
    void = scorer.score({"run": "r", "scenario": "case", "agent": "a", "void": "grader timed out"})
    assert isinstance(void, Void)
    assert void.to_record() == {
        "run": "r",
        "scenario": "case",
        "task": "case",
        "agent": "a",
        "void": "grader timed out",
    }
