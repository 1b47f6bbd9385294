"""Bounds of an expression, the order of its tokens, and that both come before Python's parser."""

from __future__ import annotations

import ast
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.diagnostics import Code
from outscore.expression import parse as parsing
from outscore.expression.fold import constant
from outscore.expression.grammar import check_order
from outscore.expression.parse import MAX_DEPTH, MAX_LENGTH, MAX_NODES, measure, parse
from outscore.expression.tokens import read_tokens
from outscore.expression.unparse import unparse
from outscore.plan import Literal, Name, Node

from tests.unit import strategies

LIMITS: Final = {
    "characters": ("urgent".ljust(MAX_LENGTH), "urgent".ljust(MAX_LENGTH + 1)),
    "nodes": ("nth > 3 and " * 39 + "urgent and urgent", "nth > 3 and " * 39 + "urgent and urgent and urgent"),
    "items": ("nth in [" + "1," * 118 + "]", "nth in [" + "1," * 119 + "]"),
    "depth": ("not " * 19 + "urgent", "not " * 20 + "urgent"),
    "depth of a sum": ("1+" * 19 + "1", "1+" * 20 + "1"),
    "brackets": ("(" * 20 + "urgent" + ")" * 20, "(" * 21 + "urgent" + ")" * 21),
    "digits": ("nth > " + "9" * 40, "nth > " + "9" * 41),
    "exponent": ("nth > 1e-40", "nth > 1e-41"),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_limits_are_inclusive(limit: str) -> None:
    within, beyond = LIMITS[limit]
    assert parse(within)[1] == []
    parsed, [finding] = parse(beyond)
    assert parsed is None
    assert finding.code in (Code.TOO_COMPLEX, Code.BAD_NUMBER)


def test_the_limits_of_the_design() -> None:
    assert (MAX_LENGTH, MAX_NODES, MAX_DEPTH) == (500, 120, 20)


def test_length_is_looked_at_before_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "read_tokens", lambda text: pytest.fail("the text was read"))
    assert parse("(" * 501)[1][0].code is Code.TOO_COMPLEX


@pytest.mark.parametrize("error", [RecursionError, MemoryError])
def test_the_parser_running_out_is_a_finding(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(*_: object, **__: object) -> ast.AST:
        raise error

    monkeypatch.setattr(ast, "parse", run_out)
    assert [each.code for each in parse("nth > 3")[1]] == [Code.TOO_COMPLEX]


@pytest.mark.parametrize("error", [SyntaxError, ValueError])
def test_the_parser_refusing_is_a_finding(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> ast.AST:
        raise error

    monkeypatch.setattr(ast, "parse", refuse)
    [finding] = parse("  nth > 3 ")[1]
    assert (finding.code, finding.at) == (Code.BAD_EXPRESSION, (2, 9))


@pytest.mark.parametrize(
    ("text", "nodes", "depth"),
    [
        ("nth", 1, 1),
        ("-1", 2, 2),
        ("delivered.kpi", 1, 1),
        ("a + b + c", 5, 3),
        ("a < b < c", 4, 2),
        ("a and b and c", 4, 2),
        ("a and (b and c)", 5, 3),
        ("a in [1, -2, 3]", 5, 2),
        ("min(a, b, 1)", 4, 2),
        ("a if b else c", 4, 2),
        ("((a))", 1, 1),
    ],
)
def test_measure(text: str, nodes: int, depth: int) -> None:
    assert measure(ast.parse(text, mode="eval").body) == (nodes, depth)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(strategies.trees())
def test_what_is_measured_is_the_checked_tree(tree: Node) -> None:
    assert measure(ast.parse(unparse(tree), mode="eval").body) == strategies.measure(tree)


# Enough for every shape, and few enough that random ones are often right.
_VALUES: Final = ["a", "1", "'t'"]
_JOINTS: Final = ["+", "-", "*", "<", "and", "in", "not", "if", "else", ",", "."]
_SOUP: Final = st.lists(st.sampled_from([*_VALUES, *_JOINTS, "(", ")", "[", "]"]), min_size=1, max_size=9)
_SPEECH: Final = st.lists(
    st.tuples(
        st.sampled_from(["", "", "-", "not", "(", "["]),
        st.sampled_from(_VALUES),
        st.sampled_from(["", "", "", ")", "]", "if a else b", ". a", "( )", "[ a ]", ", a )"]),
        st.sampled_from([*_JOINTS, "not in"]),
    ),
    min_size=1,
    max_size=4,
).map(lambda rows: [word for row in rows for piece in row for word in piece.split()])
# Python takes these, and the language does not: refusing them is the check's own doing.
_OWN_REFUSALS: Final = ("a comma stands", "there is nothing in the brackets", "two texts stand")


@settings(max_examples=1500, derandomize=True, deadline=None)
@given(st.one_of(_SOUP, _SPEECH, _SPEECH.map(lambda words: words[:-1])))
def test_the_order_is_right_just_where_python_takes_it(words: list[str]) -> None:
    text = " ".join(words)
    tokens, findings = read_tokens(text)
    assert findings == []
    found = check_order(tokens, MAX_DEPTH)
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        assert found is not None, text
    else:
        assert found is None or found.message.startswith(_OWN_REFUSALS) or "+" in found.message, (text, found)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(strategies.trees())
def test_every_tree_passes_the_check_of_order(tree: Node) -> None:
    tokens, findings = read_tokens(unparse(tree))
    assert findings == []
    assert check_order(tokens, MAX_DEPTH) is None


def test_places_count_characters_not_bytes() -> None:
    text = '\t"世界" == note and x > 1'
    parsed, _ = parse(text)
    assert parsed is not None
    assert isinstance(parsed.tree, ast.BoolOp)
    first, second = parsed.tree.values
    assert (parsed.source(first), parsed.source(second)) == ('"世界" == note', "x > 1")
    assert parsed.at(second) == (text.index("x"), len(text))


def test_folding_leaves_alone_what_reads_a_name() -> None:
    assert constant(Name("nth", "number")) is None
    assert constant(Literal(True)) is True
