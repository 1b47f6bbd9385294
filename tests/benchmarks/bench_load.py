"""Loading many rulesets in one process: what each takes when there are a thousand, against when there are a hundred."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

FEW, MANY = 100, 1_000

# Of 60 lines each, all different, and kept, as a harness keeps them.
CHILD = """
import json, sys, time
from outscore import load_all, loads
loads("outscore: 1\\nscenario: demo\\nkpi: {direction: higher}\\n")
start = time.process_time()
scorers = load_all(sys.argv[1])
print(json.dumps([len(scorers), time.process_time() - start]))
"""


def ruleset(number: int) -> str:
    """A ruleset of 60 lines."""
    people = "".join(
        f"    person_{each}:\n      role: Owns part {each}\n      price: 0.0{1 + (number + each) % 9}\n"
        for each in range(8)
    )
    rules = "".join(
        f"    - id: rule_{each}\n      why: It is late.\n      when: hour > {(number + each) % 24} and nth > {each}\n"
        f"      charge: {{plus: 0.00{1 + each}}}\n"
        for each in range(5)
    )
    text = (
        f"outscore: 1\nscenario: scenario_{number}\ntitle: Number {number}\nkpi: {{direction: higher}}\n"
        f"contacts:\n  people:\n{people}  restrictions:\n{rules}"
        f"trials:\n  count: true\n  prices: [0, 0.0{1 + number % 9}]\nwaiting:\n  count: true\n  price_per_day: 0.01\n"
    )
    return text + "# padding\n" * (60 - text.count("\n"))


def figures() -> Iterator[tuple[str, float, float]]:
    """The ratio of the time that one ruleset takes, start-up left out."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for count in (FEW, MANY):
            below = Path(folder, str(count))
            below.mkdir()
            for number in range(count):
                below.joinpath(f"r{number}.yaml").write_text(ruleset(number), encoding="utf-8")
        ratios = []
        for _ in range(5):
            # A hundred take so short a time that what else the machine does shows; so they are loaded more often.
            few = statistics.median(_seconds_each(Path(folder, str(FEW)), FEW) for _ in range(5))
            ratios.append(_seconds_each(Path(folder, str(MANY)), MANY) / few)
    yield f"loading one of {MANY:,} rulesets / one of {FEW}", statistics.median(ratios), 1.3


def _seconds_each(folder: Path, count: int) -> float:
    command = [sys.executable, "-c", CHILD, str(folder)]
    done = subprocess.run(command, env=ENVIRONMENT, cwd=ROOT, capture_output=True, text=True, check=True)
    found, seconds = json.loads(done.stdout)
    if found != count:
        raise AssertionError(f"{found} rulesets were loaded, not {count}")
    return float(seconds) / count
