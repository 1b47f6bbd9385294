"""The examples of the README and of docs are run.

A comment before a block of code says what it is:

    <!-- example: ruleset -->            loads without findings; runs below it on the page may be of its scenario
    <!-- example: ruleset, FILE -->      and is that file, to the letter
    <!-- example: run -->                is scored by the page's last ruleset of its scenario, else by the shipped one
    <!-- example: score -->              is the last run's score, digest and version aside
    <!-- example: score, in part -->     is part of the last run's score
    <!-- example: python -->             runs without error
    <!-- fragment -->                    is only a piece, and is not run

Every block in YAML, JSON or Python needs one.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from outscore.loader import load, loads

ROOT = Path(__file__).parents[1]
# The page of diagnostics has a form of its own, and its own test.
PAGES = [ROOT / "README.md", *sorted(p for p in (ROOT / "docs").rglob("*.md") if p.name != "diagnostics.md")]

_BLOCK = re.compile(r"(?:^<!-- ([^\n]*) -->\n+)?^```(\w*)\n(.*?)^```$", re.M | re.S)
_LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    mark: str | None
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks_of(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in _BLOCK.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Block(page.relative_to(ROOT).as_posix(), line, match[1], match[2], match[3])


BLOCKS = {page: list(blocks_of(page)) for page in PAGES}
WITH_EXAMPLES = [page for page in PAGES if BLOCKS[page]]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_every_block_is_marked() -> None:
    known = r"example: (ruleset(, \S+)?|run|score(, in part)?|python)|fragment"
    unmarked = [
        str(block)
        for blocks in BLOCKS.values()
        for block in blocks
        if block.language in {"yaml", "json", "python"} and not re.fullmatch(known, block.mark or "")
    ]
    assert unmarked == []


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name_of)
def test_examples_hold(page: Path) -> None:
    """Goes down the page as a reader does, with the rulesets and the last score seen so far."""
    scorers: dict[str, Any] = {}
    score: dict[str, Any] | None = None
    for block in BLOCKS[page]:
        kind, _, rest = (block.mark or "").removeprefix("example: ").partition(", ")
        if kind == "ruleset":
            scorer = loads(block.text, str(block))
            scorers[scorer.scenario] = scorer
            assert not rest or block.text == (ROOT / rest).read_text(encoding="utf-8"), f"{block} is not {rest}"
        elif kind == "run":
            run = json.loads(block.text, parse_float=Decimal)
            scenario = run["scenario"]
            scorer = scorers.get(scenario) or load(ROOT / "rulesets" / f"{scenario}.yaml")
            score = json.loads(scorer.score(run).to_json())
        elif kind == "score":
            assert score is not None, f"{block}: no run stands before it"
            _compare(block, score, in_part=bool(rest))


def _compare(block: Block, score: dict[str, Any], *, in_part: bool) -> None:
    wanted = json.loads(block.text)
    found = {key: value for key, value in score.items() if key in wanted} if in_part else dict(score)
    for key in ("ruleset", "engine"):
        if key in wanted:
            assert key in found, block
            wanted[key] = found[key] = "..."
    # As text, so that the order of keys and the form of numbers count too.
    assert json.dumps(found, indent=1) == json.dumps(wanted, indent=1), block


PYTHON = [block for blocks in BLOCKS.values() for block in blocks if block.mark == "example: python"]


@pytest.mark.parametrize("block", PYTHON, ids=str)
def test_python_examples_run(block: Block) -> None:
    done = subprocess.run([sys.executable, "-c", block.text], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    targets = _LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_examples_are_not_lost() -> None:
    marks = [block.mark for blocks in BLOCKS.values() for block in blocks]
    assert marks.count("example: ruleset") >= 5
    assert marks.count("example: run") >= 6
    assert "example: ruleset, rulesets/claims_intake.yaml" in marks
    assert "example: score" in marks
