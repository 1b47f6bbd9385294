"""Outcomes with their places, one by one -> the ids of runs that are there more than once, and where.

Keeps one number an id, so that very many runs take little memory. Prints nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from outscore.alike import Findings
from outscore.batch import BadRun, Outcome, Place
from outscore.diagnostics import Code, Diagnostic, Severity
from outscore.results import finding

_ITEM_BIT, _FILE_BITS = 1, 48


class RunIds:
    """The ids that were seen, and the places of those that came again."""

    def __init__(self) -> None:
        self._files: dict[str, int] = {}
        self._names: list[str] = []
        self._first: dict[str, int] = {}
        self._again: list[tuple[str, Place]] = []

    @property
    def known(self) -> Mapping[str, object]:
        """The ids, as keys."""
        return self._first

    def add(self, outcome: Outcome, place: Place) -> bool:
        """Remember an outcome's run; whether there was one of its id before."""
        run = outcome.error.run if isinstance(outcome, BadRun) else outcome.run
        if run is None:
            return False
        if run not in self._first:
            self._first[run] = self._packed(place)
            return False
        self._again.append((run, place))
        return True

    def places(self, run: str) -> list[Place]:
        """The places of an id that is there more than once, in order; of any other, none."""
        again = [place for each, place in self._again if each == run]
        return [self._unpacked(self._first[run]), *again] if again else []

    def findings(self) -> list[Diagnostic]:
        """What is there more than once, told once for each pair of files."""
        found = Findings()
        hint = "keep the one that counts; two attempts are two runs, each with its own id"
        for run, place in self._again:
            first = self._unpacked(self._first[run])
            told = f"{run!r} ({first} and {place})"
            if place.file == first.file:
                words = f"runs of {place.file} have the id of an earlier one in it"
            else:
                words = f"runs of {place.file} have the id of one in {first.file}"
            message = f"run {run!r} is here a second time, after {first}"
            if place.line is None:
                one = Diagnostic(Code.DUPLICATE_ID, Severity.ERROR, f"{place}: {message}", hint=hint)
            else:
                one = finding(Code.DUPLICATE_ID, place.file, place.line, message, hint)
            found.add(one, words, told)
        return found.told()

    def _packed(self, place: Place) -> int:
        number = self._files.setdefault(place.file, len(self._files))
        if number == len(self._names):
            self._names.append(place.file)
        line = place.line is not None
        return number << _FILE_BITS | ((place.line if line else place.item) or 0) << _ITEM_BIT | (not line)

    def _unpacked(self, packed: int) -> Place:
        rest = packed & ((1 << _FILE_BITS) - 1)
        number = rest >> _ITEM_BIT or None
        is_item = bool(rest & 1)
        return Place(self._names[packed >> _FILE_BITS], None if is_item else number, number if is_item else None)
