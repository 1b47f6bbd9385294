"""Whatever a ruleset's file holds, by chance: a scorer that scores or refuses runs in words, or findings in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from outscore.diagnostics import RulesetError, RunError, render
from outscore.document import read_document
from outscore.loader import loads
from outscore.plan import Plan
from outscore.ruleset.shape import read_model
from outscore.schema import check_shape
from outscore.score import Score

from tests import naive
from tests.generate import ruleset
from tests.generate_run import run_for

ROOT = Path(__file__).parents[1]
GOOD = [
    path.read_text(encoding="utf-8-sig")
    for folder in ("rulesets", "tests/rulesets/ok")
    for path in sorted((ROOT / folder).glob("*.yaml"))
]
QUICKLY = settings(derandomize=True, deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))


def settle(text: str | bytes) -> Plan | None:
    """The plan of a text that is taken; None where it is refused, and then in words and at places."""
    scorer = outcome(lambda: loads(text, "r.yaml"))
    if isinstance(scorer, RulesetError):
        lines = len((text if isinstance(text, str) else text.decode(errors="replace")).split("\n"))
        assert scorer.diagnostics
        for each in scorer.diagnostics:
            assert each.span is not None
            assert 1 <= each.span.line <= lines
            assert each.message
            render(each, scorer.sources["r.yaml"])
        return None
    for seed in range(3):
        run = run_of(scorer.plan, Random(seed))
        score = outcome(partial(scorer.score, json.dumps(run)))
        if isinstance(score, RunError):
            assert score.message
            assert score.run == run["run"]
        else:
            assert json.loads(score.to_json())["run"] == run["run"]
    return scorer.plan


def outcome(work: Callable[[], Any]) -> Any:
    """What comes of it, an error in words included; any other is raised."""
    try:
        return work()
    except (RulesetError, RunError) as error:
        return error


def run_of(plan: Plan, random: Random) -> dict[str, Any]:
    """A run that carries everything the plan's rules could read."""
    measures = plan.kpi.measures

    def values(low: int, high: int) -> Any:
        pick = [random.randint(low, high) for _ in measures or [0]]
        return dict(zip(measures, pick, strict=True)) if measures else pick[0]

    pinned = {"baseline": plan.kpi.pinned_baseline, "reference": plan.kpi.pinned_reference}
    systems = [name for name in ("baseline", "delivered", "reference") if pinned.get(name) is None]
    at = datetime(2026, 3, 2, 8)
    events = []
    for _ in range(8):
        at += timedelta(minutes=random.randrange(2_000))
        event: dict[str, Any] = {"at": at.isoformat(timespec="minutes")}
        for name, kind in plan.fields.items():
            pick = {"number": random.randrange(50), "text": "late", "boolean": random.random() < 0.5}
            event[name] = pick[kind] if isinstance(kind, str) else random.choice(kind)
        people = [*(plan.contacts.people if plan.contacts else ()), "somebody"]
        offered = [
            {"type": "contact", "to": random.choice(people), "answered": random.random() < 0.8},
            {"type": "trial"},
            {"type": "wait", "hours": random.randrange(60)},
        ]
        sections = [plan.contacts, plan.trials, plan.waiting]
        kinds = [kind for kind, section in zip(offered, sections, strict=True) if section is not None]
        events += [{**random.choice(kinds), **event}] if kinds else []
    return {
        "run": f"r{random.randrange(9)}",
        "scenario": plan.scenario,
        "kpi": {name: values(*((0, 99) if name != "reference" else (100, 200))) for name in systems},
        "events": events,
    }


def test_the_rulesets_to_start_from_are_good() -> None:
    assert len(GOOD) >= 6
    assert all(settle(text) is not None for text in GOOD)


# By chance ----------------------------------------------------------------------------------------------------------


@QUICKLY
@given(st.binary(max_size=300))
def test_random_bytes(source: bytes) -> None:
    settle(source)


