"""A ruleset's prices and restrictions -> what each does to a charge, as far as that is known before any run.

Follows only changes by a known number, and conditions that are always true or that `to` decides. Finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple

from outscore.diagnostics import Path
from outscore.expression.fold import constant
from outscore.expression.unparse import unparse
from outscore.lint.subject import Subject
from outscore.lint.truth import Truth
from outscore.plan import Node
from outscore.ruleset.meaning import restrictions_by_section
from outscore.ruleset.model import Charge, Person


class Effect(NamedTuple):
    """A change, or several one after the other: factor * charge + offset. The factor is 0 or more."""

    factor: Fraction
    offset: Fraction

    def on(self, amount: Fraction) -> Fraction:
        """The charge after it."""
        return self.factor * amount + self.offset

    def then(self, after: Effect) -> Effect:
        """Both, one after the other."""
        return Effect(self.factor * after.factor, self.offset * after.factor + after.offset)


_NONE: Final = Effect(Fraction(1), Fraction(0))


def _effect(kind: str, value: Fraction) -> Effect:
    if kind == "price":
        return Effect(Fraction(0), value)
    return Effect(value, Fraction(0)) if kind == "times" else Effect(Fraction(1), value)


def is_replacing(kind: str, value: Fraction | None) -> bool:
    """Whether a change leaves nothing of the charge before it."""
    return kind == "price" or (kind == "times" and value == 0)


@dataclass(frozen=True)
class Rule:
    """A restriction."""

    id: str
    path: Path
    charge: Charge
    operand: Node | None
    """The tree of a charge that is an expression."""
    when: Truth | None
    """None: it has no condition."""

    @cached_property
    def holds(self) -> bool | None:
        """Whether it always or never applies; None where that depends on the event."""
        return True if self.when is None else self.when.of(self.when.tree).value

    @cached_property
    def condition(self) -> str:
        """The canonical text of its condition."""
        return "" if self.when is None else unparse(self.when.tree)

    @cached_property
    def effect(self) -> Effect | None:
        """What it does where it applies; None where that depends on the event."""
        return _effect(self.charge.kind, self._value) if self._value is not None else None

    @property
    def is_replacing(self) -> bool:
        """Whether, where it applies, it leaves nothing of the charge before it."""
        return is_replacing(self.charge.kind, self._value)

    @cached_property
    def excluded(self) -> frozenset[str | None]:
        """The people for whose contacts it never holds; None: everyone whom it does not name."""
        return frozenset(self.when.certain("to", False) if self.when is not None else ())

    @cached_property
    def named(self) -> frozenset[str]:
        """The people whom its condition names."""
        return frozenset(self.when.named("to") if self.when is not None else ())

    @cached_property
    def _value(self) -> Fraction | None:
        if self.operand is None:
            return self.charge.value if isinstance(self.charge.value, Fraction) else None
        value = constant(self.operand)
        return value if isinstance(value, Fraction) else None


@dataclass(frozen=True)
class Section:
    """The restrictions of one kind of event that is charged."""

    name: str
    subject: str
    """What they start from, in words that are followed by "never charged"; empty where there is nothing."""
    rules: tuple[Rule, ...]

    def certain_effects(self) -> tuple[list[Effect | None], list[Effect | None]]:
        """What the restrictions that always apply do before each position, and from each position on.

        None where that depends on the event.
        """
        effects = [rule.effect if rule.holds else _NONE for rule in self.rules]
        before: list[Effect | None] = [_NONE]
        for effect in effects:
            before.append(_joined(before[-1], effect))
        after: list[Effect | None] = [_NONE]
        for effect in reversed(effects):
            after.append(_joined(effect, after[-1]))
        return before, after[::-1]


def _joined(first: Effect | None, last: Effect | None) -> Effect | None:
    if last is not None and last.factor == 0:
        return last
    if first is None or last is None:
        return None
    both = first.then(last)
    # Very many restrictions make very long numbers; what they come to is left open.
    is_long = any(part.numerator.bit_length() > _LONGEST or part.denominator.bit_length() > _LONGEST for part in both)
    return None if is_long else both


_LONGEST: Final = 4_000
"""Most bits of a number that is followed."""


def sections_of(subject: Subject) -> Iterator[Section]:
    """The sections whose events are charged."""
    ruleset = subject.ruleset
    contacts, trials, waiting = ruleset.contacts, ruleset.trials, ruleset.waiting
    words = {
        "contacts": "the list prices are" if contacts and (contacts.people or contacts.anyone_else) else "",
        "trials": "the prices of trials are" if trials and trials.count else None,
        "waiting": "'price_per_day' is" if waiting and waiting.count else None,
    }
    for name, restrictions in restrictions_by_section(ruleset).items():
        priced = words[name]
        if priced is None:
            continue
        rules = []
        for position, each in enumerate(restrictions):
            path: Path = (name, "restrictions", position)
            operand = ruleset.trees.get((*path, "charge", each.charge.kind))
            rules.append(Rule(each.id, path, each.charge, operand, subject.truths.get((*path, "when"))))
        yield Section(name, priced, tuple(rules))


class Price(NamedTuple):
    """A price of the ruleset, before restrictions."""

    event: str
    """What it is the price of, in words: `a contact with 'sponsor'`."""
    amount: Fraction
    least: Fraction
    """What any such event costs at least, before restrictions."""
    path: Path
    who: str | None = None
    """The person; None: nobody listed."""


def prices_of(subject: Subject, section: str) -> Iterator[Price]:
    """The prices from which the charges of a section's events start, those past patience included."""
    trials, waiting = subject.ruleset.trials, subject.ruleset.waiting
    if section == "contacts":
        for words, path, person in people_of(subject):
            yield from _contact_prices(words, path, person)
    elif section == "trials" and trials is not None:
        least = min(trials.prices)
        for position, price in enumerate(trials.prices):
            yield Price(f"trial {position + 1}", price, least, ("trials", "prices", position))
    elif waiting is not None and waiting.price_per_day is not None:
        # A wait within the free days costs nothing, whatever a day costs.
        yield Price("a day's wait", waiting.price_per_day, Fraction(0), ("waiting", "price_per_day"))


def _contact_prices(words: str, path: Path, person: Person) -> Iterator[Price]:
    name = path[-1]
    who = name if isinstance(name, str) and len(path) == 3 else None
    change = person.past_patience
    past = _effect(change.kind, change.number).on(person.price) if change is not None else person.price
    # With a patience of 0 no contact is ever within it.
    least = past if person.patience == 0 else min(person.price, past)
    if person.patience != 0:
        yield Price(f"a contact with {words}", person.price, least, (*path, "price"), who)
    if change is not None:
        yield Price(f"a contact with {words} past patience", past, least, (*path, "past_patience", change.kind), who)


def people_of(subject: Subject) -> Iterator[tuple[str, Path, Person]]:
    """Everyone who can be contacted: in words, where they stand, and what they cost."""
    contacts = subject.ruleset.contacts
    if contacts is None:
        return
    for name, person in contacts.people.items():
        yield f"'{name}'", ("contacts", "people", name), person
    if contacts.anyone_else is not None:
        yield "anyone else", ("contacts", "anyone_else"), contacts.anyone_else
