"""Conditions that are always true or always false: decided where a single name decides, and never wrongly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from outscore.diagnostics import Span
from outscore.expression.check import check as check_expression
from outscore.expression.fold import constant
from outscore.expression.names import NameInfo, Scope, contact_scope, incident_scope, wait_scope
from outscore.expression.reference import MissingValue, evaluate
from outscore.lint.domains import ANY, Domain, domain_of
from outscore.lint.trees import children, names_in
from outscore.lint.truth import Truth
from outscore.lowering import rational_function
from outscore.plan import Choice, Comparison, Literal, Logic, Membership, Name, Node, Unary

from tests.unit.strategies import NAMES, environments, trees

# Conditions, one by one.

CONTACTS = contact_scope(
    {"channel": ("chat", "mail"), "minutes": "number", "live": "boolean", "note": "text"}, ["a", "b", "c"], False
)
OPEN = contact_scope({}, ["a", "b"], True)
NOBODY = contact_scope({}, [], False)
WAITS = wait_scope({})
INCIDENTS = incident_scope(["missed"])


def tree_of(text: str, scope: Scope) -> Node:
    node, found = check_expression(text, scope, "boolean", lambda start, end: Span("x", 1, start, 1, end), ())
    assert node is not None, found
    return node


def truth_of(tree: Node, scope: Scope, fixed: Mapping[str, Fraction] | None = None) -> Truth:
    pinned = fixed or {}
    return Truth(tree, {name: domain_of(name, scope.names[name], pinned.get(name)) for name in names_in(tree)})


def decide(text: str, scope: Scope = CONTACTS, fixed: Mapping[str, Fraction] | None = None) -> bool | None:
    tree = tree_of(text, scope)
    return truth_of(tree, scope, fixed).of(tree).value


@pytest.mark.parametrize(
    "text",
    [
        "hour >= 0",
        "hour <= 23",
        "hour < 23.5",
        "not (hour > 23)",
        "minute < 60",
        "day >= 0",
        "nth >= 1",
        "nth > 0.5",
        "nth_overall != 0",
        "nth not in [0.5, 1.5]",
        'weekday in ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]',
        'to in ["a", "b", "c"]',
        'to != "a" or to != "b"',
        'channel in ["chat", "mail"]',
        'channel == "chat" or channel == "mail"',
        "live or not live",
        "live in [true, false]",
        "live == live",
        "minutes > 3 or minutes <= 3",
        "minutes == minutes",
        "0 * minutes < 1",
        "hour >= 0 and nth >= 1",
        "minutes / nth > 3 or hour >= 0",
        "hour >= 0 if live else nth >= 1",
        "hour < 9 or nth > 2 or hour >= 9",
        "(hour < 9) != (hour >= 9)",
        '"chat" != "mail" or hour < 3',
    ],
)
def test_always_true(text: str) -> None:
    assert decide(text) is True


@pytest.mark.parametrize(
    "text",
    [
        "hour < 9 and hour > 18",
        "20 <= hour < 6",
        "0.5 < hour < 0.9",
        "hour * 2 > 46",
        "minute == 60",
        "day < 0",
        "nth < 1",
        "nth == 1.5",
        "nth_overall <= 0",
        'to == "a" and to == "b"',
        'note == "x" and note == "y"',
        'channel != "chat" and channel != "mail"',
        "live == true and live == false",
        "live and not live",
        "minutes < 0 and minutes > 1",
        "-minutes > 0 and minutes > 0",
        "minutes + minutes > 2 * minutes",
        "1 - minutes / 2 > 0 and minutes >= 2",
        "3 < minutes < 3",
        "hour < 9 and nth > 2 and hour > 18",
        "abs(minutes) > 3 and hour > 23",
        "(hour < 5 if live else hour > 30) and hour > 5",
        "(hour < 9) == (hour >= 9)",
    ],
)
def test_always_false(text: str) -> None:
    assert decide(text) is False


@pytest.mark.parametrize(
    "text",
    [
        "hour < 23",
        "hour * 2 > 45",
        "0 < minute < 2",
        "nth <= 1",
        "day < 1",
        "minutes < 0",
        "0.5 < minutes < 0.9",
        'to in ["a", "b"]',
        'note == "x"',
        "live",
        # Certain to whoever thinks about several names, or about more than lines: not decided.
        "nth > nth_overall",
        "minutes * minutes < 0",
        "abs(minutes) < 0",
        "max(minutes, 1) < 0",
        "(1 if live else 2) > 3",
        "live and minutes < 0",
        "minutes < 0 or not live",
    ],
)
def test_not_known(text: str) -> None:
    assert decide(text) is None


@pytest.mark.parametrize(
    ("text", "scope", "value"),
    [
        ('to != "a" and to != "b"', OPEN, None),
        ('to == "z" or to != "z"', OPEN, True),
        ("hours >= 0", WAITS, True),
        ("hours < 0.1", WAITS, None),
        ("hours == 1.5", WAITS, None),
        ("hour < 3 or nth_overall > 1 or hour > 2", NOBODY, True),
        ("to == to", NOBODY, True),
        ("delivered.missed < 0", INCIDENTS, None),
        ("delivered.missed > baseline.missed", INCIDENTS, None),
        ("delivered.missed < 1 and delivered.missed > 1", INCIDENTS, False),
    ],
)
def test_names_of_other_places(text: str, scope: Scope, value: bool | None) -> None:
    assert decide(text, scope) is value


def test_pinned_values_are_constants() -> None:
    pinned = {"baseline.missed": Fraction(2), "baseline.kpi": Fraction(1, 3)}
    assert decide("baseline.missed > 1", INCIDENTS, pinned) is True
    assert decide("baseline.missed in [1, 3]", INCIDENTS, pinned) is False
    assert decide("delivered.missed > baseline.missed", INCIDENTS, pinned) is None
    assert decide("delivered.kpi < baseline.kpi and delivered.kpi > 1", INCIDENTS, pinned) is False


# Conditions by the thousand, against every value.

SMALL: Mapping[str, tuple[Any, ...]] = {
    "hour": tuple(map(Fraction, range(24))),
    "nth": tuple(map(Fraction, range(1, 17))),
    "hours": tuple(Fraction(half, 2) for half in range(33)),
    "minutes": tuple(Fraction(half, 2) for half in range(-10, 31)),
    "weekday": ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    "channel": ("chat", "mail", "call"),
    "note": ("a", "b", "something else"),
    "live": (False, True),
}
"""Some values of each name."""

_EIGHTHS = tuple(Fraction(eighth, 8) for eighth in range(-18 * 8, 30 * 8))
FINE: Mapping[str, tuple[Any, ...]] = {
    **SMALL,
    "nth": tuple(map(Fraction, range(1, 31))),
    "hours": tuple(each for each in _EIGHTHS if each >= 0),
    "minutes": _EIGHTHS,
}
"""Values that stand for all: the conditions below cut at quarters, from -17 to 29."""

SMALL_SCOPE = wait_scope({"channel": ("chat", "mail", "call"), "minutes": "number", "note": "text", "live": "boolean"})
OF_TYPE = {name: info.type for name, info in SMALL_SCOPE.names.items() if name in SMALL}


class _Conditions:
    """Random conditions over a few names."""

    def __init__(self, seed: int, names: int) -> None:
        self.random = Random(seed)
        self.names = self.random.sample(sorted(SMALL), names)

    def condition(self, depth: int) -> Node:
        pick = self.random.random()
        if depth == 0 or pick < 0.25:
            return self.atom(self.random.choice(self.names))
        if pick < 0.4:
            return Unary("not", self.condition(depth - 1))
        if pick < 0.5:
            sign = self.random.choice(["==", "!="])
            return Comparison(self.condition(depth - 1), ((sign, self.condition(depth - 1)),))
        if pick < 0.62:
            return Choice(*(self.condition(depth - 1) for _ in range(3)))
        parts = tuple(self.condition(depth - 1) for _ in range(self.random.randint(2, 3)))
        return Logic(self.random.choice(["and", "or"]), parts)

    def atom(self, name: str) -> Node:
        node = Name(name, OF_TYPE[name])
        if node.type == "boolean":
            return node
        if node.type == "text":
            texts = [each for each in SMALL[name] if each != "something else"]
            if self.random.random() < 0.5:
                return Comparison(node, ((self.sign(["==", "!="]), Literal(self.random.choice(texts))),))
            chosen = tuple(Literal(each) for each in self.random.sample(texts, self.random.randint(1, len(texts))))
            return Membership(node, self.random.random() < 0.5, chosen)
        if self.random.random() < 0.2:
            return Membership(node, self.random.random() < 0.5, tuple(self.number() for _ in range(3)))
        signs = ["<", "<=", ">", ">=", "==", "!="]
        left: Node = tree_of(f"{self.linear(name)} < 1", SMALL_SCOPE).first  # type: ignore[union-attr]
        if self.random.random() < 0.2:
            return Comparison(self.number(), ((self.sign(signs), left), (self.sign(signs), self.number())))
        return Comparison(left, ((self.sign(signs), self.number()),))

    def linear(self, name: str) -> str:
        forms = ("{}", "{}", "{}", "-{}", "2 * {} - 1", "({} + 1) / 2", "3 - {}", "{} + {} - 0.5", "{} - {}")
        return self.random.choice(forms).replace("{}", name)

    def number(self) -> Literal:
        return Literal(Fraction(self.random.randint(-3, 14), self.random.choice([1, 1, 2])))

    def sign(self, signs: list[Any]) -> Any:
        return self.random.choice(signs)


def values_of(tree: Node, domains: Mapping[str, tuple[Any, ...]]) -> set[bool]:
    """What the condition comes to, over all these values of its names."""
    names = sorted(set(names_in(tree)))
    function = rational_function(tree)
    everything = product(*(domains[name] for name in names))
    return {bool(function(dict(zip(names, values, strict=True)))) for values in everything}


def test_conditions_on_one_name_are_decided_just_when_they_are_constant() -> None:
    decided: Counter[bool | None] = Counter()
    for seed in range(800):
        tree = _Conditions(seed, names=1).condition(seed % 4)
        found = truth_of(tree, SMALL_SCOPE).of(tree).value
        values = values_of(tree, FINE)
        assert found is (values.pop() if len(values) == 1 else None), (seed, tree)
        decided[found] += 1
    assert min(decided[True], decided[False], decided[None]) > 80, decided


def test_conditions_on_several_names_are_never_decided_wrongly() -> None:
    decided: Counter[bool | None] = Counter()
    for seed in range(300):
        tree = _Conditions(seed, names=2 + seed % 2).condition(2 + seed % 2)
        truth = truth_of(tree, SMALL_SCOPE)
        for part in conditions_in(tree):
            found = truth.of(part).value
            decided[found] += 1
            if found is not None:
                assert values_of(part, SMALL) == {found}, (seed, part)
    assert min(decided[True], decided[False]) > 50, decided


def test_what_one_text_makes_of_a_condition_is_never_wrong() -> None:
    certain = 0
    for seed in range(400):
        tree = _Conditions(seed, names=2).condition(2)
        truth = truth_of(tree, SMALL_SCOPE)
        for name in {"channel", "note", "weekday"} & set(names_in(tree)):
            for value, other in product((True, False), SMALL[name]):
                texts = truth.certain(name, value)
                if (other if other in truth.named(name) else None) not in texts:
                    continue
                certain += 1
                names = sorted(set(names_in(tree)) - {name})
                function = rational_function(tree)
                for values in product(*(SMALL[each] for each in names)):
                    assert function({name: other, **dict(zip(names, values, strict=True))}) is value, (seed, tree)
    assert certain > 100


def conditions_in(tree: Node) -> Iterator[Node]:
    if isinstance(tree, Unary) and tree.operator == "-":
        return
    if isinstance(tree, Choice | Comparison | Membership | Logic | Unary):
        yield tree
    for child in children(tree):
        yield from conditions_in(child)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(trees("boolean"), environments())
def test_any_condition_is_judged_and_never_wrongly(tree: Node, environment: Mapping[str, Any]) -> None:
    # These values keep to no domain of numbers, so none is assumed.
    truth = Truth(tree, {name: _unbounded(NAMES[name]) for name in names_in(tree)})
    found = truth.of(tree).value
    known = constant(tree)
    if isinstance(known, bool):
        assert found in (known, None)
    try:
        value = evaluate(tree, environment)
    except (MissingValue, ZeroDivisionError):
        return
    assert found in (value, None)


def _unbounded(info: NameInfo) -> Domain:
    return ANY if info.type == "number" else domain_of("", info)
