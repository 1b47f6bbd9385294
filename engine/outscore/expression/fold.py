"""A checked tree -> its value where literals alone decide it.

A part that reads a name has no constant value here, even where it could not change the result: what follows from
the ranges of names is not this module's matter.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from outscore.plan import Arithmetic, Call, Choice, Comparison, Literal, Logic, Membership, Name, Node, Unary

Value = Fraction | str | bool

COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_ARITHMETIC: Final[dict[str, Callable[[Any, Any], Fraction]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
_FUNCTIONS: Final[dict[str, Callable[..., Fraction]]] = {"min": min, "max": max, "abs": abs}


class _NotConstantError(Exception):
    """A name is read, or the types do not fit, which is reported elsewhere."""


def constant(node: Node) -> Value | None:
    """The value of a tree that reads no name; None where it reads one, or divides by zero."""
    try:
        value: Value = _fold(node)
    except (_NotConstantError, ZeroDivisionError, TypeError):
        return None
    return value


def _fold(node: Node) -> Any:
    match node:
        case Literal(value):
            return value
        case Name():
            raise _NotConstantError
        case Unary("not", operand):
            return not _fold(operand)
        case Unary(_, operand):
            return -_fold(operand)
        case Arithmetic(sign, left, right):
            return _ARITHMETIC[sign](_fold(left), _fold(right))
        case Comparison(first, rest):
            values = [_fold(first), *(_fold(each) for _, each in rest)]
            signs = [sign for sign, _ in rest]
            return all(COMPARE[sign](a, b) for sign, a, b in zip(signs, values, values[1:], strict=False))
        case Membership(item, negated, items):
            value = _fold(item)
            return any(value == each.value for each in items) is not negated
        case Logic(word, operands):
            # All are folded, so that one name among them makes the whole no constant.
            truths = [_fold(each) for each in operands]
            return all(truths) if word == "and" else any(truths)
        case Choice(condition, then, otherwise):
            branches = _fold(otherwise), _fold(then)
            return branches[bool(_fold(condition))]
        case Call(function, arguments):
            return _FUNCTIONS[function](*(_fold(each) for each in arguments))
