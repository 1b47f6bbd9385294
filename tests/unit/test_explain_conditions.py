"""What is said of conditions: whom one can concern, and what it saw."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.explain.reach import Reach
from outscore.explain.reading import read
from outscore.expression.check import check as check_expression
from outscore.expression.names import contact_scope
from outscore.expression.reference import MissingValue, evaluate
from outscore.plan import Node

from tests.unit import strategies

LAWS = settings(max_examples=150, deadline=None, derandomize=True)

# Whom a restriction can concern

PEOPLE = ("chief", "clerk", "sponsor")


def condition(text: str) -> Node:
    scope = contact_scope({"minutes": "number", "channel": ("chief", "mail"), "live": "boolean"}, PEOPLE, True)
    node, findings = check_expression(text, scope, "boolean", lambda start, end: None, ())  # type: ignore[arg-type, return-value]
    assert node is not None, findings
    return node


@pytest.mark.parametrize(
    ("when", "who"),
    [
        ('to == "sponsor" and nth > 1', "sponsor"),
        ('nth > 1 and to == "sponsor"', "sponsor"),
        ('"sponsor" == to', "sponsor"),
        ('to != "chief"', "clerk sponsor others"),
        ('to in ["chief", "clerk"] and hour < 9', "chief clerk"),
        ('to not in ["chief", "clerk"]', "sponsor others"),
        ('not (to == "chief" or nth < 3)', "clerk sponsor others"),
        ('to == "visitor"', "others"),
        ('to in ["visitor", "chief"] and live', "chief others"),
        ('to == "chief" and to == "clerk"', ""),
        ('to == "chief" or live', "chief clerk sponsor others"),
        ('(nth > 1 if to == "chief" else false)', "chief"),
        ('(to == "chief" if live else to == "clerk")', "chief clerk"),
        # Not decided by `to` alone, so nobody is left out.
        ("hour < 9", "chief clerk sponsor others"),
        ("to == channel", "chief clerk sponsor others"),
        ('(1 if to == "chief" else minutes) > 2', "clerk sponsor others"),
        ("1 < nth < 0", "chief clerk sponsor others"),
        ("live and not live", "chief clerk sponsor others"),
    ],
)
def test_a_restriction_is_left_out_only_where_it_can_never_hold(when: str, who: str) -> None:
    reach = Reach(condition(when))
    found = [each for each in PEOPLE if reach.has(each)] + (["others"] if reach.has_others(PEOPLE) else [])
    assert found == who.split()


def test_a_restriction_without_a_condition_concerns_everyone() -> None:
    assert Reach(None).has("chief")
    assert Reach(None).has_others(PEOPLE)


@LAWS
@given(strategies.trees("boolean"), strategies.environments(), st.sampled_from(["chief", "clerk", "a", "visitor"]))
def test_whoever_a_condition_holds_for_is_within_its_reach(
    tree: Node, environment: dict[str, Any], person: str
) -> None:
    try:
        holds = evaluate(tree, {**environment, "to": person})
    except (MissingValue, ZeroDivisionError):
        return
    reach = Reach(tree)
    if holds:
        assert reach.has(person)
        assert person in ("chief", "clerk") or reach.has_others(("chief", "clerk"))


# What an expression saw


@pytest.mark.parametrize(
    ("when", "values", "names", "parts"),
    [
        ("live", {"live": True}, "live", {}),
        ("hour < 9 or hour >= 18", {"hour": 19}, "hour", {"hour < 9": False, "hour >= 18": True}),
        # What is not reached is not read, and may be absent.
        ("hour < 9 or minutes > 5", {"hour": 8}, "hour", {"hour < 9": True}),
        ("hour < 9 and minutes > 5", {"hour": 10}, "hour", {"hour < 9": False}),
        ("9 < hour < nth", {"hour": 8}, "hour", {}),
        ("9 < hour < nth", {"hour": 10, "nth": 11}, "hour nth", {}),
        ("not live", {"live": False}, "live", {}),
        ("(hour > 1 if live else nth > 1)", {"live": True, "hour": 2}, "live hour", {"hour > 1": True}),
        ("2 * (hour - 1) > 5", {"hour": 4}, "hour", {"hour - 1": Fraction(3), "2 * (hour - 1)": Fraction(6)}),
        ("hour / nth > 1", {"hour": 1, "nth": 3}, "hour nth", {"hour / nth": Fraction(1, 3)}),
        ("max(hour, 1 + 1) > 1", {"hour": 1}, "hour", {"1 + 1": Fraction(2), "max(hour, 1 + 1)": Fraction(2)}),
        ('channel in ["mail"] and live', {"channel": "chief"}, "channel", {'channel in ["mail"]': False}),
    ],
)
def test_a_reading_has_what_was_reached(
    when: str, values: dict[str, Any], names: str, parts: dict[str, object]
) -> None:
    reading = read(condition(when), values)
    assert [name for name, _ in reading.names] == names.split()
    assert dict(reading.names) == {name: values[name] for name in names.split()}
    assert dict(reading.parts) == parts


@LAWS
@given(strategies.trees(), strategies.environments())
def test_a_reading_agrees_with_the_reference(tree: Node, environment: dict[str, Any]) -> None:
    try:
        value = evaluate(tree, environment)
    except (MissingValue, ZeroDivisionError) as error:
        with pytest.raises(type(error)):
            read(tree, environment)
        return
    reading = read(tree, environment)
    assert reading.value == value
    # Nothing beyond what it says was read.
    assert evaluate(tree, dict(reading.names)) == value
    assert all(environment[name] == each for name, each in reading.names)
