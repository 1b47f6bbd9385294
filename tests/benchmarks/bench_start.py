"""Start-up, in processes of their own: a bare interpreter against importing the package and running a command."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.timing import ratio

ROOT = Path(__file__).parents[2]


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def figures() -> Iterator[tuple[str, float, float]]:
    """Ratios to a bare `python -c pass`."""

    def bare() -> None:
        _run("-c", "pass")

    yield "import outscore / bare python", ratio(lambda: _run("-c", "import outscore"), bare, rounds=15, calls=2), 6.0
    validate = ("-m", "outscore", "validate", "rulesets/claims_intake.yaml")
    yield (
        "outscore validate of one ruleset / bare python",
        ratio(lambda: _run(*validate), bare, rounds=9, calls=1),
        25.0,
    )
