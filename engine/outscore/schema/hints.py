"""A value of the wrong type, and the schema of its place -> what was wanted there, and what to write instead.

Finds nothing itself; `wording` makes findings of it.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

from outscore.diagnostics import Path
from outscore.numbers import NumberError, cut, exact_places, read_number
from outscore.schema.parts import FRACTION, Schema
from outscore.schema.phrases import choices, flow

_TYPES: Final = {
    "number": "a number",
    "integer": "a whole number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping of keys",
}

_PRICES: Final = frozenset({"price", "prices", "price_per_day", "plus"})
_FREE: Final = frozenset({"free", "none", "nothing", "no charge", "free of charge", "gratis", "zero"})
"""Words for a price of nothing."""

_QUOTIENT: Final = re.compile(r"([-+]?[0-9.]+) */ *([-+]?[0-9.]+)")
_RATIO: Final = re.compile(FRACTION)
_LONGEST: Final = 80
_MOST_PLACES: Final = 9
"""Decimals up to which a quotient is worked out."""


def types_of(schema: Schema) -> set[str]:
    """The types that a schema takes."""
    types = schema.get("type", [])
    return {types} if isinstance(types, str) else set(types)


def wanted(path: Path, schema: Schema) -> str:
    """What a schema takes, in words."""
    if path[-1:] in (("when",), ("formula",)):
        return "an expression, which is text"
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if types == ["number", "string"]:
        return "a number, or a fraction in quotes" if path[0] == "tests" else "a number or an expression"
    if types == ["number", "object"]:
        return "a number, or a mapping of measures to numbers"
    return choices([_TYPES[each] for each in types], quote=False)


def type_hint(path: Path, value: object, schema: Schema) -> str | None:
    """What to write instead of a value of the wrong type, where that can be said."""
    types, last = types_of(schema), path[-1] if path else None
    if last == "when" and isinstance(value, bool) and path[0] != "incidents":
        if value:
            return "leave 'when' out: a restriction without it always applies"
        return "take the restriction out, or write the condition under which it applies"
    if last in ("when", "formula") and isinstance(value, list):
        return "write one expression, in quotes; conditions are joined with 'and' and 'or'"
    if last in ("when", "formula") and isinstance(value, dict):
        return "put the whole expression in quotes"
    if types & {"number", "integer"} and isinstance(value, str) and re.fullmatch(r"[-+]?[0-9]+,[0-9]+", value):
        number = value.replace(",", ".")
        fits = "number" in types and is_number(number) and Fraction(number) >= schema.get("minimum", Fraction(number))
        return f"write decimals with a point{': ' + entry(path, number) if fits else ''}"
    if types & {"number", "integer"} and isinstance(value, str) and (quotient := _QUOTIENT.fullmatch(value)):
        return _quotient_hint(path, quotient, schema)
    if types == {"object"} and (change := _price_for(value)) and change.split(":")[0] in schema.get("properties", {}):
        return _price_hint(path, change)
    is_price = types == {"number"} and bool(_PRICES & set(map(str, path)))
    if is_price and isinstance(value, str) and re.search("[0-9]", value) and not re.search(r"[-+*/(]", value):
        return f"prices have no unit: they come off the uplift, in which the expert's gain is 1; {_price_example(path)}"
    if is_price and _price_for(value) == "price: 0":
        return f"write '{entry(path, '0')}'"
    # What must have a certain form, or may be a number, is no text that only lacks its quotes.
    is_any_text = "string" in types and "number" not in types and "pattern" not in schema
    if is_any_text and isinstance(value, bool | int | Decimal) and last not in ("when", "formula"):
        is_switch = path[:1] == ("fields",) and isinstance(value, bool)
        instead = f"; for true and false alone, write '{path[1]}: boolean'" if is_switch else ""
        return f"put it in quotes: {entry(path, chr(34) + flow(value) + chr(34))}{instead}"
    if types == {"boolean"} and isinstance(value, str):
        return "write true or false, without quotes"
    if "past_patience" in path and isinstance(value, str):
        return "an expression can stand only in a restriction's 'charge'"
    if types == {"array"} and path[-1:] == ("restrictions",) and isinstance(value, dict):
        return "begin each restriction with '- id: ...'"
    if schema.get("examples"):
        return f"write {for_example(path, schema)}"
    return None


def _quotient_hint(path: Path, quotient: re.Match[str], schema: Schema) -> str:
    if path[:1] == ("tests",) and path[-2:-1] == ("expect",):
        ratio = quotient[0].replace(" ", "")
        if len(ratio) <= _LONGEST and _RATIO.fullmatch(ratio):
            return f"write fractions under 'exact': 'exact: {{{path[-1]}: {ratio}}}'"
    decimal = _decimal(quotient)
    if decimal is not None and decimal >= schema.get("minimum", decimal):
        places = exact_places(decimal)
        most = _MOST_PLACES if "number" in types_of(schema) else 0
        if places is not None and places <= most and is_number(cut(decimal, places)):
            return f"a quotient is no number here; write it as a decimal: {entry(path, cut(decimal, places))}"
    example = f", {for_example(path, schema)}" if schema.get("examples") else ""
    return f"a quotient is no number here; write it as a decimal{example}"


def _decimal(quotient: re.Match[str]) -> Fraction | None:
    """What a quotient comes to; None where that cannot be told."""
    try:
        return Fraction(read_number(quotient[1])) / Fraction(read_number(quotient[2]))
    except (NumberError, ZeroDivisionError):
        return None


def _price_for(value: object) -> str | None:
    """The change that a bare price was most likely meant to be."""
    if isinstance(value, str) and value.strip().lower() in _FREE:
        return "price: 0"
    if isinstance(value, int | Decimal) and not isinstance(value, bool) and is_number(flow(value)):
        return f"price: {flow(value)}" if value >= 0 else f"plus: {flow(value)}"
    return None


def _price_hint(path: Path, change: str) -> str:
    if path[-1] in ("charge", "past_patience") and change != "price: 0":
        return f"write '{path[-1]}: {{{change}}}'; price replaces the charge, times multiplies it, plus adds to it"
    return f"write '{path[-1]}: {{{change}}}'"


def _price_example(path: Path) -> str:
    return f"write for example '{entry(path, '0.05')}'"


def for_example(path: Path, schema: Schema) -> str:
    """The first example of a schema, as it would be written at the path."""
    return f"for example '{entry(path, flow(schema['examples'][0]))}'"


def entry(path: Path, value: str) -> str:
    """`key: value`, or `- value` in a list, as it would be written."""
    last = path[-1] if path else ""
    if isinstance(last, int):
        return f"- {value}" if value.startswith("{") else value
    return f"{last}: {value}" if last else value


def is_number(text: str) -> bool:
    """Whether the text is a number as rulesets write it."""
    try:
        read_number(text.strip())
    except NumberError:
        return False
    return True
