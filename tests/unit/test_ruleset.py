"""What a ruleset may say: the model is strict, meaning is checked, expressions have their scopes, charges stay >= 0."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import tzdata  # type: ignore[import-untyped,unused-ignore]
from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.diagnostics import Code, Diagnostic, Severity, render
from outscore.document import Document, read_document
from outscore.expression.names import RESERVED
from outscore.ruleset import Ruleset, read_ruleset
from outscore.ruleset.expressions import expressions_of
from outscore.ruleset.outcomes import _shown
from outscore.ruleset.shape import read_model
from pydantic import ValidationError

HEAD = "outscore: 1\nscenario: demo\n"
PLAIN = HEAD + "kpi: {direction: higher}\n"
OK = Path(__file__).parents[1] / "rulesets" / "ok"


def document_of(text: str) -> Document:
    document, problems = read_document(text.encode(), "r.yaml")
    assert document is not None, [render(each, text) for each in problems]
    return document


def read(text: str) -> tuple[Ruleset | None, list[Diagnostic]]:
    return read_ruleset(document_of(text))[:2]


def codes(text: str) -> list[str]:
    return [each.code.value for each in read(text)[1]]


def good(text: str) -> Ruleset:
    ruleset, findings = read(text)
    assert [render(each, text) for each in findings] == []
    assert ruleset is not None
    return ruleset


def test_everything_is_read_as_written() -> None:
    ruleset = good((OK / "everything.yaml").read_text(encoding="utf-8"))
    assert ruleset.outscore == 1
    assert ruleset.contacts is not None
    assert ruleset.waiting is not None
    assert ruleset.trials is not None
    people = ruleset.contacts.people
    assert list(people) == ["wait", "sponsor", "nobody"]
    assert people["wait"].price == Fraction(1, 50)
    assert people["wait"].patience == 2
    assert people["sponsor"].past_patience is not None
    assert (people["sponsor"].past_patience.kind, people["sponsor"].past_patience.value) == ("plus", Fraction(-1, 50))
    assert ruleset.contacts.restrictions[0].charge.value == "0.001 * (minutes - 10)"
    assert ruleset.trials.prices == (Fraction(0), Fraction(1, 2))
    assert ruleset.waiting.free_days == Fraction(1, 2)
    assert ruleset.kpi.pinned is not None
    assert ruleset.kpi.pinned.reference == {"staff": 4, "open_tickets": Fraction(61, 2)}
    assert ruleset.fields["channel"] == ("chat", "mail", "call", "")
    assert ruleset.tests[0].run["events"][1] == {"type": "trial", "urgent": False}
    assert ruleset.tests[0].expect["exact"] == {"score": "0", "uplift": "-1/3"}


def test_there_is_a_checked_tree_for_every_expression() -> None:
    ruleset = good((OK / "everything.yaml").read_text(encoding="utf-8"))
    assert sorted(map(str, ruleset.trees)) == sorted(str(each.path) for each in expressions_of(ruleset))
    assert len(ruleset.trees) == 8
    assert ("waiting", "restrictions", 0, "when") in ruleset.trees


def test_a_ruleset_is_frozen_and_pickles_with_its_trees() -> None:
    ruleset = good((OK / "claims_intake.yaml").read_text(encoding="utf-8"))
    with pytest.raises(ValidationError):
        ruleset.title = "other"
    again = pickle.loads(pickle.dumps(ruleset))
    assert again == ruleset
    assert again.trees == ruleset.trees


def test_left_out_keys_have_their_defaults() -> None:
    ruleset = good(PLAIN + "contacts: {}\ntrials: {count: false}\nwaiting: {count: false}\nincidents: {outage: {}}\n")
    assert ruleset.contacts is not None
    assert (ruleset.contacts.people, ruleset.contacts.anyone_else, ruleset.contacts.restrictions) == ({}, None, ())
    assert ruleset.trials is not None
    assert ruleset.trials.prices == ()
    assert ruleset.waiting is not None
    assert ruleset.waiting.price_per_day is None
    assert ruleset.waiting.free_days == 0
    assert ruleset.incidents["outage"].when is None
    assert (ruleset.title, ruleset.timezone, ruleset.tests) == ("", None, ())


VALID: dict[str, Any] = {"outscore": 1, "scenario": "demo", "kpi": {"direction": "higher"}}


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ({"outscore": True}, Code.BAD_VALUE, ("outscore",)),
        ({"outscore": 2}, Code.BAD_VALUE, ("outscore",)),
        ({"scenario": "demo\n"}, Code.BAD_VALUE, ("scenario",)),
        ({"title": 5}, Code.WRONG_TYPE, ("title",)),
        ({"title": None}, Code.WRONG_TYPE, ("title",)),
        ({"timezone": None}, Code.BAD_VALUE, ("timezone",)),
        ({"extra": 1}, Code.UNKNOWN_KEY, ("extra",)),
        ({"kpi": {}}, Code.MISSING_KEY, ("kpi",)),
        ({"kpi": {"direction": "up"}}, Code.BAD_VALUE, ("kpi", "direction")),
        ({"trials": {"count": True, "prices": [0, "0.1"]}}, Code.BAD_VALUE, ("trials", "prices", 1)),
        ({"trials": {"count": 1, "prices": [1]}}, Code.WRONG_TYPE, ("trials", "count")),
        ({"trials": {"count": True, "prices": [0, True]}}, Code.BAD_VALUE, ("trials", "prices", 1)),
        ({"contacts": {"people": {"Chief": {"price": 1}}}}, Code.BAD_VALUE, ("contacts", "people", "Chief")),
        ({"contacts": {"anyone_else": {"price": 1, "patience": 1}}}, Code.BAD_VALUE, ("contacts", "anyone_else")),
        ({"tests": [{"name": "t", "run": {}, "expect": {"score": 1}}]}, Code.MISSING_KEY, ("tests", 0, "run")),
        (
            {"tests": [{"name": "t", "run": {"kpi": {"delivered": 1}}, "expect": {}}]},
            Code.BAD_VALUE,
            ("tests", 0, "expect"),
        ),
    ],
)
def test_the_model_refuses_what_a_schema_would_miss(change: dict[str, Any], code: Code, path: tuple[Any, ...]) -> None:
    # The text is another, valid one: the model alone is asked.
    document = document_of(PLAIN)
    object.__setattr__(document, "data", {**copy.deepcopy(VALID), **change})
    ruleset, findings = read_model(document)
    assert ruleset is None
    assert [(each.code, each.path) for each in findings] == [(code, path)]
    assert findings[0].span is not None


@given(st.integers(-(10**12), 10**12), st.integers(0, 12))
@settings(max_examples=60, derandomize=True)
def test_numbers_are_the_decimals_as_written(digits: int, places: int) -> None:
    written = f"{Decimal(digits).scaleb(-places):f}"
    kpi = f"kpi: {{direction: higher, pinned: {{baseline: {written}, reference: 1e20}}}}\n"
    pinned = good(HEAD + kpi).kpi.pinned
    assert pinned is not None
    assert pinned.baseline == Fraction(digits, 10**places)


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_no_field_and_no_measure_takes_a_reserved_name(name: str) -> None:
    if name in ("False", "None", "True"):  # these are no ids to begin with
        assert codes(PLAIN + f'fields: {{"{name}": number}}\n') == ["bad-id"]
        return
    assert codes(PLAIN + f'fields: {{"{name}": number}}\n') == ["reserved-name"]
    assert codes(HEAD + f'kpi: {{direction: higher, measures: [gain, "{name}"], formula: gain}}\n') == ["reserved-name"]


def test_people_restrictions_and_incidents_take_any_id() -> None:
    good(
        PLAIN
        + "fields: {minutes: number}\n"
        + "contacts:\n  people: {wait: {price: 1}, hour: {price: 1}, kpi: {price: 1}, minutes: {price: 1}}\n"
        + "  restrictions: [{id: hour, charge: {plus: 0}}]\n"
        + "trials: {count: true, prices: [1], restrictions: [{id: hour, charge: {plus: 0}}]}\n"
        + "incidents: {delivered: {}, wait: {}}\n"
    )


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("europe/berlin", "did you mean 'Europe/Berlin'?"),
        ("Berlin", "did you mean 'Europe/Berlin'?"),
        ("America/New York", "did you mean 'America/New_York'?"),
        ("Europe/Zurch", "did you mean 'Europe/Zurich'?"),
        ("../../etc/passwd", "write an IANA name, for example Europe/Berlin"),
    ],
)
def test_an_unknown_time_zone_names_the_nearest(name: str, hint: str) -> None:
    (found,) = read(PLAIN + f"timezone: {name}\n")[1]
    assert (found.code, found.hint) == (Code.UNKNOWN_TIMEZONE, hint)


def test_every_zone_of_the_shipped_data_is_known() -> None:
    zones = (Path(tzdata.__file__).parent / "zones").read_text(encoding="utf-8").split()
    assert len(zones) > 500
    for zone in [*zones[::40], "UTC", "Etc/GMT+5"]:
        good(PLAIN + f"timezone: {zone}\n")


def kpi(reference: str, direction: str = "higher", formula: str = "gain / cases") -> str:
    pinned = f"{{baseline: {{gain: 1, cases: 3}}, reference: {reference}}}"
    return f"{HEAD}kpi: {{direction: {direction}, measures: [gain, cases], formula: {formula}, pinned: {pinned}}}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (kpi("{gain: 2, cases: 6}"), ["reference-not-better"]),
        (kpi("{gain: 0.33333333333333333333, cases: 1}"), ["reference-not-better"]),
        (kpi("{gain: 0.33333333333333333334, cases: 1}"), []),
        (kpi("{gain: 0.33333333333333333333, cases: 1}", direction="lower"), []),
        (kpi("{gain: 1, cases: 0}"), ["division-by-zero"]),
        (kpi("{gain: 3, cases: 0}", formula="gain if cases < 1 else gain / cases"), []),
        (HEAD + "kpi: {direction: lower, pinned: {baseline: 100, reference: 100.0}}\n", ["reference-not-better"]),
        (HEAD + "kpi: {direction: lower, pinned: {baseline: 100, reference: 99.999999999999}}\n", []),
        (HEAD + "kpi: {direction: higher, pinned: {baseline: -3, reference: -4}}\n", ["reference-not-better"]),
    ],
)  # fmt: skip
def test_a_pinned_reference_improves_on_the_baseline_exactly(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def contacts(person: str, *charges: str) -> str:
    restrictions = "".join(f"    - {{id: r{number}, {charge}}}\n" for number, charge in enumerate(charges))
    return f"{PLAIN}contacts:\n  people: {{chief: {{{person}}}}}\n  restrictions:\n{restrictions or '    []'}\n"


def section(name: str, keys: str, *charges: str) -> str:
    restrictions = ", ".join(f"{{id: r{number}, {charge}}}" for number, charge in enumerate(charges))
    return f"{PLAIN}{name}: {{{keys}, restrictions: [{restrictions}]}}\n"


UP, DOWN = "charge: {plus: 0.03}", "charge: {plus: -0.03}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (contacts("price: 0.03", DOWN), None),
        (contacts("price: 0.02", DOWN), "-0.01"),
        (contacts("price: 0.02", DOWN, UP), None),
        (contacts("price: 0.02", UP, DOWN), None),
        (contacts("price: 0.02", DOWN, "when: nth > 1, charge: {plus: 1}"), None),
        (contacts("price: 0.02", "when: nth > 1, " + DOWN), None),
        (contacts("price: 0.02", "when: nth > 1, charge: {plus: 1}", "charge: {price: 0.01}", DOWN), "-0.02"),
        (contacts("price: 0.02", "charge: {plus: 0.01 * nth}", DOWN), None),
        (contacts("price: 0.02", "charge: {plus: 0.01 - 0.04}"), "-0.01"),
        (contacts("price: 0.02", DOWN, "charge: {times: 0}"), None),
        (contacts("price: 0.02", DOWN, "charge: {times: 2}"), "-0.02"),
        (contacts("price: 0.02, patience: 1, past_patience: {plus: -0.03}"), "-0.01"),
        (contacts("price: 0.02, patience: 1, past_patience: {plus: -0.03}", UP), None),
        (contacts("price: 0.02, patience: 0, past_patience: {plus: 0.03}", DOWN), None),
        (contacts("price: 0.02, patience: 1, past_patience: {plus: 0.03}", DOWN), "-0.01"),
        (contacts("price: 0.02, patience: 1, past_patience: {price: 0.01}", "charge: {times: 0.5}"), None),
        (PLAIN + "contacts: {anyone_else: {price: 0, patience: 0, past_patience: {plus: -1}}}\n", "-1"),
        (section("trials", "count: true, prices: [0.05, 0.02]", DOWN), "-0.01"),
        (section("trials", "count: false, prices: [0.05, 0.02]", DOWN), None),
        (section("waiting", "count: true, price_per_day: 1", DOWN), None),
        (section("waiting", "count: true, price_per_day: 0", DOWN), "-0.03"),
        (section("waiting", "count: true, price_per_day: 1", "charge: {price: 0}", DOWN), "-0.03"),
    ],
)  # fmt: skip
def test_a_final_charge_known_to_be_negative_is_an_error(text: str, expected: str | None) -> None:
    found = [each for each in read(text)[1] if each.severity is Severity.ERROR]
    if expected is None:
        assert [render(each, text) for each in found] == []
    else:
        assert [each.code for each in found] == [Code.NEGATIVE_CHARGE]
        assert f"would be charged {expected};" in found[0].message


def test_a_constant_condition_decides_whether_a_charge_is_known() -> None:
    always = contacts("price: 0.02", "when: 1 < 2, " + DOWN)
    never = contacts("price: 0.02", "when: 1 > 2, " + DOWN)
    assert sorted(codes(always)) == ["constant-condition", "negative-charge"]
    assert codes(never) == ["constant-condition"]


@pytest.mark.parametrize("value", ["-0.1", "1 - 2", "-nth + nth - 1"])
@pytest.mark.parametrize("kind", ["price", "times"])
def test_a_price_and_a_factor_are_not_negative(kind: str, value: str) -> None:
    expected = ["bad-value"] if "nth" not in value else []
    assert codes(contacts("price: 0.02", f"when: nth > 3, charge: {{{kind}: {value}}}")) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("trials: {count: true, prices: [1], restrictions: [{id: a, when: to == 'x', charge: {plus: 1}}]}", "to"),
        ("trials: {count: true, prices: [1], restrictions: [{id: a, when: hours > 1, charge: {plus: 1}}]}", "hours"),
        ("waiting: {count: false, restrictions: [{id: a, charge: {plus: nth_overall}}]}", "nth_overall"),
        ("contacts: {restrictions: [{id: a, when: hours > 1, charge: {plus: 1}}]}", "hours"),
        ("contacts: {restrictions: [{id: a, charge: {plus: delivered.kpi}}]}", "delivered.kpi"),
        ("incidents: {a: {when: nth > 1}}", "nth"),
        ("incidents: {a: {when: minutes > 1}}", "minutes"),
        ("incidents: {a: {when: delivered.gain > 1}}", "delivered.gain"),
    ],
)  # fmt: skip
def test_each_place_reads_its_own_names(text: str, name: str) -> None:
    (found,) = read(PLAIN + "fields: {minutes: number}\n" + text + "\n")[1]
    assert found.code is Code.UNKNOWN_NAME
    assert f"'{name}'" in found.message


def test_an_unlisted_person_in_a_rule_is_impossible_unless_anyone_can_be_contacted() -> None:
    rule = "  restrictions: [{id: a, when: to == 'cheif', charge: {plus: 1}}]\n"
    people = PLAIN + "contacts:\n  people: {chief: {price: 1}}\n"
    assert codes(people + rule) == ["impossible-value"]
    ruleset, findings = read(people + "  anyone_else: {price: 1}\n" + rule)
    assert ruleset is not None
    assert [(each.severity, each.code) for each in findings] == [(Severity.WARNING, Code.IMPOSSIBLE_VALUE)]


def test_warnings_leave_the_ruleset_standing() -> None:
    ruleset, findings = read(contacts("price: 1", "when: 1 < 2, charge: {plus: 1}"))
    assert ruleset is not None
    assert [each.severity for each in findings] == [Severity.WARNING]


def test_a_stage_reports_all_it_finds_and_stops_the_next() -> None:
    shape = "kpi: {direction: up}\nfields: {hour: number}\nincidents: {a: {when: x}}\n"
    assert codes(HEAD + shape) == ["bad-value"]
    meaning = "fields: {hour: number, to: text}\ntimezone: Mars\nincidents: {a: {when: x > 1}}\n"
    assert codes(PLAIN + meaning) == ["reserved-name", "reserved-name", "unknown-timezone"]
    expressions = "incidents: {a: {when: x > 1}, b: {when: delivered.kpi}}\n"
    assert codes(PLAIN + expressions) == ["unknown-name", "type-mismatch"]


def test_findings_in_merged_and_anchored_maps_point_at_where_they_are_written() -> None:
    text = (
        PLAIN
        + "x-person: &person {price: -1}\n"
        + "contacts:\n  people:\n    chief: *person\n    sponsor: {<<: *person, role: x}\n"
    )
    found = read(text)[1]
    assert [each.path for each in found] == [
        ("contacts", "people", "chief", "price"),
        ("contacts", "people", "sponsor", "price"),
    ]
    assert {each.span.line for each in found if each.span} == {4}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(-1, 100), "-0.01"),
        (Fraction(3), "3"),
        (Fraction(1, 3), "1/3"),
        (Fraction(10**30), "1" + "0" * 30),
        (Fraction(1, 2**60), f"1/{2**60}"),
    ],
)
def test_exact_values_are_shown_as_people_write_them(value: Fraction, text: str) -> None:
    assert _shown(value) == text
