"""PriceSheet, Bill -> plain data for JSON, in the shape that docs/reference/explain.md describes.

A number is an object: `value`, the nearest double (null beyond the range of doubles), and `exact`, the fraction.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from outscore.explain.bill import Bill, BillIncident, BillItem, BillStep, Passed, System
from outscore.explain.sheet import KpiRule, Measured, PersonPrices, PriceSheet, RestrictionRule
from outscore.explain.wording import Band, Effect
from outscore.numbers import nearest_double
from outscore.score import Exact

if TYPE_CHECKING:
    from outscore.explain.reading import Reading


def number(value: Fraction | int) -> dict[str, Any]:
    """A number as JSON carries it."""
    try:
        double = nearest_double(value.numerator, value.denominator)
    except OverflowError:
        return {"value": None, "exact": str(value)}
    return {"value": double, "exact": str(value)}


def sheet_record(sheet: PriceSheet) -> dict[str, Any]:
    """A price sheet as plain data."""
    contacts, trials, waiting = sheet.contacts, sheet.trials, sheet.waiting
    return {
        "scenario": sheet.scenario,
        "title": sheet.title,
        "description": sheet.description,
        "timezone": sheet.timezone,
        "file": sheet.file,
        "ruleset": sheet.digest,
        "kpi": _kpi(sheet.kpi),
        "contacts": contacts
        and {
            "line": contacts.line,
            "people": [_person(each) for each in contacts.people],
            "anyone_else": contacts.anyone_else and _person(contacts.anyone_else),
            "restrictions": [_restriction(each) for each in contacts.restrictions],
        },
        "trials": trials
        and {
            "line": trials.line,
            "count": trials.count,
            "words": trials.words,
            "nth": [_band(each) for each in trials.bands],
            "restrictions": [_restriction(each) for each in trials.restrictions],
        },
        "waiting": waiting
        and {
            "line": waiting.line,
            "count": waiting.count,
            "words": waiting.words,
            "price_per_day": number(waiting.price_per_day),
            "free_days": number(waiting.free_days),
            "restrictions": [_restriction(each) for each in waiting.restrictions],
        },
        "incidents": [
            {"id": each.id, "why": each.why, "when": each.when, "line": each.line} for each in sheet.incidents
        ],
    }


def _kpi(kpi: KpiRule) -> dict[str, Any]:
    pinned = None
    if kpi.baseline is not None and kpi.reference is not None:
        pinned = {"baseline": _measured(kpi.baseline), "reference": _measured(kpi.reference)}
    return {
        "name": kpi.name,
        "unit": kpi.unit,
        "direction": kpi.direction,
        "measures": list(kpi.measures),
        "formula": kpi.formula,
        "line": kpi.line,
        "pinned": pinned,
    }


def _measured(measured: Measured | System) -> dict[str, Any]:
    return {"kpi": number(measured.kpi), "measures": _numbers(measured.measures)}


def _numbers(values: Mapping[str, Fraction] | None) -> dict[str, Any] | None:
    return None if values is None else {name: number(value) for name, value in values.items()}


def _person(person: PersonPrices) -> dict[str, Any]:
    return {
        "id": person.id,
        "role": person.role,
        "line": person.line,
        "price": number(person.price),
        "patience": person.patience,
        "past_patience": person.past_patience and _effect(person.past_patience),
        "words": person.words,
        "nth": [_band(each) for each in person.bands],
        "affordable": person.affordable,
        "restrictions": list(person.restrictions),
    }


def _band(band: Band) -> dict[str, Any]:
    return {"from": band.first, "to": band.last, "charge": number(band.charge)}


def _effect(effect: Effect) -> dict[str, Any]:
    value = effect.value
    return {effect.kind: number(value) if isinstance(value, Fraction) else {"expression": value}}


def _restriction(restriction: RestrictionRule) -> dict[str, Any]:
    return {
        "id": restriction.id,
        "why": restriction.why,
        "when": restriction.when,
        "charge": _effect(restriction.charge),
        "line": restriction.line,
    }


def bill_record(bill: Bill) -> dict[str, Any]:
    """A bill as plain data."""
    score = bill.score
    return {
        "run": score.run,
        "scenario": score.scenario,
        "task": score.task,
        "agent": score.agent,
        "data": bill.data,
        "file": bill.file,
        "ruleset": score.ruleset,
        "account": [_item(each) for each in bill.items],
        "kpi": {
            "name": bill.kpi_name,
            "unit": bill.unit,
            "direction": bill.direction,
            "formula": bill.formula,
            "line": bill.formula_line,
            "systems": {
                each.name: {**_measured(each), "is_pinned": each.is_pinned, "line": each.line} for each in bill.systems
            },
        },
        "incidents": [_incident(each) for each in bill.incidents],
        **{name: number(getattr(score.exact, name)) for name in Exact.__struct_fields__},
        "resolved": score.resolved,
        "distance": number(bill.distance),
        "warnings": list(score.warnings),
    }


def _item(item: BillItem) -> dict[str, Any]:
    charge, event = item.charge, item.event
    return {
        "event": charge.event,
        "type": charge.type,
        "to": charge.to,
        "nth": charge.nth,
        "at": event.at,
        "hours": None if charge.hours is None else number(charge.hours),
        "fields": {name: _value(value) for name, value in event.fields.items()},
        "charged_hours": None if item.charged_hours is None else number(item.charged_hours),
        "amount": number(charge.amount),
        "free": charge.free,
        "steps": [_step(each) for each in item.steps],
        "passed": [_passed(each) for each in item.passed],
    }


def _step(step: BillStep) -> dict[str, Any]:
    return {
        "rule": step.rule,
        "line": step.line,
        step.kind: number(step.value),
        "amount": number(step.amount),
        "why": step.why,
        "when": step.when and _reading(step.when),
        "operand": step.operand and _reading(step.operand),
    }


def _passed(passed: Passed) -> dict[str, Any]:
    return {"rule": passed.rule, "line": passed.line, "why": passed.why, "when": _reading(passed.when)}


def _incident(incident: BillIncident) -> dict[str, Any]:
    return {
        "id": incident.id,
        "is_reported": incident.is_reported,
        "is_found": incident.is_found,
        "is_known": incident.is_known,
        "why": incident.why,
        "line": incident.line,
        "when": incident.when and _reading(incident.when),
    }


def _reading(reading: Reading) -> dict[str, Any]:
    return {
        "text": reading.text,
        "value": _value(reading.value),
        "names": {name: _value(value) for name, value in reading.names},
        "parts": [{"text": text, "value": _value(value)} for text, value in reading.parts],
    }


def _value(value: Fraction | str | bool) -> Any:
    return number(value) if isinstance(value, Fraction) else value
