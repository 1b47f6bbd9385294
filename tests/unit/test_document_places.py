"""The side table: where keys, values and pieces of text are written."""

from __future__ import annotations

import pytest
from outscore.diagnostics import Path, Span
from outscore.document import Document, read_document

TEXT = """\
# a comment
top: &everyone
  price: 0.05
  role: "Owns it"   # why not

  # an afterthought
people:
  chief: {<<: *everyone, price: 1}
  other: *everyone
list:
- one
-   two: &n 2
    three:
empty:   # nothing
flow: [a, {b: c}, 'd''e']
when: &w to == "x" and  nth > 3
quoted: "hour < 9"
escaped: "a\\tb"
folded: one
  two
block: |
  hour
  < 9

same: *w
umlaut: "äöü" # ß
last: {a:
  1}
"""


@pytest.fixture(params=["libyaml", "pure"])
def document(request: pytest.FixtureRequest) -> Document:
    found, findings = read_document(TEXT.encode(), "f.yaml", _pure=request.param == "pure")
    assert found is not None, findings
    return found


def shown(span: Span) -> tuple[str, str]:
    """The place as line:column, and the text that the span holds."""
    lines = TEXT.split("\n")
    assert span.file == "f.yaml"
    if span.line == span.end_line:
        held = lines[span.line - 1][span.column - 1 : span.end_column - 1]
    else:
        first, last = lines[span.line - 1][span.column - 1 :], lines[span.end_line - 1][: span.end_column - 1]
        held = "\n".join([first, *lines[span.line : span.end_line - 1], last])
    return f"{span.line}:{span.column}", held


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        (("top", "price"), ("3:3", "price"), ("3:10", "0.05")),
        (("top", "role"), ("4:3", "role"), ("4:9", '"Owns it"')),
        (("top",), ("2:1", "top"), ("3:3", 'price: 0.05\n  role: "Owns it"   # why not')),
        # What is merged stands where it is written; what overrides it, where that is.
        (("people", "chief", "role"), ("4:3", "role"), ("4:9", '"Owns it"')),
        (("people", "chief", "price"), ("8:26", "price"), ("8:33", "1")),
        (("people", "other"), ("9:3", "other"), ("3:3", 'price: 0.05\n  role: "Owns it"   # why not')),
        (("people", "other", "price"), ("3:3", "price"), ("3:10", "0.05")),
        (("list",), ("10:1", "list"), ("11:1", "- one\n-   two: &n 2\n    three:")),
        (("list", 0), ("11:3", "one"), ("11:3", "one")),
        (("list", 1), ("12:5", "two: &n 2\n    three:"), ("12:5", "two: &n 2\n    three:")),
        (("list", 1, "two"), ("12:5", "two"), ("12:13", "2")),
        (("list", 1, "three"), ("13:5", "three"), ("13:11", "")),
        (("empty",), ("14:1", "empty"), ("14:7", "")),
        (("flow",), ("15:1", "flow"), ("15:7", "[a, {b: c}, 'd''e']")),
        (("flow", 1), ("15:11", "{b: c}"), ("15:11", "{b: c}")),
        (("flow", 1, "b"), ("15:12", "b"), ("15:15", "c")),
        (("flow", 2), ("15:19", "'d''e'"), ("15:19", "'d''e'")),
        (("folded",), ("19:1", "folded"), ("19:9", "one\n  two")),
        (("block",), ("21:1", "block"), ("21:8", "|\n  hour\n  < 9")),
        (("same",), ("25:1", "same"), ("16:10", 'to == "x" and  nth > 3')),
        (("umlaut",), ("26:1", "umlaut"), ("26:9", '"äöü"')),
        (("last", "a"), ("27:8", "a"), ("28:3", "1")),
    ],
)
def test_where_it_is_written(document: Document, path: Path, key: tuple[str, str], value: tuple[str, str]) -> None:
    assert shown(document.key_span(path)) == key
    assert shown(document.span(path)) == value


@pytest.mark.parametrize(
    ("path", "known"),
    [
        (("top", "prise"), ("top",)),
        (("top", "price", "value"), ("top", "price")),
        (("list", 2), ("list",)),
        (("list", "one"), ("list",)),
        (("top", 0), ("top",)),
        (("nowhere", "at", "all"), ()),
    ],
)
def test_longest_known_prefix(document: Document, path: Path, known: Path) -> None:
    assert document.span(path) == document.span(known)
    assert document.key_span(path) == document.key_span(known)
    assert document.text_span(path, 0, 1) == document.text_span(known, 0, 1)


def test_whole_document(document: Document) -> None:
    place, held = shown(document.span(()))
    assert place == "2:1"
    assert held.startswith("top: &everyone")
    assert held.endswith("{a:\n  1}")
    assert document.key_span(()) == document.span(())


@pytest.mark.parametrize(
    ("path", "start", "end", "wanted"),
    [
        (("when",), 0, 2, ("16:10", "to")),
        (("when",), 15, 18, ("16:25", "nth")),
        (("same",), 15, 18, ("16:25", "nth")),
        (("quoted",), 0, 4, ("17:10", "hour")),
        (("quoted",), 7, 8, ("17:17", "9")),
        # Right behind the text, where an expression breaks off.
        (("when",), 22, 22, ("16:32", "")),
        (("quoted",), 8, 9, ("17:18", "")),
        (("umlaut",), 2, 3, ("26:12", "ü")),
        # Columns are unclear: the whole scalar.
        (("escaped",), 1, 2, ("18:10", '"a\\tb"')),
        (("flow", 2), 0, 1, ("15:19", "'d''e'")),
        (("folded",), 4, 7, ("19:9", "one\n  two")),
        (("block",), 0, 4, ("21:8", "|\n  hour\n  < 9")),
        (("flow", 1), 0, 1, ("15:11", "{b: c}")),
    ],
)
def test_pieces_of_text(document: Document, path: Path, start: int, end: int, wanted: tuple[str, str]) -> None:
    assert shown(document.text_span(path, start, end)) == wanted


def test_aliases_share_what_they_repeat(document: Document) -> None:
    assert isinstance(document.data, dict)
    people = document.data["people"]
    assert isinstance(people, dict)
    assert people["other"] is document.data["top"]
    assert people["chief"] == {"price": 1, "role": "Owns it"}


@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize("text", ["{a: }", "{a:   # x\n }", "{a: # x\n# y\n\n}", "a:\n\n# x\n"])
def test_a_value_left_out_stands_behind_its_colon(text: str, pure: bool) -> None:
    document, _ = read_document(text.encode(), "f", _pure=pure)
    assert document is not None
    colon = text.index(":") + 2
    assert document.span(("a",)) == Span("f", 1, colon, 1, colon)


def test_spans_of_a_long_comment_take_no_time() -> None:
    document, _ = read_document(("a: 1\n" + "# x\n" * 300_000 + "b:\n" + "\n" * 300_000).encode(), "f")
    assert document is not None
    assert document.span(()).end_line == 300_002
    assert document.span(("b",)) == Span("f", 300_002, 3, 300_002, 3)
