"""Two Plans -> the changes of meaning between them, rule by rule and in words.

Compares what the digest covers, and in the same way: the order of restrictions and prices counts, that of people,
measures and a field's texts does not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeVar

from outscore.explain.wording import canonical_text, effect_of, shown
from outscore.plan import Contacts, FieldType, Kpi, Person, Plan, Restriction, Trials, Values, Waiting

Kind = Literal["added", "removed", "changed", "moved"]
Part = TypeVar("Part")

SECTIONS = ("scenario", "timezone", "kpi", "fields", "contacts", "trials", "waiting", "incidents")
"""The parts of a ruleset that have meaning, in the order of the format."""


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One change of meaning."""

    section: str
    kind: Kind
    rule: str
    """Where the rule stands: `contacts.people.head_of_claims.price`; a restriction by its id."""
    subject: str
    """The rule in words: `head_of_claims: list price`."""
    old: str | None
    """What it was, in words; None where it was not there."""
    new: str | None
    """What it is now; of a moved rule, its place."""

    @property
    def words(self) -> str:
        """The change in words: `head_of_claims: list price 0.01 -> 0.02`."""
        if self.kind == "added":
            return f"{self.subject}: added, {self.new}"
        if self.kind == "removed":
            return f"{self.subject}: removed, was {self.old}"
        if self.kind == "moved":
            return f"{self.subject}: moved, {self.new}"
        return f"{self.subject} {self.old} -> {self.new}"


def rule_changes(old: Plan, new: Plan) -> Iterator[RuleChange]:
    """Every change of meaning, in the order of the format; none where the digests are one."""
    yield from _changed("scenario", "scenario", "id", old.scenario, new.scenario)
    yield from _changed("timezone", "timezone", "time zone", old.timezone or "none", new.timezone or "none")
    yield from _kpi(old.kpi, new.kpi)
    yield from _fields(old.fields, new.fields)
    yield from _contacts(old.contacts, new.contacts)
    yield from _trials(old.trials, new.trials)
    yield from _waiting(old.waiting, new.waiting)
    yield from _incidents(old, new)


def _changed(section: str, rule: str, subject: str, old: str, new: str) -> Iterator[RuleChange]:
    if old != new:
        yield RuleChange(section, "changed", rule, subject, old, new)


def _pairs(old: Mapping[str, Part], new: Mapping[str, Part]) -> Iterator[tuple[str, Part | None, Part | None]]:
    """What both have or one of them, by name: in the old order, then what is new."""
    for name in dict.fromkeys((*old, *new)):
        yield name, old.get(name), new.get(name)


# The customer's number


def _kpi(old: Kpi, new: Kpi) -> Iterator[RuleChange]:
    yield from _changed("kpi", "kpi.direction", "better is", old.direction, new.direction)
    for name in dict.fromkeys((*old.measures, *new.measures)):
        if name not in new.measures:
            yield RuleChange("kpi", "removed", "kpi.measures", f"measure {name}", "reported by runs", None)
        elif name not in old.measures:
            yield RuleChange("kpi", "added", "kpi.measures", f"measure {name}", None, "to be reported by runs")
    formulas = [canonical_text(kpi.formula) or "none, runs report the KPI itself" for kpi in (old, new)]
    yield from _changed("kpi", "kpi.formula", "formula", *formulas)
    before, after = _pinned(old), _pinned(new)
    for rule in dict.fromkeys((*before, *after)):
        subject, _ = before.get(rule) or after[rule]
        was, now = (shown(each[rule][1]) if rule in each else "not pinned" for each in (before, after))
        yield from _changed("kpi", rule, subject, was, now)


def _pinned(kpi: Kpi) -> dict[str, tuple[str, Fraction]]:
    """The pinned values by rule, each with its name in words."""
    found = {}
    systems: dict[str, Values | None] = {"baseline": kpi.pinned_baseline, "reference": kpi.pinned_reference}
    for system, values in systems.items():
        rule = f"kpi.pinned.{system}"
        if isinstance(values, Fraction):
            found[rule] = f"pinned {system}", values
        elif values is not None:
            found |= {f"{rule}.{name}": (f"pinned {system} of {name}", each) for name, each in values.items()}
    return found


