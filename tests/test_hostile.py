"""Whatever stands in a ruleset's file, what comes out is a scorer or a RulesetError in words, and the work is bounded.

How long things take is the matter of benchmarks/bench_hostile.py; here it is what is done and what is said.
"""

from __future__ import annotations

import difflib
import json
import random
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from outscore.diagnostics import MAX_FINDINGS, Code, RulesetError, nearest, render
from outscore.document import build, source
from outscore.expression import names, parse
from outscore.expression.names import near_miss
from outscore.loader import check, loads
from outscore.numbers import MAX_DIGITS, MAX_EXPONENT
from outscore.ruleset import lengths, outcomes

ROOT = Path(__file__).parents[1]
GOOD = [*sorted((ROOT / "rulesets").glob("*[!s].yaml")), *sorted((ROOT / "tests" / "rulesets" / "ok").glob("*.yaml"))]
HEAD = "outscore: 1\nscenario: demo\nkpi: {direction: higher}\n"


def refusal(text: str | bytes) -> RulesetError:
    """The error that a ruleset is refused with, which must be fit to be read."""
    with pytest.raises(RulesetError) as caught:
        loads(text, "r.yaml")
    _is_fit_to_be_read(caught.value, text)
    return caught.value


def _is_fit_to_be_read(error: RulesetError, text: str | bytes) -> None:
    shown = text.decode(errors="replace") if isinstance(text, bytes) else text
    lines = shown.removeprefix("\ufeff").split("\n")
    assert 0 < len(error.diagnostics) <= 2 * MAX_FINDINGS
    for each in error.diagnostics:
        assert each.span is not None
        assert 1 <= each.span.line <= each.span.end_line <= len(lines)
        assert 1 <= each.span.column <= len(lines[each.span.line - 1]) + 1
        assert len(render(each, shown)) < 3_000
        words = f"{each.message} {each.hint}"
        assert not any(word in words for word in ("Traceback", "Error", "<class", " object at 0x", "ast."))


# Expressions --------------------------------------------------------------------------------------------------------

RULES = """outscore: 1
scenario: demo
kpi: {direction: higher, measures: [gain, loss], formula: gain - loss}
contacts:
  people: {sponsor: {price: 0.05}, chief: {price: 0.01}}
  restrictions:
    - id: tried
      when: WHEN
      charge: {plus: 0.01}
incidents:
  worse:
    when: INCIDENT
"""


def with_condition(text: str, *, incident: bool = False) -> str:
    # In double quotes, where JSON's escapes are YAML's too: nothing of the expression is YAML's to cut up.
    written = json.dumps(text, ensure_ascii="\0" in text)
    harmless = "delivered.kpi < 0" if not incident else "nth > 1"
    return RULES.replace("INCIDENT" if incident else "WHEN", written).replace(
        "WHEN" if incident else "INCIDENT", harmless
    )


