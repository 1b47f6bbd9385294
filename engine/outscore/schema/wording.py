"""What is wrong with a shape -> code, message and hint, in the words of a ruleset's author.

One function per kind of finding. Finds nothing itself, and knows no places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final, NamedTuple

from outscore.diagnostics import Code, Path, nearest
from outscore.formula import FLOOR, RESOLVED_AT
from outscore.numbers import cut
from outscore.schema.hints import entry, for_example, is_number, type_hint, types_of, wanted
from outscore.schema.parts import Schema
from outscore.schema.phrases import as_id, choices, flow, found, place, quoted, shown


class Words(NamedTuple):
    """A finding without its place."""

    code: Code
    message: str
    hint: str | None = None


FORMULA_WORDS: Final = frozenset(
    """resolved_at resolve_at resolves_at resolved resolve threshold pass_mark passmark pass_at pass_score cutoff
    cut_off floor floored floor_at cap ceiling formula score scoring score_formula uplift adjusted_uplift min_score
    max_score incident_penalty penalty weights""".split()  # noqa: SIM905 - a list of words, one per line, would fill the screen
)
"""Keys that would set what no ruleset can set."""

_MEANT: Final = {
    "string": "text",
    "str": "text",
    "int": "number",
    "integer": "number",
    "float": "number",
    "decimal": "number",
    "bool": "boolean",
    "up": "higher",
    "more": "higher",
    "increase": "higher",
    "maximize": "higher",
    "maximise": "higher",
    "max": "higher",
    "down": "lower",
    "less": "lower",
    "decrease": "lower",
    "minimize": "lower",
    "minimise": "lower",
    "min": "lower",
}

_LISTS: Final = frozenset(
    "enum list array choice choices option options oneof one_of select category categorical".split()  # noqa: SIM905 - as above
)
"""Words for a field that is one of several texts."""

_FINES: Final = frozenset({"price", "cost", "charge", "plus", "times", "fine"})
"""Keys that would put a price on an incident."""

_ALSO: Final = {
    "if": "when",
    "condition": "when",
    "cost": "price",
    "amount": "price",
    "set": "price",
    "replace": "price",
    "extra": "plus",
    "surcharge": "plus",
    "add": "plus",
    "multiply": "times",
    "factor": "times",
    "reason": "why",
    "tz": "timezone",
    "waits": "waiting",
    "anyone": "anyone_else",
    "default": "anyone_else",
    "expected": "expect",
}
"""Words for a key that are no misspelling of it."""

_LIST_PRICES: Final = frozenset({"price", "prices", "price_per_day"})
"""The keys of the three sections that say what an event costs: each place has one of them at most."""

# (the key that is there, the key that is missing) -> why it is needed, and what to do.
_TOGETHER: Final = {
    ("patience", "past_patience"): (
        "patience is set, but not what a contact past it costs",
        "add for example 'past_patience: {times: 3}', or take 'patience' out",
    ),
    ("past_patience", "patience"): (
        "past_patience is set, but not how many contacts come before it",
        "add for example 'patience: 4', or take 'past_patience' out",
    ),
    ("measures", "formula"): (
        "measures are listed, but not how the KPI follows from them",
        "add 'formula:' with an expression over the measures; without both a run reports the KPI itself",
    ),
    ("formula", "measures"): (
        "there is a formula, but the measures it reads are not listed",
        "add 'measures:' with the list of names that the formula reads",
    ),
    ("baseline", "reference"): (
        "the baseline is pinned, but not the reference",
        "pin both, or take 'pinned' out and let every run report them",
    ),
    ("reference", "baseline"): (
        "the reference is pinned, but not the baseline",
        "pin both, or take 'pinned' out and let every run report them",
    ),
    ("count", "prices"): (
        "trials are counted, but have no prices",
        "add for example 'prices: [0, 0.02]', or write 'count: false' to make trials free",
    ),
    ("count", "price_per_day"): (
        "waiting is counted, but has no price",
        "add for example 'price_per_day: 0.01', or write 'count: false' to make waiting free",
    ),
    ("type", "to"): ("a contact needs 'to'", "add 'to:' with the id of the person contacted"),
    ("type", "hours"): ("a wait needs 'hours'", "add 'hours:' with the time waited, for example 'hours: 36'"),
}


def wrong_type(path: Path, value: object, schema: Schema) -> Words:
    """A value of a type that the key does not take."""
    where = place(path)
    if value is None:
        example = f", {for_example(path, schema)}" if "examples" in schema else ""
        what = "item" if path and isinstance(path[-1], int) else "key"
        return Words(
            Code.WRONG_TYPE,
            f"{where} is empty (null), which is no value",
            f"write {wanted(path, schema)}{example}, or take the {what} out",
        )
    types = types_of(schema)
    if "integer" in types and isinstance(value, Decimal):
        return Words(Code.WRONG_TYPE, f"{where} must be a whole number, but it is {value}")
    if isinstance(value, str) and types & {"number", "integer"} and is_number(value):
        return quoted_number(path, value)
    message = f"{where} must be {wanted(path, schema)}, but it is {found(value)}"
    return Words(Code.WRONG_TYPE, message, type_hint(path, value, schema))


def quoted_number(path: Path, value: str) -> Words:
    """A number in quotes, which is text."""
    return Words(
        Code.WRONG_TYPE,
        f"{place(path)} is the text {quoted(value)}, not a number",
        f"drop the quotes: {entry(path, value.strip())}",
    )


def unlisted(path: Path, value: object, known: Iterable[object]) -> Words:
    """A value that is none of those listed."""
    options = list(known)
    if path == ("outscore",):
        return Words(Code.BAD_VALUE, f"outscore is {shown(value)}; this version reads format 1", "write 'outscore: 1'")
    message = f"{place(path)} is {shown(value)}; it must be {choices(options)}"
    if path[:1] == ("fields",):
        message += ", or a list of the texts it may be"
    if path[-2:] == ("expect", "error"):
        return _no_refusal(path, value, options)
    text = value if isinstance(value, str) else ""
    if path[:1] == ("fields",) and text.lower() in _LISTS:
        return Words(Code.BAD_VALUE, message, f"write the list of options: {entry(path, '[a, b]')}")
    if path[:1] == ("fields",) and "," in text:
        return Words(Code.BAD_VALUE, message, f"write a list in brackets: {entry(path, f'[{text[:80]}]')}")
    meant = _MEANT.get(text.lower()) or nearest(text.lower(), [each for each in options if isinstance(each, str)])
    return Words(Code.BAD_VALUE, message, f"did you mean '{meant}'?" if meant in options else None)


def _no_refusal(path: Path, value: object, codes: list[object]) -> Words:
    near = nearest(value.lower(), [str(code) for code in codes]) if isinstance(value, str) else None
    hint = f"did you mean '{near}'?" if near else f"the codes are {', '.join(map(str, codes))}"
    return Words(Code.BAD_VALUE, f"{place(path)} is {shown(value)}, with which no run is refused", hint)


def refused_and_scored(path: Path, others: list[str]) -> Words:
    """An expected error with other expectations beside it."""
    message = f"{place(path)} has 'error' and {' and '.join(map(quoted, others))}; a run that is refused has no score"
    return Words(Code.CONFLICT, message, "keep 'error' alone, or take it out")


def wrong_field(path: Path, value: object) -> Words:
    """A field that is declared with neither a type nor a list."""
    kinds = "'number', 'text', 'boolean', or a list of the texts it may be"
    message = f"{place(path)} must be {kinds}, but it is {found(value)}"
    kind = "boolean" if isinstance(value, bool) else "number"
    return Words(Code.WRONG_TYPE, message, f"write for example '{path[-1]}: {kind}'")


def too_small(path: Path, value: object, least: object) -> Words:
    """A number below what the key takes."""
    hint = None
    if path[-1] in ("price", "times") and "past_patience" not in path and "charge" in path:
        hint = "only 'plus' may be negative"
    return Words(Code.BAD_VALUE, f"{place(path)} is {shown(value)}; it must be {least} or more", hint)


def empty(path: Path, schema: Schema) -> Words:
    """A text, list or mapping with nothing in it."""
    hint = f"write {for_example(path, schema)}" if "examples" in schema else "name at least one"
    return Words(Code.BAD_VALUE, f"{place(path)} is empty", hint)


def repeated(path: Path, value: object) -> Words:
    """A list item that stands there already."""
    return Words(
        Code.DUPLICATE_ID, f"{quoted(str(value))} is listed twice in {place(path[:-1])}", "take one of them out"
    )


def bad_id(path: Path, value: str, *, subject: str = "") -> Words:
    """Text that is no id."""
    lead = subject or f"{place(path)} is {quoted(value)}, which"
    slug = as_id(value)
    return Words(
        Code.BAD_ID,
        f"{lead} is no id: ids are lower-case letters, digits and _, a letter first",
        f"write for example {quoted(slug)}" if slug else None,
    )


def bad_time(path: Path, value: str) -> Words:
    """Text that is no time."""
    return Words(
        Code.BAD_TIME,
        f"{place(path)} is {quoted(value)}, which is no time",
        "write it as 2026-03-02T09:10, with seconds if wanted, and Z or +01:00 if it carries an offset",
    )


def bad_fraction(path: Path, value: str) -> Words:
    """Text that is no exact value."""
    if path[-2:-1] != ("exact",) and path[-1:] != ("exact",) and is_number(value):
        return quoted_number(path, value)
    return Words(Code.BAD_VALUE, f"{place(path)} is {quoted(value)}, which is no fraction", "write for example '4/5'")


def missing(path: Path, key: str, schema: Schema, present: Mapping[str, object]) -> Words:
    """A key that must be there."""
    for other in present:
        if (other, key) in _TOGETHER:
            return needs_too(path, other, key)
    where = place(path)
    known = schema.get("properties", {}).get(key, {})
    return Words(Code.MISSING_KEY, f"{where} has no '{key}', which it needs", f"add {for_example((*path, key), known)}")


def needs_too(path: Path, there: str, key: str) -> Words:
    """A key that comes together with another."""
    message, hint = _TOGETHER[there, key]
    where = f"{place(path)}: " if len(path) > 1 else ""
    return Words(Code.MISSING_KEY, where + message, hint)


def no_change(path: Path, options: list[str]) -> Words:
    """A change to the charge that does not say which."""
    return Words(
        Code.MISSING_KEY,
        f"{place(path)} needs one of {choices(options)}",
        "price replaces the charge, times multiplies it, plus adds to it: for example {plus: 0.01}",
    )


def several_changes(path: Path, given: list[str]) -> Words:
    """A change to the charge that says more than one."""
    hint = "to do one after the other, write two restrictions" if path[-1] == "charge" else "keep the one that is meant"
    return Words(Code.CONFLICT, f"{place(path)} has {' and '.join(map(quoted, given))}; exactly one can be taken", hint)


def not_here(path: Path, key: str, kind: object) -> Words:
    """A key that another kind of event carries."""
    return Words(Code.UNKNOWN_KEY, f"{place(path)}: a {kind} carries no '{key}'", f"take '{key}' out")


def unknown_key(path: Path, key: str, known: Iterable[str], elsewhere: Mapping[str, list[str]], value: object) -> Words:
    """A key that is not known here."""
    keys = list(known)
    where = place(path) if path else "a ruleset"
    word = key.lower().replace("-", "_")
    if path[:1] == ("incidents",) and word in _FINES:
        return fixed_formula(path, key)
    is_place_of_formula = not path or path == ("kpi",) or (path[0] == "incidents" and len(path) == 2)
    if is_place_of_formula and word in FORMULA_WORDS:
        return fixed_formula(path, key)
    near = meant(key, keys, elsewhere)
    if path == ("contacts",) and isinstance(value, dict) and "price" in value and not near:
        return Words(
            Code.UNKNOWN_KEY,
            f"contacts has no key {quoted(key)}",
            f"list people one level down: 'people: {{{key}: ...}}'",
        )
    if key.startswith("x-"):
        hint = "holders for anchors (x-...) stand at the top level only"
    elif near == "prices" and isinstance(value, int | Decimal) and not isinstance(value, bool):
        hint = f"did you mean 'prices: [{flow(value)}]'?"
    elif near:
        hint = f"did you mean '{near}'?"
    elif key in elsewhere:
        hint = f"'{key}' belongs in {choices(elsewhere[key][:3], quote=False)}"
    else:
        hint = f"the keys here are {', '.join(sorted(keys))}"
    return Words(Code.UNKNOWN_KEY, f"{where} has no key {quoted(key)}", hint)


def meant(key: str, known: Iterable[str], elsewhere: Mapping[str, object]) -> str | None:
    """The known key that an unknown one was most likely meant to be."""
    keys = list(known)
    word = key.lower().replace("-", "_")
    if _ALSO.get(word) in keys:
        return _ALSO[word]
    if _ALSO.get(word, word) in _LIST_PRICES and (here := [each for each in keys if each in _LIST_PRICES]):
        return here[0]
    # A key that is right in another place is not misspelt.
    return None if key in elsewhere and word not in keys else nearest(word, keys)


def fixed_formula(path: Path, key: str) -> Words:
    """A key that would change the formula."""
    if path[:1] == ("incidents",):
        hint = "an incident has no price: it erases the run's gain, and the run does not resolve"
    elif key == "formula":
        hint = "the expression that makes the KPI from measures stands in 'kpi', as 'kpi.formula'"
    else:
        hint = (
            f"take it out; a run resolves at a score of {cut(RESOLVED_AT, 1)} or more without an incident, and only "
            f"averages floor the uplift, at {FLOOR}"
        )
    return Words(Code.FIXED_FORMULA, f"'{place((*path, key))}' cannot be set: the formula is fixed", hint)
