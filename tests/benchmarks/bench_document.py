"""YAML text -> exact data with spans, timed against `yaml.load` with libyaml, which gives floats and no places.

Both run in one process, in turns; `python -m tests.benchmarks.bench_document` prints the ratios.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import yaml
from outscore.document import read_document

from tests.benchmarks.timing import ratio

BOUND: Final = 1.0
"""Reading must be no slower than yaml.load."""

EXAMPLE: Final = Path(__file__).parents[2] / "rulesets" / "claims_intake.yaml"


def long_ruleset(text: str) -> str:
    """The example with so many more people and restrictions that it has some 2,000 lines."""
    people = "".join(
        f"    person_{each}:\n      role: Owns the rules of part {each}\n      price: 0.0{each % 9 + 1}\n"
        f"      patience: {each % 7}\n      past_patience: {{times: 3}}\n"
        for each in range(320)
    )
    restrictions = "".join(
        f"    - id: rule_{each}\n      why: Nobody is on duty.\n"
        f'      when: hour < {each % 12} or hour >= 18 or weekday in ["sat", "sun"]\n'
        f"      charge: {{plus: 0.0{each % 9 + 1}}}\n"
        for each in range(90)
    )
    text = re.sub(r"(?m)^  people:\n", lambda found: found[0] + people, text, count=1)
    return re.sub(r"(?m)^  restrictions:\n", lambda found: found[0] + restrictions, text, count=1)


def compared(text: str, rounds: int, calls: int) -> float:
    """How many times as long as `yaml.load` reading takes."""
    source = text.encode()
    document, findings = read_document(source, "ruleset.yaml")
    assert document is not None, findings
    return ratio(
        lambda: read_document(source, "ruleset.yaml"),
        lambda: yaml.load(text, Loader=yaml.CSafeLoader),
        rounds=rounds,
        calls=calls,
    )


def figures() -> list[tuple[str, float, float]]:
    """Each figure's name, its ratio, and the most that it may be."""
    example = EXAMPLE.read_text(encoding="utf-8")
    long = long_ruleset(example)
    lines = long.count("\n")
    assert lines > 1_900
    return [
        ("read claims_intake.yaml / yaml.load(CSafeLoader)", compared(example, 50, 10), BOUND),
        (f"read {lines:,} lines / yaml.load(CSafeLoader)", compared(long, 30, 1), BOUND),
    ]


if __name__ == "__main__":
    for name, found, bound in figures():
        print(f"{name}: {found:.2f} (at most {bound:.2f})")
