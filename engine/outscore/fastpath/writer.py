"""The parts that both generated functions are written with: lines, names, scales, rules."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from outscore.fastpath.entries import RuleTable
from outscore.fastpath.support import BOUND, MOST_QUANTA, SCALE
from outscore.lowering import Lowering, Piece
from outscore.plan import Name, Node, Person, Plan, Restriction


class Writer:
    """Collects source lines of one plan, and the constants they refer to."""

    def __init__(self, plan: Plan, *, typed: bool, recording: bool) -> None:
        self.plan = plan
        self.recording = recording
        """Whether `price` makes entries for the account as it goes, or sums up alone."""
        self.typed = typed
        """Whether records are structs that `typed` decoded and so checked, or plain data that may hold anything."""
        self.lines: list[str] = []
        self.lowering = Lowering(self._name, scaled=True)
        self.rules: RuleTable = []
        self.pieces: dict[str, Piece] = {}
        """What names mean in the section being written."""
        self.fields = {name: f"f{index}" for index, name in enumerate(plan.fields)}
        waiting = plan.waiting
        self.hours_scale = SCALE
        while waiting and (waiting.free_days * 24 * self.hours_scale).denominator != 1:
            self.hours_scale *= 10
        self.per_unit = waiting.price_per_day / (24 * self.hours_scale) if waiting else Fraction(0)
        self.quanta = self._common_denominator()

    def optional(self, owner: str, key: str) -> str:
        """Source of a key's value, None where it is absent."""
        return f"{owner}.{attribute(key)}" if self.typed else f"get({key!r})"

    def needed(self, owner: str, key: str) -> str:
        """Source of the value of a key that must be there."""
        return f"{owner}.{attribute(key)}" if self.typed else f"{owner}[{key!r}]"

    def passed(self, keys: int, texts: int) -> str:
        """How much to count for so many keys, so many of their values being texts.

        In plain data the keys are counted, to be held against an object's length; in decoded text all that stands in
        quotes, to be held against the quotes of the text.
        """
        return str(keys + texts if self.typed else keys)

    def refuse(self, depth: int, *tests: str) -> None:
        """Give way where any of the tests holds; empty tests are none."""
        if any(tests):
            self.put(depth, f"if {' or '.join(filter(None, tests))}:")
            self.put(depth + 1, "raise Unproven")

    def no_text(self, variable: str) -> str:
        """A test for what is no text that can be written out again; none for what was decoded."""
        return (
            ""
            if self.typed
            else f"{variable}.__class__ is not str or not ({variable}.isascii() or is_unicode({variable}))"
        )

    def put(self, depth: int, *lines: str) -> None:
        self.lines += ["    " * depth + line for line in lines]

    def scale_in(self, depth: int, variable: str, scale: int) -> None:
        """Turn the variable's number into an integer over the scale."""
        put = self.put
        put(depth, f"if {variable}.__class__ is int:")
        # Text that was decoded holds no int of more digits.
        self.refuse(depth + 1, "" if self.typed else f"not -{BOUND} < {variable} < {BOUND}")
        put(depth + 1, f"{variable} *= {scale}")
        put(depth, f"elif {variable}.__class__ is float:")
        put(depth + 1, f"x = {variable}", f"{variable} = round(x * {scale})")
        put(depth + 1, f"if {variable} / {scale} != x or not -{BOUND} < {variable} < {BOUND}:")
        put(depth + 2, "raise Unproven")
        put(depth, "else:")
        put(depth + 1, f"{variable} = scaled({variable}, {scale})")

    def rule(self, path: str, kind: str, operand: Fraction | int) -> int:
        self.rules.append((path, kind, operand))
        return len(self.rules) - 1

    def see_names(self, kind: str) -> None:
        """Bind what an event of this kind may read: the variable of the generated function, and its scale."""
        self.pieces = {}
        for name, type_ in self.plan.fields.items():
            variable = f"f{list(self.plan.fields).index(name)}"
            self.pieces[name] = Piece(
                f"({variable} if {variable} is not None else absent())", SCALE * (type_ == "number")
            )
        for name in ("hour", "minute", "weekday", "day"):
            self.pieces[name] = Piece(f"({name} if {name} is not None else absent())", int(name != "weekday"))
        self.pieces["nth"] = Piece("nth", 1)
        if kind == "contact":
            self.pieces |= {"to": Piece("to"), "nth_overall": Piece("overall", 1)}
        if kind == "wait":
            self.pieces["hours"] = Piece("hours", self.hours_scale)

    def _name(self, name: Name) -> Piece:
        return self.pieces[name.name]

    def _common_denominator(self) -> int:
        plan = self.plan
        quanta = 24
        if plan.contacts:
            people = [
                *plan.contacts.people.values(),
                *([plan.contacts.anyone_else] if plan.contacts.anyone_else else []),
            ]
            prices = [price for person in people for price in (person.price, price_past_patience(person))]
            quanta = lcm(quanta, self._stream(prices, plan.contacts.restrictions, "contact"))
        if plan.trials and plan.trials.count:
            quanta = lcm(quanta, self._stream(list(plan.trials.prices), plan.trials.restrictions, "trial"))
        if plan.waiting and plan.waiting.count:
            quanta = lcm(quanta, self._stream([self.per_unit], plan.waiting.restrictions, "wait"))
        return quanta

    def _stream(self, prices: list[Fraction], restrictions: tuple[Restriction, ...], kind: str) -> int:
        """A denominator of every charge of one kind, as far as operands have a denominator known beforehand."""
        self.see_names(kind)
        common = lcm(*(price.denominator for price in prices)) if prices else 1
        for each in restrictions:
            operand = each.charge.value
            scale = operand.denominator if isinstance(operand, Fraction) else self.lowering.lower(operand).scale or 1
            wanted = common * scale if each.charge.kind == "times" else lcm(common, scale)
            # Constants that are added are followed in any case: they are decimals, so no denominator is past bearing.
            if wanted <= MOST_QUANTA or (isinstance(operand, Fraction) and each.charge.kind != "times"):
                common = wanted
        return common


def attribute(key: str) -> str:
    """The struct's attribute for a key; no key can be a word of Python this way."""
    return f"of_{key}"


def names_of(node: Node) -> set[str]:
    """The names that an expression may read."""
    if isinstance(node, Name):
        return {node.name}
    found: set[str] = set()
    for field in node.__struct_fields__:
        member = getattr(node, field)
        for each in member if isinstance(member, tuple) else (member,):
            part = each[1] if isinstance(each, tuple) else each
            if hasattr(part, "__struct_fields__"):
                found |= names_of(part)
    return found


def price_past_patience(person: Person) -> Fraction:
    """The price past patience, before restrictions."""
    change = person.past_patience
    if change is None:
        return person.price
    assert isinstance(change.value, Fraction)
    if change.kind == "price":
        return change.value
    return person.price * change.value if change.kind == "times" else person.price + change.value
