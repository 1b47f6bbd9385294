"""A checked tree + the values at hand -> what the expression read, and what its parts came to.

Values are worked out by the reference evaluator, one part at a time; only what is reached is read, as when scoring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from outscore.expression.reference import Value, evaluate
from outscore.expression.unparse import unparse
from outscore.plan import Arithmetic, Call, Choice, Comparison, Literal, Logic, Membership, Name, Node, Unary

Environment = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Reading:
    """One evaluation of an expression."""

    text: str
    """The expression's canonical text."""
    value: Value
    names: tuple[tuple[str, Value], ...]
    """The names that were read, with their values, in the order of reading."""
    parts: tuple[tuple[str, Value], ...]
    """The parts that were reached, inner ones first, with their values; names, literals and the whole left out."""


def read(node: Node, environment: Mapping[str, Value | int]) -> Reading:
    """Evaluate the tree and keep what was seen; raises what `evaluate` raises."""
    values: dict[str, Value] = {
        name: Fraction(each) if isinstance(each, int) and not isinstance(each, bool) else each
        for name, each in environment.items()
    }
    names: dict[str, Value] = {}
    parts: dict[str, Value] = {}
    for part in _reached(node, values):
        if isinstance(part, Name):
            names[part.name] = evaluate(part, values)
        elif not isinstance(part, Literal) and part is not node:
            parts[unparse(part)] = evaluate(part, values)
    return Reading(unparse(node), evaluate(node, values), tuple(names.items()), tuple(parts.items()))


def _reached(node: Node, values: Environment) -> Iterator[Node]:
    """The parts that are reached, each after its own parts; the order is the order of reading."""
    match node:
        case Literal() | Name():
            pass
        case Unary(_, operand):
            yield from _reached(operand, values)
        case Arithmetic(_, left, right):
            yield from _reached(left, values)
            yield from _reached(right, values)
        case Comparison(first, rest):
            yield from _reached_links(first, rest, values)
        case Membership(item):
            yield from _reached(item, values)
        case Logic(word, operands):
            for each in operands:
                yield from _reached(each, values)
                if evaluate(each, values) is (word == "or"):
                    break
        case Choice(condition, then, otherwise):
            yield from _reached(condition, values)
            yield from _reached(then if evaluate(condition, values) else otherwise, values)
        case Call(_, arguments):
            for each in arguments:
                yield from _reached(each, values)
    yield node


def _reached_links(first: Node, rest: tuple[tuple[str, Node], ...], values: Environment) -> Iterator[Node]:
    yield from _reached(first, values)
    before = first
    for sign, operand in rest:
        yield from _reached(operand, values)
        if not evaluate(Comparison(before, ((sign, operand),)), values):  # type: ignore[arg-type]
            break
        before = operand
