"""Exact numbers, ordinals and values -> the words that sheets and bills share.

A decimal that is exact is shown in full where it is short; any other is cut towards minus infinity, with the exact
fraction beside it, so that no figure reads as a mark it did not reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from outscore.expression.unparse import unparse
from outscore.numbers import cut, exact_places
from outscore.plan import Change, Node

PLACES: Final = 4
"""Decimals of a figure that is cut."""

_MOST_PLACES: Final = 8
"""Decimals up to which an exact one is shown in full."""

_LONGEST_TEXT: Final = 60


def shown(value: Fraction | int, *, least_places: int = 0) -> str:
    """The number for people: `0.01`, `4100.5`, `0.8056 (5801/7200)`."""
    decimal, fraction = decimal_and_fraction(Fraction(value), least_places)
    return f"{decimal} ({fraction})" if fraction else decimal


def decimal_and_fraction(value: Fraction, least_places: int = PLACES) -> tuple[str, str]:
    """The decimal, and the exact fraction; that is empty where the decimal is exact."""
    places = exact_places(value)
    if places is None or places > _MOST_PLACES:
        return cut(value, PLACES), str(value)
    return cut(value, max(places, least_places)), ""


def term(value: Fraction) -> str:
    """The exact number as it stands in a calculation: bracketed where it would be misread."""
    places = exact_places(value)
    text = str(value) if places is None or places > _MOST_PLACES else cut(value, places)
    return f"({text})" if "/" in text or value < 0 else text


def amount(value: Fraction) -> str:
    """The number as bills show it, with at least four decimals, so that columns line up."""
    return shown(value, least_places=PLACES)


def value_text(value: Fraction | int | str | bool) -> str:
    """A value that an expression read or came to: `true`, `"chat"`, `19`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= _LONGEST_TEXT else f'"{value[:_LONGEST_TEXT]}..."'
    return shown(value)


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `11th`, `23rd`."""
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


@dataclass(frozen=True, slots=True)
class Band:
    """Consecutive events of one kind at one charge."""

    first: int
    last: int | None
    """None: and all that follow."""
    charge: Fraction


def bands_in_words(noun: str, bands: tuple[Band, ...]) -> str:
    """`contacts 1-4 at 0.01, from the 5th on 0.03`."""
    words = []
    for band in bands:
        charge = shown(band.charge)
        if band.last is None:
            words.append(
                f"from the {ordinal(band.first)} on {charge}" if band.first > 1 else f"every {noun} at {charge}"
            )
        elif band.first == band.last:
            words.append(f"{noun} {band.first} at {charge}")
        else:
            words.append(f"{noun}s {band.first}-{band.last} at {charge}")
    return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a rule does to the running charge: its number, or the canonical text of its expression."""

    kind: str
    value: Fraction | str

    def __str__(self) -> str:
        return f"{self.kind} {shown(self.value) if isinstance(self.value, Fraction) else self.value}"


def effect_of(change: Change) -> Effect:
    """A rule's change, its expression as text."""
    return Effect(change.kind, change.value if isinstance(change.value, Fraction) else unparse(change.value))


def canonical_text(node: Node | None) -> str | None:
    """The canonical text of an expression, where there is one."""
    return None if node is None else unparse(node)
