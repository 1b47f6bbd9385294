"""Files of runs: every run is accounted for, in order, with its place where it is bad."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from outscore.batch import BadRun, Outcome, score_file, score_placed
from outscore.diagnostics import Code
from outscore.loader import loads
from outscore.run import Void
from outscore.score import Score
from outscore.summary import aggregate

from tests.cases import ruleset_text

SCORER = loads(ruleset_text())
OTHER = loads(ruleset_text({"scenario": "other", "contacts": {"people": {"porter": {"price": 0}}}}))
BOTH = {"case": SCORER, "other": OTHER}


def run(name: str = "r", **rest: Any) -> dict[str, Any]:
    return {"run": name, "scenario": "case", "kpi": {"baseline": 0, "delivered": 1, "reference": 1}, **rest}


def lines(*records: object) -> io.BytesIO:
    return io.BytesIO(
        b"".join(each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in records)
    )


def outcomes(stream: io.BytesIO, rulebook: Any = SCORER) -> list[Outcome]:
    return list(score_file(rulebook, "-", stream))


def test_three_bad_lines_in_a_thousand() -> None:
    records: list[object] = [run(f"r{number}", agent=f"a{number % 2}") for number in range(1000)]
    records[10] = b'{"run": "r10", \n'
    records[500] = run("r500", events=[{"type": "contact", "to": "nobody"}], agent="a0")
    records[999] = b'{"run": "r999", "scenario": "case", "kpi": {"baseline": 0, "delivered": NaN, "reference": 1}}\n'
    found = outcomes(lines(*records))
    assert len(found) == 1000
    bad = [each for each in found if isinstance(each, BadRun)]
    assert [(each.line, each.error.code, each.error.run) for each in bad] == [
        (11, Code.SYNTAX, None),
        (501, Code.UNKNOWN_PERSON, "r500"),
        (1000, Code.BAD_NUMBER, "r999"),
    ]
    assert bad[1].to_record() == {
        "run": "r500",
        "scenario": "case",
        "agent": "a0",
        "input": {"file": "<stdin>", "line": 501},
        "error": {
            "code": "unknown-person",
            "path": "$.events[0].to",
            "message": "'nobody' is nobody the ruleset lists",
            "hint": "the ruleset lists no such person and has no anyone_else",
        },
    }
    assert [each.run for each in found if isinstance(each, Score)] == [
        f"r{number}" for number in range(1000) if number not in (10, 500, 999)
    ]
    summary = aggregate(found, planned=1001)
    assert summary.to_record()["all"] == {
        "planned": 1001,
        "missing": 1,
        "scored": 997,
        "void": 0,
        "failed": 3,
        "resolved": 997,
        "incidents": 0,
        "mean_floored_score": 1.0,
        "mean_contact_cost": 0.0,
    }


def test_blank_lines_and_a_byte_order_mark_are_passed_over() -> None:
    stream = io.BytesIO(
        b"\xef\xbb\xbf" + json.dumps(run("a")).encode() + b"\r\n\r\n  \n" + json.dumps(run("b")).encode()
    )
    assert [each.run for each in outcomes(stream) if isinstance(each, Score)] == ["a", "b"]


def test_each_run_goes_to_its_own_scenarios_rules() -> None:
    to_porter = [{"type": "contact", "to": "porter"}]
    found = outcomes(
        lines(
            run("a"),
            {**run("b", events=to_porter), "scenario": "other"},
            {**run("c"), "scenario": "casse"},
            {"run": "d"},
            {**run("e"), "data": '"scenario": "other"'},
            b'{"run": "f", "scen\\u0061rio": "other", "kpi": {"baseline": 0, "delivered": 1, "reference": 1}}\n',
        ),
        BOTH,
    )
    scored = [(each.run, each.scenario) for each in found if isinstance(each, Score)]
    assert scored == [("a", "case"), ("b", "other"), ("e", "case"), ("f", "other")]
    bad = [each for each in found if isinstance(each, BadRun)]
    assert [(each.error.run, each.error.code, each.error.hint) for each in bad] == [
        ("c", Code.WRONG_SCENARIO, "did you mean 'case'?"),
        ("d", Code.MISSING_KEY, None),
    ]


def test_outcomes_come_with_their_places(tmp_path: Path) -> None:
    records = [run("a"), run("b")]
    texts = {
        "runs.jsonl": ("\n".join(map(json.dumps, [records[0], records[1]])).replace("\n", "\n\n"), ":1", ":3"),
        "runs.json": (json.dumps(records), ", item 1", ", item 2"),
        "runs.yaml": ("".join(f"- {json.dumps(each)}\n" for each in records), ":1", ":2"),
    }
    for name, (text, *wanted) in texts.items():
        path = tmp_path / name
        path.write_text(text)
        found = list(score_placed(SCORER, path))
        assert [str(place) for place, _ in found] == [f"{path}{each}" for each in wanted]
        assert [outcome for _, outcome in found] == list(score_file(SCORER, path))


def test_runs_that_are_there_again_are_counted() -> None:
    found = outcomes(lines(run("a"), run("b"), run("a"), b"{\n", b"{\n", run("a")))
    summary = aggregate(found)
    assert (summary.repeated, summary.to_record()["repeated"], summary.all.scored) == (2, 2, 4)


@pytest.mark.parametrize("suffix", [".json", ".yaml", ".yml", ".jsonl", ".ndjson", ".txt"])
def test_formats(tmp_path: Path, suffix: str) -> None:
    records = [run("a", events=[{"type": "contact", "to": "chief"}]), {"run": "b", "scenario": "case", "void": "lost"}]
    text = json.dumps(records) if suffix in (".json", ".yaml", ".yml") else "\n".join(map(json.dumps, records))
    path = tmp_path / f"runs{suffix}"
    path.write_text(text, encoding="utf-8")
    score, void = score_file(SCORER, str(path))
    assert isinstance(score, Score)
    assert str(score.exact.score) == "9/10"
    assert isinstance(void, Void)


def test_yaml_runs_keep_numbers_and_places(tmp_path: Path) -> None:
    path = tmp_path / "runs.yaml"
    path.write_text(
        "- {run: a, scenario: case, kpi: {baseline: 0, delivered: 0.1, reference: 0.3}}\n"
        "- run: b\n  scenario: case\n  kpi: {baseline: 0, delivered: 0.1, reference: 0}\n"
    )
    score, bad = score_file(SCORER, str(path))
    assert isinstance(score, Score)
    assert str(score.exact.score) == "1/3"
    assert isinstance(bad, BadRun)
    assert (bad.line, bad.item, bad.error.code) == (2, 2, Code.REFERENCE_NOT_BETTER)


def test_one_run_alone_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(run("a"), indent=2))
    (score,) = score_file(SCORER, str(path))
    assert isinstance(score, Score)


@pytest.mark.parametrize(("name", "text"), [("runs.json", "{"), ("runs.yaml", "a: [")])
def test_a_file_that_cannot_be_read_is_a_bad_run_with_its_place(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    found = list(score_file(SCORER, str(path)))
    assert found
    assert all(isinstance(each, BadRun) and each.file == str(path) for each in found)


def test_a_line_longer_than_any_run_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outscore.runfiles.MAX_RUN_BYTES", 200)
    monkeypatch.setattr("outscore.jsontext.MAX_RUN_BYTES", 200)
    found = outcomes(lines(run("a"), run("b" * 3000), run("c")))
    assert [type(each) for each in found] == [Score, BadRun, Score]
    assert isinstance(found[1], BadRun)
    assert found[1].error.code is Code.TOO_LARGE
    assert found[1].line == 2


def test_means_are_exact_whatever_the_spans() -> None:
    records = [
        run(str(number), kpi={"baseline": 0, "delivered": number, "reference": number + 7}) for number in range(2, 60)
    ]
    found = outcomes(lines(*records))
    exact = sum(each.exact.floored_score for each in found if isinstance(each, Score)) / len(records)
    assert aggregate(found).all.mean_floored_score == exact


def test_the_floor_is_in_the_mean_alone() -> None:
    found = outcomes(lines(run("a", kpi={"baseline": 0, "delivered": -5, "reference": 1}), run("b")))
    assert [each.score for each in found if isinstance(each, Score)] == [-5.0, 1.0]
    assert aggregate(found).all.mean_floored_score == 0


def test_nothing_scored_has_no_mean() -> None:
    found = outcomes(lines({"run": "a", "scenario": "case", "void": "lost"}))
    record = aggregate(found).to_record()["all"]
    assert (record["scored"], record["void"], record["mean_floored_score"]) == (0, 1, None)


def test_a_run_nested_to_any_depth_stops_no_batch(tmp_path: Path) -> None:
    """Nor those after it: at some depth even Python's own words for a value are too deep."""
    path = tmp_path / "runs.jsonl"
    records = []
    for depth in range(940, 1000):
        nested = "[" * depth + "]" * depth
        for key in ("type", "to", "answered"):
            keys = {"type": '"contact"', "to": '"chief"', "answered": "true"} | {key: nested}
            event = ", ".join(f'"{name}": {value}' for name, value in keys.items())
            text = json.dumps(run(f"{key} {depth}"))
            records.append(f'{text[:-1]}, "events": [{{{event}}}]}}')
    path.write_text("\n".join(records))
    found = list(score_file(SCORER, path))
    assert len(found) == len(records)
    assert all(isinstance(each, BadRun) for each in found)


