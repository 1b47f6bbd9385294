"""Text, or a Python number -> an exact number, and back out at the edge.

An exact number is what was written: an `int`, or a `Decimal` whose digits are the text's. Arithmetic is
done on `Fraction` (or, where scoring is fast, on integers over a common denominator), never on a float.
A number leaves exactness once, here: as the nearest double, as text, or cut for people.
"""

from __future__ import annotations

import operator
import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

MAX_DIGITS: Final = 40
"""Most significant digits that a number may be written with."""

MAX_EXPONENT: Final = 40
"""Largest scientific exponent, either way, that a number may be written with."""

Number = int | Decimal
"""A number as written: whole, or a decimal that keeps its digits."""

# JSON's grammar, and YAML 1.2's core where it is wider (a sign, a bare leading or trailing point).
# `[0-9]` and not `\d`: digits of other scripts are text.
_LITERAL: Final = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")

# Longer than any literal that could pass: a bound on the work, since digits alone decide the rest.
_MAX_LITERAL: Final = 4 * (MAX_DIGITS + MAX_EXPONENT)


class NumberError(ValueError):
    """A number that cannot be taken; the message says what is wrong with it, without its place."""


def read_number(text: str) -> Number:
    """Read a decimal literal exactly.

    Raises NumberError for what is no decimal literal, and for one beyond 40 significant digits or a
    scientific exponent outside [-40, 40].
    """
    if len(text) > _MAX_LITERAL:
        raise NumberError(f"the number has {len(text)} characters; at most {MAX_DIGITS} significant digits are taken")
    if _LITERAL.fullmatch(text) is None:
        raise NumberError("this is not a decimal number")
    if text.isdigit() and len(text) <= MAX_DIGITS:
        return int(text)
    mantissa, *exponent = re.split("[eE]", text)
    if exponent and not mantissa.strip("+-.0"):
        # Zero is zero, whatever its exponent, as it is for whoever reads it as a double.
        return _within_limits(Decimal(mantissa))
    if exponent and len(exponent[0].lstrip("+-").lstrip("0")) > 6:
        raise NumberError(f"the exponent is beyond {MAX_EXPONENT}")
    return _within_limits(Decimal(text))


def take_number(value: object) -> Number:
    """Take a number from Python exactly; a float means its shortest repr.

    Raises NumberError for anything else than a finite int, float or Decimal within the limits;
    booleans and text are refused.
    """
    if isinstance(value, bool):
        raise NumberError("a boolean is not a number")
    if isinstance(value, int):
        value = int(value)  # A subclass may print itself otherwise.
        if value.bit_length() > 140:
            raise NumberError(f"the number has more than {MAX_DIGITS} significant digits")
        if -(10**15) < value < 10**15:
            return value
        # Zeros at its end need not have been written: 10**40 is how 1e40 comes back once it was read.
        digits = str(value).rstrip("0")
        return _within_limits(Decimal(f"{digits}E{len(str(value)) - len(digits)}"))
    if isinstance(value, float):
        # float.__repr__ and not repr: a subclass (numpy's float64) may print itself otherwise.
        return _within_limits(Decimal(float.__repr__(value)))
    if isinstance(value, Decimal):
        return _within_limits(value)
    if isinstance(value, str):
        raise NumberError("a quoted number is text")
    try:
        # Whole numbers of other libraries: numpy's, for one.
        return take_number(operator.index(value))  # type: ignore[arg-type]
    except TypeError:
        pass
    raise NumberError(f"{type(value).__name__} is not a number; give an int, a float or a Decimal")


def _within_limits(value: Decimal) -> Number:
    if not value.is_finite():
        raise NumberError("only finite numbers are taken")
    digits, exponent = len(value.as_tuple().digits), value.adjusted()
    if digits > MAX_DIGITS:
        raise NumberError(f"the number has {digits} significant digits; at most {MAX_DIGITS} are taken")
    if value and not -MAX_EXPONENT <= exponent <= MAX_EXPONENT:
        raise NumberError(
            f"the number's scientific exponent is {exponent}; it must lie from -{MAX_EXPONENT} to {MAX_EXPONENT}"
        )
    # A whole number is an int whichever way it was written: 2.0 and 2e0 are 2.
    return int(value) if value == value.to_integral_value() else value


def nearest_double(numerator: int, denominator: int) -> float:
    """The double nearest to numerator/denominator (ties to even), with 0.0 for zero, never -0.0.

    The denominator must be positive. Raises OverflowError beyond the double range.
    """
    # int / int is correctly rounded in CPython, whatever the size of the two.
    return numerator / denominator


def text(value: Fraction | int) -> str:
    """The exact value as text: `4/5`, `-1/40`, `0`."""
    try:
        return str(value)
    except ValueError:
        # Python writes no int of more than some thousand digits; Decimal writes them all.
        whole = str(Decimal(value.numerator))
        return whole if value.denominator == 1 else f"{whole}/{Decimal(value.denominator)}"


def brief(value: Fraction | int) -> str:
    """The exact value as text for a message, which shows no more than its beginning where it is long."""
    shown = text(value)
    return shown if len(shown) <= 90 else f"{shown[:40]}... (of {len(shown)} characters)"


def exact_places(value: Fraction | int) -> int | None:
    """How many decimals say the value exactly; None where no number of them does."""
    rest, counts = value.denominator, []
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest, count = rest // prime, count + 1
        counts.append(count)
    return max(counts) if rest == 1 else None


def cut(value: Fraction | int, places: int) -> str:
    """The value with so many decimals, cut towards minus infinity, for people to read.

    Cut and not rounded, so that a score never reads as a mark it did not reach.
    """
    scaled = value * 10**places
    whole = scaled.numerator // scaled.denominator
    digits = str(abs(whole)).rjust(places + 1, "0")
    sign = "-" if whole < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits
