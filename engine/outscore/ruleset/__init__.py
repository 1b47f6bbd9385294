"""A Document -> a Ruleset whose every rule has been checked, and what was found on the way.

The stages run in the order shape, model, meaning, expressions, outcomes; each reports all it finds, and the next
runs only without errors. Scores nothing and compiles nothing.
"""

from __future__ import annotations

from outscore.diagnostics import Diagnostic, has_errors, in_order
from outscore.document import Document
from outscore.ruleset.model import Ruleset
from outscore.schema import check_shape

__all__ = ["Ruleset", "read_ruleset"]


def read_ruleset(document: Document) -> tuple[Ruleset | None, list[Diagnostic]]:
    """Check a document as a ruleset, format 1; the ruleset is None when there is any error."""
    # Imported here, so that the shape of a ruleset can be refused without building the model.
    from outscore.ruleset.expressions import check_expressions
    from outscore.ruleset.meaning import check_meaning
    from outscore.ruleset.outcomes import check_outcomes
    from outscore.ruleset.shape import read_model

    findings = check_shape(document)
    if has_errors(findings):
        return None, findings
    ruleset, findings = read_model(document)
    if ruleset is None:
        return None, findings
    findings = check_meaning(ruleset, document)
    if has_errors(findings):
        return None, findings
    trees, findings = check_expressions(ruleset, document)
    if has_errors(findings):
        return None, findings
    checked = ruleset.with_trees(trees)
    # Last, since it follows what the rules come to, expressions included.
    findings = list(in_order([*findings, *check_outcomes(checked, document)]))
    return (None if has_errors(findings) else checked), findings
