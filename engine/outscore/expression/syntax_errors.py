"""What the characters and the order of an expression have wrong -> a finding in words.

One function a finding, as in `errors`, which has those of names and types. It finds nothing itself.
"""

from __future__ import annotations

from typing import Final

from outscore.diagnostics import Code
from outscore.expression.errors import Finding, Range, show
from outscore.expression.names import WORDS

# Limits.


def empty(at: Range) -> Finding:
    return Finding(Code.BAD_EXPRESSION, at, "the expression is empty")


def too_long(at: Range, length: int, most: int) -> Finding:
    message = f"the expression has {length} characters; at most {most} are read"
    return Finding(Code.TOO_COMPLEX, at, message, "split the rule in two")


def too_many_nodes(at: Range, count: int, most: int) -> Finding:
    message = f"the expression has {count} values and operations; at most {most} are taken"
    return Finding(Code.TOO_COMPLEX, at, message, "split the rule in two")


def too_deep(at: Range, most: int) -> Finding:
    message = f"the expression is nested more than {most} levels deep"
    return Finding(Code.TOO_COMPLEX, at, message, "put the parts of a long sum in brackets, or split the rule in two")


# Characters.

REFUSED_SYMBOLS: Final[dict[str, str | None]] = {
    ":=": "an expression sets nothing; compare with '=='",
    "===": "compare with '=='",
    "!==": "compare with '!='",
    "<>": "compare with '!='",
    "=>": "write '>='",
    "=<": "write '<='",
    "=": "compare with '=='; nothing is assigned",
    "&&": "write 'and'",
    "&": "write 'and'",
    "||": "write 'or'",
    "|": "write 'or'",
    "!": "write 'not'",
    "~": "write 'not'",
    "**": "write a power as a product, as in 'x * x'",
    "^": "write a power as a product, as in 'x * x'",
    "//": "divide with '/'",
    "%": "there is no remainder, and a percentage is written as a decimal: 5% is 0.05",
    "<<": "multiply instead",
    ">>": "divide instead",
    ";": "a rule is one expression; join conditions with 'and' or 'or'",
    ":": None,
    "?": "write a choice as 'a if condition else b'",
    "{": "lists stand in square brackets, and names are written plainly",
    "}": "lists stand in square brackets, and names are written plainly",
    "$": "names are written plainly",
    "@": "names are written plainly",
    "`": "names are written plainly, and text in quotes",
    "\\": None,
}
"""Symbols that people try, each with what to do instead."""

_OUTSIDE_ASCII: Final[dict[str, str]] = {
    **dict.fromkeys("“”„‟«»‘’‚‹›", "put text in straight quotes"),
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000\ufeff\u200b", "write an ordinary space"),
    **dict.fromkeys("−–—", "write '-'"),
    **dict.fromkeys("×·∙", "write '*'"),
    "÷": "write '/'",
    "≤": "write '<='",
    "≥": "write '>='",
    "≠": "write '!='",
    "∧": "write 'and'",
    "∨": "write 'or'",
    "¬": "write 'not'",
}


def refused_symbol(at: Range, symbol: str) -> Finding:
    message = f"'{symbol}' is not part of the expression language"
    return Finding(Code.REFUSED_SYNTAX, at, message, REFUSED_SYMBOLS[symbol])


def clock(at: Range, source: str) -> Finding:
    hint = "compare the hour, and the minute: 'hour < 9', or 'hour == 9 and minute < 30'"
    return Finding(Code.REFUSED_SYNTAX, at, f"{show(source)} is a time of day, which is not read", hint)


def split_comparison(at: Range, symbol: str) -> Finding:
    return Finding(Code.BAD_EXPRESSION, at, f"'{symbol}' is written without a space", f"write '{symbol}'")


def comment(at: Range) -> Finding:
    hint = "a YAML comment stands outside of the expression's quotes"
    return Finding(Code.REFUSED_SYNTAX, at, "an expression takes no comment", hint)


def line_break(at: Range) -> Finding:
    hint = "YAML's '>' folds lines into one"
    return Finding(Code.REFUSED_SYNTAX, at, "an expression stands on one line, and this one has several", hint)


def control_character(at: Range, character: str) -> Finding:
    message = f"the control character U+{ord(character):04X} cannot stand in an expression"
    return Finding(Code.REFUSED_SYNTAX, at, message, "leave it out")


def outside_ascii(at: Range, source: str) -> Finding:
    word = show(source) if source.isalnum() or source in "≤≥≠×÷" else f"the character U+{ord(source[0]):04X}"
    message = f"{word} is not ASCII; only text in quotes may be other than ASCII"
    return Finding(Code.REFUSED_SYNTAX, at, message, _OUTSIDE_ASCII.get(source))


_REFUSED_WORDS: Final = {
    "is": "compare with '==' or '!='",
    "elif": "write a choice as 'a if condition else b'",
    "for": "list the values, as in 'x in [1, 2]'",
}


def refused_word(at: Range, word: str) -> Finding:
    message = f"'{word}' is not part of the expression language"
    return Finding(Code.REFUSED_SYNTAX, at, message, _REFUSED_WORDS.get(word))


def backslash_in_text(at: Range) -> Finding:
    hint = "text is read as it stands; where it has one kind of quotes, put it in the other"
    return Finding(Code.REFUSED_SYNTAX, at, "a backslash cannot stand in text", hint)


def text_prefix(at: Range, prefix: str) -> Finding:
    return Finding(Code.REFUSED_SYNTAX, at, f"text takes no prefix, and this has {show(prefix)}", "write it plainly")


