"""The page of diagnostics: a section for each code, whose bad example gives what is shown and whose good one works.

The group of a section says which blocks it has:

    yaml, text, yaml            a ruleset, its findings, and one without; <!-- saved as CODEC --> may stand before it
    yaml, json, text, (json)    a ruleset, a run, its error, and a run that can be scored
    yaml, json, text, (yaml)    the same, mended by another ruleset
    python, text, python        a program, the error it ends with, and one that ends well
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from outscore.cli.rule import read_sections
from outscore.diagnostics import Code, RunError, Severity, render
from outscore.loader import Checked, check, loads
from outscore.resources import diagnostics_page, schema_text
from outscore.score import Score

ROOT = Path(__file__).parents[1]
PAGE = diagnostics_page()
SECTIONS = list(read_sections(PAGE))
GROUPS = ("Text", "Shape", "Meaning", "Expressions", "Lint", "Runs", "Live ledgers")


class Example(NamedTuple):
    language: str
    text: str
    codec: str


_BLOCK = re.compile(r"(?:^<!-- saved as (\S+) -->\n)?^```(\w+)\n(.*?)^```$", re.M | re.S)

EXAMPLES = {
    section.code: [Example(match[2], match[3], match[1] or "utf-8") for match in _BLOCK.finditer(section.body)]
    for section in SECTIONS
}
OF_RULESETS = [section for section in SECTIONS if section.group not in ("Runs", "Live ledgers")]
OF_RUNS = [section.code for section in SECTIONS if section.group == "Runs"]
OF_LEDGERS = [section.code for section in SECTIONS if section.group == "Live ledgers"]


# The page as a whole.


def test_every_code_has_a_section_in_the_order_of_the_enum() -> None:
    assert [section.code for section in SECTIONS] == [str(code) for code in Code]


def test_every_section_has_a_code() -> None:
    # `read_sections` passes over headings that are no codes, so look at them as they stand.
    outside_blocks = re.sub(r"^```.*?^```$", "", PAGE, flags=re.M | re.S)
    headings = re.findall(r"^###+ (.*)$", outside_blocks, re.M)
    assert headings == [f"`{section.code}`" for section in SECTIONS]


def test_the_groups_are_those_of_the_enum() -> None:
    """Comments set the codes of the enum in groups; the page has the same."""
    source = (ROOT / "engine" / "outscore" / "diagnostics.py").read_text(encoding="utf-8")
    body = source.split("class Code(StrEnum):")[1].split("\n\n\n")[0]
    group, wanted = "", []
    for heading, code in re.findall(r'^    (?:# (\w[^:.]*)[:.].*|[A-Z_]+ = "([a-z-]+)")$', body, re.M):
        group = heading or group
        wanted += [(group, code)] if code else []
    assert [(section.group, section.code) for section in SECTIONS] == wanted
    assert tuple(dict.fromkeys(group for group, _ in wanted)) == GROUPS


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.code)
def test_a_section_begins_with_a_sentence_and_says_why_between_its_examples(section: NamedTuple) -> None:
    _, _, body = section
    assert 20 < len(body.partition("\n")[0]) <= 120
    after_output = body.partition("```text\n")[2].partition("\n```\n")[2]
    assert re.match(r"\n(?!```)[^\n]{40,}", after_output), "what stands behind the output says why and what to do"


# Rulesets.


def checked(example: Example, code: str, folder: Path | None = None) -> Checked:
    assert example.language == "yaml"
    return check(example.text.encode(example.codec), "ruleset.yaml", lint=code in _LINTS, folder=folder)


_LINTS = {section.code for section in SECTIONS if section.group == "Lint"}


@pytest.mark.parametrize("code", [section.code for section in OF_RULESETS])
def test_a_ruleset_gives_what_is_shown_and_the_good_one_nothing(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, output, good = EXAMPLES[code]
    # Only this lint looks at the folder, and would say of the others that no schema is there.
    folder = Path() if code == Code.SCHEMA_LINE else None
    monkeypatch.chdir(tmp_path)
    Path("ruleset.schema.json").write_text(schema_text("ruleset"), encoding="utf-8")
    found = checked(bad, code, folder)
    assert output.language == "text"
    assert "".join(render(each, found.text) + "\n" for each in found.diagnostics) == output.text
    assert {str(each.code) for each in found.diagnostics} == {code}
    assert {each.severity for each in found.diagnostics} == {Severity.WARNING if code in _LINTS else Severity.ERROR}
    mended = checked(good, code, folder)
    assert [render(each, mended.text) for each in mended.diagnostics] == []
    loads(good.text)


@pytest.mark.parametrize("code", [section.code for section in OF_RULESETS])
def test_a_good_ruleset_lacks_tests_at_most(code: str) -> None:
    found = check(EXAMPLES[code][2].text.encode(), "ruleset.yaml", lint=True).diagnostics
    assert [render(each) for each in found if each.code is not Code.NO_TESTS] == []


# Runs.


@pytest.mark.parametrize("code", OF_RUNS)
def test_a_run_gives_the_error_shown_and_the_good_one_a_score(code: str) -> None:
    ruleset, run, output, good = EXAMPLES[code]
    assert [ruleset.language, run.language, output.language] == ["yaml", "json", "text"]
    scorer = loads(ruleset.text)
    with pytest.raises(RunError) as caught:
        scorer.score(run.text)
    assert f"{caught.value}\n" == output.text
    assert caught.value.code == code
    assert good.language in {"json", "yaml"}
    score = scorer.score(good.text) if good.language == "json" else loads(good.text).score(run.text)
    assert isinstance(score, Score)


@pytest.mark.parametrize("code", OF_RUNS)
def test_the_rulesets_of_runs_lack_tests_at_most(code: str) -> None:
    for example in EXAMPLES[code]:
        if example.language == "yaml":
            found = check(example.text.encode(), "ruleset.yaml", lint=True).diagnostics
            assert {each.code for each in found} <= {Code.NO_TESTS}


# Live ledgers.


@pytest.mark.parametrize("code", OF_LEDGERS)
def test_a_ledger_raises_the_error_shown_and_the_good_one_none(code: str, tmp_path: Path) -> None:
    bad, output, good = EXAMPLES[code]
    assert [bad.language, output.language, good.language] == ["python", "text", "python"]
    if sys.platform == "win32" and "import resource" in bad.text:
        pytest.skip("this system sets no such limits")
    ended = run_program(bad.text, tmp_path / "bad")
    assert ended.returncode == 1
    kind, _, error = ended.stderr.splitlines()[-1].partition(": ")
    assert kind == "outscore.journal.errors.LedgerError"
    assert f"{error}\n" == output.text
    assert f"error[{code}]" in error
    ended = run_program(good.text, tmp_path / "good")
    assert (ended.returncode, ended.stderr) == (0, "")


def run_program(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs it in a folder of its own, in which the shipped rulesets are at hand."""
    (folder / "rulesets").mkdir(parents=True)
    for path in (ROOT / "rulesets").glob("*.yaml"):
        (folder / "rulesets" / path.name).write_bytes(path.read_bytes())
    # Another process, since an example may set limits for the whole of it.
    return subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, timeout=60)
