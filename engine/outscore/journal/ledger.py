"""A Scorer and the events of a run that is going on -> charges as they come, and in the end a Run.

Prices nothing itself (that is the tally's) and reads no file (that is the opening's); it holds the two together: an
event is priced, written, then entered, under one lock, so that what was acknowledged is in the file, and in the order
of the file.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from types import TracebackType
from typing import Any, Final, Literal, NamedTuple, Self, TypeVar, overload
from weakref import WeakSet

from outscore.account import Charge
from outscore.diagnostics import Code, RunError, json_path
from outscore.journal.errors import LedgerError, LedgerWarning, busy, closed, released, still_open
from outscore.journal.file import JournalFile
from outscore.journal.finished import HOW_CLOSED, is_closing, run_record
from outscore.journal.lines import json_of, line_of
from outscore.journal.tally import Tally
from outscore.journal.values import Record, plain
from outscore.journal.views import AgentView
from outscore.run import Run, Void, read_incident, read_run
from outscore.scorer import Scorer, unknown_incident

T = TypeVar("T")

Time = str | datetime | None
"""A time as runs write it, or a datetime, which stands for its ISO text."""

Number = int | float | Decimal
"""A number; a float means its shortest decimal."""

Field = str | bool | int | float | Decimal
"""What a field may hold."""


class Torn(NamedTuple):
    """What a crash left of a line, set aside when the file was opened again; it was never acknowledged."""

    file: str
    """Where it was moved to."""
    text: bytes


# What a quote's keywords may not say, as its positions do: without one after the kind, and with it.
_SAID_ALREADY: Final = (("type",), ("type", "to", "hours"))


class LiveLedger:
    """The ledger of one run while it goes on; `open_ledger` makes it.

    Each event is charged as scoring the finished run would charge it. A call that raises has recorded nothing and
    changed nothing. It may be used from many threads: the order in which calls return is the order of events.
    """

    def __init__(self, scorer: Scorer, about: Mapping[str, str]) -> None:
        self._plan = scorer.plan
        self._about = dict(about)
        self._file: JournalFile | None = None
        self._torn: Torn | None = None
        self._tally = Tally(scorer)
        self._incidents: tuple[str, ...] = ()
        self._finished: Run | Void | None = None
        self._closing: Record = {}
        self._is_shut = False
        """Whether the run was closed, or the ledger released."""
        # Taken again by a signal's handler in the same thread; `_is_busy` keeps that from writing in between.
        self._lock = threading.RLock()
        self._is_busy = False
        _LEDGERS.add(self)

    def contact(self, /, to: str, *, at: Time = None, answered: bool = True, **fields: Field) -> Charge:
        """Record a contact with a person, and give its charge; raises RunError, or LedgerError."""
        event: Record = {"type": "contact", "to": to}
        if at is not None:
            event["at"] = at if at.__class__ is str else _time_text(at)
        if answered is not True:
            event["answered"] = answered
        return self._record(event, fields)

    def trial(self, /, *, at: Time = None, **fields: Field) -> Charge:
        """Record a trial, and give its charge; raises RunError, or LedgerError."""
        return self._record({"type": "trial"} if at is None else {"type": "trial", "at": _time_text(at)}, fields)

    def wait(self, /, hours: Number, *, at: Time = None, **fields: Field) -> Charge:
        """Record a wait of so many hours, and give its charge; raises RunError, or LedgerError."""
        event: Record = {"type": "wait", "hours": hours}
        if at is not None:
            event["at"] = _time_text(at)
        return self._record(event, fields)

    @overload
    def quote(
        self, kind: Literal["contact"], /, to: str, *, at: Time = None, answered: bool = True, **fields: Field
    ) -> Charge: ...
    @overload
    def quote(self, kind: Literal["trial"], /, *, at: Time = None, **fields: Field) -> Charge: ...
    @overload
    def quote(self, kind: Literal["wait"], /, hours: Number, *, at: Time = None, **fields: Field) -> Charge: ...
    def quote(self, kind: str, what: Any = None, /, *, at: Time = None, **more: Any) -> Charge:
        """What an event would be charged if it came next; records nothing. Raises what recording it would raise."""
        event: Record = {"type": kind}
        if what is not None:
            event["to" if kind == "contact" else "hours"] = what
        if at is not None:
            event["at"] = _time_text(at)
        with self._lock:
            try:
                self._must_be_open()
                for name in _SAID_ALREADY[what is not None]:
                    if name in more:
                        raise self._no_field(name)
                return self._tally.quote(event | more)
            except LedgerError:
                raise
            except RunError as error:
                raise self._with_run(error) from None

    def report_incident(self, name: str) -> None:
        """Record that an incident happened; a second report of one name changes nothing.

        A name that the ruleset does not know is an incident all the same, with a LedgerWarning.
        """
        self._alone(lambda: self._report(name))

    def _report(self, name: str) -> None:
        self._must_be_open()
        try:
            name = read_incident(name, ("incidents", len(self._incidents)))
        except RunError as error:
            raise self._with_run(error) from None
        if name in self._incidents:
            return
        if name not in self._plan.incidents:
            # Said first: where warnings are errors, a call that raises must have recorded nothing.
            warnings.warn(f"run {self.run!r}: {unknown_incident(name, self._plan)}", LedgerWarning, stacklevel=5)
        size = self._file.size if self._file is not None else 0
        try:
            self._save({"incident": name})
            # INVARIANT: no call between saving and this, so that no signal comes between them.
            self._incidents = (*self._incidents, name)
        except BaseException:
            if name not in self._incidents:
                self._take_back(size)
            raise

    def close(self, kpi: Mapping[str, Any], data: str | Mapping[str, str] | None = None) -> Run:
        """End the run with what was measured, as a run's `kpi` and `data` carry it, and give it as a Run."""
        run = self._close({"kpi": kpi} if data is None else {"kpi": kpi, "data": data})
        assert isinstance(run, Run)
        return run

    def void(self, reason: str) -> Void:
        """End the run as one that the machinery lost, and say why; it is counted, not scored."""
        run = self._close({"void": reason})
        assert isinstance(run, Void)
        return run

    def release(self) -> None:
        """Let go of the file without ending the run; `open_ledger` takes it up again. Without a file, nothing."""
        self._alone(self._release)

    def _release(self) -> None:
        if self._file is not None:
            self._is_shut = True
            self._file.release()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    @property
    def run(self) -> str:
        """The run's id."""
        return self._about["run"]

    @property
    def total(self) -> Fraction:
        """The sum of the charges so far, exact: the run's contact cost."""
        with self._lock:
            return self._tally.total

    @property
    def charges(self) -> tuple[Charge, ...]:
        """The charges so far, one per event, in the order of events."""
        with self._lock:
            return self._tally.charges

    @property
    def events(self) -> tuple[Record, ...]:
        """The events so far, as the run's record carries them."""
        with self._lock:
            return tuple(map(dict, self._tally.events))

    @property
    def incidents(self) -> tuple[str, ...]:
        """The incidents reported so far."""
        return self._incidents

    @property
    def finished(self) -> Run | Void | None:
        """What closing the run gave; None while it goes on."""
        return self._finished

    @property
    def record(self) -> Record | None:
        """The finished run as plain data, for `Scorer.score` or a file of runs; None while it goes on."""
        with self._lock:
            return None if self._finished is None else self._ended(self._closing)

    def to_json(self) -> bytes:
        """The finished run as one line of a file of runs, without the line break; raises LedgerError before that."""
        record = self.record
        if record is None:
            raise still_open(self.run)
        return json_of(record)

    @property
    def agent_view(self) -> AgentView:
        """The same ledger for an agent's eyes: it records, and shows no prices."""
        return AgentView(self)

    @property
    def torn(self) -> Torn | None:
        """What was set aside when the file was opened again after a crash; None where nothing was."""
        return self._torn

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of run {self.run!r}: {len(self._tally.events)} events>"

    def _record(self, event: Record, fields: Mapping[str, Any]) -> Charge:
        # What `_alone` does is spelt out here: after each wait for the disk, every call costs as much as ten.
        with self._lock:
            if self._is_busy:
                raise busy(self.run)
            tally, file = self._tally, self._file
            count, size = len(tally.events), 0 if file is None else file.size
            # INVARIANT: no call between this and the `try` that ends it, so that no signal comes between them.
            self._is_busy = True
            try:
                if self._is_shut:
                    self._must_be_open()
                if fields:
                    if "type" in fields:
                        raise self._no_field("type")
                    event |= fields
                return tally.charge(event, None if file is None else self._save_event)
            except BaseException as error:
                if len(tally.events) == count:
                    # A signal may come when the line is written and the event not entered.
                    self._take_back(size)
                if isinstance(error, RunError) and not isinstance(error, LedgerError):
                    raise self._with_run(error) from None
                raise
            finally:
                self._is_busy = False

    def _save_event(self, event: Record) -> None:
        assert self._file is not None
        self._file.append(line_of({"event": event}))

    def _alone(self, write: Callable[[], T]) -> T:
        """What a call writes, with the lock held; raises LedgerError amid another such call of this thread."""
        with self._lock:
            if self._is_busy:
                raise busy(self.run)
            # INVARIANT: no call between this and the `try` that ends it, so that no signal comes between them.
            self._is_busy = True
            try:
                return write()
            finally:
                self._is_busy = False

    def _take_back(self, size: int) -> None:
        """Cut off what was written beyond so many bytes; where even that fails, the next call begins with it."""
        if self._file is not None:
            with suppress(OSError):
                self._file.take_back(size)

    def _no_field(self, name: str) -> RunError:
        path = json_path(("events", len(self._tally.events), name))
        return RunError(Code.UNKNOWN_KEY, f'"{name}" is not a field; the call says what kind of event it is', path=path)

    def _with_run(self, error: RunError) -> RunError:
        return RunError(error.code, error.message, path=error.path, hint=error.hint, run=self.run)

    def _close(self, closing: Record) -> Run | Void:
        return self._alone(lambda: self._closed(closing))

    def _closed(self, closing: Record) -> Run | Void:
        self._must_be_open()
        finished, closing = read_run(self._ended(closing), self._plan), plain(closing)
        size = self._file.size if self._file is not None else 0
        try:
            self._save({"closed": closing})
            # INVARIANT: no call between saving and these, so that no signal comes between them.
            self._closing = closing
            self._finished = finished
            self._is_shut = True
        except BaseException:
            if self._finished is None:
                self._take_back(size)
            raise
        if self._file is not None:
            self._file.release()
        return finished

    def _ended(self, closing: Record) -> Record:
        return run_record(self._about, [dict(event) for event in self._tally.events], self._incidents, closing)

    def replay(self, key: str, value: Any) -> None:
        """Take an entry of a file, without a word to the file; raises RunError for one that no call can have made."""
        self._must_be_open()
        if key == "event":
            self._tally.charge(value)
        elif key == "incident":
            name = read_incident(value, ("incidents", len(self._incidents)))
            if name in self._incidents:
                raise RunError(Code.DUPLICATE_ID, "the incident was reported before")
            self._incidents = (*self._incidents, name)
        else:
            if not is_closing(value):
                raise RunError(Code.WRONG_TYPE, HOW_CLOSED)
            self._finished, self._closing = read_run(self._ended(value), self._plan), plain(value)
            self._is_shut = True

    def after_fork(self) -> None:
        """In a process that was forked: free the lock, which a thread that is not there may have held."""
        self._lock = threading.RLock()
        self._is_busy = False
        if self._file is not None:
            self._file.disown()

    def hold(self, file: JournalFile, torn: Torn | None) -> None:
        """Write to this file from now on."""
        self._torn = torn
        if self._finished is None:
            self._file = file
        else:
            file.release()

    def _save(self, entry: Record) -> None:
        if self._file is not None:
            self._file.append(line_of(entry))

    def _must_be_open(self) -> None:
        if self._finished is not None:
            raise closed(self.run)
        if self._is_shut:
            raise released(self.run)


def _time_text(at: object) -> object:
    return at.isoformat() if isinstance(at, datetime) else at


_LEDGERS: Final[WeakSet[LiveLedger]] = WeakSet()


def _after_fork() -> None:
    for each in _LEDGERS:
        each.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
