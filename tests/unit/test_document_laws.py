"""Laws of the text stage, on random and on mutated texts."""

from __future__ import annotations

import json
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.diagnostics import Path, Severity
from outscore.document import Data, Document, read_document

SEEDS = (
    "a: 1\nb: [c, 'd', \"e\"]\n",
    'top: &x {price: 0.05, when: "hour < 9"}\nother: {<<: *x, price: 1e-2}\n',
    "people:\n  chief:\n    price: 0.01 # cheap\n    past_patience: {times: 3}\n  other: *x\n",
    '- when: to in ["a", "b"] and nth > 1\n  charge: {plus: min(1, nth)}\n- why: |\n    Nobody.\n\n    Really.\n',
    "? a\n: b\n%c: 'd''e'\n--- x\n",
    '{price: "x" == to, b: >-\n c}\n',
)
PIECES = (
    *"ab10 \n\t:-?,[]{}#&*!|>'\"%@`.\\=<()_~",
    *(": ", "- ", "\n  ", "---\n", "...\n", "<<: ", "*x", "&x ", "\u00a0", " #", "\r\n"),
    *("é", "\U0001f600", "\u2028", "\0"),
    *("yes", "010", "12:30", "min(1, 2)", "\\n", "\\ud800"),
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(PIECES)) + text[at + draw(st.integers(0, 3)) :]
    return text


TEXTS = st.one_of(mutated(), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))


def check(source: bytes, pure: bool = False) -> Document | None:
    document, findings = read_document(source, "f.yaml", _pure=pure)
    assert (document is None) == bool(findings)
    for each in findings:
        assert each.severity is Severity.ERROR
        assert each.message
        assert each.span is not None
        assert (1, 1) <= (each.span.line, each.span.column) <= (each.span.end_line, each.span.end_column)
    return document


def paths_of(data: Data, path: Path = ()) -> list[Path]:
    """Every path into the data; fails on what data may not hold."""
    assert type(data) in (dict, list, str, bool, int, Decimal, type(None))
    found = [path]
    if isinstance(data, dict):
        assert all(type(key) is str for key in data)
        for key, value in data.items():
            found += paths_of(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            found += paths_of(value, (*path, index))
    return found


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_random_bytes_never_raise(source: bytes) -> None:
    check(source)
    check(source, pure=True)


@settings(derandomize=True, max_examples=1500, deadline=None)
@given(TEXTS)
def test_the_parsers_agree(text: str) -> None:
    source = text.encode()
    document, other = check(source), check(source, pure=True)
    assert (document is None) == (other is None)
    if document is None or other is None:
        return
    assert document.data == other.data
    for path in paths_of(document.data):
        assert document.span(path) == other.span(path)
        assert document.key_span(path) == other.key_span(path)


PLAIN = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=12)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**39), 10**39)
    | st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**6), max_value=10**6)
    | PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(PLAIN, inner, max_size=4),
    max_leaves=12,
)


def written(value: Data) -> str:
    """JSON, with decimals as they are written."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {written(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(VALUES, st.booleans())
def test_json_is_read_as_itself(value: Data, pure: bool) -> None:
    document = check(written(value).encode(), pure)
    assert document is not None
    assert document.data == value
    paths_of(document.data)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from(["\ufeff", ""]))
def test_line_ends_and_the_mark_change_nothing(text: str, mark: str) -> None:
    unix = text.replace("\r\n", "\n")
    document, other = check(unix.encode()), check((mark + unix.replace("\n", "\r\n")).encode())
    assert (document is None) == (other is None)
    if document is not None and other is not None:
        assert document.data == other.data
        for path in paths_of(document.data):
            place, moved = document.key_span(path), other.key_span(path)
            assert (place.line, place.column) == (moved.line, moved.column)
