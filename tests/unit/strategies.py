"""Random well-typed expression trees, and values for their names, for Hypothesis.

`trees` draws trees as `check` makes them: every kind of node, within the language's limits, and without what it
refuses (a division by a constant zero, a text compared with one that it cannot be). `environments` draws exact values
for the names, some of them absent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final

from hypothesis import strategies as st
from outscore.expression.fold import constant
from outscore.expression.names import NameInfo, Scope
from outscore.expression.parse import MAX_DEPTH, MAX_LENGTH, MAX_NODES
from outscore.expression.unparse import unparse
from outscore.plan import (
    Arithmetic,
    Call,
    Choice,
    Comparison,
    Literal,
    Logic,
    Membership,
    Name,
    Node,
    Unary,
    ValueType,
)

NAMES: Final[dict[str, NameInfo]] = {
    "hour": NameInfo("number"),
    "nth": NameInfo("number"),
    "minutes": NameInfo("number"),
    "delivered.kpi": NameInfo("number"),
    "weekday": NameInfo("text", frozenset({"mon", "sat", "sun"})),
    "to": NameInfo("text", frozenset({"chief", "clerk"}), open=True),
    "channel": NameInfo("text", frozenset({"chat", "mail"})),
    "note": NameInfo("text"),
    "urgent": NameInfo("boolean"),
    "vip": NameInfo("boolean"),
}
"""Names of every kind, unless a test has its own."""

SCOPE: Final = Scope("a test", NAMES)

ANY_TEXTS: Final = ("", "a", "it's", 'say "x"', "Grüße, 世界", "0.5", "a  b")
"""Texts for names that can have any."""

LITERALS: Final = tuple(
    Fraction(each) for each in ("0", "1", "2", "0.5", "0.1", "1.25", "9", "24", "1e-40", "1e40", "7" * 40, "1000")
)
"""Numbers as they may be written; a minus is a node of its own."""

VALUES: Final = (*LITERALS, *(Fraction(each) for each in ("-1", "-0.5", "1/3", "-22/7", "3", *"000000")))
"""Numbers as names may hold them; zero is often one, so that divisions by zero are."""


def measure(node: Node) -> tuple[int, int]:
    """The nodes and the depth of a tree."""
    sizes = [measure(each) for each in children(node)]
    return 1 + sum(nodes for nodes, _ in sizes), 1 + max((depth for _, depth in sizes), default=0)


def children(node: Node) -> tuple[Node, ...]:
    """What a node is made of."""
    match node:
        case Literal() | Name():
            return ()
        case Unary(_, operand):
            return (operand,)
        case Arithmetic(_, left, right):
            return left, right
        case Comparison(first, rest):
            return first, *(each for _, each in rest)
        case Membership(item, _, items):
            return item, *items
        case Logic(_, operands):
            return operands
        case Choice(condition, then, otherwise):
            return condition, then, otherwise
        case Call(_, arguments):
            return arguments


def is_within_limits(node: Node) -> bool:
    """Whether `check` takes the tree's canonical text."""
    nodes, depth = measure(node)
    return nodes <= MAX_NODES and depth <= MAX_DEPTH and len(unparse(node)) <= MAX_LENGTH


def environments(names: Mapping[str, NameInfo] = NAMES) -> st.SearchStrategy[dict[str, Any]]:
    """Values for the names; in three of four draws, one to three of them are absent."""
    return st.builds(fill, st.integers(0, 3), st.integers(0, 2**32), st.just(names))


def fill(absent: int, seed: int, names: Mapping[str, NameInfo]) -> dict[str, Any]:
    """Values for all names but so many."""
    random = Random(seed)
    kept = random.sample(sorted(names), max(0, len(names) - absent))
    return {name: random.choice(_values(names[name])) for name in kept}


def _values(info: NameInfo) -> Sequence[Any]:
    if info.type == "number":
        return VALUES
    if info.type == "boolean":
        return (False, True)
    return [*sorted(info.values or ANY_TEXTS), *(["someone else"] if info.open else [])]


def trees(wanted: ValueType | None = None, names: Mapping[str, NameInfo] = NAMES) -> st.SearchStrategy[Node]:
    """Trees of a type (None: a condition or a number), bushy ones and deep ones, of 1 node up to the limits."""
    kinds: list[ValueType] = ["boolean", "number"] if wanted is None else [wanted]
    # Grown from a seed, which takes a fraction of the time of drawing each node; what shrinks is the size.
    return st.builds(grow, st.sampled_from(SIZES), st.sampled_from(kinds), st.integers(0, 2**32), st.just(names))


SIZES: Final = (1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 40, 60, 90, MAX_NODES)


def grow(size: int, wanted: ValueType, seed: int, names: Mapping[str, NameInfo]) -> Node:
    """A tree of about so many nodes, always the same for the same arguments."""
    grower = _Grower(Random(seed), names)
    while True:
        node = grower.number(size, 1) if wanted == "number" else grower.condition(size, 1)
        if is_within_limits(node):
            return node
        # Its text is too long.
        size = size * 3 // 4


