"""A ruleset's Plan and the scores of its tests -> which places of the rules the tests reach, line by line.

A place is one side of a rule: a person contacted, a contact past patience, a condition that held or did not. What
happened is read off the accounts and incidents of the scores; nothing is priced or evaluated a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from outscore.account import Charge
from outscore.diagnostics import Path, Span
from outscore.document import Document
from outscore.numbers import cut
from outscore.plan import Person, Plan, Restriction
from outscore.score import Score
from outscore.scorer import Scorer

Side = tuple[str, str]
"""A rule, and which side of it."""


class Place(NamedTuple):
    """One side of a rule, which a test can reach."""

    rule: str
    """The rule, by its path in the ruleset; restrictions and incidents by their ids."""
    side: str
    """`contacted`, `past patience`, `held` ..."""
    span: Span
    missing: str
    """What no test has, where this is not reached."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The places of one ruleset, and which of them its tests reach."""

    places: tuple[Place, ...]
    reached: frozenset[Side]

    def is_reached(self, place: Place) -> bool:
        """Whether some test reaches the place."""
        return (place.rule, place.side) in self.reached

    @property
    def count(self) -> int:
        """How many places are reached."""
        return sum(map(self.is_reached, self.places))

    @property
    def percent(self) -> Fraction:
        """The share of places reached, exact, from 0 to 100."""
        return Fraction(100 * self.count, len(self.places))

    @property
    def shown_percent(self) -> str:
        """The share for people, cut, so that it never reads as a mark it did not reach."""
        return f"{cut(self.percent, 1).removesuffix('.0')}%"


def measure_coverage(scorer: Scorer, document: Document, runs: Iterable[tuple[Mapping[str, Any], Score]]) -> Coverage:
    """What the runs, each with its score, reach of the scorer's rules."""
    places = tuple(_places(scorer.plan, document))
    reached = frozenset(side for run, score in runs for side in _reached(scorer, run, score))
    return Coverage(places, reached)


_VERDICT = "score"


def _places(plan: Plan, document: Document) -> Iterator[Place]:
    """Every place, in the order of the format."""
    yield Place(_VERDICT, "resolved", document.key_span(("kpi",)), "no run that resolves")
    yield Place(_VERDICT, "not resolved", document.key_span(("kpi",)), "no run that does not resolve")
    contacts, trials, waiting = plan.contacts, plan.trials, plan.waiting
    if contacts is not None:
        for name, person in contacts.people.items():
            yield from _person(("contacts", "people", name), person, name, document)
        if contacts.anyone_else is not None:
            yield from _person(("contacts", "anyone_else"), contacts.anyone_else, "anyone else", document)
        yield from _restrictions("contacts", "contact", contacts.restrictions, document)
    if trials is not None and trials.count:
        for position in range(len(trials.prices)):
            is_last = position + 1 == len(trials.prices)
            span = document.span(("trials", "prices", position))
            yield Place(*_trial(position), span, f"no {_ordinal(position + 1)}{' or later' if is_last else ''} trial")
        yield from _restrictions("trials", "trial", trials.restrictions, document)
    if waiting is not None and waiting.count:
        if _has_free_days(plan):
            span = document.key_span(("waiting", "free_days"))
            yield Place("waiting.free_days", "within", span, "no wait within the free days")
            yield Place("waiting.free_days", "past", span, "no wait past the free days")
        else:
            yield Place("waiting.price_per_day", "charged", document.key_span(("waiting", "price_per_day")), "no wait")
        yield from _restrictions("waiting", "wait", waiting.restrictions, document)
    for name, rule in plan.incidents.items():
        yield from _incident(("incidents", name), is_found=rule is not None, document=document)


def _person(path: Path, person: Person, who: str, document: Document) -> Iterator[Place]:
    rule = ".".join(map(str, path))
    yield Place(rule, "contacted", document.key_span(path), f"no answered contact with {who}")
    if person.patience is None:
        return
    rule, span = f"{rule}.patience", document.key_span((*path, "patience"))
    # With a patience of 0 no contact is ever within it.
    if person.patience:
        yield Place(rule, "at list price", span, f"no contact within patience, up to the {_ordinal(person.patience)}")
    yield Place(rule, "past patience", span, f"no contact past patience, from the {_ordinal(person.patience + 1)} on")


