"""A tree -> the same tree with the format's own keys in the format's order.

What authors name (people, fields, measures, incidents, fields of events) and what they expect in tests keeps the order
in which it was written, and so does whatever stands in a holder (`x-...`). Moves nothing across an anchor.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from outscore.fmt.syntax import Collection, Entry, Node


class Keys:
    """A mapping with keys of the format, in order, each with the shape of its value."""

    def __init__(self, **keys: Shape) -> None:
        self.shapes: Mapping[str, Shape] = keys
        self.ranks = {name: rank for rank, name in enumerate(keys)}


class Each:
    """A list, or a mapping by names of the author's, whose items have one shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape


Shape = Keys | Each | None
"""None: nothing in it is put in order."""

_PERSON: Final = Keys(role=None, price=None, patience=None, past_patience=None)
_RESTRICTIONS: Final = Each(Keys(id=None, why=None, when=None, charge=None))
_SYSTEMS: Final = Keys(baseline=None, delivered=None, reference=None)
_EVENT: Final = Keys(type=None, to=None, hours=None, at=None, answered=None)
_RUN: Final = Keys(
    run=None, scenario=None, task=None, agent=None, kpi=_SYSTEMS, incidents=None, data=_SYSTEMS, events=Each(_EVENT)
)
RULESET: Final = Keys(
    outscore=None,
    scenario=None,
    title=None,
    description=None,
    timezone=None,
    kpi=Keys(name=None, unit=None, direction=None, measures=None, formula=None, pinned=_SYSTEMS),
    fields=None,
    contacts=Keys(people=Each(_PERSON), anyone_else=_PERSON, restrictions=_RESTRICTIONS),
    trials=Keys(count=None, prices=None, restrictions=_RESTRICTIONS),
    waiting=Keys(count=None, price_per_day=None, free_days=None, restrictions=_RESTRICTIONS),
    incidents=Each(Keys(why=None, when=None)),
    tests=Each(Keys(name=None, run=_RUN, expect=None)),
)
"""The order of the format, as docs/reference/ruleset.md has it."""

_MERGED: Final = -1.0
"""What is merged in comes first: it is what the rest is written on top of."""


def put_in_order(node: Node, shape: Shape = RULESET) -> None:
    """Put a tree in order, in place."""
    if not isinstance(node, Collection) or shape is None:
        return
    for entry in node.entries:
        put_in_order(entry.value, shape.shape if isinstance(shape, Each) else shape.shapes.get(entry.name))
    if isinstance(shape, Keys) and node.is_mapping:
        node.entries = _in_order(node.entries, shape)


def _in_order(entries: list[Entry], shape: Keys) -> list[Entry]:
    ranks = _ranks(entries, shape)
    sets = {anchor: position for position, entry in enumerate(entries) for anchor in entry.anchors}
    ordered: dict[int, Entry] = {}

    def place(position: int) -> None:
        entry = entries[position]
        if position in ordered:
            return
        # An anchor is set before it is referred to. Anchors referred to here were set further up, so this ends.
        for needed in sorted({sets[alias] for alias in entry.aliases if sets.get(alias, position) != position}):
            place(needed)
        ordered[position] = entry

    for position in sorted(range(len(entries)), key=lambda each: (ranks[each], each)):
        place(position)
    return list(ordered.values())


def _ranks(entries: list[Entry], shape: Keys) -> list[float]:
    """Each entry's place in the order; what is not the format's stays in front of the key of the format's behind it."""
    last = float(len(shape.ranks))
    first_section = shape.ranks["kpi"] if shape is RULESET else None
    ranks: list[float] = []
    following = last
    for entry in reversed(entries):
        if entry.name in shape.ranks:
            following = float(shape.ranks[entry.name])
            ranks.append(following)
        elif entry.name == "<<" and entry.key == "<<":
            ranks.append(_MERGED)
        else:
            # Holders stay in front of their section; fields of an event come after its own keys.
            ranks.append(last if first_section is None else max(following, first_section) - 0.5)
    return ranks[::-1]
