"""Events -> charges, one at a time, over exact rationals: the general path, and the meaning of pricing in the open.

An event is priced in small steps, in this order: the list price, the person's patience, every restriction whose
condition holds. The generated function of `fastpath` does the same for whole runs of plain numbers, and gives way to
this one for everything else; each message about an event that cannot be priced is worded here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from outscore.account import Charge, Step
from outscore.diagnostics import Code, Path, RunError, json_path, nearest
from outscore.lowering import rational_function
from outscore.numbers import brief
from outscore.plan import Change, Person, Plan, Restriction
from outscore.run import Event
from outscore.times import MINUTES_PER_DAY, Moment, TimeError, read_time

Values = Mapping[str, Any]
"""What an expression may read, by name; what the event does not carry is not there."""


class Rule:
    """A change to the running charge, ready to apply."""

    __slots__ = ("_value", "_when", "kind", "path")

    def __init__(self, path: str, change: Change, when: Callable[[Values], Any] | None = None) -> None:
        self.path = path
        self.kind = change.kind
        self._value = change.value if isinstance(change.value, Fraction) else rational_function(change.value)
        self._when = when

    def apply(self, amount: Fraction, values: Values) -> Step | None:
        """This rule's step from the running charge, or None where its condition does not hold."""
        if self._when is not None and not self._when(values):
            return None
        value = self._value if isinstance(self._value, Fraction) else Fraction(self._value(values))
        if self.kind == "price":
            amount = value
        elif self.kind == "times":
            amount = amount * value
        else:
            amount = amount + value
        return Step(self.path, self.kind, value, amount)


class Tariff:
    """A plan's rules, ready to price events by; shared by all ledgers of a scorer, and immutable."""

    def __init__(self, plan: Plan, zone: ZoneInfo | None) -> None:
        self.plan = plan
        self.zone = zone
        contacts, trials, waiting = plan.contacts, plan.trials, plan.waiting
        self.contact_rules = _rules("contacts", contacts.restrictions if contacts else ())
        self.trial_rules = _rules("trials", trials.restrictions if trials else ())
        self.wait_rules = _rules("waiting", waiting.restrictions if waiting else ())
        people = contacts.people if contacts else {}
        self.past_patience = {
            name: _past_patience(f"contacts.people.{name}", person) for name, person in people.items()
        }
        anyone_else = contacts.anyone_else if contacts else None
        self.past_patience_of_others = _past_patience("contacts.anyone_else", anyone_else) if anyone_else else None


def _rules(section: str, restrictions: tuple[Restriction, ...]) -> tuple[Rule, ...]:
    return tuple(
        Rule(f"{section}.restrictions.{each.id}", each.charge, rational_function(each.when) if each.when else None)
        for each in restrictions
    )


def _past_patience(path: str, person: Person) -> Rule | None:
    return Rule(f"{path}.past_patience", person.past_patience) if person.past_patience else None


class Priced(NamedTuple):
    """An event as it would be charged next, not entered yet."""

    event: Event
    charge: Charge
    moment: Moment | None


