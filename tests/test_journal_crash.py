"""A live ledger's file under kill -9 at random moments, and on disks that are really full.

Processes are forked, so that a round costs the events it writes and not the start of an interpreter.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from outscore import Score, Scorer
from outscore.diagnostics import Code
from outscore.journal import LedgerError, LedgerWarning, LiveLedger, open_ledger
from outscore.loader import loads

pytestmark = [
    pytest.mark.needs_programs,
    pytest.mark.skipif(sys.platform == "win32", reason="this system has neither fork nor SIGKILL"),
]

resource = pytest.importorskip("resource")

ROUNDS = 500

RULES = """
outscore: 1
scenario: desk
kpi: {direction: higher, pinned: {baseline: 0, reference: 100}}
fields: {seq: number}
contacts:
  people:
    chief: {price: 0.1, patience: 3, past_patience: {times: 3}}
    clerk: {price: 0.02, patience: 5, past_patience: {plus: 0.01}}
  restrictions:
    - {id: seventh, when: seq > 90, charge: {times: 1 / 7}}
trials: {count: true, prices: [0, 0.02, 0.03]}
waiting: {count: true, price_per_day: 0.24, free_days: 1}
"""


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return loads(RULES)


def record(ledger: LiveLedger, seq: int) -> None:
    """The event of this number: the same one in whichever process it is recorded."""
    match seq % 4:
        case 0:
            ledger.contact("chief", seq=seq)
        case 1:
            ledger.contact("clerk", seq=seq, answered=seq % 3 != 0)
        case 2:
            ledger.trial(seq=seq)
        case _:
            ledger.wait(0.5 * seq, seq=seq)


def write_until_killed(scorer: Scorer, path: Path, acknowledged: int, *, in_pieces: bool) -> None:
    """Take the ledger up, and go on with it, saying after each call which event was acknowledged."""
    if in_pieces:
        # A few bytes at a time, so that many a kill comes in the middle of a line.
        write = os.write

        def piecewise(descriptor: int, text: Any) -> int:
            time.sleep(0.0002)
            return write(descriptor, bytes(text[:9]))

        os.write = piecewise
    warnings.simplefilter("ignore")
    ledger = open_ledger(scorer, "r1", path=path)
    seq = len(ledger.events)
    while True:
        record(ledger, seq)
        # A pipe takes so few bytes at once, or not at all.
        os.writev(acknowledged, [b"%6d\n" % seq])
        seq += 1


def in_child(work: Callable[[], object]) -> int:
    """Run this in a forked process, and give its id."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)


def charged_from_scratch(scorer: Scorer, events: tuple[dict[str, Any], ...]) -> Score:
    run = {"run": "r1", "scenario": "desk", "kpi": {"delivered": 90}, "events": list(events)}
    score = scorer.score(run)
    assert isinstance(score, Score)
    return score


