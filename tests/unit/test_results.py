"""Results read back: exactly what was written, and nothing that contradicts itself."""

from __future__ import annotations

import io
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from outscore.batch import score_file
from outscore.loader import load
from outscore.results import Result, ResultsError, holds_runs, read_results
from outscore.score import Score, encode

from tests.scores import failed, results, scored, void, written

ROOT = Path(__file__).parents[2]
RULES = ROOT / "rulesets" / "claims_intake.yaml"
RUNS = ROOT / "rulesets" / "claims_intake.runs.jsonl"


def test_what_score_writes_comes_back_exactly(tmp_path: Path) -> None:
    outcomes = list(score_file(load(RULES), RUNS))
    lines = [each.to_json().decode() if isinstance(each, Score) else json.dumps(each.to_record()) for each in outcomes]
    found = read_results([written(tmp_path / "scores.jsonl", *lines)])
    assert [each.run for each in found] == [each.run for each in outcomes if not hasattr(each, "error")]
    for outcome, result in zip(outcomes, found, strict=True):
        if isinstance(outcome, Score):
            assert (result.figures, result.resolved, result.incidents) == (
                outcome.exact,
                outcome.resolved,
                outcome.incidents,
            )
            assert (result.ruleset, result.engine) == (outcome.ruleset, outcome.engine)
    assert {each.fate for each in found} == {"scored", "void"}


def test_a_document_and_lines_read_alike_with_their_places(tmp_path: Path) -> None:
    records = [scored("x"), void("y"), failed("z")]
    lines = results(tmp_path, records[0], "", *records[1:])
    document = tmp_path / "scores.json"
    body = b",\n".join(encode(each) for each in records)
    document.write_bytes(b'{"runs": [\n' + body + b'],\n"summary": {"all": {}}}\n')
    found = read_results([str(document)])
    assert all(one.is_same(other) for one, other in zip(lines, found, strict=True))
    assert [each.line for each in lines] == [1, 3, 4]
    assert [each.line for each in found] == [2, 3, 4]
    pretty = tmp_path / "pretty.json"
    pretty.write_text(json.dumps(records, indent=2))
    assert [each.run for each in read_results([str(pretty)])] == ["x", "y", "z"]


def test_standard_input_and_the_source(tmp_path: Path) -> None:
    line = json.dumps(scored("x")).encode()
    (found,) = read_results(["-"], stdin=io.BytesIO(line + b"\n"), keep_source=True)
    assert (found.place, found.source) == ("<stdin>:1", line)


def test_a_task_left_out_is_the_scenario(tmp_path: Path) -> None:
    found = results(tmp_path, failed("x"), {"run": "y", "scenario": "s", "void": "lost"}, {"run": "z", "void": "lost"})
    assert [each.task for each in found] == ["s", "s", None]


def test_long_fractions(tmp_path: Path) -> None:
    """Python itself reads no int of so many digits."""
    long = Fraction(10**5000 + 1, 3 * 10**4999)
    record = scored("x", 0)
    digits = f"{'1' + '0' * 4999 + '1'}/{'3' + '0' * 4999}"
    for name in ("uplift", "adjusted_uplift", "score", "floored_score"):
        record["exact"][name] = digits
        record[name] = long.numerator / long.denominator
    record["resolved"] = True
    (found,) = results(tmp_path, record)
    assert found.figures is not None
    assert found.figures.score == long


