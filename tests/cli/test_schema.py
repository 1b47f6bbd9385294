"""`outscore schema` as it is called."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft7Validator
from outscore.cli import outscore

ROOT = Path(__file__).parents[2]
RULES = ROOT / "rulesets" / "claims_intake.yaml"
MINIMAL = ROOT / "tests" / "rulesets" / "ok" / "minimal.yaml"
RUNS = ROOT / "rulesets" / "claims_intake.runs.jsonl"


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(outscore, ["schema", *(str(each) for each in arguments)], catch_exceptions=False)


@pytest.mark.parametrize("name", ["ruleset", "run", "score"])
def test_each_schema_is_the_file_of_the_repository(name: str) -> None:
    done = call(name)
    assert done.exit_code == 0
    assert done.stdout == (ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")


def test_the_rulesets_schema_is_the_default() -> None:
    assert call().stdout == call("ruleset").stdout


def is_valid(schema: str, run: dict[str, Any]) -> bool:
    return bool(Draft7Validator(json.loads(schema)).is_valid(run))


def test_the_schema_of_one_scenarios_runs_takes_its_runs_and_no_others() -> None:
    open_schema, schema = call("run").stdout, call("run", "--for", RULES).stdout
    runs = [json.loads(line, parse_float=Decimal) for line in RUNS.read_text(encoding="utf-8").splitlines()]
    assert len(runs) >= 8
    assert all(is_valid(schema, json.loads(json.dumps(run, default=float))) for run in runs)
    run: dict[str, Any] = {
        "run": "r1",
        "scenario": "claims_intake",
        "kpi": {"delivered": {"recovered": 1, "refunds": 2, "missed_urgent": 0}},
    }
    assert is_valid(schema, run)
    for change in (
        {"scenario": "on_call"},
        {"kpi": {"delivered": {"recovered": 1, "refunds": 2, "missed_urgnt": 0}}},
        {"events": [{"type": "trial", "chanel": "chat"}]},
        {"events": [{"type": "trial", "channel": "fax"}]},
    ):
        assert not is_valid(schema, {**run, **change}), change
        assert is_valid(open_schema, {**run, **change}), change


@pytest.mark.parametrize("path", [*sorted((ROOT / "rulesets").glob("*.yaml")), MINIMAL], ids=lambda path: path.stem)
def test_there_is_a_sound_schema_of_any_scenarios_runs(path: Path) -> None:
    schema = json.loads(call("run", "--for", path).stdout)
    Draft7Validator.check_schema(schema)
    assert schema["additionalProperties"] is False


def test_a_schema_goes_to_a_file_whole_or_not_at_all(tmp_path: Path) -> None:
    out = tmp_path / "run.schema.json"
    done = call("run", "--for", RULES, "--out", out)
    assert (done.exit_code, done.output) == (0, "")
    assert json.loads(out.read_text())["title"] == "outscore run of claims_intake"
    broken = tmp_path / "broken.yaml"
    broken.write_text("outscore: 1\n")
    before = out.read_text()
    done = call("run", "--for", broken, "--out", out)
    assert done.exit_code == 2
    assert "error[missing-key]" in done.stderr
    assert f"outscore: {broken}: no schema was made, the rules have errors\n" in done.stderr
    assert out.read_text() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.yaml", "run.schema.json"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rulesets",), "'rulesets' is not one of 'ruleset', 'run', 'score'"),
        (("--for", RULES), "--for goes with run: outscore schema run --for RULESET"),
        (("score", "--for", RULES), "--for goes with run"),
        (("run", "--for", "absent.yaml"), "'absent.yaml' does not exist"),
        (("--out", "/nowhere/at/all.json"), "outscore: /nowhere/at/all.json: No such file or directory"),
    ],
)
def test_misuse_is_told(arguments: tuple[str | Path, ...], words: str) -> None:
    done = call(*arguments)
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stdout == ""


def test_values_beyond_ascii_come_out_whole_in_any_locale(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(
        "outscore: 1\nscenario: demo\nkpi: {direction: higher}\nfields: {place: [Köln, Łódź]}\n"
        "trials: {count: true, prices: [0], restrictions: [{id: far, when: place == 'Köln', charge: {plus: 1}}]}\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "outscore", "schema", "run", "--for", str(path)]
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert "Łódź" in done.stdout.decode("utf-8")


def test_help_says_what_a_schema_is_for() -> None:
    help_text = call("--help").stdout
    assert "yaml-language-server: $schema=ruleset.schema.json" in help_text
    assert "outscore schema run --for rulesets/claims_intake.yaml" in help_text
