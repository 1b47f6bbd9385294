"""A Ruleset, its Plan and Document, and a Run -> the bill: the run's account with lines, reasons and values seen.

Charges come from the ledger and figures from the scorer; the bill adds where each rule stands and what it read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from outscore.account import Charge, Step
from outscore.diagnostics import Path
from outscore.document import Document
from outscore.explain.sheet import kpi_of, line_of
from outscore.explain.wording import canonical_text
from outscore.formula import RESOLVED_AT
from outscore.ledger import Ledger, Tariff
from outscore.plan import Node, Plan, Restriction
from outscore.ruleset import Ruleset
from outscore.run import SYSTEMS, Event, Run
from outscore.score import Score
from outscore.scorer import Scorer
from outscore.times import load_zone

if TYPE_CHECKING:
    from outscore.explain.reading import Reading

Value = Fraction | str | bool


@dataclass(frozen=True, slots=True)
class BillStep:
    """One rule's part in a charge."""

    rule: str
    """Where the rule stands in the ruleset: `contacts.restrictions.after_hours`."""
    kind: str
    """`price`, `times` or `plus`."""
    value: Fraction
    amount: Fraction
    """The running charge after this step."""
    line: int
    why: str = ""
    when: Reading | None = None
    """A restriction's condition, and what it saw."""
    operand: Reading | None = None
    """The charge's expression, where it is one, and what it saw."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A restriction that did not hold."""

    rule: str
    line: int
    why: str
    when: Reading


@dataclass(frozen=True, slots=True)
class BillItem:
    """One event."""

    event: Event
    charge: Charge
    steps: tuple[BillStep, ...]
    charged_hours: Fraction | None
    """A wait's hours past the run's free ones; None where that makes no difference."""
    passed: tuple[Passed, ...]
    """Restrictions that did not hold; empty unless they were asked for."""


@dataclass(frozen=True, slots=True)
class System:
    """What one of the three systems was measured at."""

    name: str
    measures: Mapping[str, Fraction] | None
    """None where the run reports the KPI itself."""
    kpi: Fraction
    is_pinned: bool
    line: int | None
    """Where it is pinned."""


@dataclass(frozen=True, slots=True)
class BillIncident:
    """An incident that happened; or, where all rules were asked for, one that did not."""

    id: str
    is_reported: bool
    is_found: bool
    is_known: bool
    """Whether the ruleset has it; a reported one counts either way."""
    why: str
    when: Reading | None
    """Its rule and what that saw; None where the run reports it by name."""
    line: int | None

    @property
    def happened(self) -> bool:
        """Whether the incident counts against the run."""
        return self.is_reported or self.is_found


@dataclass(frozen=True, slots=True)
class Bill:
    """A run's account as a bill, down to the verdict."""

    file: str
    """The ruleset's."""
    score: Score
    """The figures, the verdict, and the account they follow from."""
    items: tuple[BillItem, ...]
    kpi_name: str
    unit: str
    direction: str
    formula: str | None
    formula_line: int
    data: str | None
    systems: tuple[System, ...]
    """Baseline, delivered, reference."""
    incidents: tuple[BillIncident, ...]

    @property
    def total(self) -> Fraction:
        """The exact sum of the items, which is the contact cost."""
        return sum((item.charge.amount for item in self.items), Fraction(0))

    @property
    def distance(self) -> Fraction:
        """How far the score lies above the mark that resolves; below zero where it falls short."""
        return self.score.exact.score - RESOLVED_AT


def bill(ruleset: Ruleset, plan: Plan, document: Document, run: Run, *, all_rules: bool = False) -> Bill:
    """The bill of a run that was read by the plan; raises RunError where it cannot be scored.

    With `all_rules` it also lists the restrictions and incident rules that did not hold.
    """
    score = Scorer(plan).score(run)
    assert isinstance(score, Score)
    writer = _Writer(ruleset, plan, document, all_rules)
    systems = tuple(writer.systems(run))
    return Bill(
        file=document.name,
        score=score,
        items=tuple(writer.items(run)),
        kpi_name=ruleset.kpi.name,
        unit=ruleset.kpi.unit,
        direction=plan.kpi.direction,
        formula=canonical_text(plan.kpi.formula),
        formula_line=line_of(document, ("kpi", "formula")),
        data=run.data,
        systems=systems,
        incidents=tuple(writer.incidents(run, score, systems)),
    )


