"""A checked Ruleset -> what it is known to come to, where that must not be: negative charges, a bad reference.

Follows only what is certain for every run: constant changes without a condition. What depends on the run is the
run's matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from outscore.diagnostics import Code, Diagnostic, Path, Severity
from outscore.document import Document
from outscore.expression.fold import constant
from outscore.formula import is_improvement
from outscore.plan import Node
from outscore.ruleset.meaning import restrictions_by_section
from outscore.ruleset.model import Person, Restrictions, Ruleset


def check_outcomes(ruleset: Ruleset, document: Document) -> list[Diagnostic]:
    """Every finding about what the rules come to."""
    return [
        *_negative_operands(ruleset, document),
        *_negative_charges(ruleset, document),
        *_reference(ruleset, document),
    ]


class _Change(NamedTuple):
    """A change to the running charge, as far as it is known before any run."""

    path: Path
    kind: str
    value: Fraction | None
    """None: it depends on the run."""
    is_certain: bool
    """Whether it applies to every event."""


def _changes(section: str, restrictions: Restrictions, trees: Mapping[Path, Node]) -> Iterator[_Change]:
    for position, restriction in enumerate(restrictions):
        path: Path = (section, "restrictions", position)
        condition = trees.get((*path, "when"))
        holds = True if condition is None else constant(condition)
        if holds is False:
            continue
        kind = restriction.charge.kind
        path = (*path, "charge", kind)
        yield _Change(path, kind, _operand(restriction.charge.value, trees.get(path)), holds is True)


def _operand(written: Fraction | str, tree: Node | None) -> Fraction | None:
    if isinstance(written, Fraction):
        return written
    value = constant(tree) if tree is not None else None
    return value if isinstance(value, Fraction) else None


def _negative_operands(ruleset: Ruleset, document: Document) -> Iterator[Diagnostic]:
    for section, restrictions in restrictions_by_section(ruleset).items():
        for change in _changes(section, restrictions, ruleset.trees):
            if change.kind != "plus" and change.value is not None and change.value < 0:
                yield Diagnostic(
                    Code.BAD_VALUE,
                    Severity.ERROR,
                    f"'{change.kind}' comes to {_shown(change.value)}; it must be 0 or more",
                    document.span(change.path),
                    change.path,
                    "only 'plus' may be negative",
                )


def _negative_charges(ruleset: Ruleset, document: Document) -> Iterator[Diagnostic]:
    # One finding for each change that makes charges negative, however many people it does so for.
    culprits: dict[Path, list[tuple[str, Fraction]]] = {}
    for subject, charge, changes in _charges(ruleset):
        amount, culprit = _follow(charge, changes)
        if amount is not None and amount < 0:
            culprits.setdefault(culprit, []).append((subject, amount))
    for path, charged in culprits.items():
        subject, amount = charged[0]
        others = f", and {len(charged) - 1} more likewise" if len(charged) > 1 else ""
        yield Diagnostic(
            Code.NEGATIVE_CHARGE,
            Severity.ERROR,
            f"{subject} would be charged {_shown(amount)}{others}; a final charge cannot be negative",
            document.span(path),
            path,
            "take off less, use 'times' for a share of the charge, or 'price: 0' to make it free",
        )


def _charges(ruleset: Ruleset) -> Iterator[tuple[str, Fraction | None, list[_Change]]]:
    """Every kind of event in words, its charge before any change, and the changes that follow."""
    restrictions = restrictions_by_section(ruleset)
    after = {name: list(_changes(name, each, ruleset.trees)) for name, each in restrictions.items()}
    contacts, trials, waiting = ruleset.contacts, ruleset.trials, ruleset.waiting
    if contacts is not None:
        for name, person in contacts.people.items():
            yield from _person(f"a contact with '{name}'", ("contacts", "people", name), person, after["contacts"])
        if contacts.anyone_else is not None:
            path: Path = ("contacts", "anyone_else")
            yield from _person("a contact with anyone else", path, contacts.anyone_else, after["contacts"])
    if trials is not None and trials.count:
        for position, price in enumerate(trials.prices, start=1):
            yield f"trial {position}", price, after["trials"]
    if waiting is not None and waiting.count:
        # What a wait costs depends on its hours, unless a day costs nothing.
        yield "a wait", None if waiting.price_per_day else Fraction(0), after["waiting"]


def _person(
    subject: str, path: Path, person: Person, after: list[_Change]
) -> Iterator[tuple[str, Fraction, list[_Change]]]:
    # With a patience of 0 no contact is ever within it.
    if person.patience != 0:
        yield subject, person.price, after
    change = person.past_patience
    if change is not None:
        past = _Change((*path, "past_patience", change.kind), change.kind, change.number, is_certain=True)
        yield f"{subject} past patience", person.price, [past, *after]


def _follow(amount: Fraction | None, changes: list[_Change]) -> tuple[Fraction | None, Path]:
    """The final charge, None where it depends on the run, and the change that last made it negative."""
    culprit: Path = ()
    for path, kind, value, is_certain in changes:
        was_negative = amount is not None and amount < 0
        if not is_certain or value is None:
            amount = None
        elif kind == "price":
            amount = value
        elif amount is not None:
            amount = amount * value if kind == "times" else amount + value
        if not was_negative and amount is not None and amount < 0:
            culprit = path
    return amount, culprit


def _reference(ruleset: Ruleset, document: Document) -> Iterator[Diagnostic]:
    pinned = ruleset.kpi.pinned
    if pinned is None:
        return
    kpi: dict[str, Fraction] = {}
    for system, values in (("baseline", pinned.baseline), ("reference", pinned.reference)):
        path: Path = ("kpi", "pinned", system)
        try:
            kpi[system] = values if isinstance(values, Fraction) else _formula(ruleset, values)
        except ZeroDivisionError:
            yield Diagnostic(
                Code.DIVISION_BY_ZERO,
                Severity.ERROR,
                f"the KPI formula divides by zero for the pinned {system}",
                document.span(path),
                path,
            )
    if len(kpi) < 2 or is_improvement(kpi["baseline"], kpi["reference"], ruleset.kpi.direction):
        return
    baseline, reference = _shown(kpi["baseline"]), _shown(kpi["reference"])
    compared = "the same as" if baseline == reference else "worse than"
    better = "higher" if ruleset.kpi.direction == "higher" else "lower"
    yield Diagnostic(
        Code.REFERENCE_NOT_BETTER,
        Severity.ERROR,
        f"the pinned reference comes to a KPI of {reference}, {compared} the baseline's {baseline}; {better} is better "
        "here, and the reference must improve on the baseline",
        document.span(("kpi", "pinned", "reference")),
        ("kpi", "pinned", "reference"),
        "check the two values, and 'direction'",
    )


def _formula(ruleset: Ruleset, values: Mapping[str, Fraction]) -> Fraction:
    # Imported here: only rulesets that pin measures need it.
    from outscore.expression.reference import evaluate

    value = evaluate(ruleset.trees["kpi", "formula"], values)
    assert isinstance(value, Fraction)
    return value


def _shown(value: Fraction) -> str:
    """The exact value as people write it: as a decimal where one is exact and short, else as a fraction."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return str(value)
    shown = Context(prec=400).divide(Decimal(value.numerator), Decimal(value.denominator))
    return format(shown, "f") if len(shown.as_tuple().digits) <= 40 else str(value)
