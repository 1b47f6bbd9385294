"""Rulesets of tests/rulesets: those in ok/ are read without findings, those in err/ give the output beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from outscore.compiler import compile_ruleset
from outscore.diagnostics import Diagnostic, in_order, render
from outscore.document import read_document
from outscore.ruleset import Ruleset, read_ruleset

FOLDER = Path(__file__).parent / "rulesets"
OK = sorted((FOLDER / "ok").glob("*.yaml"))
ERR = sorted((FOLDER / "err").glob("*.yaml"))


def read(path: Path) -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
    document, findings = read_document(path.read_bytes(), path.name)
    if document is None:
        return None, findings
    ruleset, more = read_ruleset(document)
    return ruleset, in_order([*findings, *more])


def test_there_are_examples_of_both_kinds() -> None:
    assert OK
    assert ERR


@pytest.mark.parametrize("path", OK, ids=lambda path: path.stem)
def test_a_good_ruleset_has_no_findings_and_compiles(path: Path) -> None:
    ruleset, findings = read(path)
    assert [render(each) for each in findings] == []
    assert ruleset is not None
    assert compile_ruleset(ruleset).scenario == ruleset.scenario


@pytest.mark.parametrize("path", ERR, ids=lambda path: path.stem)
def test_a_bad_ruleset_gives_exactly_its_findings(path: Path, update_golden: bool) -> None:
    ruleset, findings = read(path)
    source = path.read_bytes().decode("utf-8", "replace")
    output = "".join(render(each, source) + "\n" for each in findings)
    golden = path.with_suffix(".out")
    if update_golden:
        golden.write_text(output, encoding="utf-8")
    assert output == golden.read_text(encoding="utf-8")
    assert output
    # Only warnings leave a ruleset to work with.
    assert (ruleset is None) == ("error[" in output)
