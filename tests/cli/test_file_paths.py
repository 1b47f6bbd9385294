"""Where commands take files of runs or of results: folders and patterns stand for the files in them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from outscore.cli import outscore
from outscore.cli.file_paths import RESULTS, RUNS, file_paths

ROOT = Path(__file__).parents[2]
RULES = ROOT / "rulesets" / "claims_intake.yaml"
FILES = ("a.jsonl", "b/c.json", "b/d.runs.yaml", "b/deep/e.runs.yml", "f.txt", "g.yaml", "[h].jsonl")


def call(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(outscore, [str(each) for each in arguments], input=stdin, catch_exceptions=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for number, name in enumerate(FILES):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        measures = {"recovered": 5000, "refunds": 400, "missed_urgent": 0}
        run = {"run": f"r{number}", "scenario": "claims_intake", "kpi": {"delivered": measures}}
        path.write_text(json.dumps(run) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["."], ["[h].jsonl", "a.jsonl", "b/c.json", "b/d.runs.yaml", "b/deep/e.runs.yml"]),
        (["b"], ["b/c.json", "b/d.runs.yaml", "b/deep/e.runs.yml"]),
        (["b/"], ["b/c.json", "b/d.runs.yaml", "b/deep/e.runs.yml"]),
        (["*.jsonl"], ["[h].jsonl", "a.jsonl"]),
        (["**/*.json*"], ["[h].jsonl", "a.jsonl", "b/c.json"]),
        (["b/*"], ["b/c.json", "b/d.runs.yaml", "b/deep/e.runs.yml"]),
        # A file that is named is taken whatever its name, and whatever its name would match.
        (["f.txt", "g.yaml", "[h].jsonl"], ["f.txt", "g.yaml", "[h].jsonl"]),
        # Each once, in the order given.
        (["b/deep/e.runs.yml", "b", "./b/c.json"], ["b/deep/e.runs.yml", "b/c.json", "b/d.runs.yaml"]),
        (["-", "a.jsonl"], ["-", "a.jsonl"]),
    ],
)
def test_paths_stand_for_files(paths: list[str], found: list[str], folder: Path) -> None:
    assert file_paths(paths, RUNS) == tuple(found)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("none.jsonl", "none.jsonl does not exist"),
        ("none", "none does not exist"),
        ("*.csv", "no file of runs (*.jsonl, *.json, *.runs.yaml, *.runs.yml) in *.csv"),
        ("empty", "no file of runs (*.jsonl, *.json, *.runs.yaml, *.runs.yml) in empty"),
        ("no\x1bne", "no\ufffdne does not exist"),
    ],
)
@pytest.mark.parametrize("command", ["score", "diff"])
def test_what_stands_for_none(command: str, path: str, words: str, folder: Path) -> None:
    (folder / "empty").mkdir()
    arguments = ("score", RULES, "a.jsonl", path) if command == "score" else ("diff", RULES, RULES, "--runs", path)
    done = call(*arguments)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"outscore: {words}\n")


def test_a_folder_is_scored_as_its_files_are(folder: Path) -> None:
    whole = call("score", RULES, ".", "--format", "jsonl")
    files = call(
        "score", RULES, "[h].jsonl", "a.jsonl", "b/c.json", "b/d.runs.yaml", "b/deep/e.runs.yml", "--format", "jsonl"
    )
    assert (whole.exit_code, whole.stdout) == (0, files.stdout)
    assert call("diff", RULES, RULES, "--runs", "b", "a.jsonl", "--format", "json").exit_code == 0
    # What is given as results may still not replace what they are made from.
    assert call("score", RULES, ".", "--out", "a.jsonl").exit_code == 2


def test_folders_of_results_are_read_as_their_files_are(folder: Path) -> None:
    done = call("score", RULES, "b", "--format", "jsonl", "--out", folder / "scores" / "b.jsonl")
    assert done.exit_code == 2  # Folders are not made.
    (folder / "scores" / "more").mkdir(parents=True)
    for name, out in (("b", "b.jsonl"), ("a.jsonl", "more/a.jsonl")):
        assert call("score", RULES, name, "--format", "jsonl", "--out", folder / "scores" / out).exit_code == 0
    assert file_paths(["scores"], RESULTS) == ("scores/b.jsonl", "scores/more/a.jsonl")
    for command in ("summary", "report"):
        whole = call(command, "scores", "--no-intervals", *whole_format(command))
        files = call(command, "scores/b.jsonl", "scores/more/a.jsonl", "--no-intervals", *whole_format(command))
        assert (whole.exit_code, whole.stdout) == (0, files.stdout)
    anew = call("rescore", "scores", "--runs", "b", "--runs", "a.jsonl", "--ruleset", RULES)
    assert (anew.exit_code, anew.stdout.splitlines()[0]) == (0, "4 of 4 results scored anew, 0 of them changed")
    assert call("summary", "scores/none*").stderr == "outscore: no file of results (*.jsonl, *.json) in scores/none*\n"


def whole_format(command: str) -> tuple[str, str]:
    return "--format", "md" if command == "report" else "json"


def test_links_that_lead_in_circles(folder: Path) -> None:
    for name in ("one", "two", "b/up"):
        (folder / name).symlink_to(folder, target_is_directory=True)
    (folder / "twin.jsonl").symlink_to(folder / "a.jsonl")
    (folder / "lost.jsonl").symlink_to(folder / "nowhere")
    files = ("[h].jsonl", "a.jsonl", "b/c.json", "b/d.runs.yaml", "b/deep/e.runs.yml")
    for path in (".", "**"):
        assert file_paths([path], RUNS) == files
    assert file_paths(["**/*.jsonl"], RUNS) == files[:2]
    # A file under two names is one, and a link that a name fits is followed.
    assert file_paths(["twin.jsonl", "a.jsonl", "o*/a.jsonl"], RUNS) == ("twin.jsonl",)


def test_hidden_names_are_left_out_unless_they_are_spelt(folder: Path) -> None:
    for name in (".cache/x.jsonl", ".y.jsonl"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")
    assert file_paths(["**/*.jsonl"], RUNS) == ("[h].jsonl", "a.jsonl")
    assert file_paths([".cache/*.jsonl"], RUNS) == (".cache/x.jsonl",)
    assert file_paths([str(folder / ".cache" / "*.jsonl")], RUNS) == (str(folder / ".cache" / "x.jsonl"),)


@pytest.mark.parametrize("command", ["score", "validate"])
@pytest.mark.parametrize("fails", ["scandir", "stat"])
def test_what_may_not_be_looked_at_is_named(
    command: str, fails: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the user may not read a folder, or may not search it; root may do all."""
    real = getattr(os, fails)

    def refusing(path: Any = ".", *rest: Any, **more: Any) -> Any:
        if "deep" in os.fspath(path):
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return real(path, *rest, **more)

    (folder / "b" / "deep" / "rules.yaml").write_text("")
    monkeypatch.setattr(os, fails, refusing)
    done = call("score", RULES, "b") if command == "score" else call("validate", "b")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("outscore: b/deep")
    assert done.stderr.endswith(": Permission denied\n")
