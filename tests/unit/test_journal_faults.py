"""The live ledger where the world is rough: signals, deep stacks, forks, meddling with its file, values that change."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from outscore.diagnostics import Code, RunError
from outscore.journal import LedgerError, LedgerWarning, LiveLedger, open_ledger
from outscore.loader import loads
from outscore.scorer import Scorer

from tests.unit.test_journal import DAY, KPI, RULES

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
AT = DAY + "10:00"

# A generator that is cut short says so when it is thrown away.
abrupt = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture
def scorer() -> Scorer:
    return loads(RULES)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "r1.jsonl"


def agrees(ledger: LiveLedger, scorer: Scorer) -> None:
    """The charges are those of the same events from scratch."""
    twin = open_ledger(scorer, "twin")
    for event in ledger.events:
        rest = dict(event)
        kind, *what = rest.pop("type"), *(rest.pop(key) for key in ("to", "hours") if key in rest)
        getattr(twin, kind)(*what, **rest)
    assert (ledger.charges, ledger.total) == (twin.charges, twin.total)
    assert not ledger._is_busy


@abrupt
def test_a_stack_that_ends_amid_a_call_leaves_the_counts_as_they_were(scorer: Scorer) -> None:
    ledger = open_ledger(scorer, "r1")
    # Pricing this again goes one call deeper than pricing what follows.
    ledger.contact("clerk", at=AT, channel="chat", minutes=Decimal("10.1"))

    def ask() -> None:
        ledger.contact("chief", at=AT)
        ask()

    for spare in range(6):

        def deeper(left: int) -> None:
            deeper(left - 1) if left else ask()

        with pytest.raises(RecursionError):
            deeper(spare)
        assert ledger.contact("chief", at=AT).nth == len(ledger.events) - 1
    agrees(ledger, scorer)


EXACT: Callable[[LiveLedger], object] = lambda ledger: ledger.contact("lawyer", note="shared", minutes=7)  # noqa: E731


@abrupt
@pytest.mark.parametrize("is_exact", [False, True])
@pytest.mark.parametrize("in_file", [False, True])
def test_signals_at_every_step_of_every_call(is_exact: bool, in_file: bool, scorer: Scorer, path: Path) -> None:
    """A trace raises at the n-th line of each call, for every n, until the call comes through."""
    ledger = open_ledger(scorer, "r1", path=path if in_file else None)
    calls: list[Callable[[], object]] = [
        lambda: ledger.contact("chief", at=AT),
        lambda: ledger.wait(30),
        lambda: ledger.quote("wait", 7),
        lambda: ledger.quote("contact", "lawyer", note="shared", minutes=7),
        lambda: ledger.charges,
        lambda: ledger.report_incident("outage"),
    ]
    ledger.wait(20)
    if is_exact:
        EXACT(ledger)
    for call in calls:
        interruptions, count = 0, len(ledger.events)
        while _interrupted(call, interruptions, lambda: agrees(ledger, scorer)):
            interruptions += 1
            if len(ledger.events) != count:
                # It came so late that all was done.
                break
        assert interruptions
        agrees(ledger, scorer)
    live = (ledger.events, ledger.charges, ledger.incidents)
    if in_file:
        ledger.release()
        again = open_ledger(scorer, "r1", path=path)
        assert (again.events, again.charges, again.incidents) == live


def _interrupted(call: Callable[[], object], after: int, check: Callable[[], object]) -> bool:
    """Whether the call was interrupted at the so many-th call that it makes."""
    left = after

    def trace(frame: Any, event: str, argument: object) -> None:
        # Python lets signals in where a function begins, and after calls of functions that are not in Python.
        nonlocal left
        if event not in ("call", "c_return"):
            return
        if not left:
            sys.setprofile(None)
            raise KeyboardInterrupt
        left -= 1

    sys.setprofile(trace)
    try:
        call()
    except KeyboardInterrupt:
        # While the exception is there, and its frames with it, all must be in order.
        check()
        return True
    finally:
        sys.setprofile(None)
    return False


@pytest.mark.parametrize("is_exact", [False, True])
def test_two_signals_one_upon_the_other(
    is_exact: bool, scorer: Scorer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second comes while the first is dealt with; what it keeps from being done is not needed."""
    ledger = open_ledger(scorer, "r1", path=path)
    if is_exact:
        EXACT(ledger)

    def again(*_: object) -> None:
        raise KeyboardInterrupt

    for after in range(200):
        with monkeypatch.context() as patch:
            patch.setattr(LiveLedger, "_take_back", again)
            if not _interrupted(ledger.trial, after, lambda: None):
                break
    agrees(ledger, scorer)
    live = (ledger.events, ledger.charges)
    ledger.release()
    again_open = open_ledger(scorer, "r1", path=path)
    assert (again_open.events, again_open.charges) == live


