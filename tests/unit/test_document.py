"""The text stage: what texts are read as, and what is said of those that are not."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from outscore.diagnostics import Code, Diagnostic, render
from outscore.document import Document, read_document, read_source
from outscore.document.source import MAX_BYTES

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parents[1] / "conformance" / "document.yaml").read_text(encoding="utf-8")
)


@pytest.fixture(params=["libyaml", "pure"])
def pure(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "pure")


def read(text: str, pure: bool = False) -> Document:
    document, findings = read_document(text.encode(), "f.yaml", _pure=pure)
    assert document is not None, "\n".join(render(each, text) for each in findings)
    assert findings == ()
    return document


def findings_of(source: str | bytes, pure: bool = False) -> tuple[Diagnostic, ...]:
    source = source.encode() if isinstance(source, str) else source
    document, findings = read_document(source, "f.yaml", _pure=pure)
    assert document is None
    assert findings
    return findings


def placed(findings: tuple[Diagnostic, ...]) -> list[str]:
    assert all(each.span is not None for each in findings)
    return [f"{each.span.line}:{each.span.column} {each.code}" for each in findings if each.span is not None]


def same(left: object, right: object) -> bool:
    """Equal with types: 1 is not True, and no float is anything."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


def test_cases_are_well_formed() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names)
    for case in CASES:
        assert set(case) in (
            {"name", "text", "json"},
            {"name", "text", "findings"},
            {"name", "text", "findings", "says"},
        )


@pytest.mark.parametrize("case", [case for case in CASES if "json" in case], ids=lambda case: str(case["name"]))
def test_read_as(case: dict[str, Any], pure: bool) -> None:
    wanted = json.loads(case["json"], parse_float=Decimal, strict=False)
    assert same(read(case["text"], pure).data, wanted)


@pytest.mark.parametrize("case", [case for case in CASES if "findings" in case], ids=lambda case: str(case["name"]))
def test_refused(case: dict[str, Any], pure: bool) -> None:
    findings = findings_of(case["text"], pure)
    assert placed(findings) == case["findings"]
    first = f"{findings[0].message} {findings[0].hint}"
    for piece in case.get("says", ()):
        assert piece in first


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_parsers_agree_to_the_word(case: dict[str, Any]) -> None:
    source = case["text"].encode()
    (ours, findings), (other, other_findings) = (read_document(source, "f", _pure=pure) for pure in (False, True))
    assert findings == other_findings
    assert (ours is None) == (other is None)
    if ours is not None and other is not None:
        assert same(ours.data, other.data)


@pytest.mark.parametrize(
    ("source", "wanted", "says"),
    [
        ("a: b\nc: Stra\xdfe\n".encode("latin-1"), "2:8 bad-encoding", "'ß'"),
        (b"\xef\xbb\xbfa: \xff\n", "1:4 bad-encoding", "0xFF"),
        ("a: 1".encode("utf-16"), "1:1 bad-encoding", "UTF-16"),
        ("a: 1".encode("utf-16-be"), "1:1 bad-encoding", "UTF-16"),
        (b"a: \xed\xa0\x80\n", "1:4 bad-encoding", "UTF-8"),
    ],
)
def test_bad_encoding(source: bytes, wanted: str, says: str, pure: bool) -> None:
    findings = findings_of(source, pure)
    assert placed(findings) == [wanted]
    assert says in findings[0].message


def test_paths_of_findings() -> None:
    findings = findings_of("a:\n  b:\n    - c: 010\n    - {no: 1}\n  b: *x\n")
    assert [each.path for each in findings] == [("a", "b", 0, "c"), ("a", "b", 1, "no"), ("a", "b"), ("a", "b")]


def test_crlf_columns_and_lines() -> None:
    assert placed(findings_of("a: 1\r\nb: 010\r\nc: @\r\n")) == ["2:4 ambiguous-scalar", "3:4 syntax"]


def test_the_mark_at_the_start_takes_no_column() -> None:
    document = read("\ufeffa: 1\n")
    assert document.text == "a: 1\n"
    assert document.span(("a",)).column == 4


# Limits: what is hostile is refused in a moment, what is merely large is read.

LEVELS = 40

