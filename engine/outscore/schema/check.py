"""A Document and the ruleset schema -> findings, each at its place and in an author's words.

jsonschema says what does not fit; this says what was meant. Fetches nothing, and checks shape only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from jsonschema import Draft7Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry

from outscore.diagnostics import MAX_FINDINGS, Code, Diagnostic, Path, Severity, in_order
from outscore.document import Document
from outscore.schema import phrases, wording
from outscore.schema.parts import ID, NOT_A_NUMBER, TIME, Schema
from outscore.schema.ruleset import ruleset_schema
from outscore.schema.wording import Words


class Misfit(NamedTuple):
    """One thing that does not fit: the keyword of the schema, the value, and where."""

    keyword: str
    limit: Any
    value: Any
    schema: Schema
    path: Path
    message: str


def check_ruleset(document: Document) -> list[Diagnostic]:
    """Every finding about the document's shape as a ruleset, up to a bound."""
    misfits = list(islice(_misfits(_validator().iter_errors(document.data)), MAX_FINDINGS))
    # Where a type is wrong, whatever else does not fit the value follows from it.
    wrongly_typed = {each.path for each in misfits if each.keyword == "type"}
    misfits = [each for each in misfits if each.keyword == "type" or each.path not in wrongly_typed]
    meant = {
        (each.path, near)
        for each in misfits
        if each.keyword == "additionalProperties"
        for key in _extra_keys(each)
        if (near := wording.meant(key, each.schema.get("properties", {}), _homes()))
    }
    findings = (finding for each in misfits for finding in _findings(each, document, meant))
    return list(in_order(islice(findings, MAX_FINDINGS)))


def _misfits(errors: Iterable[ValidationError]) -> Iterator[Misfit]:
    for error in errors:
        path: Path = tuple(error.absolute_path)
        if error.validator != "anyOf":
            yield _misfit(error, path)
            continue
        # A choice by type: what is reported is the branch whose type the value has.
        by_branch: dict[int, list[ValidationError]] = {}
        for child in error.context or ():
            by_branch.setdefault(int(child.schema_path[0]), []).append(child)
        for children in by_branch.values():
            if not any(child.validator == "type" and not child.path for child in children):
                yield from _misfits(children)
                break
        else:
            yield _misfit(error, path)


def _misfit(error: Any, path: Path) -> Misfit:
    # Cut, since it may hold the whole value.
    return Misfit(error.validator, error.validator_value, error.instance, error.schema, path, error.message[:200])


def _findings(misfit: Misfit, document: Document, meant: set[tuple[Path, str]]) -> Iterator[Diagnostic]:
    path = misfit.path
    match misfit.keyword:
        case "additionalProperties":
            for key in _extra_keys(misfit):
                yield _at_key(document, (*path, key), _extra(misfit, key))
        case "required":
            for key in misfit.limit:
                if key not in misfit.value and (path, key) not in meant:
                    yield _at_key(document, path, wording.missing(path, key, misfit.schema, misfit.value))
        case "dependencies":
            for there, needed in misfit.limit.items():
                for key in needed:
                    if there in misfit.value and key not in misfit.value and (path, key) not in meant:
                        yield _at_key(document, (*path, there), wording.needs_too(path, there, key))
        case "oneOf":
            yield from _choice(misfit, document, meant)
        case "uniqueItems":
            seen: set[str] = set()
            for position, item in enumerate(misfit.value):
                if isinstance(item, str) and item in seen:
                    yield _at_value(document, (*path, position), wording.repeated((*path, position), item))
                elif isinstance(item, str):
                    seen.add(item)
        case "maxProperties":
            others = [key for key in misfit.value if key != "error"]
            yield _at_key(document, (*path, others[0]), wording.refused_and_scored(path, others))
        case "not":
            event: Any = document.data
            for step in path[:-1]:
                event = event[step]
            yield _at_key(document, path, wording.not_here(path[:-1], str(path[-1]), event["type"]))
        case "type" if misfit.value is None:
            yield _at_key(document, path, wording.wrong_type(path, None, misfit.schema))
        case _:
            yield _at_value(document, path, _value(misfit))


def _choice(misfit: Misfit, document: Document, meant: set[tuple[Path, str]]) -> Iterator[Diagnostic]:
    options = [key for branch in misfit.limit for key in branch["required"]]
    given = [key for key in misfit.value if key in options]
    path = misfit.path
    if given:
        yield _at_key(document, (*path, given[1]), wording.several_changes(path, given))
    elif not any((path, key) in meant for key in options):
        yield _at_key(document, path, wording.no_change(path, options))


