"""The strict reader: what each bad run is told, whichever way it comes; and that the fast reader never takes one."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.diagnostics import Code, RunError
from outscore.jsontext import read_json
from outscore.loader import loads
from outscore.run import Run, read_run
from outscore.score import Score

from tests.cases import CONFORMANCE, ruleset_text, run_text

SCORER = loads(ruleset_text())
CASES: list[dict[str, Any]] = yaml.safe_load((CONFORMANCE / "bad_runs.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_bad_runs(case: dict[str, Any]) -> None:
    text = case["text"].replace("@5000", "7" * 5000).replace("@nested", "[" * 100_000)
    for run in (text, text.encode()):
        with pytest.raises(RunError) as caught:
            SCORER.score(run)
        error = caught.value
        assert (error.code, error.path, error.run) == (case["code"], case["path"], case.get("run", error.run))
        assert case["says"] in error.message
        assert case.get("hint", "") in (error.hint or "")
        assert "run" not in case or error.run == case["run"]


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(RunError) as caught:
        SCORER.score(b'{"run": "\xff"}')
    assert caught.value.code is Code.BAD_ENCODING


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"kpi": {"baseline": 0, "delivered": Decimal("NaN"), "reference": 1}}, "$.kpi.delivered"),
        ({"kpi": {"baseline": 0, "delivered": float("inf"), "reference": 1}}, "$.kpi.delivered"),
        ({"kpi": {"baseline": 0, "delivered": Decimal("1." + "0" * 45), "reference": 1}}, "$.kpi.delivered"),
        ({"kpi": {"baseline": 0, "delivered": object(), "reference": 1}}, "$.kpi.delivered"),
        ({"kpi": {"baseline": 0, "delivered": 1 + 0j, "reference": 1}}, "$.kpi.delivered"),
        ({"events": "contact"}, "$.events"),
        ({"events": [None]}, "$.events[0]"),
        ({"events": [{"type": ["contact"]}]}, "$.events[0].type"),
        ({"events": [{"type": "contact", "to": ["chief"]}]}, "$.events[0].to"),
        ({"events": [{"type": "contact", "to": "chief", 5: 6}]}, "$.events[0].5"),
        ({"incidents": [b"outage"]}, "$.incidents[0]"),
        ({"run": "\ud800"}, "$.run"),
        ({"agent": 7}, "$.agent"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_records(value: dict[str, Any], path: str) -> None:
    record = {"run": "r1", "scenario": "case", "kpi": {"baseline": 0, "delivered": 1, "reference": 1}, **value}
    with pytest.raises(RunError) as caught:
        SCORER.score(record)
    assert caught.value.path == path


def test_bytes_are_called_what_they_are() -> None:
    with pytest.raises(RunError) as caught:
        SCORER.score({"run": b"r1", "scenario": "case", "void": "lost"})
    assert caught.value.message == "a Python bytes; wanted text"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(["run", "scenario", "kpi", "events", "incidents", "data", "x"]), json_values))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_whatever_a_record_holds_it_is_scored_or_refused_in_words(change: dict[str, Any]) -> None:
    base = {"run": "r1", "scenario": "case", "kpi": {"baseline": 0, "delivered": 1, "reference": 1}, "events": []}
    (score,) = SCORER.score_many([{**base, **change}])
    assert isinstance(score, Score) or (isinstance(score, RunError) and score.message)


@given(st.binary(max_size=60) | st.text(max_size=60))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_whatever_a_line_holds_it_is_refused_in_words(line: bytes | str) -> None:
    with pytest.raises(RunError):
        SCORER.score(line)


TEXT = run_text({"events": [{"type": "contact", "to": "chief", "channel": "mail", "answered": True}]})


@given(
    st.integers(0, len(TEXT)),
    st.integers(0, 3),
    st.sampled_from(['"', ":", ",", "{", "}", "0", "e9", "\\", " ", '"to": "clerk",', "é"]),
)
@settings(max_examples=500, deadline=None, derandomize=True)
def test_the_fast_reader_takes_nothing_that_the_strict_one_refuses(at: int, cut: int, put: str) -> None:
    text = TEXT[:at] + put + TEXT[at + cut :]
    try:
        quick = SCORER._score_json(text.encode())
    except Exception:
        return
    read = read_run(read_json(text), SCORER.plan)
    assert isinstance(read, Run)
    assert SCORER.score(read) == quick


def test_python_values_of_a_harness_are_taken_as_they_are_meant() -> None:
    events: list[dict[str, Any]] = [{"type": "contact", "to": "chief", "minutes": 0.1}]
    record = {"run": "r1", "scenario": "case", "kpi": {"baseline": 0, "delivered": 0.1 + 0.2, "reference": Decimal(1)}}
    score = SCORER.score({**record, "events": events})
    assert isinstance(score, Score)
    # 0.1 + 0.2 is the double whose shortest repr is 0.30000000000000004, and means that decimal.
    assert str(score.exact.uplift) == "7500000000000001/25000000000000000"


def test_a_score_does_not_change_with_the_record_it_came_from() -> None:
    record = read_json(TEXT)
    assert isinstance(record, dict)
    score = SCORER.score(record)
    assert isinstance(score, Score)
    before = score.to_json()
    again = SCORER.score(record)
    record["events"][0]["to"] = "clerk"
    record["events"].clear()
    assert isinstance(again, Score)
    assert again.to_json() == before
