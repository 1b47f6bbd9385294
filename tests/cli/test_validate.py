"""`outscore validate` as it is called."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result
from outscore.cli import outscore

ROOT = Path(__file__).parents[2]


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(outscore, ["validate", *(str(each) for each in arguments)], catch_exceptions=False)


def test_clean_rulesets_are_passed_in_silence() -> None:
    done = call(ROOT / "rulesets")
    assert (done.exit_code, done.output) == (0, "")


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
    assert done.stderr == "1 ruleset with errors\n"


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
    assert done.stderr == "2 of 3 rulesets with errors\n"


def test_warnings_are_shown_and_do_not_fail(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(
        (ROOT / "rulesets" / "claims_intake.yaml")
        .read_text()
        .replace('when: to == "sponsor" and nth > 1', "when: 1 < 2")
    )
    done = call(path)
    assert (done.exit_code, "warning[constant-condition]" in done.stdout) == (0, True)


def test_what_cannot_be_done_exits_with_2(tmp_path: Path) -> None:
    assert call(tmp_path).exit_code == 2
    missing = call(tmp_path / "missing.yaml")
    assert (missing.exit_code, missing.stderr) == (
        2,
        f"outscore: {tmp_path / 'missing.yaml'}: No such file or directory\n",
    )
    assert call().exit_code == 2
