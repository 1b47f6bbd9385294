"""Lines -> what each one was: who was answered, and where the people server's own counting is not the run's.

The log says neither outright. A message is charged where its `n_asked` differs from the person's line before; one that
finds nobody there says so; an unanswered one looks like an answered one that hit nothing, but leaves the count alone.
A restart of the people server sets every count back, so a count that falls shows one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from outscore.integrations.fde_gym.log import Line

Kind = Literal["contact", "trial", "wait", "inbox"]

_WAITED = re.compile(r"waited ([0-9]{1,9}) h")
_INBOX = re.compile(r"read [0-9]{1,9} message\(s\)")


@dataclass(frozen=True, slots=True)
class Restart:
    """A restart of the people server: after one line, before or at another; both by their number in the log."""

    after: int
    by: int


@dataclass(frozen=True, slots=True)
class Act:
    """What one line of the log was."""

    line: Line
    kind: Kind
    is_answered: bool = False
    is_gone: bool = False
    nth: int | None = None
    """Which of this person's answered messages it is in the whole run; None where it is none."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A whole log, counted."""

    acts: tuple[Act, ...]
    restarts: tuple[Restart, ...]


def count(lines: Iterable[Line], people: Collection[str] = (), silent: Collection[str] = ()) -> Counted:
    """Tell what each line was.

    people are the ids that are known, which matters where somebody is called wait, inbox or pilot; silent are those
    whose messages all fail, so that what is logged of them was never answered.
    """
    counter = _Counter(frozenset(people), frozenset(silent))
    return Counted(tuple(counter.act(line) for line in lines), tuple(counter.restarts))


def hours_said(line: Line) -> int | None:
    """The hours in a wait's text, which the harness rounds to whole ones; None where it has no such text."""
    match = _WAITED.fullmatch(line.question)
    return int(match[1]) if match else None


@dataclass(slots=True)
class _Last:
    """What was last seen of one count."""

    value: int
    number: int
    """The line's."""


class _Counter:
    def __init__(self, people: frozenset[str], silent: frozenset[str]) -> None:
        self._people = people
        self._silent = silent
        self._last: dict[tuple[str, str], _Last] = {}
        self._answered: dict[str, int] = {}
        self.restarts: list[Restart] = []

    def act(self, line: Line) -> Act:
        kind = self._kind(line)
        if kind == "contact":
            return self._contact(line)
        if kind == "trial":
            # Each trial has a day of its own, so one that does not rise is the first sign of a restart.
            self._before(("trial", ""), line, is_reset=line.n_asked <= self._value(("trial", "")))
        return Act(line, kind)

    def _kind(self, line: Line) -> Kind:
        to = line.to
        if to not in ("wait", "inbox", "pilot"):
            return "contact"
        kinds: dict[str, Kind] = {"wait": "wait", "inbox": "inbox", "pilot": "trial"}
        if to in self._people and self._is_person(line):
            return "contact"
        return kinds[to]

    def _is_person(self, line: Line) -> bool:
        """Whether a line that could be the harness's own is a message to somebody of that name."""
        if line.to == "pilot":
            return line.has_time
        text = _WAITED if line.to == "wait" else _INBOX
        return line.n_asked > 0 or not text.fullmatch(line.question)

    def _contact(self, line: Line) -> Act:
        who = ("contact", line.to)
        value = self._value(who)
        is_gone = line.topics == ("gone",) and (f"F_gone:{line.to}" in line.facts or line.n_asked == value)
        # An unanswered message is free and hits nothing. So a first message that was charged, or hit something, is
        # another first message, although the count stands where it stood.
        is_another_first = line.n_asked == value == 1 and bool(line.cost or line.topics or line.facts)
        before = self._before(who, line, is_reset=line.n_asked < value or (is_another_first and not is_gone))
        if is_gone or line.n_asked == before or line.to in self._silent:
            return Act(line, "contact", is_gone=is_gone)
        nth = self._answered[line.to] = self._answered.get(line.to, 0) + 1
        return Act(line, "contact", is_answered=True, nth=nth)

    def _value(self, key: tuple[str, str]) -> int:
        last = self._last.get(key)
        return last.value if last else 0

    def _before(self, key: tuple[str, str], line: Line, *, is_reset: bool) -> int:
        """The count before this line; enters the line."""
        last = self._last.get(key)
        if is_reset and last is not None:
            self._restarted(last.number, line.number)
            last = None
        self._last[key] = _Last(line.n_asked, line.number)
        return last.value if last else 0

    def _restarted(self, after: int, by: int) -> None:
        if self.restarts and after < self.restarts[-1].by:
            # Both can be one and the same; then it lies where they overlap.
            after = max(after, self.restarts[-1].after)
            self.restarts[-1] = Restart(after, self.restarts[-1].by)
        else:
            self.restarts.append(Restart(after, by))
        # It set back every count. Those not seen since the line it came after are known to stand at 0 again.
        for last in self._last.values():
            if last.number <= after:
                last.value = 0
