"""npcs.json as the harness takes it, and files that nobody should be able to break anything with."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from outscore.cli import outscore
from outscore.integrations import fde_gym
from outscore.integrations.fde_gym import reading
from outscore.loader import check, loads
from outscore.plan import Change, Person, Plan
from outscore.score import Score


def converted(tmp_path: Path, npcs: Any, **options: Any) -> fde_gym.Converted:
    path = tmp_path / "npcs.json"
    path.write_text(npcs if isinstance(npcs, str) else json.dumps(npcs), encoding="utf-8")
    made = fde_gym.ruleset_of(fde_gym.read_engagement(str(path)), "s", "higher", **options)
    checked = check(made.text.encode(), "made")
    assert checked.diagnostics == ()
    assert checked.document is not None
    assert isinstance(checked.document.data, dict)
    scorer = loads(made.text)
    for each in checked.document.data["tests"]:
        score = scorer.score({"run": "r", "scenario": "s", **each["run"]})
        assert isinstance(score, Score)
        charges = [charge.amount for charge in score.account]
        assert charges == list(map(Fraction, each["expect"].get("charges", [])))
    return made


def plan_of(tmp_path: Path, npcs: Any) -> Plan:
    return loads(converted(tmp_path, npcs).text).plan


def person_of(tmp_path: Path, **person: Any) -> tuple[Person, fde_gym.Converted]:
    made = converted(tmp_path, {"npcs": [{"id": "p", **person}]})
    contacts = loads(made.text).plan.contacts
    assert contacts is not None
    return contacts.people["p"], made


def times(value: Any) -> Change:
    return Change("times", Fraction(value))


FREE = Change("price", Fraction(0))

PEOPLE: dict[str, tuple[dict[str, Any], Any, int | None, Change | None]] = {
    "nothing said": ({}, 0, None, None),
    "a price": ({"cost": 0.1}, "1/10", None, None),
    "a price in quotes": ({"cost": " 0.1 "}, "1/10", None, None),
    "a price with a _": ({"cost": "1_0.5"}, "21/2", None, None),
    "a price of true": ({"cost": True}, 1, None, None),
    "a limit": ({"cost": 0.1, "soft_limit": 2}, "1/10", 2, times(3)),
    "a limit and a factor": ({"cost": 0.1, "soft_limit": 2, "over_factor": 2.5}, "1/10", 2, times("5/2")),
    "a factor in quotes": ({"cost": 0.1, "soft_limit": 2, "over_factor": "2.5"}, "1/10", 2, times("5/2")),
    "a limit of 0": ({"cost": 0.1, "soft_limit": 0}, "1/10", 0, times(3)),
    "a limit below 0": ({"cost": 0.1, "soft_limit": -2}, "1/10", 0, times(3)),
    "a limit with a fraction": ({"cost": 0.1, "soft_limit": 2.9}, "1/10", 2, times(3)),
    "a limit of 2.0": ({"cost": 0.1, "soft_limit": 2.0}, "1/10", 2, times(3)),
    "a factor of 0": ({"cost": 0.1, "soft_limit": 2, "over_factor": 0}, "1/10", 2, times(0)),
    "a factor below 1": ({"cost": 0.1, "soft_limit": 2, "over_factor": 0.5}, "1/10", 2, times("1/2")),
    "a factor alone": ({"cost": 0.1, "over_factor": 2}, "1/10", None, None),
    "no patience": ({"cost": 0.1, "patience": None}, "1/10", None, None),
    "off limits, without a limit that counts": (
        {"cost": 0.1, "off_limits": True, "soft_limit": None},
        "1/10",
        None,
        None,
    ),
}

WARNED: dict[str, tuple[dict[str, Any], Any, int | None, Change | None, str]] = {
    "a credit": ({"cost": -0.1}, 0, None, None, "a credit"),
    "a factor below 0": ({"cost": 0.1, "soft_limit": 1, "over_factor": -1}, "1/10", 1, FREE, "below zero"),
    "a cost of null": ({"cost": None}, 0, None, None, "cost is null"),
    "a limit of null": ({"cost": 0.1, "soft_limit": None}, "1/10", None, None, "soft_limit is null"),
    "a limit in quotes": ({"cost": 0.1, "soft_limit": "2"}, "1/10", None, None, "soft_limit is text"),
    "a factor of null": ({"cost": 0.1, "soft_limit": 1, "over_factor": None}, "1/10", 1, FREE, "over_factor is null"),
    "a cap in quotes": ({"cost": 0.1, "patience": "3"}, "1/10", None, None, "patience is text"),
}


@pytest.mark.parametrize("name", PEOPLE)
def test_people(name: str, tmp_path: Path) -> None:
    written, price, patience, change = PEOPLE[name]
    person, made = person_of(tmp_path, **written)
    assert (person.price, person.patience, person.past_patience) == (Fraction(price), patience, change)
    assert made.warnings == ()


@pytest.mark.parametrize("name", WARNED)
def test_what_a_ruleset_cannot_say_is_warned_of(name: str, tmp_path: Path) -> None:
    written, price, patience, change, words = WARNED[name]
    person, made = person_of(tmp_path, **written)
    assert (person.price, person.patience, person.past_patience) == (Fraction(price), patience, change)
    (warning,) = made.warnings
    assert words in warning
    comments = " ".join(each.strip().removeprefix("# ") for each in made.text.split("\n"))
    assert f"NOTE: {warning}" in comments


@pytest.mark.parametrize(
    "limit", [{"patience": 3}, {"gone_at": "2026-03-02T09:00"}, {"gone_after_hours": 2.5}, {"gone_after_asks": 4}]
)
def test_who_stops_answering_is_said_in_comments(limit: dict[str, Any], tmp_path: Path) -> None:
    _, made = person_of(tmp_path, **limit)
    ((key, value),) = limit.items()
    assert f"# Their {key} is {json.dumps(value)}: " in made.text


def test_off_limits_is_the_list_price_again(tmp_path: Path) -> None:
    npcs = {"npcs": [{"id": "Sponsor", "cost": 0.1, "soft_limit": 1, "over_factor": 5, "off_limits": True}]}
    scorer = loads(converted(tmp_path, npcs).text)
    event = {"type": "contact", "to": "x_x53_ponsor"}
    run = {"run": "r", "scenario": "s", "kpi": {"baseline": 0, "delivered": 1, "reference": 1}, "events": [event] * 3}
    score = scorer.score(run)
    assert isinstance(score, Score)
    assert [charge.amount for charge in score.account] == [Fraction(1, 10)] * 3
    assert score.account[2].steps[-1].rule == "contacts.restrictions.off_limits_x_x53_ponsor"


@pytest.mark.parametrize(
    ("pilot", "prices", "warned"),
    [
        ({}, [0], False),
        ({"cost": [0, 0.02, 0.05]}, [0, "1/50", "1/20"], False),
        ({"cost": [True]}, [1], False),
        ({"cost": []}, [0], True),
        ({"cost": 0.1}, [0], True),
        ({"cost": [0.1, None]}, [0], True),
        ({"cost": ["0.1"]}, [0], True),
        ({"cost": [0.1, -0.1]}, ["1/10", 0], True),
        ({"cost": [0.1], "max_runs": None}, [0], True),
        (None, [0], True),
    ],
)
def test_trials(pilot: Any, prices: list[Any], warned: bool, tmp_path: Path) -> None:
    npcs = {"npcs": [], "pilot": pilot}
    trials = plan_of(tmp_path, npcs).trials
    assert trials is not None
    assert trials.prices == tuple(map(Fraction, prices))
    assert bool(converted(tmp_path, npcs).warnings) is warned


@pytest.mark.parametrize("clock", [None, {}, 0])
def test_without_a_clock_nobody_waits(clock: Any, tmp_path: Path) -> None:
    assert plan_of(tmp_path, {"npcs": [], "clock": clock}).waiting is None


@pytest.mark.parametrize(("price", "wanted"), [(0.03, "3/100"), ("0.03", "3/100"), (-0.1, 0), (None, 0)])
def test_waiting(price: Any, wanted: Any, tmp_path: Path) -> None:
    clock = {"start": "2026-03-02T09:00", "wait_cost_per_day": price}
    waiting = plan_of(tmp_path, {"npcs": [], "clock": clock}).waiting
    assert waiting is not None
    assert waiting.price_per_day == Fraction(wanted)
    assert bool(converted(tmp_path, {"npcs": [], "clock": clock}).warnings) is (wanted == 0)


def test_the_last_of_two_people_of_one_id_counts(tmp_path: Path) -> None:
    made = converted(tmp_path, {"npcs": [{"id": "a", "cost": 0.1}, {"id": "b"}, {"id": "a", "cost": 0.2}]})
    contacts = loads(made.text).plan.contacts
    assert contacts is not None
    assert contacts.people["a"].price == Fraction(1, 5)
    assert made.warnings == ('"a" is listed more than once; the last entry counts, as there',)


def test_their_words_cannot_break_out_of_the_text(tmp_path: Path) -> None:
    nasty = 'x"\n  price: 9 # \\ \u2028 \x00 \x85 \ud800 😀'
    npcs = {"npcs": [{"id": nasty, "role": nasty, "patience": nasty, "gone_at": nasty}], "total_questions": [nasty]}
    made = converted(tmp_path, {**npcs, "clock": {"start": nasty}})
    contacts = loads(made.text).plan.contacts
    assert contacts is not None
    ((name, person),) = contacts.people.items()
    assert (fde_gym.to_theirs(name), person.price) == (nasty, 0)


def test_words_of_yaml_are_ids_like_others(tmp_path: Path) -> None:
    words = ["no", "null", "true", "y", "on", "if", "wait", "e1"]
    made = converted(tmp_path, {"npcs": [{"id": word, "cost": 0.1} for word in words]})
    contacts = loads(made.text).plan.contacts
    assert contacts is not None
    assert list(contacts.people) == words
    path = str(tmp_path / "npcs.json")
    assert loads(fde_gym.ruleset_of(fde_gym.read_engagement(path), "no").text).scenario == "no"


def test_the_rules_draw_no_warnings(tmp_path: Path) -> None:
    """Nor do the comments that allow some allow too many."""
    people = [
        {"id": "plain", "cost": 0.01},
        {"id": "at_once", "cost": 0.01, "soft_limit": 0},
        {"id": "failing", "cost": 0.01, "soft_limit": 0, "over_factor": None},
        {"id": "off", "cost": 0.05, "off_limits": True},
        {"id": "off_at_once", "cost": 0.05, "off_limits": True, "soft_limit": 0},
    ]
    clock = {"wait_cost_per_day": 0.02}
    for as_recorded in (False, True):
        made = converted(tmp_path, {"npcs": people, "clock": clock}, as_recorded=as_recorded)
        (tmp_path / "made.yaml").write_text(made.text, encoding="utf-8")
        done = CliRunner().invoke(outscore, ["validate", str(tmp_path / "made.yaml")], catch_exceptions=False)
        assert (done.exit_code, done.stdout) == (0, "")


BAD_NPCS = {
    "not JSON": ("{", "syntax", "$"),
    "empty": ("", "syntax", "$"),
    "a list": ("[]", "wrong-type", "$"),
    "nobody": ("{}", "missing-key", "$"),
    "people who are no list": ('{"npcs": {}}', "wrong-type", "$.npcs"),
    "somebody who is no object": ('{"npcs": [1]}', "wrong-type", "$.npcs[0]"),
    "no id": ('{"npcs": [{}]}', "missing-key", "$.npcs[0]"),
    "an id that is a number": ('{"npcs": [{"id": 7}]}', "wrong-type", "$.npcs[0].id"),
    "an empty id": ('{"npcs": [{"id": ""}]}', "bad-value", "$.npcs[0].id"),
    "a key twice": ('{"npcs": [{"id": "a", "id": "b"}]}', "duplicate-key", "$.npcs[0]"),
    "words for a price": ('{"npcs": [{"id": "a", "cost": "much"}]}', "bad-number", "$.npcs[0].cost"),
    "a placeholder": ('{"npcs": [{"id": "a", "cost": "{{price}}"}]}', "bad-number", "$.npcs[0].cost"),
    "NaN": ('{"npcs": [{"id": "a", "cost": NaN}]}', "bad-number", "$.npcs[0].cost"),
    "NaN in quotes": ('{"npcs": [{"id": "a", "cost": "nan"}]}', "bad-number", "$.npcs[0].cost"),
    "an id that YAML takes for no key": ('{"npcs": [{"id": "' + "*" * 205 + '"}]}', "too-large", "$.npcs[0].id"),
    "a list for a price": ('{"npcs": [{"id": "a", "cost": []}]}', "wrong-type", "$.npcs[0].cost"),
    "a huge number": ('{"npcs": [{"id": "a", "cost": 1e99}]}', "bad-number", "$.npcs[0].cost"),
    "a list for a limit": ('{"npcs": [{"id": "a", "soft_limit": [1]}]}', "wrong-type", "$.npcs[0].soft_limit"),
    "a clock that is true": ('{"npcs": [], "clock": true}', "wrong-type", "$.clock"),
    "a clock's price": ('{"npcs": [], "clock": {"wait_cost_per_day": "x"}}', "bad-number", "$.clock.wait_cost_per_day"),
    "a pilot that is a list": ('{"npcs": [], "pilot": []}', "wrong-type", "$.pilot"),
    "a trial's price": ('{"npcs": [], "pilot": {"cost": [0, NaN]}}', "bad-number", "$.pilot.cost[1]"),
    "the parts of a case": ('{"spec": {"people": [{"id": 1}]}}', "wrong-type", "$.spec.people[0].id"),
    "deep": ('{"npcs": ' + "[" * 100_000, "syntax", "$"),
}


@pytest.mark.parametrize("name", BAD_NPCS)
def test_bad_npcs(name: str, tmp_path: Path) -> None:
    text, code, place = BAD_NPCS[name]
    with pytest.raises(fde_gym.ForeignFileError) as raised:
        converted(tmp_path, text)
    (fault,) = raised.value.faults
    assert (fault.code, fault.path, fault.line) == (code, place, None)
    assert str(fault).startswith(f"{tmp_path / 'npcs.json'}: error[{code}]: {place}: ")


OK_LINE = '{"to": "a", "n_asked": 1, "cost": 0.1, "topics": [], "facts": []}'
BAD_LINES = {
    "nonsense": ("not JSON", "syntax", "$"),
    "cut off": ('{"to": "a", "n_a', "syntax", "$"),
    "a list": ("[1]", "wrong-type", "$"),
    "nobody": ('{"n_asked": 1}', "missing-key", "$"),
    "no count": ('{"to": "a"}', "missing-key", "$"),
    "no count of a trial": ('{"to": "pilot"}', "missing-key", "$"),
    "a number for somebody": ('{"to": 5, "n_asked": 1}', "wrong-type", "$.to"),
    "an empty name": ('{"to": "", "n_asked": 1}', "bad-value", "$.to"),
    "a count below 0": ('{"to": "a", "n_asked": -1}', "bad-value", "$.n_asked"),
    "half a count": ('{"to": "a", "n_asked": 1.5}', "bad-value", "$.n_asked"),
    "true for a count": ('{"to": "a", "n_asked": true}', "wrong-type", "$.n_asked"),
    "NaN": ('{"to": "a", "n_asked": 1, "cost": NaN}', "bad-number", "$.cost"),
    "infinity": ('{"to": "a", "n_asked": 1, "cost": -Infinity}', "bad-number", "$.cost"),
    "a huge cost": ('{"to": "a", "n_asked": 1, "cost": 1e400}', "bad-number", "$.cost"),
    "a cost in quotes": ('{"to": "a", "n_asked": 1, "cost": "0.1"}', "wrong-type", "$.cost"),
    "a cost of null": ('{"to": "a", "n_asked": 1, "cost": null}', "wrong-type", "$.cost"),
    "a topic for topics": ('{"to": "a", "n_asked": 1, "topics": "gone"}', "wrong-type", "$.topics"),
    "a number for a topic": ('{"to": "a", "n_asked": 1, "topics": ["t", 1]}', "wrong-type", "$.topics[1]"),
    "null for facts": ('{"to": "a", "n_asked": 1, "facts": null}', "wrong-type", "$.facts"),
    "a key twice": ('{"to": "a", "n_asked": 1, "n_asked": 2}', "duplicate-key", "$"),
    "deep": ("[" * 100_000, "syntax", "$"),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_bad_lines(name: str, tmp_path: Path) -> None:
    text, code, place = BAD_LINES[name]
    path = tmp_path / "ask.jsonl"
    path.write_text(f"{OK_LINE}\n\n{text}\n{OK_LINE}\n", encoding="utf-8")
    with pytest.raises(fde_gym.ForeignFileError) as raised:
        fde_gym.read_log(str(path))
    (fault,) = raised.value.faults
    assert (fault.code, fault.path, fault.line) == (code, place, 3)
    assert str(fault).startswith(f"{path}:3: error[{code}]: {place}: ")


def test_all_bad_lines_are_told_at_once_but_not_without_end(tmp_path: Path) -> None:
    path = tmp_path / "ask.jsonl"
    path.write_bytes(b"\xff\n" * 1000)
    with pytest.raises(fde_gym.ForeignFileError) as raised:
        fde_gym.read_log(str(path))
    assert [fault.line for fault in raised.value.faults] == list(range(1, 51))
    assert {fault.code for fault in raised.value.faults} == {"bad-encoding"}


def test_a_bad_entry_of_a_list_is_told_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(f'{{"log": [{OK_LINE},\n {{"to": "a", "n_asked": []}}]}}', encoding="utf-8")
    with pytest.raises(fde_gym.ForeignFileError, match=r"\$\.log\[1\]\.n_asked: a list; wanted a number"):
        fde_gym.read_log(str(path))


@pytest.mark.parametrize("text", ["", "\n \n", "[]", '{"log": []}', "\ufeff"])
def test_empty_logs(text: str, tmp_path: Path) -> None:
    path = tmp_path / "ask.jsonl"
    path.write_text(text, encoding="utf-8")
    assert fde_gym.read_log(str(path)).lines == ()


def test_the_least_a_line_may_hold(tmp_path: Path) -> None:
    path = tmp_path / "ask.jsonl"
    path.write_text('\ufeff{"to": "a", "n_asked": 1}\r\n{"to": "wait"}\r\n', encoding="utf-8")
    first, second = fde_gym.read_log(str(path)).lines
    assert (first.cost, first.topics, first.has_time, second.n_asked) == (0, (), False, 0)


def test_a_large_file_is_refused_before_it_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 100)
    path = tmp_path / "ask.jsonl"
    path.write_text(f"{OK_LINE}\n" * 10, encoding="utf-8")
    for read in (fde_gym.read_log, fde_gym.read_engagement, fde_gym.read_result):
        with pytest.raises(fde_gym.ForeignFileError, match="too-large"):
            read(str(path))


def test_who_is_not_listed(tmp_path: Path) -> None:
    (tmp_path / "npcs.json").write_text('{"npcs": [{"id": "ops_lead"}]}', encoding="utf-8")
    log = tmp_path / "ask.jsonl"
    log.write_text('{"to": "ops_laed", "n_asked": 1}\n{"to": "wait", "cost": 0.1}\n', encoding="utf-8")
    with pytest.raises(fde_gym.ForeignFileError) as raised:
        fde_gym.count_log(fde_gym.read_engagement(str(tmp_path / "npcs.json")), fde_gym.read_log(str(log)))
    person, wait = raised.value.faults
    assert (person.code, person.line, person.hint) == ("unknown-person", 1, "did you mean 'ops_lead'?")
    assert (wait.code, wait.line) == ("unexpected-event", 2)


RESULT = {"kpi": 1, "kpi_baseline": 0, "kpi_oracle": 2}


def result_of(tmp_path: Path, found: Any) -> fde_gym.Result:
    path = tmp_path / "result.json"
    path.write_text(found if isinstance(found, str) else json.dumps(found), encoding="utf-8")
    return fde_gym.read_result(str(path))


@pytest.mark.parametrize("number", ["1e40", "1e39", "-1e40", "0.1", "12"])
def test_numbers_of_any_size_a_run_can_carry(number: str, tmp_path: Path) -> None:
    made = converted(tmp_path, {"npcs": [{"id": "a"}]})
    result = result_of(tmp_path, f'{{"kpi": {number}, "kpi_baseline": 0, "kpi_oracle": 1}}')
    score = loads(made.text).score(fde_gym.encode_run(fde_gym.run_of(result, [], run="r", scenario="s")))
    assert isinstance(score, Score)
    assert score.exact.uplift == Fraction(number)


@pytest.mark.parametrize(
    ("found", "incidents"),
    [
        (None, ()),
        ([], ()),
        ({}, ()),
        (["late", "late", "x"], ("late", "x")),
        ([{"kind": "crash", "n": 3}], ('{"kind": "crash", "n": 3}',)),
        (["", None, 7], ('""', "null", "7")),
        ("one", ("one",)),
        ({"kind": "crash"}, ('{"kind": "crash"}',)),
        (["\ud800"], ("\\ud800",)),
    ],
)
def test_incidents(found: Any, incidents: tuple[str, ...], tmp_path: Path) -> None:
    result = result_of(tmp_path, {**RESULT, "incidents": found})
    assert result.incidents == incidents
    run = fde_gym.run_of(result, [], run="r", scenario="s")
    assert json.loads(fde_gym.encode_run(run)).get("incidents", []) == list(incidents)


@pytest.mark.parametrize(
    ("more", "code", "place"),
    [
        ({"kpi": None}, "wrong-type", "$.kpi"),
        ({"kpi": True}, "wrong-type", "$.kpi"),
        ({"kpi_oracle": "2"}, "wrong-type", "$.kpi_oracle"),
        ({"kpi": {"baseline": 0, "delivered": 1}}, "missing-key", "$.kpi"),
        ({"uplift": "0.1"}, "wrong-type", "$.uplift"),
        ({"kpi_baseline": float("nan")}, "bad-number", "$.kpi_baseline"),
    ],
)
def test_bad_results(more: dict[str, Any], code: str, place: str, tmp_path: Path) -> None:
    with pytest.raises(fde_gym.ForeignFileError) as raised:
        result_of(tmp_path, {**RESULT, **more})
    (fault,) = raised.value.faults
    assert (fault.code, fault.path) == (code, place)


def test_the_direction_is_the_sign_of_the_span(tmp_path: Path) -> None:
    assert result_of(tmp_path, RESULT).direction == "higher"
    assert result_of(tmp_path, {**RESULT, "kpi_oracle": -1}).direction == "lower"
    assert result_of(tmp_path, {**RESULT, "kpi_oracle": 0.0}).direction is None


def test_numbers_of_a_run_stay_as_written(tmp_path: Path) -> None:
    result = result_of(
        tmp_path, '{"kpi": 0.1000000000000000055511151231257827, "kpi_baseline": 1e30, "kpi_oracle": 1e-7}'
    )
    text = fde_gym.encode_run(fde_gym.run_of(result, [], run="r", scenario="s")).decode()
    kpi = json.loads(text, parse_float=Decimal, parse_int=Decimal)["kpi"]
    assert kpi["delivered"] == Decimal("0.1000000000000000055511151231257827")
    assert (kpi["baseline"], kpi["reference"]) == (Decimal("1e30"), Decimal("1e-7"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=5),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=5), each, max_size=3),
    max_leaves=8,
)
KEYS = ("id", "cost", "soft_limit", "over_factor", "off_limits", "patience", "gone_at", "role")
PERSON = st.fixed_dictionaries({"id": st.text(min_size=1, max_size=4)}, optional=dict.fromkeys(KEYS[1:], JSON))
NPCS = st.fixed_dictionaries(
    {"npcs": st.lists(PERSON, max_size=3)}, optional=dict.fromkeys(("clock", "pilot", "total_questions"), JSON)
)


@given(NPCS, st.booleans())
@settings(
    max_examples=150, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_npcs_is_converted_or_refused_with_words(tmp_path: Path, npcs: Any, as_recorded: bool) -> None:
    try:
        converted(tmp_path, npcs, as_recorded=as_recorded)
    except fde_gym.ForeignFileError as error:
        faults = error.faults
    else:
        return
    assert all(fault.message and fault.path.startswith("$") for fault in faults)


LINE = st.fixed_dictionaries(
    {"to": st.sampled_from(["a", "wait", "inbox", "pilot"]), "n_asked": st.integers(0, 3)},
    optional={
        "cost": st.decimals(-1, 1, places=6).map(float),
        "topics": st.lists(st.sampled_from(["gone", "t"]), max_size=2),
        "question": JSON,
    },
)


@given(st.lists(LINE, max_size=8), st.integers(-2, 2))
@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_log_is_audited(tmp_path: Path, lines: list[Any], reference: int) -> None:
    """Whatever a well-formed log claims, the audit ends in a report, and the total is the sum of the lines."""
    npcs = {"npcs": [{"id": "a", "cost": 0.1, "soft_limit": 1}], "clock": {"wait_cost_per_day": 0.1}}
    (tmp_path / "npcs.json").write_text(json.dumps(npcs), encoding="utf-8")
    (tmp_path / "ask.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in lines), encoding="utf-8")
    audit = fde_gym.audit(
        fde_gym.read_engagement(str(tmp_path / "npcs.json")),
        fde_gym.read_log(str(tmp_path / "ask.jsonl")),
        result_of(tmp_path, {**RESULT, "kpi_oracle": reference}),
        scenario="s",
    )
    assert audit.has_findings is any(each.reason for each in audit.billed)
    assert (audit.ours.score is None) is (reference == 0)
    assert json.loads(json.dumps(fde_gym.record(audit)))
    assert fde_gym.page(audit)
