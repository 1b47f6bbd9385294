"""Events of a live run, one at a time -> charges: by the generated function while that can, else by the ledger.

Knows no files, no locks and no closing. An event that cannot be charged leaves everything as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from outscore.account import Charge, Entries
from outscore.diagnostics import Code, RunError
from outscore.fastpath.support import start
from outscore.ledger import Ledger
from outscore.run import MAX_EVENTS, Event, read_event
from outscore.scorer import Scorer

Record = dict[str, Any]
"""An event as a run carries it: plain data."""


class Tally:
    """The events and charges of one run so far."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._price, self._read_one = scorer.fast.price, scorer.fast.read_one
        self.events: list[Record] = []
        """Checked, with values as they were given: see `lines.plain`."""
        self._counts: list[Any] = start()
        self._entries: Entries = []
        self._quanta = 0
        self._ledger: Ledger | None = None
        """Made when the generated function first gives way; has priced as many events as it needed to so far."""
        self._is_exact = False
        """Whether the ledger has taken over for good: an event was entered that the generated function cannot take."""
        self._exact_total = Fraction(0)

    @property
    def total(self) -> Fraction:
        """The sum of the charges."""
        return self._exact_total if self._is_exact else Fraction(self._quanta, self._scorer.fast.quanta)

    @property
    def charges(self) -> tuple[Charge, ...]:
        """The charges, one per event."""
        return tuple(self._caught_up().charges) if self._is_exact else self._scorer.fast.read(self._entries)

    def charge(self, event: Record, save: Callable[[], object] | None = None) -> Charge:
        """Price the next event, have it saved, and enter it; raises RunError, and then nothing has changed.

        Whatever else is raised, or by `save`, leaves counts moved: see `mend`.
        """
        number = len(self.events) + 1
        if self._is_exact or number > MAX_EVENTS:
            return self._charge_exactly(event, save)
        try:
            entries, quanta, _ = self._price([event], self._counts)
        except Exception:
            # As when scoring: the general path judges the event anew, and alone has words for it.
            return self._charge_exactly(event, save)
        charge = self._read_one(entries[0], number)
        if save is not None:
            save()
        # INVARIANT: no calls from here on. Python lets signals in between calls, so all are made or none: see `mend`.
        self._quanta += quanta
        self._entries += entries
        self.events += [event]
        return charge

    def quote(self, event: Record) -> Charge:
        """Price an event as the next one, and enter nothing; raises RunError."""
        number = len(self.events) + 1
        if not self._is_exact and number <= MAX_EVENTS:
            asked, *counts = self._counts
            try:
                # Of those asked so far only this event's person matters, so nobody else's count need be copied.
                to = event.get("to")
                mine = {to: asked[to]} if to in asked else {}
                return self._read_one(self._price([event], [mine, *counts])[0][0], number)
            except Exception:
                pass  # As above.
        return self._caught_up().price(self._read(event)).charge

    def mend(self) -> None:
        """Work everything out anew from the events, after something came in between."""
        self._ledger = None
        if not self._is_exact:
            self._counts = start()
            self._entries, self._quanta, _ = self._price(self.events, self._counts)

    def _charge_exactly(self, event: Record, save: Callable[[], object] | None) -> Charge:
        ledger, before = self._caught_up(), self.total
        charge = ledger.charge(self._read(event))
        total = before + charge.amount
        if save is not None:
            save()
        # INVARIANT: as above.
        self._exact_total = total
        self._is_exact = True
        self._entries = []
        self.events += [event]
        return charge

    def _caught_up(self) -> Ledger:
        """The ledger, with all events so far entered."""
        if self._ledger is None:
            self._ledger = Ledger(self._scorer.tariff)
        for index in range(len(self._ledger.charges), len(self.events)):
            self._ledger.charge(read_event(self.events[index], self._scorer.plan, ("events", index)))
        return self._ledger

    def _read(self, event: Record) -> Event:
        """The next event, checked; raises RunError."""
        position = len(self.events)
        if position >= MAX_EVENTS:
            message = f"the run has {position} events; at most {MAX_EVENTS} are read"
            raise RunError(Code.TOO_LARGE, message, path="$.events")
        return read_event(event, self._scorer.plan, ("events", position))
