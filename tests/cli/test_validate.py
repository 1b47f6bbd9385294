"""`outscore validate` as it is called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from outscore.cli import outscore

ROOT = Path(__file__).parents[2]


def call(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    words = ["validate", *(str(each) for each in arguments)]
    return CliRunner().invoke(outscore, words, input=stdin, catch_exceptions=False)


def test_of_clean_rulesets_it_is_said_how_many_there_were() -> None:
    done = call(ROOT / "rulesets")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "6 rulesets checked, nothing found\n")
    done = call(ROOT / "rulesets" / "on_call.yaml")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "1 ruleset checked, nothing found\n")


def test_findings_show_place_excerpt_and_hint(tmp_path: Path) -> None:
    text = (ROOT / "rulesets" / "claims_intake.yaml").read_text()
    path = tmp_path / "claims.yaml"
    path.write_text(text.replace("hour < 9", "hours < 9"))
    done = call(path)
    line = 1 + text[: text.index("hour < 9")].count("\n")
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        f"{path}:{line}:13: error[unknown-name]: 'hours' is not known in a contact restriction",
        f'   {line} |       when: hours < 9 or hour >= 18 or weekday in ["sat", "sun"]',
        "      |             ^~~~~",
        "  hint: did you mean 'hour'?",
    ]
    assert done.stderr == "1 ruleset with errors; further checks follow once they are mended\n"


def test_every_file_is_checked(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yml", "c.yaml"):
        (tmp_path / name).write_text(
            "outscore: 2\n" if name != "c.yaml" else (ROOT / "rulesets" / "on_call.yaml").read_text()
        )
    (tmp_path / "notes.txt").write_text("no ruleset")
    (tmp_path / "a.runs.yaml").write_text("[]")
    done = call(tmp_path)
    assert done.exit_code == 1
    assert {line.split(":")[0] for line in done.stdout.splitlines() if ": error[" in line} == {
        str(tmp_path / "a.yaml"),
        str(tmp_path / "b.yml"),
    }
    assert done.stderr == "2 of 3 rulesets with errors; further checks follow once they are mended\n"


MORE = "; further checks follow once they are mended"
DEMO = "outscore: 1\nscenario: demo\nkpi: {direction: higher}\ncontacts: {people: {chief: {price: 0.05}}}\n"
CHANGED = "trials: {count: true, prices: [0], restrictions: [{id: r, charge: {plus: %s}}]}\n"
REPORTED = (
    "tests: [{name: one, run: {kpi: {baseline: 0, delivered: 1, reference: 1}, events: %s}, expect: {score: 1}}]\n"
)


@pytest.mark.parametrize(
    ("text", "code", "is_partial"),
    [
        (": ", "syntax", True),
        (DEMO.replace("higher", "up"), "bad-value", True),
        (DEMO + "timezone: Mars\n", "unknown-timezone", True),
        (DEMO + REPORTED % "[{type: contact, to: cheif}]", "unknown-person", True),
        (DEMO + CHANGED % "nthh", "unknown-name", True),
        # Nothing but warnings can be left.
        (DEMO + CHANGED % "-1", "negative-charge", False),
    ],
)
def test_checks_that_were_left_out_are_announced(text: str, code: str, is_partial: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(text)
    done = call(path)
    assert (done.exit_code, f"error[{code}]" in done.stdout) == (1, True)
    assert done.stderr == f"1 ruleset with errors{MORE if is_partial else ''}\n"
    # Which fail as well where they are not let pass.
    assert call("--strict", path).stderr == f"1 ruleset with findings{MORE}\n"


def test_warnings_are_shown_and_do_not_fail(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(
        (ROOT / "rulesets" / "claims_intake.yaml")
        .read_text()
        .replace('when: to == "sponsor" and nth > 1', "when: 1 < 2")
    )
    done = call(path)
    assert (done.exit_code, "warning[constant-condition]" in done.stdout) == (0, True)
    assert done.stderr == "1 ruleset checked, 5 warnings and no errors\n"
    strict = call("--strict", path)
    assert (strict.exit_code, strict.stdout, strict.stderr) == (1, done.stdout, "1 ruleset with findings\n")


def test_strict_lets_clean_rulesets_pass() -> None:
    done = call("--strict", ROOT / "rulesets")
    assert (done.exit_code, done.stdout) == (0, "")


def test_the_schema_line_is_looked_at_where_the_file_lies(tmp_path: Path) -> None:
    text = (ROOT / "rulesets" / "claims_intake.yaml").read_text()
    (tmp_path / "a.yaml").write_text(text)
    done = call(tmp_path / "a.yaml")
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{tmp_path / 'a.yaml'}:1:33: warning[schema-line]: ")
    assert "'../schemas/ruleset.schema.json', where no file is" in done.stdout


def test_standard_input_is_checked_under_a_name() -> None:
    text = (ROOT / "rulesets" / "claims_intake.yaml").read_text()
    wrong = text.replace("hour < 9", "hours < 9")
    assert call("-", stdin=wrong).stdout.startswith("<stdin>:42:13: error[unknown-name]")
    named = call("-", "--name", "rulesets/claims, new.yaml", stdin=wrong)
    assert (named.exit_code, named.stdout.split(" error")[0]) == (1, "rulesets/claims, new.yaml:42:13:")
    # Only a name says where the schema should be.
    assert call("-", stdin=text).stdout == ""
    assert call("-", "--name", ROOT / "rulesets" / "new.yaml", stdin=text).stdout == ""
    assert "warning[schema-line]" in call("-", "--name", ROOT / "new.yaml", stdin=text).stdout
    assert call("-", stdin=b"\xff\xfe").exit_code == 1
    assert call("-", stdin="").exit_code == 1


def test_standard_input_stands_alone(tmp_path: Path) -> None:
    for wrong in (["-", "-"], ["-", ROOT / "rulesets"], ["--name", "a.yaml", ROOT / "rulesets"]):
        done = call(*wrong, stdin="outscore: 1\n")
        assert (done.exit_code, done.stdout) == (2, "")


def test_it_can_be_excluded_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.outscore]\nexclude = ["drafts"]\n')
    name = str(tmp_path / "drafts" / "new.yaml")
    assert call("-", "--name", name, stdin="wrong").exit_code == 1
    assert call("-", "--name", name, "--force-exclude", stdin="wrong").exit_code == 2
    assert call("-", "--name", name, "--force-exclude", "--allow-empty", stdin="wrong").exit_code == 0


def test_what_cannot_be_done_exits_with_2(tmp_path: Path) -> None:
    assert call(tmp_path).exit_code == 2
    missing = call(tmp_path / "missing.yaml")
    assert (missing.exit_code, missing.stderr) == (
        2,
        f"outscore: {tmp_path / 'missing.yaml'}: No such file or directory\n",
    )
    assert call().exit_code == 2


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
@pytest.mark.parametrize("command", ["validate", "test", "fmt", "explain", "score", "diff"])
@pytest.mark.parametrize("text", ["outscore: 2\n", None])
def test_names_of_files_move_no_cursor(command: str, text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2J\n.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    arguments = [command, str(path), *([str(path)] if command in ("diff", "score") else [])]
    done = CliRunner().invoke(outscore, arguments, color=True, catch_exceptions=False)
    assert done.exit_code in (1, 2)
    assert "a�[2J�.yaml" in done.output or r"a\x1b[2J\n.yaml" in done.output
    assert "\x1b[2J" not in done.output


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device here")
@pytest.mark.parametrize("arguments", [["rule", "missing-why"], ["validate", "wrong.yaml", "--format", "json"]])
def test_an_output_that_takes_no_more_is_no_finding(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text("outscore: 2\n", encoding="utf-8")
    command = [sys.executable, "-m", "outscore", *arguments]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (
        2,
        "outscore: the output cannot be written: No space left on device\n",
    )
