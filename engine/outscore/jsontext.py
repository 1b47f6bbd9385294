"""JSON text -> plain data with exact numbers, and what is wrong with it kept in its place.

Knows nothing of runs: whoever checks the data says what a doubled key or a bad number means there.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from outscore.diagnostics import Code, RunError
from outscore.numbers import NumberError, read_number

MAX_RUN_BYTES = 64 * 2**20
"""Longest JSON text of one run that is read."""


class Duplicate(msgspec.Struct, frozen=True):
    """Stands among the keys of an object whose text gives one key more than once."""

    key: str


class BadNumber(msgspec.Struct, frozen=True):
    """A number in JSON text that cannot be taken; stands where the number stood, so that its place can be said."""

    text: str
    reason: str


def read_json(text: bytes | str) -> object:
    """JSON text -> plain data with exact numbers, for `read_run` to check.

    An object that gives a key twice also holds a Duplicate; NaN, infinities and numbers beyond the limits come as
    BadNumber. Raises RunError for what is not JSON.
    """
    if len(text) > MAX_RUN_BYTES:
        raise RunError(Code.TOO_LARGE, f"the text has {len(text)} bytes; at most {MAX_RUN_BYTES} are read")
    if isinstance(text, bytes):
        try:
            text = text.rstrip(b"\r\n").decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise RunError(Code.BAD_ENCODING, f"byte {error.start + 1} is not UTF-8") from None
    else:
        text = text.removeprefix("\ufeff")
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_float=_number, parse_int=_number, parse_constant=_not_finite
        )
    except json.JSONDecodeError as error:
        # Python's own wording changes from version to version.
        where = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        what = f"not JSON: it cannot be read on from {where}"
        raise RunError(Code.SYNTAX, what, hint="one run is one JSON object on one line") from None
    except RecursionError:
        raise RunError(Code.SYNTAX, "not a run: the JSON is nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record: dict[Any, Any] = dict(pairs)
    if len(record) != len(pairs):
        keys = [key for key, _ in pairs]
        record[Duplicate(next(key for key in record if keys.count(key) > 1))] = True
    return record


def _number(text: str) -> Any:
    try:
        return read_number(text)
    except NumberError as error:
        return BadNumber(text[:60], str(error))


def _not_finite(text: str) -> BadNumber:
    return BadNumber(text, "only finite numbers are taken")
