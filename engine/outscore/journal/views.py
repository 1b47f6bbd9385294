"""A live ledger -> what an agent may see of it: that its events were recorded, and nothing of what they cost.

It keeps apart what is shown; it is no wall against code in the same process that sets out to look behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from outscore.account import Charge
from outscore.diagnostics import Code, RunError
from outscore.journal.values import Record
from outscore.run import Run, Void

if TYPE_CHECKING:
    from outscore.journal.ledger import Field, LiveLedger, Number, Time, Torn


class Receipt(msgspec.Struct, frozen=True):
    """That an event was recorded, without its charge."""

    event: int
    """Position in the run, from 1."""

    type: str
    to: str | None = None
    """Whom a contact went to."""


# What is wrong with what the caller gave may be said in full; any other message could tell of rules and prices.
_SAYABLE: Final = frozenset(
    {
        *(Code.BAD_ENCODING, Code.BAD_NUMBER, Code.BAD_VALUE, Code.MISSING_KEY, Code.UNKNOWN_KEY, Code.WRONG_TYPE),
        *(Code.BAD_TIME, Code.MIXED_TIMES, Code.NO_TIMEZONE, Code.TIME_ORDER, Code.TOO_LARGE, Code.UNKNOWN_PERSON),
        *(Code.LEDGER_CLOSED, Code.LEDGER_IN_USE, Code.LEDGER_OPEN, Code.LEDGER_UNSAVED),
    }
)
_INSTEAD: Final = {
    Code.MISSING_VALUE: ("something is missing from this event", "give it a time, and every field that it has"),
    Code.UNEXPECTED_EVENT: ("this run takes no event of this kind", None),
}


class AgentView:
    """A ledger's events without their prices: no charges, no totals, no rules, in results and in errors alike."""

    def __init__(self, ledger: LiveLedger) -> None:
        self._ledger = ledger

    def contact(self, /, to: str, *, at: Time = None, answered: bool = True, **fields: Field) -> Receipt:
        """Record a contact with a person; raises RunError, or LedgerError."""
        return _receipt(lambda: self._ledger.contact(to, at=at, answered=answered, **fields))

    def trial(self, /, *, at: Time = None, **fields: Field) -> Receipt:
        """Record a trial; raises RunError, or LedgerError."""
        return _receipt(lambda: self._ledger.trial(at=at, **fields))

    def wait(self, /, hours: Number, *, at: Time = None, **fields: Field) -> Receipt:
        """Record a wait of so many hours; raises RunError, or LedgerError."""
        return _receipt(lambda: self._ledger.wait(hours, at=at, **fields))

    @property
    def events(self) -> tuple[Record, ...]:
        """The events so far, as the run's record carries them."""
        return self._ledger.events

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of run {self._ledger.run!r}: {len(self.events)} events>"


class RedactedLedger(AgentView):
    """A ledger for a harness that is not to know prices either: `open_ledger(..., redact=True)` makes it.

    The run is charged when it is scored; or its file is opened again, by whom may see.
    """

    def report_incident(self, name: str) -> None:
        """Record that an incident happened; a second report of one name changes nothing."""
        self._ledger.report_incident(name)

    def close(self, kpi: Mapping[str, Any], data: str | Mapping[str, str] | None = None) -> Run:
        """End the run with what was measured, as a run's `kpi` and `data` carry it, and give it as a Run."""
        return self._ledger.close(kpi, data)

    def void(self, reason: str) -> Void:
        """End the run as one that the machinery lost, and say why; it is counted, not scored."""
        return self._ledger.void(reason)

    def release(self) -> None:
        """Let go of the file without ending the run; `open_ledger` takes it up again."""
        self._ledger.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    @property
    def run(self) -> str:
        """The run's id."""
        return self._ledger.run

    @property
    def incidents(self) -> tuple[str, ...]:
        """The incidents reported so far."""
        return self._ledger.incidents

    @property
    def finished(self) -> Run | Void | None:
        """What closing the run gave; None while it goes on."""
        return self._ledger.finished

    @property
    def record(self) -> Record | None:
        """The finished run as plain data; None while it goes on."""
        return self._ledger.record

    def to_json(self) -> bytes:
        """The finished run as one line of a file of runs, without the line break; raises LedgerError before that."""
        return self._ledger.to_json()

    @property
    def torn(self) -> Torn | None:
        """What was set aside when the file was opened again after a crash; None where nothing was."""
        return self._ledger.torn


def _receipt(record: Callable[[], Charge]) -> Receipt:
    try:
        charge = record()
    except RunError as error:
        sayable = _redacted(error)
    else:
        return Receipt(charge.event, charge.type, charge.to)
    # Raised out here, so that the first error does not travel along as this one's context.
    raise sayable


def _redacted(error: RunError) -> RunError:
    if error.code in _SAYABLE:
        return type(error)(error.code, error.message, path=error.path, hint=error.hint, run=error.run)
    message, hint = _INSTEAD.get(error.code, ("this event cannot be charged as it was given", None))
    return RunError(error.code, message, path=error.path, hint=hint, run=error.run)
