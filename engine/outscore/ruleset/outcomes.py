"""A checked Ruleset -> what it is known to come to, where that must not be: negative charges, a bad reference.

Follows only what is certain for every run: constant changes without a condition. What depends on the run is the
run's matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple, Self

from outscore.diagnostics import Code, Diagnostic, Path, Severity
from outscore.document import Document
from outscore.expression.fold import constant
from outscore.formula import is_improvement
from outscore.numbers import MAX_DIGITS, cut, exact_places, text
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
    followed: dict[tuple[Fraction | None, _Change | None, str], Path] = {}
    after = {
        name: _After.of(list(_changes(name, each, ruleset.trees)))
        for name, each in restrictions_by_section(ruleset).items()
    }
    for subject, section, charge, past in _charges(ruleset):
        amount = after[section].amount(charge if past is None else _apply(past, charge))
        if amount is None or amount >= 0:
            continue
        key = charge, past, section
        if key not in followed:
            if len(followed) >= _MOST_FOLLOWED:
                continue
            followed[key] = _culprit(charge, [*([past] if past else []), *after[section].changes])
        culprits.setdefault(followed[key], []).append((subject, amount))
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


_MOST_FOLLOWED: Final = 100
"""How many different negative charges are traced to the change that makes them so."""


class _After(NamedTuple):
    """What becomes of a section's charges by its restrictions, as far as that is certain."""

    changes: list[_Change]
    factor: Fraction | None
    """All changes joined to one, `factor * charge + addend`, so that many people times many restrictions is no work;
    None where it depends on the run."""
    addend: Fraction

    @classmethod
    def of(cls, changes: list[_Change]) -> Self:
        factor, addend = Fraction(1), Fraction(0)
        is_known = True
        for each in changes:
            if not each.is_certain or each.value is None:
                is_known = False
            elif _replaces(each):
                factor, addend, is_known = Fraction(0), each.value, True
            elif is_known:
                factor, addend = (factor * each.value if each.kind == "times" else factor), _apply(each, addend)
                is_known = _bits(factor) + _bits(addend) <= _LONGEST_FOLLOWED
        return cls(changes, factor if is_known else None, addend)

    def amount(self, charge: Fraction | None) -> Fraction | None:
        """The final charge; None where it depends on the run."""
        if self.factor is None:
            return None
        if self.factor == 0:
            return self.addend
        return None if charge is None else self.factor * charge + self.addend


_LONGEST_FOLLOWED: Final = 10_000
"""Bits beyond which what a charge comes to is left to the run: to follow longer ones through all rules takes long."""


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _replaces(change: _Change) -> bool:
    """Whether the charge after a change is known whatever it was before."""
    return change.kind == "price" or (change.kind == "times" and change.value == 0)


def _apply(change: _Change, charge: Any) -> Any:
    """The charge after a change that is known; None where the charge is not, and is not replaced."""
    if _replaces(change):
        return change.value
    if charge is None:
        return None
    return charge * change.value if change.kind == "times" else charge + change.value


def _charges(ruleset: Ruleset) -> Iterator[tuple[str, str, Fraction | None, _Change | None]]:
    """Every kind of event in words, its section, its charge before any change, and the change past patience."""
    contacts, trials, waiting = ruleset.contacts, ruleset.trials, ruleset.waiting
    if contacts is not None:
        for name, person in contacts.people.items():
            yield from _person(f"a contact with '{name}'", ("contacts", "people", name), person)
        if contacts.anyone_else is not None:
            yield from _person("a contact with anyone else", ("contacts", "anyone_else"), contacts.anyone_else)
    if trials is not None and trials.count:
        for position, price in enumerate(trials.prices, start=1):
            yield f"trial {position}", "trials", price, None
    if waiting is not None and waiting.count:
        # What a wait costs depends on its hours, unless a day costs nothing.
        yield "a wait", "waiting", None if waiting.price_per_day else Fraction(0), None


def _person(subject: str, path: Path, person: Person) -> Iterator[tuple[str, str, Fraction, _Change | None]]:
    # With a patience of 0 no contact is ever within it.
    if person.patience != 0:
        yield subject, "contacts", person.price, None
    change = person.past_patience
    if change is not None:
        past = _Change((*path, "past_patience", change.kind), change.kind, change.number, is_certain=True)
        yield f"{subject} past patience", "contacts", person.price, past


def _culprit(amount: Fraction | None, changes: list[_Change]) -> Path:
    """The change that last made a charge negative."""
    culprit: Path = ()
    for change in changes:
        was_negative = amount is not None and amount < 0
        is_known = change.is_certain and change.value is not None
        amount = _apply(change, amount) if is_known else None
        if not was_negative and amount is not None and amount < 0:
            culprit = change.path
    return culprit


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
    places = exact_places(value)
    return text(value) if places is None or places > MAX_DIGITS else cut(value, places)
