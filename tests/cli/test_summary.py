"""`outscore summary`, `compare` and `rescore` as they are called: output, exit codes, files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from outscore.cli import outscore

from tests.scores import OTHER_DIGEST, failed, scored, void, written

ROOT = Path(__file__).parents[2]
RULESETS = ROOT / "rulesets"
RUNS = sorted(RULESETS.glob("*.runs.jsonl"))
CLAIMS, CLAIMS_RUNS = RULESETS / "claims_intake.yaml", RULESETS / "claims_intake.runs.jsonl"


def call(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(outscore, [str(each) for each in arguments], input=stdin, catch_exceptions=False)


@pytest.fixture(scope="module", params=["jsonl", "json"])
def samples(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scores of the shipped runs, in each form that can be read back."""
    path: Path = tmp_path_factory.mktemp("scores") / f"scores.{request.param}"
    assert call("score", RULESETS, *RUNS, "--format", request.param, "--out", path).exit_code == 0
    return path


def test_what_score_writes_is_summed_up(samples: Path) -> None:
    done = call("summary", samples)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "62 runs"
    # All runs, then the agents, the best first.
    assert [line.split()[0] for line in lines[5:9]] == ["all", "model-a", "model-b", "model-c"]
    assert "\x1b" not in done.stdout
    everything = json.loads(call("summary", samples, "--format", "json").stdout)["all"]
    assert everything["counts"] == {
        "planned": None,
        "scored": 56,
        "void": 6,
        "failed": 0,
        "missing": None,
        "total": 62,
    }


def test_the_mean_is_the_one_that_score_closes_with(samples: Path) -> None:
    closing = json.loads(call("score", RULESETS, *RUNS, "--format", "json").stdout)["summary"]
    found = json.loads(call("summary", samples, "--format", "json", "--no-intervals").stdout)
    for mine, own in zip((found["all"], *found["groups"]), (closing["all"], *closing["by_agent"]), strict=True):
        for name in ("mean_floored_score", "mean_contact_cost"):
            assert mine[name]["over_task_runs"]["value"] == own[name]


def test_a_second_time_gives_the_same_bytes(samples: Path, tmp_path: Path) -> None:
    for form in ("table", "json", "md"):
        out = tmp_path / form
        arguments = ("summary", samples, "--by", "scenario", "--resamples", "100", "--format", form)
        assert call(*arguments, "--out", out).exit_code == 0
        assert out.read_text() == call(*arguments).stdout


def test_the_order_of_files_changes_nothing(tmp_path: Path) -> None:
    one = written(tmp_path / "one.jsonl", *(scored(f"x{n}", f"{n}/7", task=f"t{n}") for n in range(5)))
    two = written(tmp_path / "two.jsonl", *(scored(f"y{n}", f"{n}/9", agent="b", task=f"t{n}") for n in range(5)))
    assert call("summary", one, two, "--format", "json").stdout == call("summary", two, one, "--format", "json").stdout


def test_nine_void_of_ten(tmp_path: Path) -> None:
    path = written(tmp_path / "scores.jsonl", scored("r0"), *(void(f"r{n}") for n in range(1, 10)))
    done = call("summary", path, "--planned", "10")
    assert done.exit_code == 0
    row = next(line for line in done.stdout.splitlines() if line.startswith("all runs") and "1 of 1" in line)
    assert row.split()[2:] == ["1", "of", "1", "1.0000", "-", "0.1000", "1.0000", "1.0000", "-"]
    assert "one run only" in done.stdout


def test_figures_without_an_interval_are_named(tmp_path: Path) -> None:
    """Of each of two agents some figures have none, of a third nothing has one."""
    records = [scored(f"a{n}", uplift, task=f"t{n}") for n, uplift in enumerate(("1", "1/2", "2/3"))]
    records += [scored(f"b{n}", f"{n}/7", task=f"t{n}", agent="b") for n in range(3)]
    records += [scored("c", agent="c", task="t0")]
    path = written(tmp_path / "scores.jsonl", *records)
    said = [line for line in call("summary", path).stdout.splitlines() if line.startswith("No ")]
    equal = "every task has the same value: resampling them cannot show how far off it may be."
    alone = "one run only: nothing shows how far another would lie from it."
    assert said == [
        f"No interval for the mean contact cost and the incident rate of all runs, a: {equal}",
        f"No interval for the resolved rate, the mean contact cost and the incident rate of b: {equal}",
        f"No interval for c: {alone}",
    ]
    page = call("report", path, "--format", "md").stdout
    assert f"No interval for the resolved rate, the mean contact cost and the incident rate of b: {equal}" in page
    compared = call("compare", path, "--a", "a", "--b", "b", "--format", "table").stdout
    assert f"No interval for the contact cost and the incident rate: {equal}" in compared
    assert "No interval: one task only: its repeats" in call("compare", path, "--a", "a", "--b", "c").stdout


