"""Prices and restrictions -> those that never have a say, and those that charge more than there is to gain."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Final

from outscore.diagnostics import Code, Diagnostic, Path
from outscore.lint.rules import Price, Rule, Section, is_replacing, people_of, prices_of, sections_of
from outscore.lint.subject import Subject, shown

WHOLE_GAIN: Final = Fraction(1)
"""What a delivery as good as the reference has gained, before anything is charged."""


def overridden_restrictions(subject: Subject) -> Iterator[Diagnostic]:
    """Restrictions whose effect a later one always wipes out."""
    for section in sections_of(subject):
        always: str | None = None
        under: dict[str, str] = {}
        for rule in reversed(section.rules):
            if rule.holds is False:
                continue
            by = always or under.get(rule.condition)
            if by is not None:
                message = f"'{rule.id}' changes no charge: '{by}', further down, replaces whatever it comes to"
                hint = f"remove it, or move it below '{by}'"
                yield subject.at_value(Code.OVERRIDDEN_RESTRICTION, (*rule.path, "id"), message, hint)
            if rule.is_replacing:
                under.setdefault(rule.condition, rule.id)
                always = always or (rule.id if rule.holds else None)


def unreachable_prices(subject: Subject) -> Iterator[Diagnostic]:
    """List prices from which no charge is ever made."""
    for section in sections_of(subject):
        always = next((rule for rule in reversed(section.rules) if rule.is_replacing and rule.holds), None)
        if always is not None and section.subject:
            message = f"{section.subject} never charged: '{always.id}' replaces whatever stands before it"
            hint = "give it a condition with 'when', or let it change the charge by 'times' or 'plus'"
            yield subject.at_value(Code.UNREACHABLE_PRICE, (*always.path, "id"), message, hint)
        elif section.name == "contacts":
            yield from _never_within_patience(subject)
            yield from _always_replaced(subject, section)


def _never_within_patience(subject: Subject) -> Iterator[Diagnostic]:
    for words, path, person in people_of(subject):
        change = person.past_patience
        if person.patience == 0 and change is not None and is_replacing(change.kind, change.number):
            message = f"the list price of {words} is never charged: with a patience of 0 every contact is past it"
            hint = "with a patience of 1 the first contact is at list price"
            yield subject.at_value(Code.UNREACHABLE_PRICE, (*path, "price"), message, hint)


def _always_replaced(subject: Subject, section: Section) -> Iterator[Diagnostic]:
    """List prices of people for whose every contact some restriction holds."""
    contacts = subject.ruleset.contacts
    assert contacts is not None
    found: set[str] = set()
    for rule in section.rules:
        if not rule.is_replacing or rule.when is None or rule.holds is not None:
            continue
        for who in rule.when.certain("to", True):
            if who is None and (contacts.anyone_else is not None or not contacts.people.keys() <= rule.named):
                message = f"'{rule.id}' replaces the list price of everyone it does not name: none of them is charged"
                yield subject.at_value(Code.UNREACHABLE_PRICE, (*rule.path, "id"), message, _IN_ONE_PLACE)
            elif who is not None and who in contacts.people and who not in found:
                found.add(who)
                message = f"the list price of '{who}' is never charged: restriction '{rule.id}' always replaces it"
                path: Path = ("contacts", "people", who, "price")
                yield subject.at_value(Code.UNREACHABLE_PRICE, path, message, _IN_ONE_PLACE)


_IN_ONE_PLACE: Final = "write the price that is meant as the list price, and drop the restriction or narrow it"


def dear_charges(subject: Subject) -> Iterator[Diagnostic]:
    """Charges that take more than a delivery as good as the reference has gained."""
    for section in sections_of(subject):
        before, after = section.certain_effects()
        whole = before[-1]
        others: list[Price] = []
        for price in prices_of(subject, section.name):
            if price.amount > WHOLE_GAIN and whole is not None and whole.on(price.amount) > WHOLE_GAIN:
                yield _dear(subject, price.path, f"{price.event} costs {shown(whole.on(price.amount))}")
            else:
                others.append(price)
        candidates = _Candidates(others)
        for position, rule in enumerate(section.rules):
            first, last = before[position], after[position + 1]
            price_and_amount = candidates.dearest_for(rule)
            if rule.holds is False or rule.effect is None or first is None or last is None or price_and_amount is None:
                continue
            dearest, amount = price_and_amount
            here = first.then(rule.effect)
            charge = here.then(last).on(amount)
            # Of several restrictions that make it dear together, the one that brings it past the mark.
            without = first if rule.holds else first.then(last)
            if charge > WHOLE_GAIN and here.on(amount) > WHOLE_GAIN >= without.on(amount):
                path: Path = (*rule.path, "charge", rule.charge.kind)
                yield _dear(subject, path, f"with '{rule.id}' {dearest.event} costs {shown(charge)}")


class _Candidates:
    """Prices, to ask for the dearest that a restriction can concern."""

    def __init__(self, prices: list[Price]) -> None:
        self._dearest_first = sorted(prices, key=lambda price: price.least, reverse=True)
        self._by_person: dict[str | None, list[Price]] = {}
        for price in self._dearest_first:
            self._by_person.setdefault(price.who, []).append(price)

    def dearest_for(self, rule: Rule) -> tuple[Price, Fraction] | None:
        """The dearest of the events for which it is not known never to hold, and what that costs at least before."""
        if rule.holds:
            price = max(self._dearest_first, key=lambda price: price.amount, default=None)
            return (price, price.amount) if price is not None else None
        prices = self._dearest_first
        if None in rule.excluded:
            # It concerns only people whom it names, so that not everybody has to be looked at.
            prices = [price for who in sorted(rule.named) for price in self._by_person.get(who, ())]
            prices.sort(key=lambda price: price.least, reverse=True)
        concerned = (price for price in prices if price.who is None or price.who not in rule.excluded)
        return next(((price, price.least) for price in concerned), None)


def _dear(subject: Subject, path: Path, words: str) -> Diagnostic:
    message = f"{words}, more than the whole gain of the reference, which is 1"
    hint = "prices are shares of that gain: 0.01 is a hundredth of it"
    return subject.at_value(Code.DEAR_CHARGE, path, message, hint)


def falling_prices(subject: Subject) -> Iterator[Diagnostic]:
    """Trials that are cheaper than the one before."""
    trials = subject.ruleset.trials
    if trials is None or not trials.count:
        return
    for position, (price, following) in enumerate(pairwise(trials.prices), start=1):
        if following < price:
            message = f"trial {position + 1} costs {shown(following)}, less than the {shown(price)} of the one before"
            hint = "prices that fall reward many trials; was another order meant?"
            yield subject.at_value(Code.FALLING_PRICES, ("trials", "prices", position), message, hint)
