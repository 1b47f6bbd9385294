"""Checked rules as frozen plain data: all that passes from the language side to the running side.

A Plan is what the compiler makes of a checked ruleset and what the scorer is lowered from. It holds no text of
expressions, only their checked trees; it pickles, compares and hashes. It neither checks nor computes.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal as OneOf

import msgspec

ValueType = OneOf["number", "text", "boolean"]
"""The three types that a value in an expression can have."""

Direction = OneOf["higher", "lower"]
"""Which way the KPI is better."""


class Literal(msgspec.Struct, frozen=True):
    """A number, text, or truth value written in the expression."""

    value: Fraction | str | bool


class Name(msgspec.Struct, frozen=True):
    """A value the event or run provides: `hour`, `to`, `channel`, `delivered.missed_urgent`."""

    name: str
    type: ValueType


class Unary(msgspec.Struct, frozen=True):
    """`-x` or `not x`."""

    operator: OneOf["-", "not"]
    operand: Node


class Arithmetic(msgspec.Struct, frozen=True):
    """`x + y` and the like, on two numbers."""

    operator: OneOf["+", "-", "*", "/"]
    left: Node
    right: Node


class Comparison(msgspec.Struct, frozen=True):
    """`x < y`, chained as in `9 <= hour < 12`; operands are read left to right, once, until one link fails."""

    first: Node
    rest: tuple[tuple[OneOf["<", "<=", ">", ">=", "==", "!="], Node], ...]


class Membership(msgspec.Struct, frozen=True):
    """`x in [...]` or `x not in [...]`; the items are literals."""

    item: Node
    negated: bool
    items: tuple[Literal, ...]


class Logic(msgspec.Struct, frozen=True):
    """`x and y and ...` or `x or y or ...`; short-circuits."""

    operator: OneOf["and", "or"]
    operands: tuple[Node, ...]


class Choice(msgspec.Struct, frozen=True):
    """`a if c else b`; only the branch taken is read."""

    condition: Node
    then: Node
    otherwise: Node


class Call(msgspec.Struct, frozen=True):
    """`min`, `max` of two or more numbers, `abs` of one."""

    function: OneOf["min", "max", "abs"]
    arguments: tuple[Node, ...]


Node = Literal | Name | Unary | Arithmetic | Comparison | Membership | Logic | Choice | Call
"""A checked expression's tree."""

FieldType = OneOf["number", "text", "boolean"] | tuple[str, ...]
"""What a field may hold; a tuple lists the texts it may be."""


class Change(msgspec.Struct, frozen=True):
    """What a rule does to the running charge: replaces (`price`), multiplies (`times`) or adds (`plus`)."""

    kind: OneOf["price", "times", "plus"]
    value: Fraction | Node
    """The operand: exact, or a number-valued expression's tree."""


class Person(msgspec.Struct, frozen=True):
    """How contacts with one person are charged."""

    price: Fraction
    patience: int | None = None
    """Contacts at list price; inclusive. None: no limit."""
    past_patience: Change | None = None


class Restriction(msgspec.Struct, frozen=True):
    """A change to the charge of events for which `when` holds (None: always)."""

    id: str
    when: Node | None
    charge: Change


class Contacts(msgspec.Struct, frozen=True):
    """Who may be contacted, at what price."""

    people: dict[str, Person]
    anyone_else: Person | None
    restrictions: tuple[Restriction, ...]


class Trials(msgspec.Struct, frozen=True):
    """How trial runs are charged: the n-th at the n-th price, the last price repeats."""

    count: bool
    prices: tuple[Fraction, ...]
    restrictions: tuple[Restriction, ...]


class Waiting(msgspec.Struct, frozen=True):
    """How waiting is charged: per day, past the run's free days."""

    count: bool
    price_per_day: Fraction
    free_days: Fraction
    restrictions: tuple[Restriction, ...]


Values = Fraction | dict[str, Fraction]
"""What one system was measured at: the KPI itself, or each raw measure."""


class Kpi(msgspec.Struct, frozen=True):
    """The customer's number."""

    direction: Direction
    measures: tuple[str, ...]
    """Empty when runs report the KPI itself."""
    formula: Node | None
    pinned_baseline: Values | None
    pinned_reference: Values | None


class Plan(msgspec.Struct, frozen=True):
    """One scenario's checked rules."""

    scenario: str
    digest: str
    """`sha256:` and the hash of the rules' meaning."""
    timezone: str | None
    kpi: Kpi
    fields: dict[str, FieldType]
    contacts: Contacts | None
    trials: Trials | None
    waiting: Waiting | None
    incidents: dict[str, Node | None]
    """By id; None: the run reports it by name."""

    def __hash__(self) -> int:
        return hash(self.digest)