# Fields


def _fields(old: Mapping[str, FieldType], new: Mapping[str, FieldType]) -> Iterator[RuleChange]:
    for name, was, now in _pairs(old, new):
        rule, subject = f"fields.{name}", f"field {name}"
        if was is None and now is not None:
            yield RuleChange("fields", "added", rule, subject, None, _kind(now))
        elif now is None and was is not None:
            yield RuleChange("fields", "removed", rule, subject, _kind(was), None)
        elif was is not None and now is not None and _sorted(was) != _sorted(now):
            yield RuleChange("fields", "changed", rule, f"{subject}: holds", _kind(was), _kind(now))


def _kind(kind: FieldType) -> str:
    return kind if isinstance(kind, str) else f"one of {', '.join(map(_listed, kind))}"


def _sorted(kind: FieldType) -> FieldType:
    return kind if isinstance(kind, str) else tuple(sorted(kind))


def _listed(text: str) -> str:
    """A text as an item of a list: in quotes where it would be lost or misread."""
    return text if text and text == text.strip() and "," not in text else f'"{text}"'


# Contacts


def _contacts(old: Contacts | None, new: Contacts | None) -> Iterator[RuleChange]:
    yield from _section("contacts", "a contact", old, new, lambda each: f"{len(each.people)} listed")
    nobody = Contacts({}, None, ())
    was, now = old or nobody, new or nobody
    for name, before, after in _pairs(was.people, now.people):
        yield from _person(f"contacts.people.{name}", name, before, after)
    yield from _person("contacts.anyone_else", "anyone else", was.anyone_else, now.anyone_else)
    yield from _restrictions("contacts", was.restrictions, now.restrictions)


def _section(
    section: str, event: str, old: Part | None, new: Part | None, words: Callable[[Part], str]
) -> Iterator[RuleChange]:
    """A section that came or went, with what stands in it in words."""
    if old is None and new is not None:
        yield RuleChange(section, "added", section, "the section", None, f"{words(new)}; {event} was an error before")
    if new is None and old is not None:
        yield RuleChange(section, "removed", section, "the section", f"{words(old)}; {event} is an error now", None)


def _person(rule: str, subject: str, old: Person | None, new: Person | None) -> Iterator[RuleChange]:
    if old is None and new is not None:
        yield RuleChange("contacts", "added", rule, subject, None, _prices(new))
    elif new is None and old is not None:
        yield RuleChange("contacts", "removed", rule, subject, _prices(old), None)
    elif old is not None and new is not None:
        yield from _changed("contacts", f"{rule}.price", f"{subject}: list price", shown(old.price), shown(new.price))
        patience = [_patience(each) for each in (old, new)]
        yield from _changed("contacts", f"{rule}.patience", f"{subject}: patience", *patience)
        past = [_past_patience(each) for each in (old, new)]
        yield from _changed("contacts", f"{rule}.past_patience", f"{subject}: past patience", *past)


def _prices(person: Person) -> str:
    price = f"list price {shown(person.price)}"
    if person.past_patience is None:
        return price
    return f"{price}, patience {_patience(person)}, past patience {_past_patience(person)}"


def _patience(person: Person) -> str:
    return "without limit" if person.patience is None else str(person.patience)


def _past_patience(person: Person) -> str:
    return "none" if person.past_patience is None else str(effect_of(person.past_patience))


# Restrictions


