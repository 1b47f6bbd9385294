"""What the names and types of an expression have wrong -> a finding in words.

All wording of the expression language stands here and in `syntax_errors`, one function a finding; what can be known
about a fix goes into the hint. It finds nothing itself and knows places only as character ranges of the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from outscore.diagnostics import Code, Severity, nearest
from outscore.expression.names import FUNCTIONS, READ_AT, RESERVED, SYSTEMS, TRUTH_VALUES, WEEKDAYS, Scope, weekday_of
from outscore.plan import ValueType

Range = tuple[int, int]
"""Characters of the expression's text, from 0; the end is exclusive."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding, before its place in the file is known."""

    code: Code
    at: Range
    message: str
    hint: str | None = None
    severity: Severity = Severity.ERROR


_MOST_FOLDED: Final = 100
_SHOWN: Final = 40
_LISTED: Final = 12

_KINDS: Final[dict[ValueType, str]] = {"number": "a number", "text": "text", "boolean": "true or false"}


def show(source: str) -> str:
    """A piece of the expression, quoted, with nothing unprintable in it, and not too long."""
    return repr(source if len(source) <= _SHOWN else source[: _SHOWN - 3] + "...")


def near(word: str, known: Collection[str]) -> str | None:
    """The known word that was most likely meant; one that differs in case alone comes first."""
    if len(known) > _MOST_FOLDED:
        return nearest(word, known)
    folded = word.casefold()
    same = sorted(each for each in known if each.casefold() == folded)
    return same[0] if same else nearest(word, sorted(known))


# Names.

_DAY: Final = "'day' counts the full days since the run's first event"
_OF_A_TIME: Final = f"rules cannot read dates; of a time they read 'hour', 'minute', 'weekday' and 'day'; {_DAY}"
_MOMENTS: Final = frozenset({"at", "date", "time", "datetime", "timestamp", "now", "today"})
"""Words for the time of an event."""


def unknown_name(at: Range, name: str, scope: Scope) -> Finding:
    message = f"{show(name)} is not known in {scope.where}"
    return Finding(Code.UNKNOWN_NAME, at, message, _name_hint(name, scope))


def _name_hint(name: str, scope: Scope) -> str | None:
    """The likeliest reason first: a word of another language, forgotten quotes, a prefix, a slip, another place."""
    known = scope.names
    if name.lower() in TRUTH_VALUES:
        return f"did you mean '{name.lower()}'?"
    if name.lower() in ("none", "null", "nil", "nan"):
        return "there is no empty value; a rule that reads what a run does not carry is an error for that run"
    if any(name in info.values for info in known.values() if info.values):
        return f'put text in quotes: "{name}"'
    if name in SYSTEMS and f"{name}.kpi" in known:
        return f"say which value of it, as in '{name}.kpi'"
    if f"delivered.{name}" in known:
        return f"did you mean 'delivered.{name}'?"
    system, _, value = name.partition(".")
    if system in SYSTEMS and value in known:
        return f"did you mean '{value}'? The formula is worked out for each system by itself"
    if name == "at" and "day" in known:
        return _OF_A_TIME
    meant = near(name, known)
    if meant is not None:
        return f"did you mean '{meant}'?"
    if name.lower() in _MOMENTS and "day" in known:
        return _OF_A_TIME
    if name in READ_AT:
        return f"'{name}' can be read in {READ_AT[name]} only"
    if system in (*SYSTEMS, "kpi"):
        return f"'{system}' can be read in an incident rule only"
    listed = f"known here: {', '.join(sorted(known))}" if 0 < len(known) <= _LISTED else ""
    # A dotted name, one with capitals, or one of the language's own cannot be declared.
    is_free = _may_be_declared(name) and name not in RESERVED
    declared = f"declare what is to be read under '{scope.more}'" if is_free and scope.more else ""
    return "; ".join(filter(None, (listed, declared))) or None


def _may_be_declared(source: str) -> bool:
    """Whether it is one name, as rulesets declare them: no dots, no capitals."""
    return source.isascii() and source.isidentifier() and source.islower()


def function_as_name(at: Range, name: str) -> Finding:
    example = "abs(x)" if name == "abs" else f"{name}(a, b)"
    return Finding(Code.UNKNOWN_NAME, at, f"'{name}' is a function", f"call it with numbers, as in '{example}'")


_FUNCTIONS_IN_OTHER_WORDS: Final = {
    "sum": "add with '+'",
    **dict.fromkeys(("avg", "average", "mean"), "add with '+', and divide by how many there are"),
    **dict.fromkeys(("round", "int", "floor", "ceil", "trunc"), "numbers are exact, and nothing is rounded"),
    **dict.fromkeys(("pow", "power", "square"), "write a power as a product, as in 'x * x'"),
    **dict.fromkeys(("if", "iif", "when"), "write a choice as 'a if condition else b'"),
}


