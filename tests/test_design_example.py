"""The example that defines the formats comes out to the byte, digest and version aside."""

from __future__ import annotations

import re
from pathlib import Path

from outscore.loader import load
from outscore.score import Score

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "tests" / "scoring" / "design"


def on_one_line(text: str) -> str:
    """The layout of people undone: line breaks behind a comma are the blank there, others are nothing."""
    return re.sub(r"\n *", "", re.sub(r",\n *", ", ", text.strip()))


def test_the_example_comes_out_to_the_byte() -> None:
    scorer = load(ROOT / "rulesets" / "claims_intake.yaml")
    score = scorer.score((EXAMPLE / "run.json").read_bytes())
    assert isinstance(score, Score)
    expected = on_one_line((EXAMPLE / "score.json").read_text(encoding="utf-8"))
    expected = expected.replace("sha256:...", scorer.digest).replace('"engine": "0.1.0"', f'"engine": "{score.engine}"')
    assert score.to_json().decode() == expected
    assert re.fullmatch("sha256:[0-9a-f]{64}", scorer.digest)
