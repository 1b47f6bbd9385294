"""Values as callers give them -> plain data that nobody changes, the same before and after a file.

Judges no value: what is given was found to be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from outscore.numbers import MAX_DIGITS, take_number

Record = dict[str, Any]
"""An event, or a run, as files carry it: plain data."""

_LONGEST: Final = 10**MAX_DIGITS


def plain_event(event: Record) -> Record:
    """The event as plain data; itself where it is that already."""
    # `_is_plain` for each value, without a call: every live event goes through here.
    for value in event.values():
        kind = value.__class__
        if kind is str or kind is bool:
            continue
        if value.is_integer() if kind is float else kind is not int or not -_LONGEST < value < _LONGEST:
            return {str.__str__(key): plain(each) for key, each in event.items()}
    return event


def _is_plain(value: Any) -> bool:
    kind = value.__class__
    if kind is float:
        return not value.is_integer()
    return kind is str or kind is bool or (kind is int and -_LONGEST < value < _LONGEST)


def plain(value: Any) -> Any:
    """A value as text, a boolean, an int, or a float that means the very same decimal; or an object of such.

    A number that no float means stays a Decimal, and a whole one is an int, as it is when a file is read.
    """
    if _is_plain(value):
        return value
    if isinstance(value, Mapping):
        return {plain(key): plain(each) for key, each in value.items()}
    if isinstance(value, str):
        # A subclass, such as an enumeration's member.
        return str.__str__(value)
    number = take_number(value)
    if isinstance(number, int):
        if -_LONGEST < number < _LONGEST:
            return number
        # 1e40 is taken; written out it would have a digit too many.
        digits = str(number).rstrip("0")
        number = Decimal(f"{digits}E{len(str(number)) - len(digits)}")
    return float(number) if Decimal(repr(float(number))) == number else number
