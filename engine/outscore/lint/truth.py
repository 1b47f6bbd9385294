"""A checked condition -> whether it is always true, always false, or depends on the event, as single names decide it.

Sound, not complete: each name by itself is followed through the values that the condition can tell apart, and whatever
else the condition reads is taken for unknown. What no single name decides stays open. That a name may be missing, or a
division fail, is not looked at: the answer is for whenever the condition comes to a value.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from outscore.expression.fold import COMPARE, constant
from outscore.lint.domains import Domain, Point
from outscore.lint.trees import children
from outscore.plan import Arithmetic, Call, Choice, Comparison, Literal, Logic, Membership, Name, Node, Unary

Masks = tuple[int, int]
"""By bits, for which of a name's points something is certainly true, and for which certainly false."""


class Verdict(NamedTuple):
    """What is known of one condition."""

    value: bool | None = None
    """What it always comes to; None: not known to be always the same."""
    name: str | None = None
    """The one name that decides it, where one does."""
    masks: Mapping[str, Masks] = {}
    """By name, where the value is None: what each value of that name, by itself, makes of it."""


_OPEN: Final = Verdict()
_SWAPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True)
class Truth:
    """One expression's conditions, judged."""

    tree: Node
    domains: Mapping[str, Domain]
    """Of every name in the tree."""
    _points: dict[str, tuple[Point, ...]] = field(default_factory=dict)
    _verdicts: dict[int, Verdict] = field(default_factory=dict)

    def __post_init__(self) -> None:
        types: dict[str, str] = {}
        cuts: dict[str, set[Fraction | str]] = {}
        for part in _parts(self.tree):
            if isinstance(part, Name):
                types[part.name] = part.type
            for name, values in self._cuts(part):
                cuts.setdefault(name, set()).update(values)
        for name, type in types.items():
            self._points[name] = self.domains[name].points(type, cuts.get(name, ()))

    def of(self, condition: Node) -> Verdict:
        """What is known of a condition in the tree (that very object, not one like it)."""
        key = id(condition)
        if key not in self._verdicts:
            self._verdicts[key] = self._judge(condition)
        return self._verdicts[key]

    def of_links(self, comparison: Comparison) -> list[Verdict]:
        """What is known of each link of a chain."""
        operands = [comparison.first, *(operand for _, operand in comparison.rest)]
        links = zip(operands, comparison.rest, operands[1:], strict=False)
        return [self._link(left, sign, right) for left, (sign, _), right in links]

    def certain(self, name: str, value: bool) -> list[str | None]:
        """The texts of a name for each of which the whole condition is always of that value; None: all others.

        Nothing where the condition does not depend on the name.
        """
        masks = self.of(self.tree).masks.get(name, (0, 0))
        mask = masks[0] if value else masks[1]
        points = self._points.get(name, ())
        return [point for bit, point in enumerate(points) if mask >> bit & 1 and (point is None or type(point) is str)]

    def named(self, name: str) -> list[str]:
        """The texts of a name that the condition tells apart."""
        return [point for point in self._points.get(name, ()) if isinstance(point, str)]

    def _judge(self, node: Node) -> Verdict:
        match node:
            case Literal(bool(value)):
                return Verdict(value)
            case Name(name, "boolean"):
                return self._about(name, lambda point: point is True)
            case Unary("not", operand):
                return _not(self.of(operand))
            case Logic("and", operands):
                return self._all([self.of(each) for each in operands])
            case Logic("or", operands):
                return _not(self._all([_not(self.of(each)) for each in operands]))
            case Choice(condition, then, otherwise):
                return self._either(self.of(condition), self.of(then), self.of(otherwise))
            case Comparison():
                return self._all(self.of_links(node))
            case Membership(item, negated, items):
                found = self._member(item, [each.value for each in items])
                return _not(found) if negated else found
        return _OPEN

    def _all(self, verdicts: list[Verdict]) -> Verdict:
        if len(verdicts) == 1:
            return verdicts[0]
        decisive = next((each for each in verdicts if each.value is False), None)
        if decisive is not None:
            return Verdict(False, decisive.name)
        if all(each.value for each in verdicts):
            names = {each.name for each in verdicts}
            return Verdict(True, names.pop() if len(names) == 1 else None)
        names_read = dict.fromkeys(name for each in verdicts for name in each.masks)
        masks = {}
        for name in names_read:
            true, false = self._full(name), 0
            for each in verdicts:
                known = self._masks(each, name)
                true, false = true & known[0], false | known[1]
            masks[name] = true, false
        return self._verdict(masks)

    def _either(self, condition: Verdict, then: Verdict, otherwise: Verdict) -> Verdict:
        """A choice between two conditions: true where both branches are, whichever is taken."""
        masks = {}
        for name in dict.fromkeys([*condition.masks, *then.masks, *otherwise.masks]):
            (yes, no), (a_true, a_false), (b_true, b_false) = (
                self._masks(each, name) for each in (condition, then, otherwise)
            )
            true = yes & a_true | no & b_true | a_true & b_true
            masks[name] = true, yes & a_false | no & b_false | a_false & b_false
        if condition.value is not None:
            return then if condition.value else otherwise
        return self._verdict(masks) if masks else Verdict(then.value if then.value is otherwise.value else None)

    def _link(self, left: Node, sign: str, right: Node) -> Verdict:
        """One comparison of two values."""
        kind = _type(left)
        if kind == "number":
            one, other = self._linear(left), self._linear(right)
            difference = one.less(other) if one is not None and other is not None else None
            return self._compared(difference, sign) if difference is not None else _OPEN
        if kind == "boolean":
            same = self._same(self.of(left), self.of(right))
            return same if sign == "==" else _not(same)
        name, value = (right, left) if isinstance(left, Literal) else (left, right)
        if isinstance(name, Name) and isinstance(value, Literal):
            same = self._about(name.name, lambda point: point == value.value)
        elif isinstance(name, Name) and name == value:
            same = Verdict(True, name.name)
        else:
            known = constant(Comparison(left, (("==", right),)))
            same = Verdict(known if isinstance(known, bool) else None)
        return same if sign == "==" else _not(same)

    def _same(self, one: Verdict, other: Verdict) -> Verdict:
        both = self._all([one, other])
        neither = self._all([_not(one), _not(other)])
        return _not(self._all([_not(both), _not(neither)]))

    def _compared(self, difference: _Linear, sign: str) -> Verdict:
        """A comparison of a linear expression with zero."""
        if difference.name is None:
            return Verdict(COMPARE[sign](difference.offset, Fraction(0)), difference.fixed)
        points = [each for each in self._points[difference.name] if isinstance(each, Fraction)]
        cut = -difference.offset / difference.factor
        sign = sign if difference.factor > 0 else _SWAPPED[sign]
        below, up_to = (1 << bisect_left(points, cut)) - 1, (1 << bisect_right(points, cut)) - 1
        full = self._full(difference.name)
        masks = {
            "<": below,
            "<=": up_to,
            ">": full & ~up_to,
            ">=": full & ~below,
            "==": up_to & ~below,
            "!=": full & ~(up_to & ~below),
        }
        return self._masked(difference.name, masks[sign])

    def _member(self, item: Node, values: list[Fraction | str | bool]) -> Verdict:
        """Whether a value is one of those listed."""
        kind = _type(item)
        if kind == "boolean":
            found = self.of(item)
            return Verdict(True) if True in values and False in values else found if True in values else _not(found)
        if kind == "text" and isinstance(item, Name):
            return self._about(item.name, lambda point: point in values)
        linear = self._linear(item) if kind == "number" else None
        if linear is not None and linear.name is None:
            return Verdict(linear.offset in values, linear.fixed)
        if linear is not None and linear.name is not None:
            roots = linear.roots(values)
            return self._about(linear.name, lambda point: point in roots)
        known = constant(Membership(item, False, tuple(Literal(each) for each in values)))
        return Verdict(known if isinstance(known, bool) else None)

    def _linear(self, node: Node) -> _Linear | None:
        """A number as factor * name + offset; None where it is anything else."""
        value = constant(node)
        if isinstance(value, Fraction):
            return _Linear(None, Fraction(0), value)
        match node:
            case Name(name, "number"):
                fixed = self.domains[name].fixed
                return _Linear(name, Fraction(1), Fraction(0)) if fixed is None else _Linear(None, fixed, fixed, name)
            case Unary("-", operand):
                inner = self._linear(operand)
                return inner.times(Fraction(-1)) if inner is not None else None
            case Arithmetic(sign, left, right):
                one, other = self._linear(left), self._linear(right)
                return one.combined(sign, other) if one is not None and other is not None else None
        return None

    def _cuts(self, node: Node) -> Iterator[tuple[str, list[Fraction | str]]]:
        """The values that a comparison or a list tells a name's values apart by."""
        match node:
            case Comparison(first, rest):
                operands = [first, *(operand for _, operand in rest)]
                for left, right in pairwise(operands):
                    yield from self._cut(left, [right])
            case Membership(item, _, items):
                yield from self._cut(item, list(items))

    def _cut(self, left: Node, others: list[Node]) -> Iterator[tuple[str, list[Fraction | str]]]:
        if _type(left) == "text":
            for name, values in ((left, others), *((other, [left]) for other in others)):
                if isinstance(name, Name):
                    texts = [each.value for each in values if isinstance(each, Literal)]
                    yield name.name, [each for each in texts if isinstance(each, str)]
        elif _type(left) == "number" and (one := self._linear(left)) is not None:
            for each in others:
                other = self._linear(each)
                difference = one.less(other) if other is not None else None
                if difference is not None and difference.name is not None:
                    yield difference.name, [-difference.offset / difference.factor]

    def _full(self, name: str) -> int:
        return (1 << len(self._points[name])) - 1

    def _masks(self, verdict: Verdict, name: str) -> Masks:
        if verdict.value is not None:
            return (self._full(name), 0) if verdict.value else (0, self._full(name))
        return verdict.masks.get(name, (0, 0))

    def _about(self, name: str, holds: Callable[[Point], bool]) -> Verdict:
        return self._masked(name, sum(1 << bit for bit, point in enumerate(self._points[name]) if holds(point)))

    def _masked(self, name: str, true: int) -> Verdict:
        return self._verdict({name: (true, self._full(name) & ~true)})

    def _verdict(self, masks: Mapping[str, Masks]) -> Verdict:
        for name, (true, false) in masks.items():
            full = self._full(name)
            if full in (true, false):
                return Verdict(true == full, name)
        return Verdict(None, None, masks)