REFUSED: list[tuple[str, str, Code, str]] = [
    ("a power of powers", "9**9**9", Code.REFUSED_SYNTAX, "write a power as a product"),
    ("a huge power", "3999999**3999999", Code.REFUSED_SYNTAX, "write a power as a product"),
    ("a text times a number", "'a'*10**9", Code.REFUSED_SYNTAX, "write a power as a product"),
    ("a text times a number, without a power", "'a'*1000000000 == to", Code.TYPE_MISMATCH, "'*' takes numbers"),
    ("a format of a thousand million", "'%1000000000d' % nth", Code.REFUSED_SYNTAX, "'%' is not part of"),
    ("a formatted text", "f'{nth:>1000000000}'", Code.REFUSED_SYNTAX, "'f'"),
    ("a method of a text", "'a'.ljust(10**9)", Code.REFUSED_SYNTAX, "write a power as a product"),
    ("a method of a text, without a power", "'a'.ljust(1000000000) == to", Code.REFUSED_SYNTAX, "cannot be called"),
    ("the class of a tuple", "().__class__", Code.BAD_EXPRESSION, "nothing in the brackets"),
    ("the class of a name", "to.__class__", Code.REFUSED_SYNTAX, "a dot stands after baseline"),
    ("an import", "__import__('os')", Code.REFUSED_SYNTAX, "cannot be called"),
    ("chance", "rand() > 0.5", Code.REFUSED_SYNTAX, "cannot be called"),
    ("an assignment for a comparison", 'to = "sponsor"', Code.REFUSED_SYNTAX, "compare with '=='"),
    ("two statements", "nth > 1; nth > 2", Code.REFUSED_SYNTAX, "a rule is one expression"),
    ("two lines", "nth > 1\nnth > 2", Code.REFUSED_SYNTAX, "stands on one line"),
    ("a walrus", "nth := 3", Code.REFUSED_SYNTAX, "an expression sets nothing"),
    ("a lambda", "lambda: 1", Code.REFUSED_SYNTAX, "'lambda' is not part of"),
    ("a comprehension", '[x for x in "a"]', Code.REFUSED_SYNTAX, "'for' is not part of"),
    ("an unknown name behind a short circuit", 'to == "x" and hourr > 3', Code.UNKNOWN_NAME, "did you mean 'hour'?"),
    ("a number for a condition", "nth and 3", Code.TYPE_MISMATCH, "'and' takes a condition"),
    ("a bitwise or", "hour < 9 | nth > 3", Code.REFUSED_SYNTAX, "write 'or'"),
    ("a text below a number", "to < 3", Code.TYPE_MISMATCH, "'<' compares numbers"),
    ("identity", "nth is 3", Code.REFUSED_SYNTAX, "compare with '=='"),
    ("a weekday that is none", 'weekday == "Sat"', Code.IMPOSSIBLE_VALUE, "did you mean 'sat'?"),
    ("a shift", "1 << 10", Code.REFUSED_SYNTAX, "multiply instead"),
    ("a remainder", "nth % 2", Code.REFUSED_SYNTAX, "there is no remainder"),
    ("a name in full-width letters", "ｎｔｈ > 3", Code.REFUSED_SYNTAX, "'ｎｔｈ'"),
    ("full-width digits", "nth > ３", Code.REFUSED_SYNTAX, "'３'"),
    (
        "a hundred thousand parentheses",
        "(" * 100_000 + "nth > 3" + ")" * 100_000,
        Code.TOO_COMPLEX,
        "200007 characters",
    ),
    ("parentheses within the length", "(" * 200 + "nth > 3" + ")" * 200, Code.TOO_COMPLEX, "20 levels deep"),
    ("two thousand negations", "not " * 2_000 + "nth > 3", Code.TOO_COMPLEX, "8007 characters"),
    ("negations within the length", "not " * 100 + "nth > 3", Code.TOO_COMPLEX, "20 levels deep"),
    ("half a million conditions", "nth > 3 and " * 500_000 + "nth > 3", Code.TOO_LARGE, "bytes"),
    ("a thousand conditions", "nth > 3 and " * 1_000 + "nth > 3", Code.TOO_COMPLEX, "12007 characters"),
    ("conditions within the length", "hour>3 or " * 49 + "nth>3", Code.TOO_COMPLEX, "at most 120"),
    ("a null byte", "nth > 3\0", Code.REFUSED_SYNTAX, "control character U+0000"),
    ("a null byte in a text", "to == 'a\0'", Code.REFUSED_SYNTAX, "control character U+0000"),
    ("two dots", "delivered.x.y", Code.REFUSED_SYNTAX, "and once"),
    ("no number", 'float("nan")', Code.REFUSED_SYNTAX, "cannot be called"),
    ("a literal of two megabytes", "9" * 2_000_000, Code.TOO_COMPLEX, "2000000 characters"),
    ("a literal of five thousand digits", "nth > " + "9" * 480, Code.BAD_NUMBER, "480 characters"),
    ("a huge exponent", "nth > 1e999999999", Code.BAD_NUMBER, "exponent"),
    ("a subscript", "to[0] == 'a'", Code.REFUSED_SYNTAX, "no part is taken out"),
    ("an unpacking", "min(*[nth, 3]) > 1", Code.BAD_EXPRESSION, "a value is missing before '*'"),
    ("a mapping", "{'a': 1}['a'] == nth", Code.REFUSED_SYNTAX, "'{'"),
    ("an await", "await nth", Code.REFUSED_SYNTAX, "'await' is not part of"),
    ("bytes", "b'a' == to", Code.REFUSED_SYNTAX, "'b'"),
    ("a comment", "nth > 3 # or anything", Code.REFUSED_SYNTAX, "takes no comment"),
    ("a backslash", r"to == 'a\x00'", Code.REFUSED_SYNTAX, "backslash"),
    ("an ellipsis", "...", Code.BAD_EXPRESSION, "a value is missing"),
    ("nothing", "", Code.BAD_EXPRESSION, "is empty"),
]


