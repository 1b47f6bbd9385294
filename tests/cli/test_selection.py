"""Which rulesets PATHS stand for, in `validate` and in `test` alike."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from outscore.cli import outscore
from outscore.cli.selection import select

FILES = [
    "pyproject.toml",
    "rules/a.yaml",
    "rules/b.yml",
    "rules/a.runs.yaml",
    "rules/notes.md",
    "rules/deep/er/c.yaml",
    "rules/drafts/d.yaml",
    "rules/drafts/deep/e.yaml",
    "rules/[x].yaml",
    "other/rules/f.yaml",
    "other/f.draft.yaml",
]
ALL = ["a.yaml", "b.yml", "c.yaml", "d.yaml", "e.yaml", "[x].yaml"]


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def exclude(tree: Path, *patterns: str, folder: str = ".") -> None:
    text = f"[tool.outscore]\nexclude = {json.dumps(patterns)}\n"
    (tree / folder / "pyproject.toml").write_text(text, encoding="utf-8")


def names(*paths: str, **options: bool) -> list[str]:
    return [each.name for each in select(paths, **options)]


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        (["rules"], ALL),
        (["rules/"], ALL),
        (["rules", "rules/a.yaml", "./rules/../rules/a.yaml"], ALL),
        (["rules/a.yaml"], ["a.yaml"]),
        # A file that is named is taken whatever it is called.
        (["rules/notes.md"], ["notes.md"]),
        (["rules/a.runs.yaml"], ["a.runs.yaml"]),
        (["rules/*.yaml"], ["[x].yaml", "a.yaml"]),
        (["rules/*.y*ml"], ["[x].yaml", "a.yaml", "b.yml"]),
        (["rules/?.yaml"], ["a.yaml"]),
        (["rules/[ab].*"], ["a.yaml", "b.yml"]),
        (["rules/**/*.yaml"], ["[x].yaml", "a.yaml", "c.yaml", "d.yaml", "e.yaml"]),
        (["rules/**"], ALL),
        (["**/rules"], ["f.yaml", *ALL]),
        (["**/drafts/*.yaml"], ["d.yaml"]),
        # A file of that very name comes before a pattern.
        (["rules/[x].yaml"], ["[x].yaml"]),
        (["other", "rules/a.yaml"], ["f.draft.yaml", "f.yaml", "a.yaml"]),
    ],
)
def test_paths_stand_for_rulesets(paths: list[str], wanted: list[str]) -> None:
    assert sorted(names(*paths)) == sorted(wanted)


@pytest.mark.parametrize(
    ("pattern", "left_out"),
    [
        ("rules/drafts", {"d.yaml", "e.yaml"}),
        ("rules/drafts/", {"d.yaml", "e.yaml"}),
        ("./rules/drafts", {"d.yaml", "e.yaml"}),
        ("rules/drafts/**", {"d.yaml", "e.yaml"}),
        ("rules/drafts/*", {"d.yaml", "e.yaml"}),
        ("rules/drafts/*.yaml", {"d.yaml"}),
        ("**/drafts", {"d.yaml", "e.yaml"}),
        ("**/deep", {"c.yaml", "e.yaml"}),
        ("**/deep/*.yaml", {"e.yaml"}),
        ("rules/**/e.yaml", {"e.yaml"}),
        ("**/*.yml", {"b.yml"}),
        ("rules/[a-b].*", {"a.yaml", "b.yml"}),
        ("rules/[!a-b].*", set()),
        ("rules/[[]x].yaml", {"[x].yaml"}),
        ("rules/?.yml", {"b.yml"}),
        # Patterns are of whole paths, and know capitals.
        ("drafts", set()),
        ("rule", set()),
        ("Rules", set()),
        ("rules/a", set()),
        ("rules", set(ALL)),
        ("**", set(ALL)),
    ],
)
def test_excludes_are_left_out_of_folders_and_patterns(pattern: str, left_out: set[str], tree: Path) -> None:
    exclude(tree, "nothing", pattern)
    assert set(ALL) - set(names("rules", allow_empty=True)) == left_out
    assert set(ALL) - set(names("rules/**", allow_empty=True)) == left_out
    # Whatever the working directory.
    os.chdir(tree / "rules" / "deep")
    assert set(ALL) - set(names("..", allow_empty=True)) == left_out


def test_a_named_file_is_excluded_only_by_force(tree: Path) -> None:
    exclude(tree, "rules/drafts")
    paths = ("rules/drafts/d.yaml", "rules/a.yaml")
    assert names(*paths) == ["d.yaml", "a.yaml"]
    assert names(*paths, force_exclude=True, allow_empty=True) == ["a.yaml"]


def test_the_nearest_pyproject_that_speaks_of_outscore_counts(tree: Path) -> None:
    exclude(tree, "**/d.yaml")
    (tree / "rules" / "pyproject.toml").write_text("[tool.other]\nexclude = ['a']\n", encoding="utf-8")
    assert set(ALL) - set(names("rules")) == {"d.yaml"}
    exclude(tree, "deep", folder="rules")
    assert set(ALL) - set(names("rules")) == {"c.yaml"}
    exclude(tree, folder="rules")
    assert set(names("rules")) == set(ALL)


@pytest.mark.parametrize("command", ["validate", "test"])
@pytest.mark.parametrize(
    ("paths", "words"),
    [
        (["rules/*.json"], "no ruleset (*.yaml, *.yml) in rules/*.json"),
        # What a misspelt path should have brought is missed, whatever others bring.
        (["rules", "ruels/**"], "no ruleset (*.yaml, *.yml) in ruels/**"),
        (["rules/drafts"], "every ruleset in rules/drafts is excluded by pyproject.toml"),
        (
            ["--force-exclude", "rules/drafts/d.yaml"],
            "every ruleset in rules/drafts/d.yaml is excluded by pyproject.toml",
        ),
    ],
)
def test_nothing_matched_is_no_success_unless_it_is_allowed(
    command: str, paths: list[str], words: str, tree: Path
) -> None:
    exclude(tree, "rules/drafts")
    done = call(command, *paths)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"outscore: {words}\n")
    if "rules" not in paths:
        assert call(command, "--allow-empty", *paths).exit_code == 0


def test_a_missing_file_is_never_allowed() -> None:
    for command in ("validate", "test"):
        done = call(command, "--allow-empty", "rules/missing.yaml")
        assert (done.exit_code, done.stderr) == (2, "outscore: rules/missing.yaml: No such file or directory\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.outscore\n", "is no TOML"),
        ("[tool.outscore]\nexcludes = []\n", "has the key 'excludes'; known is only 'exclude'"),
        ("[tool.outscore]\nexclude = 'rules'\n", "is no list of patterns in quotes"),
        ("[tool.outscore]\nexclude = [1]\n", "is no list of patterns in quotes"),
        ("[tool.outscore]\nexclude = ['../x']\n", "has '../x'; patterns are of what lies below"),
        ("[tool.outscore]\nexclude = ['/x']\n", "has '/x'; patterns are of what lies below"),
        ("[tool.outscore]\nexclude = ['']\n", "has ''; patterns are of what lies below"),
        ("[tool.outscore]\nexclude = ['[z-a]']\n", "has '[z-a]'; its [...] lists no characters"),
        ("[tool]\noutscore = 1\n", "[tool.outscore] is no table"),
    ],
)
def test_a_pyproject_that_cannot_be_meant_is_refused(text: str, words: str, tree: Path) -> None:
    (tree / "pyproject.toml").write_text(text, encoding="utf-8")
    done = call("validate", "rules")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"outscore: {tree / 'pyproject.toml'}: ")
    assert words in done.stderr
    # A file that is named needs no pyproject.toml.
    assert names("rules/a.yaml") == ["a.yaml"]


@pytest.mark.parametrize("text", ["", "[tool]\n", "tool = 1\n", "[tool.outscore]\n"])
def test_a_pyproject_that_says_nothing_excludes_nothing(text: str, tree: Path) -> None:
    (tree / "pyproject.toml").write_text(text, encoding="utf-8")
    assert set(names("rules")) == set(ALL)


def call(*arguments: str) -> Result:
    return CliRunner().invoke(outscore, arguments, catch_exceptions=False)
