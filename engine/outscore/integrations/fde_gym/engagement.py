"""npcs.json -> what its acts cost, number by number as the harness takes them.

Takes the harness's own file (`npcs`) and the plain list of settings (`people`). What people know and say is left where
it is; what it means for a ruleset is `ruleset`'s matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from outscore.diagnostics import Code, Path
from outscore.integrations.fde_gym.ids import to_ours
from outscore.integrations.fde_gym.reading import (
    error,
    faults_of,
    list_at,
    needed,
    number_at,
    object_at,
    read_document,
    shown,
    text_at,
    wrong_type,
)
from outscore.numbers import Number, NumberError, read_number

OVER_FACTOR: Final = 3
"""What the harness multiplies by past `soft_limit` where no `over_factor` is given."""

LIMITS: Final = ("patience", "gone_after_hours", "gone_at", "gone_after_asks")
"""Keys of a person that decide who answers, and never what an answer costs."""

_LONGEST_ID: Final = 1_000
"""Characters; YAML takes no key of much more."""


@dataclass(frozen=True, slots=True)
class Person:
    """What contacts with one person cost, and why they may cost nothing."""

    id: str
    role: str
    cost: Number
    soft_limit: Number | None
    """Messages at list price; None: any number."""
    over_factor: Number | None
    """None: null is written, and the people server fails on every message past `soft_limit`."""
    has_over_factor: bool
    off_limits: bool
    limits: Mapping[str, object]
    """Those of LIMITS that are given, as written."""
    fails: str | None
    """Why the people server fails on every message to this person, so that none is logged or charged."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The customer's calendar, without which nobody can wait."""

    price_per_day: Number
    fails: str | None
    settings: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Trials:
    """The list prices of trial days, without the extras that a trial returns."""

    prices: tuple[Number, ...]
    fails: str | None
    max_runs: object


@dataclass(frozen=True, slots=True)
class Engagement:
    """All of npcs.json that has to do with cost."""

    file: str
    people: tuple[Person, ...]
    clock: Clock | None
    trials: Trials
    total_questions: object
    repeated: tuple[str, ...] = ()
    """Ids that are given more than once; the last counts, as there."""
    name: str | None = None
    """What the file calls the engagement, where it does."""

    @property
    def by_id(self) -> dict[str, Person]:
        """The people by their own ids."""
        return {person.id: person for person in self.people}


def read_engagement(path: str) -> Engagement:
    """Read npcs.json; raises OSError and ForeignFileError."""
    document = read_document(path)
    with faults_of(path):
        name = document.get("engagement")
        name = name if isinstance(name, str) and name else None
        root: Path = ()
        if "spec" in document:
            root = ("spec",)
            document = object_at(document["spec"], root)
        return _engagement(document, root, path, name)


def _engagement(found: Mapping[str, Any], root: Path, file: str, name: str | None) -> Engagement:
    key = "people" if "people" in found and "npcs" not in found else "npcs"
    place = (*root, key)
    people: dict[str, Person] = {}
    repeated = []
    for position, each in enumerate(list_at(needed(found, key, root), place, "a list of people")):
        person = _person(object_at(each, (*place, position)), (*place, position))
        if person.id in people:
            repeated.append(person.id)
        people[person.id] = person
    return Engagement(
        file=file,
        people=tuple(people.values()),
        clock=_clock(found.get("clock"), (*root, "clock")),
        trials=_trials(found.get("pilot", {}), (*root, "pilot")),
        total_questions=found.get("total_questions"),
        repeated=tuple(dict.fromkeys(repeated)),
        name=name,
    )


def _person(found: Mapping[str, Any], path: Path) -> Person:
    identifier = text_at(needed(found, "id", path), (*path, "id"))
    if len(to_ours(identifier)) > _LONGEST_ID:
        message = f"the id {shown(identifier)} is too long: spelt as ours it has more than {_LONGEST_ID} characters"
        raise error(Code.TOO_LARGE, message, (*path, "id"))
    words = [found[key] for key in ("name", "role") if isinstance(found.get(key), str) and found[key]]
    off_limits = bool(found.get("off_limits"))
    cost = _as_float(found.get("cost", 0), (*path, "cost"))
    soft_limit = found.get("soft_limit")
    fails = "cost is null" if cost is None else None
    if isinstance(found.get("patience"), str):
        fails = "patience is text"
    # The harness compares the count with soft_limit as it is written, and only for people who are not off limits.
    if "soft_limit" in found and not off_limits and (soft_limit is None or isinstance(soft_limit, str)):
        fails = fails or f"soft_limit is {'null' if soft_limit is None else 'text'}"
    is_number = "soft_limit" in found and soft_limit is not None and not isinstance(soft_limit, str)
    return Person(
        id=identifier,
        role=", ".join(words),
        cost=cost or 0,
        soft_limit=_counted(soft_limit, (*path, "soft_limit")) if is_number else None,
        over_factor=_as_float(found.get("over_factor", OVER_FACTOR), (*path, "over_factor")),
        has_over_factor="over_factor" in found,
        off_limits=off_limits,
        limits={key: found[key] for key in LIMITS if found.get(key) is not None},
        fails=fails,
    )


def _clock(found: object, path: Path) -> Clock | None:
    if not found:
        return None
    clock = object_at(found, path)
    price = _as_float(clock.get("wait_cost_per_day", 0), (*path, "wait_cost_per_day"))
    settings = {key: clock[key] for key in ("start", "ask_minutes", "lang") if key in clock}
    return Clock(price or 0, "wait_cost_per_day is null" if price is None else None, settings)


def _trials(found: object, path: Path) -> Trials:
    if found is None:
        return Trials((0,), "pilot is null", None)
    pilot = object_at(found, path)
    listed = pilot.get("cost", [0])
    max_runs = pilot.get("max_runs", 3)
    if max_runs is None or isinstance(max_runs, str):
        return Trials((0,), f"max_runs is {'null' if max_runs is None else 'text'}", max_runs)
    if not isinstance(listed, list) or not listed:
        return Trials((0,), f"cost is {shown(listed)}", max_runs)
    if any(each is None or isinstance(each, str) for each in listed):
        return Trials((0,), f"cost holds what is no number: {shown(listed)}", max_runs)
    place = (*path, "cost")
    return Trials(tuple(_counted(each, (*place, position)) for position, each in enumerate(listed)), None, max_runs)


def _as_float(value: object, path: Path) -> Number | None:
    """What the harness's `float(value)` takes, exactly: text and truth values too. None for null, on which it fails."""
    if value is None:
        return None
    if not isinstance(value, str):
        return _counted(value, path)
    if "{{" in value:
        hint = "a variant fills its placeholders in when the people are served; give the file that was served"
        raise error(Code.BAD_NUMBER, f"{shown(value)} is a placeholder, not a number", path, hint)
    digits = re.sub(r"(?<=[0-9])_(?=[0-9])", "", value.strip())
    try:
        return read_number(digits)
    except NumberError as refusal:
        raise error(Code.BAD_NUMBER, f"{shown(value)}: {refusal}", path) from None


def _counted(value: object, path: Path) -> Number:
    """A number that Python takes as it is: true counts as 1."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str | list | Mapping):
        raise wrong_type("a number", value, path)
    return number_at(value, path)