class Deadline(Exception):  # noqa: N818  (as harnesses name theirs)
    """What a handler may raise."""


@pytest.mark.parametrize("raised", [Deadline(), TimeoutError("deadline"), OSError("deadline")])
@pytest.mark.parametrize("is_exact", [False, True])
def test_what_a_handler_raises_is_what_the_call_raises(
    is_exact: bool, raised: Exception, scorer: Scorer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    if is_exact:
        EXACT(ledger)
    before = (path.read_bytes(), ledger.events)

    def failing(*_: object) -> None:
        raise raised

    tally: Any = ledger._tally
    for where, name in ((tally, "_read_one"), (tally, "_read"), (os, "write"), (os, "fsync")):
        if name in ("_read_one", "_read") and (name == "_read") is not is_exact:
            continue
        for call in (ledger.trial, lambda: ledger.quote("trial")) if where is tally else (ledger.trial,):
            with monkeypatch.context() as patch:
                patch.setattr(where, name, failing)
                with pytest.raises(type(raised)) as caught:
                    call()
            assert caught.value is raised
            assert (path.read_bytes(), ledger.events) == before
    assert ledger._tally._is_exact is is_exact


@pytest.mark.parametrize("in_file", [False, True])
def test_values_that_change_afterwards_change_nothing(in_file: bool, scorer: Scorer, path: Path) -> None:
    ledger = open_ledger(scorer, "r1", path=path if in_file else None)
    hours = np.array(20)
    ledger.wait(hours)  # type: ignore[arg-type]
    hours += 100
    EXACT(ledger)
    agrees(ledger, scorer)
    assert ledger.events[0] == {"type": "wait", "hours": 20}
    assert scorer.score(ledger.close(KPI)).exact.contact_cost == ledger.total  # type: ignore[union-attr]


def test_what_only_pretends_to_be_a_text_is_refused(scorer: Scorer) -> None:
    class Sly:
        def __eq__(self, other: object) -> bool:
            return other == "mail"

        def __hash__(self) -> int:
            return hash("mail")

    ledger = open_ledger(scorer, "r1")
    with pytest.raises(RunError) as refused:
        ledger.contact("chief", at=AT, channel=Sly())  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.path) == (Code.BAD_VALUE, "$.events[0].channel")
    assert ledger.events == ()


@pytest.mark.parametrize("number", [36.0, 1e16, 1e22, 1e40, -0.0, 0.1, 7])
def test_the_runs_line_is_the_same_after_reopening(number: float, scorer: Scorer, path: Path) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    ledger.wait(abs(number))
    ledger.close({"delivered": number})
    assert open_ledger(scorer, "r1", path=path).to_json() == ledger.to_json()


@pytest.mark.parametrize("ids", [{"run": "r-1"}, {"run": "r-1", "task": "t", "agent": "a"}])
def test_ids_may_be_of_a_kind_of_text(ids: dict[str, str], scorer: Scorer, path: Path) -> None:
    ledger = open_ledger(scorer, **{key: np.str_(each) for key, each in ids.items()}, path=path)
    ledger.close(KPI)
    assert open_ledger(scorer, **ids, path=path).to_json() == ledger.to_json()


# Forks and signals' handlers.


