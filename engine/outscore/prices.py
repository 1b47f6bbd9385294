"""Plan -> its price sheet: what events cost by the rules' numbers, before any run is seen.

Restrictions are listed, not applied: whether one holds is known only from a run. It has no words: those of the author,
conditions as text, and the lines of the ruleset are shown by `outscore explain`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from outscore.fastpath.writer import price_past_patience
from outscore.plan import Person, Plan, Restriction


class PersonPrices(msgspec.Struct, frozen=True):
    """What contacts with one person cost, before restrictions."""

    price: Fraction
    patience: int | None
    """Contacts at list price, inclusive; None: all of them."""
    past_patience: Fraction
    """The price of those that follow."""

    def nth(self, nth: int) -> Fraction:
        """The price of the n-th answered contact of a run."""
        return self.price if self.patience is None or nth <= self.patience else self.past_patience


class TrialPrices(msgspec.Struct, frozen=True):
    """What trials cost, before restrictions."""

    count: bool
    prices: tuple[Fraction, ...]
    """The n-th trial's price; the last one repeats. Empty where trials are not counted."""

    def nth(self, nth: int) -> Fraction:
        """The price of the n-th trial of a run."""
        return self.prices[min(nth, len(self.prices)) - 1] if self.prices else Fraction(0)


class WaitPrices(msgspec.Struct, frozen=True):
    """What waiting costs, before restrictions."""

    count: bool
    price_per_day: Fraction
    free_days: Fraction
    """Of the run's whole waiting."""


class RestrictionPrices(msgspec.Struct, frozen=True):
    """A rule that may change charges."""

    id: str
    section: str
    """Whose charges it changes: `contacts`, `trials` or `waiting`."""
    kind: str
    """`price` replaces the charge, `times` multiplies it, `plus` adds to it."""
    value: Fraction | None
    """None: an expression gives it for each event."""
    is_conditional: bool
    """Whether it has a condition; without one it applies always."""


class PriceSheet(msgspec.Struct, frozen=True):
    """What a scenario's events cost; all prices are exact."""

    scenario: str
    ruleset: str
    """The digest of the rules' meaning."""
    people: dict[str, PersonPrices]
    anyone_else: PersonPrices | None
    """Each person who is not listed, counted by themselves; None: there is no contacting them."""
    trials: TrialPrices | None
    waiting: WaitPrices | None
    restrictions: tuple[RestrictionPrices, ...]
    """In the order in which they apply."""

    def to_record(self) -> dict[str, Any]:
        """The sheet as plain data; prices are exact texts, as in a score's account."""
        record: dict[str, Any] = msgspec.to_builtins(self, enc_hook=str)
        return record


def price_sheet(plan: Plan) -> PriceSheet:
    """The price sheet of a plan."""
    contacts, trials, waiting = plan.contacts, plan.trials, plan.waiting
    return PriceSheet(
        scenario=plan.scenario,
        ruleset=plan.digest,
        people={name: _person(person) for name, person in contacts.people.items()} if contacts else {},
        anyone_else=_person(contacts.anyone_else) if contacts and contacts.anyone_else else None,
        trials=TrialPrices(trials.count, trials.prices if trials.count else ()) if trials else None,
        waiting=WaitPrices(waiting.count, waiting.price_per_day, waiting.free_days) if waiting else None,
        restrictions=(
            *_restrictions("contacts", contacts.restrictions if contacts else ()),
            *_restrictions("trials", trials.restrictions if trials else ()),
            *_restrictions("waiting", waiting.restrictions if waiting else ()),
        ),
    )


def _person(person: Person) -> PersonPrices:
    return PersonPrices(person.price, person.patience, price_past_patience(person))


def _restrictions(section: str, restrictions: tuple[Restriction, ...]) -> list[RestrictionPrices]:
    return [
        RestrictionPrices(
            each.id,
            section,
            each.charge.kind,
            each.charge.value if isinstance(each.charge.value, Fraction) else None,
            each.when is not None,
        )
        for each in restrictions
    ]
