"""`validate`, `test` and `fmt --check` over many rulesets, each command in one process: linear in their number.

What one ruleset takes among a thousand is what it takes among a hundred, up to what a larger heap costs.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.bench_load import ruleset

ROOT = Path(__file__).parents[2]
FEW, MANY = 100, 1_000

COMMANDS = {
    "validate": ["validate"],
    "test": ["test"],
    "fmt --check": ["fmt", "--check"],
}

# The command runs as it is called, in a process that has run it once already on one ruleset; so start-up is left out.
CHILD = """
import io, json, os, sys, time
from click.testing import CliRunner
from outscore.cli import outscore
call = lambda *paths: CliRunner().invoke(outscore, [*sys.argv[3:], *paths], catch_exceptions=False)
call(sys.argv[1])
start = time.process_time()
done = call(sys.argv[2])
print(json.dumps([done.exit_code, time.process_time() - start]))
"""

TESTS = """tests:
  - name: the expert resolves
    run: {kpi: {baseline: 0, delivered: 1, reference: 1}}
    expect: {score: 1, resolved: true}
"""


def figures() -> Iterator[tuple[str, float, float]]:
    """The ratio of the time that one ruleset takes among many to that among few."""
    with tempfile.TemporaryDirectory() as folder:
        one = Path(folder, "one.yaml")
        one.write_text(ruleset(0) + TESTS, encoding="utf-8")
        for count in (FEW, MANY):
            below = Path(folder, str(count))
            below.mkdir()
            for number in range(count):
                below.joinpath(f"r{number}.yaml").write_text(ruleset(number) + TESTS, encoding="utf-8")
        for name, words in COMMANDS.items():
            ratios = []
            for _ in range(3):
                each = [_seconds_each(one, Path(folder, str(count)), count, words) for count in (FEW, MANY)]
                ratios.append(each[1] / each[0])
            yield f"outscore {name}: one of {MANY:,} rulesets / one of {FEW}", statistics.median(ratios), 1.5


def _seconds_each(one: Path, folder: Path, count: int, words: list[str]) -> float:
    command = [sys.executable, "-c", CHILD, str(one), str(folder), *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "engine")}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    code, seconds = json.loads(done.stdout)
    # The padding makes `fmt --check` name files; every other command passes.
    if code not in (0, 1):
        raise AssertionError(f"the command ended with {code}")
    return float(seconds) / count
