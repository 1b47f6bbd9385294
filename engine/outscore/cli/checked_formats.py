"""What checking rulesets found -> JSON, GitHub's annotations and JUnit XML: the same facts for programs.

SARIF, which is longer, is in `sarif`. Nothing is checked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from outscore.cli.checked import CheckedFile
from outscore.diagnostics import Severity, has_errors, render
from outscore.findings import (
    as_record,
    file_name,
    finding_annotation,
    json_text,
    junit_case,
    junit_suite,
    junit_text,
    xml_text,
)


def as_json(files: Sequence[CheckedFile]) -> bytes:
    """The findings as one JSON document, in the shape that docs/how-to/ci.md describes."""
    severities = [finding.severity for each in files for finding in each.findings]
    record: dict[str, Any] = {
        "rulesets": [
            {"file": file_name(each.name), "findings": [as_record(finding) for finding in each.findings]}
            for each in files
        ],
        "summary": {
            "rulesets": len(files),
            "with_errors": sum(has_errors(each.findings) for each in files),
            "errors": severities.count(Severity.ERROR),
            "warnings": severities.count(Severity.WARNING),
        },
    }
    return json_text(record)


def as_github(files: Sequence[CheckedFile]) -> list[str]:
    """The findings as workflow commands that annotate lines."""
    return [finding_annotation(finding, each.name) for each in files for finding in each.findings]


def as_junit(files: Sequence[CheckedFile], *, strict: bool) -> bytes:
    """A suite for each ruleset, whose one case fails with every finding; warnings that pass stand in its output."""
    return junit_text(_suite(each, strict) for each in files)


def _suite(file: CheckedFile, strict: bool) -> ElementTree.Element:
    suite = junit_suite(file.name)
    # Named alike at each run, so that a ruleset's history is one line.
    case = junit_case("the ruleset is valid", file.name)
    suite.append(case)
    words = xml_text("\n".join(render(each, file.text) for each in file.findings_in(file_name(file.name))))
    if file.has_failed(strict):
        # An error where there is one: it matters more than the warning above it.
        first = next((each for each in file.findings if each.severity is Severity.ERROR), file.findings[0])
        failure = ElementTree.SubElement(case, "failure", type=str(first.code))
        failure.set("message", xml_text(first.message))
        failure.text = words
    elif words:
        ElementTree.SubElement(case, "system-out").text = words
    return suite