def _restrictions(
    section: str, event: str, restrictions: tuple[Restriction, ...], document: Document
) -> Iterator[Place]:
    for position, restriction in enumerate(restrictions):
        rule, path = f"{section}.restrictions.{restriction.id}", (section, "restrictions", position)
        if restriction.when is None:
            yield Place(rule, "held", document.key_span(path), f"no {event}")
            continue
        span = document.key_span((*path, "when"))
        yield Place(rule, "held", span, f"no {event} for which it holds")
        yield Place(rule, "did not hold", span, f"no {event} for which it does not hold")


def _incident(path: Path, *, is_found: bool, document: Document) -> Iterator[Place]:
    rule = ".".join(map(str, path))
    if is_found:
        span = document.key_span((*path, "when"))
        yield Place(rule, "held", span, "no run in which it happens")
        yield Place(rule, "did not hold", span, "no run in which it does not happen")
    else:
        yield Place(rule, "reported", document.key_span(path), "no run that reports it")
        yield Place(rule, "not reported", document.key_span(path), "no run that does not report it")


def _trial(position: int) -> Side:
    return f"trials.prices[{position}]", "charged"


def _has_free_days(plan: Plan) -> bool:
    """Whether it makes a difference on which side of the free days a wait lies."""
    return plan.waiting is not None and plan.waiting.free_days > 0 and plan.waiting.price_per_day > 0


def _reached(scorer: Scorer, run: Mapping[str, Any], score: Score) -> Iterator[Side]:
    """Every place that one run reaches."""
    plan = scorer.plan
    yield _VERDICT, "resolved" if score.resolved else "not resolved"
    for charge in score.account:
        if charge.free is not None:
            continue
        # On a charged event every restriction is asked, so that one without a step did not hold.
        taken = {step.rule for step in charge.steps}
        if charge.type == "contact":
            yield from _contact(charge, taken)
            yield from _asked("contacts", plan.contacts.restrictions if plan.contacts else (), taken)
        elif charge.type == "trial" and plan.trials is not None and charge.nth is not None:
            yield _trial(min(charge.nth, len(plan.trials.prices)) - 1)
            yield from _asked("trials", plan.trials.restrictions, taken)
        elif plan.waiting is not None:
            yield from _wait(charge, plan)
            yield from _asked("waiting", plan.waiting.restrictions, taken)
    yield from _incidents(scorer, run, score)


def _contact(charge: Charge, taken: set[str]) -> Iterator[Side]:
    rule = charge.steps[0].rule.removesuffix(".price")
    yield rule, "contacted"
    yield f"{rule}.patience", "past patience" if f"{rule}.past_patience" in taken else "at list price"


def _asked(section: str, restrictions: tuple[Restriction, ...], taken: set[str]) -> Iterator[Side]:
    for restriction in restrictions:
        rule = f"{section}.restrictions.{restriction.id}"
        yield rule, "held" if rule in taken else "did not hold"


def _wait(charge: Charge, plan: Plan) -> Iterator[Side]:
    yield "waiting.price_per_day", "charged"
    if not _has_free_days(plan) or plan.waiting is None or charge.hours is None:
        return
    charged_hours = charge.steps[0].amount * 24 / plan.waiting.price_per_day
    if charged_hours < charge.hours:
        yield "waiting.free_days", "within"
    if charged_hours > 0:
        yield "waiting.free_days", "past"


def _incidents(scorer: Scorer, run: Mapping[str, Any], score: Score) -> Iterator[Side]:
    found = score.incidents
    if run.get("incidents"):
        # A reported incident says nothing of its rule: the same run without reports does.
        silent = scorer.score({**run, "incidents": []})
        found = silent.incidents if isinstance(silent, Score) else ()
    for name, rule in scorer.plan.incidents.items():
        if rule is not None:
            yield f"incidents.{name}", "held" if name in found else "did not hold"
        else:
            yield f"incidents.{name}", "reported" if name in run.get("incidents", ()) else "not reported"


def _ordinal(number: int) -> str:
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
