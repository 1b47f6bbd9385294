"""The pytest plugin: what it collects, what it leaves alone, and how it reports."""

from __future__ import annotations

import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import outscore.casetest  # noqa: F401  (once for all, else each run of pytest in this process imports it anew)
import pytest

pytest_plugins = ["pytester"]

HEAD = "outscore: 1\nscenario: desk\nkpi: {direction: higher}\n"
RUN = "run: {kpi: {baseline: 0, delivered: 9, reference: 10}}"
GOOD = f"{HEAD}tests:\n- {{name: nearly the expert, {RUN}, expect: {{score: 0.9}}}}\n"
WRONG = f"{HEAD}tests:\n- name: the expert\n  {RUN}\n  expect: {{score: 1, resolved: true}}\n"
# Where the package is installed, pytest finds the plugin by itself, and would not take it twice.
PLUGIN = [] if entry_points(group="pytest11", name="outscore") else ["-p", "outscore.pytest_plugin"]


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with rulesets of two names, one below the other, and other YAML beside them."""
    files = {
        "rulesets/a.yaml": GOOD,
        "rulesets/below/b.yml": WRONG,
        "rulesets/none.yaml": HEAD,
        "rulesets/a.runs.yaml": GOOD,
        "rulesets/settings.yaml": "outscored: 1\nother:\n  outscore: 1\n",
        "elsewhere/c.yaml": GOOD,
        "elsewhere/below/d.yaml": GOOD,
        "e.yaml": GOOD,
        "test_python.py": "def test_it(): pass\n",
    }
    for name, text in files.items():
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    pytester.makeini("[pytest]\n")
    return pytester


def run(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    idle = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:xdist")
    return project.runpytest_inprocess(*PLUGIN, *idle, *arguments)


def collected(project: pytest.Pytester, *arguments: str) -> list[str]:
    done = run(project, "--collect-only", "-q", *arguments)
    return sorted(line for line in done.outlines if "::" in line)


A, B = "rulesets/a.yaml::nearly the expert", "rulesets/below/b.yml::the expert"
C, D, E = (f"{name}::nearly the expert" for name in ("elsewhere/c.yaml", "elsewhere/below/d.yaml", "e.yaml"))
PYTHON = "test_python.py::test_it"


@pytest.mark.parametrize(
    ("arguments", "items"),
    [
        ([], [A, B, PYTHON]),
        (["rulesets"], [A, B]),
        (["rulesets/a.yaml"], [A]),
        (["rulesets/below"], [B]),
        (["rulesets/none.yaml", "rulesets/a.yaml"], [A]),
        (["elsewhere"], [C]),
        (["elsewhere/below"], [D]),
        (["e.yaml", "elsewhere/c.yaml"], [E, C]),
        ([f"{A}"], [A]),
        (["rulesets", "-k", "nearly"], [A]),
    ],
    ids=lambda each: " ".join(each) or "nothing",
)
def test_rulesets_are_collected_where_they_are_asked_for(
    project: pytest.Pytester, arguments: list[str], items: list[str]
) -> None:
    assert collected(project, *arguments) == sorted(items)


@pytest.mark.parametrize(
    ("patterns", "items"),
    [
        ("", [PYTHON]),
        ("elsewhere/*.yaml", [C, PYTHON]),
        ("elsewhere/**/*.yaml *.yaml", [C, D, E, PYTHON]),
        ("**/below/?.y*ml", [B, D, PYTHON]),
        ("elsewhere/**", [C, D, PYTHON]),
        ("[e].yaml", [PYTHON]),
    ],
)
def test_the_option_says_which(project: pytest.Pytester, patterns: str, items: list[str]) -> None:
    project.makeini(f"[pytest]\noutscore_rulesets = {patterns}\n")
    assert collected(project) == sorted(items)


def test_paths_of_the_configuration_name_no_ruleset(project: pytest.Pytester) -> None:
    project.makeini("[pytest]\ntestpaths = elsewhere\n")
    assert collected(project) == []


@pytest.mark.parametrize("text", [f"\ufeff{GOOD}", "{'outscore': 1, scenario: a}", "# a\n\n'outscore' : 1\nbad"])
def test_a_ruleset_is_known_by_its_key(project: pytest.Pytester, text: str) -> None:
    (project.path / "e.yaml").write_text(text, encoding="utf-8")
    assert len(collected(project, "e.yaml")) == 1


@pytest.mark.parametrize(
    "text", ["", "x:\n  outscore: 1\n", "# outscore: 1\n", "- outscore\n", "\x00\xff", "a: {outscore: 1}"]
)
def test_other_yaml_is_left_alone(project: pytest.Pytester, text: str) -> None:
    (project.path / "e.yaml").write_text(text, encoding="latin-1")
    assert collected(project, "e.yaml") == []


def test_a_failure_is_text_without_a_traceback(project: pytest.Pytester) -> None:
    done = run(project, "rulesets")
    done.assert_outcomes(passed=1, failed=1)
    path = "rulesets/below/b.yml"
    done.stdout.fnmatch_lines(
        [
            "*_ the expert _*",
            f"{path}:7:19: score: wanted 1, got 0.9",
            "the run came to uplift 0.9, contact cost 0, score 0.9, resolved",
            f"FAILED {path}::the expert*",
        ],
        consecutive=False,
    )
    output = done.stdout.str()
    assert "Traceback" not in output
    assert "casetest" not in output
    assert ".py" not in output.replace("test_python.py", "")


def test_a_ruleset_with_errors_is_one_failing_item(project: pytest.Pytester) -> None:
    (project.path / "rulesets/below/b.yml").write_text(WRONG.replace("{score: 1", "{scroe: 1"))
    done = run(project, "rulesets/below")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        [
            "rulesets/below/b.yml:7:12: error[[]unknown-key]: tests[[]0].expect has no key 'scroe'",
            "  hint: did you mean 'score'?",
            "FAILED rulesets/below/b.yml::ruleset*",
        ]
    )
    assert "Traceback" not in done.stdout.str()


def test_tests_of_one_name_are_told_apart(project: pytest.Pytester) -> None:
    (project.path / "e.yaml").write_text(GOOD + GOOD.splitlines()[-1] + "\n")
    assert collected(project, "e.yaml") == [E, f"{E} (2)"]
    run(project, "e.yaml").assert_outcomes(passed=2)


def test_names_and_failures_move_no_cursor(project: pytest.Pytester) -> None:
    name = '"a \\e[2J \\x9b"'
    text = (
        WRONG.replace("the expert", name)
        .replace("resolved: true", "incidents: []")
        .replace("10}}", f"10}}, incidents: [{name}]}}")
    )
    (project.path / "e.yaml").write_text(text)
    assert collected(project, "e.yaml") == ["e.yaml::a �[2J �"]
    done = run(project, "e.yaml", "--color=no")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["e.yaml:*incidents: wanted *got ?a �?2J �?"])
    assert "\x1b" not in done.stdout.str()


def test_an_error_of_ours_is_shown_as_any_other(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("outscore.casetest.Suite.run", break_down)
    done = run(project, "rulesets/a.yaml")
    done.assert_outcomes(failed=1)
    assert "ZeroDivisionError: a bug" in done.stdout.str()


def test_nothing_is_imported_before_a_ruleset_is_collected(project: pytest.Pytester) -> None:
    project.makeconftest(
        "import sys\n"
        "def pytest_unconfigure():\n"
        "    print('loaded', *sorted(name for name in sys.modules if name.split('.')[0] == 'outscore'))\n"
    )
    # The folder's YAML is looked at, and is no ruleset.
    (project.path / "other").mkdir()
    (project.path / "rulesets/settings.yaml").rename(project.path / "other/settings.yaml")
    done = project.runpytest_subprocess(*PLUGIN, "-p", "no:cacheprovider", "test_python.py", "other")
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["loaded outscore outscore.pytest_plugin"])
    done = project.runpytest_subprocess(*PLUGIN, "-p", "no:cacheprovider", "rulesets/a.yaml")
    done.stdout.fnmatch_lines(["loaded * outscore.casetest *"])


def test_the_plugin_is_declared() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"outscore": "outscore.pytest_plugin"}