def _leave_a_line_behind(ledger: LiveLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event that was refused, and whose line could not be taken back yet."""

    def failing(*_: object) -> None:
        raise OSError(5, "failing")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing)
        patch.setattr(os, "ftruncate", failing)
        with pytest.raises(LedgerError):
            ledger.trial()


@needs_fork
def test_a_forked_process_cuts_nothing_off(scorer: Scorer, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    ledger.trial()
    _leave_a_line_behind(ledger, monkeypatch)
    child = _fork(lambda: _refused(ledger.trial, Code.LEDGER_IN_USE) and _refused(ledger.trial, Code.LEDGER_IN_USE))
    ledger.trial()
    assert child == 0
    assert path.read_bytes().count(b"trial") == 2
    before = path.read_bytes()
    assert _fork(lambda: ledger.release() or True) == 0
    assert path.read_bytes() == before
    ledger.trial()


@needs_fork
def test_a_process_forked_amid_another_threads_call_is_not_stuck(scorer: Scorer, path: Path) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with ledger._lock:
            held.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(30)
    try:
        assert _fork(lambda: _refused(ledger.trial, Code.LEDGER_IN_USE) and ledger.total == 0) == 0
    finally:
        done.set()
        thread.join()
    ledger.trial()


@needs_fork
def test_a_process_forked_amid_an_append_writes_nothing(
    scorer: Scorer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    fstat, parent, children = os.fstat, os.getpid(), []

    def forking(descriptor: int) -> os.stat_result:
        if os.getpid() == parent and not children:
            children.append(os.fork())
        return fstat(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", forking)
        try:
            ledger.trial()
        except BaseException:
            if os.getpid() != parent:
                os._exit(0)
            raise
        if os.getpid() != parent:
            os._exit(1)
    assert os.waitpid(children[0], 0)[1] == 0
    assert path.read_bytes().count(b"trial") == 1
    ledger.trial()


def _fork(check: Callable[[], object]) -> int:
    """0 where the check holds in a forked process, and it ends by itself."""
    with warnings.catch_warnings():
        # That there are threads is what is tried here.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        signal.alarm(30)
        os._exit(0 if check() else 1)
    return os.waitpid(child, 0)[1]


def _refused(call: Callable[[], object], code: Code) -> bool:
    try:
        call()
    except LedgerError as error:
        return error.code is code
    return False


@pytest.mark.parametrize("use", ["void", "trial", "close", "report_incident", "release"])
def test_a_handler_amid_a_call_is_told_so_and_not_stuck(
    use: str, scorer: Scorer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    arguments: dict[str, tuple[Any, ...]] = {"void": ("ended",), "close": (KPI,), "report_incident": ("outage",)}
    said: list[LedgerError] = []
    fsync = os.fsync

    def handler(descriptor: int) -> None:
        fsync(descriptor)
        assert ledger.total == 0
        assert ledger.quote("trial").nth == 1
        with pytest.raises(LedgerError) as refused:
            getattr(ledger, use)(*arguments.get(use, ()))
        said.append(refused.value)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", handler)
        ledger.trial()
    assert [each.code for each in said] == [Code.LEDGER_IN_USE]
    assert len(ledger.events) == 1
    ledger.void("ended")


# Other people and the file.


@pytest.mark.parametrize("what", ["removed", "replaced", "emptied", "longer"])
def test_a_file_that_others_meddle_with_takes_nothing_more(what: str, scorer: Scorer, path: Path) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    ledger.trial()
    whole = path.read_bytes()
    if what == "removed":
        path.unlink()
    elif what == "replaced":
        other = path.with_suffix(".new")
        other.write_bytes(whole)
        other.replace(path)
    else:
        path.write_bytes(b"" if what == "emptied" else whole + b"me too\n")
    before = path.read_bytes() if path.exists() else None
    for _ in range(2):
        with pytest.raises(LedgerError) as refused:
            ledger.trial()
        assert refused.value.code is Code.LEDGER_UNSAVED
        assert len(ledger.events) == 1
    ledger.release()
    assert (path.read_bytes() if path.exists() else None) == before


@needs_pipes
def test_what_is_no_ordinary_file_is_refused_at_once(scorer: Scorer, path: Path) -> None:
    os.mkfifo(path)
    for each in (path, "/dev/full", "/dev/null"):
        with pytest.raises(LedgerError) as refused:
            open_ledger(scorer, "r1", path=each)
        assert (refused.value.code, refused.value.path) == (Code.LEDGER_UNSAVED, str(each))


@needs_pipes
def test_a_pipe_in_the_place_of_torn_lines_keeps_nobody_waiting(scorer: Scorer, path: Path) -> None:
    open_ledger(scorer, "r1", path=path).release()
    torn = path.read_bytes() + b'{"eve'
    path.write_bytes(torn)
    aside = Path(f"{path}.torn")
    os.mkfifo(aside)
    with pytest.raises(LedgerError) as refused:
        open_ledger(scorer, "r1", path=path)
    assert refused.value.code is Code.LEDGER_UNSAVED
    assert path.read_bytes() == torn
    aside.unlink()
    with pytest.warns(LedgerWarning):
        # A path may be bytes.
        assert open_ledger(scorer, "r1", path=os.fsencode(path)).torn is not None  # type: ignore[call-overload]


def test_what_could_not_be_taken_back_is_when_the_file_is_let_go_of(
    scorer: Scorer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    before = path.read_bytes()
    _leave_a_line_behind(ledger, monkeypatch)
    assert path.read_bytes() != before
    ledger.release()
    assert path.read_bytes() == before


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS])
def test_a_closed_runs_file_that_cannot_be_opened_for_writing(
    number: int, scorer: Scorer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is for all but root where the file is read-only."""
    opened = os.open

    def refusing(name: str, flags: int, mode: int = 0o777, **rest: Any) -> int:
        if flags & os.O_RDWR:
            raise OSError(number, os.strerror(number), name)
        return opened(name, flags, mode, **rest)

    with open_ledger(scorer, "r1", path=path) as ledger:
        ledger.trial()
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refusing)
        for each in (path, path.with_name("none"), path.parent):
            with pytest.raises(OSError, match=os.strerror(number)):
                open_ledger(scorer, "r1", path=each)
    with open_ledger(scorer, "r1", path=path) as ledger:
        ledger.wait(20)
        ledger.close(KPI)
    path.chmod(0o444)
    monkeypatch.setattr(os, "open", refusing)
    again = open_ledger(scorer, "r1", path=path)
    assert (again.finished, again.total, again.to_json()) == (ledger.finished, ledger.total, ledger.to_json())
    with pytest.raises(LedgerError):
        again.trial()


