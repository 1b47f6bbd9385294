"""Stored results scored anew: whole or not at all, with the old score kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from outscore.batch import score_file
from outscore.cli.rescore_page import rescore_page
from outscore.explain.page import Table
from outscore.loader import loads
from outscore.rescore import NothingToRescoreError, Rescoring, as_result, rescore
from outscore.results import Result, ResultsError, read_results
from outscore.schema import generate
from outscore.scorer import Scorer

from tests.cases import ruleset_text
from tests.scores import written


def rules(price: float = 0, scenario: str = "case", **people: Any) -> Scorer:
    return loads(ruleset_text({"scenario": scenario, "contacts": {"people": {"chief": {"price": price}, **people}}}))


OLD, NEW = rules(0.01), rules(0.3)


def run(name: str, contacts: int = 1, agent: str = "a", **rest: Any) -> dict[str, Any]:
    kpi = {"baseline": 0, "delivered": 1, "reference": 1}
    events = [{"type": "contact", "to": "chief"}] * contacts
    return {"run": name, "scenario": "case", "agent": agent, "kpi": kpi, "events": events} | rest


def lost(name: str) -> dict[str, Any]:
    return {"run": name, "scenario": "case", "agent": "a", "void": "lost"}


def stored(path: str, rulebook: Any = OLD) -> list[Result]:
    return [as_result(outcome, path, number) for number, outcome in enumerate(score_file(rulebook, path), 1)]


def done(tmp_path: Path, records: list[object], new: Any = NEW, **rest: Any) -> Rescoring:
    path = written(tmp_path / "runs.jsonl", *records)
    return rescore(stored(path), [path], new, **rest)


def test_the_old_score_is_kept_whole_beside_the_new(tmp_path: Path) -> None:
    made = done(tmp_path, [run("x"), lost("v"), run("y", 0)])
    lines = [json.loads(line) for line in made.lines()]
    assert [each["run"] for each in lines] == ["x", "v", "y"]
    first = lines[0]
    assert (first["score"], first["ruleset"]) == (0.7, NEW.digest)
    kept = first["rescored"]
    assert (kept["from"], kept["to"]) == (OLD.digest, NEW.digest)
    assert (kept["old"]["score"], kept["old"]["ruleset"], kept["old"]["exact"]["score"]) == (0.99, OLD.digest, "99/100")
    assert kept["old"]["account"][0]["exact"] == "1/100"
    assert all(map(Draft7Validator(generate("score")).is_valid, lines))
    assert lines[1]["rescored"]["old"] == {"run": "v", "scenario": "case", "task": "case", "agent": "a", "void": "lost"}
    # The new line is the score, to the byte, and what it was before.
    score = next(score_file(NEW, written(tmp_path / "one.jsonl", run("x"))))
    assert next(made.lines()).startswith(score.to_json()[:-1])  # type: ignore[union-attr]


def test_what_it_writes_is_read_as_results_and_rescored_again(tmp_path: Path) -> None:
    runs = written(tmp_path / "runs.jsonl", run("x"))
    first = rescore(stored(runs), [runs], NEW)
    path = written(tmp_path / "scores.jsonl", *(line.decode().strip() for line in first.lines()))
    again = rescore(read_results([path], keep_source=True), [runs], OLD)
    record = json.loads(next(again.lines()))
    assert record["score"] == 0.99
    assert record["rescored"]["old"]["score"] == 0.7
    assert record["rescored"]["old"]["rescored"]["old"]["score"] == 0.99


def test_what_changed_is_told(tmp_path: Path) -> None:
    records = [
        run("x", 1, "a"),
        run("y", 0, "b", kpi={"baseline": 0, "delivered": 0.9, "reference": 1}),
        run("z", 0, "c"),
    ]
    made = done(tmp_path, records)
    record = made.to_record()
    assert record["rulesets"] == {"case": {"from": [OLD.digest], "to": NEW.digest}}
    assert record["counts"] == {
        "stored": 3,
        "rescored": 3,
        "untouched": 0,
        "changed": 1,
        "score_changed": 1,
        "newly_resolved": 0,
        "no_longer_resolved": 1,
        "newly_scored": 0,
        "no_longer_scored": 0,
        "runs_without_score": 0,
    }
    ranks = {each["agent"]: (each["old"]["rank"], each["new"]["rank"]) for each in record["agents"]}
    assert ranks == {"a": (2, 3), "b": (3, 2), "c": (1, 1)}
    (change,) = record["changes"]
    assert (change["run"], change["old"]["exact"]["score"], change["new"]["exact"]["score"]) == ("x", "99/100", "7/10")
    assert (change["old"]["resolved"], change["new"]["resolved"]) == (True, False)


def test_people_see_first_what_changed_most(tmp_path: Path) -> None:
    def kpi(delivered: float) -> dict[str, Any]:
        return {"baseline": 0, "delivered": delivered, "reference": 1}

    records = [run("little"), run("much", 3, kpi=kpi(3)), run("verdict"), run("never", 0)]
    records[0]["kpi"] = kpi(2)
    table = next(block for block in rescore_page(done(tmp_path, records), None)[::-1] if isinstance(block, Table))
    assert [row[0].lines for row in table.rows] == [(("verdict",),), (("much",),), (("little",),)]


def test_agents_with_one_mean_share_a_rank(tmp_path: Path) -> None:
    made = done(tmp_path, [run("x", 0, "a"), run("y", 0, "b"), run("z", 1, "c"), lost("v") | {"agent": "d"}])
    assert {agent: new.rank for agent, (_, new) in made.agents().items()} == {"a": 1, "b": 1, "c": 3, "d": None}


def test_other_scenarios_stay_as_they_are(tmp_path: Path) -> None:
    other = rules(0.02, "other")
    path = written(tmp_path / "runs.jsonl", run("x"), run("y", scenario="other"))
    before = stored(path, {"case": OLD, "other": other})
    made = rescore(before, [path], NEW)
    lines = list(made.lines())
    assert lines[1] == before[1].source + b"\n"
    assert made.counts()["untouched"] == 1
    with pytest.raises(NothingToRescoreError, match="no stored result is of scenario third"):
        rescore(before, [path], rules(0, "third"))


def test_a_run_that_failed_can_be_scored_now(tmp_path: Path) -> None:
    helper = [{"type": "contact", "to": "helper"}]
    made = done(tmp_path, [run("x", events=helper), "{"], rules(0.01, helper={"price": 0}))
    assert made.counts()["newly_scored"] == 1
    first, second = (json.loads(line) for line in made.lines())
    assert (first["score"], first["rescored"]["from"]) == (1.0, None)
    assert first["rescored"]["old"]["error"]["code"] == "unknown-person"
    # Nobody knows which run this was, so it stays as it is.
    assert "rescored" not in second
    assert made.failed == []


def refused(found: list[Result], runs: list[str], new: Any = NEW, **rest: Any) -> str:
    with pytest.raises(ResultsError) as caught:
        rescore(found, runs, new, **rest)
    return str(caught.value)


def test_whole_or_not_at_all(tmp_path: Path) -> None:
    both = written(tmp_path / "runs.jsonl", run("x"), run("y"))
    found = stored(both)
    one = written(tmp_path / "one.jsonl", run("x"))
    assert "run 'y' has a stored result, but is in none of the files of runs" in refused(found, [one])
    assert "run 'x' is here a second time" in refused(found, [both, one])
    assert "run 'x' is of agent" not in refused(found, [one])
    moved = written(tmp_path / "moved.jsonl", run("x", agent="b"), run("y"))
    assert "run 'x' is stored with agent 'a', but is of agent 'b'" in refused(found, [moved])
    longer = written(tmp_path / "longer.jsonl", run("x", 2), run("y"))
    assert "run 'x' has other events" in refused(found, [longer])


def test_a_run_that_fails_now_is_refused_unless_allowed(tmp_path: Path) -> None:
    path = written(tmp_path / "runs.jsonl", run("x", events=[{"type": "contact", "to": "helper"}]), run("y", 0))
    found = stored(path, rules(0.01, helper={"price": 0}))
    assert "run 'x' cannot be scored by the new rules: unknown-person" in refused(found, [path])
    made = rescore(found, [path], NEW, allow_failed=True)
    assert [each.new.run for each in made.failed] == ["x"]
    assert made.counts()["no_longer_scored"] == 1


def test_runs_that_nobody_scored_are_left_out(tmp_path: Path) -> None:
    found = stored(written(tmp_path / "one.jsonl", run("x")))
    made = rescore(found, [written(tmp_path / "runs.jsonl", run("x"), run("y"))], NEW)
    assert (len(made.runs), made.without_score) == (1, 1)


def test_the_same_rules_change_nothing(tmp_path: Path) -> None:
    made = done(tmp_path, [run("x"), run("y")], OLD)
    assert made.changes == []
    assert made.to_record()["rulesets"]["case"] == {"from": [OLD.digest], "to": OLD.digest}
