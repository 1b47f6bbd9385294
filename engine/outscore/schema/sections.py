"""The three sections that charge -> their JSON Schemas: contacts, trials, waiting, each with its restrictions.

The rest of a ruleset stands in `ruleset`.
"""

from __future__ import annotations

from outscore.schema.parts import (
    AMOUNT,
    AN_ID,
    FLAG,
    NOT_A_NUMBER,
    NUMBER,
    TEXT,
    WHOLE,
    Schema,
    by_id,
    key,
    list_of,
    mapping,
)


def contacts() -> Schema:
    """The section `contacts`."""
    return key(
        "Contacts",
        "Whom an agent may contact, and what their time costs. Only answered contacts are charged. Without this "
        "section a contact is an error.",
        mapping(
            {
                "people": key(
                    "People",
                    "The people of the scenario, by id.",
                    by_id(_person("Person", "One person, and what a contact with them takes off the score.")),
                    {"head_of_claims": {"price": 0.01, "patience": 4, "past_patience": {"times": 3}}},
                    default={},
                ),
                "anyone_else": _person(
                    "Anyone else",
                    "What a contact with a person who is not listed takes off the score; each id is counted by "
                    "itself. Without it an unlisted person is an error.",
                ),
                "restrictions": _restrictions("contact", "past_patience"),
            }
        ),
        {"people": {"sponsor": {"price": 0.05}}, "anyone_else": {"price": 0.02}},
    )


def _person(title: str, description: str) -> Schema:
    return key(
        title,
        description,
        mapping(
            {
                "role": key(
                    "Role",
                    "What the person does, for people to read. It changes no score.",
                    TEXT,
                    "Owns the intake rules",
                    default="",
                ),
                "price": key(
                    "List price",
                    "What one answered contact takes off the score, before patience and restrictions; 0 or more.",
                    AMOUNT,
                    0.01,
                ),
                "patience": key(
                    "Patience",
                    "How many answered contacts in a run stay at the list price: with 4, contacts 1 to 4; from the "
                    "5th on `past_patience` applies, never to earlier ones. Without it there is no limit.",
                    WHOLE,
                    4,
                ),
                "past_patience": key(
                    "Past patience",
                    "What a contact past `patience` costs: exactly one of `price`, `times`, `plus`, on the list price. "
                    "It comes together with `patience`.",
                    _past_patience(),
                    {"times": 3},
                    {"plus": 0.03},
                ),
            },
            required=["price"],
            together=[("patience", "past_patience")],
        ),
        {"price": 0.02, "patience": 2, "past_patience": {"plus": 0.03}},
    )


_REPLACES = "Replaces the charge so far by this amount, 0 or more"
_MULTIPLIES = "Multiplies the charge so far by this factor, 0 or more"
_ADDS = "Adds this amount to the charge so far; it may be negative, the final charge may not"


def _past_patience() -> Schema:
    return mapping(
        {
            "price": key("Price past patience", f"{_REPLACES}.", AMOUNT, 0.1),
            "times": key("Factor past patience", f"{_MULTIPLIES}.", AMOUNT, 3),
            "plus": key("Addition past patience", f"{_ADDS}.", NUMBER, 0.03),
        },
        exactly_one=["price", "times", "plus"],
    )


def _charge() -> Schema:
    # A number, or an expression: text that is only a number is a number in quotes.
    amount = {"type": ["number", "string"], "minimum": 0, "pattern": NOT_A_NUMBER}
    any_number = {"type": ["number", "string"], "pattern": NOT_A_NUMBER}
    also = "; a number, or an expression in quotes."
    return mapping(
        {
            "price": key("New price", _REPLACES + also, amount, 0.15, "0.01 * nth"),
            "times": key("Factor", _MULTIPLIES + also, amount, 2),
            "plus": key("Addition", _ADDS + also, any_number, 0.01, "0.001 * (nth - 1)"),
        },
        exactly_one=["price", "times", "plus"],
    )


def _restrictions(event: str, after: str) -> Schema:
    restriction = mapping(
        {
            "id": key(
                "Id", "The restriction's name in the account, once per section.", AN_ID, "after_hours", "once_only"
            ),
            "why": key(
                "Why", "The reason, for people to read. It changes no score.", TEXT, "Nobody is on duty.", default=""
            ),
            "when": key(
                "Condition",
                f"An expression: the restriction applies to a {event} for which it is true. Without it the restriction "
                "always applies.",
                TEXT,
                "hour < 9 or hour >= 18",
            ),
            "charge": key(
                "Charge",
                "How the charge so far changes: exactly one of `price` (replaces), `times` (multiplies), `plus` "
                "(adds), each a number or an expression.",
                _charge(),
                {"plus": 0.01},
                {"price": "0.01 * nth"},
            ),
        },
        required=["id", "charge"],
    )
    return key(
        "Restrictions",
        f"Changes to the charge of a {event}, applied after {after}, in the order written, each to the result of the "
        "one before.",
        list_of(
            {
                "title": "Restriction",
                "description": f"One change to the charge of a {event}.",
                **restriction,
                "examples": [{"id": "after_hours", "when": "hour < 9", "charge": {"plus": 0.01}}],
            }
        ),
        [{"id": "after_hours", "when": "hour < 9", "charge": {"plus": 0.01}}],
        default=[],
    )


def _counted(needed: str) -> Schema:
    return {
        "if": {"properties": {"count": {"enum": [True]}}, "required": ["count"]},
        "then": {"required": [needed]},
    }


def trials() -> Schema:
    """The section `trials`."""
    return key(
        "Trials",
        "What trial runs of the system cost. Without this section a trial is an error.",
        {
            **mapping(
                {
                    "count": key(
                        "Count trials",
                        "Whether trials are charged. With false each is listed in the account, free, and no "
                        "restriction applies.",
                        FLAG,
                        True,
                        False,
                    ),
                    "prices": key(
                        "Trial prices",
                        "What the 1st, 2nd, 3rd ... trial takes off the score; the last price repeats. Needed with "
                        "`count: true`.",
                        list_of(AMOUNT, at_least=1),
                        [0, 0.02, 0.05],
                    ),
                    "restrictions": _restrictions("trial", "its price"),
                },
                required=["count"],
            ),
            **_counted("prices"),
        },
        {"count": True, "prices": [0, 0.02, 0.05]},
        {"count": False},
    )


def waiting() -> Schema:
    """The section `waiting`."""
    return key(
        "Waiting",
        "What waiting for people costs. Without this section a wait is an error.",
        {
            **mapping(
                {
                    "count": key(
                        "Count waiting",
                        "Whether waiting is charged. With false each wait is listed in the account, free, and no "
                        "restriction applies.",
                        FLAG,
                        True,
                        False,
                    ),
                    "price_per_day": key(
                        "Price per day",
                        "What 24 hours of waiting take off the score, parts of a day in proportion. Needed with "
                        "`count: true`.",
                        AMOUNT,
                        0.01,
                    ),
                    "free_days": key(
                        "Free days",
                        "Days of a run's total waiting that cost nothing; only what lies past them is charged.",
                        AMOUNT,
                        1,
                        default=0,
                    ),
                    "restrictions": _restrictions("wait", "its price, on a wholly free wait too"),
                },
                required=["count"],
            ),
            **_counted("price_per_day"),
        },
        {"count": True, "price_per_day": 0.01, "free_days": 1},
        {"count": False},
    )