@QUICKLY
@given(st.text(st.sampled_from("abno01.:-#&*!|>'\"%@`{}[],<? \t\n\r\\~é\u00a0\u2028\ufeff\0"), max_size=120))
def test_random_marks(text: str) -> None:
    settle(text)
    settle(GOOD[0] + text)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["higher", "nth > 1"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from(
    """outscore scenario title timezone kpi direction measures formula pinned baseline reference fields contacts people
    anyone_else restrictions id when charge price times plus patience past_patience trials count prices waiting
    price_per_day free_days incidents why tests name run expect x-a""".split()  # noqa: SIM905
)
KNOWN = st.recursive(VALUES, lambda inner: st.dictionaries(KEYS, inner, max_size=6), max_leaves=20)


@QUICKLY
@given(VALUES | KNOWN, st.booleans())
def test_random_yaml(data: Any, in_flow: bool) -> None:
    settle(yaml.safe_dump(data, allow_unicode=True, default_flow_style=in_flow))


@QUICKLY
@given(st.dictionaries(KEYS, KNOWN, max_size=5))
def test_random_keys_in_a_ruleset(data: dict[str, Any]) -> None:
    whole = {"outscore": 1, "scenario": "demo", "kpi": {"direction": "higher"}, **data}
    settle(yaml.safe_dump(whole, sort_keys=False))


# Rulesets in order, with something done to them ---------------------------------------------------------------------

NASTY = [
    *("", "~", "yes", "0x1F", "010", "1e41", "-1", "1e-40", "9" * 41, ".nan", "12:30", "2026-03-02", "'", '"', "*a"),
    *("&a", "!t", "|", ">", "#", "[", "{", "[]", "{}", "{a: 1}", "[1, [2]]", "true", "nth", "to == 'x'", "1/0"),
    *("delivered.kpi", "min(1)", "not", "(" * 30, "1 if hour > 3 else 0", "<<: *a", "- a", "? b", "%YAML 1.1", "---"),
]


def _delete(lines: list[str], random: Random) -> None:
    del lines[random.randrange(len(lines))]


def _double(lines: list[str], random: Random) -> None:
    place = random.randrange(len(lines))
    lines.insert(random.randrange(len(lines)), lines[place])


def _swap(lines: list[str], random: Random) -> None:
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def _indent(lines: list[str], random: Random) -> None:
    place = random.randrange(len(lines))
    lines[place] = random.choice([" ", "  ", "\t"]) + lines[place] if random.random() < 0.5 else lines[place][2:]


def _character(lines: list[str], random: Random) -> None:
    place = random.randrange(len(lines))
    line = lines[place]
    at = random.randrange(len(line) + 1)
    lines[place] = (
        line[:at] + random.choice("aZ0._:,'\"#[]{}()<>=*&!%-\u00a0\x85\t ") + line[at + random.randrange(2) :]
    )


def _value(lines: list[str], random: Random) -> None:
    places = [place for place, line in enumerate(lines) if ":" in line]
    if places:
        place = random.choice(places)
        key = lines[place].partition(":")[0]
        lines[place] = f"{key}: {random.choice(NASTY)}"


def _word(lines: list[str], random: Random) -> None:
    place = random.randrange(len(lines))
    words = lines[place].split(" ")
    words[random.randrange(len(words))] = random.choice(NASTY)
    lines[place] = " ".join(words)


MUTATIONS: list[Callable[[list[str], Random], None]] = [_delete, _double, _swap, _indent, _character, _value, _word]


def mutated(seed: int) -> str:
    random = Random(seed)
    lines = random.choice(GOOD).split("\n")
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        random.choice(MUTATIONS)(lines, random)
        lines = lines or [""]
    return "\n".join(lines)


@pytest.mark.parametrize("start", range(0, 600, 100))
def test_mutated_rulesets(start: int) -> None:
    taken = sum(settle(mutated(seed)) is not None for seed in range(start, start + 100))
    # Mutations that change nothing of the rules are taken, and few others are: both must come up.
    assert 5 <= taken <= 60


def test_schema_and_model_refuse_the_same_mutated_rulesets() -> None:
    """What the model takes is never shown to the schema, so the schema must have nothing to say of it."""
    seen = 0
    for seed in range(600, 1_000):
        document, _ = read_document(mutated(seed).encode(), "r.yaml")
        if document is None:
            continue
        ruleset, _ = read_model(document)
        assert (ruleset is None) == bool(check_shape(document)), mutated(seed)
        seen += ruleset is None
    assert seen > 50


def test_generated_rulesets_with_a_line_taken_out_still_score_their_runs() -> None:
    scored = 0
    for seed in range(100):
        lines = ruleset(seed).split("\n")
        _delete(lines, Random(seed))
        text = "\n".join(lines)
        plan = settle(text)
        if plan is None or not {"", "gain"} & {*plan.kpi.measures, *([] if plan.kpi.measures else [""])}:
            continue
        try:
            score = loads(text).score(run_for(naive.load_ruleset(text), seed))
        except RunError:
            continue
        scored += isinstance(score, Score)
    assert scored >= 10
