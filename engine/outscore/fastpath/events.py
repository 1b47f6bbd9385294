"""Plan -> source of `price`: events and the counts so far to entries and their sum."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

from outscore.fastpath.support import SCALE
from outscore.fastpath.writer import Writer, names_of, price_past_patience
from outscore.plan import Change, Person, Restriction
from outscore.run import MAX_EVENTS


class EventsWriter(Writer):
    """Writes the function that prices events."""

    def price_function(self) -> None:
        self.put(0, "def price(events, counts):")
        self.put(1, "asked, overall, trials, waits, waited, first, last, aware = counts")
        self.put(1, "total = quoted = 0", "entries = []")
        self.record(1, "add = entries.append")
        self.put(1, "for event in events:")
        self.put(2, "kind = event.__class__" if self.typed else 'kind = event["type"]')
        self._contact()
        self._trial()
        self._wait()
        self.put(2, "else:")
        self.put(3, "raise Unproven")
        self.put(1, "counts[:] = asked, overall, trials, waits, waited, first, last, aware")
        self.put(1, "return entries, total, quoted", "")

    def record(self, depth: int, *lines: str) -> None:
        """Write what only a price that makes entries does."""
        if self.recording:
            self.put(depth, *lines)

    def _event(self) -> None:
        """What events of all kinds carry; written for each kind, since attributes of one class are read faster."""
        self.put(3, *(() if self.typed else ("get = event.get",)), f"n = {self.passed(1, 1)}")
        self._time()
        for name, variable in self.fields.items():
            self._field(name, variable)

    def _time(self) -> None:
        put, reads = self.put, self.reads
        put(3, f"at = {self.optional('event', 'at')}", "if at is not None:")
        put(4, f"n += {self.passed(1, 1)}", "now, offset, hour, minute, weekday = MOMENTS[at]")
        put(4, "if aware is not offset:")
        put(5, "if aware is not None:")
        put(6, "raise Unproven")
        put(5, "aware = offset", "first = now")
        put(4, "elif now < last:")
        put(5, "raise Unproven")
        put(4, "last = now")
        if "day" in reads:
            put(4, "day = (now - first) // 1440")
        used = [name for name in ("hour", "minute", "weekday", "day") if name in reads]
        if used:
            put(3, "else:")
            put(4, " = ".join(used) + " = None")

    def _field(self, name: str, variable: str) -> None:
        type_ = self.plan.fields[name]
        put = self.put
        put(3, f"{variable} = {self.optional('event', name)}", f"if {variable} is not None:")
        put(4, f"n += {self.passed(1, type_ not in ('number', 'boolean'))}")
        if type_ == "number":
            # What no rule reads is checked all the same: a run with a NaN in it is a bad run.
            self.scale_in(4, variable, SCALE)
        elif type_ == "text":
            self.refuse(4, self.no_text(variable))
        elif not self.typed:
            options = frozenset({True, False} if type_ == "boolean" else type_)
            no_boolean = f"{variable}.__class__ is not bool" if type_ == "boolean" else ""
            self.refuse(4, no_boolean or f"{variable} not in {self.lowering.bind(options)}")

    @cached_property
    def reads(self) -> set[str]:
        """Names that some rule about events reads."""
        sections = [each for each in (self.plan.contacts, self.plan.trials, self.plan.waiting) if each]
        found: set[str] = set()
        for section in sections:
            for each in section.restrictions:
                for node in (each.when, each.charge.value):
                    if node is not None and not isinstance(node, Fraction):
                        found |= names_of(node)
        return found

    def _is(self, kind: str) -> str:
        """A test for one kind of event."""
        return f"kind is {kind}" if self.typed else f'kind == "{kind}"'

    def _all_passed(self, depth: int, keys: int, texts: int) -> None:
        """Make sure that no key was passed over: here, or in sum where the text is to be held against."""
        if self.typed:
            self.put(depth, f"quoted += n + {self.passed(keys, texts)}")
        else:
            self.refuse(depth, f"len(event) != n + {self.passed(keys, texts)}")

    def _contact(self) -> None:
        put, contacts = self.put, self.plan.contacts
        put(2, f"if {self._is('contact')}:")
        if contacts is None:
            put(3, "raise Unproven")
            return
        self.see_names("contact")
        self._event()
        put(3, f"to = {self.needed('event', 'to')}")
        # The text goes into the account, and a subclass of text may be one that cannot be written out.
        self.refuse(3, "" if self.typed else "to.__class__ is not str")
        people = {name: self._tariff_of(f"contacts.people.{name}", each) for name, each in contacts.people.items()}
        table = self.lowering.bind(people)
        if contacts.anyone_else is None:
            put(3, f"tariff = {table}[to]")
        else:
            others = self._tariff_of("contacts.anyone_else", contacts.anyone_else)
            put(3, f"if to in {table}:")
            put(4, f"tariff = {table}[to]")
            put(3, "else:")
            self.refuse(4, self.no_text("to"), "not to")
            put(4, f"tariff = {self.lowering.bind(others)}")
        # Most contacts leave it out, and asking whether it is there costs less than asking for it.
        put(3, "if event.of_answered is not None:" if self.typed else "if 'answered' in event:")
        put(4, "n += 1", f"answered = {self.needed('event', 'answered')}", "if answered is not True:")
        self.refuse(5, "answered is not False")
        self._all_passed(5, 1, 1)
        self.record(5, "add((to,))")
        put(5, "continue")
        self._all_passed(3, 1, 1)
        if "nth_overall" in self.reads:
            put(3, "overall += 1")
        put(3, "nth = asked[to] + 1 if to in asked else 1")
        put(3, "patience, amount, over, steps, over_steps = tariff")
        put(3, "if nth > patience:")
        put(4, "amount = over")
        self.record(4, "steps = over_steps")
        self._restrictions("contacts", contacts.restrictions)
        # Counted last of all: an event that is given up on must leave the counts as they were.
        put(3, "asked[to] = nth", "total += amount")
        self.record(3, "add((to, nth, amount, steps))")

    def _tariff_of(self, path: str, person: Person) -> tuple[Any, ...]:
        """(patience, list price, price past patience, the steps of each), in quanta."""
        price = int(person.price * self.quanta)
        steps = ((self.rule(f"{path}.price", "price", person.price), None, price),)
        if person.patience is None or person.past_patience is None:
            return MAX_EVENTS, price, price, steps, steps
        over = int(price_past_patience(person) * self.quanta)
        change = person.past_patience
        assert isinstance(change.value, Fraction)
        return (
            person.patience,
            price,
            over,
            steps,
            (*steps, (self.rule(f"{path}.past_patience", change.kind, change.value), None, over)),
        )

    def _trial(self) -> None:
        put, trials = self.put, self.plan.trials
        put(2, f"elif {self._is('trial')}:")
        if trials is None:
            put(3, "raise Unproven")
            return
        self._event()
        self._all_passed(3, 0, 0)
        if not trials.count:
            self.record(3, "add(())")
            return
        self.see_names("trial")
        rule = self.rule("trials.prices", "price", 0)
        prices = [
            (amount, ((rule, Fraction(price), amount),))
            for price in trials.prices
            for amount in [int(price * self.quanta)]
        ]
        table = self.lowering.bind(prices)
        put(3, "trials += 1", "nth = trials")
        put(3, f"amount, steps = {table}[nth - 1 if nth < {len(prices)} else {len(prices) - 1}]")
        self._restrictions("trials", trials.restrictions)
        put(3, "total += amount")
        self.record(3, "add((nth, amount, steps))")

    def _wait(self) -> None:
        put, waiting = self.put, self.plan.waiting
        put(2, f"elif {self._is('wait')}:")
        if waiting is None:
            put(3, "raise Unproven")
            return
        self.see_names("wait")
        self._event()
        put(3, f"hours = {self.needed('event', 'hours')}")
        self.scale_in(3, "hours", self.hours_scale)
        self.refuse(3, "hours < 0")
        self._all_passed(3, 1, 0)
        if not waiting.count:
            # Five members, as no other entry has: see `entries`.
            self.record(3, "add((hours, 0, 0, 0, 0))")
            return
        free = int(waiting.free_days * 24 * self.hours_scale)
        unit = int(self.per_unit * self.quanta)
        rule = self.rule("waiting.price_per_day", "price", 0)
        put(3, "waits += 1", "nth = waits")
        put(3, f"charged = waited - {free}" if free else "charged = waited")
        put(3, "waited += hours")
        put(3, "amount = hours if charged >= 0 else charged + hours if charged + hours > 0 else 0")
        put(3, f"amount *= {unit}")
        self.record(3, f"steps = (({rule}, amount, amount),)")
        self._restrictions("waiting", waiting.restrictions)
        put(3, "total += amount")
        self.record(3, "add((hours, nth, amount, steps, None))")

    def _restrictions(self, section: str, restrictions: tuple[Restriction, ...]) -> None:
        for each in restrictions:
            depth = 3
            if each.when is not None:
                self.put(3, f"if {self.lowering.lower(each.when).source}:")
                depth = 4
            self._change(depth, f"{section}.restrictions.{each.id}", each.charge)
        if any(not isinstance(each.charge.value, Fraction) or each.charge.value < 0 for each in restrictions):
            # The final charge counts: a step below zero may be made good by a later one.
            self.put(3, "if amount < 0:")
            self.put(4, "raise Unproven")

    def _change(self, depth: int, path: str, change: Change) -> None:
        put, quanta = self.put, self.quanta
        if isinstance(change.value, Fraction):
            rule, value = self.rule(path, change.kind, change.value), change.value
            recorded = "None"
            if change.kind == "times":
                top, bottom = value.numerator, value.denominator
                if bottom == 1:
                    put(depth, f"amount *= {top}")
                else:
                    put(depth, f"amount, rest = divmod(amount * {top}, {bottom})", "if rest:")
                    put(depth + 1, "raise Unproven")
            else:
                put(depth, f"amount {'=' if change.kind == 'price' else '+='} {int(value * quanta)}")
        else:
            piece = self.lowering.lower(change.value)
            rule, recorded = self.rule(path, change.kind, piece.scale or 1), "operand"
            put(depth, f"operand = {piece.source}")
            self._operand(depth, change.kind, piece.scale)
        self.record(depth, f"steps = steps + (({rule}, {recorded}, amount),)")

    def _operand(self, depth: int, kind: str, scale: int) -> None:
        """Apply an operand that an expression gave."""
        put, quanta = self.put, self.quanta
        if kind == "times":
            exact = f"divmod(amount * operand, {scale})" if scale else "quanta_of(operand * amount, 1), 0"
        elif scale and quanta % scale == 0:
            put(depth, f"amount {'=' if kind == 'price' else '+='} operand * {quanta // scale}")
            return
        else:
            exact = f"divmod(operand * {quanta}, {scale})" if scale else f"quanta_of(Fraction(operand), {quanta}), 0"
        put(depth, f"change, rest = {exact}", "if rest:")
        put(depth + 1, "raise Unproven")
        put(depth, "amount += change" if kind == "plus" else "amount = change")
