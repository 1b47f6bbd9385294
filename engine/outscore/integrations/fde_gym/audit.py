"""An engagement, a log and its result -> what our rules charge line by line beside what was recorded, and both scores.

The log is billed by the ruleset made from npcs.json. Each line where the charge and the recorded cost differ is kept
with the reason, as far as the files tell it. The score is that of the run as recorded: where the people server's count
was not the run's, what it charged stands. Words for all this are `report`'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from outscore.account import Charge
from outscore.diagnostics import Code, RunError, nearest
from outscore.formula import RESOLVED_AT
from outscore.integrations.fde_gym import harness
from outscore.integrations.fde_gym.counting import Act, Counted, count, hours_said
from outscore.integrations.fde_gym.engagement import Engagement
from outscore.integrations.fde_gym.log import Log
from outscore.integrations.fde_gym.reading import ForeignFileError
from outscore.integrations.fde_gym.result import Result
from outscore.integrations.fde_gym.ruleset import RECOUNT, ruleset_of
from outscore.integrations.fde_gym.run import NOISE_PLACES, events_of, run_of, without_noise
from outscore.ledger import Ledger, Tariff
from outscore.loader import loads
from outscore.numbers import Number
from outscore.plan import Direction
from outscore.run import read_event
from outscore.score import Score
from outscore.scorer import Scorer

Reason = Literal["restart", "unlogged", "unanswered", "gone", "inbox", "credit", "hours", "rules"]
"""Why a charge and a recorded cost differ."""


@dataclass(frozen=True, slots=True)
class Billed:
    """A line of the log, billed anew."""

    act: Act
    charge: Fraction
    """By the rules, with the run's own counts; of trials and waits, what was recorded."""
    reason: Reason | None
    """Why the recorded cost is another; None where it is the same, but for float noise."""

    @property
    def recorded(self) -> Number:
        """The cost as it stands in the log."""
        return self.act.line.cost


@dataclass(frozen=True, slots=True)
class Ours:
    """Our figures, exact; None where the run has none."""

    contact_cost: Fraction
    uplift: Fraction | None = None
    adjusted_uplift: Fraction | None = None
    score: Fraction | None = None
    floored_score: Fraction | None = None
    resolved: bool | None = None
    why_undefined: str | None = None


@dataclass(frozen=True, slots=True)
class Audit:
    """All that the report tells."""

    engagement: Engagement
    log: Log
    result: Result | None
    counted: Counted
    warnings: tuple[str, ...]
    """What the ruleset charges otherwise than the harness."""
    billed: tuple[Billed, ...]
    """Every line."""
    ours: Ours
    """Of the run as recorded."""
    by_rules: Ours
    """With every charge by the rules, also where the people server's count was not the run's."""
    recorded_total: Fraction
    """The recorded costs without float noise, added exactly."""
    harness: harness.Figures | None
    """As its arithmetic gives them from the log and the KPI values; None without a result."""
    harness_cost: float
    misreported: dict[str, tuple[Number, float]]
    """Figures that result.json gives otherwise than its own arithmetic: reported, recomputed."""

    @property
    def differences(self) -> tuple[Billed, ...]:
        """The lines whose charge is not what was recorded."""
        return tuple(each for each in self.billed if each.reason is not None)

    @property
    def has_findings(self) -> bool:
        """Whether anything is not as it should be; roundings are."""
        return bool(self.differences or self.misreported)


def audit(
    engagement: Engagement, log: Log, result: Result | None, *, scenario: str, direction: Direction | None = None
) -> Audit:
    """Bill a log anew; raises ForeignFileError where it is not of this engagement."""
    counted = count_log(engagement, log)
    direction = direction or (result.direction if result else None)
    converted = ruleset_of(engagement, scenario, direction or "higher", as_recorded=True)
    scorer = loads(converted.text, "the ruleset made from npcs.json")
    events = events_of(counted, as_recorded=True)
    charges = _charges(scorer, events)
    cost = sum((charge.amount for charge in charges), Fraction(0))
    cost_by_rules = sum(map(_by_rules, charges), Fraction(0))
    ours = _ours(scorer, result, events, scenario, cost)
    costs = [line.cost for line in log.lines]
    figures = _figures(result, costs) if result else None
    amounts = dict(zip((act.line.number for act in counted.acts if act.kind != "inbox"), charges, strict=True))
    return Audit(
        engagement=engagement,
        log=log,
        result=result,
        counted=counted,
        warnings=converted.warnings,
        billed=tuple(_billed(act, amounts.get(act.line.number), engagement, counted) for act in counted.acts),
        ours=ours,
        by_rules=_at_cost(ours, cost_by_rules, bool(result and result.incidents)),
        recorded_total=sum((Fraction(without_noise(cost)) for cost in costs), Fraction(0)),
        harness=figures,
        harness_cost=harness.contact_cost(costs),
        misreported=_misreported(result, figures) if result and figures else {},
    )


