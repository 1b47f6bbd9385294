"""What a run may carry -> the JSON Schema of a run: of any scenario, of one scenario, of a ruleset's own test.

Runs are read by the strict reader of `run`, which owns every message; this is for editors and harnesses.
"""

from __future__ import annotations

from collections.abc import Mapping

from outscore.plan import FieldType, Plan
from outscore.schema.parts import (
    AMOUNT,
    FLAG,
    ID,
    NUMBER,
    TIME,
    WORDS,
    Schema,
    key,
    list_of,
    mapping,
    number_or_each,
)

_SYSTEMS = ("baseline", "delivered", "reference")
_EVENTS = ("contact", "trial", "wait")


def run_schema() -> Schema:
    """The schema of a run of any scenario: names are open, shapes are not."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "outscore run",
        "description": "One attempt at a scenario: what was measured, what happened, and whom it cost time.",
        **_run(_kpi(number_or_each(), ["delivered"]), _event(WORDS, _any_fields(), _EVENTS), WORDS),
        "examples": [
            {"run": "r-0017", "scenario": "claims_intake", "kpi": {"baseline": 100, "delivered": 130, "reference": 140}}
        ],
    }


def test_run_schema() -> Schema:
    """The schema of a run inside a ruleset's test: neither void nor in need of names."""
    whole = _run(_kpi(number_or_each(), ["delivered"]), _event(WORDS, _any_fields(), _EVENTS), WORDS)
    properties = {name: each for name, each in whole["properties"].items() if name != "void"}
    return mapping(properties, required=["kpi"])


def run_schema_for(plan: Plan) -> Schema:
    """The strict schema of one scenario's runs: its people, fields and measures, and no others."""
    needed = [
        system
        for system, pinned in zip(_SYSTEMS, (plan.kpi.pinned_baseline, None, plan.kpi.pinned_reference), strict=True)
        if pinned is None
    ]
    values = number_or_each(_measures(plan.kpi.measures)) if plan.kpi.measures else NUMBER
    contacts = plan.contacts
    events = [
        kind
        for kind, section in zip(_EVENTS, (contacts, plan.trials, plan.waiting), strict=True)
        if section is not None
    ]
    people: Schema = WORDS
    if contacts is not None and contacts.anyone_else is None and contacts.people:
        people = {"type": "string", "enum": sorted(contacts.people)}
    scenario = {"type": "string", "enum": [plan.scenario]}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"outscore run of {plan.scenario}",
        "description": f"One attempt at the scenario {plan.scenario}.",
        **_run(_kpi(values, needed), _event(people, _fields(plan.fields), events), scenario),
    }


def _run(kpi: Schema, event: Schema, scenario: Schema) -> Schema:
    data = mapping(
        {
            system: key(f"Data of {system}", f"What the {system} value was measured on.", WORDS, "sha256:9c1f")
            for system in _SYSTEMS
        }
    )
    scenario_example = scenario.get("enum", ["claims_intake"])[0]
    return mapping(
        {
            "run": key("Run", "The run's id, which the score repeats.", WORDS, "r-0017"),
            "scenario": key(
                "Scenario", "The id of the scenario whose ruleset scores the run.", scenario, scenario_example
            ),
            "task": key(
                "Task",
                "The task within the scenario, over whose runs averages are taken. Without it, the scenario's id.",
                WORDS,
                "claims_intake/base",
            ),
            "agent": key("Agent", "Who made the run; summaries compare agents. It changes no score.", WORDS, "model-a"),
            "kpi": kpi,
            "incidents": key(
                "Incidents",
                "Ids of incidents that happened. One the ruleset does not know counts all the same, with a warning.",
                list_of(WORDS),
                ["outage"],
                default=[],
            ),
            "data": key(
                "Data",
                "What the values were measured on: one text, or one for each of the three, which must be equal. "
                "Without it nothing is compared.",
                {**data, "type": ["string", "object"], "minLength": 1, "minProperties": 1},
                "sha256:9c1f",
            ),
            "events": key(
                "Events",
                "What the agent did that may cost: contacts, trials and waits, in the order they happened.",
                list_of(event),
                [{"type": "contact", "to": "head_of_claims", "at": "2026-03-02T10:00"}],
                default=[],
            ),
            "void": key(
                "Void",
                "Why the machinery lost this run. It is then not scored, and stays in the count of runs. Without it "
                "the run is scored.",
                WORDS,
                "grader timed out",
            ),
        },
        required=["run", "scenario"],
        exactly_one=["kpi", "void"],
    )


