"""Numbers in and out: exact, within limits, cut towards minus infinity."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.numbers import NumberError, cut, exact_places, nearest_double, read_number, take_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("0", "0"), ("-0", "0"), ("-0.0", "0"), ("0.1", "1/10"), ("1e-2", "1/100"), ("2.0", "2"), ("1.5E+3", "1500")),
        *(
            (".5", "1/2"),
            ("5.", "5"),
            ("+3", "3"),
            ("1" * 40, "1" * 40),
            ("1e40", "1" + "0" * 40),
            ("1e-40", "1/1" + "0" * 40),
        ),
    ],
)
def test_text_is_read_as_written(text: str, value: str) -> None:
    assert Fraction(read_number(text)) == Fraction(value)
    assert isinstance(read_number(text), int) == (Fraction(value).denominator == 1)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "-",
            ".",
            "e5",
            "1e",
            "0x10",
            "1_000",
            "1,5",
            " 1",
            "1 ",
            "1\n",
            "nan",
            "inf",
            "Infinity",
            "１",
            "--1",
            "1e5.0",
        ),
        *(
            "1" * 41,
            "1." + "0" * 40,
            "1e41",
            "1e-41",
            "1e999999999999999999",
            "1e-999999999999999999",
            "9" * 5000,
        ),
    ],
)
def test_what_cannot_be_taken_is_refused(text: str) -> None:
    with pytest.raises(NumberError):
        read_number(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=500, deadline=None, derandomize=True)
def test_a_float_means_its_shortest_repr(value: float) -> None:
    try:
        taken = take_number(value)
    except NumberError:
        assert value != 0
        assert not 1e-40 <= abs(value) < 1e41
    else:
        assert Fraction(taken) == Fraction(Decimal(repr(value)))


@pytest.mark.parametrize(
    "value", [True, False, "1", None, float("nan"), float("inf"), Decimal("sNaN"), [], 1j, 10**41, b"1"]
)
def test_other_python_values_are_refused(value: object) -> None:
    with pytest.raises(NumberError):
        take_number(value)


@given(st.fractions(), st.integers(0, 8))
@settings(max_examples=500, deadline=None, derandomize=True)
def test_decimals_for_people_are_cut_down(value: Fraction, places: int) -> None:
    shown = Fraction(cut(value, places))
    assert shown <= value < shown + Fraction(1, 10**places)


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [
        ("4/5", 4, "0.8000"),
        ("79999/100000", 4, "0.7999"),
        ("-1/40", 4, "-0.0250"),
        ("-1/3", 2, "-0.34"),
        ("0", 2, "0.00"),
        ("7", 0, "7"),
    ],
)
def test_cut(value: str, places: int, shown: str) -> None:
    assert cut(Fraction(value), places) == shown


def test_zero_is_never_negative_and_the_range_is_the_doubles() -> None:
    assert str(nearest_double(0, 7)) == "0.0"
    with pytest.raises(OverflowError):
        nearest_double(10**400, 1)


@pytest.mark.parametrize(
    ("value", "places"),
    [("0", 0), ("-7", 0), ("1/2", 1), ("3/40", 3), ("-1/125", 3), ("1/1024", 10), ("1/3", None), ("-7/15", None)],
)
def test_places_that_say_it_exactly(value: str, places: int | None) -> None:
    exact = Fraction(value)
    assert exact_places(exact) == places
    if places is not None:
        assert Fraction(cut(exact, places)) == exact
