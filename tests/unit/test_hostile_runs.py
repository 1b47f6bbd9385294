"""What no file holds but a program or a shell may hand over: odd types, closed streams, outputs that are no files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from outscore.batch import score_file
from outscore.diagnostics import RunError
from outscore.jsontext import MAX_RUN_BYTES
from outscore.loader import loads
from outscore.run import Run, read_run
from outscore.score import Score, encode
from outscore.summary import aggregate

RULES = """
outscore: 1
scenario: case
kpi: {direction: higher}
contacts: {people: {chief: {price: 0.1}}}
trials: {count: true, prices: [1]}
incidents: {outage: {why: It was down.}}
"""
SCORER = loads(RULES)


class Text(str):
    """Text as numpy and others have it: a subclass."""


def record(**more: Any) -> dict[str, Any]:
    return {"run": "r1", "scenario": "case", "kpi": {"baseline": 0, "delivered": 1, "reference": 1}, **more}


def test_texts_of_a_subclass_come_out_plain() -> None:
    score = SCORER.score(record(incidents=[Text("outage")], events=[{"type": "contact", "to": Text("chief")}]))
    assert isinstance(score, Score)
    assert type(score.incidents[0]) is str
    assert json.loads(score.to_json())["account"][0]["to"] == "chief"


@pytest.mark.parametrize(
    "more", [{"run": 10**5000}, {10**5000: 1}, {"events": [{"type": 10**5000}]}], ids=["a", "b", "c"]
)
def test_an_int_that_python_will_not_write_is_a_bad_value(more: dict[Any, Any]) -> None:
    with pytest.raises(RunError):
        SCORER.score({**record(), **more})


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda text: "\ufeff" + text.decode()])
@pytest.mark.parametrize("agent", ['"a"', '"\\u0061"'])
def test_text_in_any_buffer_is_the_same_run(kind: Any, agent: str) -> None:
    text = json.dumps(record(agent="@")).replace('"@"', agent).encode()
    assert SCORER.score(kind(text)) == SCORER.score(text)


def test_a_run_that_other_rules_have_read_is_refused() -> None:
    run = read_run(record(), SCORER.plan)
    assert isinstance(run, Run)
    other = loads(RULES.replace("scenario: case", "scenario: other"))
    measured = loads(RULES.replace("{direction: higher}", "{direction: higher, measures: [a], formula: a}"))
    for scorer, code in ((other, "wrong-scenario"), (measured, "wrong-type")):
        with pytest.raises(RunError) as caught:
            scorer.score(run)
        assert caught.value.code == code


def test_text_longer_than_a_run_may_be_is_refused_on_every_path() -> None:
    with pytest.raises(RunError, match="too-large"):
        SCORER.score(json.dumps(record()).encode() + b" " * MAX_RUN_BYTES)


def test_a_charge_of_thousands_of_digits_is_written_out() -> None:
    chain = "".join(f"    - {{id: r{n}, charge: {{times: 1e-40}}}}\n" for n in range(120))
    scorer = loads(
        RULES.replace(
            "trials: {count: true, prices: [1]}", f"trials:\n  count: true\n  prices: [1]\n  restrictions:\n{chain}"
        )
    )
    score = scorer.score(record(events=[{"type": "trial"}]))
    assert isinstance(score, Score)
    assert json.loads(score.to_json())["exact"]["contact_cost"] == "1/1" + "0" * 4800


def test_a_bad_run_can_be_written_whatever_its_texts(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text('{"run": "\\ud800", "scenario": "case", "agent": "\\udfff", "\\ud900": 1}\n')
    outcomes = list(score_file(SCORER, path))
    line = json.loads(encode(outcomes[0].to_record()))
    assert (line["run"], line["agent"]) == ("\\ud800", "\\udfff")
    encode(aggregate(outcomes).to_record())


def called(*arguments: str | Path, redirect: str = "") -> subprocess.CompletedProcess[str]:
    line = f'exec "$@" {redirect}'
    return subprocess.run(
        ["sh", "-c", line, "sh", sys.executable, "-m", "outscore", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    rules, runs = tmp_path / "rules.yaml", tmp_path / "runs.jsonl"
    rules.write_text(RULES)
    runs.write_text(json.dumps(record()) + "\n")
    return rules, runs


@pytest.mark.parametrize(("redirect", "exit_code"), [("<&-", 0), ("2>&-", 0), (">&-", 2)])
@pytest.mark.parametrize("form", ["table", "jsonl"])
def test_closed_streams(files: tuple[Path, Path], redirect: str, exit_code: int, form: str) -> None:
    done = called("score", *files, "--format", form, redirect=redirect)
    assert done.returncode == exit_code
    assert "Traceback" not in done.stderr


def test_out_follows_a_link_and_leaves_a_device_alone(files: tuple[Path, Path], tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(target)
    assert called("score", *files, "--format", "jsonl", "--out", link).returncode == 0
    assert link.is_symlink()
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    assert called("score", *files, "--format", "jsonl", "--out", pipe).returncode == 0
    assert reader.communicate(timeout=20)[0] == target.read_bytes()
    assert pipe.is_fifo()


def test_out_never_replaces_what_it_is_made_from(files: tuple[Path, Path]) -> None:
    before = files[1].read_bytes()
    assert called("score", *files, "--format", "jsonl", "--out", files[1]).returncode == 2
    assert files[1].read_bytes() == before