def _kpi(values: Schema, needed: list[str]) -> Schema:
    numbers = {"baseline": 100, "delivered": 130, "reference": 140}
    names = values.get("properties")
    examples = {system: dict.fromkeys(names, number) if names else number for system, number in numbers.items()}
    return key(
        "KPI",
        "The customer's number, measured on the same held-out data for each system. Values that the ruleset pins may "
        "be left out.",
        mapping(
            {
                "baseline": key("Baseline", "The unchanged system, an uplift of 0.", values, examples["baseline"]),
                "delivered": key("Delivered", "The system as the agent left it.", values, examples["delivered"]),
                "reference": key("Reference", "The expert's system, an uplift of 1.", values, examples["reference"]),
            },
            required=needed,
        ),
        examples,
    )


def _event(people: Schema, fields: Mapping[str, Schema], kinds: list[str] | tuple[str, ...]) -> Schema:
    person_example = people.get("enum", ["head_of_claims"])[0]
    open_fields = {name: each for name, each in fields.items() if name == ID}
    properties = {
        "type": key(
            "Type", "What happened; it decides which rules apply.", {"type": "string", "enum": list(kinds)}, *kinds
        ),
        "at": key(
            "Time",
            "When it happened; `Z` or `+01:00` at the end if it carries an offset. Rules that read the hour need it; "
            "without it they are an error for the run.",
            {"type": "string", "pattern": TIME},
            "2026-03-02T09:10",
            "2026-03-02T09:10:00Z",
        ),
        "to": key("To", "Whom the contact went to. Only contacts carry it, and need it.", people, person_example),
        "answered": key(
            "Answered",
            "Whether the person answered. A contact without answer is free and uses up nobody's patience. Only "
            "contacts carry it.",
            FLAG,
            False,
            default=True,
        ),
        "hours": key("Hours", "How long the wait took. Only waits carry it, and need it.", AMOUNT, 36),
        **{name: each for name, each in fields.items() if name != ID},
    }
    return {
        "title": "Event",
        "description": "A contact, a trial or a wait, with the fields that rules read.",
        **mapping(properties, required=["type"], patterns=open_fields),
        "allOf": [
            _only("contact", needs=["to"], never=["hours"]),
            _only("trial", needs=[], never=["to", "answered", "hours"]),
            _only("wait", needs=["hours"], never=["to", "answered"]),
        ],
        "examples": [{"type": "contact", "to": person_example}, {"type": "wait", "hours": 36}],
    }


def _only(kind: str, needs: list[str], never: list[str]) -> Schema:
    then: Schema = {"properties": dict.fromkeys(never, False)}
    if needs:
        then["required"] = needs
    return {"if": {"properties": {"type": {"enum": [kind]}}, "required": ["type"]}, "then": then}


def _measures(names: tuple[str, ...]) -> dict[str, Schema]:
    return {name: key(name, f"The measured value of {name}.", NUMBER, 10) for name in names}


def _any_fields() -> dict[str, Schema]:
    return {
        ID: {
            "title": "Field",
            "description": "A field that the scenario's ruleset declares, for its rules to read.",
            "type": ["number", "string", "boolean"],
            "examples": ["chat", 30, True],
        }
    }


def _fields(fields: Mapping[str, FieldType]) -> dict[str, Schema]:
    kinds: dict[str, tuple[Schema, object]] = {
        "number": (NUMBER, 30),
        "text": ({"type": "string"}, "chat"),
        "boolean": (FLAG, True),
    }
    out = {}
    for name, holds in fields.items():
        kind, example = kinds[holds] if isinstance(holds, str) else ({"type": "string", "enum": [*holds]}, holds[0])
        out[name] = key(name, f"The event's {name}, for rules to read.", kind, example)
    return out
