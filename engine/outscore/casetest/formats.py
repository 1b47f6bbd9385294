"""What became of tests -> JSON, JUnit XML, and GitHub's annotations: the same facts for programs.

Lays out what was found elsewhere, in the forms of `findings`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

from outscore.casetest import CaseResult, SuiteResult
from outscore.casetest.coverage import Coverage
from outscore.casetest.words import covered, explained, is_under, title, told, untested
from outscore.diagnostics import render
from outscore.findings import (
    annotation,
    as_record,
    file_name,
    finding_annotation,
    json_text,
    junit_case,
    junit_suite,
    junit_text,
    xml_text,
)
from outscore.numbers import nearest_double


def as_json(results: Sequence[SuiteResult], fail_under: Fraction | None) -> bytes:
    """The results as one JSON document, in the shape that docs/how-to/test-a-ruleset.md describes."""
    tests = [each for result in results for each in result.results]
    record = {
        "rulesets": [_ruleset(each, fail_under) for each in results],
        "summary": {
            "rulesets": len(results),
            "with_errors": sum(each.has_errors for each in results),
            "without_tests": len(untested(results)),
            "tests": len(tests),
            "passed": sum(each.has_passed for each in tests),
            "failed": sum(not each.has_passed for each in tests),
        },
    }
    return json_text(record)


def _ruleset(result: SuiteResult, fail_under: Fraction | None) -> dict[str, Any]:
    ruleset, coverage = result.suite.ruleset, result.coverage
    record: dict[str, Any] = {"file": file_name(result.suite.file)}
    if ruleset is not None:
        record["scenario"] = ruleset.scenario
    else:
        record["findings"] = [as_record(each) for each in result.suite.diagnostics]
    record["tests"] = [_test(each) for each in result.results]
    if coverage is not None:
        record["coverage"] = {
            "reached": coverage.count,
            "of": len(coverage.places),
            "percent": nearest_double(coverage.percent.numerator, coverage.percent.denominator),
            "is_enough": not is_under(coverage, fail_under),
            "places": _places(coverage),
        }
    return record


def _test(result: CaseResult) -> dict[str, Any]:
    return {
        "name": result.case.name,
        "line": result.case.span.line,
        "passed": result.has_passed,
        "failures": [
            {
                "expectation": each.subject,
                "line": each.span.line,
                "column": each.span.column,
                "wanted": each.wanted,
                "got": each.got,
            }
            for each in result.failures
        ],
    }


def _places(coverage: Coverage) -> list[dict[str, Any]]:
    return [
        {
            "rule": place.rule,
            "side": place.side,
            "line": place.span.line,
            "reached": coverage.is_reached(place),
            **({} if coverage.is_reached(place) else {"missing": place.missing}),
        }
        for place in coverage.places
    ]


def as_junit(results: Sequence[SuiteResult], fail_under: Fraction | None) -> bytes:
    """The results as JUnit XML: a suite for each ruleset; one with errors has a single case that says them."""
    return junit_text(_junit_suite(each, fail_under) for each in results)


def _junit_suite(result: SuiteResult, fail_under: Fraction | None) -> ElementTree.Element:
    suite = junit_suite(result.suite.file)
    if result.coverage is not None:
        properties = ElementTree.SubElement(suite, "properties")
        value = result.coverage.shown_percent.removesuffix("%")
        ElementTree.SubElement(properties, "property", name="coverage", value=value)
    suite.extend(_junit_cases(result, fail_under))
    return suite


def _junit_cases(result: SuiteResult, fail_under: Fraction | None) -> Iterator[ElementTree.Element]:
    suite = result.suite
    if result.has_errors:
        case = junit_case("the ruleset loads", suite.file)
        error = ElementTree.SubElement(case, "error", type=str(suite.diagnostics[0].code))
        error.set("message", xml_text(suite.diagnostics[0].message))
        error.text = xml_text("\n".join(render(each, suite.text) for each in suite.diagnostics))
        yield case
    for each in result.results:
        case = junit_case(title(each.case.name), suite.file)
        if not each.has_passed:
            failure = ElementTree.SubElement(case, "failure", type="expectation")
            failure.set("message", xml_text("; ".join(map(told, each.failures))))
            failure.text = xml_text("\n".join(explained(each)))
        yield case
    if is_under(result.coverage, fail_under) and result.coverage is not None:
        case = junit_case("coverage", suite.file)
        failure = ElementTree.SubElement(case, "failure", type="coverage")
        failure.set("message", xml_text(covered(suite.file, result.coverage, fail_under)))
        yield case


def as_github(results: Sequence[SuiteResult], fail_under: Fraction | None) -> list[str]:
    """The results as workflow commands that annotate lines: errors, and notices of what tests do not reach."""
    lines = []
    for result in results:
        suite = result.suite
        if result.has_errors:
            lines += [finding_annotation(each, suite.file) for each in suite.diagnostics]
        elif not suite.cases:
            lines.append(annotation("notice", suite.file, None, "no tests", "the ruleset has no tests"))
        for each in result.results:
            for failure in each.failures:
                name = f"test failed: {title(each.case.name)}"
                lines.append(annotation("error", suite.file, failure.span, name, told(failure)))
        if result.coverage is not None:
            lines += _coverage_annotations(suite.file, result.coverage, fail_under)
    return lines


def _coverage_annotations(file: str, coverage: Coverage, fail_under: Fraction | None) -> Iterator[str]:
    for place in coverage.places:
        if not coverage.is_reached(place):
            yield annotation("notice", file, place.span, "not reached by tests", f"{place.rule}: {place.missing}")
    level = "error" if is_under(coverage, fail_under) else "notice"
    yield annotation(level, file, None, "coverage", covered(file_name(file), coverage, fail_under))
