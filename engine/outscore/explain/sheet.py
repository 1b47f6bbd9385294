"""A checked Ruleset, its Plan and its Document -> the price sheet: what everything costs before any run is seen.

Restrictions are listed, not applied: whether one holds is known only from a run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from outscore.diagnostics import Path
from outscore.document import Document
from outscore.explain.reach import Reach
from outscore.explain.wording import Band, Effect, bands_in_words, canonical_text, effect_of, shown
from outscore.formula import RESOLVED_AT
from outscore.ledger import Rule
from outscore.lowering import rational_function
from outscore.plan import Kpi, Person, Plan, Values
from outscore.ruleset import Ruleset
from outscore.ruleset.model import Person as PersonModel
from outscore.ruleset.model import Restrictions

AFFORDABLE_COST: Final = 1 - RESOLVED_AT
"""The contact cost at which a delivery as good as the reference, of uplift 1, still resolves."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One pinned system."""

    measures: Mapping[str, Fraction] | None
    """None where runs report the KPI itself."""
    kpi: Fraction


@dataclass(frozen=True, slots=True)
class KpiRule:
    """The customer's number."""

    name: str
    unit: str
    direction: str
    measures: tuple[str, ...]
    formula: str | None
    baseline: Measured | None
    """Where it is pinned; the reference likewise."""
    reference: Measured | None
    line: int


@dataclass(frozen=True, slots=True)
class RestrictionRule:
    """A rule that may change charges."""

    id: str
    why: str
    when: str | None
    """The condition's canonical text; None: always."""
    charge: Effect
    line: int


@dataclass(frozen=True, slots=True)
class PersonPrices:
    """What contacts with one person cost."""

    id: str | None
    """None: anyone who is not listed, each id counted by itself."""
    role: str
    price: Fraction
    patience: int | None
    past_patience: Effect | None
    bands: tuple[Band, ...]
    """The n-th contact's charge, before restrictions."""
    affordable: int | None
    """How many contacts a delivery as good as the reference can afford, before restrictions; None: without limit."""
    restrictions: tuple[str, ...]
    """Ids of those that are not proven never to hold for this person."""
    line: int

    @property
    def words(self) -> str:
        """The patience in words."""
        return bands_in_words("contact", self.bands)


@dataclass(frozen=True, slots=True)
class ContactPrices:
    """What contacts cost."""

    people: tuple[PersonPrices, ...]
    anyone_else: PersonPrices | None
    restrictions: tuple[RestrictionRule, ...]
    line: int


@dataclass(frozen=True, slots=True)
class TrialPrices:
    """What trials cost."""

    count: bool
    bands: tuple[Band, ...]
    """The n-th trial's charge, before restrictions; empty where trials do not count."""
    restrictions: tuple[RestrictionRule, ...]
    line: int

    @property
    def words(self) -> str:
        """The prices in words."""
        return bands_in_words("trial", self.bands) if self.count else "not counted: trials are listed, and free"


@dataclass(frozen=True, slots=True)
class WaitPrices:
    """What waiting costs."""

    count: bool
    price_per_day: Fraction
    free_days: Fraction
    restrictions: tuple[RestrictionRule, ...]
    line: int

    @property
    def words(self) -> str:
        """The price in words."""
        if not self.count:
            return "not counted: waits are listed, and free"
        price = f"{shown(self.price_per_day)} a day"
        if not self.free_days:
            return price
        if self.free_days == 1:
            return f"{price}; the first day of the run's waiting is free"
        return f"{price}; the first {shown(self.free_days)} days of the run's waiting are free"


@dataclass(frozen=True, slots=True)
class IncidentRule:
    """What must not happen."""

    id: str
    why: str
    when: str | None
    """The condition's canonical text; None: the run reports it by name."""
    line: int


@dataclass(frozen=True, slots=True)
class PriceSheet:
    """A ruleset in words and numbers."""

    file: str
    scenario: str
    title: str
    description: str
    timezone: str | None
    digest: str
    kpi: KpiRule
    contacts: ContactPrices | None
    trials: TrialPrices | None
    waiting: WaitPrices | None
    incidents: tuple[IncidentRule, ...]


def price_sheet(ruleset: Ruleset, plan: Plan, document: Document) -> PriceSheet:
    """The price sheet of a checked ruleset; `plan` is what it compiles to, `document` what it was read from."""
    return _Writer(ruleset, plan, document).sheet()


