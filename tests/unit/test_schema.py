"""The schemas are what the code says, explain every key, agree with the model, and findings name place and fix."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from outscore import plan, resources
from outscore.diagnostics import Code, Diagnostic
from outscore.document import read_document
from outscore.plan import Plan
from outscore.ruleset.model import Ruleset
from outscore.schema import NAMES, as_text, check_shape, generate, run_schema_for
from outscore.schema import check as checking
from pydantic import ValidationError

RULESETS = Path(__file__).parents[1] / "rulesets"


def parts(schema: Any, where: str = "") -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Every part of a schema that describes a value, and whether it stands for a key that may be left out."""
    yield where, schema, False
    for name, each in schema.get("properties", {}).items():
        required = name in schema.get("required", []) or any(
            name in branch.get("required", []) for branch in schema.get("oneOf", [])
        )
        for path, part, optional in parts(each, f"{where}.{name}"):
            yield path, part, (not required if path == f"{where}.{name}" else optional)
    for pattern, each in schema.get("patternProperties", {}).items():
        yield from parts(each, f"{where}.<{pattern}>")
    if "items" in schema:
        yield from parts(schema["items"], f"{where}[]")
    for number, each in enumerate(schema.get("anyOf", [])):
        yield from parts(each, f"{where}|{number}")


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for each in schema.values():
            yield from subschemas(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from subschemas(each)


@pytest.mark.parametrize("name", NAMES)
def test_the_files_are_what_the_code_says(name: str) -> None:
    assert resources.schema_text(name) == as_text(generate(name)), "run `python -m outscore.schema`"


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_schema_of_draft_07_in_the_part_that_editors_enforce(name: str) -> None:
    schema = generate(name)
    Draft7Validator.check_schema(schema)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    for each in subschemas(schema):
        assert not {"$ref", "unevaluatedProperties", "definitions", "multipleOf", "format"} & each.keys()
        assert each.get("type") != "null"
        # Nobody writes results by hand; in what people write nothing may be empty.
        assert name == "score" or not (isinstance(each.get("type"), list) and "null" in each["type"])
    assert name == "score" or "null" not in as_text(schema).replace("(null)", "")


@pytest.mark.parametrize("name", NAMES)
def test_every_mapping_is_closed(name: str) -> None:
    for where, part, _ in parts(generate(name)):
        # What a result was before may have been written by any version.
        if "object" in str(part.get("type", "")) and not where.endswith("rescored.old"):
            assert part.get("additionalProperties") is False, where


@pytest.mark.parametrize("name", NAMES)
def test_every_key_is_explained(name: str) -> None:
    for where, part, is_optional in parts(generate(name)):
        if "title" not in part:
            # Plain items of a list, and numbers by measure, are explained by what holds them.
            assert where.endswith(("[]", "<^[a-z][a-z0-9_]*$>")) or "|" in where, where
            continue
        words = part["description"]
        assert words.endswith("."), where
        assert part["examples"], where
        if name == "ruleset" and is_optional and "default" not in part and ".tests" not in where:
            told = ("ithout", "Needed with", "comes together", "exactly one", "charge so far")
            assert any(each in words for each in told), f"{where}: say what leaving it out means"


@pytest.mark.parametrize("name", NAMES)
def test_examples_and_defaults_are_valid(name: str) -> None:
    for where, part, _ in parts(generate(name)):
        validator = Draft7Validator(part)
        for example in [*part.get("examples", []), *([part["default"]] if "default" in part else [])]:
            # `2026` would be no text, nor 0.5 an id: each example fits its own key.
            assert list(validator.iter_errors(example)) == [], where


def scored() -> dict[str, Any]:
    names = ["uplift", "adjusted_uplift", "contact_cost", "score", "floored_score"]
    return {
        "run": "r-0017",
        "scenario": "claims_intake",
        "task": "claims_intake/base",
        "agent": "model-a",
        **dict.fromkeys(names, 0.5),
        "resolved": False,
        "incidents": ["outage"],
        "warnings": [],
        "exact": {**dict.fromkeys(names, "1/2"), "score": "-1/40"},
        "account": [
            {
                "event": 1,
                "type": "contact",
                "to": "head_of_claims",
                "nth": 1,
                "amount": 0.02,
                "exact": "1/50",
                "steps": [
                    {"rule": "contacts.people.head_of_claims.price", "price": "1/100", "amount": "1/100"},
                    {"rule": "contacts.restrictions.after_hours", "plus": "1/100", "amount": "1/50"},
                ],
            },
            {"event": 2, "type": "contact", "to": "sponsor", "amount": 0.0, "exact": "0", "free": "unanswered"},
            {
                "event": 3,
                "type": "wait",
                "nth": 1,
                "hours": "36",
                "amount": 0.005,
                "exact": "1/200",
                "steps": [{"rule": "waiting.price_per_day", "price": "1/200", "amount": "1/200"}],
            },
        ],
        "ruleset": "sha256:" + "0" * 64,
        "engine": "0.1.0",
    }


def test_the_score_schema_takes_each_kind_of_line_and_no_mixture() -> None:
    is_valid = Draft7Validator(generate("score")).is_valid
    score = scored()
    error = {"code": "bad-time", "path": "$.events[0].at", "message": "no time"}
    assert is_valid(score)
    assert is_valid({name: each for name, each in score.items() if name != "agent"})
    assert is_valid({"run": "r-1", "void": "grader timed out"})
    assert is_valid({"run": "r-1", "input": {"file": "runs.jsonl", "line": 12}, "error": error})
    assert is_valid({"input": {"file": "runs.jsonl", "line": 12}, "error": error})
    rescored = {"from": None, "to": score["ruleset"], "old": {"run": "r-1", "void": "lost"}}
    assert is_valid({**score, "rescored": rescored})
    assert not is_valid({**score, "rescored": {**rescored, "from": "none"}})
    assert not is_valid({**score, "void": "lost"})
    assert not is_valid({**score, "error": error})
    assert not is_valid({**score, "extra": 1})
    assert not is_valid({name: each for name, each in score.items() if name != "exact"})
    assert not is_valid({"void": "lost"})


RUN: dict[str, Any] = {
    "run": "r-0017",
    "scenario": "claims_intake",
    "task": "claims_intake/base",
    "agent": "model-a",
    "kpi": {"delivered": {"recovered": 4300.5, "refunds": 400, "missed_urgent": 0}},
    "incidents": ["outage"],
    "data": "sha256:9c1f",
    "events": [
        {"type": "contact", "to": "head_of_claims", "at": "2026-03-02T19:10", "channel": "chat"},
        {"type": "contact", "to": "sponsor", "answered": False},
        {"type": "trial"},
        {"type": "wait", "hours": 36},
    ],
}


def changed(data: Any, path: tuple[str | int, ...], value: object) -> Any:
    """A copy of the data with another value at the path; Ellipsis takes the key out."""
    out = copy.deepcopy(data)
    at = out
    for step in path[:-1]:
        at = at[step]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return out


BAD_RUNS: list[tuple[tuple[str | int, ...], object]] = [
    (("run",), ...),
    (("scenario",), ...),
    (("kpi",), ...),
    (("kpi", "delivered"), ...),
    (("kpi", "delivered", "recovered"), "4300"),
    (("kpi", "delivered", "recovered"), True),
    (("kpi", "delivered", "recovered"), None),
    (("kpi", "expert"), 3),
    (("extra",), 1),
    (("void",), "lost"),
    (("task",), None),
    (("incidents",), "outage"),
    (("data",), {"delivred": "x"}),
    (("events", 0, "to"), ...),
    (("events", 0, "hours"), 2),
    (("events", 0, "at"), "2026-03-02 19:10"),
    (("events", 1, "answered"), "no"),
    (("events", 2, "to"), "sponsor"),
    (("events", 2, "type"), "trail"),
    (("events", 3, "hours"), ...),
    (("events", 3, "hours"), -1),
    (("events", 3, "answered"), True),
    (("events", 3, "Channel"), "chat"),
]


@pytest.mark.parametrize(("path", "value"), BAD_RUNS)
def test_the_run_schema_refuses(path: tuple[str | int, ...], value: object) -> None:
    assert not Draft7Validator(generate("run")).is_valid(changed(RUN, path, value))


@pytest.mark.parametrize(
    "run",
    [
        RUN,
        {"run": "r", "scenario": "s", "kpi": {"baseline": 1, "delivered": -2.5, "reference": 3}},
        {"run": "r", "scenario": "s", "void": "grader timed out"},
        changed(RUN, ("data",), {"baseline": "a", "delivered": "a", "reference": "a"}),
        changed(RUN, ("events", 0, "at"), "2026-03-02T19:10:07.25+01:00"),
        changed(RUN, ("events", 2, "urgent"), True),
    ],
)
def test_the_run_schema_takes(run: object) -> None:
    assert list(Draft7Validator(generate("run")).iter_errors(run)) == []


def claims_plan(**changes: Any) -> Plan:
    price = plan.Person(Fraction(1, 100))
    parts_of_it: dict[str, Any] = {
        "scenario": "claims_intake",
        "digest": "",
        "timezone": None,
        "kpi": plan.Kpi(
            "higher",
            ("recovered", "refunds", "missed_urgent"),
            plan.Name("recovered", "number"),
            dict.fromkeys(("recovered", "refunds", "missed_urgent"), Fraction(0)),
            dict.fromkeys(("recovered", "refunds", "missed_urgent"), Fraction(1)),
        ),
        "fields": {"channel": ("chat", "mail"), "minutes": "number", "urgent": "boolean", "subject": "text"},
        "contacts": plan.Contacts({"head_of_claims": price, "sponsor": price}, None, ()),
        "trials": plan.Trials(False, (), ()),
        "waiting": plan.Waiting(False, Fraction(0), Fraction(0), ()),
        "incidents": {"outage": None},
    }
    return Plan(**{**parts_of_it, **changes})


def fits(run: object, **changes: Any) -> bool:
    schema = run_schema_for(claims_plan(**changes))
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema).is_valid(run)


