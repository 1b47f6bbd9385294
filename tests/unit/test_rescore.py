"""Stored results scored anew: whole or not at all, with the old score kept."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from outscore.batch import score_file
from outscore.cli.page import plain
from outscore.cli.rescore_page import rescore_page
from outscore.explain.page import Table
from outscore.loader import loads
from outscore.rescore import NothingToRescoreError, Rescoring, as_result, rescore
from outscore.results import Result, ResultsError, holds_runs, read_results
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
        "void": 0,
        "failed": 0,
        "untouched": 0,
        "unidentified": 0,
        "changed": 1,
        "score_changed": 1,
        "newly_resolved": 0,
        "no_longer_resolved": 1,
        "newly_scored": 0,
        "no_longer_scored": 0,
        "newly_failed": 0,
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
    assert {agent: move.new.rank for agent, move in made.agents().items()} == {"a": 1, "b": 1, "c": 3, "d": None}


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


def words_of(made: Rescoring) -> list[str]:
    return plain(rescore_page(made, None)).splitlines()


def test_means_are_over_the_runs_that_both_rules_score(tmp_path: Path) -> None:
    """Of one agent the worse run, of another the better one can no longer be scored; no score changes."""
    helper = {"events": [{"type": "contact", "to": "helper"}]}
    half = {"kpi": {"baseline": 0, "delivered": 0.5, "reference": 1}}
    records = [
        *(run("a1", 0), run("a2") | helper | half, run("b1") | helper, run("b2", 0, "b", **half)),
        *(run("b3", 0, "b", events=helper["events"]), run("c1", 0, "c", events=helper["events"])),
    ]
    path = written(tmp_path / "runs.jsonl", *records)
    made = rescore(stored(path, rules(0.01, helper={"price": 0})), [path], OLD, allow_failed=True)
    found = {agent: (move.runs, move.old.mean, move.new.mean) for agent, move in made.agents().items()}
    assert found == {"a": (1, 1, 1), "b": (1, Fraction(1, 2), Fraction(1, 2)), "c": (0, None, None)}
    assert {agent: (move.old.rank, move.new.rank) for agent, move in made.agents().items()} == {
        "a": (1, 1),
        "b": (2, 2),
        "c": (None, None),
    }
    record = made.to_record()
    assert record["agents"][0] == {
        "agent": "a",
        "runs": 1,
        "old": {"mean_floored_score": 1.0, "exact": "1", "rank": 1},
        "new": {"mean_floored_score": 1.0, "exact": "1", "rank": 1},
    }
    # What is stored became one of four; a score that is gone is no other score.
    assert record["counts"]["score_changed"] == 0
    names = ("stored", "rescored", "void", "failed", "untouched", "newly_failed")
    assert [record["counts"][name] for name in names] == [6, 2, 0, 4, 0, 4]
    lines = words_of(made)
    assert lines[0] == "2 of 6 results scored anew, 0 of them changed; 4 failed"
    assert "Failed: 4 runs that had not failed before." in lines
    assert "Mean floored score by agent, over the 2 runs that both the old and the new rules score:" in lines
    head = next(line for line in lines if line.startswith("agent"))
    assert re.split("  +", head) == [
        *("agent", "runs", "old mean floored score", "new mean floored score", "old rank", "new rank"),
    ]


def test_what_failed_before_may_fail_again(tmp_path: Path) -> None:
    helper = [{"type": "contact", "to": "helper"}]
    made = done(tmp_path, [run("x"), run("y", events=helper), lost("v"), "{"], OLD)
    counts = made.counts()
    assert (counts["rescored"], counts["void"], counts["failed"], counts["newly_failed"]) == (1, 1, 1, 0)
    assert (counts["untouched"], counts["unidentified"]) == (1, 1)
    lines = words_of(made)
    assert lines[0] == "1 of 4 results scored anew, 0 of them changed; 1 failed"
    assert "Failed before, and again: 1 run." in lines
    assert "Void: 1 run." in lines


def test_each_reason_to_leave_a_result_as_it_is_has_its_words(tmp_path: Path) -> None:
    other = rules(0.02, "other")
    path = written(tmp_path / "runs.jsonl", run("x"), run("y", scenario="other"), run("z", scenario="other"), "{")
    lines = words_of(rescore(stored(path, {"case": OLD, "other": other}), [path], NEW))
    assert "Left as they are, because they are of other scenarios: 2 results." in lines
    words = "Left as they are, because it could not be read which run or scenario they are of: 1 failed result."
    assert words in lines


def test_what_stands_against_many_runs_is_told_once(tmp_path: Path) -> None:
    runs = written(
        tmp_path / "runs.jsonl", *(run(f"r{n}", events=[{"type": "contact", "to": "helper"}]) for n in range(9))
    )
    found = stored(runs, rules(0.01, helper={"price": 0}))
    none = written(tmp_path / "none.jsonl", run("x"))
    (line,) = refused(found, [none]).replace(f"{tmp_path}/", "").splitlines()
    assert line == (
        "runs.jsonl:1: 9 runs of runs.jsonl have a stored result, but are in none of the files of runs: 'r0' (line 1), "
        "'r1' (line 2), 'r2' (line 3) and 6 more"
    )
    (line,) = refused(found, [runs]).splitlines()
    assert "9 runs of" in line
    assert "cannot be scored by the new rules, unknown-person: 'r0' (line 1: " in line
    (line,) = refused(found, [runs, runs]).splitlines()
    assert "are here twice, because the file was given twice: 'r0' (run 1 of it), " in line
    doubled = written(tmp_path / "doubled.jsonl", *[run("r0"), run("r1")] * 2)
    (line,) = refused(stored(runs), [doubled]).splitlines()
    assert "doubled.jsonl are in it a second time: 'r0' (its runs 1 and 3), 'r1' (its runs 2 and 4)" in line
    (line,) = refused(found, [runs, doubled]).splitlines()
    assert "are in " in line
    assert "runs.jsonl too: 'r0' (run 1 of it), " in line


def test_runs_that_nobody_scored_are_left_out(tmp_path: Path) -> None:
    found = stored(written(tmp_path / "one.jsonl", run("x")))
    made = rescore(found, [written(tmp_path / "runs.jsonl", run("x"), run("y"))], NEW)
    assert (len(made.runs), made.without_score) == (1, 1)


def test_the_same_rules_change_nothing(tmp_path: Path) -> None:
    made = done(tmp_path, [run("x"), run("y")], OLD)
    assert made.changes == []
    assert made.to_record()["rulesets"]["case"] == {"from": [OLD.digest], "to": OLD.digest}


def test_lines_nested_too_deep_to_be_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text('{"run": "a", "x": ' + "[" * 5000 + "\n")
    assert not holds_runs(str(path))