HOSTILE = {
    "2 MiB and more": ("a: " + "x" * (2 * 1024 * 1024), "1:1 too-large"),
    "brackets": ("[" * 1_000_000, "1:41 too-large"),
    "braces": ("{a: " * 50, f"1:{4 * LEVELS + 1} too-large"),
    "blocks": ("".join(" " * depth + "a:\n" for depth in range(500)), "41:41 too-large"),
    "items": ("- " * 500_000, "1:81 too-large"),
    "alias bomb": (
        "a: &a [x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        "6:8 too-large",
    ),
    "merge bomb": (
        "a: &a {"
        + ", ".join(f"k{i}: 1" for i in range(1_000))
        + "}\n"
        + "".join(f"m{i}: {{<<: *a}}\n" for i in range(5_000)),
        "101:11 too-large",
    ),
    "deep alias": (
        "a: &a " + "[" * 25 + "]" * 25 + "\nb: " + "[" * 25 + "*a" + "]" * 25 + "\n",
        "2:29 too-large",
    ),
    "digits": ("a: " + "9" * 5_000 + "\n", "1:4 bad-number"),
    "many digits": ("a: " + "9" * 2_000_000 + "\n", "1:4 bad-number"),
    "an open quote": ('a: "' + "x" * 2_000_000, "1:4 syntax"),
    "percent lines": ("#\n" * 900_000 + "%x", "900001:1 unsupported-yaml"),
    "tabs": ("a: 1\n" + "\t\n" * 500_000, "2:1 odd-space"),
    "odd spaces": ("\u00a0" * 600_000, "1:1 odd-space"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_refused_at_once(name: str) -> None:
    text, wanted = HOSTILE[name]
    started = time.process_time()
    findings = findings_of(text)
    # Far above what it takes; a text that was followed to its end would take far longer.
    assert time.process_time() - started < 30
    assert placed(findings) == [wanted]


@pytest.mark.parametrize("name", ["braces", "blocks", "alias bomb", "deep alias", "digits"])
def test_hostile_text_is_refused_by_the_pure_parser_too(name: str) -> None:
    text, wanted = HOSTILE[name]
    assert placed(findings_of(text, pure=True)) == [wanted]


def test_what_follows_the_end_of_reading_is_not_judged(pure: bool) -> None:
    text = "a: " + "[" * 41 + "]" * 41 + "\nb: |\n  x\ty\nc: 010\n"
    assert placed(findings_of(text, pure)) == ["1:43 too-large"]


def test_the_deepest_that_is_read(pure: bool) -> None:
    assert placed(findings_of("[" * (LEVELS + 1) + "]" * (LEVELS + 1), pure)) == [f"1:{LEVELS + 1} too-large"]
    data: Any = read("[" * LEVELS + "]" * LEVELS, pure).data
    for _ in range(LEVELS - 1):
        data = data[0]
    assert data == []


def test_many_findings_end_the_reading() -> None:
    assert len(findings_of("[" + "010, " * 400_000 + "]")) == 1_001


def test_large_and_harmless() -> None:
    lines = read("".join(f"k{i}: text {i}\n" for i in range(20_000)))
    assert isinstance(lines.data, dict)
    assert lines.data["k19999"] == "text 19999"
    assert lines.span(("k19999",)).line == 20_000
    people = read("people:\n" + "".join(f"  p{i}: {{price: 0.0{i % 9 + 1}, patience: 2}}\n" for i in range(20_000)))
    assert isinstance(people.data, dict)
    assert people.data["people"]["p19999"] == {"price": Decimal("0.02"), "patience": 2}  # type: ignore[index,call-overload]
    assert read("a: [" + ", ".join(f"{{b: {i}}}" for i in range(8_000)) + "]").span(("a", 7_999, "b")).column > 80_000
    assert read("a: #" + "\t" * 1_000_000).data == {"a": None}


@pytest.mark.parametrize("text", [b"a: [" + b"~," * 400_000 + b"]", b"".join(b"k%d: 1\n" % i for i in range(160_000))])
def test_more_values_than_are_read(text: bytes) -> None:
    document, (finding,) = read_document(text, "f")
    assert document is None
    assert finding.code is Code.TOO_LARGE
    assert "300,000" in finding.message


def test_no_more_of_a_file_is_read_than_tells_that_it_is_too_large() -> None:
    zeros = Path("/dev/zero")
    if not zeros.exists():
        pytest.skip("this system has no file without an end")
    assert len(read_source(zeros)) == MAX_BYTES + 1
    document, (finding,) = read_document(read_source(zeros), "f")
    assert (document, finding.code) == (None, Code.TOO_LARGE)


def test_without_the_c_extension() -> None:
    program = (
        "import sys; sys.modules['yaml._yaml'] = None\n"
        "from outscore.document import read_document\n"
        "from outscore.document.events import HAS_LIBYAML\n"
        "print(HAS_LIBYAML, read_document(b'a: {b: [1, 0.5]}', 'f')[0].data)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "False {'a': {'b': [1, Decimal('0.5')]}}"


def test_every_code_of_the_stage_is_met() -> None:
    met = {finding.split(" ")[1] for case in CASES for finding in case.get("findings", ())}
    stage = {
        Code.BAD_ENCODING, Code.EMPTY_DOCUMENT, Code.ODD_SPACE, Code.SYNTAX, Code.DUPLICATE_KEY,
        Code.AMBIGUOUS_SCALAR, Code.UNSUPPORTED_YAML, Code.BAD_NUMBER, Code.SPLIT_EXPRESSION,
    }  # fmt: skip
    assert met == stage
