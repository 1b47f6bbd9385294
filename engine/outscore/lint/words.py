"""A ruleset -> what was declared and is not used or is misspelt, and what people who read the rules will miss."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.diagnostics import Code, Diagnostic, Path, dotted
from outscore.expression.errors import show
from outscore.expression.names import near_miss
from outscore.lint.subject import Subject
from outscore.ruleset.meaning import restrictions_by_section


def unused_fields(subject: Subject) -> Iterator[Diagnostic]:
    """Fields that no rule reads, where rules do read fields.

    Events may carry only fields that are declared. So where no rule reads any, they were declared for that.
    """
    fields = subject.ruleset.fields
    read = {name for path, names in subject.names.items() if path[0] not in ("kpi", "incidents") for name in names}
    if read.isdisjoint(fields):
        return
    for name in fields:
        if name not in read:
            message = f"no rule reads the field '{name}'"
            hint = "remove it, unless events are to carry it all the same"
            yield subject.at_key(Code.UNUSED_FIELD, ("fields", name), message, hint)


def unused_measures(subject: Subject) -> Iterator[Diagnostic]:
    """Measures that neither the formula nor an incident rule reads."""
    read = set(subject.names.get(("kpi", "formula"), ()))
    for path, names in subject.names.items():
        if path[0] == "incidents":
            read |= {name.partition(".")[2] for name in names}
    for position, name in enumerate(subject.ruleset.kpi.measures):
        if name not in read:
            message = f"neither the formula nor an incident rule reads the measure '{name}'"
            hint = "remove it, or every run has to report it for nothing"
            yield subject.at_key(Code.UNUSED_MEASURE, ("kpi", "measures", position), message, hint)


def misspelt_incidents(subject: Subject) -> Iterator[Diagnostic]:
    """Incidents in the runs of tests that no rule declares, where one that is a slip away is declared.

    Any name that a run reports is an incident, so one that is near to none is taken as it stands.
    """
    declared = frozenset(subject.ruleset.incidents)
    for position, test in enumerate(subject.ruleset.tests):
        for number, name in enumerate(test.run.get("incidents", ())):
            near = near_miss(name, declared) if name not in declared else None
            if near is not None:
                path: Path = ("tests", position, "run", "incidents", number)
                message = f"{dotted(path)} is {show(name)}, which 'incidents' does not declare; it counts all the same"
                yield subject.at_value(Code.UNKNOWN_NAME, path, message, f"did you mean '{near}'?")


def missing_whys(subject: Subject) -> Iterator[Diagnostic]:
    """Restrictions and incidents that do not say why they are there."""
    for section, restrictions in restrictions_by_section(subject.ruleset).items():
        for position, restriction in enumerate(restrictions):
            if not restriction.why.strip():
                path: Path = (section, "restrictions", position, "id")
                message = f"restriction '{restriction.id}' does not say why"
                hint = "add 'why' with the reason in a sentence; bills and price sheets show it"
                yield subject.at_value(Code.MISSING_WHY, path, message, hint)
    for name, incident in subject.ruleset.incidents.items():
        if not incident.why.strip():
            message = f"incident '{name}' does not say why"
            hint = "add 'why' with what went wrong in a sentence; bills show it"
            yield subject.at_key(Code.MISSING_WHY, ("incidents", name), message, hint)


def no_tests(subject: Subject) -> Iterator[Diagnostic]:
    """A ruleset without any test."""
    if not subject.ruleset.tests:
        message = f"the rules of {show(subject.ruleset.scenario)} have no tests"
        hint = "add 'tests' with a run and what it must come to, for example a delivery that should just resolve"
        yield subject.at_key(Code.NO_TESTS, ("scenario",), message, hint)
