"""A Document -> the model of a ruleset, or every finding about its keys and types.

The model and the schema say the same rules twice, and a test holds them together. What the model accepts is a ruleset
at once; what it refuses the schema is asked about, which has the better words. So a ruleset in order never pays for
jsonschema, which takes longer to import than the ruleset takes to check.
"""

from __future__ import annotations

from typing import Final

from pydantic import ValidationError

from outscore.diagnostics import Code, Diagnostic, Path, Severity, dotted, in_order
from outscore.document import Document
from outscore.ruleset.model import Ruleset
from outscore.schema import check_shape

_CODES: Final = {
    "missing": Code.MISSING_KEY,
    "extra_forbidden": Code.UNKNOWN_KEY,
    "value_error": Code.BAD_VALUE,
    "literal_error": Code.BAD_VALUE,
    "too_short": Code.BAD_VALUE,
    "string_too_short": Code.BAD_VALUE,
}


def read_shape(document: Document) -> tuple[Ruleset | None, list[Diagnostic]]:
    """The document as a ruleset's model; None, and why, when its shape is wrong."""
    try:
        return Ruleset.model_validate(document.data), []
    except ValidationError:
        # What the model alone refuses is a gap of the schema: not to happen, and never silent.
        return None, check_shape(document) or read_model(document)[1]


def read_model(document: Document) -> tuple[Ruleset | None, list[Diagnostic]]:
    """The same by the model alone, in its own words."""
    try:
        return Ruleset.model_validate(document.data), []
    except ValidationError as refusal:
        details = refusal.errors(include_url=False, include_input=False, include_context=False)
        return None, list(in_order(_finding(each["type"], each["loc"], each["msg"], document) for each in details))


def _finding(kind: str, loc: Path, message: str, document: Document) -> Diagnostic:
    path = _known(loc, document.data)
    words = message.removeprefix("Value error, ")
    span = document.key_span(path) if kind in ("missing", "extra_forbidden") else document.span(path)
    return Diagnostic(
        _CODES.get(kind, Code.WRONG_TYPE),
        Severity.ERROR,
        f"{dotted(loc) or 'the ruleset'}: {words[:1].lower()}{words[1:]}",
        span,
        path,
    )


def _known(loc: Path, data: object) -> Path:
    """The part of pydantic's place that the document has: tags of unions and validators are steps too."""
    path: Path = ()
    for step in loc:
        is_key = isinstance(data, dict) and step in data
        is_position = isinstance(data, list) and isinstance(step, int) and step < len(data)
        if not is_key and not is_position:
            break
        data = data[step]  # type: ignore[index]
        path = (*path, step)
    return path
