"""What became of tests, as JSON, JUnit XML and GitHub's annotations, and in one line."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from outscore.casetest import SuiteResult, read_suite, run_suite
from outscore.casetest.formats import as_github, as_json, as_junit
from outscore.casetest.words import summary

ODD = 'odd: "100%", <a> & b, c\n  on two lines'


@pytest.fixture(scope="module")
def results() -> list[SuiteResult]:
    """A ruleset that passes, one that fails, one with errors, one without tests."""
    head = "outscore: 1\nscenario: a\nkpi: {direction: higher}\n"
    run = "run: {kpi: {baseline: 0, delivered: 1, reference: 1}}"
    failing = f"{head}incidents: {{outage: {{}}}}\ntests:\n- name: {json.dumps(ODD)}\n  {run}\n"
    failing += "  expect: {score: 2, resolved: false}\n"
    texts = {
        "good.yaml": f"{head}tests:\n- {{name: fine, {run}, expect: {{score: 1}}}}\n",
        "a b,c:d%.yaml": failing,
        "bad.yaml": f"{head}kpii: 1\n",
        "none.yaml": head,
    }
    return [run_suite(read_suite(text.encode(), name), coverage=True) for name, text in texts.items()]


def test_github_annotations_are_escaped(results: list[SuiteResult]) -> None:
    file, odd = "file=a b%2Cc%3Ad%25.yaml", 'odd%3A "100%25"%2C <a> & b%2C c on two lines'
    lines = as_github(results, Fraction(50))
    at = "line=8,col=19,endLine=8,endColumn=20"
    assert f"::error {file},{at},title=test failed%3A {odd}::score: wanted 2, got 1" in lines
    assert any(
        line.startswith("::error file=bad.yaml,line=4,col=1,") and "title=unknown-key::" in line for line in lines
    )
    assert "::notice file=none.yaml,title=no tests::the ruleset has no tests" in lines
    at = "line=4,col=13,endLine=4,endColumn=19"
    missing = "incidents.outage: no run that reports it"
    assert f"::notice {file},{at},title=not reached by tests::{missing}" in lines
    # One of two places is 50%, which is not below 50.
    assert "::notice file=good.yaml,title=coverage::good.yaml: the tests reach 1 of 2 places, 50%25" in lines
    assert (
        "::error file=none.yaml,title=coverage::none.yaml: the tests reach 0 of 2 places, 0%25, which is below 50%25"
        in lines
    )
    assert all(re.fullmatch(r"::(error|warning|notice) (\w+=[^:,\r\n]*,?)+::[^\r\n]*", line) for line in lines)


def test_junit_is_well_formed_and_counts(results: list[SuiteResult]) -> None:
    root = ElementTree.fromstring(as_junit(results, Fraction(50)))
    assert (root.tag, root.attrib) == ("testsuites", {"name": "outscore", "tests": "4", "failures": "2", "errors": "1"})
    suites = {suite.attrib["name"]: suite for suite in root}
    assert list(suites) == ["good.yaml", "a b,c:d%.yaml", "bad.yaml", "none.yaml"]
    for suite in suites.values():
        assert set(suite.attrib) == {"name", "tests", "failures", "errors", "skipped"}
        cases = suite.findall("testcase")
        assert suite.attrib["tests"] == str(len(cases))
        assert [child.tag for child in suite] == ["properties"] * (suite.attrib["name"] != "bad.yaml") + [
            "testcase"
        ] * len(cases)
        for case in cases:
            assert set(case.attrib) == {"name", "classname"}
            assert [child.tag for child in case] in ([], ["failure"], ["error"])
    failure = suites["a b,c:d%.yaml"].find("testcase/failure")
    assert failure is not None
    assert failure.attrib["message"] == "score: wanted 2, got 1; resolved: wanted false, got true"
    assert failure.text is not None
    assert failure.text.splitlines()[0] == "  a b,c:d%.yaml:8:19: score: wanted 2, got 1"
    error = suites["bad.yaml"].find("testcase/error")
    assert error is not None
    assert error.attrib["type"] == "unknown-key"
    assert "  hint: did you mean 'kpi'?" in str(error.text)


def test_junit_holds_no_character_that_xml_cannot() -> None:
    text = 'outscore: 1\nscenario: a\nkpi: {direction: higher}\ntests:\n- name: "bell \\a and \\ufffe"\n'
    text += "  run: {kpi: {baseline: 0, delivered: 1, reference: 1}}\n  expect: {score: 1}\n"
    result = run_suite(read_suite(text.encode(), "a.yaml"), coverage=False)
    assert result.suite.diagnostics == ()
    (case,) = ElementTree.fromstring(as_junit([result], None)).iter("testcase")
    assert case.attrib["name"] == "bell \ufffd and \ufffd"


def test_json_says_it_all(results: list[SuiteResult]) -> None:
    record = json.loads(as_json(results, Fraction(50)))
    assert record["summary"] == {
        "rulesets": 4,
        "with_errors": 1,
        "without_tests": 1,
        "tests": 2,
        "passed": 1,
        "failed": 1,
    }
    good, failing, bad, none = record["rulesets"]
    assert good["tests"] == [{"name": "fine", "line": 5, "passed": True, "failures": []}]
    assert {key: good["coverage"][key] for key in ("reached", "of", "percent", "is_enough")} == {
        "reached": 1,
        "of": 2,
        "percent": 50.0,
        "is_enough": True,
    }
    assert good["coverage"]["places"] == [
        {"rule": "score", "side": "resolved", "line": 3, "reached": True},
        {
            "rule": "score",
            "side": "not resolved",
            "line": 3,
            "reached": False,
            "missing": "no run that does not resolve",
        },
    ]
    (test,) = failing["tests"]
    assert (test["name"], test["passed"]) == (ODD, False)
    assert test["failures"][0] == {"expectation": "score", "line": 8, "column": 19, "wanted": "2", "got": "1"}
    assert (bad["tests"], bad["findings"][0]["code"], bad["findings"][0]["line"]) == ([], "unknown-key", 4)
    assert "coverage" not in bad
    assert none["coverage"]["is_enough"] is False


def test_the_summary_is_one_line(results: list[SuiteResult]) -> None:
    good, failing, bad, none = results
    assert summary([good]) == "1 test in 1 ruleset passed"
    assert summary([good, good, none]) == "2 tests in 2 rulesets passed"
    assert summary([good, failing]) == "1 of 2 tests in 2 rulesets failed"
    assert summary([bad]) == "1 ruleset with errors"
    assert summary([none, none]) == "no tests in 2 rulesets"
    assert summary([good, bad, none], Fraction("50.5")) == (
        "1 test in 1 ruleset passed; 1 ruleset with errors; coverage below 50.5% in 2 rulesets"
    )
