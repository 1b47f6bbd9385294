"""A record -> a Run: the strict reader, which owns every message about a bad run.

Reads JSON text and plain data alike, keeps numbers exact, and says at the first thing that is wrong where it stands and
what was wanted. It knows one scenario's names from its Plan, and prices nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec

from outscore.diagnostics import Code, Path, RunError, json_path, nearest
from outscore.jsontext import BadNumber, Duplicate
from outscore.numbers import NumberError, take_number
from outscore.plan import FieldType, Kpi, Plan, Values

MAX_EVENTS = 1_000_000
"""Most events that one run may have."""

SYSTEMS = ("baseline", "delivered", "reference")
_RUN_KEYS = ("run", "scenario", "task", "agent", "kpi", "incidents", "data", "events")
_VOID_KEYS = ("run", "scenario", "task", "agent", "void")
_EVENT_KEYS = {"contact": ("type", "to", "at", "answered"), "trial": ("type", "at"), "wait": ("type", "at", "hours")}


class Event(msgspec.Struct, frozen=True):
    """One event of a run, checked."""

    type: str
    at: str | None = None
    to: str | None = None
    answered: bool = True
    hours: Fraction | None = None
    fields: dict[str, Fraction | str | bool] = {}


class Run(msgspec.Struct, frozen=True):
    """One attempt of an agent at a task, checked against its scenario's plan."""

    run: str
    scenario: str
    task: str
    agent: str | None
    baseline: Values
    delivered: Values
    reference: Values
    incidents: tuple[str, ...]
    events: tuple[Event, ...]
    data: str | None = None


class Void(msgspec.Struct, frozen=True):
    """A run that the machinery lost: not scored, and never dropped from the count."""

    run: str
    scenario: str
    task: str
    agent: str | None
    void: str
    """Why it was lost."""

    def to_record(self) -> dict[str, Any]:
        """The void run as plain data, keys in the order that results carry them."""
        record = {"run": self.run, "scenario": self.scenario, "task": self.task, "agent": self.agent, "void": self.void}
        return {key: value for key, value in record.items() if value is not None}


def read_run(record: object, plan: Plan) -> Run | Void:
    """Check one run's record (plain data) against its scenario's plan.

    Raises RunError at the first thing that is wrong, with the run's id and the JSON path.
    """
    if not isinstance(record, Mapping):
        hint = "give its record, its JSON, or what closing a live ledger gave" if _is_foreign(record) else None
        raise RunError(Code.WRONG_TYPE, f"a run is an object, not {_kind(record)}", hint=hint)
    name = record.get("run")
    try:
        return _Reader(plan).run(record)
    except RunError as error:
        if error.run is None and isinstance(name, str):
            raise RunError(error.code, error.message, path=error.path, hint=error.hint, run=name) from None
        raise


