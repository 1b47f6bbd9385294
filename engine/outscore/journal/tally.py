"""Events of a live run, one at a time -> charges: by the generated function while that can, else by the ledger.

Knows no files, no locks and no closing. An event that cannot be charged leaves everything as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from outscore.account import Charge, Entries
from outscore.diagnostics import Code, RunError
from outscore.fastpath.support import Unproven, start
from outscore.journal.values import Record, plain_event
from outscore.ledger import Ledger
from outscore.run import MAX_EVENTS, Event, read_event
from outscore.scorer import Scorer

_STUMBLES: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, Unproven, ValueError)
"""What the generated function raises where it gives way; all else is somebody else's, such as a signal's handler's."""


class Tally:
    """The events and charges of one run so far."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._price, self._read_one = scorer.fast.price, scorer.fast.read_one
        self.events: list[Record] = []
        """Checked, and plain data."""
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

    def charge(self, event: Record, save: Callable[[Record], object] | None = None) -> Charge:
        """Price the next event, have it saved, and enter it; where anything is raised, nothing has changed."""
        number = len(self.events) + 1
        if self._is_exact or number > MAX_EVENTS:
            return self._charge_exactly(event, save)
        try:
            counts = self._counts_for(event)
            entries, quanta, _ = self._price([event], counts)
            event = plain_event(event)
            charge = self._read_one(entries[0], number)
        except _STUMBLES:
            # As when scoring: the general path judges the event anew, and alone has words for it.
            return self._charge_exactly(event, save)
        if save is not None:
            save(event)
        # INVARIANT: no calls from here on. Python lets signals in at calls, so all of this is done or none.
        asked = self._counts[0]
        asked |= counts[0]
        counts[0] = asked
        self._counts = counts
        self._quanta += quanta
        self._entries += entries
        self.events += [event]
        return charge

    def quote(self, event: Record) -> Charge:
        """Price an event as the next one, and enter nothing; raises RunError."""
        number = len(self.events) + 1
        if not self._is_exact and number <= MAX_EVENTS:
            try:
                return self._read_one(self._price([event], self._counts_for(event))[0][0], number)
            except _STUMBLES:
                pass  # As above.
        return self._caught_up().price(self._read(event)).charge

    def _counts_for(self, event: Record) -> list[Any]:
        """The counts in a copy to price this event by; of people's only this one's, which alone can change."""
        counts = self._counts.copy()
        asked, to = counts[0], event.get("to")
        counts[0] = {to: asked[to]} if to in asked else {}
        return counts

    def _charge_exactly(self, event: Record, save: Callable[[Record], object] | None) -> Charge:
        ledger, before = self._caught_up(), self.total
        priced = ledger.price(self._read(event))
        total = before + priced.charge.amount
        event = plain_event(event)
        # Entered before it is saved, so that no call comes after. Where it cannot be saved, another ledger is made.
        self._ledger = None
        ledger.enter(priced)
        if save is not None:
            save(event)
        # INVARIANT: as above.
        self._ledger = ledger
        self._exact_total = total
        self._is_exact = True
        self._entries = []
        self.events += [event]
        return priced.charge

    def _caught_up(self) -> Ledger:
        """The ledger, with all events so far entered."""
        ledger = self._ledger if self._ledger is not None else Ledger(self._scorer.tariff)
        # As above.
        self._ledger = None
        for index in range(len(ledger.charges), len(self.events)):
            ledger.charge(read_event(self.events[index], self._scorer.plan, ("events", index)))
        self._ledger = ledger
        return ledger

    def _read(self, event: Record) -> Event:
        """The next event, checked; raises RunError."""
        position = len(self.events)
        if position >= MAX_EVENTS:
            message = f"the run has {position} events; at most {MAX_EVENTS} are read"
            raise RunError(Code.TOO_LARGE, message, path="$.events")
        return read_event(event, self._scorer.plan, ("events", position))
