"""Findings -> the forms that programs read: JSON records, GitHub's annotations, JUnit XML.

Only the forms that several commands share; each command lays out its own results with them. Files below the working
directory are named relative to it, with forward slashes, since that is how other tools look them up.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from typing import Any, Final
from xml.etree import ElementTree

from outscore.diagnostics import Diagnostic, Span, dotted


def file_name(name: str) -> str:
    """The file's name as other tools look it up."""
    if os.path.isabs(name):
        try:
            relative = os.path.relpath(name)
        except ValueError:  # on another drive
            relative = name
        if relative.split(os.sep)[0] != os.pardir:
            name = relative
    name = name.replace(os.sep, "/")
    return name.removeprefix("./")


def as_record(finding: Diagnostic) -> dict[str, Any]:
    """A finding for JSON; what it does not have is left out."""
    span = finding.span
    place = {"line": span.line, "column": span.column} if span else {}
    end = {"end_line": span.end_line, "end_column": span.end_column} if span else {}
    return {
        "code": str(finding.code),
        "severity": str(finding.severity),
        **place,
        **end,
        **({"path": dotted(finding.path)} if finding.path else {}),
        "message": finding.message,
        **({"hint": finding.hint} if finding.hint else {}),
    }


def json_text(record: Any) -> bytes:
    """A JSON document, as the UTF-8 that it is on every terminal."""
    # A file's name may hold bytes that are no text; they become question marks.
    return (json.dumps(record, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def annotation(level: str, file: str, span: Span | None, heading: str, message: str) -> str:
    """A workflow command that annotates a line: `level` is `error`, `warning` or `notice`."""
    place: dict[str, object] = {"file": file_name(file)}
    if span is not None:
        place |= {"line": span.line, "col": span.column, "endLine": span.end_line}
        if span.end_line == span.line:
            place["endColumn"] = span.end_column
    place["title"] = heading
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in place.items())
    return f"::{level} {properties}::{_data(message)}"


def finding_annotation(finding: Diagnostic, file: str) -> str:
    """A finding as an annotation of its line."""
    hint = f"\nhint: {finding.hint}" if finding.hint else ""
    return annotation(str(finding.severity), file, finding.span, str(finding.code), finding.message + hint)


# A log shows annotations as a terminal would: nothing in them moves a cursor, colours a line or turns its order round.
_MOVES: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def _data(text: str) -> str:
    return _MOVES.sub("\ufffd", text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def junit_text(suites: Iterable[ElementTree.Element]) -> bytes:
    """A JUnit XML document of these suites, each with its cases, with the counts filled in.

    Without times, so that the same results are the same bytes.
    """
    root = ElementTree.Element("testsuites", name="outscore")
    totals = {"tests": 0, "failures": 0, "errors": 0}
    for suite in suites:
        root.append(suite)
        counts = {
            "tests": len(suite.findall("testcase")),
            "failures": len(suite.findall("testcase/failure")),
            "errors": len(suite.findall("testcase/error")),
        }
        totals = {name: totals[name] + count for name, count in counts.items()}
        suite.attrib |= {name: str(count) for name, count in (counts | {"skipped": 0}).items()}
    root.attrib |= {name: str(count) for name, count in totals.items()}
    ElementTree.indent(root)
    text: str = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode("utf-8", "replace")


def junit_suite(file: str) -> ElementTree.Element:
    """A suite with a file's name, as yet without cases."""
    return ElementTree.Element("testsuite", name=xml_text(file_name(file)))


def junit_case(name: str, file: str) -> ElementTree.Element:
    """A case of a file's suite, as yet passed."""
    return ElementTree.Element("testcase", name=xml_text(name), classname=xml_text(file_name(file)))


_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """Text without the characters that XML 1.0 cannot hold, escaped or not."""
    return _NO_XML.sub("\ufffd", text)
