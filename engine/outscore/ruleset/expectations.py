"""The tests of a Ruleset -> what they expect by a name that cannot come up: a slip, whatever the run comes to.

Their shape was checked before, in `cases`; what the runs do come to is `casetest`'s.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from outscore.diagnostics import Code, Diagnostic, Path, Severity, dotted, nearest
from outscore.document import Document
from outscore.ruleset.meaning import restrictions_by_section
from outscore.ruleset.model import Ruleset, Test


def check_expectations(ruleset: Ruleset, document: Document) -> Iterator[Diagnostic]:
    """Every expectation that names an incident, a person or a rule which the test's score cannot name."""
    rules = dict.fromkeys(_rules(ruleset))
    for position, test in enumerate(ruleset.tests):
        path: Path = ("tests", position, "expect")
        names = (*_incidents(ruleset, test), *_people(test), *_rules_named(test, rules))
        for at, name, what, known in names:
            near = nearest(name, known)
            listed = f"known are {', '.join(islice(known, 12))}" if known else None
            yield Diagnostic(
                Code.UNKNOWN_NAME,
                Severity.ERROR,
                f"{dotted((*path, *at))} is '{name[:60]}', {what}",
                document.span((*path, *at)),
                (*path, *at),
                f"did you mean '{near}'?" if near else listed,
            )


_Name = tuple[Path, str, str, Collection[str]]
"""Where in the expectations, the name, what is wrong with it, and the names there are."""


def _incidents(ruleset: Ruleset, test: Test) -> Iterator[_Name]:
    reported = test.run.get("incidents", ())
    for position, name in enumerate(test.expect.get("incidents", ())):
        if name not in ruleset.incidents and name not in reported:
            known = [*ruleset.incidents, *reported]
            yield ("incidents", position), name, "an incident that neither the rules nor the run name", known


def _people(test: Test) -> Iterator[_Name]:
    contacted = list(dict.fromkeys(event["to"] for event in test.run.get("events", ()) if "to" in event))
    for position, charge in enumerate(test.expect.get("account", ())):
        if "to" in charge and charge["to"] not in contacted:
            yield ("account", position, "to"), charge["to"], "whom the run does not contact", contacted


def _rules_named(test: Test, rules: Collection[str]) -> Iterator[_Name]:
    for position, charge in enumerate(test.expect.get("account", ())):
        for number, step in enumerate(charge.get("steps", ())):
            if step["rule"] not in rules:
                at: Path = ("account", position, "steps", number, "rule")
                yield at, step["rule"], "which is no rule of this ruleset", rules


def _rules(ruleset: Ruleset) -> Iterator[str]:
    """Every rule that can have a part in a charge, as accounts name it."""
    contacts, trials, waiting = ruleset.contacts, ruleset.trials, ruleset.waiting
    people: Mapping[str, Any] = {}
    if contacts is not None:
        people = {f"contacts.people.{name}": person for name, person in contacts.people.items()}
        if contacts.anyone_else is not None:
            people = {**people, "contacts.anyone_else": contacts.anyone_else}
    for name, person in people.items():
        yield f"{name}.price"
        if person.past_patience is not None:
            yield f"{name}.past_patience"
    if trials is not None and trials.count:
        yield "trials.prices"
    if waiting is not None and waiting.count:
        yield "waiting.price_per_day"
    for section, restrictions in restrictions_by_section(ruleset).items():
        yield from (f"{section}.restrictions.{each.id}" for each in restrictions)
