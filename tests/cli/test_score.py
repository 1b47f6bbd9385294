"""`outscore score` as it is called: output, exit codes, files, pipes."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from outscore.cli import outscore

ROOT = Path(__file__).parents[2]
RULES = str(ROOT / "rulesets" / "claims_intake.yaml")
RUNS = str(ROOT / "rulesets" / "claims_intake.runs.jsonl")
ON_CALL = str(ROOT / "rulesets" / "on_call.runs.jsonl")


def call(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(outscore, [str(each) for each in arguments], input=stdin, catch_exceptions=False)


def run(name: str, **rest: Any) -> dict[str, Any]:
    measures = {"recovered": 5000, "refunds": 400, "missed_urgent": 0}
    return {"run": name, "scenario": "claims_intake", "kpi": {"delivered": measures}, **rest}


def written(tmp_path: Path, *records: object, name: str = "runs.jsonl") -> Path:
    path = tmp_path / name
    path.write_text("".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in records))
    return path


def test_a_table_with_a_summary() -> None:
    done = call("score", RULES, RUNS)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["run", "task", "agent", "uplift", "cost", "score", "verdict", "incidents"]
    assert lines[1].split() == [
        "r-0017",
        "claims_intake/base",
        "model-a",
        "0.8056",
        "0.0250",
        "-0.0250",
        "not",
        "resolved",
        "outage",
    ]
    assert [line.split()[0] for line in lines if line.startswith(("all runs", "  model"))] == [
        "all",
        "model-a",
        "model-b",
        "model-c",
    ]
    assert "\x1b" not in done.stdout


def test_a_folder_scores_each_run_by_its_own_scenario() -> None:
    done = call("score", ROOT / "rulesets", RUNS, ON_CALL, "--format", "jsonl")
    assert done.exit_code == 0
    scenarios = {json.loads(line).get("scenario") for line in done.stdout.splitlines()}
    assert scenarios == {"claims_intake", "on_call"}
    assert "all runs" in done.stderr


def test_one_runs_account() -> None:
    done = call("score", RULES, RUNS, "--account", "r-0017")
    assert "Account of run 'r-0017'" in done.stdout
    assert "contacts.restrictions.after_hours" in done.stdout
    nothing = call("score", RULES, RUNS, "--account", "r-17")
    assert (nothing.exit_code, nothing.stderr) == (2, "outscore: there is no run 'r-17'; did you mean 'r-0017'?\n")
    assert "run 'r-0026' has no account: it was not scored" in call("score", RULES, RUNS, "--account", "r-0026").stdout


def test_more_runs_than_planned_and_ids_that_come_twice(tmp_path: Path) -> None:
    path = written(tmp_path, run("a"), run("b"), run("a"))
    done = call("score", RULES, path, "--planned", "2")
    assert done.exit_code == 1
    assert f"{path}:3:1: error[duplicate-id]: run 'a' is here a second time, after {path}:1\n" in done.stderr
    assert "there are 3 runs, and 2 were planned" in done.stderr


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv"])
def test_a_run_that_is_there_twice_is_told_and_exits_with_1(tmp_path: Path, form: str) -> None:
    path = written(tmp_path, run("a"), "", run("b"), run("a"), {"run": "b", "scenario": "claims_intake", "void": "x"})
    done = call("score", RULES, path, "--format", form)
    assert done.exit_code == 1
    places = f"'a' ({path}:1 and {path}:4), 'b' ({path}:3 and {path}:5)"
    assert (
        f"{path}:4:1: error[duplicate-id]: 2 runs of {path} have the id of an earlier one in it: {places}\n"
        in done.stderr
    )
    # Nothing is lost, and the averages say what they are of.
    assert done.stdout.count("claims_intake") >= 4 or form == "csv"
    words = "Runs are there twice: 2 results are of a run that had one before, and these averages count all of them."
    if form == "json":
        assert json.loads(done.stdout)["summary"]["repeated"] == 2
    else:
        assert words in (done.stdout if form == "table" else done.stderr)
    once = call("score", RULES, RUNS, "--format", form)
    assert "twice" not in once.stdout + once.stderr
    # What is refused there is refused here.
    if form in ("json", "jsonl"):
        scores = tmp_path / f"scores.{form}"
        scores.write_text(done.stdout)
        assert call("summary", scores).exit_code == 1


def test_twice_in_other_files(tmp_path: Path) -> None:
    path, other = written(tmp_path, run("a"), run("b")), tmp_path / "list.json"
    other.write_text(json.dumps([run("c"), run("b"), run("c")]))
    # A file that is named twice is read once.
    done = call("score", RULES, path, other, path)
    assert done.exit_code == 1
    assert f"{other}, item 2: run 'b' is here a second time, after {path}:2" in done.stderr
    assert f"{other}, item 3: run 'c' is here a second time, after {other}, item 1" in done.stderr
    assert "2 results are of a run that had one before" in done.stdout


@pytest.mark.parametrize("options", [[], ["--account", "a"], ["--account", ""]])
def test_runs_whose_id_is_empty(options: list[str], tmp_path: Path) -> None:
    path = written(tmp_path, {"run": ""}, run("a"), {"run": ""})
    done = call("score", RULES, path, *options)
    assert done.exit_code == 1
    assert f"{path}:3" in done.stderr
    assert "all runs" in done.stdout


def test_the_accounts_of_a_run_that_is_there_twice(tmp_path: Path) -> None:
    events = [{"type": "contact", "to": "sponsor", "at": "2026-03-02T10:00"}]
    lost = {"run": "a", "scenario": "claims_intake", "void": "lost"}
    path = written(tmp_path, run("a"), run("b"), run("a", events=events), lost)
    done = call("score", RULES, path, "--account", "a")
    first, second = (done.stdout.index(f"Account of run 'a' at {path}:{line}") for line in (1, 3))
    assert "contacts.people.sponsor.price" not in done.stdout[first:second]
    assert "contacts.people.sponsor.price" in done.stdout[second:]
    assert f"run 'a' at {path}:4 has no account: it was not scored" in done.stdout
    assert "Account of run 'b'\n" in call("score", RULES, path, "--account", "b").stdout


def test_runs_given_for_a_ruleset(tmp_path: Path) -> None:
    for name in ("runs.jsonl", "run.json"):
        done = call("score", written(tmp_path, run("a"), name=name), RULES)
        assert done.exit_code == 2
        assert "this is a run, not a ruleset; the ruleset comes first" in done.stderr


def test_json_lines_are_the_results_in_input_order(tmp_path: Path) -> None:
    path = written(tmp_path, run("a"), "{", {"run": "b", "scenario": "claims_intake", "void": "lost"}, run("c"))
    done = call("score", RULES, path, "--format", "jsonl")
    assert done.exit_code == 1
    first, bad, void, last = map(json.loads, done.stdout.splitlines())
    assert (first["run"], first["score"], first["resolved"]) == ("a", 1.0, True)
    assert bad == {
        "run": None,
        "input": {"file": str(path), "line": 2},
        "error": {
            "code": "syntax",
            "path": "$",
            "message": "not JSON: it cannot be read on from column 2",
            "hint": "one run is one JSON object on one line",
        },
    }
    assert void == {"run": "b", "scenario": "claims_intake", "task": "claims_intake", "void": "lost"}
    assert last["run"] == "c"


def test_json_is_one_document_with_the_summary(tmp_path: Path) -> None:
    path = written(tmp_path, run("a", agent="x"), run("b", incidents=["outage"]))
    document = json.loads(call("score", RULES, path, "--format", "json", "--planned", "3").stdout)
    assert [each["run"] for each in document["runs"]] == ["a", "b"]
    everything = document["summary"]["all"]
    assert (everything["planned"], everything["missing"], everything["scored"], everything["incidents"]) == (3, 1, 2, 1)
    assert [each["agent"] for each in document["summary"]["by_agent"]] == ["x", None]
    assert everything["mean_floored_score"] == 0.5


def test_csv(tmp_path: Path) -> None:
    path = written(tmp_path, run('a,"b"', incidents=["outage", "missed_emergency"]), "{")
    done = call("score", RULES, path, "--format", "csv")
    scored, bad = csv.DictReader(io.StringIO(done.stdout))
    assert (scored["run"], scored["score"], scored["resolved"]) == ('a,"b"', "0.0", "false")
    assert scored["incidents"] == "outage; missed_emergency"
    assert (bad["line"], bad["error"].partition(":")[0]) == ("2", "syntax")


def test_out_writes_whole_or_not_at_all(tmp_path: Path) -> None:
    out = tmp_path / "scores.jsonl"
    assert call("score", RULES, RUNS, "--format", "jsonl", "--out", out).exit_code == 0
    assert out.read_text() == call("score", RULES, RUNS, "--format", "jsonl").stdout
    before = out.read_bytes()
    broken = written(tmp_path, "a: [", name="broken.yaml")
    assert call("score", broken, RUNS, "--format", "jsonl", "--out", out).exit_code == 2
    assert out.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.yaml", "scores.jsonl"]


def test_standard_input() -> None:
    done = call("score", RULES, "-", "--format", "jsonl", stdin=json.dumps(run("a")).encode())
    assert (done.exit_code, json.loads(done.stdout)["run"]) == (0, "a")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("score",), "Missing argument"),
        (("score", RULES), "Missing argument"),
        (("score", "nothing.yaml", RUNS), "does not exist"),
        (("score", RULES, "nothing.jsonl"), "does not exist"),
        (("score", RULES, RUNS, "--format", "xml"), "is not one of"),
        (("score", RULES, os.devnull), "no run in"),
        (("scroe",), "No such command"),
        (("score", RULES, RUNS, "--out", "/nowhere/at/all"), "No such file"),
    ],
)
def test_what_cannot_be_done_exits_with_2(arguments: tuple[str, ...], says: str) -> None:
    done = call(*arguments)
    assert done.exit_code == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_broken_ruleset_scores_nothing(tmp_path: Path) -> None:
    broken = written(tmp_path, Path(RULES).read_text().replace("hour < 9", "hours < 9"), name="broken.yaml")
    done = call("score", broken, RUNS)
    assert done.exit_code == 2
    assert "error[unknown-name]" in done.stderr
    assert "did you mean 'hour'?" in done.stderr
    assert done.stdout == ""


def test_a_folder_without_rulesets(tmp_path: Path) -> None:
    done = call("score", tmp_path, RUNS)
    assert (done.exit_code, "no ruleset" in done.stderr) == (2, True)


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = written(tmp_path, run("\x1b[31mred", agent="\x07[bold]x[/bold]"))
    done = call("score", RULES, path)
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout
    assert "[bold]x[/bold]" in done.stdout


def program(*arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "outscore", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **environment})


@pytest.mark.parametrize("form", ["table", "jsonl", "json", "csv"])
def test_a_broken_pipe_is_quiet(tmp_path: Path, form: str) -> None:
    path = written(tmp_path, *(run(f"r{number}") for number in range(3000)))
    process = program("score", RULES, str(path), "--format", form)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    errors = process.stderr.read().decode()
    process.wait(timeout=120)
    assert "Traceback" not in errors
    assert "Exception" not in errors
    assert "Broken pipe" not in errors


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_output_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, run("Größe 世界", agent="é"), "{")
    for form in ("table", "jsonl", "csv"):
        out, errors = program("score", RULES, str(path), "--format", form, PYTHONIOENCODING=encoding).communicate(
            timeout=120
        )
        assert b"Traceback" not in errors
        if form == "jsonl":
            assert json.loads(out.decode().splitlines()[0])["run"] == "Größe 世界"


def test_colour_on_a_terminal_only() -> None:
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    main, side = pty.openpty()
    command = [sys.executable, "-m", "outscore", "score", RULES, RUNS]
    process = subprocess.Popen(
        command, stdout=side, stderr=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}
    )
    os.close(side)
    shown = b""
    while True:
        try:
            part = os.read(main, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    assert process.wait(timeout=120) == 0
    assert b"\x1b[32mresolved" in shown


def test_help_and_version() -> None:
    for arguments in (("--help",), ("score", "--help"), ("validate", "--help"), ("completion", "--help")):
        done = call(*arguments)
        assert done.exit_code == 0
        assert "Usage:" in done.stdout
    assert call("--version").stdout.startswith("outscore ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    done = call("completion", shell)
    assert (done.exit_code, "_OUTSCORE_COMPLETE" in done.stdout) == (0, True)


def test_completion_offers_commands_and_options() -> None:
    words = {"_OUTSCORE_COMPLETE": "bash_complete", "COMP_WORDS": "outscore score --fo", "COMP_CWORD": "2"}
    out, _ = program(**words).communicate(timeout=120)
    assert "plain,--format" in out.decode()


def test_charges_of_an_account_add_up_to_its_contact_cost(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    events = [{"type": "contact", "to": "head_of_claims", "at": "2026-03-02T19:10"}] * 5 + [
        {"type": "wait", "hours": 36}
    ]
    path.write_text(json.dumps(run("r", events=events)))
    shown = call("score", RULES, path, "--account", "r").stdout.splitlines()
    start = next(number for number, line in enumerate(shown) if line.startswith("#  event"))
    table = shown[start + 1 : shown.index("", start)]
    places = shown[start].index(" running") + len(" running")
    charges = [Decimal(line[places:]) for line in table if line[places:].strip()]
    assert charges == [*[Decimal("0.02")] * 4, Decimal("0.04"), Decimal("0.005")]
    assert f"contact cost     {sum(charges)}" in "\n".join(shown)
