"""What the language takes, refuses and warns of: every case of tests/conformance/expressions.yaml, and laws."""

from __future__ import annotations

import time
import tracemalloc
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from outscore.diagnostics import Code, Diagnostic, Severity, Span, has_errors, in_order, render
from outscore.expression import names
from outscore.expression.check import check
from outscore.expression.reference import MissingValue, evaluate
from outscore.expression.unparse import unparse
from outscore.plan import FieldType, Literal, Membership, Name, Node, Unary

from tests.unit import strategies

CASES: Final = yaml.safe_load(
    (Path(__file__).parents[1] / "conformance" / "expressions.yaml").read_text(encoding="utf-8")
)

FIELDS: Final[dict[str, FieldType]] = {
    "channel": ("chat", "mail", "call"),
    "minutes": "number",
    "urgent": "boolean",
    "note": "text",
}
PEOPLE: Final = ["head_of_claims", "fraud_analyst", "sponsor", "chief"]
MEASURES: Final = ["recovered", "refunds", "missed_urgent"]
SCOPES: Final = {
    "contact": names.contact_scope(FIELDS, PEOPLE, anyone_else=False),
    "open": names.contact_scope(FIELDS, PEOPLE, anyone_else=True),
    "trial": names.trial_scope(FIELDS),
    "wait": names.wait_scope(FIELDS),
    "kpi": names.kpi_scope(MEASURES),
    "incident": names.incident_scope(MEASURES),
}
PATH: Final = ("contacts", "restrictions", 0, "when")


def place(start: int, end: int) -> Span:
    return Span("rules.yaml", 7, start + 1, 7, end + 1)


def check_text(text: str, scope: names.Scope = SCOPES["contact"], wanted: Any = "boolean") -> Any:
    return check(text, scope, wanted, place, PATH)


def text_of(case: dict[str, Any]) -> str:
    return str(case["text"] * case.get("repeat", 1) + case.get("then", ""))


def check_case(case: dict[str, Any]) -> tuple[Node | None, list[Diagnostic]]:
    return check_text(text_of(case), SCOPES[case.get("scope", "contact")], case.get("wanted", "boolean"))


def as_written(finding: Diagnostic) -> dict[str, Any]:
    """A finding in the form of the cases."""
    assert finding.span is not None
    written: dict[str, Any] = {
        "code": finding.code.value,
        "columns": [finding.span.column, finding.span.end_column],
        "message": finding.message,
    }
    if finding.hint is not None:
        written["hint"] = finding.hint
    if finding.severity is Severity.WARNING:
        written["severity"] = "warning"
    return written


def named(group: str) -> list[Any]:
    return [pytest.param(case, id=case["name"]) for case in CASES[group]]


def test_the_cases_themselves() -> None:
    keys = {"name", "text", "repeat", "then", "scope", "wanted"}
    own = {"refused": {"findings"}, "warned": {"findings"}, "accepted": {"canonical", "values"}}
    assert set(CASES) == set(own)
    for group, cases in CASES.items():
        assert len({case["name"] for case in cases}) == len(cases), "names are unique"
        for case in cases:
            assert set(case) <= keys | own[group], case["name"]
            assert case.get("findings") or case.get("values"), case["name"]
            for finding in case.get("findings", []):
                assert set(finding) <= {"code", "severity", "columns", "message", "hint"}, case["name"]
            for value in case.get("values", []):
                assert len(set(value) & {"is", "missing", "undefined"}) == 1, case["name"]
                assert set(value) <= {"with", "is", "missing", "undefined"}, case["name"]


@pytest.mark.parametrize("case", named("refused"))
def test_refused(case: dict[str, Any]) -> None:
    node, findings = check_case(case)
    assert [as_written(each) for each in findings] == case["findings"]
    assert node is None
    assert all(each.path == PATH for each in findings)


@pytest.mark.parametrize("case", named("warned"))
def test_warned(case: dict[str, Any]) -> None:
    node, findings = check_case(case)
    assert [as_written(each) for each in findings] == case["findings"]
    assert node is not None


@pytest.mark.parametrize("case", named("accepted"))
def test_accepted(case: dict[str, Any]) -> None:
    node, findings = check_case(case)
    assert findings == []
    assert node is not None
    if "canonical" in case:
        assert unparse(node) == case["canonical"]
    scope = SCOPES[case.get("scope", "contact")]
    for value in case["values"]:
        environment = {name: read_value(scope.names[name].type, text) for name, text in value.get("with", {}).items()}
        if "missing" in value:
            with pytest.raises(MissingValue) as caught:
                evaluate(node, environment)
            assert caught.value.name == value["missing"]
        elif "undefined" in value:
            with pytest.raises(ZeroDivisionError):
                evaluate(node, environment)
        else:
            wanted = read_value(case.get("wanted", "boolean"), value["is"])
            found = evaluate(node, environment)
            assert (type(found), found) == (type(wanted), wanted), environment


