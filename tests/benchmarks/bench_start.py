"""Start-up, in processes of their own: a bare interpreter against importing the package and running a command."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.timing import ratio

ROOT = Path(__file__).parents[2]
# As installed: compiled once, not anew in each process.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, cwd=ROOT, env=ENVIRONMENT, capture_output=True)


def figures() -> Iterator[tuple[str, float, float]]:
    """Ratios to a bare `python -c pass`, in wall time: the clock of this process does not see its children."""
    imported = ("-c", "import outscore")
    validate = ("-m", "outscore", "validate", "rulesets/claims_intake.yaml")
    _run(*validate)
    yield "import outscore / bare python", _ratio(imported, rounds=15), 6.0
    yield "outscore validate of one ruleset / bare python", _ratio(validate, rounds=15), 25.0


def _ratio(arguments: tuple[str, ...], rounds: int) -> float:
    return ratio(lambda: _run(*arguments), lambda: _run("-c", "pass"), rounds=rounds, calls=1, clock=time.perf_counter)
