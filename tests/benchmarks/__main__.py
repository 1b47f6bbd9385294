"""Benchmarks by name -> a table of ratios and their bounds; exits 1 where a bound is missed.

    python -m tests.benchmarks            all of them
    python -m tests.benchmarks score load only tests/benchmarks/bench_score.py and bench_load.py

Each `bench_*.py` has `figures()`, which yields the name of a figure, the ratio measured and the largest ratio allowed.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

Figure = tuple[str, float, float]


def available() -> list[str]:
    """The names of the benchmarks beside this file."""
    return sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def measure(names: list[str]) -> Iterator[Figure]:
    """The figures of the benchmarks named, one after the other."""
    for name in names:
        yield from importlib.import_module(f"tests.benchmarks.bench_{name}").figures()


def main(names: list[str]) -> int:
    """Print a line for each figure as it comes; 0 where all hold, 1 where one misses its bound, 2 for misuse."""
    known = available()
    unknown = [name for name in names if name not in known]
    if unknown or not known:
        print(f"unknown benchmark {', '.join(unknown)}; there are: {', '.join(known) or 'none'}", file=sys.stderr)
        return 2
    missed = 0
    print(f"{'figure':<64} {'ratio':>8} {'bound':>8}  holds")
    for name, ratio, bound in measure(names or known):
        holds = ratio <= bound
        missed += not holds
        print(f"{name:<64} {ratio:>8.3g} {bound:>8.3g}  {'yes' if holds else 'NO'}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        # Whoever read the table has seen enough; what is still to be written has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
