"""Ruleset text and run text -> exact figures, written as plainly as the rules themselves.

The independent oracle of the tests. It shares no code with the engine; it is slow and trusting where the engine is
fast and strict. It takes valid rulesets and well-formed runs, and of a run refuses only what has no score.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import yaml

Value = Fraction | str | bool
Step = tuple[str, str, Fraction, Fraction]
"""A rule's name, what it does (price, times, plus), with what, and the charge after it."""


class NoScoreError(Exception):
    """A run that has no score; `code` is the name of the finding."""

    def __init__(self, code: str, message: str = "") -> None:
        self.code = code
        super().__init__(f"{code}: {message}")


@dataclass(frozen=True)
class Score:
    uplift: Fraction
    adjusted_uplift: Fraction
    contact_cost: Fraction
    score: Fraction
    floored_score: Fraction
    resolved: bool
    incidents: list[str]
    charges: list[Fraction]
    steps: list[list[Step]]
    """What made each charge; empty for an event that is free."""
    free: list[str | None]
    """Why an event is free: `unanswered`, `not counted`, or None."""
    nth: list[int | None]
    """The ordinal of each charged event."""


# Text to data ---------------------------------------------------------------------------------------------------------


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML 1.2's core, with exact numbers."""


_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_Loader.yaml_implicit_resolvers = {}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|True|TRUE|false|False|FALSE)$"), None)
_Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile("^(~|null|Null|NULL|)$"), None)
_Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(f"^{_NUMBER.pattern}$"), None)
_Loader.add_implicit_resolver("tag:yaml.org,2002:merge", re.compile("^<<$"), None)
_Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: Fraction(node.value))


def load_ruleset(text: str) -> dict[str, Any]:
    """A ruleset's data, its numbers as fractions."""
    data: dict[str, Any] = yaml.load(text, _Loader)
    return data


def load_run(text: str) -> dict[str, Any]:
    """A run's data, its numbers as fractions."""
    data: dict[str, Any] = json.loads(text, parse_int=Fraction, parse_float=Fraction)
    return data


# Expressions ----------------------------------------------------------------------------------------------------------


@cache
def _tree(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


def evaluate(text: str, names: Mapping[str, Value]) -> Any:
    """An expression's value; a name that is read and absent, or a division by zero, is a NoScoreError."""
    return _value(_tree(text), text.strip(), names)


def _value(node: ast.expr, text: str, names: Mapping[str, Value]) -> Any:
    def of(part: ast.expr) -> Any:
        return _value(part, text, names)

    match node:
        case ast.Constant(value=str() as words):
            return words
        case ast.Constant():
            return Fraction(str(ast.get_source_segment(text, node)))
        case ast.Name(id="true"):
            return True
        case ast.Name(id="false"):
            return False
        case ast.Name(id=name):
            return _read(name, names)
        case ast.Attribute(value=ast.Name(id=system), attr=name):
            return _read(f"{system}.{name}", names)
        case ast.List(elts=items):
            return [of(item) for item in items]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not of(operand)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -of(operand)
        case ast.BinOp():
            return _arithmetic(node.op, of(node.left), of(node.right))
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(of(part) for part in parts)
        case ast.BoolOp(op=ast.Or(), values=parts):
            return any(of(part) for part in parts)
        case ast.IfExp(test=test, body=body, orelse=otherwise):
            return of(body) if of(test) else of(otherwise)
        case ast.Compare(left=first, ops=operators, comparators=others):
            left = of(first)
            for operator, other in zip(operators, others, strict=True):
                right = of(other)
                if not _compare(operator, left, right):
                    return False
                left = right
            return True
        case ast.Call(func=ast.Name(id=function), args=arguments):
            functions: dict[str, Any] = {"min": min, "max": max, "abs": abs}
            return functions[function](*[of(each) for each in arguments])
    raise AssertionError(f"not of the language: {ast.dump(node)}")


def _read(name: str, names: Mapping[str, Value]) -> Value:
    if name not in names:
        raise NoScoreError("missing-value", name)
    return names[name]


def _arithmetic(operator: ast.operator, left: Fraction, right: Fraction) -> Fraction:
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div() if right == 0:
            raise NoScoreError("division-by-zero")
        case ast.Div():
            return left / right
    raise AssertionError(operator)


def _compare(operator: ast.cmpop, left: Any, right: Any) -> bool:
    match operator:
        case ast.Lt():
            return bool(left < right)
        case ast.LtE():
            return bool(left <= right)
        case ast.Gt():
            return bool(left > right)
        case ast.GtE():
            return bool(left >= right)
        case ast.Eq():
            return bool(left == right)
        case ast.NotEq():
            return bool(left != right)
        case ast.In():
            return left in right
        case ast.NotIn():
            return left not in right
    raise AssertionError(operator)


# Times ----------------------------------------------------------------------------------------------------------------

_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d(?:\.\d+)?))?(Z|[-+]\d\d:\d\d)?")