def changed(**rest: Any) -> dict[str, Any]:
    return scored("x", "9/10", "1/20") | rest


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ('{"run"', "not JSON"),
        ("[1", "not a document of results"),
        ("7", "not a result: Expected `object`"),
        ({"run": "x"}, "it has no 'exact' figures"),
        ({"run": "x", "kpi": {"delivered": 1}}, "this is a run, not a run's score"),
        ({"void": "lost"}, "the key 'run' is missing"),
        (changed(run=7), "Expected `str | null`, got `int`"),
        ({key: value for key, value in changed().items() if key != "ruleset"}, "the key 'ruleset' is missing"),
        (changed(exact=changed()["exact"] | {"score": "0.85"}), "exact.score is '0.85'"),
        (changed(exact=changed()["exact"] | {"score": "1/0"}), "exact.score is '1/0'"),
        (changed(exact=changed()["exact"] | {"score": "4/5"}), "'score' does not follow"),
        (changed(exact=changed()["exact"] | {"floored_score": "4/5"}), "'floored_score' does not follow"),
        (changed(exact=changed()["exact"] | {"uplift": "1"}), "'adjusted_uplift' does not follow"),
        (changed(incidents=["outage"]), "'adjusted_uplift' does not follow"),
        (changed(resolved=False), "'resolved' does not follow"),
        (changed(score=0.9), "'score' is 0.9, but exact.score is 17/20"),
    ],
)
def test_what_is_no_result_is_refused_with_its_place(tmp_path: Path, record: object, says: str) -> None:
    path = written(tmp_path / "scores.jsonl", record)
    with pytest.raises(ResultsError) as caught:
        read_results([path])
    (found,) = caught.value.diagnostics
    assert says in found.message
    assert str(caught.value).startswith(f"{path}:1: ")


def test_every_bad_line_is_counted(tmp_path: Path) -> None:
    with pytest.raises(ResultsError) as caught:
        results(tmp_path, scored("x"), *["{"] * 25)
    (one,) = caught.value.diagnostics
    assert one.span is not None
    assert one.span.line == 2
    assert re.match(r"25 lines of .*scores\.jsonl are not JSON: line 2 \(.*\), line 3 \(.* and 22 more$", one.message)


def refused(tmp_path: Path, *records: object) -> list[str]:
    with pytest.raises(ResultsError) as caught:
        results(tmp_path, *records)
    return [each.message.replace(f"{tmp_path}/", "") for each in caught.value.diagnostics]


def test_faults_of_other_kinds_are_told_apart(tmp_path: Path) -> None:
    without = {key: value for key, value in scored("x").items() if key != "engine"}
    bad = scored("x") | {"resolved": False}
    assert refused(tmp_path, without, bad, without, scored("z"), {"void": "lost"}) == [
        "2 lines of scores.jsonl are not scores: they have no key 'engine': line 1, line 3",
        "'resolved' does not follow from the result's other figures",
        "the key 'run' is missing",
    ]


RUN = {"run": "x", "scenario": "s", "kpi": {"delivered": 1}}


def test_a_file_of_runs_is_told_once_its_void_runs_included(tmp_path: Path) -> None:
    """Void lines look like results, but where others are runs they are none."""
    assert refused(tmp_path, void("v"), *[RUN] * 30, void("w")) == [
        "scores.jsonl is a file of runs, not of runs' scores: 30 runs, and 2 void"
    ]
    assert refused(tmp_path, RUN, RUN) == ["scores.jsonl is a file of runs, not of runs' scores: 2 runs"]
    assert refused(tmp_path, scored("x"), RUN) == ["this is a run, not a run's score; other lines are"]
    assert refused(tmp_path, scored("x"), *[RUN] * 5) == [
        "5 lines of scores.jsonl are runs, not runs' scores: line 2, line 3, line 4 and 2 more"
    ]


def test_a_void_line_with_events_is_a_run(tmp_path: Path) -> None:
    assert refused(tmp_path, void("x") | {"events": []}) == ["this is a run, not a run's score"]
    assert holds_runs(written(tmp_path / "void.jsonl", void("y"), void("x") | {"events": []}))
    assert not holds_runs(written(tmp_path / "scores.jsonl", void("y"), scored("x")))


def test_places_do_not_count_when_results_are_held_against_each_other(tmp_path: Path) -> None:
    one, same, other = results(tmp_path, scored("x"), scored("x"), scored("x", "1/2"))
    assert isinstance(one, Result)
    assert one.is_same(same)
    assert not one.is_same(other)
