"""The hooks of pre-commit and the GitHub action: that they are sound, and do what they say.

Neither is run by its own program here: the commands that they call are.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from outscore.cli import outscore

ROOT = Path(__file__).parents[1]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
SCRIPTS = {step["name"]: step["run"] for step in STEPS if "run" in step}
BASH = shutil.which("bash")
GOOD = (
    (ROOT / "rulesets" / "claims_intake.yaml").read_text(encoding="utf-8").replace("../schemas", str(ROOT / "schemas"))
)
WARNED = GOOD.replace("      why: The sponsor asked to be contacted once at most.\n", "")
FAILING = GOOD.replace("score: 0.98", "score: 0.97")
WRONG = GOOD.replace("hour < 9", "hours < 9")
BIN = Path(sys.executable).parent


def options_of(name: str) -> set[str]:
    command = outscore.get_command(click.Context(outscore), name)
    assert command is not None, f"there is no command {name}"
    return {option for parameter in command.params for option in parameter.opts}


def run(command: list[str], folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", **variables}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with rulesets of each kind, one of them under a name that a shell would cut up."""
    (tmp_path / "rulesets" / "drafts").mkdir(parents=True)
    for name, text in {"good": GOOD, "warned": WARNED, "failing $(x)": FAILING, "drafts/wrong": WRONG}.items():
        (tmp_path / "rulesets" / f"{name}.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[tool.outscore]\nexclude = ["rulesets/drafts"]\n', encoding="utf-8")
    return tmp_path


def test_hooks_have_what_pre_commit_needs() -> None:
    assert [hook["id"] for hook in HOOKS] == ["outscore-validate", "outscore-test", "outscore-fmt"]
    for hook in HOOKS:
        assert {"id", "name", "entry", "language"} <= set(hook)
        program, command, *options = shlex.split(hook["entry"])
        assert (program, hook["language"]) == ("outscore", "python")
        assert set(options) <= options_of(command)


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
@pytest.mark.parametrize(
    ("file", "is_taken"),
    [
        ("rulesets/claims.yaml", True),
        ("teams/a/rulesets/deep/claims.yml", True),
        ("rulesets/claims.runs.yaml", False),
        ("rulesets/claims.runs.jsonl", False),
        ("my_rulesets/claims.yaml", False),
        ("docker-compose.yaml", False),
    ],
)
def test_hooks_take_rulesets(hook: dict[str, Any], file: str, is_taken: bool) -> None:
    # As pre-commit does: searched for, not matched from end to end.
    assert bool(re.search(hook["files"], file) and not re.search(hook["exclude"], file)) == is_taken


@pytest.mark.parametrize(
    ("hook", "files", "code"),
    [
        (0, ["good.yaml"], 0),
        (0, ["good.yaml", "warned.yaml"], 1),
        (0, ["failing $(x).yaml"], 0),
        (1, ["good.yaml", "warned.yaml"], 0),
        (1, ["failing $(x).yaml"], 1),
        # What is excluded is passed to hooks all the same.
        (0, ["drafts/wrong.yaml"], 0),
        (1, ["drafts/wrong.yaml", "good.yaml"], 0),
        (2, ["good.yaml", "warned.yaml"], 0),
        (2, ["drafts/wrong.yaml"], 0),
    ],
)
def test_hooks_do_what_they_say(hook: int, files: list[str], code: int, folder: Path) -> None:
    done = run([*shlex.split(HOOKS[hook]["entry"]), *(f"rulesets/{file}" for file in files)], folder)
    assert done.returncode == code, done.stdout + done.stderr


def test_the_hook_for_format_writes_what_it_makes(folder: Path) -> None:
    path = folder / "rulesets" / "good.yaml"
    path.write_text(GOOD.replace("direction: higher", "direction:   higher"), encoding="utf-8")
    done = run([*shlex.split(HOOKS[2]["entry"]), "rulesets/good.yaml"], folder)
    assert (done.returncode, path.read_text(encoding="utf-8")) == (0, GOOD), done.stderr


def test_the_action_has_what_github_needs() -> None:
    assert {"name", "description", "runs"} <= set(ACTION)
    assert ACTION["runs"]["using"] == "composite"
    for step in STEPS:
        assert ("run" in step) != ("uses" in step)
        assert "run" not in step or step["shell"] == "bash"
    assert all({"description", "default"} <= set(each) for each in ACTION["inputs"].values())
    assert all(isinstance(each["default"], str) for each in ACTION["inputs"].values())
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text(encoding="utf-8")))
    assert used == set(ACTION["inputs"])


