"""What an expression may read where, and what no field may be called."""

from __future__ import annotations

import keyword

import pytest
from outscore.expression import names
from outscore.expression.names import NameInfo, Scope

FIELDS = {"channel": ("chat", "mail"), "minutes": "number", "note": "text", "urgent": "boolean"}
EVENT = {"hour", "minute", "weekday", "day", "nth", *FIELDS}


@pytest.mark.parametrize(
    ("scope", "where", "known"),
    [
        (names.contact_scope(FIELDS, ["a"], False), "a contact restriction", EVENT | {"to", "nth_overall"}),
        (names.trial_scope(FIELDS), "a trial restriction", EVENT),
        (names.wait_scope(FIELDS), "a waiting restriction", EVENT | {"hours"}),
        (names.kpi_scope(["gain", "loss"]), "the KPI formula", {"gain", "loss"}),
        (
            names.incident_scope(["gain"]),
            "an incident rule",
            {"baseline.gain", "delivered.gain", "reference.gain", "baseline.kpi", "delivered.kpi", "reference.kpi"},
        ),
    ],
)
def test_what_each_place_knows(scope: Scope, where: str, known: set[str]) -> None:
    assert scope.where == where
    assert set(scope.names) == known


def test_types_and_values() -> None:
    known = names.contact_scope(FIELDS, ["chief", "clerk"], anyone_else=False).names
    assert known["channel"] == NameInfo("text", frozenset({"chat", "mail"}))
    assert known["note"] == NameInfo("text")
    assert known["minutes"] == known["hour"] == known["nth"] == NameInfo("number")
    assert known["urgent"] == NameInfo("boolean")
    assert known["weekday"].values == {"mon", "tue", "wed", "thu", "fri", "sat", "sun"}
    assert known["to"] == NameInfo("text", frozenset({"chief", "clerk"}), open=False)
    assert names.contact_scope(FIELDS, ["chief"], anyone_else=True).names["to"].open


@pytest.mark.parametrize(
    "scope",
    [names.contact_scope({}, [], False), names.wait_scope({}), names.trial_scope({}), names.incident_scope([])],
)
def test_every_name_of_the_language_is_reserved(scope: Scope) -> None:
    for name in scope.names:
        assert set(name.split(".")) <= names.RESERVED


@pytest.mark.parametrize("name", ["type", "at", "to", "answered", "hours", "kpi", "baseline", "min", "true", "class"])
def test_reserved(name: str) -> None:
    assert name in names.RESERVED


@pytest.mark.parametrize("name", ["channel", "minutes", "match", "run", "price", "kpis"])
def test_not_reserved(name: str) -> None:
    assert name not in names.RESERVED


def test_pythons_keywords_are_all_there() -> None:
    assert set(keyword.kwlist) <= names.PYTHON_KEYWORDS
