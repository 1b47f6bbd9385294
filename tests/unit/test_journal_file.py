"""The live ledger's file: each line whole or not there, one writer, taken up again after whatever happened."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from outscore import Scorer, __version__
from outscore.diagnostics import Code, RunError
from outscore.journal import LedgerError, LedgerWarning, LiveLedger, open_ledger
from outscore.loader import loads

from tests.unit.test_journal import EVENTS, KPI, RULES, play

AMOUNTS = [Fraction(amount) for _, amount in EVENTS]


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return loads(RULES)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "r1.jsonl"


def text_of(scorer: Scorer, path: Path, count: int = len(EVENTS)) -> bytes:
    """A journal of so many events."""
    with open_ledger(scorer, "r1", path=path) as ledger:
        play(ledger, count)
    return path.read_bytes()


def test_what_stands_in_it(scorer: Scorer, path: Path) -> None:
    ledger = open_ledger(scorer, "r1", "desk/a", "m", path)
    header = {
        "run": "r1",
        "scenario": "desk",
        "task": "desk/a",
        "agent": "m",
        "ruleset": scorer.digest,
        "engine": __version__,
    }
    assert json.loads(path.read_bytes()) == {"outscore_ledger": 1, **header}
    ledger.contact("clerk", channel="chat", minutes=10.1)
    assert path.read_bytes().splitlines()[-1] == (
        b'{"event":{"type":"contact","to":"clerk","channel":"chat","minutes":10.1}}'
    )
    ledger.report_incident("outage")
    ledger.report_incident("outage")
    assert path.read_bytes().splitlines()[2:] == [b'{"incident":"outage"}']
    ledger.close(KPI, "sha256:1")
    assert path.read_bytes().splitlines()[3:] == [b'{"closed":{"kpi":{"delivered":90},"data":"sha256:1"}}']


@pytest.mark.parametrize("count", range(len(EVENTS) + 1))
def test_it_is_taken_up_where_it_was_left(count: int, scorer: Scorer, path: Path) -> None:
    with open_ledger(scorer, "r1", "desk/a", path=path) as first:
        before = play(first, count)
        first.report_incident("outage")
    with open_ledger(scorer, "r1", agent=None, path=path) as ledger:
        assert (ledger.charges, ledger.total, ledger.events) == (tuple(before), first.total, first.events)
        assert (ledger.incidents, ledger.torn) == (("outage",), None)
        after = [call(ledger) for call, _ in EVENTS[count:]]
        assert [charge.amount for charge in [*before, *after]] == AMOUNTS
        run = ledger.close(KPI)
    assert run.task == "desk/a"


def test_a_closed_one_can_be_read_and_not_written(scorer: Scorer, path: Path) -> None:
    with open_ledger(scorer, "r1", path=path) as first:
        play(first)
        first.close(KPI)
    ledger, again = open_ledger(scorer, "r1", path=path), open_ledger(scorer, "r1", path=path)
    assert (ledger.finished, ledger.record, ledger.total) == (first.finished, first.record, first.total)
    assert ledger.to_json() == again.to_json() == first.to_json()
    with pytest.raises(LedgerError) as refused:
        ledger.trial()
    assert refused.value.code is Code.LEDGER_CLOSED
    with open_ledger(scorer, "r2", path=path.with_name("r2")) as lost:
        lost.void("lost")
    assert open_ledger(scorer, "r2", path=path.with_name("r2")).finished == lost.finished


# One run, one ruleset, one writer.

OTHER_RULES = RULES.replace("price: 0.02", "price: 0.03")


@pytest.mark.parametrize(
    ("rules", "ids", "what"),
    [
        (RULES, {"run": "r2"}, "of run 'r1', not of 'r2'"),
        (OTHER_RULES, {"run": "r1"}, "of ruleset 'sha256:"),
        (RULES.replace("scenario: desk", "scenario: disk"), {"run": "r1"}, "of scenario 'desk', not of 'disk'"),
        (RULES, {"run": "r1", "task": "b"}, "of task 'a', not of 'b'"),
        (RULES, {"run": "r1", "task": "a", "agent": "m"}, "of agent 'None', not of 'm'"),
    ],
)
def test_another_run_or_ruleset(rules: str, ids: dict[str, Any], what: str, scorer: Scorer, path: Path) -> None:
    open_ledger(scorer, "r1", "a", path=path).release()
    before = path.read_bytes()
    with pytest.raises(LedgerError) as refused:
        open_ledger(loads(rules), **ids, path=path)
    error = refused.value
    assert (error.code, error.path, error.run) == (Code.LEDGER_MISMATCH, f"{path}:1", ids["run"])
    assert what in error.message
    assert path.read_bytes() == before
    # The refusal let go of the file.
    open_ledger(scorer, "r1", path=path).release()


def test_a_comment_in_the_rules_is_no_other_ruleset(scorer: Scorer, path: Path) -> None:
    open_ledger(scorer, "r1", path=path).release()
    open_ledger(loads(RULES + "# words\n"), "r1", path=path).release()


def test_a_second_writer(scorer: Scorer, path: Path) -> None:
    with open_ledger(scorer, "r1", path=path) as ledger:
        ledger.trial()
        before = path.read_bytes()
        with pytest.raises(LedgerError) as refused:
            open_ledger(scorer, "r1", path=path)
        assert (refused.value.code, refused.value.path) == (Code.LEDGER_IN_USE, str(path))
        code = f"""
