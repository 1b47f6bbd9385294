"""What is installed is whole: the wheel and an editable install, each in an environment that had nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.needs_programs

ROOT = Path(__file__).parents[1]
BARE = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
RULESETS = {path.stem for path in (ROOT / "rulesets").glob("*.yaml")}


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=BARE, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module", params=["wheel", "editable"])
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a new environment that has outscore, and what it needs, and nothing else."""
    folder = tmp_path_factory.mktemp(request.param)
    run(sys.executable, "-m", "venv", folder, cwd=folder)
    what = [request.getfixturevalue("wheel")] if request.param == "wheel" else ["--editable", ROOT]
    run(folder / "bin" / "python", "-m", "pip", "--quiet", "install", *what, cwd=folder)
    return folder / "bin"


def test_the_wheel_holds_what_it_needs_and_no_more(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    inside = {name for name in names if not name.split("/")[0].endswith(".dist-info")}
    assert {name.split("/")[0] for name in inside} == {"outscore"}
    assert "outscore/py.typed" in inside
    for ruleset in RULESETS:
        assert {f"outscore/rulesets/{ruleset}.yaml", f"outscore/rulesets/{ruleset}.runs.jsonl"} <= inside
    for schema in ("ruleset", "run", "score"):
        assert f"outscore/schemas/{schema}.schema.json" in inside
    for template in (ROOT / "engine" / "outscore" / "report" / "templates").iterdir():
        assert f"outscore/report/templates/{template.name}" in inside
    assert [name for name in inside if re.search(r"(^|/)(tests?/|test_|conftest)", name)] == []
    assert "outscore/docs/diagnostics.md" in inside
    suffixes = {".py", ".typed", ".yaml", ".jsonl", ".json", ".md", ".css", ".js", ".jinja"}
    assert {Path(name).suffix for name in inside} <= suffixes


def test_resources_are_found(installed: Path, tmp_path: Path) -> None:
    source = """
from outscore import resources
print(*sorted(path.stem for path in resources.shipped_rulesets()))
for name in ("ruleset", "run", "score"):
    assert resources.schema_text(name).startswith("{"), name
"""
    assert set(run(installed / "python", "-c", source, cwd=tmp_path).split()) == RULESETS


def test_findings_are_explained(installed: Path, tmp_path: Path) -> None:
    assert "missing-why" in run(installed / "outscore", "rule", "missing-why", cwd=tmp_path)


def test_the_command_runs(installed: Path, tmp_path: Path) -> None:
    assert "score" in run(installed / "outscore", "--help", cwd=tmp_path)


def test_the_shipped_runs_are_scored(installed: Path, tmp_path: Path) -> None:
    source = "from outscore import resources; print(resources.shipped_rulesets()[0].parent)"
    folder = Path(run(installed / "python", "-c", source, cwd=tmp_path).strip())
    runs = folder / "claims_intake.runs.jsonl"
    out = run(installed / "outscore", "score", folder, runs, "--format", "jsonl", cwd=tmp_path)
    assert len(out.splitlines()) == len(runs.read_text(encoding="utf-8").splitlines())
