"""The canonical text: numbers and quotes. Brackets are held by the law that it reads back as the same tree."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.expression.unparse import unparse
from outscore.numbers import MAX_EXPONENT, read_number
from outscore.plan import Arithmetic, Call, Literal, Name, Unary


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0", "0"),
        ("1000", "1000"),
        ("0.5", "0.5"),
        ("1/8", "0.125"),
        ("0.0001", "0.0001"),
        ("-2.5", "-2.5"),
        ("1e40", "1e40"),
        ("12e39", "12e39"),
        ("1e-40", "1e-40"),
        ("1e22", "10000000000000000000000"),
        ("1/3", "(1 / 3)"),
        ("-22/7", "(-22 / 7)"),
    ],
)
def test_numbers(value: str, text: str) -> None:
    assert unparse(Literal(Fraction(value))) == text


@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.integers(0, 10**40 - 1), st.integers(-MAX_EXPONENT, MAX_EXPONENT))
def test_every_number_that_can_be_written_reads_back(digits: int, exponent: int) -> None:
    value = Fraction(digits) / 10 ** (len(str(digits)) - 1) * Fraction(10) ** exponent
    assert Fraction(read_number(unparse(Literal(value)))) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [("sat", '"sat"'), ("", '""'), ("it's", '"it\'s"'), ('say "x"', "'say \"x\"'"), ("世界", '"世界"')],
)
def test_texts(value: str, text: str) -> None:
    assert unparse(Literal(value)) == text


def test_a_text_with_both_quotes_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="no expression can hold"):
        unparse(Literal("\"'"))


def test_literals_that_no_text_makes_still_bind_rightly() -> None:
    third, minus = Literal(Fraction(1, 3)), Literal(Fraction(-1))
    nth = Name("nth", "number")
    assert unparse(Arithmetic("*", third, nth)) == "(1 / 3) * nth"
    assert unparse(Arithmetic("-", nth, minus)) == "nth - -1"
    assert unparse(Unary("-", minus)) == "--1"
    assert unparse(Call("max", (minus, third))) == "max(-1, (1 / 3))"