def test_the_action_calls_what_there_is() -> None:
    calls = [shlex.split(line) for script in SCRIPTS.values() for line in script.splitlines() if "outscore " in line]
    assert [call[:2] for call in calls] == [["outscore", "validate"], ["outscore", "test"]]
    for script, call in zip(list(SCRIPTS.values())[1:], calls, strict=True):
        assert set(re.findall(r"(?<=[ (])--[a-z-]+", script)) <= options_of(call[1])


def test_no_script_reads_an_input_as_a_command() -> None:
    assert [name for name, script in SCRIPTS.items() if "${{" in script] == []


@pytest.mark.skipif(BASH is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("step", "variables", "code", "words"),
    [
        (
            "Check the rulesets",
            {"INPUT_PATHS": "rulesets/", "INPUT_STRICT": "false"},
            0,
            "::warning file=rulesets/warned",
        ),
        (
            "Check the rulesets",
            {"INPUT_PATHS": "rulesets/", "INPUT_STRICT": "true"},
            1,
            "::warning file=rulesets/warned",
        ),
        ("Check the rulesets", {"INPUT_PATHS": "rulesets/good.yaml\n\n", "INPUT_STRICT": "true"}, 0, ""),
        ("Check the rulesets", {"INPUT_PATHS": "ruleset/*", "INPUT_STRICT": "true"}, 2, "no ruleset"),
        ("Check the rulesets", {"INPUT_PATHS": "", "INPUT_STRICT": "true"}, 2, "Missing argument"),
        ("Check the rulesets", {"INPUT_PATHS": "--help", "INPUT_STRICT": "true"}, 2, "No such file"),
        (
            "Check the rulesets",
            {"INPUT_PATHS": "rulesets/failing $(x).yaml\n**/good.yaml", "INPUT_STRICT": "true"},
            0,
            "",
        ),
        ("Run the rulesets' tests", {"INPUT_PATHS": "rulesets/", "INPUT_FAIL_UNDER": ""}, 1, "wanted 0.97, got 0.98"),
        ("Run the rulesets' tests", {"INPUT_PATHS": "**/good.yaml", "INPUT_FAIL_UNDER": ""}, 0, ""),
        ("Run the rulesets' tests", {"INPUT_PATHS": "**/good.yaml", "INPUT_FAIL_UNDER": "100"}, 1, "below 100%25"),
    ],
)
def test_the_actions_steps_do_what_they_say(
    step: str, variables: dict[str, str], code: int, words: str, folder: Path
) -> None:
    # As GitHub runs a step whose shell is bash.
    done = run([str(BASH), "--noprofile", "--norc", "-eo", "pipefail", "-c", SCRIPTS[step]], folder, **variables)
    assert done.returncode == code, done.stdout + done.stderr
    assert words in done.stdout + done.stderr


def test_our_own_rulesets_pass() -> None:
    assert run(["outscore", "validate", "--strict", "rulesets/"], ROOT).returncode == 0
    assert run(["outscore", "test", "rulesets/"], ROOT).returncode == 0


def test_the_check_of_a_clone_runs_them() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = makefile.split("\ncheck:")[1].split("\n\n")[0]
    assert "outscore validate --strict rulesets/" in recipe
    assert "outscore test rulesets/" in recipe
    assert re.search(r"^make .*check$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.M)
