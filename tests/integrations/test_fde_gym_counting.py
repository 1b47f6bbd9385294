"""Who was answered, where the people server restarted, and what a run is made of."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.integrations.fde_gym import harness
from outscore.integrations.fde_gym.counting import Restart, count, hours_said
from outscore.integrations.fde_gym.ids import to_ours, to_theirs
from outscore.integrations.fde_gym.log import Line
from outscore.integrations.fde_gym.ruleset import _comment, _number
from outscore.integrations.fde_gym.run import events_of, without_noise
from outscore.numbers import read_number
from outscore.ruleset.model import read_id


def line(number: int, to: str, n_asked: int, cost: Any = 0, **rest: Any) -> Line:
    topics, facts = tuple(rest.get("topics", ())), tuple(rest.get("facts", ()))
    return Line(number, to, rest.get("question", ""), topics, facts, n_asked, cost, rest.get("has_time", True))


def gone(number: int, to: str, n_asked: int) -> Line:
    return line(number, to, n_asked, topics=["gone"], facts=[f"F_gone:{to}"])


CENT = Decimal("0.01")

CASES: dict[str, tuple[list[Line], list[bool], list[Restart]]] = {
    "answered, then unanswered": ([line(1, "a", 1, CENT), line(2, "a", 1), line(3, "a", 2, CENT)], [1, 0, 1], []),
    "never answered": ([line(1, "a", 0), line(2, "a", 0)], [0, 0], []),
    "free and answered": ([line(1, "a", 1), line(2, "a", 2)], [1, 1], []),
    "people are counted apart": ([line(1, "a", 1, CENT), line(2, "b", 1, CENT)], [1, 1], []),
    "gone": ([line(1, "a", 1, CENT), gone(2, "a", 1)], [1, 0], []),
    "gone, after messages that failed": ([gone(1, "a", 2)], [0], []),
    "a topic called gone": ([line(1, "a", 1, CENT, topics=["gone"])], [1], []),
    "a count that falls": ([line(1, "a", 1, CENT), line(2, "a", 2, CENT), line(3, "a", 1)], [1, 1, 1], [Restart(2, 3)]),
    "a count that falls to nothing": ([line(1, "a", 1, CENT), gone(2, "a", 0)], [1, 0], [Restart(1, 2)]),
    "another first message, charged": ([line(1, "a", 1, CENT), line(2, "a", 1, CENT)], [1, 1], [Restart(1, 2)]),
    "another first message, with a hit": ([line(1, "a", 1), line(2, "a", 1, topics=["t"])], [1, 1], [Restart(1, 2)]),
    "charged, but no first message": ([line(1, "a", 2, CENT), line(2, "a", 2, CENT)], [1, 0], []),
    "others start again too": (
        [line(1, "b", 1, CENT), line(2, "a", 2, CENT), line(3, "a", 1, CENT), line(4, "b", 1)],
        [1, 1, 1, 1],
        [Restart(2, 3)],
    ),
    "others that were heard of since do not": (
        [line(1, "a", 2, CENT), line(2, "b", 1, CENT), line(3, "a", 1, CENT), line(4, "b", 1)],
        [1, 1, 1, 0],
        [Restart(1, 3)],
    ),
    "one restart, seen twice": (
        [line(1, "a", 2), line(2, "pilot", 1, has_time=False), line(3, "a", 1), line(4, "pilot", 1, has_time=False)],
        [1, 0, 1, 0],
        [Restart(2, 3)],
    ),
    "two restarts": (
        [line(1, "a", 2), line(2, "a", 1), line(3, "a", 2), line(4, "a", 1)],
        [1, 1, 1, 1],
        [Restart(1, 2), Restart(3, 4)],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_who_was_answered(name: str) -> None:
    lines, answered, restarts = CASES[name]
    counted = count(lines)
    assert [act.is_answered for act in counted.acts] == [bool(each) for each in answered]
    assert list(counted.restarts) == restarts


def test_the_run_goes_on_counting() -> None:
    counted = count([line(1, "a", 1, CENT), line(2, "a", 3, CENT), line(3, "a", 1, CENT)])
    assert [act.nth for act in counted.acts] == [1, 2, 3]


def test_messages_that_fail_are_never_answered() -> None:
    counted = count([line(1, "a", 2)], silent=["a"])
    assert (counted.acts[0].is_answered, counted.acts[0].is_gone) == (False, False)


@pytest.mark.parametrize(
    ("each", "kind"),
    [
        (line(1, "wait", 0, CENT, question="waited 5 h"), "wait"),
        (line(1, "wait", 1, CENT, question="waited 5 h"), "contact"),
        (line(1, "wait", 0, question="are you there?"), "contact"),
        (line(1, "inbox", 0, question="read 2 message(s)"), "inbox"),
        (line(1, "inbox", 0, question="hello"), "contact"),
        (line(1, "pilot", 1, has_time=False), "trial"),
        (line(1, "pilot", 1), "contact"),
    ],
)
def test_people_who_are_called_like_the_harness_itself(each: Line, kind: str) -> None:
    assert count([each], people=["wait", "inbox", "pilot"]).acts[0].kind == kind
    assert count([each]).acts[0].kind != "contact"


def test_events() -> None:
    lines = [
        line(1, "Head", 1, Decimal("0.30000000000000004")),
        line(2, "Head", 1),
        line(3, "inbox", 0),
        line(4, "wait", 0, Decimal("0.0833"), question="waited 20 h"),
        line(5, "wait", 0),
        line(6, "pilot", 1, Decimal("0.15000000000000002"), has_time=False),
        line(7, "Head", 3, Decimal("0.9")),
    ]
    head = {"type": "contact", "to": "x_x48_ead"}
    others = [
        {**head, "answered": False},
        {"type": "wait", "hours": 20, "recorded": Decimal("0.0833")},
        {"type": "wait", "hours": 0, "recorded": 0},
        {"type": "trial", "recorded": Decimal("0.15")},
    ]
    assert events_of(count(lines)) == [head, *others, head]
    counted = [{**head, "asked": 1}, *others, {**head, "asked": 3, "recorded": Decimal("0.9")}]
    assert events_of(count(lines), as_recorded=True) == counted


@pytest.mark.parametrize(
    ("text", "hours"), [("waited 8 h", 8), ("waited -0 h", None), ("", None), ("waited 1.5 h", None)]
)
def test_hours_said(text: str, hours: int | None) -> None:
    assert hours_said(line(1, "wait", 0, question=text)) == hours


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("0.30000000000000004", "0.3"),
        ("0.018750000000000003", "0.01875"),
        ("0.0833", "0.0833"),
        ("1.0", "1"),
        ("0", "0"),
        ("-0.30000000000000004", "-0.3"),
        ("123456.80000000002", "123456.8"),
        ("1e20", "100000000000000000000"),
        ("0.0000000000004", "0"),
        ("0.000000000001", "0.000000000001"),
    ],
)
def test_float_noise(written: str, clean: str) -> None:
    assert without_noise(read_number(written)) == read_number(clean)


@given(st.integers(0, 10**12), st.integers(1, 1000))
@settings(max_examples=200, derandomize=True)
def test_noise_of_a_product_goes(price: int, factor: int) -> None:
    exact = Fraction(price, 10**8) * Fraction(factor, 100)
    product = float(Decimal(price).scaleb(-8)) * float(Decimal(factor).scaleb(-2))
    assert abs(Fraction(without_noise(read_number(repr(product)))) - exact) <= max(
        Fraction(1, 2 * 10**12), exact / 10**14
    )


IDS = st.text(st.sampled_from("abfxX_-0129.é\ud800 ") | st.characters(), min_size=1, max_size=12)


@given(IDS, IDS)
@settings(max_examples=300, derandomize=True)
def test_ids_go_there_and_back(first: str, second: str) -> None:
    assert read_id(to_ours(first))
    assert to_theirs(to_ours(first)) == first
    assert (to_ours(first) == to_ours(second)) is (first == second)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("ops_lead", "ops_lead"),
        ("if", "if"),
        ("head-of-claims", "head_x2d_of_x2d_claims"),
        ("CFO", "x_x43__x46__x4f_"),
        ("2nd", "x_x32_nd"),
        ("_x2d_", "x_x5f_x2d_"),
        ("x-ray", "x_x78__x2d_ray"),
        ("a_x2d_b", "a_x5f_x2d_b"),
    ],
)
def test_ids(theirs: str, ours: str) -> None:
    assert (to_ours(theirs), to_theirs(ours)) == (ours, theirs)


def test_their_roundings_are_made_in_their_order() -> None:
    # 0.81875 and 0.01875 are rounded to 0.8187 and 0.0188; what is left of them is rounded again.
    figures = harness.grade(0, Decimal("0.81875"), 1, [Decimal("0.018750000000000003")], has_incident=False)
    assert (figures.uplift, figures.contact_cost, figures.uplift_net, figures.passes) == (0.8187, 0.0188, 0.7999, False)
    # The bounded uplift is taken before the incident rule.
    figures = harness.grade(0, Decimal("0.95"), 1, [], has_incident=True)
    assert (figures.uplift_bounded, figures.uplift, figures.uplift_net) == (0.95, 0.0, 0.0)
    assert harness.grade(5, 7, 5, [CENT], has_incident=False).uplift_net == -0.01
    # Three tenths added as floats.
    assert harness.summed([Decimal("0.1")] * 3) == 0.30000000000000004
    assert harness.wait_cost(1, 2) == 0.0833


@pytest.mark.parametrize(
    ("number", "text"), [(10**40, "1e40"), (1200, "1200"), (Decimal("1E-7"), "0.0000001"), (0, "0")]
)
def test_numbers_are_written_as_rulesets_take_them(number: Any, text: str) -> None:
    assert _number(number) == text
    assert read_number(text) == number


def test_comments_are_wrapped() -> None:
    lines = list(_comment("word " * 60, 4))
    assert len(lines) == 3
    assert all(each.startswith("    # word") and len(each) <= 120 for each in lines)
