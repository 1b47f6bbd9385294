"""The live ledger: without a file against an event's share of scoring the finished run, with one against the disk."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from outscore.journal import LiveLedger, open_ledger
from outscore.loader import loads

from tests.benchmarks.bench_score import RULESET, runs
from tests.benchmarks.timing import ratio

Call = tuple[str, tuple[Any, ...], dict[str, Any]]

ROUNDS, CALLS = 60, 40


def calls_of(run: dict[str, Any]) -> list[Call]:
    """What a harness would call for the run's events."""
    calls = []
    for event in run["events"]:
        more = dict(event)
        kind = more.pop("type")
        what = tuple(more.pop(key) for key in ("to", "hours") if key in more)
        calls.append((kind, what, more))
    return calls


def play(ledger: LiveLedger, calls: list[Call]) -> None:
    """Record the events one after the other."""
    for kind, what, more in calls:
        if kind == "contact":
            ledger.contact(*what, **more)
        elif kind == "trial":
            ledger.trial(**more)
        else:
            ledger.wait(*what, **more)


def figures() -> Iterator[tuple[str, float, float]]:
    """Ratios to scoring the same events once they are all there, and to writing the same bytes."""
    scorer = loads(RULESET)
    records = runs()
    live = cycle([calls_of(record) for record in records])
    finished = cycle(records)
    # Opened beforehand: it is a contact that is measured, and every ledger takes one run's twelve events.
    ledgers = [open_ledger(scorer, "r") for _ in range(ROUNDS * CALLS)]
    yield (
        "ledger.contact, no file / an event's share of scoring",
        ratio(
            lambda: play(ledgers.pop(), next(live)), lambda: scorer.score(next(finished)), rounds=ROUNDS, calls=CALLS
        ),
        3.0,
    )
    for record in records:
        ledger = open_ledger(scorer, "r")
        play(ledger, calls_of(record))
        assert ledger.total == scorer.score(record).exact.contact_cost  # type: ignore[union-attr]
        assert not ledger._tally._is_exact  # The figure is of the path that runs take.
    yield "ledger.contact in a file / bare write and fsync", _in_a_file(records[0]), 1.3


def _in_a_file(run: dict[str, Any]) -> float:
    """Wall time, since what is measured is waiting for the disk; the two take turns at each line."""
    scorer = loads(RULESET)
    # The system's folder for temporary files may be in memory, where waiting costs nothing.
    with TemporaryDirectory(dir=Path(__file__).parent) as folder:
        # One contact over and over: each later line has its length, and its time may be the one before it.
        call = next(call for call in calls_of(run) if call[0] == "contact")
        path = Path(folder, "live")
        with open_ledger(scorer, "r", path=path) as ledger, open(Path(folder, "bare"), "ab", buffering=0) as bare:
            play(ledger, [call])
            line = path.read_bytes().splitlines(keepends=True)[-1]

            def write() -> None:
                bare.write(line)
                os.fsync(bare.fileno())

            return ratio(lambda: play(ledger, [call]), write, rounds=400, calls=1, clock=time.perf_counter)
