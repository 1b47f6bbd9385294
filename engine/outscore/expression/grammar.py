"""Tokens -> the first place where their order is wrong.

Values and operators must take turns, brackets pair up, each `if` have its `else`. Python's parser would find the same
mistakes, but in words and at places that change with its version; after this check it accepts every text. It builds
no tree and knows neither names nor types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from outscore.expression import syntax_errors as errors
from outscore.expression.errors import Finding
from outscore.expression.names import PYTHON_KEYWORDS
from outscore.expression.tokens import Token

_CLOSES: Final = {")": "(", "]": "["}
_BINARY: Final = frozenset({"+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=", "and", "or", "in"})
# After these a whole condition may begin, and so may `not`.
_BEFORE_NOT: Final = frozenset({"(", "[", ",", "and", "or", "not", "if", "else"})


@dataclass(slots=True)
class _Level:
    """An open bracket, or the text itself."""

    kind: Literal["text", "group", "call", "list", "part"]
    opener: Token | None
    pending: Token | None = None
    """An `if` that waits for its `else`."""


def check_order(tokens: list[Token], most_brackets: int) -> Finding | None:
    """The first mistake in the order of the tokens, of which there must be one at least.

    Brackets may be open `most_brackets` deep.
    """
    levels = [_Level("text", None)]
    previous: Token | None = None
    wants_value = True
    for token in tokens:
        if len(levels) > most_brackets + 1:
            return errors.too_deep((tokens[0].start, tokens[-1].end), most_brackets)
        if previous is not None and (previous.text == "not" or previous.text == ".") and not wants_value:
            found, wants_value = _after_half(previous, token)
        elif wants_value:
            found, wants_value = _value(levels, previous, token)
        else:
            found, wants_value = _operator(levels, previous, token)
        if found is not None:
            return found
        previous = token
    return _end(levels, previous, wants_value)


def _value(levels: list[_Level], previous: Token | None, token: Token) -> tuple[Finding | None, bool]:
    """Where a value is wanted; returns a finding, and whether a value is still wanted."""
    before = previous.text if previous else None
    match token.text:
        case _ if token.kind in ("number", "text", "name"):
            return None, False
        case "-":
            return None, True
        case "not" if before is None or before in _BEFORE_NOT:
            return None, True
        case "not":
            return errors.not_needs_brackets(token.at, before or ""), True
        case "(":
            levels.append(_Level("group", token))
            return None, True
        case "[":
            levels.append(_Level("list", token))
            return None, True
        case ")" | "]":
            return _close_early(levels, previous, token), False
        case _:
            return errors.value_missing(token.at, before, token.text), True


def _close_early(levels: list[_Level], previous: Token | None, token: Token) -> Finding | None:
    """A closing bracket where a value is wanted: after a last comma, or with nothing inside."""
    level = levels[-1]
    if found := _pairing(level, token):
        return found
    assert level.opener is not None
    assert previous is not None
    is_empty = previous is level.opener
    if is_empty and level.kind in ("group", "part"):
        return errors.empty_brackets((level.opener.start, token.end))
    if not is_empty and previous.text != ",":
        return errors.value_missing(token.at, previous.text, token.text)
    levels.pop()
    return None


def _operator(levels: list[_Level], previous: Token | None, token: Token) -> tuple[Finding | None, bool]:
    """Where an operator is wanted; returns a finding, and whether a value is wanted next."""
    level = levels[-1]
    match token.text:
        case _ if token.kind in ("number", "text", "name"):
            return _side_by_side(previous, token), True
        case "(":
            levels.append(_Level("call", token))
            return None, True
        case "[":
            levels.append(_Level("part", token))
            return None, True
        case ")" | "]":
            return _close(levels, token), False
        case ",":
            if level.pending is not None:
                return errors.if_without_else(level.pending.at), True
            is_stray = level.kind in ("text", "group")
            return (errors.stray_comma(token.at) if is_stray else None), True
        case "if":
            found = errors.choice_in_condition(token.at) if level.pending is not None else None
            level.pending = token
            return found, True
        case "else":
            found = errors.else_without_if(token.at) if level.pending is None else None
            level.pending = None
            return found, True
        case "not" | ".":
            # The first half of `not in`, or of a dotted name: the next token must be the other.
            return None, False
        case _:
            assert token.text in _BINARY, token
            return None, True


def _after_half(half: Token, token: Token) -> tuple[Finding | None, bool]:
    if half.text == ".":
        is_name = token.kind == "name" and token.text not in PYTHON_KEYWORDS
        return (None if is_name else errors.name_missing(half.at)), False
    return (None if token.text == "in" else errors.not_without_in(half.at)), True


def _side_by_side(previous: Token | None, token: Token) -> Finding:
    assert previous is not None
    at = previous.start, token.end
    if previous.kind == token.kind == "text":
        return errors.two_texts(at)
    return errors.operator_missing(at, previous.text, token.text)


def _close(levels: list[_Level], token: Token) -> Finding | None:
    level = levels[-1]
    if found := _pairing(level, token):
        return found
    if level.pending is not None:
        return errors.if_without_else(level.pending.at)
    levels.pop()
    return None


def _pairing(level: _Level, token: Token) -> Finding | None:
    if level.opener is None:
        return errors.never_opened(token.at, token.text)
    if level.opener.text != _CLOSES[token.text]:
        return errors.wrong_bracket(token.at, level.opener.text, token.text)
    return None


def _end(levels: list[_Level], last: Token | None, wants_value: bool) -> Finding | None:
    assert last is not None
    level = levels[-1]
    if level.opener is not None:
        return errors.never_closed(level.opener.at, level.opener.text)
    if wants_value:
        return errors.value_missing(last.at, last.text, None)
    if last.text == ".":
        return errors.name_missing(last.at)
    if last.text == "not":
        return errors.not_without_in(last.at)
    if level.pending is not None:
        return errors.if_without_else(level.pending.at)
    return None
