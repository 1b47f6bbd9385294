"""`outscore new` as it is called."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from outscore.cli import outscore


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def call(*arguments: str) -> Result:
    return CliRunner().invoke(outscore, arguments, catch_exceptions=False)


def test_a_ruleset_is_written_and_what_comes_next_is_said() -> None:
    Path("rulesets").mkdir()
    done = call("new", "on_call", "--direction", "lower")
    path = Path("rulesets/on_call.yaml")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        f"wrote {Path('schemas/ruleset.schema.json')}, the schema for editors\n"
        f"wrote {path}\n"
        f"next: outscore validate {path}; outscore test --coverage {path}; outscore explain {path}\n"
    )
    assert "direction: lower" in path.read_text(encoding="utf-8")
    assert (validated := call("validate", "--strict", "rulesets")).exit_code == 0, validated.output
    assert call("test", "--fail-under", "100", "rulesets").exit_code == 0
    assert call("fmt", "--check", "rulesets").exit_code == 0
    # The second one finds the schema, and says nothing of it.
    assert call("new", "desk").stdout.startswith(f"wrote {Path('rulesets/desk.yaml')}\n")


@pytest.mark.parametrize(
    ("out", "path"),
    [
        (None, "desk.yaml"),
        ("some/where", "some/where/desk.yaml"),
        ("some/where/", "some/where/desk.yaml"),
        ("here/mine.yml", "here/mine.yml"),
        ("v1.2", "v1.2/desk.yaml"),
    ],
)
def test_where_it_is_written(out: str | None, path: str) -> None:
    done = call("new", "desk", *(["--out", out] if out else []))
    assert (done.exit_code, done.stderr) == (0, "")
    assert Path(path).is_file()
    assert (Path(path).parent / "ruleset.schema.json").is_file()


@pytest.mark.skipif(os.name == "nt", reason="quoted another way there")
def test_what_comes_next_can_be_pasted() -> None:
    done = call("new", "desk", "--out", "my sets")
    commands = [shlex.split(each) for each in done.stdout.splitlines()[-1].removeprefix("next: ").split("; ")]
    assert [each[-1] for each in commands] == ["my sets/desk.yaml"] * 3
    assert call(*commands[0][1:]).exit_code == 0


def test_nothing_is_overwritten() -> None:
    Path("desk.yaml").write_text("mine", encoding="utf-8")
    done = call("new", "desk")
    assert (done.exit_code, done.stderr) == (2, "outscore: desk.yaml is there already, and is not overwritten\n")
    assert [each.name for each in Path().iterdir()] == ["desk.yaml"]
    assert Path("desk.yaml").read_text(encoding="utf-8") == "mine"
    Path("link.yaml").symlink_to("nowhere")
    assert call("new", "desk", "--out", "link.yaml").exit_code == 2


def test_another_schema_is_left_and_named() -> None:
    Path("ruleset.schema.json").write_text("{}", encoding="utf-8")
    done = call("new", "desk")
    assert done.exit_code == 0
    assert done.stdout.startswith("wrote desk.yaml\n")
    assert done.stderr == (
        "outscore: ruleset.schema.json is not this version's schema; it was left as it is\n"
        "  hint: outscore schema --out ruleset.schema.json\n"
    )
    assert Path("ruleset.schema.json").read_text(encoding="utf-8") == "{}"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["claims-intake"],
            "'claims-intake' is no id: small letters, digits and _, a letter first; did you mean claims_intake?",
        ),
        (["../up"], "did you mean up?"),
        (["理赔"], "'理赔' is no id: small letters, digits and _, a letter first\n"),
        (["desk", "--out", "desk.runs.yaml"], "files of that name hold runs"),
        (["desk", "--out", "file.txt"], "a ruleset's name ends in .yaml or .yml"),
        (["desk", "--out", "file.txt/below"], "file.txt"),
        (["desk", "--direction", "up"], "'up' is not one of 'higher', 'lower'"),
        ([], "Missing argument 'SCENARIO'"),
    ],
)
def test_what_cannot_be_done_exits_with_2(arguments: list[str], words: str) -> None:
    Path("file.txt").touch()
    done = call("new", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr
    assert [each.name for each in Path().iterdir()] == ["file.txt"]