def test_all_void(tmp_path: Path) -> None:
    path = written(tmp_path / "scores.jsonl", void("x"), void("y"))
    done = call("summary", path)
    assert done.exit_code == 0
    assert "no run was scored" in done.stdout
    text = call("summary", path, "--format", "json").stdout
    assert "NaN" not in text
    assert json.loads(text)["all"]["mean_floored_score"]["over_task_runs"]["value"] is None


def test_missing_runs_by_plan(tmp_path: Path) -> None:
    path = written(tmp_path / "scores.jsonl", scored("x"))
    plan = tmp_path / "plan.csv"
    plan.write_text("run,agent\nx,a\ny,a\nz,b\n")
    groups = json.loads(call("summary", path, "--plan", plan, "--format", "json").stdout)["groups"]
    assert [(each["agent"], each["counts"]["missing"]) for each in groups] == [("a", 1), ("b", 1)]


@pytest.mark.parametrize(
    ("records", "arguments", "says"),
    [
        ([scored("x"), scored("y", ruleset=OTHER_DIGEST)], (), "scored by 2 different sets of rules"),
        ([scored("x"), scored("x")], (), "run 'x' is here a second time"),
        ([scored("x"), scored("x", "1/2")], (), "run 'x' has another result"),
        ([scored("x"), "{}"], (), "not a result"),
        ([scored("x"), scored("y")], ("--planned", "1"), "1 were planned"),
    ],
)
def test_what_is_refused_exits_with_1(
    tmp_path: Path, records: list[object], arguments: tuple[str, ...], says: str
) -> None:
    path = written(tmp_path / "scores.jsonl", *records)
    for command in (("summary", path), ("compare", path, "--a", "a", "--b", "b")):
        if command[0] == "compare" and arguments:
            continue
        done = call(*command, *arguments)
        assert done.exit_code == 1
        assert says in done.stderr
        assert done.stdout == ""


def test_mixed_rules_are_told_where_they_are_allowed(tmp_path: Path) -> None:
    path = written(tmp_path / "scores.jsonl", scored("x"), scored("y", ruleset=OTHER_DIGEST))
    done = call("summary", path, "--allow-mixed")
    assert done.exit_code == 0
    assert "Mixed rules: s was scored by 2 rulesets" in done.stdout
    assert OTHER_DIGEST in done.stdout


@pytest.mark.parametrize("by_plan", [True, False])
def test_no_result_at_all_of_what_was_planned(tmp_path: Path, by_plan: bool) -> None:
    path = written(tmp_path / "scores.jsonl")
    plan = written(tmp_path / "plan.jsonl", {"run": "x", "agent": "a"}, {"run": "y", "agent": "a"})
    done = call("summary", path, "--format", "json", *(("--plan", plan) if by_plan else ("--planned", "2")))
    assert done.exit_code == 0
    everything = json.loads(done.stdout)["all"]
    assert everything["counts"]["missing"] == 2
    mean = everything["mean_floored_score"]["over_task_runs"]
    assert (mean["value"], mean["n"], mean["reason"]) == (None, 0, "no run was scored")
    rate = everything["resolved_rate"]["over_task_runs"]
    assert (rate["value"], rate["worst"], rate["best"]) == (None, 0, 1)


def test_no_result_at_all_of_what_was_planned_can_be_reported(tmp_path: Path) -> None:
    path, out = written(tmp_path / "scores.jsonl"), tmp_path / "r.html"
    assert call("report", path, "--planned", "2", "-o", out).exit_code == 0
    assert re.search(r"<dt>Missing</dt>\s*<dd[^>]*>2<", out.read_text(encoding="utf-8"))
    done = call("report", path, "--planned", "2", "--format", "md")
    assert "| **all runs** | – | –<br>worst 0.0000, best 1.0000 |" in done.stdout