def test_a_scenarios_run_schema_knows_its_names() -> None:
    assert fits(RUN)
    assert fits({"run": "r", "scenario": "claims_intake", "void": "lost"})
    assert fits(changed(RUN, ("incidents",), ["something_else"]))
    assert fits(changed(RUN, ("events", 0, "subject"), "anything"))
    for path, value in BAD_RUNS:
        assert not fits(changed(RUN, path, value)), path
    for path, value in [
        (("scenario",), "claims"),
        (("kpi", "delivered"), 7),
        (("kpi", "delivered", "refunds"), ...),
        (("kpi", "delivered", "gain"), 7),
        (("events", 0, "to"), "cheif"),
        (("events", 0, "channel"), "fax"),
        (("events", 0, "chanel"), "chat"),
        (("events", 2, "minutes"), "7"),
        (("events", 2, "urgent"), 1),
        (("events", 2, "subject"), 1),
    ]:
        assert not fits(changed(RUN, path, value)), path


def test_a_scenarios_run_schema_follows_its_sections() -> None:
    anyone = plan.Contacts({}, plan.Person(Fraction(0)), ())
    assert fits(changed(RUN, ("events", 0, "to"), "a stranger"), contacts=anyone)
    assert not fits(RUN, contacts=None)
    assert not fits(RUN, trials=None)
    assert not fits(RUN, waiting=None)
    assert fits(changed(RUN, ("events",), []), contacts=None, trials=None, waiting=None)
    plain = plan.Kpi("lower", (), None, None, None)
    three = {"baseline": 3, "delivered": 2, "reference": 1}
    assert fits(changed(RUN, ("kpi",), three), kpi=plain)
    assert not fits(changed(RUN, ("kpi",), {"delivered": 2}), kpi=plain)
    assert not fits(RUN, kpi=plain)


