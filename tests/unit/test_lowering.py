"""Generated functions against the reference evaluator: value for value, error for error, in both forms of number."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.expression.reference import MissingValue, evaluate
from outscore.fastpath.support import Unproven, absent
from outscore.lowering import Lowering, Piece, define, rational_function
from outscore.plan import Name, Node

from tests.unit import strategies

SCALE = 10**60
"""Fine enough for every number that the environments draw, thirds aside."""


def reference(tree: Node, values: dict[str, Any]) -> Any:
    """The value, or which error it is."""
    try:
        return evaluate(tree, values)
    except MissingValue as error:
        return ("missing", error.name)
    except ZeroDivisionError:
        return "division by zero"


def rational(tree: Node, values: dict[str, Any]) -> Any:
    try:
        return rational_function(tree)(values)
    except KeyError as error:
        return ("missing", error.args[0])
    except ZeroDivisionError:
        return "division by zero"


def scaled(tree: Node, values: dict[str, Any]) -> Any:
    """As `fastpath` uses it: variables, absent ones None, numbers as integers over a scale."""
    order = list(strategies.NAMES)

    def piece(name: Name) -> Piece:
        variable = f"v{order.index(name.name)}"
        return Piece(f"({variable} if {variable} is not None else absent())", SCALE if name.type == "number" else 0)

    lowering = Lowering(piece, scaled=True)
    made = lowering.lower(tree)
    source = f"def function({', '.join(f'v{index}' for index in range(len(order)))}):\n    return {made.source}\n"
    function = define(source, "function", {**lowering.constants, "absent": absent})
    try:
        value = function(*(_integer(values.get(name)) for name in order))
    except Unproven:
        return "missing"
    except ZeroDivisionError:
        return "division by zero"
    return Fraction(value, made.scale) if made.scale else value


def _integer(value: Any) -> Any:
    return int(value * SCALE) if isinstance(value, Fraction) else value


@given(strategies.trees(), strategies.environments())
@settings(max_examples=3000, deadline=None, derandomize=True)
def test_generated_functions_equal_the_reference(tree: Node, values: dict[str, Any]) -> None:
    expected = reference(tree, values)
    assert rational(tree, values) == expected
    assert type(rational(tree, values)) in (type(expected), int)
    if all((value * SCALE).denominator == 1 for value in values.values() if isinstance(value, Fraction)):
        without_name = "missing" if isinstance(expected, tuple) else expected
        assert scaled(tree, values) == without_name


@given(st.data())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_nothing_an_author_wrote_stands_in_the_source(data: st.DataObject) -> None:
    tree = data.draw(strategies.trees())
    lowering = Lowering(lambda name: Piece("name"), scaled=False)
    source = lowering.lower(tree).source
    assert '"' not in source
    assert "'" not in source


def test_a_generated_function_sees_no_builtins() -> None:
    function = define("def f():\n    return open\n", "f", {})
    with pytest.raises(NameError):
        function()
