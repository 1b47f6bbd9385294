"""A checked tree -> its canonical text, which `check` reads back into the same tree.

One text for one meaning of the tree: single spaces, the fewest brackets, numbers in their plainest exact form. It is
what the digest of a ruleset's meaning covers, and what bills show. It checks nothing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from outscore.plan import Arithmetic, Call, Choice, Comparison, Literal, Logic, Membership, Name, Node, Unary

# How tightly each kind binds; an operand that binds less tightly than its place asks stands in brackets.
_CHOICE, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _SIGN, _ATOM = range(9)

_LONGEST_PLAIN: Final = 24
"""Digits beyond which a number is written with an exponent, where that is shorter."""


def unparse(node: Node) -> str:
    """The canonical text of a checked tree.

    Raises ValueError for a text that no expression can hold: one with both kinds of quotes.
    """
    return _write(node, _CHOICE)


def _write(node: Node, tightest: int) -> str:
    """The text of a node for a place that takes what binds at least so tightly without brackets."""
    text, binds = _text(node)
    return text if binds >= tightest else f"({text})"


def _text(node: Node) -> tuple[str, int]:
    match node:
        case Literal(value):
            return _literal(value)
        case Name(name):
            return name, _ATOM
        case Unary("not", operand):
            return f"not {_write(operand, _NOT)}", _NOT
        case Unary(_, operand):
            return f"-{_write(operand, _SIGN)}", _SIGN
        case Arithmetic(sign, left, right):
            binds = _SUM if sign in "+-" else _PRODUCT
            return f"{_write(left, binds)} {sign} {_write(right, binds + 1)}", binds
        case Comparison(first, rest):
            links = "".join(f" {sign} {_write(each, _SUM)}" for sign, each in rest)
            return _write(first, _SUM) + links, _COMPARE
        case Membership(item, negated, items):
            listed = ", ".join(_literal(each.value)[0] for each in items)
            return f"{_write(item, _SUM)} {'not in' if negated else 'in'} [{listed}]", _COMPARE
        case Logic(word, operands):
            binds = _AND if word == "and" else _OR
            return f" {word} ".join(_write(each, binds + 1) for each in operands), binds
        case Choice(condition, then, otherwise):
            text = f"{_write(then, _OR)} if {_write(condition, _OR)} else {_write(otherwise, _CHOICE)}"
            return text, _CHOICE
        case Call(function, arguments):
            return f"{function}({', '.join(_write(each, _CHOICE) for each in arguments)})", _ATOM


def _literal(value: Fraction | str | bool) -> tuple[str, int]:
    if isinstance(value, bool):
        return ("true" if value else "false"), _ATOM
    if isinstance(value, str):
        return _quoted(value), _ATOM
    return _number(value), (_SIGN if value < 0 else _ATOM)


def _quoted(value: str) -> str:
    for quote in ('"', "'"):
        if quote not in value:
            return f"{quote}{value}{quote}"
    raise ValueError(f"no expression can hold the text {value!r}")


def _number(value: Fraction) -> str:
    """An exact decimal, or a quotient in brackets where there is none."""
    denominator = value.denominator
    twos = (denominator & -denominator).bit_length() - 1
    fives = 0
    rest = denominator >> twos
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    if rest != 1:
        return f"({value.numerator} / {denominator})"
    places = max(twos, fives)
    digits = str(abs(value.numerator) * 10**places // denominator)
    sign = "-" if value < 0 else ""
    plain = digits if places == 0 else f"{digits[:-places] or '0'}.{digits[-places:].rjust(places, '0')}"
    if len(plain) <= _LONGEST_PLAIN:
        return sign + plain
    return sign + min(plain, _with_exponent(digits, places), key=len)


def _with_exponent(digits: str, places: int) -> str:
    significant = digits.rstrip("0")
    return f"{significant}e{len(digits) - len(significant) - places}"
