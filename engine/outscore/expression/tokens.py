"""Text of an expression -> its tokens, or what cannot stand in one.

Only what the language has becomes a token; every other character, operator and word is a finding with its place.
It looks at each token alone: their order is `grammar`'s matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from outscore.expression import syntax_errors as errors
from outscore.expression.errors import Finding
from outscore.expression.names import PYTHON_KEYWORDS, WORDS
from outscore.numbers import NumberError, read_number

Kind = Literal["number", "text", "name", "word", "symbol"]


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of the expression that belongs together."""

    kind: Kind
    text: str
    start: int
    end: int

    @property
    def at(self) -> tuple[int, int]:
        """Its characters."""
        return self.start, self.end


_SYMBOLS: Final = ("+", "-", "*", "/", "<=", ">=", "==", "!=", "<", ">", "(", ")", "[", "]", ",", ".")

# Longest first, so that `**` is not read as two products.
_SYMBOL: Final = re.compile(
    "|".join(map(re.escape, sorted({*_SYMBOLS, *errors.REFUSED_SYMBOLS}, key=len, reverse=True)))
)
_NUMBER: Final = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_CLOCK: Final = re.compile(r"[0-9]{1,2}:[0-5][0-9](?![0-9])")
# What sticks to a number and makes it none: `1_000`, `0x1F`, `1.2.3`, `9or`.
_NUMBER_TAIL: Final = re.compile(r"[\w.]*")
_LEADING_ZERO: Final = re.compile(r"0[0-9]")
# Letters of any script, so that a word with one foreign letter is one finding.
_WORD: Final = re.compile(r"\w+")


def read_tokens(text: str) -> tuple[list[Token], list[Finding]]:
    """Read the tokens of a text; where there are findings, the tokens are not all."""
    tokens: list[Token] = []
    findings: list[Finding] = []
    place = 0
    while place < len(text):
        place = _read_one(text, place, tokens, findings)
    return tokens, findings


def _read_one(text: str, start: int, tokens: list[Token], findings: list[Finding]) -> int:
    """Read what begins at `start`; returns where it ends."""
    character = text[start]
    if character in " \t":
        return start + 1
    if character in "\r\n":
        return _read_line_break(text, start, findings)
    if character in "'\"":
        return _read_text(text, start, tokens, findings)
    if character == "#":
        findings.append(errors.comment((start, len(text))))
        return len(text)
    if found := _CLOCK.match(text, start):
        findings.append(errors.clock((start, found.end()), found.group()))
        return found.end()
    if found := _NUMBER.match(text, start):
        return _read_number(text, start, found.end(), tokens, findings)
    if found := _WORD.match(text, start):
        return _read_word(text, start, found.end(), tokens, findings)
    if found := _SYMBOL.match(text, start):
        return _read_symbol(found.group(), start, tokens, findings)
    if character < " " or character == "\x7f":
        findings.append(errors.control_character((start, start + 1), character))
    else:
        findings.append(errors.outside_ascii((start, start + 1), character))
    return start + 1


def _read_line_break(text: str, start: int, findings: list[Finding]) -> int:
    # Block scalars end in a line break, which is nobody's mistake; one break is enough to say it once.
    end = len(text) if not text[start:].strip(" \t\r\n") else start + 1
    is_first = not any(text[each.at[0]] in "\r\n" for each in findings)
    if end != len(text) and is_first:
        findings.append(errors.line_break((start, end)))
    return end


def _read_text(text: str, start: int, tokens: list[Token], findings: list[Finding]) -> int:
    quote = text[start]
    if text.startswith(quote * 3, start):
        end = text.find(quote * 3, start + 3)
        end = len(text) if end < 0 else end + 3
        findings.append(errors.triple_quotes((start, end)))
        return end
    end = text.find(quote, start + 1) + 1
    if end == 0:
        findings.append(errors.unfinished_text((start, len(text.rstrip()))))
        return len(text)
    for place in range(start + 1, end - 1):
        findings.extend(_refuse_in_text(text[place], place))
    tokens.append(Token("text", text[start:end], start, end))
    return end


def _refuse_in_text(character: str, place: int) -> list[Finding]:
    at = place, place + 1
    if character == "\\":
        return [errors.backslash_in_text(at)]
    if character in "\r\n":
        return [errors.line_break(at)]
    # Lone surrogates are no characters: they cannot be written to any file.
    if (character < " " and character != "\t") or character == "\x7f" or "\ud800" <= character <= "\udfff":
        return [errors.control_character(at, character)]
    return []


def _read_number(text: str, start: int, end: int, tokens: list[Token], findings: list[Finding]) -> int:
    tail = _NUMBER_TAIL.match(text, end)
    end = tail.end() if tail else end
    source = text[start:end]
    if _NUMBER.fullmatch(source) is None or _LEADING_ZERO.match(source):
        findings.append(errors.not_a_number((start, end), source))
        return end
    try:
        read_number(source)
    except NumberError as error:
        findings.append(errors.bad_number((start, end), str(error)))
    tokens.append(Token("number", source, start, end))
    return end


def _read_word(text: str, start: int, end: int, tokens: list[Token], findings: list[Finding]) -> int:
    word = text[start:end]
    if not word.isascii():
        findings.append(errors.outside_ascii((start, end), word))
    elif word in WORDS:
        tokens.append(Token("word", word, start, end))
    elif text[end : end + 1] in ("'", '"'):
        end = _read_text(text, end, [], [])
        findings.append(errors.text_prefix((start, end), word))
    elif word in PYTHON_KEYWORDS and word not in ("True", "False", "None"):
        findings.append(errors.refused_word((start, end), word))
    else:
        # True, False and None too: to the language they are names that nobody declared.
        tokens.append(Token("name", word, start, end))
    return end


def _read_symbol(symbol: str, start: int, tokens: list[Token], findings: list[Finding]) -> int:
    end = start + len(symbol)
    if symbol == "=" and tokens and tokens[-1].text in ("<", ">"):
        findings.append(errors.split_comparison((tokens[-1].start, end), tokens[-1].text + symbol))
    elif symbol in _SYMBOLS:
        tokens.append(Token("symbol", symbol, start, end))
    # A colon or a closing brace follows from something already said: a lambda, a dictionary.
    elif symbol not in (":", "}") or not findings:
        findings.append(errors.refused_symbol((start, end), symbol))
    return end