def test_an_incident_that_stands_there_twice(scorer: Scorer, path: Path) -> None:
    with open_ledger(scorer, "r1", path=path) as ledger:
        ledger.report_incident("outage")
    path.write_bytes(path.read_bytes() + b'{"incident":"outage"}\n')
    with pytest.raises(LedgerError) as refused:
        open_ledger(scorer, "r1", path=path)
    assert (refused.value.code, refused.value.path) == (Code.LEDGER_DAMAGED, f"{path}:3")


# Slips.


def test_an_incident_that_no_rule_knows_is_said_when_it_is_reported(scorer: Scorer, path: Path) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    with pytest.warns(LedgerWarning, match=r"run 'r1': incident 'outtage' .*; did you mean 'outage'\?") as said:
        ledger.report_incident("outtage")
    assert said[0].filename == __file__
    assert ledger.incidents == ("outtage",)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ledger.report_incident("outage")
        with pytest.raises(LedgerWarning):
            ledger.report_incident("other")
    # Where the warning is an error, the call has recorded nothing.
    assert ledger.incidents == ("outtage", "outage")
    assert b"other" not in path.read_bytes()


@pytest.mark.parametrize(
    ("kind", "what", "more", "wrong"),
    [
        ("wait", (5,), {"hours": 40}, "hours"),
        ("contact", ("chief",), {"to": "clerk"}, "to"),
        ("trial", (), {"type": 1}, "type"),
    ],
)
def test_a_quote_says_nothing_twice(
    kind: Any, what: tuple[Any, ...], more: dict[str, Any], wrong: str, scorer: Scorer
) -> None:
    with pytest.raises(RunError) as refused:
        open_ledger(scorer, "r1").quote(kind, *what, **more)
    assert (refused.value.code, refused.value.path) == (Code.UNKNOWN_KEY, f"$.events[0].{wrong}")


def test_without_a_file_the_end_of_a_block_ends_nothing(scorer: Scorer) -> None:
    with open_ledger(scorer, "r1") as ledger:
        ledger.trial()
    ledger.trial()
    assert ledger.close(KPI).run == "r1"


def test_deeply_nested_values_are_refused_as_any(scorer: Scorer, path: Path) -> None:
    ledger = open_ledger(scorer, "r1", path=path)
    for depth in range(900, 1000):
        nested: Any = "mail"
        for _ in range(depth):
            nested = [nested]
        for call in (ledger.trial, lambda **fields: ledger.quote("trial", **fields)):
            with pytest.raises(RunError) as refused:
                call(channel=nested)
            assert refused.value.code in (Code.WRONG_TYPE, Code.BAD_VALUE)
    assert ledger.total == Fraction(0)


@pytest.mark.parametrize("end", ["close", "void"])
def test_what_ends_a_run_can_be_scored(end: str, scorer: Scorer) -> None:
    ledger = open_ledger(scorer, "r1")
    given = ledger.close(KPI) if end == "close" else ledger.void("lost")
    assert ledger.finished == given
    assert scorer.score(given) == scorer.score(ledger.record)  # type: ignore[arg-type]
    other = loads(RULES.replace("scenario: desk", "scenario: other"))
    with pytest.raises(RunError) as refused:
        other.score(given)
    assert refused.value.code is Code.WRONG_SCENARIO


def test_a_ledger_is_no_run(scorer: Scorer) -> None:
    with pytest.raises(RunError) as refused:
        scorer.score(open_ledger(scorer, "r1"))  # type: ignore[arg-type]
    assert refused.value.hint == "give its record, its JSON, or what closing a live ledger gave"
