"""Price sheets and bills as values: what can be afforded, whom a restriction concerns, what an expression saw."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.compiler import compile_ruleset
from outscore.diagnostics import RunError
from outscore.explain import Bill, PriceSheet, bill, price_sheet
from outscore.explain.markdown import markdown
from outscore.explain.page import Cell, Code, Column, Heading, Paragraph, Table
from outscore.explain.records import bill_record, number, sheet_record
from outscore.explain.sheet import affordable, bands_of
from outscore.explain.sheet_page import sheet_page
from outscore.explain.wording import amount, bands_in_words, ordinal, shown, term, value_text
from outscore.jsontext import read_json
from outscore.ledger import Ledger, Tariff
from outscore.loader import Checked, check, loads
from outscore.plan import Change, Person
from outscore.run import Run, Void, read_run
from outscore.score import Score

from tests.cases import conformance_cases, ruleset_text, run_text

ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / "rulesets").glob("*[!s].yaml"))

LAWS = settings(max_examples=60, deadline=None, derandomize=True)


def checked(text: str) -> Checked:
    found = check(text.encode(), "rules.yaml")
    assert found.ruleset is not None, found.diagnostics
    return found


def sheet_of(text: str) -> PriceSheet:
    found = checked(text)
    assert found.ruleset is not None
    assert found.document is not None
    return price_sheet(found.ruleset, compile_ruleset(found.ruleset), found.document)


def bill_of(text: str, record: object, *, all_rules: bool = False) -> Bill:
    found = checked(text)
    assert found.ruleset is not None
    assert found.document is not None
    plan = compile_ruleset(found.ruleset)
    run = read_run(record, plan)
    assert isinstance(run, Run)
    return bill(found.ruleset, plan, found.document, run, all_rules=all_rules)


def person(price: str, patience: int | None = None, /, **past: str) -> Person:
    change = next((Change(kind, Fraction(value)) for kind, value in past.items()), None)  # type: ignore[arg-type]
    return Person(Fraction(price), patience, change)


# Numbers and words


@pytest.mark.parametrize(
    ("value", "plain", "padded", "in_a_calculation"),
    [
        ("0", "0", "0.0000", "0"),
        ("1/100", "0.01", "0.0100", "0.01"),
        ("8201/2", "4100.5", "4100.5000", "4100.5"),
        ("-1/40", "-0.025", "-0.0250", "(-0.025)"),
        ("1/32", "0.03125", "0.03125", "0.03125"),
        ("1/3", "0.3333 (1/3)", "0.3333 (1/3)", "(1/3)"),
        ("-1/3", "-0.3334 (-1/3)", "-0.3334 (-1/3)", "(-1/3)"),
        ("5801/7200", "0.8056 (5801/7200)", "0.8056 (5801/7200)", "(5801/7200)"),
        ("799999999999/1000000000000", *["0.7999 (799999999999/1000000000000)"] * 2, "(799999999999/1000000000000)"),
    ],
)
def test_numbers_are_exact_or_cut_with_the_fraction_beside(
    value: str, plain: str, padded: str, in_a_calculation: str
) -> None:
    exact = Fraction(value)
    assert (shown(exact), amount(exact), term(exact)) == (plain, padded, in_a_calculation)


@pytest.mark.parametrize(
    ("number", "word"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th")]
)
def test_ordinals(number: int, word: str) -> None:
    assert [ordinal(number + hundreds) for hundreds in (0, 100)] == [word, f"{number + 100}{word[-2:]}"]


@pytest.mark.parametrize(("number", "word"), [(21, "21st"), (22, "22nd"), (111, "111th"), (1003, "1003rd")])
def test_larger_ordinals(number: int, word: str) -> None:
    assert ordinal(number) == word


def test_values_in_words() -> None:
    assert [value_text(each) for each in (True, False, 19, Fraction(1, 2), "chat", "x" * 61)] == [
        *("true", "false", "19", "0.5", '"chat"', f'"{"x" * 60}..."'),
    ]


@pytest.mark.parametrize(
    ("who", "words", "most"),
    [
        (person("0.01", 4, times="3"), "contacts 1-4 at 0.01, from the 5th on 0.03", 9),
        (person("0.02", 2, plus="0.03"), "contacts 1-2 at 0.02, from the 3rd on 0.05", 5),
        (person("0.02", 1, price="0.06"), "contact 1 at 0.02, from the 2nd on 0.06", 4),
        (person("0.05"), "every contact at 0.05", 4),
        (person("0.2"), "every contact at 0.2", 1),
        (person("0.21"), "every contact at 0.21", 0),
        (person("0.3", 3, times="0"), "contacts 1-3 at 0.3, from the 4th on 0", 0),
        # Patience 0: nobody is ever charged the list price.
        (person("0.01", 0, times="5"), "every contact at 0.05", 4),
        # The change changes nothing.
        (person("0.01", 3, times="1"), "every contact at 0.01", 20),
        (person("0"), "every contact at 0", None),
        (person("0.1", 1, price="0"), "contact 1 at 0.1, from the 2nd on 0", None),
        (person("0", 3, plus="0.05"), "contacts 1-3 at 0, from the 4th on 0.05", 7),
        # The mark is reached exactly: 0.2 and not a bit more.
        (person("0.1", 1, price="0.1"), "every contact at 0.1", 2),
        (
            person("0.1", 1, plus="1e-40"),
            f"contact 1 at 0.1, from the 2nd on 0.1000 ({Fraction(10**39 + 1, 10**40)})",
            1,
        ),
        (person("1e-40"), f"every contact at 0.0000 (1/{10**40})", 2 * 10**39),
        (person("0", 10**30, price="0.2"), f"contacts 1-{10**30} at 0, from the {10**30 + 1}st on 0.2", 10**30 + 1),
        # A charge below zero, which only a restriction could mend: such a run is not scored without it.
        (person("0.01", 2, plus="-0.05"), "contacts 1-2 at 0.01, from the 3rd on -0.04", 2),
    ],
)
def test_a_persons_contacts_in_words_and_how_many_can_be_afforded(who: Person, words: str, most: int | None) -> None:
    bands = bands_of(who)
    assert (bands_in_words("contact", bands), affordable(bands)) == (words, most)


@LAWS
@given(
    price=st.integers(0, 30),
    patience=st.integers(0, 12),
    kind=st.sampled_from(["price", "times", "plus"]),
    value=st.integers(0, 5),
)
def test_what_can_be_afforded_is_what_the_ledger_comes_to(price: int, patience: int, kind: Any, value: int) -> None:
    past = f"{{{kind}: {value if kind == 'times' else f'0.0{value}'}}}"
    rules = f"{{price: 0.{price:02}, patience: {patience}, past_patience: {past}}}"
    scorer = loads(f"outscore: 1\nscenario: case\nkpi: {{direction: higher}}\ncontacts: {{people: {{chief: {rules}}}}}")
    most = affordable(bands_of(scorer.plan.contacts.people["chief"]))  # type: ignore[union-attr]
    ledger, cost, count = Ledger(Tariff(scorer.plan, None)), Fraction(0), 0
    run = read_run(read_json(run_text({"events": [{"type": "contact", "to": "chief"}]})), scorer.plan)
    assert isinstance(run, Run)
    while count < 250 and (cost := cost + ledger.charge(run.events[0]).amount) <= Fraction(1, 5):
        count += 1
    assert count == (250 if most is None or most > 250 else most)


# Sheets


RULES = """\
outscore: 1
scenario: small
kpi: {direction: higher, name: "Output, | of `all`"}
contacts:
  people:
    chief: &same
      price: 0.1
    clerk: *same
  restrictions:
    - id: always
      charge: {plus: 0.01}
    - {id: late, when: nth > 3, charge: {times: nth / 3}}
