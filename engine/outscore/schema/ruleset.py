"""Format 1 -> the JSON Schema of a ruleset: every key, and what it does to the score.

What a schema cannot say (expressions, names, that the reference beats the baseline) is checked further on.
"""

from __future__ import annotations

from outscore.schema.cases import test_schema
from outscore.schema.parts import (
    AN_ID,
    TEXT,
    WORDS,
    Schema,
    by_id,
    key,
    list_of,
    mapping,
    number_or_each,
)
from outscore.schema.sections import contacts, trials, waiting


def ruleset_schema() -> Schema:
    """The schema of a ruleset, format 1."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "outscore ruleset",
        "description": "One scenario's rules: the customer's number, who may be asked at what price, what trials and "
        "waiting cost, and what counts as an incident. The formula itself is fixed and has no keys here.",
        **mapping(
            {
                "outscore": key(
                    "Format version",
                    "The version of the ruleset format, 1. It changes no score.",
                    {"type": "integer", "enum": [1]},
                    1,
                ),
                "scenario": key(
                    "Scenario",
                    "The scenario's id: lower-case letters, digits and _, a letter first. A run names it, and is "
                    "scored only by the ruleset of its own scenario.",
                    AN_ID,
                    "claims_intake",
                ),
                "title": key(
                    "Title",
                    "The scenario's name for people. It changes no score.",
                    TEXT,
                    "Straight-through claims intake",
                    default="",
                ),
                "description": key(
                    "Description",
                    "What the customer does, and what its number means. It changes no score.",
                    TEXT,
                    "The customer pays simple claims by hand.",
                    default="",
                ),
                "timezone": key(
                    "Time zone",
                    "The customer's time zone, by its IANA name: `hour`, `minute` and `weekday` are read on its wall "
                    "clock. Needed when runs carry times with an offset; without it only times without offset are "
                    "taken, as they stand.",
                    WORDS,
                    "Europe/Berlin",
                    "America/New_York",
                ),
                "kpi": _kpi(),
                "fields": key(
                    "Fields",
                    "Further attributes that events carry and rules may read, each with what it holds. Any other "
                    "attribute of an event is an error.",
                    by_id(_field()),
                    {"channel": ["chat", "mail", "call"], "minutes": "number"},
                    default={},
                ),
                "contacts": contacts(),
                "trials": trials(),
                "waiting": waiting(),
                "incidents": key(
                    "Incidents",
                    "What must not happen, by id. An incident erases every gain, keeps every harm, and the run does "
                    "not resolve; contact costs still come off.",
                    by_id(_incident()),
                    {"outage": {"why": "Intake was down."}},
                    default={},
                ),
                "tests": key(
                    "Tests",
                    "Runs with the score that these rules must give them, kept beside the rules. They change no score.",
                    list_of(test_schema()),
                    [
                        {
                            "name": "the expert resolves",
                            "run": {"kpi": {"baseline": 0, "delivered": 10, "reference": 10}},
                            "expect": {"score": 1, "resolved": True},
                        }
                    ],
                    default=[],
                ),
            },
            required=["outscore", "scenario", "kpi"],
            patterns={
                "^x-": {
                    "title": "Holder",
                    "description": "A place for YAML anchors that rules refer to. It changes no score.",
                    "examples": [{"price": 0.01}],
                }
            },
        ),
        "examples": [{"outscore": 1, "scenario": "claims_intake", "kpi": {"direction": "higher"}}],
    }


def _kpi() -> Schema:
    values = number_or_each()
    pinned = mapping(
        {
            "baseline": key(
                "Pinned baseline",
                "The value of the unchanged system, from which every uplift counts: a number, or one per measure.",
                values,
                100,
                {"recovered": 1500, "refunds": 600},
            ),
            "reference": key(
                "Pinned reference",
                "The value that the expert achieved, an uplift of 1; it must be better than the baseline.",
                values,
                140,
                {"recovered": 5000, "refunds": 400},
            ),
        },
        required=["baseline", "reference"],
    )
    return key(
        "KPI",
        "The customer's own number, which the score is about.",
        mapping(
            {
                "name": key("Name", "What the number is called. It changes no score.", TEXT, "Net benefit", default=""),
                "unit": key(
                    "Unit", "What the number is counted in. It changes no score.", TEXT, "EUR per week", default=""
                ),
                "direction": key(
                    "Direction",
                    "Which way the number is better: a delivered value that lies this way from the baseline is a "
                    "positive uplift.",
                    {"type": "string", "enum": ["higher", "lower"]},
                    "higher",
                    "lower",
                ),
                "measures": key(
                    "Measures",
                    "The raw values that a run reports for each system, from which `formula` makes the KPI; incident "
                    "rules may read them too. Without measures a run reports the KPI itself.",
                    list_of(AN_ID, at_least=1, distinct=True),
                    ["recovered", "refunds"],
                ),
                "formula": key(
                    "KPI formula",
                    "An expression over the measures that gives the KPI. It comes together with `measures`; without "
                    "both a run reports the KPI itself.",
                    TEXT,
                    "recovered - 0.5 * refunds",
                ),
                "pinned": key(
                    "Pinned values",
                    "The baseline and the reference, fixed for every run, in the form that runs report them. Runs then "
                    "need report only what was delivered. Without it each run reports all three.",
                    pinned,
                    {"baseline": 100, "reference": 140},
                ),
            },
            required=["direction"],
            together=[("measures", "formula")],
        ),
        {"name": "Net benefit", "unit": "EUR per week", "direction": "higher"},
    )


def _field() -> Schema:
    return {
        "title": "Field",
        "description": "What the field holds: `number`, `text`, `boolean`, or the list of texts that it may be. A rule "
        "that compares it with anything else is an error when the ruleset is loaded.",
        "anyOf": [
            {"type": "string", "enum": ["number", "text", "boolean"]},
            list_of(TEXT, at_least=1, distinct=True),
        ],
        "examples": ["number", ["chat", "mail", "call"]],
    }


def _incident() -> Schema:
    return key(
        "Incident",
        "One thing that must not happen.",
        mapping(
            {
                "why": key(
                    "Why",
                    "What happened, for people to read. It changes no score.",
                    TEXT,
                    "An urgent claim was rejected automatically.",
                    default="",
                ),
                "when": key(
                    "Condition",
                    "An expression over the measured values: the incident happened if it is true. Without it, it "
                    "happened if the run reports it by name (a run may report the others too).",
                    TEXT,
                    "delivered.missed_urgent > 0",
                ),
            }
        ),
        {"why": "Intake was down."},
        {"when": "delivered.missed_urgent > 0"},
    )