def _restrictions(section: str, old: tuple[Restriction, ...], new: tuple[Restriction, ...]) -> Iterator[RuleChange]:
    was, now = {each.id: each for each in old}, {each.id: each for each in new}
    moved = _moved([name for name in was if name in now], [name for name in now if name in was])
    following = dict(zip(now, [*list(now)[1:], None], strict=False))
    for name, before, after in _pairs(was, now):
        rule, subject = f"{section}.restrictions.{name}", f"restriction {name}"
        if before is None and after is not None:
            place = f"{_place(following[name])}: {_effect(after)}" if len(now) > 1 else _effect(after)
            yield RuleChange(section, "added", rule, subject, None, place)
        elif after is None and before is not None:
            yield RuleChange(section, "removed", rule, subject, _effect(before), None)
        elif before is not None and after is not None:
            conditions = [canonical_text(each.when) or "always" for each in (before, after)]
            yield from _changed(section, f"{rule}.when", f"{subject}: condition", *conditions)
            charges = [str(effect_of(each.charge)) for each in (before, after)]
            yield from _changed(section, f"{rule}.charge", f"{subject}: charge", *charges)
            if name in moved:
                yield RuleChange(section, "moved", rule, subject, ", ".join(was), f"now {_place(following[name])}")


def _place(following: str | None) -> str:
    return "last" if following is None else f"before {following}"


def _effect(restriction: Restriction) -> str:
    when = canonical_text(restriction.when)
    return f"{effect_of(restriction.charge)} {'always' if when is None else f'when {when}'}"


def _moved(old: list[str], new: list[str]) -> set[str]:
    """The fewest names that, taken out, leave the others in the same order."""
    places = {name: place for place, name in enumerate(old)}
    ends: list[int] = []
    chains: list[tuple[str, int | None]] = []
    tips: list[int] = []
    for name in new:
        length = bisect_left(ends, places[name])
        chains.append((name, tips[length - 1] if length else None))
        ends[length : length + 1] = [places[name]]
        tips[length : length + 1] = [len(chains) - 1]
    kept, at = set(), tips[-1] if tips else None
    while at is not None:
        name, at = chains[at]
        kept.add(name)
    return set(new) - kept


# Trials, waiting, incidents


def _trials(old: Trials | None, new: Trials | None) -> Iterator[RuleChange]:
    if old is not None and new is not None:
        yield from _changed("trials", "trials.count", "trials are", _count(old.count), _count(new.count))
        yield from _changed("trials", "trials.prices", "prices", _trial_prices(old), _trial_prices(new))
    else:
        yield from _section("trials", "a trial", old, new, _trials_in_words)
    yield from _restrictions("trials", old.restrictions if old else (), new.restrictions if new else ())


def _trials_in_words(trials: Trials) -> str:
    return f"{_count(trials.count)}, prices {_trial_prices(trials)}"


def _trial_prices(trials: Trials) -> str:
    return ", ".join(map(shown, trials.prices)) or "none"


def _waiting(old: Waiting | None, new: Waiting | None) -> Iterator[RuleChange]:
    if old is not None and new is not None:
        yield from _changed("waiting", "waiting.count", "waits are", _count(old.count), _count(new.count))
        prices = [shown(each.price_per_day) for each in (old, new)]
        yield from _changed("waiting", "waiting.price_per_day", "price per day", *prices)
        free = [shown(each.free_days) for each in (old, new)]
        yield from _changed("waiting", "waiting.free_days", "free days", *free)
    else:
        yield from _section("waiting", "a wait", old, new, _waiting_in_words)
    yield from _restrictions("waiting", old.restrictions if old else (), new.restrictions if new else ())


def _waiting_in_words(waiting: Waiting) -> str:
    return f"{_count(waiting.count)}, {shown(waiting.price_per_day)} a day, free days {shown(waiting.free_days)}"


def _count(count: bool) -> str:
    return "counted" if count else "not counted"


def _incidents(old: Plan, new: Plan) -> Iterator[RuleChange]:
    for name in dict.fromkeys((*old.incidents, *new.incidents)):
        rule, subject = f"incidents.{name}", f"incident {name}"
        before, after = (
            canonical_text(plan.incidents[name]) or "reported by name" if name in plan.incidents else None
            for plan in (old, new)
        )
        if before is None:
            yield RuleChange("incidents", "added", rule, subject, None, str(after))
        elif after is None:
            yield RuleChange("incidents", "removed", rule, subject, before, None)
        else:
            yield from _changed("incidents", f"{rule}.when", f"{subject}: condition", before, after)