trials:
  count: false
waiting:
  count: true
  price_per_day: 0
"""


def test_a_sheet_has_the_lines_and_the_words() -> None:
    sheet = sheet_of(RULES)
    contacts, trials, waiting = sheet.contacts, sheet.trials, sheet.waiting
    assert contacts is not None
    assert trials is not None
    assert waiting is not None
    assert [(each.id, each.line) for each in contacts.people] == [("chief", 6), ("clerk", 8)]
    assert [(each.id, each.when, str(each.charge), each.line) for each in contacts.restrictions] == [
        ("always", None, "plus 0.01", 10),
        ("late", "nth > 3", "times nth / 3", 12),
    ]
    assert contacts.anyone_else is None
    assert trials.words == "not counted: trials are listed, and free"
    assert waiting.words == "0 a day"
    assert sheet.incidents == ()


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_lines_of_a_shipped_sheet_are_where_things_are_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    sheet = sheet_of(text)
    assert sheet.contacts is not None
    for person in sheet.contacts.people:
        assert lines[person.line - 1].strip() == f"{person.id}:"
    sections = [each.restrictions for each in (sheet.contacts, sheet.trials, sheet.waiting) if each is not None]
    for restriction in (each for restrictions in sections for each in restrictions):
        assert lines[restriction.line - 1].strip() == f"- id: {restriction.id}"
    for incident in sheet.incidents:
        assert lines[incident.line - 1].strip() == f"{incident.id}:"


def test_a_sheet_of_very_many_people_is_cut_unless_it_is_to_be_whole() -> None:
    people = "".join(f"    p{number}: {{price: 0.0{number % 9 + 1}}}\n" for number in range(1000))
    sheet = sheet_of(f"outscore: 1\nscenario: big\nkpi: {{direction: higher}}\ncontacts:\n  people:\n{people}")
    page, whole = sheet_page(sheet), sheet_page(sheet, whole=True)
    assert [len(block.rows) for block in page if isinstance(block, Table)] == [40]
    assert [len(block.rows) for block in whole if isinstance(block, Table)] == [1000]
    assert any("and 960 more people" in markdown((block,)) for block in page)
    contacts = sheet_record(sheet)["contacts"]
    assert len(contacts["people"]) == 1000


@pytest.mark.parametrize(
    ("patiences", "columns"),
    [
        ([2, 4], ["1st", "2nd", "3rd", "4th", "5th on"]),
        ([3, 50], ["1st-3rd", "4th-50th", "51st on"]),
        ([0], []),
        ([10**12], [f"1st-{10**12}th", f"{10**12 + 1}st on"]),
    ],
)
def test_contact_by_contact(patiences: list[int], columns: list[str]) -> None:
    people = "".join(
        f"    p{number}: {{price: 0.01, patience: {patience}, past_patience: {{plus: 0.01}}}}\n"
        for number, patience in enumerate(patiences)
    )
    sheet = sheet_of(f"outscore: 1\nscenario: s\nkpi: {{direction: higher}}\ncontacts:\n  people:\n{people}")
    _, *tables = [block for block in sheet_page(sheet) if isinstance(block, Table)]
    assert [column.name for table in tables for column in table.columns[1:]] == columns


# Bills


def shipped_runs() -> list[Any]:
    runs = []
    for path in SHIPPED:
        text = path.with_suffix(".runs.jsonl").read_text(encoding="utf-8")
        runs += [pytest.param(path, line, id=str(json.loads(line)["run"])) for line in text.splitlines() if line]
    return runs


@pytest.mark.parametrize(("path", "line"), shipped_runs())
def test_a_bill_is_the_runs_account(path: Path, line: str) -> None:
    text = path.read_text(encoding="utf-8")
    score = loads(text).score(line)
    if isinstance(score, Void):
        return
    made = bill_of(text, read_json(line), all_rules=True)
    assert made.score == score
    assert made.total == made.score.exact.contact_cost
    assert tuple(item.charge for item in made.items) == score.account.charges
    rows = text.splitlines()
    for item in made.items:
        assert [(step.rule, step.kind, step.value, step.amount) for step in item.steps] == [
            (step.rule, step.kind, step.value, step.amount) for step in item.charge.steps
        ]
        assert all(step.when is None or step.when.value is True for step in item.steps)
        assert all(step.operand is None or step.operand.value == step.value for step in item.steps)
        assert all(passed.when.value is False for passed in item.passed)
        for rule in (*item.steps, *item.passed):
            key = rule.rule.rsplit(".", 1)[-1]
            assert key in rows[rule.line - 1]
    assert tuple(each.id for each in made.incidents if each.happened) == score.incidents
    json.dumps(bill_record(made), allow_nan=False)


def test_each_restriction_of_a_charged_event_has_held_or_passed() -> None:
    text = (ROOT / "rulesets" / "on_call.yaml").read_text(encoding="utf-8")
    events = [{"type": "contact", "to": "primary", "at": "2026-03-03T10:00", "severity": "sev3", "minutes": 5}]
    kpi = {system: {"downtime": 2, "misattributed": 1, "missed_pages": 0} for system in ("baseline", "delivered")}
    kpi["reference"] = {"downtime": 1, "misattributed": 1, "missed_pages": 0}
    run = {"run": "r", "scenario": "on_call", "kpi": kpi, "events": events}
    made = bill_of(text, run, all_rules=True)
    assert [passed.rule.split(".")[-1] for passed in made.items[0].passed] == ["woken", "weekend", "long_call"]
    assert bill_of(text, run).items[0].passed == ()


def test_prices_that_repeat_point_at_the_last_one() -> None:
    text = ruleset_text()[:-1] + ', "trials": {"count": true,\n"prices": [\n0,\n0.02,\n0.05]}}'
    made = bill_of(text, read_json(run_text({"events": [{"type": "trial"}] * 4})))
    first = made.items[0].steps[0].line
    assert [item.steps[0].line - first for item in made.items] == [0, 1, 2, 2]


def test_the_hours_that_were_charged() -> None:
    text = ruleset_text()[:-1] + ', "waiting": {"count": true, "price_per_day": 0.03, "free_days": 1}}'
    waits = [{"type": "wait", "hours": hours} for hours in (10, 20, 7)]
    made = bill_of(text, {**json.loads(run_text()), "events": waits})
    assert [item.charged_hours for item in made.items] == [0, 6, 7]


def test_a_bad_run_has_no_bill() -> None:
    with pytest.raises(RunError, match="nobody the ruleset lists"):
        bill_of(ruleset_text(), read_json(run_text({"events": [{"type": "contact", "to": "nobody"}]})))


@pytest.mark.parametrize("case", conformance_cases()[::5], ids=lambda case: str(case.get("name", case.get("id"))))
def test_bills_of_the_conformance_cases(case: dict[str, Any]) -> None:
    text = case["ruleset"] if isinstance(case["ruleset"], str) else json.dumps(case["ruleset"])
    run = case["run"] if isinstance(case["run"], str) else json.dumps(case["run"])
    score = loads(text).score(run)
    assert isinstance(score, Score)
    made = bill_of(text, read_json(run), all_rules=True)
    assert made.total == score.exact.contact_cost
    assert made.score.to_json() == score.to_json()
    sheet_record(sheet_of(text))


# JSON and Markdown


def test_numbers_in_json() -> None:
    assert number(Fraction(1, 100)) == {"value": 0.01, "exact": "1/100"}
    assert number(Fraction(10) ** 400) == {"value": None, "exact": "1" + "0" * 400}


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (("plain",), "plain"),
        (("a|b *c* _d_ [e](f) <g> `h` ~i~ \\",), r"a\|b \*c\* \_d\_ \[e\](f) \<g\> \`h\` \~i\~ \\"),
        (("ask @someone about #12, a # b",), "ask @<!-- -->someone about #<!-- -->12, a # b"),
        ((Code("a|b"), " and ", Code("it`s")), r"`a\|b` and ``it`s``"),
        ((Code("`x`"),), "`` `x` ``"),
        (("bell\x07 and\nbreak", Code("\x1b[31m")), "bell� and�break`�[31m`"),
    ],
)
def test_markdown_of_texts_that_could_be_markup(line: tuple[str, ...], text: str) -> None:
    assert markdown((Paragraph((line,)),)) == text + "\n"


def test_markdown_of_a_page() -> None:
    table = Table((Column("who"), Column("n", True)), ((Cell((("a",), ("b",))), Cell((("1",),), "strong")),))
    assert markdown((Heading(("Title",), 1), table, Paragraph((("one",), ("two",))))) == (
        "### Title\n\n| who | n |\n| --- | ---: |\n| a<br>b | **1** |\n\none<br>\ntwo\n"
    )
