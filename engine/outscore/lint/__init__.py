"""A checked Ruleset -> warnings: what is allowed and was probably not meant.

Says nothing where it cannot be certain, and never stops a ruleset. What comments in the text allow is taken off
afterwards, in `allow`, together with the warnings of the stages before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Final

from outscore.diagnostics import MAX_FINDINGS, Diagnostic, in_order
from outscore.document import Document
from outscore.lint.charges import dear_charges, falling_prices, overridden_restrictions, unreachable_prices
from outscore.lint.conditions import constant_conditions
from outscore.lint.reference import pinned_incidents, unresolved_references
from outscore.lint.subject import Subject
from outscore.lint.words import missing_whys, misspelt_incidents, no_tests, unused_fields, unused_measures
from outscore.ruleset import Ruleset

__all__ = ["PASSES", "lint"]

Pass = Callable[[Subject], Iterator[Diagnostic]]

PASSES: Final[tuple[Pass, ...]] = (
    # What can never be meant comes first: findings past the bound are dropped, and these are worth most.
    constant_conditions,
    overridden_restrictions,
    unreachable_prices,
    dear_charges,
    falling_prices,
    pinned_incidents,
    misspelt_incidents,
    # Scores runs, which is the most work: not begun where the bound is reached before.
    unresolved_references,
    unused_measures,
    unused_fields,
    no_tests,
    # Last, since there may be one for every rule.
    missing_whys,
)


def lint(ruleset: Ruleset, document: Document) -> list[Diagnostic]:
    """Every warning about a ruleset without errors, up to a bound; `document` is what it was read from."""
    subject = Subject(ruleset, document)
    findings = islice(chain.from_iterable(each(subject) for each in PASSES), MAX_FINDINGS)
    # What an alias repeats stands at several paths and is written once: so is what is said of it.
    once = {(each.code, each.span, each.message): each for each in findings}
    return list(in_order(once.values()))
