"""A checked Ruleset and its Document -> what the passes of lint look at, each part worked out when first asked for.

Finds nothing by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

from outscore.diagnostics import Code, Diagnostic, Path, Severity, Span
from outscore.document import Document
from outscore.lint.domains import domain_of
from outscore.lint.trees import names_in
from outscore.lint.truth import Truth
from outscore.lowering import Value, rational_function
from outscore.numbers import cut
from outscore.plan import Node
from outscore.ruleset import Ruleset
from outscore.ruleset.expressions import Expression, expressions_of
from outscore.ruleset.model import Values


@dataclass(frozen=True)
class Subject:
    """One ruleset without errors."""

    ruleset: Ruleset
    document: Document

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """Every expression, in the order of the format."""
        return tuple(expressions_of(self.ruleset))

    @cached_property
    def truths(self) -> Mapping[Path, Truth]:
        """What is known of the conditions in each expression, by the expression's path."""
        truths: dict[Path, Truth] = {}
        fixed = self.pinned
        for each in self.expressions:
            domains = {name: domain_of(name, each.scope.names[name], fixed.get(name)) for name in self.names[each.path]}
            truths[each.path] = Truth(self.ruleset.trees[each.path], domains)
        return truths

    @cached_property
    def pinned(self) -> Mapping[str, Fraction]:
        """The values of `baseline.X` and `reference.X` that are the same for every run; X can be `kpi`."""
        return dict(self._fixed())

    @cached_property
    def names(self) -> Mapping[Path, frozenset[str]]:
        """The names that each expression reads, by its path."""
        return {path: frozenset(names_in(tree)) for path, tree in self.ruleset.trees.items()}

    def holds(self, when: Path) -> bool | None:
        """What the condition at a path always comes to; None where that depends on the event or run."""
        truth = self.truths[when]
        return truth.of(truth.tree).value

    def kpi_of(self, values: Values) -> Fraction | None:
        """The KPI that a system's values come to; None where the formula divides by zero."""
        if isinstance(values, Fraction):
            return values
        try:
            return Fraction(self._formula(values))
        except (KeyError, ZeroDivisionError):
            return None

    @cached_property
    def _formula(self) -> Callable[[Mapping[str, Value]], Value]:
        return rational_function(self.ruleset.trees["kpi", "formula"])

    def tree(self, path: Path) -> Node | None:
        """The checked tree of the expression at a path, if one stands there."""
        return self.ruleset.trees.get(path)

    def at_key(self, code: Code, path: Path, message: str, hint: str | None = None) -> Diagnostic:
        """A finding at the key of something."""
        return _warning(code, self.document.key_span(path), path, message, hint)

    def at_value(self, code: Code, path: Path, message: str, hint: str | None = None) -> Diagnostic:
        """A finding at the value of something."""
        return _warning(code, self.document.span(path), path, message, hint)

    def at_text(self, code: Code, path: Path, at: tuple[int, int], message: str, hint: str | None = None) -> Diagnostic:
        """A finding at a range of an expression's characters."""
        return _warning(code, self.document.text_span(path, *at), path, message, hint)

    def _fixed(self) -> Iterator[tuple[str, Fraction]]:
        pinned = self.ruleset.kpi.pinned
        if pinned is None:
            return
        for system, values in (("baseline", pinned.baseline), ("reference", pinned.reference)):
            if not isinstance(values, Fraction):
                yield from ((f"{system}.{measure}", value) for measure, value in values.items())
            kpi = self.kpi_of(values)
            if kpi is not None:
                yield f"{system}.kpi", kpi


def shown(amount: Fraction) -> str:
    """An amount for a message: exact where few decimals say it, else cut."""
    for places in range(_MOST_PLACES):
        if (amount * 10**places).denominator == 1:
            return cut(amount, places)
    return f"about {cut(amount, _MOST_PLACES)}"


_MOST_PLACES: Final = 9


def _warning(code: Code, span: Span, path: Path, message: str, hint: str | None) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, span, path, hint)
