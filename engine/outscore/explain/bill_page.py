"""A Bill -> the page that shows it; and a void run's."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from outscore.batch import BadRun
from outscore.explain.bill import Bill, BillIncident, BillItem, BillStep, Passed, System
from outscore.explain.page import Block, Cell, Code, Column, Heading, Line, Page, Paragraph, Table, cell, place
from outscore.explain.wording import amount, decimal_and_fraction, ordinal, shown, term, value_text
from outscore.formula import RESOLVED_AT
from outscore.run import Void

if TYPE_CHECKING:
    from outscore.explain.reading import Reading


def bill_page(bill: Bill) -> Page:
    """The page of a bill."""
    return tuple(_Bill(bill).blocks())


def void_page(void: Void) -> Page:
    """The page of a void run."""
    return (
        Heading(("Run ", Code(void.run), " is void"), 1),
        Paragraph(((f"{void.void}",), ("not scored; it stays in the count, and is no failure by itself",))),
    )


def bad_page(bad: BadRun) -> Page:
    """The page of a run that could not be scored."""
    error = bad.error
    name = (Code(error.run),) if error.run is not None else ("without an id",)
    where = f":{bad.line}" if bad.line is not None else f", item {bad.item}" if bad.item is not None else ""
    lines: list[Line] = [(f"error[{error.code}]: {error.message}",), ("at ", Code(error.path))]
    if error.hint:
        lines.append((f"hint: {error.hint}",))
    return (
        Heading(("Run ", *name, " cannot be scored"), 1),
        Paragraph((("run ", Code(f"{bad.file}{where}")),)),
        Paragraph(tuple(lines), "bad"),
    )


class _Bill:
    """Lays one bill out."""

    def __init__(self, bill: Bill) -> None:
        self._bill = bill

    def blocks(self) -> Iterator[Block]:
        bill, score = self._bill, self._bill.score
        yield Heading(("Bill of run ", Code(score.run)), 1)
        agent = (", agent ", Code(score.agent)) if score.agent is not None else ()
        yield Paragraph(
            (
                ("task ", Code(score.task), *agent),
                ("ruleset ", Code(bill.file), ", ", Code(score.ruleset)),
                *((("data ", Code(bill.data)),) if bill.data is not None else ()),
            )
        )
        yield Heading(("Events",))
        yield self._account()
        yield Heading(("The customer's number",))
        yield from self._kpi()
        if bill.incidents:
            yield Heading(("Incidents",))
            yield self._incidents()
        yield Heading(("Verdict",))
        yield self._figures()
        yield self._verdict()
        if score.warnings:
            yield Paragraph(tuple((f"warning: {warning}",) for warning in score.warnings), "bad")

    def _place(self, line: int | None) -> Cell:
        return cell() if line is None else cell(place(self._bill.file, line))

    def _account(self) -> Table:
        columns = (
            Column("#", True),
            Column("event"),
            Column("step"),
            Column("running", True),
            Column("charge", True),
            Column("ruleset"),
        )
        rows = [row for item in self._bill.items for row in self._item(item)]
        total = cell(amount(self._bill.total), tone="strong")
        return Table(columns, (*rows, (cell(), cell("contact cost", tone="strong"), cell(), cell(), total, cell())))

    def _item(self, item: BillItem) -> Iterator[tuple[Cell, ...]]:
        charge = item.charge
        number, (event, rest) = cell(str(charge.event)), _event(item)
        if charge.free is not None:
            yield number, event, cell(charge.free, tone="quiet"), cell(), cell(amount(charge.amount)), cell()
        for position, step in enumerate(item.steps):
            is_last = position == len(item.steps) - 1
            total = cell(amount(charge.amount)) if is_last else cell()
            yield number, event, self._step(step, item), cell(amount(step.amount)), total, self._place(step.line)
            number, event, rest = cell(), rest, cell()
        for passed in item.passed:
            yield number, event, _passed(passed), cell(), cell(), self._place(passed.line)
            number, event, rest = cell(), rest, cell()

    def _step(self, step: BillStep, item: BillItem) -> Cell:
        did = f"{step.kind} {shown(step.value)}"
        section, *rest = step.rule.split(".")
        if rest[0] == "restrictions":
            lines: list[Line] = [(Code(rest[1]), f": {did}")]
            lines += [(step.why,)] if step.why else []
            lines += _read("when ", step.when) if step.when is not None else [("always",)]
            lines += _read(f"{step.kind} ", step.operand) if step.operand is not None else []
            return Cell(tuple(lines))
        if rest[-1] == "past_patience":
            return cell(f"past patience: {did}")
        if section == "trials":
            return cell(f"price of trial {item.charge.nth}: {shown(step.value)}")
        if section == "waiting":
            hours = item.charged_hours
            past = f"{shown(hours)} h past the free ones" if hours is not None else "any hours"
            return cell(f"price of {past}: {shown(step.value)}")
        return cell(f"list price: {shown(step.value)}")

    def _kpi(self) -> Iterator[Block]:
        bill = self._bill
        unit = f" in {bill.unit}" if bill.unit else ""
        lines: list[Line] = [
            (f"{bill.kpi_name or 'KPI'}{unit}; {bill.direction} is better  ", place(bill.file, bill.formula_line))
        ]
        if bill.formula is not None:
            lines.append(("= ", Code(bill.formula)))
        yield Paragraph(tuple(lines))
        measures = tuple(bill.systems[0].measures or ())
        columns = (Column("system"), Column("KPI", True), *(Column(name, True) for name in measures), Column("from"))
        yield Table(columns, tuple(self._system(system) for system in bill.systems))

    def _system(self, system: System) -> tuple[Cell, ...]:
        letter = system.name[0].upper()
        origin = self._place(system.line) if system.is_pinned else cell("the run")
        measures = (cell(shown(value)) for value in (system.measures or {}).values())
        return cell(f"{letter} {system.name}"), cell(shown(system.kpi)), *measures, origin

    def _incidents(self) -> Table:
        rows = tuple(
            (cell(Code(each.id)), _incident(each), cell(each.why), self._place(each.line))
            for each in self._bill.incidents
        )
        return Table(tuple(Column(name) for name in ("incident", "how", "why", "ruleset")), rows)

    def _figures(self) -> Table:
        exact = self._bill.score.exact
        baseline, delivered, reference = (term(system.kpi) for system in self._bill.systems)
        ratio = f"(D - B) / (R - B) = ({delivered} - {baseline}) / ({reference} - {baseline})"
        rows: list[tuple[str, Fraction, str]] = [("uplift", exact.uplift, ratio)]
        has_incident = bool(self._bill.score.incidents)
        if has_incident:
            fate = "the incident erases the gain" if exact.uplift > 0 else "no gain to erase; harm is kept"
            rows.append(("adjusted uplift", exact.adjusted_uplift, fate))
        rows.append(("contact cost", exact.contact_cost, "the sum of the charges"))
        rows.append(("score", exact.score, f"the {'adjusted ' if has_incident else ''}uplift less the contact cost"))
        if exact.floored_score != exact.score:
            rows.append(("floored score", exact.floored_score, "for averages only: the uplift is taken as -1"))
        columns = (Column("figure"), Column("value", True), Column("exactly", True), Column("from"))
        figures = ((name, *decimal_and_fraction(value), words) for name, value, words in rows)
        return Table(columns, tuple(tuple(map(cell, row)) for row in figures))

    def _verdict(self) -> Paragraph:
        distance = _distance(self._bill.distance)
        if self._bill.score.resolved:
            return Paragraph(((f"resolved: {distance}",),), "good")
        if self._bill.score.incidents:
            return Paragraph(((f"not resolved: an incident happened; {distance}",),), "bad")
        return Paragraph(((f"not resolved: {distance}",),), "bad")


def _distance(distance: Fraction) -> str:
    """`0.0251 short of 0.8`."""
    mark = shown(RESOLVED_AT)
    if not distance:
        return f"exactly {mark}"
    return f"{shown(distance)} above {mark}" if distance > 0 else f"{shown(-distance)} short of {mark}"


def _event(item: BillItem) -> tuple[Cell, Cell]:
    """The event, and what it carries: beside its second step where it has one, so that steps stay close."""
    charge, event = item.charge, item.event
    first: list[str] = [charge.type]
    if charge.to is not None:
        first += [" with ", Code(charge.to)]
    if charge.hours is not None:
        first.append(f" of {shown(charge.hours)} h")
    if charge.nth is not None:
        first.append(f", {ordinal(charge.nth)}")
    carried = [f"at {event.at}"] if event.at is not None else []
    carried += [f"{name} {value_text(value)}" for name, value in event.fields.items()]
    head, rest = tuple(first), (", ".join(carried),)
    if not carried:
        return Cell((head,)), cell()
    if len(item.steps) + len(item.passed) > 1:
        return Cell((head,)), Cell((rest,))
    return Cell((head, rest)), cell()


def _passed(passed: Passed) -> Cell:
    lines: list[Line] = [(Code(passed.rule.rsplit(".", 1)[-1]), ": does not apply"), *_read("when ", passed.when)]
    return Cell(tuple(lines), "quiet")


def _incident(incident: BillIncident) -> Cell:
    lines: list[Line] = []
    if incident.is_reported:
        lines.append(("reported by the run",))
    if not incident.is_known:
        lines.append(("not in the ruleset; it counts all the same",))
    if incident.when is not None:
        lines.append(("found by its rule" if incident.is_found else "not found by its rule",))
        lines += _read("when ", incident.when)
    if not lines:
        lines.append(("not reported",))
    return Cell(tuple(lines), "bad" if incident.happened else "quiet")


def _read(label: str, reading: Reading) -> list[Line]:
    """The expression, and what it saw."""
    lines: list[Line] = [(label, Code(reading.text))]
    names = ", ".join(f"{name} = {value_text(value)}" for name, value in reading.names)
    if names:
        lines.append(("saw ", Code(names)))
    lines += [("    ", Code(text), f" is {value_text(value)}") for text, value in reading.parts]
    return lines