def triple_quotes(at: Range) -> Finding:
    return Finding(Code.REFUSED_SYNTAX, at, "text in three quotes is not read", "put it in one pair of quotes")


def unfinished_text(at: Range) -> Finding:
    return Finding(Code.BAD_EXPRESSION, at, "the quotes of this text are never closed")


def bad_number(at: Range, reason: str) -> Finding:
    return Finding(Code.BAD_NUMBER, at, reason)


def not_a_number(at: Range, source: str) -> Finding:
    digits = source.lstrip("0123456789.")
    plain = source.replace("_", "")
    hint = None
    if "_" in source and plain.replace(".", "").isdigit():
        hint = f"write {plain}"
    elif source.isdigit() and source.isascii():
        hint = f"write it without the leading zero: {source.lstrip('0') or '0'}"
    elif digits in WORDS:
        hint = f"put a space before '{digits}'"
    return Finding(Code.BAD_NUMBER, at, f"{show(source)} is not a decimal number", hint)


# Order.


def value_missing(at: Range, before: str | None, after: str | None) -> Finding:
    """`before` and `after`: the tokens around the gap; None at the ends of the text."""
    if after is None:
        return Finding(Code.BAD_EXPRESSION, at, f"a value is missing after {show(before or '')}, where the text ends")
    message = f"a value is missing before {show(after)}"
    if after == "+":
        return Finding(Code.BAD_EXPRESSION, at, message, "a positive number has no sign")
    if after == "if":
        return Finding(Code.BAD_EXPRESSION, at, message, "write a choice as 'a if condition else b'")
    if before in ("and", "or", "not", None) and after in ("<", ">", "==", "!=", "<=", ">=", "in"):
        hint = "write what is compared each time, as in 'x < 9 or x > 18'"
        return Finding(Code.BAD_EXPRESSION, at, message, hint)
    if before in ("<", ">", "=", "!", "==", "<=", ">="):
        return Finding(Code.BAD_EXPRESSION, at, message, "comparisons are '<', '<=', '>', '>=', '==' and '!='")
    return Finding(Code.BAD_EXPRESSION, at, message)


_OPERATORS_IN_WORDS: Final = {
    "between": "write 'a <= x <= b'",
    "equals": "compare with '=='",
    "contains": 'compare with a list, as in \'x in ["a", "b"]\'',
    "then": "write a choice as 'a if condition else b'",
    "times": "multiply with '*'",
    "plus": "add with '+'",
    "minus": "subtract with '-'",
}


def operator_missing(at: Range, before: str, after: str) -> Finding:
    message = f"an operator is missing between {show(before)} and {show(after)}"
    if hint := _OPERATORS_IN_WORDS.get(after.lower()):
        return Finding(Code.BAD_EXPRESSION, at, message, hint)
    for word in (before, after):
        if word.lower() in WORDS:
            return Finding(Code.BAD_EXPRESSION, at, message, f"did you mean '{word.lower()}'?")
    return Finding(Code.BAD_EXPRESSION, at, message)


def two_texts(at: Range) -> Finding:
    hint = 'compare with one of them, or list them as in \'x in ["a", "b"]\''
    return Finding(Code.BAD_EXPRESSION, at, "two texts stand side by side", hint)


def never_opened(at: Range, bracket: str) -> Finding:
    return Finding(Code.BAD_EXPRESSION, at, f"'{bracket}' closes nothing")


def never_closed(at: Range, bracket: str) -> Finding:
    return Finding(Code.BAD_EXPRESSION, at, f"'{bracket}' is never closed")


def wrong_bracket(at: Range, opened: str, closed: str) -> Finding:
    return Finding(Code.BAD_EXPRESSION, at, f"'{closed}' cannot close '{opened}'")


def empty_brackets(at: Range) -> Finding:
    return Finding(Code.BAD_EXPRESSION, at, "there is nothing in the brackets")


def stray_comma(at: Range) -> Finding:
    hint = "a list stands in square brackets, and a decimal is written with a point"
    return Finding(Code.BAD_EXPRESSION, at, "a comma stands between the values of a list or a call only", hint)


def else_without_if(at: Range) -> Finding:
    hint = "write a choice as 'a if condition else b'"
    return Finding(Code.BAD_EXPRESSION, at, "this 'else' has no 'if'", hint)


def if_without_else(at: Range) -> Finding:
    hint = "write a choice as 'a if condition else b'"
    return Finding(Code.BAD_EXPRESSION, at, "this 'if' has no 'else'", hint)


def choice_in_condition(at: Range) -> Finding:
    hint = "put the inner choice in brackets"
    return Finding(Code.BAD_EXPRESSION, at, "a second 'if' comes before the 'else' of the first", hint)


def not_needs_brackets(at: Range, before: str) -> Finding:
    message = f"'not' cannot follow {show(before)} directly"
    return Finding(Code.BAD_EXPRESSION, at, message, "put it in brackets, as in 'x == (not y)'")


def not_without_in(at: Range) -> Finding:
    message = "'not' between two values is read as 'not in' only"
    return Finding(Code.BAD_EXPRESSION, at, message, "write 'not in', '!=' or 'and not'")


def name_missing(at: Range) -> Finding:
    return Finding(Code.BAD_EXPRESSION, at, "a name is missing after '.'")


def unreadable(at: Range) -> Finding:
    return Finding(Code.BAD_EXPRESSION, at, "this is not an expression")