BASE: dict[str, Any] = {
    "outscore": 1,
    "scenario": "demo",
    "title": "Demo",
    "timezone": "UTC",
    "x-held": {"price": 1},
    "kpi": {
        "name": "Gain",
        "direction": "higher",
        "measures": ["gain", "loss"],
        "formula": "gain - loss",
        "pinned": {"baseline": {"gain": 1, "loss": 0}, "reference": {"gain": Decimal("2.5"), "loss": 0}},
    },
    "fields": {"channel": ["chat", "mail"], "minutes": "number"},
    "contacts": {
        "people": {"chief": {"role": "x", "price": Decimal("0.1"), "patience": 2, "past_patience": {"times": 3}}},
        "anyone_else": {"price": 0},
        "restrictions": [
            {"id": "a", "why": "x", "when": "nth > 1", "charge": {"plus": Decimal("-0.1")}},
            {"id": "b", "charge": {"price": "0.1 * nth"}},
        ],
    },
    "trials": {"count": True, "prices": [0, Decimal("0.5")], "restrictions": []},
    "waiting": {"count": True, "price_per_day": 1, "free_days": 2},
    "incidents": {"outage": {"why": "x"}, "worse": {"when": "delivered.gain < 0"}},
    "tests": [
        {
            "name": "t",
            "run": {
                "task": "demo/base",
                "kpi": {"delivered": {"gain": 1, "loss": 0}, "baseline": 3},
                "incidents": ["outage"],
                "data": "x",
                "events": [
                    {"type": "contact", "to": "chief", "at": "2026-03-02T10:00", "channel": "chat"},
                    {"type": "wait", "hours": 3},
                    {"type": "trial"},
                ],
            },
            "expect": {"score": 1, "resolved": True, "charges": [0], "exact": {"uplift": "1/3"}, "warnings": []},
        }
    ],
}
OTHERS: list[object] = [
    ..., None, True, False, "", "text", "Bad Id", "id\n", "0.5", " 1e2 ", "number", 0, 1, 3, -1, Decimal("0.5"),
    Decimal("2.0"), Decimal("-0.5"), [], [1], ["a"], ["a", "a"], [None], {}, {"a": 1}, {"A": 1}, {"price": 1},
    {"price": 1, "plus": 1}, {"price": None}, {"count": False}, {"count": True}, {"delivered": 1}, {"baseline": "x"},
]  # fmt: skip


