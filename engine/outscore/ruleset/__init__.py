"""A Document -> a Ruleset whose every rule has been checked, and what was found on the way.

The stages run in the order shape, meaning, expressions, outcomes; each reports all it finds, and the next runs only
without errors. Scores nothing and compiles nothing.
"""

from __future__ import annotations

from itertools import islice

from outscore.diagnostics import MAX_FINDINGS, Diagnostic, has_errors, in_order
from outscore.document import Document
from outscore.ruleset.model import Ruleset

__all__ = ["Ruleset", "read_ruleset"]


def read_ruleset(document: Document) -> tuple[Ruleset | None, list[Diagnostic]]:
    """Check a document as a ruleset, format 1; the ruleset is None when there is any error."""
    # Imported here, so that a ruleset refused for its shape pays for none of them.
    from outscore.ruleset.expressions import check_expressions
    from outscore.ruleset.lengths import check_lengths
    from outscore.ruleset.meaning import check_meaning
    from outscore.ruleset.outcomes import check_outcomes
    from outscore.ruleset.shape import read_shape

    ruleset, findings = read_shape(document)
    if ruleset is None:
        return None, findings
    findings = check_meaning(ruleset, document)
    if ruleset.tests:
        from outscore.ruleset.expectations import check_expectations

        findings += islice(check_expectations(ruleset, document), MAX_FINDINGS)
    if has_errors(findings):
        return None, findings
    trees, findings = check_expressions(ruleset, document)
    if has_errors(findings):
        return None, findings
    checked = ruleset.with_trees(trees)
    # Last, since it follows what the rules come to, expressions included; and not where that would get too long.
    outcomes = list(check_lengths(checked, document)) or check_outcomes(checked, document)
    findings = list(in_order([*findings, *outcomes]))
    return (None if has_errors(findings) else checked), findings