class Ledger:
    """The charges of one run, event by event, with the counts that prices go by."""

    def __init__(self, tariff: Tariff) -> None:
        self._tariff = tariff
        self._asked: dict[str, int] = {}
        self._answered_contacts = 0
        self._trials = 0
        self._waits = 0
        self._hours = Fraction(0)
        self._first: Moment | None = None
        self._last: Moment | None = None
        self.charges: list[Charge] = []
        self.values: Values = {}
        """What the last event's rules could read, for those who explain its charge; a new mapping for each event."""

    def charge(self, event: Event) -> Charge:
        """Price the next event and enter it; raises RunError, and then nothing has changed."""
        priced = self.price(event)
        self.enter(priced)
        return priced.charge

    def price(self, event: Event) -> Priced:
        """Price an event as the next one, without entering it; raises RunError."""
        path: Path = ("events", len(self.charges))
        moment = self._moment(event, path)
        values = self.values = {**event.fields, **self._clock(moment)}
        try:
            if event.type == "contact":
                charge = self._contact(event, values, path)
            elif event.type == "trial":
                charge = self._trial(event, values, path)
            else:
                charge = self._wait(event, values, path)
        except ZeroDivisionError:
            raise _error(Code.DIVISION_BY_ZERO, "a rule divides by zero on this event", path) from None
        except KeyError as error:
            message = f"a rule reads {error.args[0]!r}, which this event does not carry"
            raise _error(Code.MISSING_VALUE, message, path, _how_to_carry(error.args[0])) from None
        if charge.amount < 0:
            last = charge.steps[-1].rule
            raise _error(
                Code.NEGATIVE_CHARGE, f"the charge comes to {brief(charge.amount)}, below zero, after {last}", path
            )
        return Priced(event, charge, moment)

    def enter(self, priced: Priced) -> None:
        """Enter the event that was priced last: the counts move on."""
        event, charge, moment = priced
        if moment is not None:
            self._first, self._last = self._first or moment, moment
        # What has no ordinal was free, and raises no count.
        if charge.nth is not None:
            if event.to is not None:
                self._asked[event.to] = charge.nth
                self._answered_contacts += 1
            elif event.hours is not None:
                self._waits = charge.nth
                self._hours += event.hours
            else:
                self._trials = charge.nth
        self.charges.append(charge)

    def _moment(self, event: Event, path: Path) -> Moment | None:
        """The event's time, checked against the times before it, whether or not a rule reads it."""
        if event.at is None:
            return None
        place = (*path, "at")
        try:
            moment = read_time(event.at, self._tariff.zone)
        except TimeError as error:
            code = Code.NO_TIMEZONE if "declares no timezone" in str(error) else Code.BAD_TIME
            raise _error(code, f"{event.at[:40]!r}: {error}", place) from None
        if self._last is None:
            return moment
        if moment.has_offset is not self._last.has_offset:
            message = "times with and without an offset are mixed in this run"
            raise _error(Code.MIXED_TIMES, message, place, "write all of a run's times one way")
        if moment.instant < self._last.instant:
            message = f"{event.at} is before the time of an earlier event"
            raise _error(Code.TIME_ORDER, message, place, "list events in the order in which they happened")
        return moment

    def _clock(self, moment: Moment | None) -> dict[str, Any]:
        """What rules may read of a time."""
        if moment is None:
            return {}
        elapsed = (moment.instant - (self._first or moment).instant) // MINUTES_PER_DAY
        return {"hour": moment.hour, "minute": moment.minute, "weekday": moment.weekday, "day": elapsed}

    def _contact(self, event: Event, values: dict[str, Any], path: Path) -> Charge:
        contacts, to = self._tariff.plan.contacts, event.to
        assert to is not None
        if contacts is None:
            raise _unexpected("contact", "contacts", path)
        person = contacts.people.get(to)
        if person is not None:
            section, past_patience = f"contacts.people.{to}", self._tariff.past_patience[to]
        elif contacts.anyone_else is not None:
            person, section = contacts.anyone_else, "contacts.anyone_else"
            past_patience = self._tariff.past_patience_of_others
        else:
            near = nearest(to, contacts.people)
            hint = f"did you mean {near!r}?" if near else "the ruleset lists no such person and has no anyone_else"
            raise _error(Code.UNKNOWN_PERSON, f"{to[:60]!r} is nobody the ruleset lists", (*path, "to"), hint)
        number = len(self.charges) + 1
        if not event.answered:
            return Charge(number, "contact", to=to, free="unanswered")
        nth = self._asked.get(to, 0) + 1
        values |= {"to": to, "nth": nth, "nth_overall": self._answered_contacts + 1}
        steps = [Step(f"{section}.price", "price", person.price, person.price)]
        if past_patience is not None and person.patience is not None and nth > person.patience:
            _take(past_patience, steps, values)
        for rule in self._tariff.contact_rules:
            _take(rule, steps, values)
        return Charge(number, "contact", to=to, nth=nth, amount=steps[-1].amount, steps=tuple(steps))

    def _trial(self, event: Event, values: dict[str, Any], path: Path) -> Charge:
        trials = self._tariff.plan.trials
        if trials is None:
            raise _unexpected("trial", "trials", path)
        number = len(self.charges) + 1
        if not trials.count:
            return Charge(number, "trial", free="not counted")
        nth = values["nth"] = self._trials + 1
        price = trials.prices[min(nth, len(trials.prices)) - 1]
        steps = [Step("trials.prices", "price", price, price)]
        for rule in self._tariff.trial_rules:
            _take(rule, steps, values)
        return Charge(number, "trial", nth=nth, amount=steps[-1].amount, steps=tuple(steps))

    def _wait(self, event: Event, values: dict[str, Any], path: Path) -> Charge:
        waiting, hours = self._tariff.plan.waiting, event.hours
        assert hours is not None
        if waiting is None:
            raise _unexpected("wait", "waiting", path)
        number = len(self.charges) + 1
        if not waiting.count:
            return Charge(number, "wait", hours=hours, free="not counted")
        nth = self._waits + 1
        values |= {"nth": nth, "hours": hours}
        free_hours = waiting.free_days * 24
        before, after = self._hours, self._hours + hours
        charged_hours = max(after - free_hours, Fraction(0)) - max(before - free_hours, Fraction(0))
        price = waiting.price_per_day * charged_hours / 24
        steps = [Step("waiting.price_per_day", "price", price, price)]
        for rule in self._tariff.wait_rules:
            _take(rule, steps, values)
        return Charge(number, "wait", nth=nth, hours=hours, amount=steps[-1].amount, steps=tuple(steps))


def _take(rule: Rule, steps: list[Step], values: Values) -> None:
    step = rule.apply(steps[-1].amount, values)
    if step is not None:
        steps.append(step)


def _unexpected(kind: str, section: str, path: Path) -> RunError:
    message = f"the ruleset has no section {section!r}, so a {kind} has no price"
    hint = "with 'count: false' in that section such events are listed and free" if kind != "contact" else None
    return _error(Code.UNEXPECTED_EVENT, message, (*path, "type"), hint)


def _how_to_carry(name: str) -> str:
    if name in ("hour", "minute", "weekday", "day"):
        return "give the event a time, 'at'"
    return f"give the event {name!r}, or let the rule ask for something else first"


def _error(code: Code, message: str, path: Path, hint: str | None = None) -> RunError:
    return RunError(code, message, path=json_path(path), hint=hint)