@dataclass(frozen=True)
class _Writer:
    """The three views of one ruleset: its words, its exact rules, its lines."""

    ruleset: Ruleset
    plan: Plan
    document: Document

    def sheet(self) -> PriceSheet:
        plan, ruleset = self.plan, self.ruleset
        return PriceSheet(
            file=self.document.name,
            scenario=plan.scenario,
            title=ruleset.title,
            description=ruleset.description,
            timezone=plan.timezone,
            digest=plan.digest,
            kpi=self._kpi(plan.kpi),
            contacts=self._contacts(),
            trials=self._trials(),
            waiting=self._waiting(),
            incidents=tuple(
                IncidentRule(name, ruleset.incidents[name].why, canonical_text(when), self._line("incidents", name))
                for name, when in plan.incidents.items()
            ),
        )

    def _line(self, *path: str | int) -> int:
        return line_of(self.document, path)

    def _kpi(self, kpi: Kpi) -> KpiRule:
        words = self.ruleset.kpi
        return KpiRule(
            name=words.name,
            unit=words.unit,
            direction=kpi.direction,
            measures=kpi.measures,
            formula=canonical_text(kpi.formula),
            baseline=_measured(kpi, kpi.pinned_baseline),
            reference=_measured(kpi, kpi.pinned_reference),
            line=self._line("kpi", "formula"),
        )

    def _contacts(self) -> ContactPrices | None:
        contacts, words = self.plan.contacts, self.ruleset.contacts
        if contacts is None or words is None:
            return None
        reaches = [(each.id, Reach(each.when)) for each in contacts.restrictions]
        people = tuple(
            self._person(
                name,
                person,
                words.people[name],
                tuple(id for id, reach in reaches if reach.has(name)),
                ("contacts", "people", name),
            )
            for name, person in contacts.people.items()
        )
        anyone_else = None
        if contacts.anyone_else is not None and words.anyone_else is not None:
            may_apply = tuple(id for id, reach in reaches if reach.has_others(contacts.people))
            path: Path = ("contacts", "anyone_else")
            anyone_else = self._person(None, contacts.anyone_else, words.anyone_else, may_apply, path)
        restrictions = self._restrictions("contacts", words.restrictions)
        return ContactPrices(people, anyone_else, restrictions, self._line("contacts"))

    def _person(
        self, name: str | None, person: Person, words: PersonModel, restrictions: tuple[str, ...], path: Path
    ) -> PersonPrices:
        bands = bands_of(person)
        past = effect_of(person.past_patience) if person.past_patience else None
        return PersonPrices(
            name,
            words.role,
            person.price,
            person.patience,
            past,
            bands,
            affordable(bands),
            restrictions,
            self._line(*path),
        )

    def _trials(self) -> TrialPrices | None:
        trials, words = self.plan.trials, self.ruleset.trials
        if trials is None or words is None:
            return None
        bands = _trial_bands(trials.prices) if trials.count else ()
        return TrialPrices(
            trials.count, bands, self._restrictions("trials", words.restrictions), self._line("trials", "prices")
        )

    def _waiting(self) -> WaitPrices | None:
        waiting, words = self.plan.waiting, self.ruleset.waiting
        if waiting is None or words is None:
            return None
        restrictions = self._restrictions("waiting", words.restrictions)
        line = self._line("waiting", "price_per_day")
        return WaitPrices(waiting.count, waiting.price_per_day, waiting.free_days, restrictions, line)

    def _restrictions(self, section: str, words: Restrictions) -> tuple[RestrictionRule, ...]:
        rules = getattr(self.plan, section).restrictions
        return tuple(
            RestrictionRule(
                rule.id,
                each.why,
                canonical_text(rule.when),
                effect_of(rule.charge),
                self._line(section, "restrictions", position),
            )
            for position, (rule, each) in enumerate(zip(rules, words, strict=True))
        )


def line_of(document: Document, path: Path) -> int:
    """The line of a key or list item; of the longest part of its path where it is not written out."""
    return document.key_span(path).line


def _measured(kpi: Kpi, values: Values | None) -> Measured | None:
    if values is None:
        return None
    return Measured(values if isinstance(values, dict) else None, kpi_of(kpi, values))


def kpi_of(kpi: Kpi, values: Values) -> Fraction:
    """The KPI that a system's values come to."""
    if isinstance(values, Fraction):
        return values
    assert kpi.formula is not None
    return Fraction(rational_function(kpi.formula)(values))


def bands_of(person: Person) -> tuple[Band, ...]:
    """A person's n-th contact's charge, before restrictions."""
    if person.past_patience is None or person.patience is None:
        return (Band(1, None, person.price),)
    step = Rule("past_patience", person.past_patience).apply(person.price, {})
    past = step.amount if step is not None else person.price
    return _joined(
        [*([Band(1, person.patience, person.price)] if person.patience else []), Band(person.patience + 1, None, past)]
    )


def _trial_bands(prices: tuple[Fraction, ...]) -> tuple[Band, ...]:
    *early, last = prices
    return _joined([*(Band(nth, nth, price) for nth, price in enumerate(early, 1)), Band(len(prices), None, last)])


def _joined(bands: list[Band]) -> tuple[Band, ...]:
    """The bands with neighbours of one charge made one."""
    joined: list[Band] = []
    for band in bands:
        if joined and joined[-1].charge == band.charge:
            joined[-1] = Band(joined[-1].first, band.last, band.charge)
        else:
            joined.append(band)
    return tuple(joined)


def affordable(bands: tuple[Band, ...]) -> int | None:
    """How many events of these bands cost no more than AFFORDABLE_COST in all; None: without limit.

    Where a charge would be below zero the count ends, since a run that is charged so is not scored.
    """
    count, left = 0, AFFORDABLE_COST
    for band in bands:
        if band.charge < 0:
            break
        size = None if band.last is None else band.last - band.first + 1
        most = None if band.charge == 0 else left // band.charge
        if size is None or (most is not None and most < size):
            return None if most is None else count + most
        count, left = count + size, left - size * band.charge
    return count
