"""`outscore test` as it is called."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from click.testing import CliRunner, Result
from outscore.cli import outscore

ROOT = Path(__file__).parents[2]

HEAD = "outscore: 1\nscenario: desk\nkpi: {direction: higher}\n"
RUN = "run: {kpi: {baseline: 0, delivered: 9, reference: 10}}"
GOOD = f"{HEAD}tests:\n- {{name: nearly the expert, {RUN}, expect: {{score: 0.9}}}}\n"
WRONG = f"{HEAD}tests:\n- name: the expert\n  {RUN}\n  expect: {{score: 1, resolved: true}}\n"


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(outscore, ["test", *(str(each) for each in arguments)], catch_exceptions=False)


def write(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_the_shipped_rulesets_pass() -> None:
    done = call(ROOT / "rulesets")
    rulesets = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in (ROOT / "rulesets").glob("*.yaml")]
    tests = sum(len(each["tests"]) for each in rulesets)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == f"{tests} tests in {len(rulesets)} rulesets passed\n"


def test_a_wrong_expectation_is_shown_at_its_place(tmp_path: Path) -> None:
    done = call(write(tmp_path, a=GOOD, b=WRONG))
    path = tmp_path / "b.yaml"
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        f"FAILED {path}:5: the expert",
        f"  {path}:7:19: score: wanted 1, got 0.9",
        "  the run came to uplift 0.9, contact cost 0, score 0.9, resolved",
        "1 of 2 tests in 2 rulesets failed",
    ]


def test_a_run_that_is_refused_fails_with_its_error(tmp_path: Path) -> None:
    run = "run: {kpi: {baseline: 0, delivered: 9, reference: 10}, events: [{type: trial}]}"
    text = f"{HEAD}tests:\n- {{name: one, {run}, expect: {{score: 0.9}}}}\n"
    done = call(write(tmp_path, a=text) / "a.yaml")
    path = tmp_path / "a.yaml"
    assert done.exit_code == 1
    column = text.splitlines()[-1].index("trial") + 1
    assert done.stdout.splitlines()[:2] == [
        f"FAILED {path}:5: one",
        f"  {path}:5:{column}: run.events[0].type: wanted a run that can be scored, got error[unexpected-event]: the "
        "ruleset has no section 'trials', so a trial has no price (hint: with 'count: false' in that section such "
        "events are listed and free)",
    ]
    done = call(write(tmp_path, a=text.replace("score: 0.9", "error: unexpected-event")))
    assert (done.exit_code, done.stdout) == (0, "1 test in 1 ruleset passed\n")


def test_a_ruleset_with_errors_fails_and_stops_no_other(tmp_path: Path) -> None:
    done = call(write(tmp_path, a=GOOD.replace("expect: {", "expect: {scroe: 1, "), b=GOOD))
    assert done.exit_code == 1
    assert f"{tmp_path / 'a.yaml'}:5:" in done.stdout
    assert "error[unknown-key]: tests[0].expect has no key 'scroe'" in done.stdout
    assert "  hint: did you mean 'score'?" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 test in 1 ruleset passed; 1 ruleset with errors"


def test_a_ruleset_without_tests_is_named_and_does_not_fail(tmp_path: Path) -> None:
    done = call(write(tmp_path, a=HEAD, b=GOOD))
    assert (done.exit_code, done.stdout) == (0, f"{tmp_path / 'a.yaml'}: no tests\n1 test in 1 ruleset passed\n")
    done = call(tmp_path / "a.yaml")
    assert (done.exit_code, done.stdout) == (0, f"{tmp_path / 'a.yaml'}: no tests\nno tests in 1 ruleset\n")


def test_warnings_say_nothing_here(tmp_path: Path) -> None:
    text = GOOD.replace("tests:", "incidents: {never: {when: 1 > 2}}\ntests:")
    assert call(write(tmp_path, a=text)).output == "1 test in 1 ruleset passed\n"


def test_tests_are_picked_by_name(tmp_path: Path) -> None:
    write(tmp_path, a=GOOD, b=WRONG, c=HEAD)
    assert call(tmp_path, "-k", "NEARLY").output == "1 test in 1 ruleset passed\n"
    assert call(tmp_path, "-k", "the expert").exit_code == 1
    done = call(tmp_path, "-k", "layman")
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", "outscore: no test's name has 'layman' in it\n")


def test_what_cannot_be_done_exits_with_2(tmp_path: Path) -> None:
    done = call(tmp_path)
    assert (done.exit_code, done.stderr) == (2, f"outscore: no ruleset (*.yaml, *.yml) in {tmp_path}\n")
    done = call(tmp_path / "missing.yaml")
    assert (done.exit_code, done.stderr) == (2, f"outscore: {tmp_path / 'missing.yaml'}: No such file or directory\n")
    assert call().exit_code == 2


def test_files_of_runs_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, a=GOOD)
    (tmp_path / "a.runs.yaml").write_text("[]")
    assert call(tmp_path).output == "1 test in 1 ruleset passed\n"


def test_coverage_is_a_table_by_line(tmp_path: Path) -> None:
    text = f"{HEAD}incidents:\n  outage: {{}}\ntests:\n- {{name: one, {RUN}, expect: {{score: 0.9}}}}\n"
    done = call(write(tmp_path, a=text), "--coverage")
    path = tmp_path / "a.yaml"
    lines = [re.sub("  +", " | ", line) for line in done.stdout.splitlines()]
    assert done.exit_code == 0
    assert lines == [
        f"{path}: the tests reach 2 of 4 places, 50%",
        "",
        "place | rule | reached | not reached",
        f"{path}:3 | score | resolved | no run that does not resolve",
        f"{path}:5 | incidents.outage | not reported | no run that reports it",
        "",
        "1 test in 1 ruleset passed",
    ]


@pytest.mark.parametrize(("least", "code"), [("50", 0), ("50%", 0), ("50.0000000000000001", 1), ("100", 1), ("0", 0)])
def test_too_little_coverage_fails(least: str, code: int, tmp_path: Path) -> None:
    done = call(write(tmp_path, a=GOOD), "--fail-under", least)
    assert done.exit_code == code
    assert ("which is below" in done.stdout) == bool(code)


def test_one_ruleset_cannot_hide_behind_another(tmp_path: Path) -> None:
    run = "run: {kpi: {baseline: 0, delivered: 0, reference: 1}}"
    both = GOOD + f"- {{name: nothing, {run}, expect: {{score: 0}}}}\n"
    write(tmp_path, a=both, b=both.replace("desk", "desk_b"), c=HEAD)
    done = call(tmp_path, "--fail-under", "60")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (
        1,
        "4 tests in 2 rulesets passed; coverage below 60% in 1 ruleset",
    )


@pytest.mark.parametrize("least", ["101", "-1", "much", "nan", "1e9"])
def test_no_percentage_is_misuse(least: str, tmp_path: Path) -> None:
    done = call(write(tmp_path, a=GOOD), f"--fail-under={least}")
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize("form", ["json", "junit", "github"])
def test_formats_have_the_same_exit_codes_and_keep_standard_output_to_themselves(form: str, tmp_path: Path) -> None:
    write(tmp_path, a=GOOD, b=WRONG)
    good, wrong = call(tmp_path / "a.yaml", "--format", form), call(tmp_path, "--format", form)
    assert (good.exit_code, wrong.exit_code) == (0, 1)
    assert good.stderr == "1 test in 1 ruleset passed\n"
    assert wrong.stderr == "1 of 2 tests in 2 rulesets failed\n"
    if form == "json":
        assert json.loads(wrong.stdout)["summary"]["failed"] == 1
    elif form == "junit":
        assert ElementTree.fromstring(wrong.stdout).attrib["failures"] == "1"
    else:
        assert good.stdout == ""
        assert wrong.stdout.startswith("::error file=")
        assert wrong.stdout.endswith("::score: wanted 1, got 0.9\n")


def test_files_below_the_working_directory_are_named_relative_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules").mkdir()
    write(tmp_path / "rules", b=WRONG)
    monkeypatch.chdir(tmp_path)
    done = call(tmp_path, "--format", "github")
    assert done.stdout.startswith("::error file=rules/b.yaml,line=7,col=19,")


def test_names_move_no_cursor(tmp_path: Path) -> None:
    text = WRONG.replace("the expert", '"a \\e[2J \\x9b b\\n c"')
    done = call(write(tmp_path, a=text))
    assert f"FAILED {tmp_path / 'a.yaml'}:5: a �[2J � b c" in done.stdout.splitlines()