class _Grower:
    """Grows trees of about so many nodes, each within the language's depth."""

    def __init__(self, random: Random, names: Mapping[str, NameInfo]) -> None:
        self._random = random
        self._names = names

    def number(self, size: int, depth: int) -> Node:
        if size <= 1 or depth >= MAX_DEPTH:
            return self._name("number") if self._random.random() < 0.6 else Literal(self._pick(LITERALS))
        kind = self._pick(["-", "arithmetic", "arithmetic", "arithmetic", "choice", "several", "abs"])
        below = depth + 1
        if kind == "-":
            return Unary("-", self.number(size - 1, below))
        if kind == "arithmetic":
            left, right = self._split(size - 1, 2)
            return self._arithmetic(self.number(left, below), self.number(right, below))
        if kind == "choice":
            first, second, third = self._split(size - 1, 3)
            return Choice(self.condition(first, below), self.number(second, below), self.number(third, below))
        if kind == "several":
            return Call(self._pick(["min", "max"]), self._numbers(size - 1, below))
        return Call("abs", (self.number(size - 1, below),))

    def condition(self, size: int, depth: int) -> Node:
        if size <= 1 or depth >= MAX_DEPTH:
            return self._name("boolean") if self._random.random() < 0.7 else Literal(self._pick([True, False]))
        kind = self._pick(["not", "order", "order", "truths", "in", "logic", "logic", "choice", "text", "text"])
        below = depth + 1
        if kind == "not":
            return Unary("not", self.condition(size - 1, below))
        if kind == "order":
            first, *others = self._numbers(size - 1, below)
            signs = ["<", "<=", ">", ">=", "==", "!="]
            return Comparison(first, tuple((self._pick(signs), each) for each in others))
        if kind == "truths":
            first, *others = self._conditions(size - 1, below)
            return Comparison(first, tuple((self._pick(["==", "!="]), each) for each in others))
        if kind == "in":
            return self._membership(size - 1, below)
        if kind == "logic":
            return Logic(self._pick(["and", "or"]), tuple(self._conditions(size - 1, below)))
        if kind == "choice":
            first, second, third = self._split(size - 1, 3)
            return Choice(self.condition(first, below), self.condition(second, below), self.condition(third, below))
        return self._text_condition(size - 1, below) if depth + 2 <= MAX_DEPTH else self._name("boolean")

    def _arithmetic(self, left: Node, right: Node) -> Node:
        sign = self._pick(["+", "-", "*", "/", "/"])
        if sign == "/" and self._toss():
            right = self._name("number")
        # The language refuses a constant zero under a division.
        return Arithmetic("*" if sign == "/" and constant(right) == 0 else sign, left, right)

    def _membership(self, size: int, depth: int) -> Node:
        if self._random.random() < 0.2:
            return Membership(self.condition(size, depth), self._toss(), self._items([True, False]))
        signed = [*LITERALS, *(-each for each in LITERALS[1:])]
        return Membership(self.number(size, depth), self._toss(), self._items(signed))

    def _text_condition(self, size: int, depth: int) -> Node:
        """A comparison of texts, in which each literal is one that the other side can be."""
        name = self._name("text")
        possible = sorted(self._names[name.name].values or ANY_TEXTS)
        one, other = self._split(size, 2)
        left: Node = self._text_choice(one, depth, name, self._name("text"))
        kind = self._pick(["names", "literal", "literal", "mixed", "in", "literals"])
        if kind == "in":
            return Membership(left, self._toss(), self._items(possible))
        right: Node = self._text_choice(other, depth, Literal(self._pick(possible)), Literal(self._pick(possible)))
        if kind == "literals":
            left = right
        elif kind == "mixed":
            left, right = name, self._text_choice(other, depth, name, Literal(self._pick(possible)))
        elif kind == "names":
            right = self._name("text")
        sign = self._pick(["==", "!="])
        return Comparison(right, ((sign, left),)) if self._toss() else Comparison(left, ((sign, right),))

    def _text_choice(self, size: int, depth: int, then: Node, otherwise: Node) -> Node:
        return Choice(self.condition(size - 2, depth + 1), then, otherwise) if size > 3 else then

    def _numbers(self, size: int, depth: int) -> tuple[Node, ...]:
        return tuple(self.number(each, depth) for each in self._split(size, self._pick([2, 2, 3])))

    def _conditions(self, size: int, depth: int) -> tuple[Node, ...]:
        return tuple(self.condition(each, depth) for each in self._split(size, self._pick([2, 2, 3])))

    def _items(self, values: Sequence[Fraction | str | bool]) -> tuple[Literal, ...]:
        return tuple(Literal(self._pick(values)) for _ in range(self._random.randint(1, 3)))

    def _name(self, kind: ValueType) -> Name:
        return Name(self._pick([name for name, info in self._names.items() if info.type == kind]), kind)

    def _split(self, size: int, parts: int) -> list[int]:
        """Sizes of so many parts; often nearly all goes to one, which makes deep trees."""
        if self._random.random() < 0.5:
            sizes = [1] * parts
            sizes[self._random.randrange(parts)] = size - parts + 1
            return sizes
        return [size // parts] * parts

    def _pick(self, options: Sequence[Any]) -> Any:
        return self._random.choice(options)

    def _toss(self) -> bool:
        return self._random.random() < 0.5
