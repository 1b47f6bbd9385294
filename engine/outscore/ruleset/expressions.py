"""A Ruleset -> the checked tree of each of its expressions, by path, and what is wrong with them.

Knows which names may be read where; what an expression may say is the language's matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from outscore.diagnostics import MAX_FINDINGS, Diagnostic, Path, Span
from outscore.document import Document
from outscore.expression.check import check
from outscore.expression.names import Scope, contact_scope, incident_scope, kpi_scope, trial_scope, wait_scope
from outscore.plan import Node
from outscore.ruleset.meaning import restrictions_by_section
from outscore.ruleset.model import Ruleset


class Expression(NamedTuple):
    """An expression of a ruleset, where it stands, and what it must give."""

    path: Path
    text: str
    scope: Scope
    wanted: Literal["boolean", "number"]


def check_expressions(ruleset: Ruleset, document: Document) -> tuple[dict[Path, Node], list[Diagnostic]]:
    """Check every expression, up to a bound of findings; the trees are complete when no finding is an error."""
    trees: dict[Path, Node] = {}
    findings: list[Diagnostic] = []
    for path, text, scope, wanted in expressions_of(ruleset):

        def place(start: int, end: int, path: Path = path) -> Span:
            return document.text_span(path, start, end)

        node, found = check(text, scope, wanted, place, path)
        if node is not None:
            trees[path] = node
        # Past the bound warnings are left out, and the first error ends it; without one all trees are needed.
        if node is None or len(findings) < MAX_FINDINGS:
            findings += found
        if node is None and len(findings) >= MAX_FINDINGS:
            break
    return trees, findings


def expressions_of(ruleset: Ruleset) -> Iterator[Expression]:
    """Every expression of the ruleset, in the order of the format."""
    measures = ruleset.kpi.measures
    if ruleset.kpi.formula is not None:
        yield Expression(("kpi", "formula"), ruleset.kpi.formula, kpi_scope(measures), "number")
    for section, restrictions in restrictions_by_section(ruleset).items():
        scope = _scope(section, ruleset)
        for position, restriction in enumerate(restrictions):
            path = (section, "restrictions", position)
            if restriction.when is not None:
                yield Expression((*path, "when"), restriction.when, scope, "boolean")
            if isinstance(restriction.charge.value, str):
                yield Expression((*path, "charge", restriction.charge.kind), restriction.charge.value, scope, "number")
    scope = incident_scope(measures)
    for name, incident in ruleset.incidents.items():
        if incident.when is not None:
            yield Expression(("incidents", name, "when"), incident.when, scope, "boolean")


def _scope(section: str, ruleset: Ruleset) -> Scope:
    if section == "trials":
        return trial_scope(ruleset.fields)
    if section == "waiting":
        return wait_scope(ruleset.fields)
    contacts = ruleset.contacts
    people = contacts.people if contacts else {}
    return contact_scope(ruleset.fields, people, contacts is not None and contacts.anyone_else is not None)