def count_log(engagement: Engagement, log: Log) -> Counted:
    """The log counted with the engagement's people; raises ForeignFileError for lines that cannot be of it."""
    people = engagement.by_id
    silent = [person.id for person in people.values() if person.fails]
    counted = count(log.lines, people, silent)
    faults = []
    for act in counted.acts:
        to = act.line.to
        if act.kind == "contact" and to not in people:
            near = nearest(to, people)
            hint = f"did you mean {near!r}?" if near else "the log and npcs.json are not of one engagement"
            message = f"{to[:60]!r} is nobody that {engagement.file} lists"
            faults.append(log.fault(act.line, Code.UNKNOWN_PERSON, message, ("to",), hint))
        if act.kind == "wait" and engagement.clock is None:
            message = f"a wait, but {engagement.file} has no clock, without which nobody can wait"
            hint = "the log and npcs.json are not of one engagement"
            faults.append(log.fault(act.line, Code.UNEXPECTED_EVENT, message, ("to",), hint))
    if faults:
        raise ForeignFileError(faults[:50])
    return counted


def _charges(scorer: Scorer, events: list[dict[str, Any]]) -> list[Charge]:
    # By the ledger and not by a score, so that a run without result, or without a score, has its charges too.
    ledger = Ledger(Tariff(scorer.plan, None))
    for position, event in enumerate(events):
        ledger.charge(read_event(event, scorer.plan, ("events", position)))
    return ledger.charges


def _by_rules(charge: Charge) -> Fraction:
    """The charge before what the harness recorded took its place."""
    if charge.steps and charge.steps[-1].rule == f"contacts.restrictions.{RECOUNT}":
        return charge.steps[-2].amount
    return charge.amount


def _ours(scorer: Scorer, result: Result | None, events: list[dict[str, Any]], scenario: str, cost: Fraction) -> Ours:
    if result is None:
        return Ours(cost, why_undefined="there is no result")
    try:
        score = scorer.score(run_of(result, events, run=result.run or "run", scenario=scenario))
    except RunError as error:
        return Ours(cost, why_undefined=error.message)
    assert isinstance(score, Score)
    exact = score.exact
    return Ours(
        exact.contact_cost, exact.uplift, exact.adjusted_uplift, exact.score, exact.floored_score, score.resolved
    )


def _at_cost(ours: Ours, cost: Fraction, has_incident: bool) -> Ours:
    """The same run at another contact cost."""
    if ours.score is None or ours.floored_score is None:
        return Ours(cost, why_undefined=ours.why_undefined)
    more = cost - ours.contact_cost
    score = ours.score - more
    resolved = score >= RESOLVED_AT and not has_incident
    return Ours(cost, ours.uplift, ours.adjusted_uplift, score, ours.floored_score - more, resolved)


def _figures(result: Result, costs: list[Number]) -> harness.Figures:
    has_incident = bool(result.incidents)
    return harness.grade(result.baseline, result.delivered, result.reference, costs, has_incident=has_incident)


def _misreported(result: Result, figures: harness.Figures) -> dict[str, tuple[Number, float]]:
    """What result.json gives otherwise than its arithmetic does."""
    found = {}
    for figure, reported in result.reported.items():
        computed = getattr(figures, figure)
        if harness.double(reported) != computed:
            found[figure] = (reported, computed)
    return found


def _billed(act: Act, charge: Charge | None, engagement: Engagement, counted: Counted) -> Billed:
    # Reading the inbox is no event and free.
    amount = _by_rules(charge) if charge else Fraction(0)
    if not _is_same(amount, act.line.cost):
        return Billed(act, amount, _reason(act, counted))
    if act.kind == "wait" and engagement.clock:
        said = _wait_said(act, engagement.clock.price_per_day)
        if said is not None:
            return Billed(act, said, "hours")
    return Billed(act, amount, None)


def _is_same(charge: Fraction, recorded: Number) -> bool:
    """Whether the recorded cost is the charge, but for what float arithmetic left in it."""
    noise = max(Fraction(1, 2 * 10**NOISE_PLACES), abs(charge) / 2**50)
    return abs(charge - Fraction(recorded)) <= noise


def _reason(act: Act, counted: Counted) -> Reason:
    if act.line.cost < 0:
        return "credit"
    if act.kind == "inbox":
        return "inbox"
    if act.is_gone:
        return "gone"
    if not act.is_answered:
        return "unanswered"
    if act.nth == act.line.n_asked:
        return "rules"
    number = act.line.number
    return "restart" if any(restart.after < number for restart in counted.restarts) else "unlogged"


def _wait_said(act: Act, price_per_day: Number) -> Fraction | None:
    """What the hours in a wait's text come to, where the recorded cost does not fit them; they are whole hours."""
    hours = hours_said(act.line)
    if hours is None or price_per_day < 0:
        return None
    least, most = (harness.wait_cost(price_per_day, max(hours + half, 0.0)) for half in (-0.5, 0.5))
    if least <= harness.double(act.line.cost) <= most:
        return None
    return Fraction(price_per_day) * hours / 24
