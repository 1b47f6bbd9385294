"""Nothing -> the JSON Schema of a ruleset's own test: its run, and what is expected of the run's score.

The model of the same shapes stands in `ruleset.cases`; comparing is `casetest`'s.
"""

from __future__ import annotations

from typing import Final

from outscore.diagnostics import Code
from outscore.schema.parts import FLAG, NUMBER, POSITION, WORDS, Schema, key, list_of, mapping

REFUSALS: Final = (
    Code.BAD_TIME,
    Code.BAD_VALUE,
    Code.DATA_MISMATCH,
    Code.DIVISION_BY_ZERO,
    Code.MISSING_KEY,
    Code.MISSING_VALUE,
    Code.MIXED_TIMES,
    Code.NEGATIVE_CHARGE,
    Code.NO_TIMEZONE,
    Code.PINNED_MISMATCH,
    Code.REFERENCE_NOT_BETTER,
    Code.RESULT_TOO_LARGE,
    Code.TIME_ORDER,
    Code.UNEXPECTED_EVENT,
    Code.UNKNOWN_KEY,
    Code.UNKNOWN_PERSON,
    Code.WRONG_SCENARIO,
    Code.WRONG_TYPE,
)
"""The codes that a test's run can be refused with; what other codes say of runs is found when the ruleset is loaded."""

FREE: Final = ("unanswered", "not counted")
"""Why an event is free, as accounts say it."""

EVENTS: Final = ("contact", "trial", "wait")
"""What events there are."""

FRACTION: Final = "^-?[0-9]{1,1000}(/[1-9][0-9]{0,999})?$"
"""The pattern of an expected fraction; longer ones Python would not read."""

_EXACT: Final[Schema] = {"type": "string", "pattern": FRACTION}
_EXACTLY: Final[Schema] = {"type": ["number", "string"], "pattern": FRACTION}
"""A number, or in quotes a fraction that no decimal can write."""


def test_schema() -> Schema:
    """The schema of one test."""
    # Imported here: the model of tests asks this module for names alone.
    from outscore.schema.run import test_run_schema

    return {
        "title": "Test",
        "description": "One run, and what it must come to.",
        **mapping(
            {
                "name": key("Name", "What the test shows, in words.", WORDS, "an expert who asked twice resolves"),
                "run": key(
                    "Run",
                    "A run as a harness would report it; `run` and `scenario` may be left out.",
                    test_run_schema(),
                    {"kpi": {"delivered": 5000}, "events": [{"type": "trial"}]},
                ),
                "expect": key(
                    "Expected",
                    "What of the run's score must come out, compared exactly; at least one key.",
                    _expected(),
                    {"score": 0.98, "resolved": True},
                    {"error": "unknown-person"},
                ),
            },
            required=["name", "run", "expect"],
        ),
        "examples": [
            {"name": "nothing changed", "run": {"kpi": {"delivered": 5}}, "expect": {"uplift": 0, "resolved": False}}
        ],
    }


def _expected() -> Schema:
    exact = {
        each: key(f"Exact {each}", f"The exact {each} as a fraction.", _EXACT, "4/5")
        for each in ("uplift", "adjusted_uplift", "contact_cost", "score", "floored_score")
    }
    ids = list_of(WORDS)
    expected = {
        "uplift": key("Uplift", "(D - B) / (R - B): 0 changed nothing, 1 is the expert.", NUMBER, 0.5),
        "adjusted_uplift": key("Adjusted uplift", "The uplift, its gain erased by an incident.", NUMBER, 0),
        "contact_cost": key("Contact cost", "The sum of all charges, trials and waits included.", NUMBER, 0.02),
        "score": key("Score", "Adjusted uplift minus contact cost.", NUMBER, 0.98),
        "floored_score": key("Floored score", "The score as averages take it.", NUMBER, -1.02),
        "resolved": key("Resolved", "Whether the run resolves.", FLAG, True),
        "incidents": key("Incidents", "The ids of the incidents, those reported first.", ids, ["outage"]),
        "warnings": key("Warnings", "The warnings, as the score words them.", list_of(WORDS), []),
        "exact": key(
            "Exact values",
            "Expected values that no decimal can write, as fractions.",
            {**mapping(exact), "minProperties": 1},
            {"uplift": "1/3"},
        ),
        "charges": key("Charges", "The amount of every event, in order.", list_of(_EXACTLY), [0.01, 0], ["1/2400"]),
        "account": key(
            "Account",
            "Events and their charges, as the score's account lists them; of each, only what is written is compared.",
            list_of(_charge(), at_least=1),
            [{"event": 2, "amount": 0.03, "steps": [{"rule": "contacts.restrictions.after_hours"}]}],
        ),
        "error": key(
            "Error",
            "The code that the run must be refused with. Such a run has no score, so nothing else can be expected.",
            {"type": "string", "enum": [str(code) for code in REFUSALS]},
            "unknown-person",
        ),
    }
    return {
        **mapping(expected),
        "minProperties": 1,
        "if": {"required": ["error"]},
        "then": {"maxProperties": 1},
    }


def _charge() -> Schema:
    return {
        "title": "Charge",
        "description": "One event of the run: the one numbered by `event`, else the one after the charge before.",
        **mapping(
            {
                "event": key(
                    "Event", "Which event this is, from 1. Without it: the one after the charge before.", POSITION, 3
                ),
                "type": key("Type", "What happened.", {"type": "string", "enum": list(EVENTS)}, *EVENTS),
                "to": key("To", "Whom the contact went to.", WORDS, "head_of_claims"),
                "nth": key(
                    "Ordinal",
                    "Which of this person's answered contacts it is, or which of the trials or waits.",
                    POSITION,
                    5,
                ),
                "hours": key("Hours", "The wait's own hours.", _EXACTLY, 36),
                "amount": key("Amount", "What the event is charged.", _EXACTLY, 0.03, "1/2400"),
                "exact": key("Exact amount", "The amount as a fraction, as accounts write it.", _EXACT, "3/100"),
                "free": key(
                    "Free", "Why nothing is charged, if so.", {"type": "string", "enum": list(FREE)}, "unanswered"
                ),
                "steps": key(
                    "Steps",
                    "Rules that must have had a part in the charge; there may be others.",
                    list_of(_step(), at_least=1),
                    [{"rule": "contacts.restrictions.after_hours", "plus": 0.01}],
                ),
            }
        ),
        "minProperties": 1,
        "examples": [{"to": "head_of_claims", "nth": 5, "amount": 0.03}],
    }


def _step() -> Schema:
    return {
        "title": "Step",
        "description": "One rule's part in the charge; only what is written is compared.",
        **mapping(
            {
                "rule": key(
                    "Rule",
                    "Which rule, as accounts name it.",
                    WORDS,
                    "contacts.people.head_of_claims.price",
                    "contacts.restrictions.after_hours",
                ),
                "price": key("Price", "The price that the rule set.", _EXACTLY, 0.01),
                "times": key("Factor", "The factor that the rule multiplied by.", _EXACTLY, 3),
                "plus": key("Addition", "The amount that the rule added.", _EXACTLY, 0.01),
                "amount": key("Running amount", "The charge after this rule.", _EXACTLY, 0.02),
            },
            required=["rule"],
        ),
        "examples": [{"rule": "contacts.restrictions.after_hours", "plus": 0.01}],
    }