def test_killed_at_random_moments(scorer: Scorer, tmp_path: Path) -> None:
    random = Random(5)
    torn = killed = recorded = resumed = 0
    for number in range(ROUNDS):
        # A new run now and then, so that the beginning of a file is killed too.
        if number % 10 == 0:
            path = tmp_path / f"{number}.jsonl"
            least = -1
        reading, writing = os.pipe()
        in_pieces = number % 2 == 1
        child = in_child(lambda: write_until_killed(scorer, path, writing, in_pieces=in_pieces))  # noqa: B023
        os.close(writing)
        time.sleep(random.uniform(0, 0.03))
        os.kill(child, signal.SIGKILL)
        killed += os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
        with open(reading, "rb") as pipe:
            told = [int(line) for line in pipe.read().split()]
        least = max([least, *told])
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            ledger = open_ledger(scorer, "r1", path=path)
        seqs = [event["seq"] for event in ledger.events]
        # Every acknowledged event is there, none twice; one more may be, whose call had not returned yet.
        assert seqs == list(range(len(seqs)))
        assert least <= len(seqs) - 1 <= least + 1
        assert told == list(range(told[0], told[0] + len(told))) if told else True
        score = charged_from_scratch(scorer, ledger.events)
        assert ledger.total == score.exact.contact_cost
        assert ledger.charges == score.account.charges
        assert (ledger.torn is not None) == bool(said)
        torn += ledger.torn is not None
        resumed += len(seqs) > len(told)
        recorded += len(told)
        least = len(seqs) - 1
        ledger.release()
    assert killed == ROUNDS
    # The rounds are worth nothing if the kills come before the first event or between the lines.
    assert recorded > ROUNDS
    assert torn > ROUNDS // 20
    assert resumed > ROUNDS // 5


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own that holds 64 KiB."""
    mount, folder = shutil.which("mount"), tmp_path / "disk"
    folder.mkdir()
    if mount is None or os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    done = subprocess.run([mount, "-t", "tmpfs", "-o", "size=64k", "none", str(folder)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
    yield folder
    # Lazily, since a test that failed may still hold a file open.
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """A file that takes all the room there is."""
    filler = folder / "filler"
    with open(filler, "ab", buffering=0) as file:
        for size in (4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return filler


def test_a_full_disk(scorer: Scorer, small_disk: Path) -> None:
    path = small_disk / "r1.jsonl"
    ledger = open_ledger(scorer, "r1", path=path)
    filler = fill(small_disk)
    for seq in range(30):
        record_or_make_room(ledger, seq, path, filler)
    refused = refusals(ledger, path, 3)
    assert [error.code for error in refused] == [Code.LEDGER_UNSAVED] * 3
    with pytest.raises(LedgerError):
        ledger.close({"delivered": 90}, "x" * 8192)
    filler.unlink()
    total = ledger.total
    run = ledger.close({"delivered": 90})
    assert scorer.score(run).exact.contact_cost == total  # type: ignore[union-attr]
    with open_ledger(scorer, "r1", path=path) as again:
        assert (again.total, again.torn, again.finished) == (total, None, run)


def record_or_make_room(ledger: LiveLedger, seq: int, path: Path, filler: Path) -> None:
    """Record an event; where the disk has no room for it, see that nothing is left of it, and make a little room."""
    before = (path.read_bytes(), ledger.charges, ledger.total)
    try:
        record(ledger, seq)
    except LedgerError:
        assert (path.read_bytes(), ledger.charges, ledger.total) == before
        os.truncate(filler, max(0, filler.stat().st_size - 4096))
        record(ledger, seq)
    assert path.read_bytes().count(b"\n") == seq + 2


def refusals(ledger: LiveLedger, path: Path, wanted: int) -> list[LedgerError]:
    """Record events until so many calls were refused, with a look at what each left behind."""
    found = []
    fill(path.parent)
    while len(found) < wanted:
        before = (path.read_bytes(), ledger.charges, ledger.total)
        try:
            record(ledger, len(before[1]))
        except LedgerError as error:
            assert (path.read_bytes(), ledger.charges, ledger.total) == before
            found.append(error)
    return found


def test_a_disk_that_is_full_when_the_ledger_is_opened(scorer: Scorer, small_disk: Path) -> None:
    filler = fill(small_disk)
    path = small_disk / "r1.jsonl"
    with pytest.raises((LedgerError, OSError)):
        open_ledger(scorer, "r1", path=path)
    filler.unlink()
    with open_ledger(scorer, "r1", path=path) as ledger:
        record(ledger, 0)
    with open(path, "ab") as file:
        file.write(b'{"event":')
    # There is no room to set the torn line aside, so the file stays as it is.
    filler = fill(small_disk)
    with pytest.raises((LedgerError, OSError)):
        open_ledger(scorer, "r1", path=path)
    assert path.read_bytes().endswith(b'\n{"event":')
    filler.unlink()
    with pytest.warns(LedgerWarning):
        ledger = open_ledger(scorer, "r1", path=path)
    assert len(ledger.events) == 1
    ledger.release()


def test_a_file_that_may_not_grow(scorer: Scorer, tmp_path: Path) -> None:
    """A disk quota of a kind that every user has: the limit on a process's files."""
    path = tmp_path / "r1.jsonl"

    def work() -> None:
        ledger = open_ledger(scorer, "r1", path=path)
        record(ledger, 0)
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        for seq in range(1, 40):
            size = path.stat().st_size
            for more in (0, 7):
                resource.setrlimit(resource.RLIMIT_FSIZE, (size + more, hard))
                before = (path.read_bytes(), ledger.charges, ledger.total)
                with pytest.raises(LedgerError) as refused:
                    record(ledger, seq)
                assert refused.value.code is Code.LEDGER_UNSAVED
                assert (path.read_bytes(), ledger.charges, ledger.total) == before
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
            record(ledger, seq)

    assert os.waitstatus_to_exitcode(os.waitpid(in_child(work), 0)[1]) == 0
    with open_ledger(scorer, "r1", path=path) as ledger:
        assert [event["seq"] for event in ledger.events] == list(range(40))
        assert ledger.total == charged_from_scratch(scorer, ledger.events).exact.contact_cost > Fraction(1)
