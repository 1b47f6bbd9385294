"""An id -> a commented ruleset to start from, and where its JSON Schema lies, for editors.

The rules are examples, in order as they stand: they validate without findings and their two tests hold. Writes the
files that it is asked to write and never over one that is there.
"""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path
from typing import Final, NamedTuple

from outscore.plan import Direction
from outscore.resources import schema_text

SCHEMA_NAME: Final = "ruleset.schema.json"

_ID: Final = re.compile(r"[a-z][a-z0-9_]*")
_ROOTS: Final = (".git", "pyproject.toml")
"""What the folder at the top of a tree holds."""


class NewRuleset(NamedTuple):
    """A ruleset to be written, and the schema that it names."""

    path: Path
    text: str
    schema: Path
    is_schema_there: bool
    is_schema_other: bool
    """Whether the schema that is there is not the one of this version."""

    def write(self) -> None:
        """Write the ruleset, and the schema where there is none; raises OSError, FileExistsError among them."""
        for path, text in ((self.schema, schema_text("ruleset")), (self.path, self.text)):
            if path == self.schema and self.is_schema_there:
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "x", encoding="utf-8", newline="\n") as file:
                file.write(text)


def is_id(text: str) -> bool:
    """Whether the text can be a scenario's id."""
    return _ID.fullmatch(text) is not None


def as_id(text: str) -> str | None:
    """The id that comes closest to a text; None where nothing is left of it."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    if not words:
        return None
    return words if words[0].isalpha() else f"s_{words}"


def new_ruleset(scenario: str, path: Path, direction: Direction) -> NewRuleset:
    """What is to be written for a scenario at a path."""
    schema = _find_schema(path.parent)
    is_there = schema is not None
    schema = schema or _place_for_schema(path.parent)
    is_other = is_there and schema.read_text(encoding="utf-8", errors="replace") != schema_text("ruleset")
    relative = os.path.relpath(schema.resolve(), path.parent.resolve()).replace(os.sep, "/")
    return NewRuleset(path, ruleset_text(scenario, direction, relative), schema, is_there, is_other)


def _find_schema(folder: Path) -> Path | None:
    """The schema beside the rulesets, or that of the tree they stand in."""
    if (beside := folder / SCHEMA_NAME).is_file():
        return beside
    for each in _up_to_root(folder):
        if (found := each / "schemas" / SCHEMA_NAME).is_file():
            return found
    return None


def _place_for_schema(folder: Path) -> Path:
    """In a tree with a folder of rulesets beside it, in a folder of schemas; else next to the ruleset."""
    if folder.resolve().name != "rulesets":
        return folder / SCHEMA_NAME
    above = folder / ".." if folder.name in ("", "..") else folder.parent
    return above / "schemas" / SCHEMA_NAME


def _up_to_root(folder: Path) -> list[Path]:
    """The folder and those above it, up to the top of its tree; where no tree can be told, up to the one above."""
    folders: list[Path] = []
    for each in (folder.resolve(), *folder.resolve().parents):
        folders.append(each)
        if any((each / mark).exists() for mark in _ROOTS):
            return folders
    return folders[:2]


def ruleset_text(scenario: str, direction: Direction, schema: str) -> str:
    """The text of a new ruleset; `schema` is the path of its JSON Schema, from the ruleset's folder."""
    name = scenario.replace("_", " ").strip().capitalize()
    number, baseline, reference, worsened, worse = _NUMBERS[direction]
    return _TEMPLATE.format(
        schema=schema,
        scenario=scenario,
        name=name,
        number=number,
        direction=direction,
        baseline=baseline,
        reference=reference,
        worsened=worsened,
        worse=worse,
    )


_NUMBERS: Final[dict[Direction, tuple[str, int, int, int, str]]] = {
    "higher": ("Net benefit", 100, 140, 90, "<"),
    "lower": ("Cost of mistakes", 100, 60, 110, ">"),
}
"""An example of a number that is better so: its name, its baseline and reference, and one that is worse, and how."""

# Braces are doubled, since they are also the template's own.
_TEMPLATE: Final = """\
# yaml-language-server: $schema={schema}
# The rules by which runs of this scenario are scored. All names and numbers below are examples: put in your own.
# Then: outscore validate FILE, outscore test --coverage FILE, and outscore explain FILE to read the price sheet.
outscore: 1
scenario: {scenario}
title: {name}
description: What the customer does today, and what its number means.
timezone: UTC  # the customer's, by its IANA name (Europe/Berlin): hour and weekday are read on its clock

# The customer's own number. A run's score is the part of the expert's improvement that it reached, less its charges.
kpi:
  name: {number}
  unit: EUR per week
  direction: {direction}  # which way is better: higher or lower
  # The unchanged system and the expert's, the same for every run. Without them each run reports all three.
  pinned:
    baseline: {baseline}
    reference: {reference}

# What events carry besides their time, for rules to read: number, text, boolean, or the possible values.
fields:
  channel: [chat, call]

# Whom an agent may ask, and what an answer takes off the score. In all, an expert's delivery can afford 0.2.
contacts:
  people:
    process_owner:
      role: Knows how the work is done today
      price: 0.01
      patience: 2  # so many answers at that price; from the next one on past_patience applies
      past_patience: {{times: 3}}
    sponsor:
      role: Signed the contract
      price: 0.05
  # In the order written, each on the charge so far: plus adds, times multiplies, price replaces.
  restrictions:
    - id: after_hours
      why: Nobody is on duty.
      when: channel == "call" and (hour < 9 or hour >= 17)
      charge: {{plus: 0.02}}

# What the 1st, 2nd ... trial run of the system costs; the last price repeats.
trials:
  count: true
  prices: [0, 0.02]

waiting:
  count: true
  price_per_day: 0.01
  free_days: 1

# What must not happen: it takes any gain away. With `when` it is found by its rule, without it runs report it.
incidents:
  made_worse:
    why: The number is worse than before anything was changed.
    when: delivered.kpi {worse} baseline.kpi
  outage:
    why: The system was down.

# Runs, with what these rules must make of them.
tests:
  - name: an expert's delivery resolves, with two questions, a trial and a day of waiting
    run:
      kpi: {{delivered: {reference}}}
      events:
        - {{type: contact, to: process_owner, at: "2026-03-02T10:00", channel: chat}}
        - {{type: contact, to: sponsor, at: "2026-03-02T11:00", channel: call}}
        - {{type: trial}}
        - {{type: wait, hours: 24}}
    expect: {{charges: [0.01, 0.05, 0, 0], score: 0.94, resolved: true}}
  - name: making it worse does not, and charges come on top
    run:
      kpi: {{delivered: {worsened}}}
      incidents: [outage]
      events:
        - {{type: contact, to: process_owner, at: "2026-03-02T18:00", channel: call}}
        - {{type: contact, to: process_owner, at: "2026-03-03T10:00", channel: chat}}
        - {{type: contact, to: process_owner, at: "2026-03-03T11:00", channel: chat}}
        - {{type: trial}}
        - {{type: trial}}
        - {{type: wait, hours: 36}}
    expect:
      uplift: -0.25
      charges: [0.03, 0.01, 0.03, 0, 0.02, 0.005]
      score: -0.345
      resolved: false
      incidents: [outage, made_worse]
"""