def test_one_run_is_one_run(tmp_path: Path) -> None:
    path = written(tmp_path / "scores.jsonl", scored("x"))
    assert call("summary", path).stdout.startswith("1 run\n")
    assert "there is 1 run, and 0 were planned" in call("summary", path, "--planned", "0").stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("summary",), "Missing argument"),
        (("summary", "nothing.jsonl"), "does not exist"),
        (("summary", os.devnull), "no result in"),
        (("summary", "SCORES", "--by", "agents"), "none of agent, scenario, task"),
        (("summary", "SCORES", "--plan", "SCORES", "--planned", "1"), "leave --planned out"),
        (("summary", "SCORES", "--resamples", "1"), "100<=x"),
        (("summary", "SCORES", "--out", "/nowhere/at/all"), "No such file"),
        (("summary", "SCORES", "--out", "SCORES"), "would replace"),
        (("compare", "SCORES", "--a", "a"), "Missing option '--b'"),
        (("compare", "SCORES", "--a", "a", "--b", "a"), "the same agent"),
        (("compare", "SCORES", "--a", "a", "--b", "c"), "no run is of agent 'c'"),
        (("rescore", "SCORES", "--ruleset", CLAIMS), "give the files of runs"),
        (("rescore", CLAIMS_RUNS, "--ruleset", CLAIMS), "no results of them are stored"),
        (("rescore", "SCORES", CLAIMS_RUNS, "--ruleset", CLAIMS), "no stored result is of scenario claims_intake"),
        (("rescore", "SCORES", CLAIMS_RUNS, "--ruleset", CLAIMS, "--old", CLAIMS), "--old is for runs alone"),
        (("rescore", "SCORES", CLAIMS_RUNS, "--ruleset", CLAIMS, "--out", CLAIMS_RUNS), "would replace"),
    ],
)
def test_what_cannot_be_done_exits_with_2(tmp_path: Path, arguments: tuple[str | Path, ...], says: str) -> None:
    path = written(tmp_path / "scores.jsonl", scored("x"), scored("y", agent="b"))
    done = call(*(path if each == "SCORES" else each for each in arguments))
    assert done.exit_code == 2
    assert says in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


def test_standard_input() -> None:
    lines = "".join(f"{json.dumps(scored(f'r{n}', n, task=f't{n}'))}\n" for n in range(3)).encode()
    done = call("summary", "-", "--format", "json", stdin=lines)
    assert (done.exit_code, json.loads(done.stdout)["all"]["counts"]["scored"]) == (0, 3)


def test_names_cannot_draw_on_the_terminal_or_form_markup(tmp_path: Path) -> None:
    path = written(tmp_path / "scores.jsonl", scored("x", agent="\x1b[31m|<script>"), failed("y"))
    assert "\x1b" not in call("summary", path).stdout
    text = call("summary", path, "--format", "md").stdout
    assert "<script" not in text.replace("\\<script", "")
    assert r"\|" in text


def test_compare(samples: Path) -> None:
    done = call("compare", samples, "--a", "model-a", "--b", "model-b")
    assert done.exit_code == 0
    assert done.stdout.startswith("model-a minus model-b, on 15 tasks")
    assert "10 won, 0 tied, 5 lost by model-a" in done.stdout
    assert "Not compared, scored for model-a only:" in done.stdout
    record = json.loads(call("compare", samples, "--a", "model-a", "--b", "model-b", "--format", "json").stdout)
    assert record["tasks_won"] == {"a": 10, "tied": 0, "b": 5}
    assert record["intervals"]["seed"] == 20260301
    assert call("compare", samples, "--a", "model-a", "--b", "model-b", "--format", "md").stdout.startswith("### ")


def test_nothing_to_compare(tmp_path: Path) -> None:
    path = written(tmp_path / "scores.jsonl", scored("x", task="p"), scored("y", agent="b", task="q"))
    done = call("compare", path, "--a", "a", "--b", "b")
    assert (done.exit_code, "nothing to compare" in done.stderr) == (1, True)


def cheaper(tmp_path: Path) -> Path:
    path = tmp_path / "new.yaml"
    path.write_text(CLAIMS.read_text().replace("price: 0.05", "price: 0.5"))
    return path


def test_rescore_in_place_and_what_changed(tmp_path: Path) -> None:
    scores, new = tmp_path / "scores.jsonl", cheaper(tmp_path)
    call("score", RULESETS, *RUNS, "--format", "jsonl", "--out", scores)
    before = scores.read_text().splitlines()
    rehearsal = call("rescore", scores, *RUNS, "--ruleset", new)
    assert (rehearsal.exit_code, "Nothing was written" in rehearsal.stdout) == (0, True)
    assert scores.read_text().splitlines() == before
    done = call("rescore", scores, "--runs", CLAIMS_RUNS, "--ruleset", new, "--out", scores)
    assert done.exit_code == 0
    assert re.search(r"^r-0022 .*-0\.3376 +-0\.7876", done.stdout, re.M)
    after = scores.read_text().splitlines()
    assert len(after) == len(before)
    rescored = {json.loads(line)["run"] for line in after if "rescored" in json.loads(line)}
    assert rescored == {json.loads(line)["run"] for line in CLAIMS_RUNS.read_text().splitlines()}
    assert [line for line in after if json.loads(line)["run"] not in rescored] == before[12:]
    # One ruleset a scenario again, so they may be summed up.
    assert call("summary", scores).exit_code == 0
    fresh = tmp_path / "fresh.jsonl"
    call("score", new, CLAIMS_RUNS, "--format", "jsonl", "--out", fresh)
    one, other = (json.loads(call("summary", path, "--format", "json").stdout) for path in (scores, fresh))
    assert one["rulesets"]["claims_intake"] == other["rulesets"]["claims_intake"]


