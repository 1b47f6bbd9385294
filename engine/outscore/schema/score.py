"""What `outscore score --format jsonl` prints -> the JSON Schema of one line: a score, a void run, or an error."""

from __future__ import annotations

from outscore.schema.parts import (
    AMOUNT,
    EXACT,
    FLAG,
    NUMBER,
    POSITION,
    TEXT,
    WORDS,
    Schema,
    key,
    list_of,
    mapping,
)

_FIGURES = {
    "uplift": ("Uplift", "(D - B) / (R - B): 0 changed nothing, 1 is the expert, below 0 made it worse."),
    "adjusted_uplift": ("Adjusted uplift", "The uplift; after an incident its gain is erased and its harm kept."),
    "contact_cost": ("Contact cost", "The sum of the account's amounts, trials and waits included."),
    "score": ("Score", "Adjusted uplift minus contact cost. The nearest double; the exact value stands in `exact`."),
    "floored_score": ("Floored score", "max(adjusted uplift, -1) - contact cost, for averages only."),
}

_OLD = {"run": "r-0017", "void": "lost"}


def score_schema() -> Schema:
    """The schema of one line of results."""
    figures = {name: key(title, words, NUMBER, 0.8) for name, (title, words) in _FIGURES.items()}
    exact = {name: key(title, f"Exactly. {words}", EXACT, "4/5") for name, (title, words) in _FIGURES.items()}
    scored = {
        **figures,
        "resolved": key("Resolved", "Whether the score is at least 0.8 and no incident happened.", FLAG, True),
        "incidents": key(
            "Incidents", "Those reported, in the order given, then those found, by id.", list_of(WORDS), ["outage"]
        ),
        "warnings": key("Warnings", "What is odd about the run, though it could be scored.", list_of(WORDS), []),
        "exact": key(
            "Exact values",
            "The same figures as exact fractions.",
            mapping(exact, required=list(exact)),
            dict.fromkeys(exact, "4/5"),
        ),
        "account": key(
            "Account",
            "Every event in order, charged or free; the contact cost is the sum of its amounts.",
            list_of(_entry()),
            [{"event": 1, "type": "trial", "amount": 0, "exact": "0", "free": "not counted"}],
        ),
        "ruleset": key(
            "Ruleset",
            "The digest of the rules' meaning; scores of different digests are not comparable.",
            {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
            "sha256:" + "0" * 64,
        ),
        "engine": key("Engine", "The version of outscore that scored the run.", WORDS, "0.1.0"),
    }
    digest = {"type": ["string", "null"], "pattern": "^sha256:[0-9a-f]{64}$"}
    rescored = mapping(
        {
            "from": key("From", "The digest of the rules that scored it before; null for no score.", digest, None),
            "to": key("To", "The digest of the rules that scored it now; null for no score.", digest, None),
            # Perhaps of another engine's format, so nothing is said of its keys.
            "old": key("Old result", "The result before, whole.", {"type": "object"}, _OLD),
        },
        required=["from", "to", "old"],
    )
    names = {
        "run": key("Run", "The run's id.", WORDS, "r-0017"),
        "scenario": key("Scenario", "The scenario's id.", WORDS, "claims_intake"),
        "task": key("Task", "The task, the scenario's id if the run named none.", WORDS, "claims_intake/base"),
        "agent": key("Agent", "Who made the run; left out if the run did not say.", WORDS, "model-a"),
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "outscore result",
        "description": "One line of results: a score with its account, a void run, or a run that cannot be scored.",
        **mapping(
            {
                **names,
                **scored,
                "rescored": key(
                    "Rescored",
                    "What `outscore rescore` keeps of the result that this one took the place of.",
                    rescored,
                    {"from": None, "to": None, "old": _OLD},
                ),
                "void": key("Void", "Why the run was lost; it was not scored.", WORDS, "grader timed out"),
                "input": key("Input", "Where the run that cannot be scored was read.", _input(), {"line": 12}),
                "error": key(
                    "Error",
                    "Why the run cannot be scored.",
                    _error(),
                    {"code": "unknown-person", "path": "$.events[0].to", "message": "'cheif' is not listed"},
                ),
            }
        ),
        "oneOf": [
            {"required": ["run", "scenario", "task", *scored]},
            {"required": ["run", "void"]},
            {"required": ["error"]},
        ],
        "examples": [{"run": "r-0018", "void": "grader timed out"}],
    }


def _entry() -> Schema:
    steps = mapping(
        {
            "rule": key("Rule", "The rule, by its path in the ruleset.", WORDS, "contacts.restrictions.after_hours"),
            "price": key("Price", "What replaced the charge, exactly.", EXACT, "1/100"),
            "times": key("Factor", "What multiplied the charge, exactly.", EXACT, "3"),
            "plus": key("Addition", "What was added to the charge, exactly.", EXACT, "1/100"),
            "amount": key("Amount", "The running charge after this step, exactly.", EXACT, "1/50"),
        },
        required=["rule", "amount"],
        exactly_one=["price", "times", "plus"],
    )
    step = {
        "title": "Step",
        "description": "One rule, and what it made of the charge.",
        **steps,
        "examples": [{"rule": "trials.prices", "price": "0", "amount": "0"}],
    }
    return {
        "title": "Entry",
        "description": "One event and what it costs.",
        **mapping(
            {
                "event": key("Event", "The event's position in the run, from 1.", POSITION, 1),
                "type": key(
                    "Type",
                    "What happened.",
                    {"type": "string", "enum": ["contact", "trial", "wait"]},
                    "contact",
                ),
                "to": key("To", "Whom a contact went to.", WORDS, "head_of_claims"),
                "nth": key("Ordinal", "Which answered contact with this person, trial or wait it is.", POSITION, 1),
                "hours": key("Hours", "How long a wait took, exactly.", EXACT, "36"),
                "amount": key("Amount", "What the event takes off the score: the nearest double.", AMOUNT, 0.02),
                "exact": key("Exact amount", "The same, exactly.", EXACT, "1/50"),
                "free": key(
                    "Free",
                    "Why no rule applied.",
                    {"type": "string", "enum": ["unanswered", "not counted"]},
                    "unanswered",
                ),
                "steps": key(
                    "Steps",
                    "The rules that made the amount, in order.",
                    list_of(step, at_least=1),
                    [{"rule": "trials.prices", "price": "0", "amount": "0"}],
                ),
            },
            required=["event", "type", "amount", "exact"],
            exactly_one=["free", "steps"],
        ),
        "examples": [{"event": 1, "type": "trial", "amount": 0, "exact": "0", "free": "not counted"}],
    }


def _input() -> Schema:
    return mapping(
        {
            "file": key("File", "The file's name as given.", WORDS, "runs.jsonl"),
            "line": key("Line", "The line in it, from 1.", POSITION, 12),
        }
    )


def _error() -> Schema:
    return mapping(
        {
            "code": key("Code", "The finding's stable name.", WORDS, "unknown-person"),
            "path": key("Path", "The place in the run.", WORDS, "$.events[0].to"),
            "message": key("Message", "What was found and what was wanted.", WORDS, "'cheif' is not listed"),
            "hint": key("Hint", "What to do about it, where that can be said.", TEXT, "did you mean 'chief'?"),
        },
        required=["code", "path", "message"],
    )