def _not(verdict: Verdict) -> Verdict:
    if verdict.value is not None:
        return Verdict(not verdict.value, verdict.name)
    return Verdict(None, None, {name: (false, true) for name, (true, false) in verdict.masks.items()})


class _Linear(NamedTuple):
    """factor * name + offset; without a name, the offset alone."""

    name: str | None
    factor: Fraction
    offset: Fraction
    fixed: str | None = None
    """A name with one value only that went into the offset."""

    def times(self, by: Fraction) -> _Linear:
        if by == 0:
            return _Linear(None, Fraction(0), Fraction(0), self.name or self.fixed)
        return _Linear(self.name, self.factor * by, self.offset * by, self.fixed)

    def plus(self, other: _Linear) -> _Linear | None:
        name, fixed = self.name or other.name, self.fixed or other.fixed
        if self.name is not None and other.name not in (None, name):
            return None
        own, others = (each.factor if each.name is not None else Fraction(0) for each in (self, other))
        factor, offset = own + others, self.offset + other.offset
        # What cancels out leaves a constant, which holds for every value of the name.
        return _Linear(name, factor, offset, fixed) if factor else _Linear(None, factor, offset, fixed or name)

    def less(self, other: _Linear) -> _Linear | None:
        return self.plus(other.times(Fraction(-1)))

    def combined(self, sign: str, other: _Linear) -> _Linear | None:
        match sign:
            case "+":
                return self.plus(other)
            case "-":
                return self.less(other)
            case "*" if other.name is None:
                return self.times(other.offset)
            case "*" if self.name is None:
                return other.times(self.offset)
            case "/" if other.name is None and other.offset:
                return self.times(1 / other.offset)
        return None

    def roots(self, values: list[Fraction | str | bool]) -> frozenset[Fraction]:
        """For which values of the name it is one of these."""
        return frozenset((each - self.offset) / self.factor for each in values if isinstance(each, Fraction))


def _type(node: Node) -> str:
    match node:
        case Literal(value):
            return "boolean" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"
        case Name(_, kind):
            return kind
        case Choice(_, then):
            return _type(then)
        case Unary("-") | Arithmetic() | Call():
            return "number"
        case _:
            return "boolean"


def _parts(node: Node) -> Iterator[Node]:
    yield node
    for child in children(node):
        yield from _parts(child)