@dataclass(frozen=True)
class _Time:
    seconds: Fraction
    """Since an epoch: of the universal clock when there is an offset, else of the customer's."""
    wall: datetime
    has_offset: bool


def _time(text: str, timezone: str | None) -> _Time:
    match = _TIME.fullmatch(text)
    if match is None:
        raise NoScoreError("bad-time", text)
    written, seconds, offset = datetime.fromisoformat(match[1]), Fraction(match[2] or 0), match[3]
    if offset is None:
        return _Time((written - datetime(1, 1, 1)) // timedelta(seconds=1) + seconds, written, False)
    if timezone is None:
        raise NoScoreError("no-timezone", text)
    if offset != "Z":
        east = timedelta(hours=int(offset[1:3]), minutes=int(offset[4:6]))
        written = written - east if offset[0] == "+" else written + east
    instant = (written + timedelta(seconds=int(seconds))).replace(tzinfo=UTC)
    return _Time(
        (written - datetime(1, 1, 1)) // timedelta(seconds=1) + seconds, instant.astimezone(ZoneInfo(timezone)), True
    )


class _Clock:
    """What the times of one run's events let its rules read."""

    def __init__(self, timezone: str | None) -> None:
        self.timezone = timezone
        self.first: _Time | None = None
        self.last: _Time | None = None

    def names(self, event: Mapping[str, Any]) -> dict[str, Value]:
        if "at" not in event:
            return {}
        now = _time(event["at"], self.timezone)
        if self.last is not None and now.has_offset != self.last.has_offset:
            raise NoScoreError("mixed-times", event["at"])
        if self.last is not None and now.seconds < self.last.seconds:
            raise NoScoreError("time-order", event["at"])
        self.first, self.last = self.first or now, now
        return {
            "hour": Fraction(now.wall.hour),
            "minute": Fraction(now.wall.minute),
            "weekday": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][now.wall.weekday()],
            "day": Fraction((now.seconds - self.first.seconds) // (24 * 60 * 60)),
        }


# Charges --------------------------------------------------------------------------------------------------------------


def _apply(steps: list[Step], rule: str, change: Mapping[str, Any], names: Mapping[str, Value]) -> None:
    ((kind, operand),) = change.items()
    if isinstance(operand, str):
        operand = evaluate(operand, names)
    amount = steps[-1][3] if steps else Fraction(0)
    after = {"price": operand, "times": amount * operand, "plus": amount + operand}[kind]
    steps.append((rule, kind, operand, after))


def _restrict(steps: list[Step], section: str, rules: Mapping[str, Any], names: Mapping[str, Value]) -> None:
    for each in rules.get("restrictions", []):
        if "when" not in each or evaluate(_condition(each["when"]), names):
            _apply(steps, f"{section}.restrictions.{each['id']}", each["charge"], names)


def _condition(when: str | bool) -> str:
    return str(when).lower() if isinstance(when, bool) else when


def _account(rules: Mapping[str, Any], run: Mapping[str, Any]) -> list[tuple[list[Step], str | None, int | None]]:
    """For each event what it was charged, step by step, or why it is free, and its ordinal."""
    clock = _Clock(rules.get("timezone"))
    fields = rules.get("fields", {})
    counts: Counter[str] = Counter()
    contacts_with: Counter[str] = Counter()
    waited = Fraction(0)
    account: list[tuple[list[Step], str | None, int | None]] = []
    for event in run.get("events", []):
        names = clock.names(event) | {name: event[name] for name in fields if name in event}
        section = {"contact": "contacts", "trial": "trials", "wait": "waiting"}[event["type"]]
        if section not in rules:
            raise NoScoreError("unexpected-event", event["type"])
        of_section = rules[section]
        steps: list[Step] = []
        if event["type"] == "contact":
            to = event["to"]
            person, where = of_section.get("people", {}).get(to), f"contacts.people.{to}"
            if person is None:
                person, where = of_section.get("anyone_else"), "contacts.anyone_else"
            if person is None:
                raise NoScoreError("unknown-person", to)
            if event.get("answered", True) is False:
                account.append(([], "unanswered", None))
                continue
            counts["contact"] += 1
            contacts_with[to] += 1
            nth = contacts_with[to]
            names |= {"to": to, "nth": Fraction(nth), "nth_overall": Fraction(counts["contact"])}
            _apply(steps, f"{where}.price", {"price": person["price"]}, names)
            if "patience" in person and nth > person["patience"]:
                _apply(steps, f"{where}.past_patience", person["past_patience"], names)
        elif not of_section["count"]:
            account.append(([], "not counted", None))
            continue
        elif event["type"] == "trial":
            counts["trial"] += 1
            nth = counts["trial"]
            names |= {"nth": Fraction(nth)}
            prices = of_section["prices"]
            _apply(steps, "trials.prices", {"price": prices[min(nth, len(prices)) - 1]}, names)
        else:
            counts["wait"] += 1
            nth = counts["wait"]
            hours = event["hours"]
            names |= {"nth": Fraction(nth), "hours": hours}
            free = 24 * of_section.get("free_days", Fraction(0))
            paid = max(waited + hours - free, 0) - max(waited - free, 0)
            waited += hours
            _apply(steps, "waiting.price_per_day", {"price": of_section["price_per_day"] * paid / 24}, names)
        _restrict(steps, section, of_section, names)
        if steps[-1][3] < 0:
            raise NoScoreError("negative-charge", str(steps[-1][3]))
        account.append((steps, None, nth))
    return account


# The KPI and the formula ----------------------------------------------------------------------------------------------


def _measured(kpi: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    """What the run or the ruleset says of the three systems."""
    measured = {**kpi.get("pinned", {}), **run["kpi"]}
    for system, pinned in kpi.get("pinned", {}).items():
        if measured[system] != pinned:
            raise NoScoreError("pinned-mismatch", system)
    for system in ("baseline", "delivered", "reference"):
        if system not in measured:
            raise NoScoreError("missing-key", system)
    return measured


def _happened(rules: Mapping[str, Any], run: Mapping[str, Any], names: Mapping[str, Value]) -> list[str]:
    """Those reported, in the order given, then those found, by id; each once."""
    declared = rules.get("incidents", {})
    found = [id for id in sorted(declared) if "when" in declared[id] and evaluate(declared[id]["when"], names)]
    return list(dict.fromkeys([*run.get("incidents", []), *found]))


def score(rules: Mapping[str, Any], run: Mapping[str, Any]) -> Score:
    """Score a run's data by a ruleset's data; raises NoScoreError."""
    measured = _measured(rules["kpi"], run)
    names: dict[str, Value] = {}
    for system, values in measured.items():
        if "measures" in rules["kpi"]:
            names |= {f"{system}.{measure}": value for measure, value in values.items()}
            values = evaluate(rules["kpi"]["formula"], values)
        names[f"{system}.kpi"] = values
    baseline, delivered, reference = (Fraction(names[f"{s}.kpi"]) for s in ("baseline", "delivered", "reference"))
    if baseline == reference or (reference > baseline) != (rules["kpi"]["direction"] == "higher"):
        raise NoScoreError("reference-not-better")
    incidents = _happened(rules, run, names)
    account = _account(rules, run)
    charges = [steps[-1][3] if steps else Fraction(0) for steps, _, _ in account]

    uplift = (delivered - baseline) / (reference - baseline)
    adjusted = min(uplift, Fraction(0)) if incidents else uplift
    cost = sum(charges, Fraction(0))
    total = adjusted - cost
    floored = max(adjusted, Fraction(-1)) - cost
    for figure in (uplift, adjusted, cost, total, floored, *charges):
        try:
            float(figure)
        except OverflowError:
            raise NoScoreError("result-too-large", "beyond the double range") from None
    return Score(
        uplift=uplift,
        adjusted_uplift=adjusted,
        contact_cost=cost,
        score=total,
        floored_score=floored,
        resolved=total >= Fraction(4, 5) and not incidents,
        incidents=incidents,
        charges=charges,
        steps=[steps for steps, _, _ in account],
        free=[free for _, free, _ in account],
        nth=[nth for _, _, nth in account],
    )