def paths(data: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, each in items:
        yield (*path, step)
        yield from paths(each, (*path, step))


def corpus() -> Iterator[tuple[str, Any]]:
    """The document with each of its values replaced, taken out, or given a neighbour."""
    for path in paths(BASE):
        # One and the same selection in every run; the seed is the path.
        chosen = random.Random(str(path)).sample(OTHERS, 12)
        for other in [..., None, *chosen]:
            if other is ... and isinstance(path[-1], int):
                continue
            yield f"{path} <- {other!r}", changed(BASE, path, other)
        if isinstance(path[-1], str):
            yield f"{path} and a neighbour", changed(BASE, (*path[:-1], "zzz"), 1)
            yield f"{path} and a capital", changed(BASE, (*path[:-1], "Zzz"), "number")


def test_schema_and_model_agree_on_shape() -> None:
    is_valid = checking._validator().is_valid
    taken = refused = 0
    for name, data in [("base", BASE), *corpus()]:
        by_schema = is_valid(data)
        try:
            Ruleset.model_validate(data)
            by_model = True
        except ValidationError:
            by_model = False
        assert by_schema == by_model, name
        taken, refused = taken + by_schema, refused + (not by_schema)
    assert taken > 100
    assert refused > 300


def findings(text: str) -> list[Diagnostic]:
    document, problems = read_document(text.encode(), "r.yaml")
    assert document is not None, problems
    return check_shape(document)


HEAD = "outscore: 1\nscenario: demo\nkpi: {direction: higher}\n"


def test_a_finding_has_its_code_place_path_and_hint() -> None:
    (found,) = findings(HEAD + "contacts:\n  people:\n    chief: {price: 1, pateince: 2}\n")
    assert found.code is Code.UNKNOWN_KEY
    assert found.path == ("contacts", "people", "chief", "pateince")
    assert found.span is not None
    assert (found.span.line, found.span.column, found.span.end_column) == (6, 23, 31)
    assert found.hint == "did you mean 'patience'?"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("contacts: {people: {'chief\\n': {price: 1}}}".replace("'", '"'), ("contacts", "people", "chief\n")),
        ('incidents: {"outage\\n": {}}', ("incidents", "outage\n")),
        ('fields: {"a\\n": number}', ("fields", "a\n")),
    ],
)
def test_an_id_ends_at_its_very_end(text: str, path: tuple[str, ...]) -> None:
    (found,) = findings(HEAD + text + "\n")
    assert (found.code, found.path) == (Code.BAD_ID, path)


@pytest.mark.parametrize("number", ["2", "2.0", "2e0", "20e-1"])
def test_a_whole_number_can_be_written_in_any_way(number: str) -> None:
    assert not findings(
        HEAD + f"contacts: {{anyone_else: {{price: 0, patience: {number}, past_patience: {{plus: 1}}}}}}\n"
    )


def test_a_missing_key_is_not_reported_beside_its_misspelling() -> None:
    (found,) = findings(HEAD + "contacts: {people: {chief: {pirce: 0.1}}}\n")
    assert found.code is Code.UNKNOWN_KEY


def test_no_message_is_jsonschemas_own() -> None:
    by_key = ("additionalProperties", "required", "dependencies", "oneOf", "uniqueItems", "not")
    count = 0
    for name, data in islice(corpus(), 0, None, 3):
        for misfit in checking._misfits(checking._validator().iter_errors(data)):
            if misfit.keyword not in by_key:
                assert misfit.message not in checking._value(misfit).message, name
                count += 1
    assert count > 100


def test_an_unknown_schema_is_named() -> None:
    with pytest.raises(ValueError, match="there are: ruleset, run, score"):
        generate("scores")


def test_shipped_files_are_found_and_missing_ones_named() -> None:
    assert (resources.ruleset_folder() / "claims_intake.yaml") in resources.shipped_rulesets()
    with pytest.raises(resources.ResourceMissingError, match="there are: ruleset, run, score"):
        resources.schema_text("scores")


def test_the_copy_inside_the_package_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside, beside = tmp_path / "site" / "outscore" / "schemas", tmp_path / "schemas"
    for folder in (inside, beside):
        folder.mkdir(parents=True)
    monkeypatch.setattr(resources, "_PACKAGE", inside.parent)
    assert resources.schema_folder() == inside
    inside.rmdir()
    assert resources.schema_folder() == beside
    beside.rmdir()
    with pytest.raises(resources.ResourceMissingError, match="'schemas' is missing"):
        resources.schema_folder()


def test_the_schemas_are_json_without_surprises() -> None:
    for name in NAMES:
        assert json.loads(resources.schema_text(name)) == generate(name)
