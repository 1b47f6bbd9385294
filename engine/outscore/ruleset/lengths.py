"""A checked Ruleset -> whether its exact charges keep a bounded length.

Charges are exact, and factors multiply their digits into them: behind a thousand factors of forty digits each charge
has forty thousand, to be worked out and written for every event. So how many can come together is bounded here, by
what the rules say and before any run. What charges come to is the matter of `outcomes`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from outscore.diagnostics import Code, Diagnostic, Path, Severity
from outscore.document import Document
from outscore.numbers import MAX_DIGITS
from outscore.plan import Arithmetic, Call, Choice, Comparison, Literal, Logic, Membership, Name, Node, Unary
from outscore.ruleset.meaning import restrictions_by_section
from outscore.ruleset.model import Ruleset

MAX_CHARGE_DIGITS: Final = 10_000
"""Most digits that the factors and divisors of one section's restrictions may bring into a charge."""

_COUNTS: Final = frozenset({"hour", "minute", "day", "nth", "nth_overall"})
_COUNT_DIGITS: Final = 7


def check_lengths(ruleset: Ruleset, document: Document) -> Iterator[Diagnostic]:
    """A finding for each section whose charges could get too long, at the restriction that passes the bound."""
    for section, restrictions in restrictions_by_section(ruleset).items():
        digits = 0
        for position, restriction in enumerate(restrictions):
            kind, written = restriction.charge.kind, restriction.charge.value
            path: Path = (section, "restrictions", position, "charge", kind)
            digits += _digits(kind, written if isinstance(written, Fraction) else ruleset.trees[path])
            if digits > MAX_CHARGE_DIGITS:
                yield Diagnostic(
                    Code.TOO_COMPLEX,
                    Severity.ERROR,
                    f"the factors and divisors of the restrictions of {section} have {digits:,} digits up to here, "
                    f"all of which an exact charge would have; at most {MAX_CHARGE_DIGITS:,} are taken",
                    document.span(path),
                    path,
                    "write fewer of them, or shorter ones",
                )
                break


def _digits(kind: str, operand: Fraction | Node) -> int:
    """How many digits a change multiplies into a charge; what only adds or replaces multiplies none."""
    if kind == "times":
        return _all(operand)
    return 0 if isinstance(operand, Fraction) else _divisors(operand)


def _divisors(node: Node) -> int:
    return sum(_all(each.right) for each in _parts(node) if isinstance(each, Arithmetic) and each.operator == "/")


def _all(node: Fraction | Node) -> int:
    if isinstance(node, Fraction):
        return max(len(str(node.numerator)), len(str(node.denominator)) - 1)
    return sum(
        _all(each.value)
        if isinstance(each, Literal) and isinstance(each.value, Fraction)
        else (_COUNT_DIGITS if each.name in _COUNTS else MAX_DIGITS)
        if isinstance(each, Name) and each.type == "number"
        else 0
        for each in _parts(node)
    )


def _parts(node: Node) -> Iterator[Node]:
    """The nodes of a tree that have a part in its value as a number; conditions have none."""
    yield node
    children: tuple[Node, ...]
    match node:
        case Unary(_, operand):
            children = (operand,)
        case Arithmetic(_, left, right):
            children = (left, right)
        case Choice(_, then, otherwise):
            children = (then, otherwise)
        case Call(_, arguments):
            children = arguments
        case Literal() | Name() | Comparison() | Membership() | Logic():
            children = ()
    for child in children:
        yield from _parts(child)
