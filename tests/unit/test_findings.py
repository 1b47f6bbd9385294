"""The forms that programs read: names of files, annotations, JUnit."""

from __future__ import annotations

import os
from pathlib import Path
from xml.etree import ElementTree

import pytest
from outscore.diagnostics import Code, Diagnostic, Severity, Span
from outscore.findings import annotation, as_record, file_name, finding_annotation, junit_case, junit_suite, junit_text

SPAN = Span("x", 3, 5, 3, 9)


@pytest.mark.parametrize(
    ("file", "heading", "message", "wanted"),
    [
        ("a.yaml", "t", "m", "file=a.yaml,line=3,col=5,endLine=3,endColumn=9,title=t::m"),
        ("a:b,c%d.yaml", "t", "m", "file=a%3Ab%2Cc%25d.yaml,line=3,col=5,endLine=3,endColumn=9,title=t::m"),
        ("a\r\nb", "t", "m", "file=a%0D%0Ab,line=3,col=5,endLine=3,endColumn=9,title=t::m"),
        ("a", "x: y, z%", "m", "file=a,line=3,col=5,endLine=3,endColumn=9,title=x%3A y%2C z%25::m"),
        # In the message, commas and colons are themselves; what is escaped already is escaped once more.
        (
            "a",
            "t",
            "x: y,\r\n100% %0A::",
            "file=a,line=3,col=5,endLine=3,endColumn=9,title=t::x: y,%0D%0A100%25 %250A::",
        ),
    ],
)
def test_annotations_are_escaped(file: str, heading: str, message: str, wanted: str) -> None:
    assert annotation("error", file, SPAN, heading, message) == f"::error {wanted}"


def test_an_annotation_over_lines_has_no_end_column() -> None:
    """GitHub drops columns where an annotation has several lines, and complains of the end's."""
    span = Span("x", 3, 5, 4, 2)
    assert annotation("notice", "a", span, "t", "m") == "::notice file=a,line=3,col=5,endLine=4,title=t::m"
    assert annotation("notice", "a", None, "t", "m") == "::notice file=a,title=t::m"


def test_a_finding_has_what_is_known_of_it() -> None:
    bare = Diagnostic(Code.SYNTAX, Severity.ERROR, "m")
    whole = Diagnostic(Code.NO_TESTS, Severity.WARNING, "m", SPAN, ("a", 0, "b"), "h")
    assert as_record(bare) == {"code": "syntax", "severity": "error", "message": "m"}
    assert as_record(whole) == {
        "code": "no-tests",
        "severity": "warning",
        "line": 3,
        "column": 5,
        "end_line": 3,
        "end_column": 9,
        "path": "a[0].b",
        "message": "m",
        "hint": "h",
    }
    assert finding_annotation(bare, "f") == "::error file=f,title=syntax::m"
    assert finding_annotation(whole, "f").endswith(",title=no-tests::m%0Ahint: h")


def test_files_below_the_working_directory_are_named_relative_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    (here / "..odd").mkdir(parents=True)
    monkeypatch.chdir(here)
    assert file_name(str(here / "in" / "a.yaml")) == "in/a.yaml"
    assert file_name(str(here / "..odd" / "a.yaml")) == "..odd/a.yaml"
    assert file_name(str(tmp_path / "a.yaml")) == str(tmp_path / "a.yaml").replace(os.sep, "/")
    assert file_name(os.path.join(".", "a.yaml")) == "a.yaml"
    assert file_name(os.path.join("..", "a.yaml")) == "../a.yaml"


def test_junit_counts_and_holds_what_xml_cannot() -> None:
    suite = junit_suite("a\x00<&>.yaml")
    suite.extend([junit_case("fine", "a"), junit_case("odd \ud800\x1b", "a"), junit_case("bad", "a")])
    ElementTree.SubElement(suite[1], "failure")
    ElementTree.SubElement(suite[2], "error")
    root = ElementTree.fromstring(junit_text([suite, junit_suite("b")]))
    assert root.attrib == {"name": "outscore", "tests": "3", "failures": "1", "errors": "1"}
    assert root[0].attrib == {"name": "a\ufffd<&>.yaml", "tests": "3", "failures": "1", "errors": "1", "skipped": "0"}
    assert root[0][1].attrib["name"] == "odd \ufffd\ufffd"
    assert root[1].attrib["tests"] == "0"