@pytest.mark.parametrize("incident", [False, True], ids=["in a restriction", "in an incident rule"])
@pytest.mark.parametrize(("text", "code", "words"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_an_expression_is_refused_when_the_ruleset_is_loaded(text: str, code: Code, words: str, incident: bool) -> None:
    error = refusal(with_condition(text, incident=incident))
    if incident and (code in OF_NAMES_AND_TYPES):
        # Other names are known there; what is wrong with the text is wrong all the same.
        assert {each.code for each in error.diagnostics} <= OF_NAMES_AND_TYPES
        return
    found = [each for each in error.diagnostics if each.code is code]
    assert found, error
    assert any(words in f"{each.message} {each.hint}" for each in found), error
    if code is not Code.TOO_LARGE:
        # The finding stands within the condition's quotes, whatever its length.
        line = 12 if incident else 8
        assert all(each.span is not None and each.span.line == line for each in error.diagnostics)


OF_NAMES_AND_TYPES = {Code.UNKNOWN_NAME, Code.TYPE_MISMATCH, Code.IMPOSSIBLE_VALUE, Code.BAD_NUMBER}


def test_a_refused_expression_was_never_run(tmp_path: Path) -> None:
    told = tmp_path / "told"
    for text in (f"open('{told}', 'w') == nth", f"__import__('os').system('touch {told}') == 0", f"exec('{told}')"):
        refusal(with_condition(text))
    assert not told.exists()


# Bounds -------------------------------------------------------------------------------------------------------------


def lines_of(line: Callable[[int], str], count: int) -> str:
    return "".join(line(number) for number in range(count))


BOMB = "x-a: &a [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n" + "".join(
    f"x-{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcdefg", "bcdefgh", strict=True)
)

MERELY_LONG = "half a million values"

LIMITS: list[tuple[str, str | bytes, Code]] = [
    ("more than two mebibytes", HEAD + "# " + "x" * 2**21 + "\n", Code.TOO_LARGE),
    ("more than 40 levels", HEAD + "x-deep: " + "[" * 40 + "]" * 40 + "\n", Code.TOO_LARGE),
    ("a million brackets", HEAD + "x-deep: " + "[" * 10**6, Code.TOO_LARGE),
    ("a million levels of mappings", HEAD + "x-deep: " + "{a: " * 400_000, Code.TOO_LARGE),
    ("aliases of aliases of aliases", HEAD + BOMB + "contacts: *h\n", Code.TOO_LARGE),
    ("merges of merges of merges", HEAD + BOMB.replace("[", "{<<: [").replace("]", "]}"), Code.UNSUPPORTED_YAML),
    ("an alias inside what it repeats", HEAD + "x-a: &a {b: *a}\n", Code.UNSUPPORTED_YAML),
    (MERELY_LONG, HEAD + "x-a: [" + "1," * 500_000 + "1]\n", Code.TOO_LARGE),
    ("a key of a megabyte", HEAD + "k" * 10**6 + ": 1\n", Code.SYNTAX),
    ("a number of a megabyte", HEAD + "trials: {count: true, prices: [" + "9" * 10**6 + "]}\n", Code.BAD_NUMBER),
    ("an exponent of a megabyte", HEAD + "trials: {count: true, prices: [1e" + "9" * 10**6 + "]}\n", Code.BAD_NUMBER),
    ("a megabyte of NULs", b"\0" * 10**6, Code.BAD_ENCODING),
    ("a megabyte of tabs", HEAD + "\t" * 10**6 + "a: 1\n", Code.ODD_SPACE),
    ("a megabyte of half a text", HEAD + 'title: "' + "x" * 10**6, Code.SYNTAX),
    ("a megabyte of anchors", HEAD + "x-a: " + "&a " * 3 * 10**5, Code.SYNTAX),
    ("a megabyte of question marks", HEAD + "? " * 5 * 10**5, Code.TOO_LARGE),
    ("a zone of a megabyte", HEAD + "timezone: Europe/" + "n" * 10**6 + "\n", Code.UNKNOWN_TIMEZONE),
    ("an id of a megabyte", HEAD.replace("demo", "Demo" * 250_000), Code.BAD_ID),
    ("factors of ten thousand digits", HEAD + "trials:\n  count: true\n  prices: [1]\n  restrictions:\n"
        + lines_of(lambda n: f"    - {{id: r{n}, charge: {{times: 0.{n + 10**38}1}}}}\n", 300), Code.TOO_COMPLEX),
    ("divisors of ten thousand digits", HEAD + "fields: {minutes: number}\ntrials:\n  count: true\n  prices: [1]\n"
        + "  restrictions:\n"
        + lines_of(lambda n: f"    - {{id: r{n}, charge: {{plus: 1 / (minutes + {n})}}}}\n", 300), Code.TOO_COMPLEX),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code"), [case[1:] for case in LIMITS], ids=[case[0] for case in LIMITS])
def test_what_is_too_much_is_refused(text: str | bytes, code: Code) -> None:
    assert code in {each.code for each in refusal(text).diagnostics}


FINE = {
    "20,000 lines without anchors": HEAD + "contacts:\n  people:\n" + lines_of(
        lambda n: f"    p{n}:\n      price: 0.01\n", 9_997),
    "20,000 people": HEAD + "contacts:\n  people:\n" + lines_of(lambda n: f"    p{n}: {{price: 0.01}}\n", 20_000),
    "a line of 80 kB": HEAD
        + "contacts: {people: {" + ", ".join(f"p{n}: {{price: 0.01}}" for n in range(3_500)) + "}}\n",
    "2,000 rules of one condition each": HEAD + "contacts:\n  restrictions:\n" + lines_of(
        lambda n: f"    - {{id: r{n}, when: nth > {n}, charge: {{plus: 0.01}}}}\n", 2_000),
    "40 levels": HEAD + "x-deep: " + "[" * 39 + "]" * 39 + "\n",
}  # fmt: skip


@pytest.mark.parametrize("name", FINE)
def test_what_is_merely_much_is_fine(name: str) -> None:
    checked = check(FINE[name].encode(), name)
    assert checked.diagnostics == ()
    assert checked.ruleset is not None


@pytest.mark.parametrize("begun", ["x-a: ", "x-a: {b: ", "x-a: # '\nx-b: \"", "x-a: [", "x-a: 'x #'\nx-b: "])
@pytest.mark.parametrize(
    "unit", ["(", "(a", "'", '"', "'a ", '\\"', "(,", " #", "# '", "|", ">1", "\u00a0", "a:\u00a0", "a, "]
)
def test_one_thing_over_and_over_is_read_in_one_pass(unit: str, begun: str) -> None:
    # A pattern that begins anew at each of them takes minutes for this much.
    checked = check((HEAD + begun + unit * (200_000 // len(unit))).encode(), "r.yaml")
    assert checked.diagnostics or checked.ruleset is not None


@pytest.mark.parametrize(
    "text",
    [
        HEAD + r'timezone: "\e[31mEurope\x07/Berlin"',
        HEAD + r'contacts: {"\e[31mclerk": {price: 1}}',
        HEAD.replace("demo", r'"de\e]0;mo"'),
        HEAD + r'"\u202ek": 1',
        HEAD + 'title: "\x1b[31mred"',
        with_condition("to == '\x1b[31m'"),
        with_condition("\u202enth > 3"),
    ],
)
def test_nothing_in_a_ruleset_reaches_the_terminal_as_more_than_text(text: str) -> None:
    assert all(each.isprintable() or each == "\n" for each in str(refusal(text)))


# Many findings, long names, many candidates: what an author never meets, and a hostile one would write.

MANY: dict[str, str] = {
    "unknown keys": HEAD + lines_of(lambda n: f"tittle_{n}: 1\n", 30_000),
    "unknown keys far down": HEAD + "contacts:\n  people:\n" + lines_of(lambda n: f"    p{n}: {{prise: 1}}\n", 20_000),
    "bad prices": HEAD + "contacts:\n  people:\n" + lines_of(lambda n: f"    p{n}: {{price: -1}}\n", 20_000),
    "bad expressions": HEAD + "trials:\n  count: true\n  prices: [0]\n  restrictions:\n" + lines_of(
        lambda n: f"    - {{id: r{n}, when: hourr > {n}, charge: {{plus: 1}}}}\n", 5_000),
    "one id all over": HEAD + "contacts:\n  restrictions:\n" + "    - {id: a, charge: {plus: 1}}\n" * 10_000,
    "one measure all over": HEAD.replace("r}", f"r, formula: a, measures: [{', '.join('a' * 20_000)}]}}"),
    "measures that are none": HEAD.replace("r}", "r, formula: a0, measures: ["
        + ", ".join(f"a{n}" for n in range(5_000)) + "], pinned: {baseline: {"
        + ", ".join(f"b{n}: 1" for n in range(5_000)) + "}, reference: {a0: 1}}}"),
    "one misspelt key, repeated by aliases": HEAD + "x-a: &a {prise: 1, b: 2, c: 3}\ncontacts:\n  people:\n"
        + lines_of(lambda n: f"    p{n}: *a\n", 10_000),
    "one long text, repeated by aliases": HEAD + f"x-a: &a {'A' * 10**5}\ncontacts:\n  people:\n"
        + lines_of(lambda n: f"    p{n}: {{price: *a, past_patience: *a}}\n", 2_000),
    "one long id, repeated by aliases": HEAD + f"x-a: &a {'a' * 10**5}\ncontacts:\n  restrictions:\n"
        + "    - {id: *a, charge: {plus: 1}}\n" * 2_000,
    "people that nobody is": HEAD + "contacts:\n  people:\n" + lines_of(lambda n: f"    p{n}: {{price: 1}}\n", 5_000)
        + "  restrictions:\n" + lines_of(
            lambda n: f"    - {{id: r{n}, when: to == 'q{n}', charge: {{plus: 1}}}}\n", 3_000),
}  # fmt: skip


@pytest.mark.parametrize("name", MANY)
def test_findings_have_an_end(name: str) -> None:
    error = refusal(MANY[name])
    # What is misspelt is not missing too, so some of the thousand may fall away.
    assert MAX_FINDINGS // 2 <= len(error.diagnostics) <= MAX_FINDINGS
    assert len(str(error)) < MAX_FINDINGS * 2_500


def test_warnings_past_the_bound_leave_the_trees_whole() -> None:
    rules = lines_of(lambda n: f"    - {{id: r{n}, when: 1 < 2, charge: {{plus: 0.01}}}}\n", MAX_FINDINGS + 10)
    checked = check((HEAD + "trials:\n  count: true\n  prices: [0]\n  restrictions:\n" + rules).encode(), "r.yaml")
    assert checked.ruleset is not None
    assert len(checked.ruleset.trees) == MAX_FINDINGS + 10
    assert len(checked.diagnostics) == MAX_FINDINGS


def test_among_many_names_nothing_is_compared_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difflib, "get_close_matches", lambda *_, **__: pytest.fail("compared with each"))
    people = [f"person_{number}" for number in range(20_000)]
    assert nearest("persom_17", people) == "person_17"
    assert nearest("person_7777x", frozenset(people)) == "person_7777"
    assert nearest("prison_7", dict.fromkeys(people)) is None


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("cheif", "chief"),
        ("chef", "chief"),
        ("chieff", "chief"),
        ("thief", "chief"),
        ("Chief", "chief"),
        ("head_of_claim", "head_of_claims"),
        ("chf", None),
        ("sponsor", None),
        ("", None),
    ],
)
def test_a_near_miss_is_looked_up(text: str, meant: str | None) -> None:
    assert near_miss(text, frozenset({"chief", "head_of_claims"})) == meant


def test_near_misses_are_not_looked_for_among_too_many() -> None:
    many = frozenset(f"p{number}" for number in range(names._MOST_INDEXED + 1))
    assert near_miss("p_1", many) is None


def test_people_times_restrictions_is_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    applied = 0
    apply = outcomes._apply

    def counted(*arguments: Any) -> Any:
        nonlocal applied
        applied += 1
        return apply(*arguments)

    monkeypatch.setattr(outcomes, "_apply", counted)
    people = lines_of(lambda n: f"    p{n}: {{price: {n}}}\n", 1_000)
    rules = lines_of(lambda n: f"    - {{id: r{n}, charge: {{plus: -1}}}}\n", 1_000)
    text = f"{HEAD}contacts:\n  people:\n{people}  restrictions:\n{rules}"
    assert {each.code for each in refusal(text).diagnostics} == {Code.NEGATIVE_CHARGE}
    assert applied <= 1_000 + outcomes._MOST_FOLLOWED * 1_000


def test_negative_charges_are_found_by_the_joined_change_as_by_each() -> None:
    """The changes of a section joined to one give what the changes one by one give."""
    draw = random.Random(3)
    for _ in range(300):
        changes = [
            outcomes._Change((number,), draw.choice(["price", "times", "plus"]), value, draw.random() < 0.8)
            for number in range(draw.randrange(6))
            for value in [draw.choice([None, *map(Fraction, ("0", "2", "-1", "1/2", "-3/2"))])]
        ]
        for charge in (None, Fraction(0), Fraction(3)):
            amount = charge
            for each in changes:
                amount = outcomes._apply(each, amount) if each.is_certain and each.value is not None else None
            assert outcomes._After.of(changes).amount(charge) == amount


def test_the_page_on_safety_states_the_bounds() -> None:
    page = (ROOT / "docs" / "explanation" / "safety.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \| `?[a-z]", page, re.M))
    assert rows == {
        "limit": "most",
        "size of a file": f"{source.MAX_BYTES // 2**20} MiB",
        "levels of mappings and lists": f"{build.MAX_DEPTH}",
        "keys and values": f"{build.MAX_EVENTS:,}",
        "values that aliases repeat, as if written out": f"{build.MAX_REPEATED:,}",
        "digits of a number, and its scientific exponent": f"{MAX_DIGITS}, from -{MAX_EXPONENT} to {MAX_EXPONENT}",
        "characters of an expression": f"{parse.MAX_LENGTH}",
        "values and operations of an expression": f"{parse.MAX_NODES}",
        "depth of an expression": f"{parse.MAX_DEPTH}",
        "digits that factors and divisors bring into a section's charges": f"{lengths.MAX_CHARGE_DIGITS:,}",
        "findings of one stage": f"{MAX_FINDINGS:,}",
    }