def read_value(kind: str, text: str) -> Fraction | str | bool:
    if kind == "number":
        return Fraction(text)
    return text == "true" if kind == "boolean" else text


def test_the_tree() -> None:
    node, _ = check_text("not -nth in [-1, 0.1]")
    items = (Literal(Fraction(-1)), Literal(Fraction(1, 10)))
    assert node == Unary("not", Membership(Unary("-", Name("nth", "number")), False, items))


def test_the_example_of_the_design_to_the_letter() -> None:
    source = "\n" * 41 + "      when: hours < 9 or hour >= 18"

    def spot(start: int, end: int) -> Span:
        return Span("rulesets/claims_intake.yaml", 42, 13 + start, 42, 13 + end)

    _, [finding] = check("hours < 9 or hour >= 18", SCOPES["contact"], "boolean", spot, PATH)
    assert render(finding, source) == (
        "rulesets/claims_intake.yaml:42:13: error[unknown-name]: 'hours' is not known in a contact restriction\n"
        "   42 |       when: hours < 9 or hour >= 18\n"
        "      |             ^~~~~\n"
        "  hint: did you mean 'hour'?"
    )


def test_a_lone_surrogate_is_refused() -> None:
    node, [finding] = check_text('note == "\ud800"')
    assert node is None
    assert finding.code is Code.REFUSED_SYNTAX
    assert finding.message == "the control character U+D800 cannot stand in an expression"


def test_no_value_is_possible_where_nobody_is_listed() -> None:
    _, [finding] = check_text('to == "chief"', names.contact_scope({}, [], anyone_else=False))
    assert (finding.message, finding.hint) == ("'to' is never 'chief'", None)


def test_errors_and_warnings_come_together_in_order() -> None:
    node, findings = check_text("true or hourr > 3 or 1 < 2")
    assert node is None
    assert [each.code for each in findings] == [Code.CONSTANT_CONDITION, Code.UNKNOWN_NAME, Code.CONSTANT_CONDITION]


@pytest.mark.parametrize("case", [each for each in named("refused") if len(text_of(each.values[0])) > 100])
def test_refusing_what_is_long_takes_neither_time_nor_memory(case: dict[str, Any]) -> None:
    text = text_of(case)
    check_text(text)
    tracemalloc.start()
    started = time.perf_counter()
    check_text(text)
    elapsed, (_, peak) = time.perf_counter() - started, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Far above what it takes (a few milliseconds when traced), far below what following the text would take.
    assert elapsed < 30
    assert peak < 1_000_000


# fmt: off
PIECES: Final = st.sampled_from([
    "nth", "to", "urgent", "hourr", "1", "0.5", '"chief"', "'x'", "true", "None", "min", "abs", "delivered", ".kpi",
    "+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=", "(", ")", "[", "]", ",", ".", "not", "in", "if", "else",
    "and", "or", "=", "%", "lambda", ":", "{", "ö", "\\", '"', "'", "#", "9or", " ", "\n", "\0", "\u00a0",
])
# fmt: on


@settings(max_examples=800, derandomize=True, deadline=None)
@given(st.one_of(st.lists(PIECES, max_size=25).map(" ".join), st.lists(PIECES, max_size=25).map("".join), st.text()))
@example("not not in")
@example("[].x")
def test_any_text_is_taken_or_refused_in_words(text: str) -> None:
    node, findings = check_text(text)
    assert (node is None) is has_errors(findings)
    assert findings == list(in_order(findings))
    for finding in findings:
        assert finding.span is not None
        assert 0 < finding.span.column <= finding.span.end_column <= len(text) + 1
        assert finding.span.column < finding.span.end_column or not text
        # What is shown to people is printable, whatever stands in the text.
        assert finding.message.isprintable()
        assert (finding.hint or "").isprintable()
    if node is not None:
        assert unparse(node)


@settings(max_examples=600, derandomize=True, deadline=None)
@given(strategies.trees())
def test_the_canonical_text_reads_back_as_the_same_tree(tree: Node) -> None:
    wanted = kind_of(tree)
    node, findings = check_text(unparse(tree), strategies.SCOPE, wanted)
    # Compared as written out too: to Python, true equals one.
    assert (node, repr(node)) == (tree, repr(tree))
    assert all(each.code is Code.CONSTANT_CONDITION for each in findings)


def kind_of(tree: Node) -> str:
    checked, _ = check_text(unparse(tree), strategies.SCOPE, "number")
    return "number" if checked is not None else "boolean"
