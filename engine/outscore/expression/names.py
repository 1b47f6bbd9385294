"""Declared fields, people and measures -> the names an expression may read in one place, with their types.

The one table of what can be read where. It reads no expression and knows no values of runs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from outscore.plan import FieldType, ValueType

WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""What `weekday` can be, in the order of the week."""

_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

SYSTEMS: Final = ("baseline", "delivered", "reference")
"""The three systems whose measures an incident rule reads, each as a prefix: `delivered.kpi`."""

FUNCTIONS: Final = ("min", "max", "abs")
"""All that can be called."""

WORDS: Final = ("and", "or", "not", "in", "if", "else")
"""The words of the language that join expressions."""

TRUTH_VALUES: Final = {"true": True, "false": False}
"""The two truth values, as they are written."""

# Written out, so that which rulesets are accepted does not change with the version of Python.
# fmt: off
PYTHON_KEYWORDS: Final = frozenset({
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
})
# fmt: on

READ_AT: Final = {
    "hour": "a restriction",
    "minute": "a restriction",
    "weekday": "a restriction",
    "day": "a restriction",
    "nth": "a restriction",
    "to": "a contact restriction",
    "nth_overall": "a contact restriction",
    "hours": "a waiting restriction",
}
"""Where each of the language's own names can be read, in words."""

RESERVED: Final = frozenset(
    {*READ_AT, "type", "at", "answered", *SYSTEMS, "kpi", *FUNCTIONS, *WORDS, *TRUTH_VALUES, *PYTHON_KEYWORDS}
)
"""The names that no field and no measure may take."""


@dataclass(frozen=True, slots=True)
class NameInfo:
    """What is known of a name before any run is seen."""

    type: ValueType
    values: frozenset[str] | None = None
    """The texts it can have; None: any."""
    open: bool = False
    """Whether it can have other texts too; then only a near miss is worth a warning."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A place where an expression stands, and the names it may read there."""

    where: str
    """The place in words that follow "in": `a contact restriction`."""
    names: Mapping[str, NameInfo]
    more: str = ""
    """Where a ruleset declares more names for this place: `fields`."""


_NUMBER: Final = NameInfo("number")

_FIELDS: Final = "fields"
_MEASURES: Final = "kpi.measures"

_EVERY_EVENT: Final = {
    "hour": _NUMBER,
    "minute": _NUMBER,
    "weekday": NameInfo("text", frozenset(WEEKDAYS)),
    "day": _NUMBER,
    "nth": _NUMBER,
}


def contact_scope(fields: Mapping[str, FieldType], people: Collection[str], anyone_else: bool) -> Scope:
    """What the restrictions of `contacts` read."""
    to = NameInfo("text", frozenset(people), open=anyone_else)
    return Scope("a contact restriction", {**_events(fields), "to": to, "nth_overall": _NUMBER}, _FIELDS)


def trial_scope(fields: Mapping[str, FieldType]) -> Scope:
    """What the restrictions of `trials` read."""
    return Scope("a trial restriction", _events(fields), _FIELDS)


def wait_scope(fields: Mapping[str, FieldType]) -> Scope:
    """What the restrictions of `waiting` read."""
    return Scope("a waiting restriction", {**_events(fields), "hours": _NUMBER}, _FIELDS)


def kpi_scope(measures: Collection[str]) -> Scope:
    """What `kpi.formula` reads: the measures of one system."""
    return Scope("the KPI formula", dict.fromkeys(measures, _NUMBER), _MEASURES)


def incident_scope(measures: Collection[str]) -> Scope:
    """What the conditions of `incidents` read: the measures, and the KPI, of each of the three systems."""
    names = [f"{system}.{value}" for system in SYSTEMS for value in (*measures, "kpi")]
    return Scope("an incident rule", dict.fromkeys(names, _NUMBER), _MEASURES)


def near_miss(text: str, values: frozenset[str]) -> str | None:
    """The value that a text differs from by one slip or by case, if there is one.

    Made to be asked of every text of a ruleset, right ones too, so it looks up and does not compare.
    """
    if len(values) > _MOST_INDEXED:
        return None
    index = _by_slip(values)
    return next((index[slip] for slip in _with_one_left_out(text.casefold()) if slip in index), None)


def weekday_of(text: str) -> str | None:
    """What `weekday` is on the day that the text names: `sat` for `Saturdays`."""
    word = text.casefold().strip(" .")
    return next((day[:3] for day in _DAYS if len(word) > 2 and f"{day}s".startswith(word)), None)


_MOST_INDEXED: Final = 1_000
_LONGEST_INDEXED: Final = 40


@lru_cache(maxsize=8)
def _by_slip(values: frozenset[str]) -> Mapping[str, str]:
    # Two texts are a slip apart where leaving out at most one letter of each makes them the same.
    index: dict[str, str] = {}
    for value in sorted(values):
        for slip in _with_one_left_out(value.casefold()):
            index.setdefault(slip, value)
    return index


def _with_one_left_out(text: str) -> list[str]:
    if len(text) > _LONGEST_INDEXED:
        return [text]
    return [text, *(text[:place] + text[place + 1 :] for place in range(len(text)))]


def _events(fields: Mapping[str, FieldType]) -> dict[str, NameInfo]:
    return {**{name: _field(kind) for name, kind in fields.items()}, **_EVERY_EVENT}


def _field(kind: FieldType) -> NameInfo:
    return NameInfo("text", frozenset(kind)) if isinstance(kind, tuple) else NameInfo(kind)
