"""Findings -> those of one cause told once, with their number and the first places; digests short enough to be read.

Finds nothing itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from outscore.diagnostics import Diagnostic

PLACES_TOLD: Final = 3
"""Places that are named of findings of one cause."""

_DIGEST: Final = re.compile("sha256:[0-9a-f]{64}")
_SHORT: Final = len("sha256:") + 12


class Findings:
    """What stands against a job, gathered by cause."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, ...], tuple[Diagnostic, list[str]]] = {}
        self._counts: dict[tuple[str, ...], int] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, one: Diagnostic, words: str, place: str) -> None:
        """Add a finding. Where there are several of the same words, these follow their number, and places follow them.

        `60` `results of scores.jsonl are in it a second time`: `run 'r-1' (lines 1 and 61)`, ...
        """
        key = (one.code, words)
        _, places = self._found.setdefault(key, (one, []))
        self._counts[key] = self._counts.get(key, 0) + 1
        if len(places) < PLACES_TOLD:
            places.append(place)

    def told(self) -> list[Diagnostic]:
        """The findings, each cause once, in the order in which they were first found."""
        return [self._told(key) for key in self._found]

    def _told(self, key: tuple[str, ...]) -> Diagnostic:
        one, places = self._found[key]
        count = self._counts[key]
        if count == 1:
            return one
        return replace(one, message=f"{count} {key[-1]}: {listed_places(places, count)}")


def listed_places(first: list[str], count: int) -> str:
    """The first places, and how many there are besides."""
    return ", ".join(first) + (f" and {count - len(first)} more" if count > len(first) else "")


def shortened(digests: Iterable[str]) -> dict[str, str]:
    """Each digest as a message names it: by its first digits, where these tell it from all others, else whole."""
    found = set(digests)
    short = {each: f"{each[:_SHORT]}..." if _DIGEST.fullmatch(each) else each for each in found}
    times = Counter(short.values())
    return {each: text if times[text] == 1 else each for each, text in short.items()}
