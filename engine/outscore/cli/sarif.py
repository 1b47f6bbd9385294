"""What checking rulesets found -> SARIF 2.1.0, the form in which code hosts take findings of static analysis.

What each rule means is read from the page of diagnostics that the documentation has. Nothing is checked here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

from outscore import __version__
from outscore.cli.checked import CheckedFile
from outscore.cli.rule import Section, as_text, read_sections
from outscore.diagnostics import Diagnostic, Severity, Span, dotted
from outscore.findings import file_name, json_text

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT: Final = "%SRCROOT%"
_COMMENT: Final = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def as_sarif(files: Sequence[CheckedFile]) -> bytes:
    """The findings as one SARIF log with one run, with the rules they are of and the files that were checked."""
    codes = sorted({str(finding.code) for each in files for finding in each.findings})
    findings = [(position, finding) for position, each in enumerate(files) for finding in each.findings]
    run = {
        "tool": {
            "driver": {
                "name": "outscore",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": _rules(codes),
            }
        },
        # Columns count characters, not UTF-16 units.
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": _location(each.name)} for each in files],
        "results": [_result(finding, files[position].name, position, codes) for position, finding in findings],
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _result(finding: Diagnostic, file: str, artifact: int, codes: list[str]) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {**_location(file), "index": artifact}}
    if finding.span is not None:
        physical["region"] = _region(finding.span)
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.path:
        location["logicalLocations"] = [{"fullyQualifiedName": dotted(finding.path)}]
    hint = f"\nHint: {finding.hint}" if finding.hint else ""
    return {
        "ruleId": str(finding.code),
        "ruleIndex": codes.index(str(finding.code)),
        "level": _level(finding.severity),
        "message": {"text": finding.message + hint},
        "locations": [location],
    }


def _level(severity: Severity) -> str:
    return "error" if severity is Severity.ERROR else "warning"


def _region(span: Span) -> dict[str, int]:
    # The end is exclusive there as it is here.
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _location(file: str) -> dict[str, str]:
    name = file_name(file)
    # As bytes, since a name need not be text; a colon is encoded too, so that nothing reads as a scheme.
    uri = quote(os.fsencode(name), safe="/")
    if os.path.isabs(file) and name.startswith("/"):
        return {"uri": f"file://{uri}"}
    if os.path.isabs(name):
        return {"uri": f"file:///{uri}"}
    return {"uri": uri, "uriBaseId": _ROOT}


def _rules(codes: list[str]) -> list[dict[str, Any]]:
    sections = {section.code: section for section in read_sections(_page())}
    return [_rule(code, sections.get(code)) for code in codes]


def _page() -> str:
    from outscore.resources import ResourceMissingError, diagnostics_page

    try:
        return diagnostics_page()
    except ResourceMissingError:
        # Findings are worth more than what is said about their kind.
        return ""


def _rule(code: str, section: Section | None) -> dict[str, Any]:
    if section is None:
        return {"id": code, "shortDescription": {"text": code}, "help": {"text": f"outscore rule {code}"}}
    return {
        "id": code,
        "shortDescription": {"text": section.summary},
        "fullDescription": {"text": section.summary},
        "help": {
            "text": "\n".join(as_text(section.body)).strip(),
            "markdown": _COMMENT.sub("", section.body).strip(),
        },
    }