LIVE = [
    '{"outscore_ledger":1,"run":"live","scenario":"case","agent":"a","ruleset":"sha256:x","engine":"0.1.0"}',
    '{"event":{"type":"contact","to":"porter"}}',
    '{"incident":"outage"}',
    '{"closed":{"kpi":{"baseline":0,"delivered":1,"reference":1}}}',
]


def live(tmp_path: Path, *texts: str) -> Outcome:
    path = tmp_path / "live.jsonl"
    path.write_text("\n".join(texts) + "\n")
    (outcome,) = score_file(BOTH, path)
    return outcome


def test_the_file_of_a_live_ledger_holds_one_run(tmp_path: Path) -> None:
    texts = [text.replace('"case"', '"other"') for text in LIVE]
    score = live(tmp_path, *texts)
    assert isinstance(score, Score)
    assert (score.run, score.agent, score.incidents, len(score.account)) == ("live", "a", ("outage",), 1)
    with open(tmp_path / "live.jsonl", "rb") as file:
        (again,) = score_file(BOTH, "-", io.BytesIO(file.read()))
    assert again == score
    lost = live(tmp_path, *texts[:2], '{"closed":{"void":"lost"}}')
    assert isinstance(lost, Void)


@pytest.mark.parametrize(
    ("texts", "code", "line", "who"),
    [
        (LIVE[:3], Code.LEDGER_OPEN, 1, "live"),
        (LIVE[:1], Code.LEDGER_OPEN, 1, "live"),
        ((LIVE[0], "nonsense", *LIVE[1:]), Code.LEDGER_DAMAGED, 2, "live"),
        ((*LIVE[:3], '{"closed": 3}'), Code.LEDGER_DAMAGED, 4, "live"),
        ((*LIVE[:3], '{"closed": {}}'), Code.LEDGER_DAMAGED, 4, "live"),
        ((*LIVE[:3], '{"closed": {"kpi": {}, "run": "other"}}'), Code.LEDGER_DAMAGED, 4, "live"),
        ((*LIVE[:3], '{"closed": {"void": "x", "agent": "b"}}'), Code.LEDGER_DAMAGED, 4, "live"),
        ((*LIVE[:3], LIVE[2], LIVE[3]), Code.LEDGER_DAMAGED, 4, "live"),
        ((LIVE[0].replace('"live"', "3"), *LIVE[1:]), Code.LEDGER_DAMAGED, 1, None),
        ((LIVE[0].replace("}", ',"run":"r9"}'), *LIVE[1:]), Code.LEDGER_DAMAGED, 1, None),
        ((LIVE[0].replace(":1,", ":2,"), *LIVE[1:]), Code.LEDGER_MISMATCH, 1, "live"),
        ((LIVE[0].replace(":1,", ":true,"), *LIVE[1:]), Code.LEDGER_MISMATCH, 1, "live"),
    ],
)
def test_a_live_ledger_that_holds_no_run(
    texts: list[str], code: Code, line: int, who: str | None, tmp_path: Path
) -> None:
    outcome = live(tmp_path, *texts)
    assert isinstance(outcome, BadRun)
    assert (outcome.error.code, outcome.line, outcome.error.run) == (code, line, who)
    # Whose it was is known from its first line, so that it is counted with its agent's.
    assert (outcome.scenario, outcome.agent) == ("case", "a")


def test_a_live_ledger_longer_than_any_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outscore.runfiles._LONGEST_LEDGER", 200)
    outcome = live(tmp_path, *LIVE)
    assert isinstance(outcome, BadRun)
    assert outcome.error.code is Code.TOO_LARGE


@pytest.mark.parametrize("rulebook", ["rules.yaml", None, [SCORER]])
def test_what_is_no_rulebook_is_a_slip_with_a_hint(rulebook: Any) -> None:
    with pytest.raises(TypeError, match=r"takes a Scorer, or Scorers by scenario, not .*outscore\.load"):
        score_file(rulebook, "runs.jsonl")
