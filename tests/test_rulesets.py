"""Rulesets of tests/rulesets: those in ok/ are read without findings, those in err/ give the output beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from outscore.compiler import compile_ruleset
from outscore.diagnostics import Code, render
from outscore.loader import check

FOLDER = Path(__file__).parent / "rulesets"
OK = sorted((FOLDER / "ok").glob("*.yaml"))
ERR = sorted((FOLDER / "err").glob("*.yaml"))


def test_there_are_examples_of_both_kinds() -> None:
    assert OK
    assert ERR


@pytest.mark.parametrize("path", OK, ids=lambda path: path.stem)
def test_a_good_ruleset_has_no_findings_and_compiles(path: Path) -> None:
    ruleset, findings, *_ = check(path.read_bytes(), path.name)
    assert [render(each) for each in findings] == []
    assert ruleset is not None
    assert compile_ruleset(ruleset).scenario == ruleset.scenario


@pytest.mark.parametrize("path", ERR, ids=lambda path: path.stem)
def test_a_bad_ruleset_gives_exactly_its_findings(path: Path, update_golden: bool) -> None:
    ruleset, findings, text, *_ = check(path.read_bytes(), path.name)
    output = "".join(render(each, text) + "\n" for each in findings)
    golden = path.with_suffix(".out")
    if update_golden:
        golden.write_text(output, encoding="utf-8")
    assert output == golden.read_text(encoding="utf-8")
    assert output
    # Only warnings leave a ruleset to work with.
    assert (ruleset is None) == ("error[" in output)


# The codes of the stages that a ruleset's text goes through, up to its expressions.
OF_STAGES = list(Code)[: list(Code).index(Code.CONSTANT_CONDITION) + 1]


@pytest.mark.parametrize("code", OF_STAGES)
def test_every_code_has_an_example_among_the_bad_rulesets(code: Code) -> None:
    assert any(f"[{code}]" in path.with_suffix(".out").read_text(encoding="utf-8") for path in ERR)