def unknown_function(at: Range, source: str) -> Finding:
    message = f"{show(source)} cannot be called; the functions are min, max and abs"
    meant = near(source, FUNCTIONS)
    hint = _FUNCTIONS_IN_OTHER_WORDS.get(source.lower()) or (f"did you mean '{meant}'?" if meant else None)
    return Finding(Code.REFUSED_SYNTAX, at, message, hint)


def attribute(at: Range, source: str) -> Finding:
    message = f"{show(source)} is not read; a dot stands after baseline, delivered and reference only, and once"
    return Finding(Code.REFUSED_SYNTAX, at, message)


# Structure.


def subscript(at: Range, source: str) -> Finding:
    return Finding(Code.REFUSED_SYNTAX, at, f"{show(source)} is not read; no part is taken out of a value")


def refused(at: Range, source: str) -> Finding:
    return Finding(Code.REFUSED_SYNTAX, at, f"{show(source)} is not part of the expression language")


def stray_list(at: Range) -> Finding:
    hint = "compare with a list as in 'x in [1, 2]'"
    return Finding(Code.REFUSED_SYNTAX, at, "a list is read on the right of 'in' and 'not in' only", hint)


def chained_membership(at: Range) -> Finding:
    hint = "join the comparisons with 'and'"
    return Finding(Code.REFUSED_SYNTAX, at, "'in' cannot be chained with another comparison", hint)


def list_wanted(at: Range, source: str) -> Finding:
    message = f"'in' and 'not in' take a list on their right, and {show(source)} is none"
    is_literal = source[0] in "'\"0123456789."
    return Finding(Code.TYPE_MISMATCH, at, message, f"write [{source}]" if is_literal else "write 'x in [1, 2]'")


def empty_list(at: Range) -> Finding:
    return Finding(Code.BAD_EXPRESSION, at, "the list is empty, so nothing can be in it")


def item_not_literal(at: Range, source: str, is_text_wanted: bool) -> Finding:
    message = f"a list holds numbers, texts in quotes, true and false; {show(source)} is none of these"
    is_name = is_text_wanted and source.isidentifier()
    return Finding(Code.REFUSED_SYNTAX, at, message, f'put text in quotes: "{source}"' if is_name else None)


def argument_count(at: Range, function: str, given: int) -> Finding:
    wanted = "one number" if function == "abs" else "two or more numbers"
    return Finding(Code.BAD_EXPRESSION, at, f"'{function}' takes {wanted}, and it is given {given or 'none'}")


# Types.


def number_wanted(at: Range, taker: str, source: str, kind: ValueType) -> Finding:
    """`taker`: the operator or function."""
    message = f"'{taker}' takes numbers, and {show(source)} is {_KINDS[kind]}"
    return Finding(Code.TYPE_MISMATCH, at, message, _quoted_number(source))


_CLOCK: Final = re.compile(r"""["'][0-2][0-9]:[0-5][0-9]["']""")
_DATE: Final = re.compile(r"""["'][0-9]{4}-[0-9]{2}-[0-9]{2}([T ][^"']*)?["']""")
_NO_DATES: Final = f"rules cannot read dates; {_DAY}"


def is_moment(source: str) -> bool:
    """Whether it is text that says a date or a time of day."""
    return _CLOCK.fullmatch(source) is not None or _DATE.fullmatch(source) is not None


def _weekday_in(source: str) -> str | None:
    """What `weekday` is on the day that a text names, in its quotes."""
    return weekday_of(source[1:-1]) if source[:1] in ("'", '"') else None


def order_wanted(at: Range, operator: str, source: str, kind: ValueType) -> Finding:
    message = f"'{operator}' compares numbers, and {show(source)} is {_KINDS[kind]}"
    hint = _quoted_number(source) or ("compare text with '==', '!=' or 'in'" if kind == "text" else None)
    if _CLOCK.fullmatch(source):
        hint = f"compare the parts of a time: 'hour {operator} {int(source[1:3])}', and 'minute' where it matters"
    elif _DATE.fullmatch(source):
        hint = _NO_DATES
    elif _weekday_in(source):
        hint = 'weekdays are not ordered; list them, as in \'weekday in ["sat", "sun"]\''
    return Finding(Code.TYPE_MISMATCH, at, message, hint)


