"""A run's result as a value -> its record and its line of JSON.

Holds figures that were judged elsewhere; computes nothing but their nearest doubles and reduced fractions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

import msgspec

from outscore import __version__
from outscore.account import Account
from outscore.formula import Figures
from outscore.numbers import text


class Exact(msgspec.Struct, frozen=True):
    """A score's figures as exact fractions."""

    uplift: Fraction
    adjusted_uplift: Fraction
    contact_cost: Fraction
    score: Fraction
    floored_score: Fraction


class Score(msgspec.Struct, frozen=True, eq=False, weakref=True, dict=True):
    """One run's result: figures as the nearest doubles, `exact` beside them, and the account of every event."""

    run: str
    scenario: str
    task: str
    agent: str | None
    uplift: float
    """(D - B) / (R - B): 0 changed nothing, 1 is the expert, below 0 made it worse."""
    adjusted_uplift: float
    """The uplift; with an incident at most 0."""
    contact_cost: float
    """The sum of the account: contacts, trials and waits."""
    score: float
    """adjusted uplift - contact cost."""
    floored_score: float
    """max(adjusted uplift, -1) - contact cost, for averages only."""
    resolved: bool
    """Whether the exact score is at least 0.8, without incident."""
    incidents: tuple[str, ...]
    """Those reported, in the order given, then those found, by id."""
    warnings: tuple[str, ...]
    account: Account
    """Every event, charged or free; the contact cost is its sum."""
    ruleset: str
    """The digest of the rules' meaning."""
    figures: Figures
    """The exact figures as unreduced integer ratios."""
    engine: str = __version__
    """The version of outscore."""

    @cached_property
    def exact(self) -> Exact:
        """The figures as exact fractions."""
        figures = self.figures
        return Exact(
            uplift=Fraction(figures.uplift, figures.uplift_denominator),
            adjusted_uplift=Fraction(figures.adjusted_uplift, figures.uplift_denominator),
            contact_cost=Fraction(figures.contact_cost, figures.cost_denominator),
            score=Fraction(figures.score, figures.score_denominator),
            floored_score=Fraction(figures.floored_score, figures.score_denominator),
        )

    def to_record(self) -> dict[str, Any]:
        """The score as plain data, keys in the order that results carry them."""
        record: dict[str, Any] = {"run": self.run, "scenario": self.scenario, "task": self.task}
        if self.agent is not None:
            record["agent"] = self.agent
        exact = {name: text(getattr(self.exact, name)) for name in Exact.__struct_fields__}
        return record | {
            "uplift": self.uplift,
            "adjusted_uplift": self.adjusted_uplift,
            "contact_cost": self.contact_cost,
            "score": self.score,
            "floored_score": self.floored_score,
            "resolved": self.resolved,
            "incidents": list(self.incidents),
            "warnings": list(self.warnings),
            "exact": exact,
            "account": self.account.to_record(),
            "ruleset": self.ruleset,
            "engine": self.engine,
        }

    def to_json(self) -> bytes:
        """The score as one line of JSON, without the line break."""
        return encode(self.to_record())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self.to_record() == other.to_record()

    def __ne__(self, other: object) -> bool:
        # msgspec's own compares by identity.
        return not self == other

    def __hash__(self) -> int:
        return hash((self.run, self.task, self.agent, self.exact.score))


def encode(record: object) -> bytes:
    """Plain data as one line of JSON, in the one layout that all results have."""
    return msgspec.json.format(msgspec.json.encode(record), indent=0)


def finish(
    run: str,
    scenario: str,
    task: str,
    agent: str | None,
    figures: Figures,
    incidents: tuple[str, ...],
    warnings: tuple[str, ...],
    account: Account,
    ruleset: str,
) -> Score:
    """The score of judged figures; raises OverflowError where one lies beyond the range of doubles."""
    span, denominator = figures.uplift_denominator, figures.score_denominator
    # int / int is the nearest double (see `numbers.nearest_double`), and the denominators are positive. Where no
    # incident and no floor came in, two pairs of figures are one and the same number.
    uplift, net = figures.uplift / span, figures.score / denominator
    return Score(
        run,
        scenario,
        task,
        agent,
        uplift,
        uplift if figures.adjusted_uplift is figures.uplift else figures.adjusted_uplift / span,
        figures.contact_cost / figures.cost_denominator,
        net,
        net if figures.floored_score is figures.score else figures.floored_score / denominator,
        figures.resolved,
        incidents,
        warnings,
        account,
        ruleset,
        figures,
    )
