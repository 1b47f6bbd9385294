"""The reference evaluator against a plain interpreter on Fractions, and how far simpleeval is cut down."""

from __future__ import annotations

import ast
import operator
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

import pytest
import simpleeval
from hypothesis import given, settings
from outscore.expression import reference
from outscore.expression.fold import constant
from outscore.expression.reference import MissingValue, evaluate
from outscore.plan import Arithmetic, Call, Choice, Comparison, Literal, Logic, Membership, Name, Node, Unary

from tests.unit import strategies

_SIGNS: Final[dict[str, Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class _Absent(Exception):  # noqa: N818
    """A name without a value."""


def interpret(node: Node, environment: Mapping[str, Any]) -> Any:
    """What a tree means, spelled out."""
    match node:
        case Literal(value):
            return value
        case Name(name):
            if name not in environment:
                raise _Absent(name)
            return environment[name]
        case Unary(sign, operand):
            value = interpret(operand, environment)
            return not value if sign == "not" else 0 - value
        case Arithmetic(sign, left, right):
            first = interpret(left, environment)
            return _SIGNS[sign](first, interpret(right, environment))
        case Comparison(first, rest):
            left_value = interpret(first, environment)
            for sign, each in rest:
                right_value = interpret(each, environment)
                if not _SIGNS[sign](left_value, right_value):
                    return False
                left_value = right_value
            return True
        case Membership(item, negated, items):
            value = interpret(item, environment)
            found = [each for each in items if each.value == value]
            return (not found) if negated else bool(found)
        case Logic(word, operands):
            for each in operands:
                if interpret(each, environment) is (word == "or"):
                    return word == "or"
            return word == "and"
        case Choice(condition, then, otherwise):
            return interpret(then if interpret(condition, environment) else otherwise, environment)
        case Call("abs", (argument,)):
            value = interpret(argument, environment)
            return value if value >= 0 else 0 - value
        case Call(function, arguments):
            values = sorted(interpret(each, environment) for each in arguments)
            return values[0] if function == "min" else values[-1]


def outcome_of_reference(tree: Node, environment: Mapping[str, Any]) -> tuple[str, Any]:
    try:
        return "value", evaluate(tree, environment)
    except MissingValue as error:
        return "missing", error.name
    except ZeroDivisionError:
        return "undefined", None


def outcome(tree: Node, environment: Mapping[str, Any]) -> tuple[str, Any]:
    try:
        return "value", interpret(tree, environment)
    except _Absent as error:
        return "missing", error.args[0]
    except ZeroDivisionError:
        return "undefined", None


@settings(max_examples=1500, derandomize=True, deadline=None)
@given(strategies.trees(), strategies.environments(), strategies.environments())
def test_the_reference_agrees_with_plain_fractions(tree: Node, one: dict[str, Any], other: dict[str, Any]) -> None:
    for environment in (one, other):
        found, wanted = outcome_of_reference(tree, environment), outcome(tree, environment)
        assert (found, type(found[1])) == (wanted, type(wanted[1]))


@settings(max_examples=500, derandomize=True, deadline=None)
@given(strategies.trees())
def test_a_constant_is_what_needs_no_names(tree: Node) -> None:
    value = constant(tree)
    has_names = any(isinstance(each, Name) for each in walk(tree))
    if has_names:
        assert value is None
    else:
        kind, wanted = outcome(tree, {})
        # A division by zero that is not reached leaves no constant either; none is needed.
        assert value is None if kind == "undefined" else value in (None, wanted)


def walk(node: Node) -> Iterator[Node]:
    yield node
    for each in strategies.children(node):
        yield from walk(each)


def test_the_random_trees_cover_the_language() -> None:
    """What the laws above are worth: every node kind, the limits, and every kind of outcome is drawn."""
    kinds: Counter[Any] = Counter()
    outcomes: Counter[str] = Counter()
    sizes, depths = [], []
    for seed in range(400):
        size = strategies.SIZES[seed % len(strategies.SIZES)]
        tree = strategies.grow(size, "boolean" if seed % 2 else "number", seed, strategies.NAMES)
        nodes, depth = strategies.measure(tree)
        sizes.append(nodes)
        depths.append(depth)
        kinds.update((type(each), getattr(each, "operator", getattr(each, "function", None))) for each in walk(tree))
        outcomes[outcome(tree, strategies.fill(seed % 4, seed, strategies.NAMES))[0]] += 1
    wanted = [(Literal, None), (Name, None), (Comparison, None), (Membership, None), (Choice, None)]
    wanted += [(Unary, "-"), (Unary, "not"), (Logic, "and"), (Logic, "or")]
    wanted += [(Arithmetic, sign) for sign in "+-*/"] + [(Call, name) for name in ("min", "max", "abs")]
    assert set(kinds) == set(wanted)
    assert min(kinds.values()) >= 30
    assert min(outcomes[each] for each in ("value", "missing", "undefined")) >= 20
    assert max(sizes) > 80
    assert max(depths) == 20


NTH: Final = Name("nth", "number")
URGENT: Final = Name("urgent", "boolean")
ONE: Final = Literal(Fraction(1))


def test_missing_value_is_a_key_error_that_names_it() -> None:
    with pytest.raises(KeyError) as caught:
        evaluate(Name("delivered.kpi", "number"), {"delivered": Fraction(1)})
    assert isinstance(caught.value, MissingValue)
    assert caught.value.name == "delivered.kpi"


def test_a_missing_name_is_not_looked_for_among_functions() -> None:
    with pytest.raises(MissingValue):
        evaluate(Name("min", "number"), {})


def test_whole_numbers_divide_exactly() -> None:
    found = evaluate(Arithmetic("/", NTH, Name("hour", "number")), {"nth": 1, "hour": 3})
    assert found == Fraction(1, 3)


@pytest.mark.parametrize("value", [0.5, None, [1], {"a": 1}, (1,), object(), print])
def test_only_exact_scalars_are_bound(value: Any) -> None:
    with pytest.raises(TypeError, match="nth is a"):
        evaluate(NTH, {"nth": value})


def test_long_texts_of_a_run_are_compared_as_they_are() -> None:
    text = "x" * 200_000
    assert evaluate(Comparison(Name("note", "text"), (("==", Name("to", "text")),)), {"note": text, "to": text})


def test_nothing_of_simpleevals_own_is_left() -> None:
    evaluator = reference._Evaluator({})
    assert not any(function in evaluator.functions.values() for function in simpleeval.DEFAULT_FUNCTIONS.values())
    assert set(evaluator.functions) == {"min", "max", "abs"}
    assert not {ast.Pow, ast.Mod, ast.FloorDiv, ast.LShift, ast.BitOr, ast.Invert, ast.Is} & set(evaluator.operators)
    for text in ("'a'.ljust(3)", "x[0]", "f'{x}'", "x ** 2", "x % 2", "rand()", "int(x)", "[1]", "x.real", "(1, 2)"):
        tree = ast.parse(text, mode="eval").body
        with pytest.raises((simpleeval.InvalidExpression, MissingValue)):
            reference._Evaluator({"x": Fraction(1)}).eval("", previously_parsed=tree)


def test_loading_a_ruleset_does_not_import_it() -> None:
    code = (
        "import sys, outscore.expression.check, outscore.expression.unparse, outscore.expression.names;"
        "assert not {'simpleeval', 'pydantic', 'jsonschema', 'outscore.expression.reference'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
