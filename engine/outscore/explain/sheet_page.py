"""A PriceSheet -> the page that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from outscore.explain.page import Block, Cell, Code, Column, Heading, Line, Page, Paragraph, Table, cell, listed, place
from outscore.explain.sheet import (
    AFFORDABLE_COST,
    ContactPrices,
    KpiRule,
    Measured,
    PersonPrices,
    PriceSheet,
    RestrictionRule,
)
from outscore.explain.wording import Band, ordinal, shown
from outscore.formula import RESOLVED_AT

MOST_ROWS = 40
"""People, prices and restrictions of one table that are shown unless all are asked for."""

_MOST_COLUMNS = 10
"""Contacts that the table shows one by one."""

_AFFORDABLE = (
    "affordable: the most contacts, with this person alone and no restriction applying, after which a delivery as ",
    f"good as the reference still reaches {shown(RESOLVED_AT)}; they may cost {shown(AFFORDABLE_COST)} in all",
)
"""What the column of that name says."""


def sheet_page(sheet: PriceSheet, *, whole: bool = False) -> Page:
    """The page of a price sheet; long tables are cut unless it is to be whole."""
    return tuple(_Sheet(sheet, None if whole else MOST_ROWS).blocks())


class _Sheet:
    """Lays one price sheet out."""

    def __init__(self, sheet: PriceSheet, most_rows: int | None) -> None:
        self._sheet = sheet
        self._most_rows = most_rows

    def blocks(self) -> Iterator[Block]:
        sheet = self._sheet
        yield from _head(sheet)
        yield from self._kpi(sheet.kpi)
        yield Heading(("Contacts",))
        if sheet.contacts is None:
            yield Paragraph((("none: a contact is an error",),))
        else:
            yield from self._contacts(sheet.contacts)
        yield Heading(("Trials",))
        if sheet.trials is None:
            yield Paragraph((("none: a trial is an error",),))
        else:
            yield Paragraph(((sheet.trials.words, "  ", self._place(sheet.trials.line)),))
            yield from self._restrictions(sheet.trials.restrictions, counted=sheet.trials.count)
        yield Heading(("Waiting",))
        if sheet.waiting is None:
            yield Paragraph((("none: a wait is an error",),))
        else:
            yield Paragraph(((sheet.waiting.words, "  ", self._place(sheet.waiting.line)),))
            yield from self._restrictions(sheet.waiting.restrictions, counted=sheet.waiting.count)
        yield from self._incidents()

    def _place(self, line: int) -> Code:
        return place(self._sheet.file, line)

    def _kpi(self, kpi: KpiRule) -> Iterator[Block]:
        unit = f" in {kpi.unit}" if kpi.unit else ""
        yield Heading(("The customer's number",))
        lines: list[Line] = [(f"{kpi.name or 'KPI'}{unit}; {kpi.direction} is better  ", self._place(kpi.line))]
        if kpi.formula is not None:
            lines.append(("= ", Code(kpi.formula)))
        else:
            lines.append(("runs report the KPI itself",))
        if kpi.baseline is None:
            lines.append(("baseline and reference are reported by each run",))
        yield Paragraph(tuple(lines))
        if kpi.baseline is not None and kpi.reference is not None:
            yield Table(
                (Column("pinned"), Column("KPI", True), *(Column(name, True) for name in kpi.measures)),
                (_measured("baseline", kpi.baseline), _measured("reference", kpi.reference)),
            )

    def _contacts(self, contacts: ContactPrices) -> Iterator[Block]:
        everyone = [*contacts.people, *([contacts.anyone_else] if contacts.anyone_else is not None else [])]
        shown_people = everyone if self._most_rows is None else everyone[: self._most_rows]
        columns = ("person", "list price", "answered contacts", "affordable", "restrictions", "ruleset")
        rows = tuple(
            (
                Cell((*_who(each).lines, *(((each.role,),) if each.role else ()))),
                cell(shown(each.price)),
                cell(each.words),
                cell("without limit" if each.affordable is None else str(each.affordable)),
                Cell((listed(each.restrictions),) if each.restrictions else (("none",),)),
                cell(self._place(each.line)),
            )
            for each in shown_people
        )
        if rows:
            yield Table(tuple(Column(name, name in ("list price", "affordable")) for name in columns), rows)
        yield from self._rest(len(everyone), "people")
        if contacts.anyone_else is None:
            yield Paragraph((("a contact with anyone who is not listed is an error",),))
        if rows:
            yield Paragraph((_AFFORDABLE,), "quiet")
        yield from _contact_by_contact(shown_people)
        yield from self._restrictions(contacts.restrictions, counted=True)

    def _restrictions(self, restrictions: Sequence[RestrictionRule], *, counted: bool) -> Iterator[Block]:
        if not restrictions:
            yield Paragraph((("no restrictions",),), "quiet")
            return
        if not counted:
            yield Paragraph((("not counted, so its restrictions do not apply",),), "quiet")
        names = ("restriction", "when", "charge", "why", "ruleset")
        rows = tuple(
            (
                cell(Code(each.id)),
                cell("always" if each.when is None else Code(each.when)),
                _effect(each),
                cell(each.why),
                cell(self._place(each.line)),
            )
            for each in restrictions[: self._most_rows]
        )
        yield Table(tuple(Column(name) for name in names), rows)
        yield from self._rest(len(restrictions), "restrictions")

    def _incidents(self) -> Iterator[Block]:
        incidents = self._sheet.incidents
        yield Heading(("Incidents",))
        if not incidents:
            yield Paragraph((("none declared; any that a run reports by name counts all the same",),))
            return
        names = ("incident", "when", "why", "ruleset")
        rows = tuple(
            (
                cell(Code(each.id)),
                cell("reported by name" if each.when is None else Code(each.when)),
                cell(each.why),
                cell(self._place(each.line)),
            )
            for each in incidents[: self._most_rows]
        )
        yield Table(tuple(Column(name) for name in names), rows)
        yield from self._rest(len(incidents), "incidents")

    def _rest(self, count: int, noun: str) -> Iterator[Block]:
        if self._most_rows is not None and count > self._most_rows:
            yield Paragraph(((f"and {count - self._most_rows:,} more {noun}; --all shows them",),), "quiet")


def _head(sheet: PriceSheet) -> Iterator[Block]:
    yield Heading((f"Price sheet: {sheet.title or sheet.scenario}",), 1)
    zone = f", times in {sheet.timezone}" if sheet.timezone else ""
    lines: list[Line] = [(sheet.description,)] if sheet.description else []
    lines.append(("scenario ", Code(sheet.scenario), zone))
    lines.append(("ruleset ", Code(sheet.file), ", ", Code(sheet.digest)))
    yield Paragraph(tuple(lines))


def _measured(name: str, measured: Measured) -> tuple[Cell, ...]:
    measures = measured.measures or {}
    return cell(name), cell(shown(measured.kpi)), *(cell(shown(value)) for value in measures.values())


def _who(person: PersonPrices) -> Cell:
    return cell("anyone else (each)") if person.id is None else cell(Code(person.id))


def _effect(restriction: RestrictionRule) -> Cell:
    value = restriction.charge.value
    return cell(f"{restriction.charge.kind} ", Code(value)) if isinstance(value, str) else cell(str(restriction.charge))


def _contact_by_contact(people: Sequence[PersonPrices]) -> Iterator[Block]:
    """The n-th contact's charge for n from 1 to past everyone's patience; nothing where it is one for every n."""
    firsts = sorted({band.first for person in people for band in person.bands})
    if len(firsts) < 2:
        return
    if firsts[-1] <= _MOST_COLUMNS:
        firsts = list(range(1, firsts[-1] + 1))
    firsts = firsts[:_MOST_COLUMNS]
    names = [_contact_range(first, following) for first, following in pairwise(firsts)]
    rows = tuple(
        (_who(person), *(cell(shown(_charge_at(person.bands, first))) for first in firsts)) for person in people
    )
    columns = (Column("person"), *(Column(name, True) for name in (*names, f"{ordinal(firsts[-1])} on")))
    yield Paragraph((("Contact by contact, before restrictions:",),))
    yield Table(columns, rows)


def _contact_range(first: int, following: int) -> str:
    return ordinal(first) if following == first + 1 else f"{ordinal(first)}-{ordinal(following - 1)}"


def _charge_at(bands: Sequence[Band], nth: int) -> Fraction:
    return next(band.charge for band in reversed(bands) if band.first <= nth)
