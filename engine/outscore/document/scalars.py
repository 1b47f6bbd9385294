"""A plain (unquoted) scalar's text -> the value YAML 1.2's core schema gives it, or why it is refused.

Refused is whatever YAML 1.1 tools would read as something else: what an author wrote must mean one thing
to every reader. Keys are judged here too; quoted scalars are text and never come here.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from outscore.document import messages
from outscore.document.messages import Words
from outscore.numbers import Number, NumberError, read_number

_CONSTANTS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}

# Truth values in YAML 1.1, text in YAML 1.2.
_SWITCHES: Final = {
    each: meaning == "true"
    for meaning, words in {"true": ("y", "yes", "on"), "false": ("n", "no", "off")}.items()
    for word in words
    for each in (word, word.capitalize(), word.upper())
}

SPECIAL_WORDS: Final = frozenset(_CONSTANTS) | frozenset(_SWITCHES)
"""Words that are not plainly text."""

NUMERIC_STARTS: Final = frozenset("0123456789+-.")
"""What a number, or what some reader may take for one, begins with."""

_NUMBER: Final = re.compile(r"[-+]?(?:([0-9]+)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
# What nearly every number looks like, and read_number would give as it stands: well within the limits, and whole
# only if it has no point.
_SHORT_NUMBER: Final = re.compile(r"(?:0|[1-9][0-9]{0,14})(\.[0-9]{0,14}[1-9])?")
_CLOCK: Final = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-9]{1,2})+(?:\.[0-9_]*)?")
_OTHER_BASE: Final = re.compile(r"[-+]?0(?:x[0-9a-fA-F_]+|o[0-7_]+|b[01_]+)")
_NOT_FINITE: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def read_plain(plain: str) -> Number | str | bool | Words | None:
    """The value of a plain scalar, or the words that refuse it."""
    short = _SHORT_NUMBER.fullmatch(plain)
    if short is not None:
        return int(plain) if short[1] is None else Decimal(plain)
    if plain in _CONSTANTS:
        return _CONSTANTS[plain]
    if plain in _SWITCHES:
        return messages.switch_word(plain, _SWITCHES[plain])
    number = _NUMBER.fullmatch(plain)
    if number is not None:
        whole = number[1]
        if whole is not None and len(whole) > 1 and whole[0] == "0":
            return messages.leading_zero(plain)
        try:
            return read_number(plain)
        except NumberError as error:
            return messages.bad_number(str(error))
    if _CLOCK.fullmatch(plain) is not None:
        return messages.clock(plain)
    if _OTHER_BASE.fullmatch(plain) is not None:
        return messages.other_base(plain)
    if _NOT_FINITE.fullmatch(plain) is not None:
        return messages.not_finite(plain)
    if "_" in plain and plain[0] != "_" and _NUMBER.fullmatch(plain.replace("_", "")) is not None:
        return messages.grouped_digits(plain)
    return plain


def read_key(plain: str) -> str | Words:
    """The text of a plain key, or the words that refuse it; keys are text."""
    if plain == "":
        return messages.missing_key()
    value = read_plain(plain)
    if isinstance(value, str):
        return value
    if isinstance(value, Words):
        return messages.ambiguous_key(plain) if plain in _SWITCHES else messages.key_like_number(plain)
    if value is None or isinstance(value, bool):
        return messages.constant_key(plain)
    return messages.key_like_number(plain)