def test_rescore_writes_nothing_where_one_run_is_missing(tmp_path: Path) -> None:
    scores = tmp_path / "scores.jsonl"
    call("score", CLAIMS, CLAIMS_RUNS, "--format", "jsonl", "--out", scores)
    fewer = tmp_path / "fewer.jsonl"
    fewer.write_text("".join(CLAIMS_RUNS.read_text().splitlines(keepends=True)[:-1]))
    before = sorted(path.name for path in tmp_path.iterdir())
    content = scores.read_bytes()
    done = call("rescore", scores, fewer, "--ruleset", CLAIMS, "--out", scores)
    assert done.exit_code == 1
    assert "is in none of the files of runs" in done.stderr
    assert scores.read_bytes() == content
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_rescore_of_runs_alone(tmp_path: Path) -> None:
    out = tmp_path / "scores.jsonl"
    arguments = ("--old", CLAIMS, "--ruleset", cheaper(tmp_path), "--out", out)
    done = call("rescore", CLAIMS_RUNS, *arguments, "--format", "json")
    assert done.exit_code == 0
    counts = json.loads(done.stdout)["counts"]
    assert (counts["stored"], counts["rescored"], counts["void"]) == (12, 11, 1)
    assert all("rescored" in json.loads(line) for line in out.read_text().splitlines())


def without_an_analyst(tmp_path: Path) -> Path:
    """Rules that no longer know somebody whom stored runs asked."""
    path = tmp_path / "fewer.yaml"
    rules = (
        CLAIMS.read_text()
        .replace("    fraud_analyst:", "    actuary:")
        .replace("  anyone_else:\n    price: 0.02\n", "")
    )
    path.write_text(rules.partition("\ntests:")[0] + "\n")
    return path


def test_rescore_where_runs_cannot_be_scored_any_more(tmp_path: Path) -> None:
    scores, out = tmp_path / "scores.jsonl", tmp_path / "new.jsonl"
    call("score", CLAIMS, CLAIMS_RUNS, "--format", "jsonl", "--out", scores)
    arguments = ("rescore", scores, CLAIMS_RUNS, "--ruleset", without_an_analyst(tmp_path), "--out", out)
    done = call(*arguments)
    assert (done.exit_code, out.exists()) == (1, False)
    assert "cannot be scored by the new rules" in done.stderr
    allowed = call(*arguments, "--allow-failed")
    assert (allowed.exit_code, out.exists()) == (0, True)
    said = r"outscore: the new rules could not score (\d+) runs that had not failed before; --allow-failed let"
    found = re.match(said, allowed.stderr)
    assert found is not None
    assert f"; {found[1]} failed\n" in allowed.stdout
    # They had failed before and fail again: nothing is new, and that is said, with or without the option.
    for option in ((), ("--allow-failed",)):
        again = call("rescore", out, CLAIMS_RUNS, "--ruleset", tmp_path / "fewer.yaml", *option)
        assert (again.exit_code, again.stderr) == (0, "")
        assert f"Failed before, and again: {found[1]} runs." in again.stdout


def test_rescore_by_broken_rules(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text(CLAIMS.read_text().replace("hour < 9", "hours < 9"))
    path = written(tmp_path / "scores.jsonl", scored("x", scenario="claims_intake"))
    done = call("rescore", path, CLAIMS_RUNS, "--ruleset", broken)
    assert (done.exit_code, "error[unknown-name]" in done.stderr) == (2, True)


def modules_after(*arguments: str) -> set[str]:
    program = (
        "import sys\nfrom outscore.cli import outscore\n"
        f"outscore({list(arguments)!r}, standalone_mode=False)\nprint('modules', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "arguments",
    [("score", str(CLAIMS), str(CLAIMS_RUNS)), ("summary", "SCORES", "--no-intervals"), ("summary", "--help")],
    ids=["score", "no intervals", "help"],
)
def test_numpy_is_loaded_for_intervals_alone(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    path = written(tmp_path / "scores.jsonl", scored("x", task="p"), scored("y", 0, task="q"))
    loaded = modules_after(*(path if each == "SCORES" else each for each in arguments))
    assert not {"numpy", "scipy"} & loaded


def test_numpy_is_loaded_for_intervals(tmp_path: Path) -> None:
    path = written(tmp_path / "scores.jsonl", scored("x", task="p"), scored("y", 0, task="q"))
    assert {"numpy", "scipy"} <= modules_after("summary", path)