import sys, outscore
try:
    outscore.open_ledger(outscore.loads({RULES!r}), "r1", path={str(path)!r})
except outscore.LedgerError as error:
    print(error.code)
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        assert (done.stdout, done.stderr) == ("ledger-in-use\n", "")
        assert path.read_bytes() == before
        ledger.trial()
    open_ledger(scorer, "r1", path=path).release()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_is_a_second_writer(scorer: Scorer, path: Path) -> None:
    with open_ledger(scorer, "r1", path=path) as ledger:
        before = path.read_bytes()
        child = os.fork()
        if child == 0:
            try:
                ledger.trial()
            except LedgerError as error:
                os._exit(7 if error.code is Code.LEDGER_IN_USE and not ledger.events else 1)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert path.read_bytes() == before
        ledger.trial()


def test_a_folder_that_is_not_there(scorer: Scorer, path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_ledger(scorer, "r1", path=path / "deeper")


# What a crash can leave behind.


def test_wherever_it_is_cut_the_whole_lines_count(scorer: Scorer, path: Path) -> None:
    whole = text_of(scorer, path)
    header = whole.index(b"\n") + 1
    # Every byte of the last line, and some of the others.
    cuts = {*range(0, header, 9), *range(header - 3, len(whole), 29), *range(len(whole) - 50, len(whole) + 1)}
    for cut in sorted(cuts):
        path.write_bytes(whole[:cut])
        aside = path.with_name(path.name + ".torn")
        aside.unlink(missing_ok=True)
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            ledger = open_ledger(scorer, "r1", path=path)
        events = max(0, whole[:cut].count(b"\n") - 1)
        torn = whole[:cut].rpartition(b"\n")[2]
        assert len(ledger.events) == events
        assert ledger.total == sum(AMOUNTS[:events])
        if torn:
            assert ledger.torn == (str(aside), torn)
            assert [each.category for each in warned] == [LedgerWarning]
            assert str(aside) in str(warned[0].message)
            assert aside.read_bytes() == torn + b"\n"
        else:
            assert (ledger.torn, warned, aside.exists()) == (None, [], False)
        if cut % 5 == 0:
            for call, _ in EVENTS[events:]:
                call(ledger)
            assert path.read_bytes() == whole
        ledger.release()


@pytest.mark.parametrize(
    "rest", [b"\0" * 40, b"\0" * 40 + b"\n", b'{"event":{"ty\0\0\n', b"\xff\xfe", b'{"event"\n', b"\n"]
)
def test_a_last_line_that_is_none_is_set_aside(rest: bytes, scorer: Scorer, path: Path) -> None:
    whole = text_of(scorer, path, 4)
    for _ in range(2):
        with open(path, "ab") as file:
            file.write(rest)
        with pytest.warns(LedgerWarning):
            ledger = open_ledger(scorer, "r1", path=path)
        ledger.release()
        assert ledger.torn is not None
        assert ledger.torn.text == rest
        assert ledger.total == sum(AMOUNTS[:4])
        assert path.read_bytes() == whole
    # A second crash loses nothing of what the first had left.
    assert Path(ledger.torn.file).read_bytes() == (rest if rest.endswith(b"\n") else rest + b"\n") * 2


DAMAGE: list[tuple[str, Callable[[list[bytes]], object], int]] = [
    ("a line in the middle", lambda lines: lines.__setitem__(2, b'{"event":{"ty'), 3),
    ("an empty line", lambda lines: lines.insert(3, b""), 4),
    ("no UTF-8", lambda lines: lines.__setitem__(2, b"\xff"), 3),
    ("a bad line before the torn one", lambda lines: lines.extend([b"{", b"{"]), 6),
    ("the header", lambda lines: lines.__setitem__(0, b'{"outscore_ledger"'), 1),
    ("no object", lambda lines: lines.append(b"3"), 6),
    ("no entry", lambda lines: lines.append(b'{"even":{}}'), 6),
    ("two entries", lambda lines: lines.append(b'{"event":{"type":"trial"},"incident":"outage"}'), 6),
    ("an event that is none", lambda lines: lines.append(b'{"event":"trial"}'), 6),
    ("an unknown person", lambda lines: lines.append(b'{"event":{"type":"contact","to":"cheif"}}'), 6),
    ("a key twice", lambda lines: lines.append(b'{"event":{"type":"trial","type":"trial"}}'), 6),
    ("NaN", lambda lines: lines.append(b'{"event":{"type":"wait","hours":NaN}}'), 6),
    ("time backwards", lambda lines: lines.append(b'{"event":{"type":"trial","at":"2026-03-01T10:00"}}'), 6),
    ("an incident that is none", lambda lines: lines.append(b'{"incident":3}'), 6),
    ("an end that is none", lambda lines: lines.append(b'{"closed":{}}'), 6),
    ("an end that says too much", lambda lines: lines.append(b'{"closed":{"kpi":{"delivered":1},"run":"r2"}}'), 6),
    ("an end that cannot be", lambda lines: lines.append(b'{"closed":{"kpi":{"delivered":"1"}}}'), 6),
    (
        "a line after the end",
        lambda lines: lines.extend([b'{"closed":{"kpi":{"delivered":1}}}', b'{"event":{"type":"trial"}}']),
        7,
    ),
]


@pytest.mark.parametrize(("change", "line"), [each[1:] for each in DAMAGE], ids=[each[0] for each in DAMAGE])
def test_damage_is_said_with_its_line(
    change: Callable[[list[bytes]], object], line: int, scorer: Scorer, path: Path
) -> None:
    lines = text_of(scorer, path, 4).splitlines()
    change(lines)
    # What is torn has no line break behind it.
    damaged = b"\n".join(lines) + (b"" if lines[-1] == b"{" else b"\n")
    path.write_bytes(damaged)
    with pytest.raises(LedgerError) as refused:
        open_ledger(scorer, "r1", path=path)
    error = refused.value
    assert (error.code, error.path, error.run) == (Code.LEDGER_DAMAGED, f"{path}:{line}", "r1")
    assert path.read_bytes() == damaged
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("text", [b"my notes", b"my notes\n", b'{"run": "r1"}\n', b'{"run": "r1"}', b"\n\n", b"3\n"])
def test_a_file_of_something_else_is_left_alone(text: bytes, scorer: Scorer, path: Path) -> None:
    path.write_bytes(text)
    with pytest.raises(LedgerError) as refused:
        open_ledger(scorer, "r1", path=path)
    assert (refused.value.code, refused.value.path) == (Code.LEDGER_DAMAGED, f"{path}:1")
    assert path.read_bytes() == text


@pytest.mark.parametrize("other", [b"2", b"true", b"1.5", b'"1"', b"null"])
def test_a_journal_of_another_format(other: bytes, scorer: Scorer, path: Path) -> None:
    path.write_bytes(text_of(scorer, path, 1).replace(b'"outscore_ledger":1', b'"outscore_ledger":' + other))
    with pytest.raises(LedgerError) as refused:
        open_ledger(scorer, "r1", path=path)
    assert refused.value.code is Code.LEDGER_MISMATCH


# A disk that fails.


class Disk:
    """Stands between the ledger and the disk, and fails when it is told to."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.room: int | None = None
        """Bytes that can be written yet; None: any number."""
        self.failing: set[str] = set()
        self.signal: str | None = None
        self._write, self._fsync, self._ftruncate = os.write, os.fsync, os.ftruncate
        patch.setattr(os, "write", self.write)
        patch.setattr(os, "fsync", self.fsync)
        patch.setattr(os, "ftruncate", self.ftruncate)

    def write(self, descriptor: int, text: Any) -> int:
        if self.room == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = self._write(descriptor, text if self.room is None else text[: self.room])
        if self.room is not None:
            self.room -= written
        if self.signal == "write":
            raise KeyboardInterrupt
        return written

    def fsync(self, descriptor: int) -> None:
        if "fsync" in self.failing:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._fsync(descriptor)
        if self.signal == "fsync":
            self.signal = None
            raise KeyboardInterrupt

    def ftruncate(self, descriptor: int, size: int) -> None:
        if "ftruncate" in self.failing:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._ftruncate(descriptor, size)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


CALLS: list[Callable[[LiveLedger], object]] = [
    lambda it: it.contact("chief", at="2026-03-02T10:00"),
    lambda it: it.contact("lawyer", note="shared", minutes=7),
    lambda it: it.wait(30),
    lambda it: it.report_incident("outage"),
    lambda it: it.close(KPI),
    lambda it: it.void("lost"),
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("room", [0, 1, 20])
@pytest.mark.parametrize("is_exact", [False, True])
def test_a_full_disk(
    call: Callable[[LiveLedger], object], room: int, is_exact: bool, scorer: Scorer, path: Path, disk: Disk
) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    play(ledger, 4)
    if is_exact:
        ledger.contact("lawyer", note="shared", minutes=7)
    before = (path.read_bytes(), ledger.events, ledger.charges, ledger.total, ledger.incidents, ledger.finished)
    for _ in range(2):
        disk.room = room
        with pytest.raises(LedgerError) as refused:
            call(ledger)
        error = refused.value
        assert (error.code, error.path, error.run) == (Code.LEDGER_UNSAVED, str(path), "r1")
        assert isinstance(error.__cause__, OSError)
        assert (
            path.read_bytes(),
            ledger.events,
            ledger.charges,
            ledger.total,
            ledger.incidents,
            ledger.finished,
        ) == before
    disk.room = None
    call(ledger)
    assert path.read_bytes().count(b"\n") == before[0].count(b"\n") + 1
    ledger.release()
    with open_ledger(scorer, "r1", path=path) as again:
        assert (again.charges, again.incidents, again.finished) == (ledger.charges, ledger.incidents, ledger.finished)


def test_what_cannot_be_taken_back_is_taken_back_first_thing(scorer: Scorer, path: Path, disk: Disk) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    whole = path.read_bytes()
    disk.room, disk.failing = 10, {"ftruncate"}
    with pytest.raises(LedgerError):
        ledger.trial()
    assert path.read_bytes() == whole + b'{"event":{'
    disk.room = None
    with pytest.raises(LedgerError):
        ledger.trial()
    assert (ledger.events, path.read_bytes()) == ((), whole + b'{"event":{')
    disk.failing = set()
    ledger.trial()
    assert path.read_bytes() == whole + b'{"event":{"type":"trial"}}\n'


def test_a_line_that_may_not_be_on_the_disk_is_not_acknowledged(scorer: Scorer, path: Path, disk: Disk) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    whole = path.read_bytes()
    disk.failing = {"fsync"}
    with pytest.raises(LedgerError):
        ledger.trial()
    assert (ledger.events, path.read_bytes()) == ((), whole)
    disk.failing = set()
    assert ledger.trial().nth == 1


@pytest.mark.parametrize("moment", ["write", "fsync"])
@pytest.mark.parametrize("call", CALLS)
def test_a_signal_in_between(
    call: Callable[[LiveLedger], object], moment: str, scorer: Scorer, path: Path, disk: Disk
) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    play(ledger, 4)
    before = (path.read_bytes(), ledger.events, ledger.charges, ledger.incidents, ledger.finished)
    disk.signal = moment
    with pytest.raises(KeyboardInterrupt):
        call(ledger)
    disk.signal = None
    assert (path.read_bytes(), ledger.events, ledger.charges, ledger.incidents, ledger.finished) == before
    call(ledger)


@pytest.mark.parametrize("is_exact", [False, True])
def test_a_signal_after_the_line_is_written(
    is_exact: bool, scorer: Scorer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    play(ledger, 4)
    if is_exact:
        ledger.contact("lawyer", note="shared", minutes=7)
    before = (path.read_bytes(), ledger.charges)
    file: Any = ledger._file
    append = file.append

    def interrupted(line: bytes) -> None:
        append(line)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(file, "append", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ledger.trial()
    assert (path.read_bytes(), ledger.charges) == before
    assert ledger.trial().event == len(before[1]) + 1


def test_a_disk_that_is_full_from_the_start(scorer: Scorer, path: Path, disk: Disk) -> None:
    disk.room = 30
    with pytest.raises(LedgerError) as refused:
        open_ledger(scorer, "r1", path=path)
    assert refused.value.code is Code.LEDGER_UNSAVED
    assert path.read_bytes() == b""
    disk.room = None
    open_ledger(scorer, "r1", path=path).trial()


def test_a_disk_too_full_to_set_a_line_aside(scorer: Scorer, path: Path, disk: Disk) -> None:
    torn = text_of(scorer, path, 2) + b'{"event"'
    path.write_bytes(torn)
    disk.room = 3
    with pytest.raises(LedgerError) as refused:
        open_ledger(scorer, "r1", path=path)
    assert refused.value.code is Code.LEDGER_UNSAVED
    assert path.read_bytes() == torn
    disk.room = None
    with pytest.warns(LedgerWarning):
        ledger = open_ledger(scorer, "r1", path=path)
    assert len(ledger.events) == 2


def test_every_event_is_on_the_disk_before_its_call_returns(
    scorer: Scorer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[bool, int]] = []
    fsync = os.fsync

    def watched(descriptor: int) -> None:
        fsync(descriptor)
        found = os.fstat(descriptor)
        synced.append((os.path.samestat(found, os.stat(path)), found.st_size))

    monkeypatch.setattr(os, "fsync", watched)
    ledger = open_ledger(scorer, "r1", path=path)
    # The file with its header, and then the folder that the file is new in.
    assert [is_file for is_file, _ in synced] == [True, False]
    for call in (lambda: ledger.trial(), lambda: ledger.report_incident("outage"), lambda: ledger.close(KPI)):
        synced.clear()
        call()
        assert synced == [(True, len(path.read_bytes()))]


def test_a_refused_event_never_reaches_the_file(scorer: Scorer, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = open_ledger(scorer, "r1", path=path)

    def write(descriptor: int, text: bytes) -> int:
        raise AssertionError("nothing is to be written")

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(RunError):
        ledger.contact("cheif")
    with pytest.raises(RunError):
        ledger.close({})