@dataclass(frozen=True)
class _Writer:
    """The three views of one ruleset: its words, its exact rules, its lines."""

    ruleset: Ruleset
    plan: Plan
    document: Document
    all_rules: bool

    def items(self, run: Run) -> Iterator[BillItem]:
        plan = self.plan
        ledger = Ledger(Tariff(plan, load_zone(plan.timezone) if plan.timezone else None))
        sections = {"contact": "contacts", "trial": "trials", "wait": "waiting"}
        restrictions = {section: _restrictions(plan, section) for section in sections.values()}
        for event in run.events:
            charge = ledger.charge(event)
            section = sections[event.type]
            rules = restrictions[section]
            steps = tuple(self._step(step, charge, rules, ledger.values) for step in charge.steps)
            passed: tuple[Passed, ...] = ()
            if self.all_rules and charge.free is None:
                passed = tuple(self._passed(charge, section, rules, ledger.values))
            yield BillItem(event, charge, steps, self._charged_hours(charge), passed)

    def _charged_hours(self, charge: Charge) -> Fraction | None:
        waiting = self.plan.waiting
        if charge.type != "wait" or not charge.steps or waiting is None or not waiting.price_per_day:
            return None
        return charge.steps[0].amount * 24 / waiting.price_per_day

    def _step(
        self,
        step: Step,
        charge: Charge,
        rules: Mapping[str, tuple[int, Restriction]],
        values: Mapping[str, Value | int],
    ) -> BillStep:
        section, *rest = step.rule.split(".")
        if rest[0] != "restrictions":
            path: Path = (section, *rest)
            if step.rule == "trials.prices" and charge.nth is not None and self.plan.trials is not None:
                path = (*path, min(charge.nth, len(self.plan.trials.prices)) - 1)
            return BillStep(step.rule, step.kind, step.value, step.amount, line_of(self.document, path))
        position, rule = rules[rest[1]]
        when = _read(rule.when, values) if rule.when is not None else None
        operand = None if isinstance(rule.charge.value, Fraction) else _read(rule.charge.value, values)
        why, line = self._about(section, position)
        return BillStep(step.rule, step.kind, step.value, step.amount, line, why, when, operand)

    def _passed(
        self,
        charge: Charge,
        section: str,
        rules: Mapping[str, tuple[int, Restriction]],
        values: Mapping[str, Value | int],
    ) -> Iterator[Passed]:
        held = {step.rule for step in charge.steps}
        for position, rule in rules.values():
            name = f"{section}.restrictions.{rule.id}"
            if name not in held and rule.when is not None:
                why, line = self._about(section, position)
                yield Passed(name, line, why, _read(rule.when, values))

    def _about(self, section: str, position: int) -> tuple[str, int]:
        """A restriction's reason, and its line."""
        why: str = getattr(self.ruleset, section).restrictions[position].why
        return why, line_of(self.document, (section, "restrictions", position))

    def systems(self, run: Run) -> Iterator[System]:
        kpi = self.plan.kpi
        pinned = {"baseline": kpi.pinned_baseline, "delivered": None, "reference": kpi.pinned_reference}
        for name, values in zip(SYSTEMS, (run.baseline, run.delivered, run.reference), strict=True):
            is_pinned = pinned[name] is not None
            line = line_of(self.document, ("kpi", "pinned", name)) if is_pinned else None
            measures = values if isinstance(values, dict) else None
            yield System(name, measures, kpi_of(kpi, values), is_pinned, line)

    def incidents(self, run: Run, score: Score, systems: tuple[System, ...]) -> Iterator[BillIncident]:
        values = {f"{system.name}.kpi": system.kpi for system in systems}
        for system in systems:
            values |= {f"{system.name}.{measure}": value for measure, value in (system.measures or {}).items()}
        others = [name for name in self.plan.incidents if name not in score.incidents] if self.all_rules else []
        for name in (*score.incidents, *others):
            is_reported = name in run.incidents
            if name not in self.plan.incidents:
                yield BillIncident(name, is_reported, False, False, "", None, None)
                continue
            rule = self.plan.incidents[name]
            when = _read(rule, values) if rule is not None else None
            line = line_of(self.document, ("incidents", name))
            is_found = when is not None and when.value is True
            yield BillIncident(name, is_reported, is_found, True, self.ruleset.incidents[name].why, when, line)


def _restrictions(plan: Plan, section: str) -> dict[str, tuple[int, Restriction]]:
    """A section's restrictions by id, with their positions."""
    part = getattr(plan, section)
    return {rule.id: (position, rule) for position, rule in enumerate(part.restrictions if part is not None else ())}


def _read(node: Node, values: Mapping[str, Value | int]) -> Reading:
    # Imported here: the reference evaluator is heavy, and only rules that read something need it.
    from outscore.explain.reading import read

    return read(node, values)