def _extra_keys(misfit: Misfit) -> list[str]:
    known = misfit.schema.get("properties", {})
    patterns = misfit.schema.get("patternProperties", {})
    extra = (key for key in misfit.value if key not in known and not any(re.search(each, key) for each in patterns))
    return list(islice(extra, MAX_FINDINGS))


def _extra(misfit: Misfit, key: str) -> Words:
    known = misfit.schema.get("properties", {})
    if _python(ID) in misfit.schema.get("patternProperties", {}):
        return wording.bad_id((*misfit.path, key), key, subject=phrases.quoted(key))
    return wording.unknown_key(misfit.path, key, known, _homes(), misfit.value[key])


def _value(misfit: Misfit) -> Words:
    path, value = misfit.path, misfit.value
    match misfit.keyword:
        case "type":
            return wording.wrong_type(path, value, misfit.schema)
        case "anyOf":
            return wording.wrong_field(path, value)
        case "enum":
            return wording.unlisted(path, value, misfit.limit)
        case "minimum":
            return wording.too_small(path, value, misfit.limit)
        case "minLength" | "minItems" | "minProperties":
            return wording.empty(path, misfit.schema)
        case "pattern" if misfit.limit == _python(ID):
            return wording.bad_id(path, value)
        case "pattern" if misfit.limit == _python(TIME):
            return wording.bad_time(path, value)
        case "pattern" if misfit.limit == NOT_A_NUMBER:
            return wording.quoted_number(path, value)
        case "pattern":
            return wording.bad_fraction(path, value)
    # Only a keyword that the schema gained without words here comes this far.
    return Words(Code.BAD_VALUE, f"{phrases.place(path)}: {misfit.message}")


def _at_key(document: Document, path: Path, words: Words) -> Diagnostic:
    return Diagnostic(words.code, Severity.ERROR, words.message, document.key_span(path), path, words.hint)


def _at_value(document: Document, path: Path, words: Words) -> Diagnostic:
    return Diagnostic(words.code, Severity.ERROR, words.message, document.span(path), path, words.hint)


@cache
def _validator() -> Any:
    """The one validator, built when first needed."""
    checker = Draft7Validator.TYPE_CHECKER.redefine_many(
        {"number": lambda _, value: _is_number(value), "integer": lambda _, value: _is_whole(value)}
    )
    # The registry is empty, so that no reference could ever be fetched; ours have none.
    checked: Any = extend(Draft7Validator, type_checker=checker)  # type: ignore[no-untyped-call]
    return checked(_for_python(ruleset_schema()), registry=Registry())


def _is_number(value: object) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    if isinstance(value, Decimal):
        return value == value.to_integral_value()
    return isinstance(value, int) and not isinstance(value, bool)


def _for_python(schema: Any) -> Any:
    """The schema as jsonschema must read it.

    `$` at a pattern's end means the very end, not also before a last line break; and `false`, for which jsonschema
    gives no place, is what admits nothing.
    """
    if isinstance(schema, list):
        return [_for_python(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    out = {name: _for_python(each) for name, each in schema.items()}
    if isinstance(out.get("properties"), dict):
        out["properties"] = {name: {"not": {}} if each is False else each for name, each in out["properties"].items()}
    if isinstance(out.get("pattern"), str):
        out["pattern"] = _python(out["pattern"])
    if "patternProperties" in out:
        out["patternProperties"] = {_python(pattern): each for pattern, each in out["patternProperties"].items()}
    return out


def _python(pattern: str) -> str:
    return pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern


@cache
def _homes() -> dict[str, list[str]]:
    """Every key -> the places where it belongs, for keys written elsewhere."""
    homes: dict[str, list[str]] = {}

    def walk(schema: Schema, where: str) -> None:
        for name, each in schema.get("properties", {}).items():
            homes.setdefault(name, []).append(where or "the top level")
            if name != "tests":
                walk(each, f"{where}.{name}" if where else name)
        for each in schema.get("patternProperties", {}).values():
            walk(each, f"{where}.ID")
        if "items" in schema:
            walk(schema["items"], where)

    walk(ruleset_schema(), "")
    return homes
