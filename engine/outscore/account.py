"""What each event cost, and why: charges -> an account whose sum is the contact cost, and its record.

Does not price anything: charges come from the ledger, or from the generated function as compact entries that an
Account turns into charges when somebody looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, overload

import msgspec

from outscore.numbers import nearest_double, text


class Step(msgspec.Struct, frozen=True):
    """One rule's part in a charge."""

    rule: str
    """Where the rule stands in the ruleset: `contacts.restrictions.after_hours`."""

    kind: str
    """What the rule did: `price` (replaced the charge), `times` (multiplied it) or `plus` (added to it)."""

    value: Fraction
    """The rule's operand, exact."""

    amount: Fraction
    """The running charge after this step."""


class Charge(msgspec.Struct, frozen=True):
    """One event of a run, charged or free."""

    event: int
    """Position in the run, from 1."""

    type: str
    to: str | None = None
    """Whom a contact went to."""

    nth: int | None = None
    """Ordinal that the price went by: of this person's answered contacts, of trials, or of waits."""

    hours: Fraction | None = None
    """A wait's own hours."""

    amount: Fraction = Fraction(0)
    """The charge, exact."""

    steps: tuple[Step, ...] = ()
    free: str | None = None
    """Why nothing was charged: `unanswered` or `not counted`."""

    def to_record(self) -> dict[str, Any]:
        """The charge as plain data, keys in the order that results carry them."""
        record: dict[str, Any] = {"event": self.event, "type": self.type}
        if self.to is not None:
            record["to"] = self.to
        if self.nth is not None:
            record["nth"] = self.nth
        if self.hours is not None:
            record["hours"] = text(self.hours)
        record["amount"] = nearest_double(self.amount.numerator, self.amount.denominator)
        record["exact"] = text(self.amount)
        if self.free is not None:
            record["free"] = self.free
        else:
            record["steps"] = [
                {"rule": step.rule, step.kind: text(step.value), "amount": text(step.amount)} for step in self.steps
            ]
        return record


Entry = tuple[Any, ...]
"""A compact form of a charge, which only what made it can read."""

Entries = list[Entry]
"""One for each event of a run."""


class Account(Sequence[Charge]):
    """Every event of a run in order, charged or free; the contact cost is its sum."""

    __slots__ = ("_charges", "_entries", "_read")

    def __init__(self, entries: Entries, read: Callable[[Entries], tuple[Charge, ...]]) -> None:
        self._entries = entries
        self._read = read
        self._charges: tuple[Charge, ...] | None = None

    @classmethod
    def of(cls, charges: Sequence[Charge]) -> Account:
        """An account of charges that are at hand already."""
        account = cls([], lambda entries: ())
        account._charges = tuple(charges)
        return account

    @property
    def charges(self) -> tuple[Charge, ...]:
        """The charges, one per event."""
        if self._charges is None:
            # Two threads may both do this; they make equal tuples.
            self._charges = self._read(self._entries)
        return self._charges

    def total(self) -> Fraction:
        """The contact cost: the exact sum of the charges."""
        return sum((charge.amount for charge in self.charges), Fraction(0))

    def to_record(self) -> list[dict[str, Any]]:
        """The account as plain data."""
        return [charge.to_record() for charge in self.charges]

    def __len__(self) -> int:
        return len(self.charges)

    def __iter__(self) -> Iterator[Charge]:
        return iter(self.charges)

    @overload
    def __getitem__(self, index: int) -> Charge: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Charge, ...]: ...
    def __getitem__(self, index: int | slice) -> Charge | tuple[Charge, ...]:
        return self.charges[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Account) and self.charges == other.charges

    def __hash__(self) -> int:
        return hash(self.charges)

    def __repr__(self) -> str:
        return f"Account({list(self.charges)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        # The reader of compact entries is a generated function and stays where it was made.
        return _account, (self.charges,)


def _account(charges: tuple[Charge, ...]) -> Account:
    return Account.of(charges)
