"""Refusing what is hostile, in processes of their own: its time against loading a ruleset in order, and its memory.

Each child reads one text from its standard input, works on it, and prints the CPU time and the memory that took.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests import test_hostile

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

# Start-up memory is that of a process that has loaded one ruleset and refused another, both of a few lines: what a
# refusal adds is the text's doing. On Linux it is read from the process's own peak, since the one that getrusage tells
# begins with that of the parent.
CHILD = """
import json, resource, sys, time
from outscore import RulesetError, loads

def peak():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

def refused(source):
    try:
        loads(source)
    except RulesetError as error:
        str(error)
        return True
    return False

source = sys.stdin.buffer.read()
loads(b"outscore: 1\\nscenario: demo\\nkpi: {direction: higher}\\n")
# The words for wrong shapes come with a library that only refusals need: it is part of start-up.
refused(b"outscore: 1\\n")
before, start = peak(), time.process_time()
times = int(sys.argv[1])
found = [refused(source) for _ in range(times)]
print(json.dumps({"seconds": time.process_time() - start, "bytes": peak() - before, "refused": all(found)}))
"""

MOST_BYTES = 30 * 2**20


def hostile() -> Iterator[tuple[str, bytes]]:
    """The expressions and bombs, by name; those of the tests, where what each is refused with is held."""
    for name, text, *_ in test_hostile.REFUSED:
        yield f"expression: {name}", test_hostile.with_condition(text).encode()
    for name, source, _ in test_hostile.LIMITS:
        # Well-formed YAML is read as far as it is well-formed: that costs what reading as much of a good file costs.
        if name != test_hostile.MERELY_LONG:
            yield name, source.encode() if isinstance(source, str) else source


def figures() -> Iterator[tuple[str, float, float]]:
    """The worst of all in time and in memory, each by name; the ruleset that is loaded is claims intake."""
    good = (ROOT / "rulesets" / "claims_intake.yaml").read_bytes()
    base = statistics.median(_in_a_child(good, times=10)["seconds"] for _ in range(7))
    slowest, largest = ("", 0.0), ("", 0.0)
    for name, source in hostile():
        # The least of three: what else the machine does only ever adds.
        found = [_in_a_child(source, times=1) for _ in range(3)]
        if not all(each["refused"] for each in found):
            raise AssertionError(f"{name} was not refused")
        slowest = max(slowest, (name, min(each["seconds"] for each in found) / base), key=lambda each: each[1])
        largest = max(largest, (name, min(each["bytes"] for each in found)), key=lambda each: each[1])
    yield f"refusing / loading ten times ({slowest[0]})", slowest[1], 1.0
    yield f"memory of a refusal / 30 MB ({largest[0]})", largest[1] / MOST_BYTES, 1.0


def _in_a_child(source: bytes, *, times: int) -> dict[str, float]:
    command = [sys.executable, "-c", CHILD, str(times)]
    done = subprocess.run(command, input=source, env=ENVIRONMENT, cwd=ROOT, capture_output=True, check=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result
