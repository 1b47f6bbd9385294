"""`outscore fmt` as it is called."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from outscore.cli import outscore

ROOT = Path(__file__).parents[2]

GOOD = "outscore: 1\nscenario: s\n\nkpi: {direction: higher}\n"
ROUGH = "scenario: s\noutscore: 1\nkpi: {direction: higher} # up\n"
MENDED = "outscore: 1\nscenario: s\n\nkpi: {direction: higher}  # up\n"
BAD = "outscore: 1\nscenario: s\nkpi: {direktion: higher}\n"
ODD = GOOD + 'x-a:\n  ? "a\n     b"\n  : 1\n'


def call(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    words = ["fmt", *(str(each) for each in arguments)]
    return CliRunner().invoke(outscore, words, input=stdin, catch_exceptions=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()
    return tmp_path / "rules"


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_bytes(text.encode())


def test_the_shipped_rulesets_are_formatted() -> None:
    done = call("--check", ROOT / "rulesets")
    assert (done.exit_code, done.output) == (0, "")


def test_files_are_written_in_place_and_named(folder: Path) -> None:
    write(folder, a=ROUGH, b=GOOD)
    times = (folder / "b.yaml").stat().st_mtime_ns
    done = call("rules")
    assert (done.exit_code, done.stdout) == (0, f"formatted {Path('rules/a.yaml')}\n")
    assert done.stderr == "1 changed, of 2 rulesets\n"
    assert (folder / "a.yaml").read_text(encoding="utf-8") == MENDED
    assert (folder / "b.yaml").stat().st_mtime_ns == times
    again = call("rules")
    assert (again.exit_code, again.output) == (0, "")


def test_check_writes_nothing_and_fails(folder: Path) -> None:
    write(folder, a=ROUGH, b=GOOD, c="\ufeff" + GOOD.replace("\n", "\r\n"))
    done = call("--check", "rules")
    assert done.exit_code == 1
    assert done.stdout == (
        f"would format {Path('rules/a.yaml')}\n"
        f"would format {Path('rules/c.yaml')} (without its byte order mark and CRLF)\n"
    )
    assert done.stderr == "2 would change, of 3 rulesets\n"
    assert (folder / "a.yaml").read_text(encoding="utf-8") == ROUGH


def test_diff_shows_what_would_change_and_writes_nothing(folder: Path) -> None:
    write(folder, a=ROUGH[:-1])
    done = call("--diff", "rules/a.yaml")
    assert done.exit_code == 1
    assert done.stdout == (
        f"--- {Path('rules/a.yaml')}\n+++ {Path('rules/a.yaml')}\n@@ -1,3 +1,4 @@\n+outscore: 1\n scenario: s\n"
        "-outscore: 1\n-kpi: {direction: higher} # up\n\\ No newline at end of file\n"
        "+\n+kpi: {direction: higher}  # up\n"
    )
    assert (folder / "a.yaml").read_text(encoding="utf-8") == ROUGH[:-1]


def test_a_ruleset_with_errors_is_shown_and_left_as_it_is(folder: Path) -> None:
    write(folder, a=BAD, b=ROUGH)
    done = call("rules")
    assert done.exit_code == 1
    assert "error[unknown-key]: kpi has no key 'direktion'" in done.stderr
    assert "  hint: did you mean 'direction'?" in done.stderr
    assert done.stderr.endswith("1 changed, 1 with errors, of 2 rulesets\n")
    assert (folder / "a.yaml").read_text(encoding="utf-8") == BAD
    assert (folder / "b.yaml").read_text(encoding="utf-8") == MENDED


def test_what_has_no_canonical_form_is_left_as_it_is(folder: Path) -> None:
    write(folder, a=ODD, b=ROUGH)
    for options in (["--check"], []):
        done = call(*options, "rules")
        assert done.exit_code == 2
        assert f"outscore: {Path('rules/a.yaml')}:6: left as it is: a key that takes several lines" in done.stderr
    assert (folder / "a.yaml").read_text(encoding="utf-8") == ODD
    assert (folder / "b.yaml").read_text(encoding="utf-8") == MENDED


def test_standard_input_goes_to_standard_output(folder: Path) -> None:
    done = call("-", stdin=ROUGH.encode())
    assert (done.exit_code, done.stdout, done.stderr) == (0, MENDED, "")
    bad = call("-", stdin=BAD.encode())
    assert (bad.exit_code, bad.stdout) == (1, "")
    assert bad.stderr.startswith("<stdin>:3:7: error[unknown-key]")
    assert call("-", stdin=ODD.encode()).exit_code == 2
    assert call("-", "--check", stdin=b"").exit_code == 2
    assert call("-", "rules", stdin=b"").exit_code == 2


def test_what_cannot_be_done_exits_with_2(folder: Path) -> None:
    done = call("rules")
    assert (done.exit_code, done.stderr) == (2, "outscore: no ruleset (*.yaml, *.yml) in rules\n")
    done = call("none.yaml")
    assert (done.exit_code, done.stderr) == (2, "outscore: none.yaml: No such file or directory\n")
    assert call().exit_code == 2


def test_output_is_utf_8_whatever_the_terminal(folder: Path) -> None:
    text = ROUGH + "title: Schäden €\n"
    words = [sys.executable, "-m", "outscore", "fmt", "-"]
    done = subprocess.run(words, input=text.encode(), capture_output=True, env={"PYTHONIOENCODING": "cp1252"})
    assert done.stdout.decode() == MENDED.replace("\n\n", "\ntitle: Schäden €\n\n")
