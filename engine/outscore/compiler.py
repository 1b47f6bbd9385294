"""Ruleset -> Plan: the checked rules as frozen plain data, with the digest of their meaning.

Nothing is checked here any more, and nothing is scored.

The digest is `sha256:` and the hash of the canonical form, which is JSON in ASCII, without spaces, keys sorted, of:

    {"format": 1, "scenario": ID, "timezone": NAME | null,
     "kpi": {"direction": "higher" | "lower", "measures": [NAME ...], "formula": EXPRESSION | null,
             "pinned": {"baseline": VALUES, "reference": VALUES} | null},
     "fields": {NAME: "number" | "text" | "boolean" | [TEXT ...]},
     "contacts": {"people": {ID: PERSON}, "anyone_else": PERSON | null, "restrictions": [RESTRICTION ...]} | null,
     "trials": {"count": BOOL, "prices": [NUMBER ...], "restrictions": [RESTRICTION ...]} | null,
     "waiting": {"count": BOOL, "price_per_day": NUMBER, "free_days": NUMBER, "restrictions": [...]} | null,
     "incidents": {ID: EXPRESSION | null}}

    PERSON       {"price": NUMBER, "patience": WHOLE | null, "past_patience": CHANGE | null}
    RESTRICTION  {"id": ID, "when": EXPRESSION | null, "charge": CHANGE}
    CHANGE       {"price" | "times" | "plus": NUMBER | {"expression": EXPRESSION}}
    VALUES       NUMBER, or {MEASURE: NUMBER}
    NUMBER       the exact value as text, a fraction in lowest terms: "1/100", "3"
    EXPRESSION   the canonical text of the checked tree

Every default is filled in. Measures and the texts of a field are sorted, since their order means nothing; restrictions
and prices keep theirs. Words for people, tests and `x-` holders are not in it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import msgspec

from outscore import plan
from outscore.diagnostics import Path
from outscore.expression.unparse import unparse
from outscore.plan import Node, Plan
from outscore.ruleset import model
from outscore.ruleset.model import Ruleset


def compile_ruleset(ruleset: Ruleset) -> Plan:
    """The plan of a checked ruleset."""
    compiler = _Compiler(ruleset.trees)
    draft = Plan(
        scenario=ruleset.scenario,
        digest="",
        timezone=ruleset.timezone,
        kpi=compiler.kpi(ruleset.kpi),
        fields=dict(ruleset.fields),
        contacts=compiler.contacts(ruleset.contacts) if ruleset.contacts is not None else None,
        trials=compiler.trials(ruleset.trials) if ruleset.trials is not None else None,
        waiting=compiler.waiting(ruleset.waiting) if ruleset.waiting is not None else None,
        incidents={name: ruleset.trees.get(("incidents", name, "when")) for name in ruleset.incidents},
    )
    return msgspec.structs.replace(draft, digest=digest_of(draft))


@dataclass(frozen=True)
class _Compiler:
    """The parts of a ruleset -> the parts of a plan, with the checked trees at hand."""

    trees: Mapping[Path, Node]

    def kpi(self, kpi: model.Kpi) -> plan.Kpi:
        pinned = kpi.pinned
        return plan.Kpi(
            direction=kpi.direction,
            measures=kpi.measures,
            formula=self.trees.get(("kpi", "formula")),
            pinned_baseline=_values(pinned.baseline) if pinned is not None else None,
            pinned_reference=_values(pinned.reference) if pinned is not None else None,
        )

    def contacts(self, contacts: model.Contacts) -> plan.Contacts:
        other = contacts.anyone_else
        return plan.Contacts(
            people={name: _person(person) for name, person in contacts.people.items()},
            anyone_else=_person(other) if other is not None else None,
            restrictions=self._restrictions("contacts", contacts.restrictions),
        )

    def trials(self, trials: model.Trials) -> plan.Trials:
        return plan.Trials(trials.count, trials.prices, self._restrictions("trials", trials.restrictions))

    def waiting(self, waiting: model.Waiting) -> plan.Waiting:
        price = waiting.price_per_day
        return plan.Waiting(
            count=waiting.count,
            price_per_day=Fraction(0) if price is None else price,
            free_days=waiting.free_days,
            restrictions=self._restrictions("waiting", waiting.restrictions),
        )

    def _restrictions(self, section: str, restrictions: model.Restrictions) -> tuple[plan.Restriction, ...]:
        return tuple(
            plan.Restriction(
                each.id,
                self.trees.get((section, "restrictions", position, "when")),
                self._charge(each.charge, (section, "restrictions", position, "charge", each.charge.kind)),
            )
            for position, each in enumerate(restrictions)
        )

    def _charge(self, charge: model.Charge, path: Path) -> plan.Change:
        value = charge.value
        return plan.Change(charge.kind, value if isinstance(value, Fraction) else self.trees[path])


def _person(person: model.Person) -> plan.Person:
    past = person.past_patience
    return plan.Person(person.price, person.patience, plan.Change(past.kind, past.number) if past is not None else None)


def _values(values: Fraction | Mapping[str, Fraction]) -> plan.Values:
    return values if isinstance(values, Fraction) else dict(values)


def digest_of(rules: Plan) -> str:
    """The digest of a plan's meaning; its own `digest` plays no part."""
    text = json.dumps(canonical(rules), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def canonical(rules: Plan) -> dict[str, Any]:
    """The canonical form of a plan's meaning, as the module describes it."""
    kpi, contacts, trials, waiting = rules.kpi, rules.contacts, rules.trials, rules.waiting
    pinned = None
    if kpi.pinned_baseline is not None and kpi.pinned_reference is not None:
        pinned = {"baseline": _numbers(kpi.pinned_baseline), "reference": _numbers(kpi.pinned_reference)}
    return {
        "format": 1,
        "scenario": rules.scenario,
        "timezone": rules.timezone,
        "kpi": {
            "direction": kpi.direction,
            "measures": sorted(kpi.measures),
            "formula": _expression(kpi.formula),
            "pinned": pinned,
        },
        "fields": {name: kind if isinstance(kind, str) else sorted(kind) for name, kind in rules.fields.items()},
        "contacts": None
        if contacts is None
        else {
            "people": {name: _canonical_person(person) for name, person in contacts.people.items()},
            "anyone_else": contacts.anyone_else and _canonical_person(contacts.anyone_else),
            "restrictions": [_restriction(each) for each in contacts.restrictions],
        },
        "trials": None
        if trials is None
        else {
            "count": trials.count,
            "prices": [str(each) for each in trials.prices],
            "restrictions": [_restriction(each) for each in trials.restrictions],
        },
        "waiting": None
        if waiting is None
        else {
            "count": waiting.count,
            "price_per_day": str(waiting.price_per_day),
            "free_days": str(waiting.free_days),
            "restrictions": [_restriction(each) for each in waiting.restrictions],
        },
        "incidents": {name: _expression(condition) for name, condition in rules.incidents.items()},
    }


def _canonical_person(person: plan.Person) -> dict[str, Any]:
    return {
        "price": str(person.price),
        "patience": person.patience,
        "past_patience": person.past_patience and _change(person.past_patience),
    }


def _restriction(restriction: plan.Restriction) -> dict[str, Any]:
    return {"id": restriction.id, "when": _expression(restriction.when), "charge": _change(restriction.charge)}


def _change(change: plan.Change) -> dict[str, Any]:
    value = change.value
    return {change.kind: str(value) if isinstance(value, Fraction) else {"expression": unparse(value)}}


def _numbers(values: plan.Values) -> object:
    return str(values) if isinstance(values, Fraction) else {name: str(each) for name, each in values.items()}


def _expression(node: Node | None) -> str | None:
    return None if node is None else unparse(node)
