"""Comments that allow warnings, and how comments are told from texts."""

from __future__ import annotations

import pytest
from outscore.diagnostics import Diagnostic, Span, render
from outscore.document import read_document
from outscore.document.comments import comments_of
from outscore.loader import check


def findings_of(text: str) -> tuple[Diagnostic, ...]:
    checked = check(text.encode(), "r.yaml", lint=True)
    assert checked.ruleset is not None, [render(each, text) for each in checked.diagnostics]
    return checked.diagnostics


def codes_of(text: str) -> list[str]:
    return [str(each.code) for each in findings_of(text)]


# What comments allow.

SHORT = "outscore: 1\nscenario: demo{0}\nkpi: {{direction: higher}}{1}\n"


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("", ["no-tests"]),
        ("  # outscore: allow no-tests", []),
        ("    #outscore:allow  no-tests  ", []),
        ("  # outscore: allow no-tests, missing-why", ["unused-allow"]),
        ("  # outscore: allow no-tests,no-tests", []),
        ("  # outscore: allow missing-why", ["no-tests", "unused-allow"]),
        ("  # outscore: allow no-test", ["no-tests", "bad-allow"]),
        ("  # outscore: allow No-Tests", ["no-tests", "bad-allow"]),
        ("  # outscore: allow no-tests missing-why", ["no-tests", "bad-allow"]),
        ("  # outscore: allow no-tests,", ["bad-allow"]),
        ("  # outscore: allow", ["no-tests", "bad-allow"]),
        ("  # outscore: disallow no-tests", ["no-tests", "bad-allow"]),
        ("  # outscore allow no-tests", ["no-tests"]),
        ("  # see outscore: allow no-tests", ["no-tests"]),
        ("  # outscore: allow unused-allow", ["no-tests", "unused-allow"]),
    ],
)
def test_a_comment_on_the_line(comment: str, codes: list[str]) -> None:
    assert codes_of(SHORT.format(comment, "")) == codes


@pytest.mark.parametrize(
    ("above", "codes"),
    [
        ("# outscore: allow no-tests", []),
        ("  # outscore: allow no-tests", []),
        ("# outscore: allow no-tests\n# another comment", []),
        ("# another comment\n# outscore: allow no-tests", []),
        ("# outscore: allow no-tests\n# outscore: allow missing-why", ["unused-allow"]),
        ("# outscore: allow no-tests\n", ["unused-allow", "no-tests"]),
        ("title: x  # outscore: allow no-tests", ["unused-allow", "no-tests"]),
    ],
)
def test_a_comment_on_the_line_above(above: str, codes: list[str]) -> None:
    found = codes_of(f"outscore: 1\n{above}\nscenario: demo\nkpi: {{direction: higher}}\n")
    assert sorted(found) == sorted(codes)


def test_a_comment_below_allows_nothing_above_it() -> None:
    assert codes_of("outscore: 1\nkpi: {direction: higher}\nscenario: demo\n# outscore: allow no-tests") == [
        "no-tests",
        "unused-allow",
    ]


def test_warnings_of_the_checks_can_be_allowed_too() -> None:
    trials = "trials: {count: true, prices: [0], restrictions: [{id: r, why: w, when: 1 < 2, charge: {plus: 2}}]}"
    text = SHORT.format("  # outscore: allow no-tests", "\n" + trials)
    assert codes_of(text) == ["constant-condition", "dear-charge"]
    assert codes_of(text.rstrip() + "  # outscore: allow constant-condition, dear-charge\n") == []


def test_errors_cannot_be_allowed_and_hide_what_would_be_unused() -> None:
    text = "outscore: 1\nscenario: demo\nkpi: {direction: up}  # outscore: allow bad-value, no-tests, no-such\n"
    checked = check(text.encode(), "r.yaml", lint=True)
    assert [str(each.code) for each in checked.diagnostics] == ["bad-value", "bad-allow"]


def test_findings_at_comments_point_at_the_code() -> None:
    (found,) = findings_of(SHORT.format("  # outscore: allow no-tests,  missing-why", ""))
    assert found.span == Span("r.yaml", 2, 46, 2, 57)
    assert "missing-why" in found.message


COMMENTS = r"""# one
a: "x # no" # two
b: 'it''s # no'   #three
c: plain#no # four
? "k # no"
: 1
d: |  # five
  # no
  x

# six
e:
  - >-
    text
    # no
  # seven
  - [1, "y # no",  # eight
     'several # no
      # no']
f: &a
  g: 1  # nine
h: "\" # no" # ten
...
# eleven"""


@pytest.mark.parametrize("pure", [False, True])
def test_comments_are_told_from_texts(pure: bool) -> None:
    document, findings = read_document(COMMENTS.encode(), "c.yaml")
    assert document is not None, findings
    found = list(comments_of(document, _pure=pure))
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]
    assert [each.text.strip() for each in found] == words
    for each in found:
        assert COMMENTS.split("\n")[each.line - 1][each.column - 1 :] == each.text
    assert [each.text.strip() for each in found if each.is_alone] == ["one", "six", "seven", "eleven"]
