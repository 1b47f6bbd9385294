"""`outscore import fde-gym` and `outscore audit fde-gym` as they are called."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from outscore.cli import outscore

from tests.integrations.fde_gym_cases import case, dumped, written

Files = tuple[str, str, str]


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(outscore, [str(each) for each in arguments], catch_exceptions=False)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return written(tmp_path / "port_yard", case("c001"))


@pytest.fixture
def restarted(tmp_path: Path) -> Files:
    return written(tmp_path / "port_yard", case("c397"))


def test_import_and_score(files: Files, tmp_path: Path) -> None:
    npcs, log, graded = files
    rules, run = tmp_path / "rules.yaml", tmp_path / "runs.jsonl"
    done = call("import", "fde-gym", npcs, "--result", graded, "--out", rules)
    assert (done.exit_code, done.output) == (0, "")
    assert "# In result.json the oracle's KPI lies above the baseline's.\n  direction: higher" in rules.read_text()
    done = call("import", "fde-gym", "--log", log, "--result", graded)
    assert (done.exit_code, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    run.write_text(done.stdout)
    assert call("validate", rules).stdout == ""
    score = json.loads(call("score", rules, run, "--format", "jsonl").stdout)
    exact = case("c001")["exact"]
    assert (score["run"], score["task"], score["agent"]) == ("port_yard-c001", "port_yard/base/L3", "model-a")
    assert {name: score["exact"][name] for name in ("contact_cost", "score")} == {
        "contact_cost": exact["C"],
        "score": exact["S"],
    }
    assert score["resolved"] is exact["resolved"]


def test_without_a_result_the_direction_is_said_or_assumed(files: Files) -> None:
    npcs, _, _ = files
    done = call("import", "fde-gym", npcs)
    assert (done.exit_code, "direction: higher" in done.stdout) == (0, True)
    assert "higher is taken for better" in done.stderr
    done = call("import", "fde-gym", npcs, "--direction", "lower")
    assert ("direction: lower" in done.stdout, done.stderr) == (True, "")


def test_names_are_the_files_own_or_those_given(files: Files) -> None:
    npcs, log, graded = files
    assert "\nscenario: port_yard\n" in call("import", "fde-gym", npcs).stdout
    done = call("import", "fde-gym", npcs, "--scenario", "Port-Yard", "--direction", "higher")
    assert "\nscenario: x_x50_ort_x2d__x59_ard\n" in done.stdout
    assert "'Port-Yard' is no id of ours" in done.stderr
    names = ("--run", "r-1", "--task", "t", "--agent", "a", "--scenario", "s")
    run = json.loads(call("import", "fde-gym", "--log", log, "--result", graded, *names).stdout)
    assert [run[key] for key in ("run", "task", "agent", "scenario")] == ["r-1", "t", "a", "s"]
    bare = {key: value for key, value in json.loads(Path(graded).read_text()).items() if key.startswith("kpi")}
    Path(graded).write_text(json.dumps(bare))
    run = json.loads(call("import", "fde-gym", "--log", log, "--result", graded).stdout)
    assert (run["run"], run["scenario"], "task" in run, "agent" in run) == ("port_yard", "port_yard", False, False)


def test_a_restart_is_warned_of_and_can_be_taken_as_recorded(restarted: Files, tmp_path: Path) -> None:
    npcs, log, graded = restarted
    done = call("import", "fde-gym", "--log", log, "--result", graded)
    assert (done.exit_code, "restarted between lines 5 and 6" in done.stderr) == (0, True)
    for option, cost in ((), "17/20"), (("--as-recorded",), "3/4"):
        rules, run = tmp_path / "rules.yaml", tmp_path / "runs.jsonl"
        call("import", "fde-gym", npcs, "--result", graded, "--out", rules, *option)
        call("import", "fde-gym", "--log", log, "--result", graded, "--npcs", npcs, "--out", run, *option)
        assert json.loads(call("score", rules, run, "--format", "jsonl").stdout)["exact"]["contact_cost"] == cost


def test_audit_of_a_log_in_order(files: Files) -> None:
    done = call("audit", "fde-gym", *files)
    assert done.exit_code == 0
    assert "lines 19, answered 10, unanswered 7, gone 0, trials 0, waits 1, inbox 1\n" in done.stdout
    assert "None: each charge is the recorded cost" in done.stdout
    assert done.stdout.splitlines()[-1].split() == ["resolved", "(there:", "solved)", "no", "no", "the", "same"]


def test_audit_of_a_restart(restarted: Files) -> None:
    done = call("audit", "fde-gym", *restarted)
    assert done.exit_code == 1
    assert "The people server was restarted between lines 5 and 6" in done.stdout
    assert "it took this for message 1 to ops_lead, in the run it is number 4" in done.stdout
    assert "With every charge by the rules, the contact cost is 0.85" in done.stdout
    record = json.loads(call("audit", "fde-gym", *restarted, "--format", "json").stdout)
    (difference,) = record["differences"]
    assert (difference["line"], difference["reason"], difference["exact"]) == (6, "restart", "3/20")
    assert record["restarts"] == [{"after_line": 5, "by_line": 6}]
    assert (record["ours"]["exact"]["contact_cost"], record["by_rules"]["exact"]["contact_cost"]) == ("3/4", "17/20")
    assert record["harness"]["uplift_net"] == -0.0029
    assert len(record["billed"]) == 9


def test_audit_without_a_result(restarted: Files) -> None:
    npcs, log, _ = restarted
    record = json.loads(call("audit", "fde-gym", npcs, log, "--format", "json").stdout)
    assert (record["result"], record["ours"]["score"], record["harness"]["uplift"]) == (None, None, None)
    assert record["ours"]["why_undefined"] == "there is no result"
    assert (record["ours"]["contact_cost"], record["harness"]["contact_cost"]) == (0.75, 0.75)


def changed(path: str, number: int, **values: Any) -> None:
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    lines[number - 1] = json.dumps({**json.loads(lines[number - 1]), **values})
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("number", "values", "reason", "words"),
    [
        (1, {"cost": 0.02}, "rules", "the log was written under other rules, or this line was changed"),
        (2, {"n_asked": 2, "cost": 0.5}, "unlogged", "are counted and not logged"),
        (9, {"cost": 0.03}, "unanswered", "n_asked stands still"),
        (17, {"cost": 0.1}, "inbox", "reading the inbox is free"),
        (4, {"cost": -0.1}, "credit", "no charge is below zero here"),
        (4, {"cost": 0.5, "question": "waited 5 h"}, "hours", "the text says 'waited 5 h', which 0.5 does not fit"),
        (18, {"topics": ["gone"], "cost": 0.1}, "gone", "nobody was there"),
    ],
)
def test_a_changed_line_is_found(number: int, values: dict[str, Any], reason: str, words: str, files: Files) -> None:
    npcs, log, graded = files
    changed(log, number, **values)
    done = call("audit", "fde-gym", npcs, log, graded, "--format", "json")
    record = json.loads(done.stdout)
    found = [(each["line"], each["reason"]) for each in record["differences"]]
    assert (done.exit_code, (number, reason) in found) == (1, True)
    assert words in next(each["why"] for each in record["differences"] if each["line"] == number)
    assert {each["figure"] for each in record["misreported"]} == {"contact_cost", "uplift_net"}
    assert words in call("audit", "fde-gym", npcs, log, graded).stdout


def test_a_result_of_another_log_is_found(files: Files) -> None:
    npcs, log, graded = files
    Path(log).write_text("", encoding="utf-8")
    done = call("audit", "fde-gym", npcs, log, graded)
    assert done.exit_code == 1
    assert "The result gives contact_cost as 3.098, the harness's arithmetic on this log as 0.0" in done.stdout


def test_the_hours_of_a_wait_fit_their_rounded_text(tmp_path: Path) -> None:
    each = {**case("c253"), "log": [{**case("c253")["log"][0], "question": "waited 2 h"}]}
    assert each["log"][0]["cost"] == Fraction(1, 16)  # of a price of 1 a day: an hour and a half
    npcs, log, graded = written(tmp_path, each)
    assert call("audit", "fde-gym", npcs, log, graded).exit_code == 0
    changed(log, 1, question="waited 3 h")
    assert call("audit", "fde-gym", npcs, log).exit_code == 1


def test_one_file_for_all_three(tmp_path: Path) -> None:
    path = tmp_path / "c001.json"
    path.write_text(dumped(case("c001")), encoding="utf-8")
    assert call("audit", "fde-gym", path, path, path).exit_code == 0
    assert "scenario: c001" in call("import", "fde-gym", path, "--result", path).stdout
    run = json.loads(call("import", "fde-gym", "--log", path, "--result", path).stdout)
    assert (run["run"], run["scenario"]) == ("c001", "c001")


def test_credits_make_no_run(files: Files) -> None:
    _, log, graded = files
    changed(log, 4, cost=-0.5)
    done = call("import", "fde-gym", "--log", log, "--result", graded)
    assert (done.exit_code, done.stdout) == (1, "")
    assert f"{log}:4: error[negative-charge]: $.cost: a wait was recorded at -0.5, a credit" in done.stderr


@pytest.mark.parametrize("command", ["import", "audit"])
def test_bad_files_are_told_without_a_traceback(command: str, files: Files) -> None:
    npcs, log, graded = files
    Path(log).write_text('{"to": "cfo", "n_asked": 1}\n{"to": "cfo", "n_asked": NaN}\nwhat?\n', encoding="utf-8")
    arguments = (npcs, log, graded) if command == "audit" else ("--log", log, "--result", graded)
    done = call(command, "fde-gym", *arguments)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        f"{log}:2: error[bad-number]: $.n_asked: NaN: only finite numbers are taken",
        f"{log}:3: error[syntax]: $: not JSON: it cannot be read on from column 1",
        "  hint: each line of the log is one JSON object",
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["import", "fde-gym"], "Give NPCS for a ruleset"),
        (["import", "fde-gym", "nothing.json"], "does not exist"),
        (["import", "fde-gym", "NPCS", "--npcs", "NPCS"], "given twice"),
        (["import", "fde-gym", "NPCS", "--run", "r"], "belong to a run"),
        (["import", "fde-gym", "--log", "LOG"], "--log needs --result"),
        (["import", "fde-gym", "--log", "LOG", "--result", "RESULT", "--direction", "lower"], "belongs to a ruleset"),
        (["import", "fde-gym", "NPCS", "--out", "/nowhere/at/all"], "No such file"),
        (["audit", "fde-gym", "NPCS"], "Missing argument 'LOG'"),
        (["audit", "fde-gym", "NPCS", "LOG", "--format", "xml"], "is not one of"),
    ],
)
def test_what_cannot_be_done_exits_with_2(arguments: list[str], says: str, files: Files) -> None:
    given = dict(zip(("NPCS", "LOG", "RESULT"), files, strict=True))
    done = call(*(given.get(each, each) for each in arguments))
    assert (done.exit_code, says in done.output) == (2, True), done.output


def test_control_characters_do_not_reach_the_terminal(files: Files) -> None:
    npcs, log, graded = files
    changed(log, 1, to="\x1b[31mred")
    for arguments in (("audit", "fde-gym", npcs, log, graded), ("import", "fde-gym", "--log", log, "--result", graded)):
        assert "\x1b" not in call(*arguments).output


def test_nothing_of_it_is_imported_by_other_commands() -> None:
    import subprocess
    import sys

    code = "import sys; from outscore.cli import outscore; outscore(['validate', 'rulesets'], standalone_mode=False); "
    code += "print([name for name in sys.modules if 'integrations' in name])"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr
