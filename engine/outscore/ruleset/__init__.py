"""A Document -> a Ruleset whose every rule has been checked, and what was found on the way.

The stages run in the order shape, meaning, expressions, outcomes; each reports all it finds, and the next runs only
without errors. Scores nothing and compiles nothing.
"""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from outscore.diagnostics import MAX_FINDINGS, Diagnostic, has_errors, in_order
from outscore.document import Document
from outscore.ruleset.model import Ruleset

__all__ = ["Reading", "Ruleset", "read_ruleset"]


class Reading(NamedTuple):
    """A document after checking it as a ruleset."""

    ruleset: Ruleset | None
    """None where there is any error."""
    findings: list[Diagnostic]
    is_complete: bool
    """Whether every stage has run; errors of one leave the later ones out."""


def read_ruleset(document: Document) -> Reading:
    """Check a document as a ruleset, format 1."""
    # Imported here, so that a ruleset refused for its shape pays for none of them.
    from outscore.ruleset.expressions import check_expressions
    from outscore.ruleset.lengths import check_lengths
    from outscore.ruleset.meaning import check_meaning
    from outscore.ruleset.outcomes import check_outcomes
    from outscore.ruleset.shape import read_shape

    ruleset, findings = read_shape(document)
    if ruleset is None:
        return Reading(None, findings, is_complete=False)
    findings = check_meaning(ruleset, document)
    if ruleset.tests:
        from outscore.ruleset.expectations import check_expectations

        findings += islice(check_expectations(ruleset, document), MAX_FINDINGS)
    if has_errors(findings):
        return Reading(None, findings, is_complete=False)
    trees, findings = check_expressions(ruleset, document)
    if has_errors(findings):
        return Reading(None, findings, is_complete=False)
    checked = ruleset.with_trees(trees)
    # Last, since it follows what the rules come to, expressions included; and not where that would get too long.
    too_long = list(check_lengths(checked, document))
    findings = list(in_order([*findings, *(too_long or check_outcomes(checked, document))]))
    return Reading(None if has_errors(findings) else checked, findings, is_complete=not too_long)
