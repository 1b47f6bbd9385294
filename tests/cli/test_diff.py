"""`outscore diff` as it is called."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from outscore.cli import outscore

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "diff"
OLD, NEW, RUNS = "tests/cli/diff/old.yaml", "tests/cli/diff/new.yaml", "tests/cli/diff/runs.jsonl"
CLAIMS = "rulesets/claims_intake.yaml"


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def call(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    words = ["diff", *(str(each) for each in arguments)]
    return CliRunner().invoke(outscore, words, input=stdin, catch_exceptions=False)


def commit(folder: Path) -> None:
    """Make the folder a repository of git's, with one revision."""
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    for words in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "first"]):
        subprocess.run(["git", *words], cwd=folder, check=True)


GOLDENS = {
    "rules.txt": (OLD, NEW),
    "rules.md": (OLD, NEW, "--format", "md"),
    "results.txt": (OLD, NEW, "--runs", RUNS),
    "results.md": (OLD, NEW, "--runs", RUNS, "--format", "md", "--top", "1"),
    "results.json": (OLD, NEW, "--runs", RUNS, "--format", "json"),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_output_is_as_it_was(name: str, update_golden: bool) -> None:
    done = call(*GOLDENS[name])
    assert (done.exit_code, done.stderr) == (0, "")
    if update_golden:
        (GOLDEN / name).write_bytes(done.stdout_bytes)
    assert done.stdout_bytes == (GOLDEN / name).read_bytes()


def test_the_goldens_have_rulesets_with_every_kind_of_change() -> None:
    record = json.loads((GOLDEN / "results.json").read_text(encoding="utf-8"))
    assert {each["change"] for each in record["rules"]} == {"added", "removed", "changed", "moved"}
    results = record["results"]
    assert all(results[key] for key in ("scored", "void", "failed", "other_scenarios", "agents"))
    assert all(results[key]["count"] for key in ("changed", "only_old", "only_new", "swapped"))


def test_the_same_rules_are_said_to_be_the_same(tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(
        Path(CLAIMS).read_text(encoding="utf-8").replace("0.02, 0.05]", "2e-2, 0.05]  # c"), encoding="utf-8"
    )
    done = call(CLAIMS, other, "--exit-code")
    assert done.exit_code == 0
    digest = re.findall(r"sha256:[0-9a-f]{64}", done.stdout)
    assert done.stdout == f"Rules of claims_intake: same rules\n\n{CLAIMS} -> {other}\n{digest[0]}\n"
    record = json.loads(call(CLAIMS, other, "--format", "json").stdout)
    assert (record["same_rules"], record["rules"], record["words"]) == (True, [], [])
    assert record["old"]["ruleset"] == record["new"]["ruleset"] == digest[0]


def test_exit_codes() -> None:
    assert call(OLD, NEW).exit_code == 0
    assert call(OLD, NEW, "--exit-code").exit_code == 1
    assert call(OLD, OLD, "--exit-code").exit_code == 0


def test_a_ruleset_with_errors_is_shown_and_nothing_compared(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("outscore: 1\nscenario: s\nkpi: {direktion: higher}\n", encoding="utf-8")
    for arguments in ((OLD, bad), (bad, NEW), (bad, bad, "--exit-code")):
        done = call(*arguments)
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"{bad}:3:7: error[unknown-key]" in done.stderr
        assert done.stderr.endswith("outscore: nothing was compared, the rules have errors\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((OLD,), "stands alone; name a second file"),
        ((OLD, "none.yaml"), "none.yaml: No such file or directory"),
        ((OLD, NEW, "--runs"), "'--runs' needs a file of runs"),
        ((OLD, NEW, "--runs", "--format", "md"), "'--runs' needs a file of runs"),
        ((OLD, NEW, "--runs", "none.jsonl"), "none.jsonl does not exist"),
        (("--runs", RUNS, OLD, NEW), "Missing argument 'OLD'"),
        ((OLD, NEW, "--top", "0"), "--top"),
        (("--", "-x:a.yaml"), "a revision does not begin with '-'"),
    ],
)
def test_what_cannot_be_done_exits_with_2(arguments: tuple[str, ...], words: str) -> None:
    done = call(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr


def test_runs_are_all_words_up_to_the_next_option(tmp_path: Path) -> None:
    copies = [tmp_path / f"{number}.jsonl" for number in range(3)]
    for each in copies:
        shutil.copy(RUNS, each)
    one = json.loads(call(OLD, NEW, "--runs", RUNS, "--format", "json").stdout)["results"]
    three = json.loads(call(OLD, NEW, "--runs", *copies, "--format", "json").stdout)["results"]
    again = json.loads(call("--runs", copies[0], copies[1], "--runs", copies[2], "--format", "json", OLD, NEW).stdout)
    assert three["files"] == [str(each) for each in copies]
    assert three["scored"] == 3 * one["scored"]
    assert again["results"] == three


def test_runs_come_from_standard_input_too() -> None:
    text = Path(RUNS).read_bytes()
    done = call(OLD, NEW, "--runs", "-", "--format", "json", stdin=text)
    wanted = json.loads(call(OLD, NEW, "--runs", RUNS, "--format", "json").stdout)["results"]
    found = json.loads(done.stdout)["results"]
    assert {**found, "files": 0, "only_old": 0, "only_new": 0} == {**wanted, "files": 0, "only_old": 0, "only_new": 0}
    done = call(OLD, NEW, "--runs", "-", stdin=b"\n")
    assert (done.exit_code, done.stderr) == (2, "outscore: no run in -\n")


def test_names_form_no_markup_and_move_no_cursor(tmp_path: Path) -> None:
    run = {
        "run": "a\x1b[2J|`b`",
        "scenario": "help_desk",
        "agent": "@all <b>\n|",
        "kpi": {"delivered": {"solved": 1, "reopened": 9}},
    }
    runs = tmp_path / "runs.jsonl"
    runs.write_text(json.dumps(run), encoding="utf-8")
    for form in ("text", "md"):
        out = call(OLD, NEW, "--runs", runs, "--format", form).stdout
        assert re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", out) == []
    row = next(line for line in out.splitlines() if "2J" in line)
    # As many cells as columns, whatever the names hold.
    assert len(re.findall(r"(?<!\\)\|", row)) == 8


def test_a_revision_of_git_is_compared_with_the_work_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    old, new = Path(OLD).read_bytes(), Path(NEW).read_bytes()
    monkeypatch.chdir(tmp_path)
    rules = Path("desk.yaml")
    rules.write_bytes(old)
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=n", "-c", "user.email=e@x.org", "commit", "-qm", "m"],
    ):
        subprocess.run(["git", *words], check=True)
    assert "same rules" in call("HEAD:desk.yaml").stdout
    rules.write_bytes(new)
    done = call("HEAD:desk.yaml", "--exit-code")
    assert done.exit_code == 1
    assert "HEAD:desk.yaml -> desk.yaml" in done.stdout
    assert "lead: list price 0.01 -> 0.02" in done.stdout
    for staged in (":desk.yaml", ":0:desk.yaml", ":0:./desk.yaml"):
        assert f"{staged} -> desk.yaml" in call(staged).stdout
    done = call("HAED:desk.yaml")
    assert (done.exit_code, done.stderr) == (2, "outscore: HAED:desk.yaml: git says: invalid object name 'HAED'.\n")


# The page that shows it

PAGE = ROOT / "docs" / "how-to" / "change-rules.md"


def test_what_the_page_shows_is_what_comes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update_golden: bool
) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    shutil.copytree(ROOT / "rulesets", tmp_path / "rulesets")
    monkeypatch.chdir(tmp_path)
    commit(tmp_path)
    rules = tmp_path / CLAIMS
    text = rules.read_text(encoding="utf-8")
    first = text.replace("      price: 0.01\n      patience: 4", "      price: 0.02\n      patience: 3", 1)
    rules.write_text(first.replace("prices: [0, 0.02, 0.05]", "prices: [0, 0.05]"), encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    block = re.search(r"^```console\n\$ outscore diff ([^\n]*)\n(.*?)^```$", page, re.M | re.S)
    assert block is not None
    done = call(*block[1].split())
    if update_golden:
        PAGE.write_text(page[: block.start(2)] + done.stdout + page[block.end(2) :], encoding="utf-8")
    assert done.stdout == block[2]


def test_the_json_that_the_page_shows_has_the_keys_of_what_comes_out() -> None:
    fragment = re.search(r"^<!-- fragment -->\n```json\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert fragment is not None
    made = json.loads((GOLDEN / "results.json").read_text(encoding="utf-8"))
    # Lists that the page leaves empty, and values of rules, are not looked into.
    deeper = re.compile(
        r"rules\.\*\.(old|new)\.|(tests\.\w+|\S+\.incidents|\S+\.flipped\.largest|\S+\.first)\.\*|words\."
    )
    shapes = [{path for path in _shape(each) if not deeper.match(path)} for each in (json.loads(fragment[1]), made)]
    assert shapes[0] == shapes[1]


def _shape(data: object, path: str = "") -> set[str]:
    """Every path of keys; items of a list are all one."""
    if isinstance(data, dict):
        return {path, *(each for key, value in data.items() for each in _shape(value, f"{path}.{key}".lstrip(".")))}
    if isinstance(data, list):
        return {path, *(each for value in data for each in _shape(value, f"{path}.*"))}
    return {path}
