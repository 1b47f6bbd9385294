"""A few words each -> pieces of JSON Schema: the vocabulary that the three schemas are written in.

Only what editors enforce from draft 07. Knows no key of any format.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

Schema = dict[str, Any]
"""A JSON Schema as plain data."""

ID: Final = "^[a-z][a-z0-9_]*$"
"""The pattern of every id."""

TIME: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2})?$"
"""The pattern of a time; whether there is such a day is not a matter of shape."""

FRACTION: Final = "^-?[0-9]+(/[1-9][0-9]*)?$"
"""The pattern of an exact value as text."""

NOT_A_NUMBER: Final = r"^(?!\s*[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?\s*$)"
"""The pattern of text that is an expression, not a number someone put in quotes."""

TEXT: Final[Schema] = {"type": "string"}
WORDS: Final[Schema] = {"type": "string", "minLength": 1}
FLAG: Final[Schema] = {"type": "boolean"}
NUMBER: Final[Schema] = {"type": "number"}
AMOUNT: Final[Schema] = {"type": "number", "minimum": 0}
WHOLE: Final[Schema] = {"type": "integer", "minimum": 0}
POSITION: Final[Schema] = {"type": "integer", "minimum": 1}
EXACT: Final[Schema] = {"type": "string", "pattern": FRACTION}
AN_ID: Final[Schema] = {"type": "string", "pattern": ID}

_NO_DEFAULT: Final = object()


def key(title: str, description: str, kind: Schema, *examples: object, default: object = _NO_DEFAULT) -> Schema:
    """One key: what it is called, what it does, what it takes, and at least one example.

    A default is stated where leaving the key out is the same as writing some value; elsewhere the description
    says what its absence means.
    """
    out: Schema = {"title": title, "description": description, **kind}
    if default is not _NO_DEFAULT:
        out["default"] = default
    return {**out, "examples": list(examples)}


def mapping(
    properties: Mapping[str, Schema],
    *,
    required: Sequence[str] = (),
    exactly_one: Sequence[str] = (),
    together: Sequence[tuple[str, str]] = (),
    patterns: Mapping[str, Schema] | None = None,
) -> Schema:
    """A mapping of known keys and no others.

    exactly_one lists keys of which one must be there; together lists pairs that come both or not at all;
    patterns holds further keys by the pattern of their names.
    """
    out: Schema = {"type": "object", "properties": dict(properties)}
    if patterns:
        out["patternProperties"] = dict(patterns)
    out["additionalProperties"] = False
    if required:
        out["required"] = list(required)
    if exactly_one:
        # Plain properties plus this choice, and not one branch per key: so editors complete every key.
        out["oneOf"] = [{"required": [each]} for each in exactly_one]
    if together:
        out["dependencies"] = {first: [second] for pair in together for first, second in (pair, pair[::-1])}
    return out


def by_id(each: Schema) -> Schema:
    """A mapping whose keys are ids of the author's choice."""
    return {"type": "object", "patternProperties": {ID: each}, "additionalProperties": False}


def list_of(each: Schema, *, at_least: int = 0, distinct: bool = False) -> Schema:
    """A list."""
    out: Schema = {"type": "array", "items": each}
    if at_least:
        out["minItems"] = at_least
    if distinct:
        out["uniqueItems"] = True
    return out


def number_or_each(each: Mapping[str, Schema] | None = None) -> Schema:
    """A number, or a number per name: any id, or exactly those given."""
    if each is None:
        return {"type": ["number", "object"], "patternProperties": {ID: NUMBER}, "additionalProperties": False}
    return mapping(each, required=list(each))
