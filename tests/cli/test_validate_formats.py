"""What `outscore validate` writes for programs, and that all of it says the same."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft7Validator
from outscore.cli import outscore
from outscore.cli.checked import CheckedFile
from outscore.cli.sarif import as_sarif
from outscore.diagnostics import Code, Diagnostic, Severity, Span
from outscore.findings import annotation

ROOT = Path(__file__).parents[2]
SARIF = Draft7Validator(
    json.loads((ROOT / "tests" / "data" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8")),
    format_checker=Draft7Validator.FORMAT_CHECKER,
)
GOOD = (
    (ROOT / "rulesets" / "claims_intake.yaml").read_text(encoding="utf-8").replace("../schemas", str(ROOT / "schemas"))
)
# An error in an expression, whose hint stands on a line of its own.
BAD = GOOD.replace("hour < 9", "hours < 9")
# A warning.
WARNED = GOOD.replace("      why: The sponsor asked to be contacted once at most.\n", "")
NAMES = ["plain.yaml", "a b,c%20.yaml", "50%: wait.yaml", "größe.yaml", "[1].yaml", "x#y?.yaml"]
MORE = "; further checks follow once they are mended"
FORMATS = ["text", "json", "github", "sarif", "junit"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with one bad ruleset, one with a warning, and good ones, under odd names."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in it").mkdir()
    for position, name in enumerate(NAMES):
        text = BAD if position == 1 else WARNED if position == 2 else GOOD
        (tmp_path / "in it" / name).write_text(text, encoding="utf-8")
    return tmp_path


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(outscore, ["validate", *map(str, arguments)], catch_exceptions=False)


def facts_of(form: str, output: str) -> set[tuple[str, str, str]]:
    """File, severity and code of each finding."""
    if form == "text":
        pattern = re.compile(r"^(.+):\d+:\d+: (error|warning)\[([\w-]+)\]", re.M)
        return {(match[1], match[2], match[3]) for match in pattern.finditer(output)}
    if form == "json":
        rulesets = json.loads(output)["rulesets"]
        return {(each["file"], found["severity"], found["code"]) for each in rulesets for found in each["findings"]}
    if form == "github":
        lines = [
            re.fullmatch(r"::(error|warning) file=([^,]*),.*,title=([^,:]*)::.*", line) for line in output.split("\n")
        ]
        return {(_unescaped(line[2]), line[1], line[3]) for line in lines if line is not None}
    if form == "sarif":
        (run,) = json.loads(output)["runs"]
        return {(unquote(_uri(each)), each["level"], each["ruleId"]) for each in run["results"]}
    words = "\n".join(element.text or "" for element in ElementTree.fromstring(output).iter())
    return facts_of("text", words)


def _unescaped(text: str) -> str:
    for code, character in (("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(code, character)
    return text


def _uri(result: dict[str, Any]) -> str:
    uri: str = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    return uri


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_says_the_same_and_fails_alike(form: str, folder: Path) -> None:
    done = call("in it", "--format", form)
    assert (done.exit_code, done.stderr) == (1, f"1 of 6 rulesets with errors{MORE}\n")
    assert facts_of(form, done.stdout) == {
        ("in it/a b,c%20.yaml", "error", "unknown-name"),
        ("in it/50%: wait.yaml", "warning", "missing-why"),
    }
    strict = call("in it", "--format", form, "--strict")
    assert (strict.exit_code, strict.stderr) == (1, f"2 of 6 rulesets with findings{MORE}\n")
    assert facts_of(form, strict.stdout) == facts_of(form, done.stdout)


@pytest.mark.parametrize("form", FORMATS[1:])
def test_files_named_by_whole_paths_below_the_working_directory_are_named_alike(form: str, folder: Path) -> None:
    assert call(folder / "in it", "--format", form).stdout == call("in it", "--format", form).stdout


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_found_is_said_in_each_format(form: str, folder: Path) -> None:
    done = call("in it/plain.yaml", "--format", form, "--strict")
    # Programs that read text are programs all the same: what is for people goes to standard error.
    assert (done.exit_code, done.stderr) == (0, "1 ruleset checked, nothing found\n" if form == "text" else "")
    assert facts_of(form, done.stdout) == set()
    empty = call("nothing/*.yaml", "--format", form, "--allow-empty")
    assert empty.exit_code == 0
    assert facts_of(form, empty.stdout) == set()


def test_annotations_are_escaped(folder: Path) -> None:
    (line, other) = call("in it", "--format", "github").stdout.splitlines()
    assert line.startswith("::warning file=in it/50%25%3A wait.yaml,line=44,col=11,endLine=44,endColumn=23,title=miss")
    assert other == (
        "::error file=in it/a b%2Cc%2520.yaml,line=42,col=13,endLine=42,endColumn=18,title=unknown-name"
        "::'hours' is not known in a contact restriction%0Ahint: did you mean 'hour'?"
    )


def test_annotations_move_no_cursor() -> None:
    line = annotation("error", "x\x07y.yaml", None, "b\x1b[31m", "a\x1b[2J\x9b\u202eb\u00a0c\r\n::error::d")
    assert line == "::error file=x�y.yaml,title=b�[31m::a�[2J��b\u00a0c%0D%0A::error::d"


def test_json_is_what_the_page_shows(folder: Path) -> None:
    page = (ROOT / "docs" / "how-to" / "ci.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```json\n(.*?)^```$", page, re.M | re.S)
    (folder / "rulesets").mkdir()
    (folder / "rulesets" / "claims_intake.yaml").write_text(BAD, encoding="utf-8")
    assert json.loads(call("rulesets", "--format", "json").stdout) == json.loads(block)


def test_sarif_holds_its_schema_and_escapes_its_paths(folder: Path) -> None:
    log = json.loads(call("in it", "--format", "sarif").stdout)
    SARIF.validate(log)
    (run,) = log["runs"]
    assert [each["location"]["uri"] for each in run["artifacts"]] == [
        "in%20it/50%25%3A%20wait.yaml",
        "in%20it/%5B1%5D.yaml",
        "in%20it/a%20b%2Cc%2520.yaml",
        "in%20it/gr%C3%B6%C3%9Fe.yaml",
        "in%20it/plain.yaml",
        "in%20it/x%23y%3F.yaml",
    ]
    for result in run["results"]:
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert rule["id"] == result["ruleId"]
        assert run["artifacts"][place["index"]]["location"]["uri"] == place["uri"]
    (error,) = (each for each in run["results"] if each["level"] == "error")
    region = error["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 42, "startColumn": 13, "endLine": 42, "endColumn": 18}
    assert run["columnKind"] == "unicodeCodePoints"


def test_sarif_rules_carry_what_the_page_says(folder: Path) -> None:
    (run,) = json.loads(call("in it", "--format", "sarif").stdout)["runs"]
    (rule,) = (each for each in run["tool"]["driver"]["rules"] if each["id"] == "missing-why")
    assert rule["shortDescription"]["text"] == "A restriction or an incident does not say why"
    assert "outscore: 1" in rule["help"]["text"]
    assert "```yaml" in rule["help"]["markdown"]


def test_the_schema_of_sarif_refuses_what_is_none(folder: Path) -> None:
    log = json.loads(call("in it", "--format", "sarif").stdout)
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert not SARIF.is_valid(log)


def test_every_code_makes_a_valid_sarif_log() -> None:
    findings = tuple(
        Diagnostic(code, Severity.WARNING if position % 2 else Severity.ERROR, 'a "message"\nof two lines', span)
        for position, code in enumerate(Code)
        for span in [None if position % 3 == 0 else Span("x", 1, 1, 1, 1)]
    )
    log = json.loads(as_sarif([CheckedFile(name, findings, "", True) for name in ("../beside/x.yaml", "/root.yaml")]))
    SARIF.validate(log)
    (run,) = log["runs"]
    assert {_uri(each) for each in run["results"]} == {"../beside/x.yaml", "file:///root.yaml"}


def test_junit_has_a_case_for_each_ruleset(folder: Path) -> None:
    root = ElementTree.fromstring(call("in it", "--format", "junit").stdout)
    assert root.attrib == {"name": "outscore", "tests": "6", "failures": "1", "errors": "0"}
    failures = {suite.attrib["name"]: suite.find("testcase/failure") for suite in root}
    (failed,) = (name for name, failure in failures.items() if failure is not None)
    assert failed == "in it/a b,c%20.yaml"
    strict = ElementTree.fromstring(call("in it", "--format", "junit", "--strict").stdout)
    assert strict.attrib["failures"] == "2"


@pytest.mark.parametrize("form", FORMATS)
def test_a_narrow_terminal_encoding_breaks_nothing(form: str, tmp_path: Path) -> None:
    """What is data stays UTF-8; what is for people gets stand-ins."""
    (tmp_path / "größe→.yaml").write_text(BAD.replace("hours <", '"→" <'), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "outscore", "validate", ".", "--format", form]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True)
    assert (done.returncode, done.stderr) == (
        1,
        f"1 ruleset with errors{MORE}{os.linesep}".encode(),
    )
    if form == "text":
        assert done.stdout.decode("cp1252").startswith("größe?.yaml:42:13: error[")
    else:
        assert "→" in done.stdout.decode() or form == "sarif"


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
@pytest.mark.parametrize("form", FORMATS)
def test_names_that_are_no_text_or_move_a_cursor_break_nothing(form: str, tmp_path: Path) -> None:
    for name in (b"\xff.yaml", b"a\x1b[2J\n.yaml"):
        (tmp_path / os.fsdecode(name)).write_text("outscore: 2\n", encoding="utf-8")
    command = [sys.executable, "-m", "outscore", "validate", ".", "--format", form]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (1, f"2 of 2 rulesets with errors{MORE}\n")
    assert "\x1b" not in done.stdout
    if form == "sarif":
        SARIF.validate(json.loads(done.stdout))
        assert '"%FF.yaml"' in done.stdout
    if form == "junit":
        ElementTree.fromstring(done.stdout)
    if form == "github":
        assert all(line.startswith("::error file=") for line in done.stdout.split("\n")[:-1])