class _Reader:
    """Reads one run, keeping the plan at hand."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def run(self, record: Mapping[Any, Any]) -> Run | Void:
        plan = self._plan
        is_void = "void" in record
        _check_keys(record, (), _VOID_KEYS if is_void else _RUN_KEYS, "a void run" if is_void else "a run")
        run = _text(_needed(record, "run", ()), ("run",))
        scenario = _text(_needed(record, "scenario", ()), ("scenario",))
        if scenario != plan.scenario:
            message = f"the run is of scenario {_shown(scenario)}, the ruleset of {_shown(plan.scenario)}"
            raise _error(Code.WRONG_SCENARIO, message, ("scenario",), "score it with its own scenario's ruleset")
        task = _text(record["task"], ("task",)) if "task" in record else plan.scenario
        agent = _text(record["agent"], ("agent",)) if "agent" in record else None
        if is_void:
            return Void(run, scenario, task, agent, _text(record["void"], ("void",)))
        baseline, delivered, reference = self._kpi(_needed(record, "kpi", ()), plan.kpi)
        return Run(
            run=run,
            scenario=scenario,
            task=task,
            agent=agent,
            baseline=baseline,
            delivered=delivered,
            reference=reference,
            incidents=self._incidents(record.get("incidents", ())) if "incidents" in record else (),
            events=self._events(record["events"]) if "events" in record else (),
            data=self._data(record["data"]) if "data" in record else None,
        )

    def _kpi(self, kpi: object, rules: Kpi) -> tuple[Values, Values, Values]:
        if not isinstance(kpi, Mapping):
            raise _wrong_type("an object with baseline, delivered and reference", kpi, ("kpi",))
        _check_keys(kpi, ("kpi",), SYSTEMS, "kpi")
        pinned = {"baseline": rules.pinned_baseline, "delivered": None, "reference": rules.pinned_reference}
        values = []
        for system in SYSTEMS:
            path: Path = ("kpi", system)
            fixed = pinned[system]
            if system not in kpi:
                if fixed is None:
                    raise _missing(system, ("kpi",), _keys_of(kpi))
                values.append(fixed)
                continue
            found = self._values(kpi[system], rules.measures, path)
            if fixed is not None and found != fixed:
                raise self._not_as_pinned(found, fixed, path)
            values.append(found)
        return values[0], values[1], values[2]

    def _values(self, found: object, measures: tuple[str, ...], path: Path) -> Values:
        if not measures:
            if isinstance(found, Mapping):
                raise _error(
                    Code.WRONG_TYPE, "the KPI itself is wanted, a number; the ruleset declares no measures", path
                )
            return _exact(found, path)
        if not isinstance(found, Mapping):
            raise _wrong_type(f"an object of the measures {', '.join(measures)}", found, path)
        _check_keys(found, path, measures, "the measures")
        return {measure: _exact(_needed(found, measure, path), (*path, measure)) for measure in measures}

    def _not_as_pinned(self, found: Values, fixed: Values, path: Path) -> RunError:
        if isinstance(found, dict) and isinstance(fixed, dict):
            measure = next(measure for measure in fixed if found[measure] != fixed[measure])
            path, was, wanted = (*path, measure), found[measure], fixed[measure]
        else:
            assert isinstance(found, Fraction)
            assert isinstance(fixed, Fraction)
            was, wanted = found, fixed
        message = f"the run reports {was}, the ruleset pins {wanted}"
        return _error(Code.PINNED_MISMATCH, message, path, "leave it out, or measure on the pinned data")

    def _incidents(self, found: object) -> tuple[str, ...]:
        names = _list(found, ("incidents",), "a list of incident names")
        return tuple(dict.fromkeys(read_incident(name, ("incidents", index)) for index, name in enumerate(names)))

    def _data(self, found: object) -> str:
        if not isinstance(found, Mapping):
            return _text(found, ("data",))
        _check_keys(found, ("data",), SYSTEMS, "data")
        texts = {system: _text(found[system], ("data", system)) for system in SYSTEMS if system in found}
        if not texts:
            raise _missing("delivered", ("data",), [])
        if len(set(texts.values())) > 1:
            shown = ", ".join(f"{system} on {_shown(text)}" for system, text in texts.items())
            message = f"the three systems were not measured on the same data: {shown}"
            raise _error(
                Code.DATA_MISMATCH, message, ("data",), "a score compares like with like: measure all on one set"
            )
        return next(iter(texts.values()))

    def _events(self, found: object) -> tuple[Event, ...]:
        events = _list(found, ("events",), "a list of events")
        if len(events) > MAX_EVENTS:
            raise _error(
                Code.TOO_LARGE, f"the run has {len(events)} events; at most {MAX_EVENTS} are read", ("events",)
            )
        return tuple(read_event(event, self._plan, ("events", index)) for index, event in enumerate(events))


def read_event(found: object, plan: Plan, path: Path) -> Event:
    """Check one event's record against the plan; raises RunError. Times and people are the ledger's to judge."""
    if not isinstance(found, Mapping):
        raise _wrong_type("an object", found, path)
    kind = _needed(found, "type", path)
    if not isinstance(kind, str) or kind not in _EVENT_KEYS:
        raise _error(
            Code.BAD_VALUE,
            f"{_shown(kind)} is no type of event; wanted contact, trial or wait",
            (*path, "type"),
            _meant(kind, _EVENT_KEYS),
        )
    keys = _EVENT_KEYS[kind]
    _check_keys(found, path, (*keys, *plan.fields), f"a {kind}")
    at = _text(found["at"], (*path, "at")) if "at" in found else None
    fields = {name: _field(found[name], type_, (*path, name)) for name, type_ in plan.fields.items() if name in found}
    if kind == "contact":
        answered = found.get("answered", True)
        if not isinstance(answered, bool):
            raise _wrong_type("true or false", answered, (*path, "answered"))
        return Event(kind, at, _text(_needed(found, "to", path), (*path, "to")), answered, fields=fields)
    if kind == "trial":
        return Event(kind, at, fields=fields)
    hours = _exact(_needed(found, "hours", path), (*path, "hours"))
    if hours < 0:
        raise _error(Code.BAD_VALUE, f"a wait of {hours} hours; wanted zero or more", (*path, "hours"))
    return Event(kind, at, hours=hours, fields=fields)


def read_incident(found: object, path: Path) -> str:
    """Check the name of a reported incident; raises RunError."""
    return _text(found, path)


def _field(found: object, wanted: FieldType, path: Path) -> Fraction | str | bool:
    if wanted == "number":
        return _exact(found, path)
    if wanted == "boolean":
        if not isinstance(found, bool):
            raise _wrong_type("true or false", found, path)
        return found
    if wanted == "text":
        return _text(found, path, empty=True)
    if not isinstance(found, str) or found not in wanted:
        options = ", ".join(wanted)
        raise _error(Code.BAD_VALUE, f"{_shown(found)} is not one of {options}", path, _meant(found, wanted))
    return str.__str__(found)


def _check_keys(found: Mapping[Any, Any], path: Path, known: Sequence[str], what: str) -> None:
    for key, value in found.items():
        if isinstance(key, Duplicate):
            raise _error(Code.DUPLICATE_KEY, f"the key {_shown(key.key)} is given twice", (*path, key.key))
        if not isinstance(key, str) or key not in known:
            hint = _meant(key, known) or (f"known are {', '.join(known)}" if len(known) <= 12 else None)
            raise _error(Code.UNKNOWN_KEY, f"{_shown(key)} is not a key of {what}", (*path, _words(key)[:80]), hint)
        if value is None:
            raise _error(Code.WRONG_TYPE, "null is not a value", (*path, key), "leave the key out")


def _needed(found: Mapping[Any, Any], key: str, path: Path) -> object:
    if key not in found:
        raise _missing(key, path, _keys_of(found))
    return found[key]


def _text(found: object, path: Path, *, empty: bool = False) -> str:
    if not isinstance(found, str):
        raise _wrong_type("text", found, path)
    if not found and not empty:
        raise _error(Code.BAD_VALUE, "empty text; wanted at least one character", path)
    if not found.isascii():
        try:
            found.encode()
        except UnicodeEncodeError:
            raise _error(
                Code.BAD_ENCODING, "the text holds half of a surrogate pair, which is no character", path
            ) from None
    # A subclass may print itself otherwise: an enumeration's member is the text that it stands for.
    return str.__str__(found)


def _exact(found: object, path: Path) -> Fraction:
    if isinstance(found, BadNumber):
        raise _error(Code.BAD_NUMBER, f"{found.text}: {found.reason}", path)
    try:
        return Fraction(take_number(found))
    except NumberError as error:
        if isinstance(found, int | float) and not isinstance(found, bool):
            raise _error(Code.BAD_NUMBER, str(error), path) from None
        raise _wrong_type("a number", found, path, str(error)) from None


def _list(found: object, path: Path, wanted: str) -> Sequence[object]:
    if isinstance(found, str | bytes) or not isinstance(found, Sequence):
        raise _wrong_type(wanted, found, path)
    return found


def _error(code: Code, message: str, path: Path, hint: str | None = None) -> RunError:
    return RunError(code, message, path=json_path(path), hint=hint)


def _wrong_type(wanted: str, found: object, path: Path, why: str | None = None) -> RunError:
    quoted = isinstance(found, str) and wanted == "a number"
    hint = "write the number without quotes" if quoted else None
    if found is None:
        hint = "leave the key out"
    elif why is not None and not quoted and not isinstance(found, Mapping | Sequence | bool):
        return _error(Code.BAD_NUMBER, why, path)
    return _error(Code.WRONG_TYPE, f"{_kind(found)}; wanted {wanted}", path, hint)


def _missing(key: str, path: Path, present: Sequence[str]) -> RunError:
    near = nearest(key, present)
    return _error(
        Code.MISSING_KEY,
        f"the key {key!r} is missing",
        path,
        f"is {_shown(near)} meant to be {key!r}?" if near else None,
    )


def _keys_of(found: Mapping[Any, Any]) -> list[str]:
    return [key for key in found if isinstance(key, str)]


def _meant(found: object, known: Sequence[str] | Mapping[str, object]) -> str | None:
    near = nearest(found, known) if isinstance(found, str) else None
    return f"did you mean {near!r}?" if near else None


def _shown(found: object) -> str:
    """A value as messages show it: as JSON would, cut short."""
    if isinstance(found, str):
        text = json.dumps(found[:60], ensure_ascii=not found.isprintable())
        return text if len(found) <= 60 else f'{text[:-1]}..."'
    return _words(found)[:60]


def _words(found: object) -> str:
    if isinstance(found, Mapping | list | tuple):
        # Written out it may be of any size, and nested deeper than Python can follow.
        return _kind(found)
    try:
        return str(found)
    except ValueError:
        return "(thousands of digits)"  # Python writes no such int.


def _is_foreign(found: object) -> bool:
    """Whether it is an object of Python that no file holds."""
    return found is not None and not isinstance(found, str | int | float | Decimal | Sequence | BadNumber)


def _kind(found: object) -> str:
    if found is None:
        return "null"
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, str):
        return f"the text {_shown(found)}"
    if isinstance(found, Mapping):
        return "an object"
    if isinstance(found, Sequence) and not isinstance(found, bytes | bytearray):
        return "a list"
    if isinstance(found, BadNumber):
        return f"the number {found.text}"
    if isinstance(found, int | float | Decimal):
        return f"the number {_shown(found)}"
    kind = type(found)  # In full, since numpy's bool is no bool of Python's.
    return f"a Python {kind.__name__ if kind.__module__ == 'builtins' else f'{kind.__module__}.{kind.__name__}'}"
