"""A checked tree + values of its names -> its value, by simpleeval: the reference evaluator.

What scores is generated from the same trees and is tested against this; it also shows the values of parts of an
expression to people. It is far too slow to score with, and nothing that scores imports it.

simpleeval gets no text, only a tree made here, with exact numbers for its literals, and none of its own functions,
operators or names.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from simpleeval import SimpleEval  # type: ignore[import-untyped,unused-ignore]

from outscore.plan import Arithmetic, Call, Choice, Comparison, Literal, Logic, Membership, Name, Node, Unary

Value = Fraction | str | bool


class MissingValue(KeyError):  # noqa: N818 (a run that lacks a value is no fault of the code)
    """A name that was reached and has no value."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(name)


def evaluate(node: Node, environment: Mapping[str, Value]) -> Value:
    """The value of a checked tree; a dotted name is one key of the environment.

    Raises MissingValue for a name that is reached and absent, and ZeroDivisionError. What `and`, `or`, a choice or a
    failed link of a comparison leaves unread may be absent.
    """
    value: Value = _Evaluator(environment).eval("", previously_parsed=_convert(node))
    return value


_OPERATORS: Final[dict[type[ast.AST], Callable[..., Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
}
_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {"min": min, "max": max, "abs": abs}
_NODES: Final = (
    ast.Name,
    ast.Constant,
    ast.UnaryOp,
    ast.BinOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.Call,
)


class _Evaluator(SimpleEval):  # type: ignore[misc,unused-ignore]
    """simpleeval, cut down to the language."""

    def __init__(self, environment: Mapping[str, Value]) -> None:
        super().__init__(operators=_OPERATORS, functions=_FUNCTIONS, names=environment)
        handlers: dict[type[ast.AST], Callable[..., Any]] = vars(self)["nodes"]
        self.nodes = {kind: handlers[kind] for kind in _NODES}

    def _eval_name(self, node: ast.Name) -> Value:
        # The original looks among the functions too, and takes any KeyError for an unknown name of its own.
        try:
            value = self.names[node.id]
        except KeyError:
            raise MissingValue(node.id) from None
        if isinstance(value, int) and not isinstance(value, bool):
            # Two whole numbers would divide into a float.
            return Fraction(value)
        if not isinstance(value, Fraction | str | bool):
            raise TypeError(f"{node.id} is a {type(value).__name__}; the reference takes exact numbers, text and bools")
        return value


def _convert(node: Node) -> ast.expr:
    """The tree in Python's terms."""
    match node:
        case Literal(value):
            return _constant(value)
        case Name(name):
            return ast.Name(id=name, ctx=ast.Load())
        case Unary(sign, operand):
            return ast.UnaryOp(op=ast.Not() if sign == "not" else ast.USub(), operand=_convert(operand))
        case Arithmetic(sign, left, right):
            return ast.BinOp(left=_convert(left), op=_ARITHMETIC[sign](), right=_convert(right))
        case Comparison(first, rest):
            operators = [_COMPARISON[sign]() for sign, _ in rest]
            return ast.Compare(left=_convert(first), ops=operators, comparators=[_convert(each) for _, each in rest])
        case Membership(item, negated, items):
            # One constant: simpleeval's core knows no lists.
            listed = _constant(tuple(each.value for each in items))
            return ast.Compare(left=_convert(item), ops=[ast.NotIn() if negated else ast.In()], comparators=[listed])
        case Logic(word, operands):
            return ast.BoolOp(op=ast.And() if word == "and" else ast.Or(), values=[_convert(each) for each in operands])
        case Choice(condition, then, otherwise):
            return ast.IfExp(test=_convert(condition), body=_convert(then), orelse=_convert(otherwise))
        case Call(function, arguments):
            called = ast.Name(id=function, ctx=ast.Load())
            return ast.Call(func=called, args=[_convert(each) for each in arguments], keywords=[])


def _constant(value: Any) -> ast.Constant:
    # Python's own trees never hold fractions, so the type of `value` does not allow them; the evaluator does.
    return ast.Constant(value=value)


_ARITHMETIC: Final[dict[str, type[ast.operator]]] = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div}
_COMPARISON: Final[dict[str, type[ast.cmpop]]] = {
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "==": ast.Eq,
    "!=": ast.NotEq,
}
