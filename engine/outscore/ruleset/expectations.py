"""The tests of a Ruleset -> the names in them that cannot come up: a slip, whatever the run comes to.

What can come up all the same, such as an incident that no rule declares, is left to lint; what the runs do come to, to
`casetest`. The shape of tests was checked before, in `cases`.
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
    """Every person in a test's run who is refused, and every incident, person or rule that its score cannot name."""
    rules = dict.fromkeys(_rules(ruleset))
    for position, test in enumerate(ruleset.tests):
        path: Path = ("tests", position)
        for each in _refused(ruleset, test):
            yield _finding(Code.UNKNOWN_PERSON, (*path, "run"), each, document)
        for each in (*_incidents(ruleset, test), *_people(test), *_rules_named(test, rules)):
            yield _finding(Code.UNKNOWN_NAME, (*path, "expect"), each, document)


_Name = tuple[Path, str, str, Collection[str]]
"""Where in the run or the expectations, the name, what is wrong with it, and the names there are."""


def _finding(code: Code, path: Path, named: _Name, document: Document) -> Diagnostic:
    at, name, what, known = named
    path = (*path, *at)
    near = nearest(name, known)
    listed = f"known are {', '.join(islice(known, 12))}" if known else None
    message = f"{dotted(path)} is '{name[:60]}', {what}"
    hint = f"did you mean '{near}'?" if near else listed
    return Diagnostic(code, Severity.ERROR, message, document.span(path), path, hint)


def _refused(ruleset: Ruleset, test: Test) -> Iterator[_Name]:
    """The people for whom the run is refused, unless it is meant to be refused."""
    contacts = ruleset.contacts
    if contacts is None or contacts.anyone_else is not None or "error" in test.expect:
        return
    for position, event in enumerate(test.run.get("events", ())):
        if "to" in event and event["to"] not in contacts.people:
            yield ("events", position, "to"), event["to"], "whom the ruleset does not list", contacts.people


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