def condition_wanted(at: Range, taker: str, source: str, kind: ValueType, is_literal: bool) -> Finding:
    """`taker`: `and`, `or`, `not` or `if`; `is_literal`: a bare value, as in `hour == 9 or 10`."""
    message = f"'{taker}' takes a condition, and {show(source)} is {_KINDS[kind]}"
    if is_literal and taker in ("and", "or"):
        hint = f"write the comparison in full on both sides of '{taker}'"
    elif kind == "number":
        hint = "compare it with a number, as in 'x > 0'"
    else:
        hint = "compare it with a text, as in 'x == \"a\"'"
    return Finding(Code.TYPE_MISMATCH, at, message, hint)


def whole_type(at: Range, wanted: ValueType, kind: ValueType) -> Finding:
    if wanted == "boolean":
        hint = "compare it with a number, as in 'x > 0'" if kind == "number" else "compare it with '==' or 'in'"
        return Finding(Code.TYPE_MISMATCH, at, f"a condition is wanted here, and this is {_KINDS[kind]}", hint)
    hint_number = "choose between two numbers with 'a if condition else b'" if kind == "boolean" else None
    found = "a condition" if kind == "boolean" else _KINDS[kind]
    return Finding(Code.TYPE_MISMATCH, at, f"a number is wanted here, and this is {found}", hint_number)


def never_equal(at: Range, left: str, left_kind: ValueType, right: str, right_kind: ValueType) -> Finding:
    message = f"{show(left)} is {_KINDS[left_kind]} and {show(right)} is {_KINDS[right_kind]}; they cannot be compared"
    hint: str | None
    condition = left if left_kind == "boolean" else right if right_kind == "boolean" else ""
    if _may_be_declared(condition) and condition not in TRUTH_VALUES:
        hint = f"write '{condition}' alone, or 'not {condition}'"
    elif _DATE.fullmatch(left) or _DATE.fullmatch(right):
        hint = _NO_DATES
    elif "day" in (left, right) and (_weekday_in(left) or _weekday_in(right)):
        hint = f"did you mean 'weekday'? {_DAY}"
    else:
        hint = _quoted_number(left if left_kind == "text" else right)
    return Finding(Code.TYPE_MISMATCH, at, message, hint)


def branches_differ(at: Range, left: str, left_kind: ValueType, right: str, right_kind: ValueType) -> Finding:
    message = (
        f"a choice is between two values of one type, and {show(left)} is {_KINDS[left_kind]} "
        f"where {show(right)} is {_KINDS[right_kind]}"
    )
    return Finding(Code.TYPE_MISMATCH, at, message)


def _quoted_number(source: str) -> str | None:
    inner = source[1:-1]
    is_quoted = source[:1] in ("'", '"') and inner.replace(".", "", 1).isdecimal() and inner.isascii()
    return f"write the number without quotes: {inner}" if is_quoted else None


# Values.

_WEEK: Final = frozenset(WEEKDAYS)


def impossible_value(at: Range, subject: str | None, text: str, possible: Collection[str]) -> Finding:
    """`subject`: the name that is compared; None where it is a choice between several."""
    message = f"{show(subject) if subject else 'what it is compared with'} is never {show(text)}"
    is_weekday = _WEEK.issubset(possible)
    meant = (weekday_of(text) if is_weekday else None) or near(text, possible)
    if is_weekday and text.casefold().startswith("weekend"):
        hint = 'write \'weekday in ["sat", "sun"]\''
    elif meant is not None:
        hint = f"did you mean {show(meant)}?"
    elif 0 < len(possible) <= _LISTED:
        in_order = WEEKDAYS if len(possible) == len(WEEKDAYS) and is_weekday else sorted(possible)
        hint = f"it can be {', '.join(show(each) for each in in_order)}"
    else:
        hint = None
    return Finding(Code.IMPOSSIBLE_VALUE, at, message, hint)


def unlisted_value(at: Range, subject: str | None, text: str, meant: str) -> Finding:
    """A warning: other values than those listed are possible, but a listed one, `meant`, is near."""
    message = f"{show(text)} is not a listed value of {show(subject) if subject else 'what it is compared with'}"
    return Finding(Code.IMPOSSIBLE_VALUE, at, message, f"did you mean {show(meant)}?", Severity.WARNING)


def division_by_zero(at: Range, source: str) -> Finding:
    return Finding(Code.DIVISION_BY_ZERO, at, f"this divides by {show(source)}, which is zero")


def constant_condition(at: Range, source: str, value: bool) -> Finding:
    message = f"{show(source)} is always {'true' if value else 'false'}"
    hint = "a condition reads something of the event or run, as in 'x > 1'"
    return Finding(Code.CONSTANT_CONDITION, at, message, hint, Severity.WARNING)
