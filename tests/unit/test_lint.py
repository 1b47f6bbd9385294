"""Lint: what it says of whole rulesets, that it is never wrong about charges, and the pages that explain it."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from outscore.cli.rule import read_sections
from outscore.diagnostics import Code, Diagnostic, Severity, render
from outscore.document import read_document
from outscore.lint import PASSES, lint
from outscore.loader import check, loads
from outscore.resources import diagnostics_page
from outscore.ruleset import read_ruleset
from outscore.score import Score

from tests.generate import ruleset as random_ruleset
from tests.test_docs import BLOCKS, Block

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "tests" / "rulesets" / "lint"
BAD = sorted(path for path in EXAMPLES.glob("*.yaml") if not path.stem.endswith("_ok"))
OK = sorted(EXAMPLES.glob("*_ok.yaml"))

LINT_CODES = {
    *(Code.CONSTANT_CONDITION, Code.OVERRIDDEN_RESTRICTION, Code.UNREACHABLE_PRICE, Code.DEAR_CHARGE),
    *(Code.FALLING_PRICES, Code.PINNED_INCIDENT, Code.UNRESOLVED_REFERENCE, Code.UNUSED_FIELD, Code.UNUSED_MEASURE),
    *(Code.NO_TESTS, Code.MISSING_WHY, Code.UNUSED_ALLOW, Code.BAD_ALLOW),
}


def stem(path: Path) -> str:
    return path.stem


def findings_of(text: str) -> tuple[Diagnostic, ...]:
    checked = check(text.encode(), "r.yaml", lint=True)
    assert checked.ruleset is not None, [render(each, text) for each in checked.diagnostics]
    return checked.diagnostics


def codes_of(text: str) -> list[str]:
    return [str(each.code) for each in findings_of(text)]


# Whole rulesets.


def test_every_lint_has_a_bad_and_a_good_example() -> None:
    names = {str(code).replace("-", "_") for code in LINT_CODES}
    assert {path.stem for path in BAD} == names
    assert {path.stem.removesuffix("_ok") for path in OK} == names


@pytest.mark.parametrize("path", BAD, ids=stem)
def test_a_bad_example_gives_exactly_its_findings(path: Path, update_golden: bool) -> None:
    checked = check(path.read_bytes(), path.name, lint=True)
    output = "".join(render(each, checked.text) + "\n" for each in checked.diagnostics)
    golden = path.with_suffix(".out")
    if update_golden:
        golden.write_text(output, encoding="utf-8")
    assert output == golden.read_text(encoding="utf-8")
    assert {each.severity for each in checked.diagnostics} == {Severity.WARNING}
    assert path.stem.replace("_", "-") in {str(each.code) for each in checked.diagnostics}
    assert checked.ruleset is not None


@pytest.mark.parametrize("path", [*OK, *sorted((ROOT / "rulesets").glob("*.yaml"))], ids=stem)
def test_a_good_ruleset_has_no_findings(path: Path) -> None:
    checked = check(path.read_bytes(), path.name, lint=True)
    assert [render(each, checked.text) for each in checked.diagnostics] == []


@pytest.mark.parametrize("path", sorted((ROOT / "tests/rulesets/ok").glob("*.yaml")), ids=stem)
def test_examples_of_shapes_lack_no_more_than_tests_and_reasons(path: Path) -> None:
    checked = check(path.read_bytes(), path.name, lint=True)
    found = [each for each in checked.diagnostics if each.code not in (Code.NO_TESTS, Code.MISSING_WHY)]
    assert [render(each, checked.text) for each in found] == []


def test_without_lint_there_are_the_findings_of_the_checks_alone() -> None:
    for path in BAD:
        checked = check(path.read_bytes(), path.name)
        assert checked.diagnostics == (), path.stem


def test_the_passes_cannot_be_changed_and_each_is_there_once() -> None:
    assert isinstance(PASSES, tuple)
    assert len(set(PASSES)) == len(PASSES) == 12


def test_errors_leave_lint_out() -> None:
    checked = check(b"outscore: 1\nscenario: demo\nkpi: {direction: up}\n", "r.yaml", lint=True)
    assert [each.code for each in checked.diagnostics] == [Code.BAD_VALUE]


# Charges: what is said of them holds for every run.

CONDITIONS = ("", "", "hour < 9", "hour < 9", "nth > 1", "nth >= 1", 'to == "a"', 'to != "a"', 'to == "a" or hour > 12')
CHARGES = ({"price": 0.02}, {"price": 0.03}, {"times": 0}, {"times": 2}, {"plus": 0.01}, {"price": "0.01 * nth"})


def random_rules(seed: int) -> dict[str, Any]:
    random = Random(seed)
    restrictions: list[dict[str, Any]] = []
    for position in range(random.randint(1, 4)):
        condition = random.choice(CONDITIONS)
        when = {"when": condition} if condition else {}
        restrictions.append({"id": f"r{position}", **when, "charge": random.choice(CHARGES)})
    people: dict[str, Any] = {name: {"price": 0.05} for name in "abc"}
    for person in people.values():
        if random.random() < 0.5:
            past = random.choice([{"price": 0.07}, {"times": 3}, {"plus": 0.02}])
            person |= {"patience": random.randint(0, 2), "past_patience": past}
    contacts = {"people": people, "restrictions": restrictions}
    return {"outscore": 1, "scenario": "demo", "kpi": {"direction": "higher"}, "contacts": contacts}


def amounts_by(rules: Mapping[str, Any]) -> list[Fraction]:
    """What some random contacts cost by these rules."""
    scorer, random, amounts = loads(json.dumps(rules)), Random(1), []
    for _ in range(6):
        events = [
            {"type": "contact", "to": random.choice("abc"), "at": f"2026-03-02T{hour:02}:00"}
            for hour in sorted(random.choices(range(24), k=8))
        ]
        kpi = {"baseline": 0, "delivered": 1, "reference": 1}
        score = scorer.score({"run": "r", "scenario": "demo", "kpi": kpi, "events": events})
        assert isinstance(score, Score)
        amounts += [charge.amount for charge in score.account]
    return amounts


def test_what_never_has_a_say_changes_no_charge() -> None:
    seen: Counter[Code] = Counter()
    for seed in range(60):
        rules = random_rules(seed)
        for found in check(json.dumps(rules).encode(), "r.json", lint=True).diagnostics:
            other = json.loads(json.dumps(rules))
            people, restrictions = other["contacts"]["people"], other["contacts"]["restrictions"]
            if found.code is Code.OVERRIDDEN_RESTRICTION:
                del restrictions[found.path[2]]
            elif found.code is Code.UNREACHABLE_PRICE and found.path[1] == "people":
                people[found.path[2]]["price"] = 0.99
            elif found.code is Code.UNREACHABLE_PRICE:
                when = restrictions[found.path[2]].get("when", "")
                for name, person in people.items():
                    person["price"] = 0.99 if name != "a" or 'to != "a"' not in when else person["price"]
            else:
                continue
            seen[found.code] += 1
            assert amounts_by(other) == amounts_by(rules), (seed, found.message)
    assert min(seen[Code.OVERRIDDEN_RESTRICTION], seen[Code.UNREACHABLE_PRICE]) > 12, seen


CONTACT_RULES = """\
outscore: 1
scenario: demo  # outscore: allow no-tests
kpi: {direction: higher}
contacts:
  people:
    a: {price: 0.5, patience: 1, past_patience: {times: 2}}
    b: {price: 0.1}
  restrictions:
"""


@pytest.mark.parametrize(
    ("restrictions", "words"),
    [
        ((), None),
        # Past patience 0.5 is 1, which is the whole gain, and not more.
        (("charge: {plus: 0.01}",), "with 'r0' a contact with 'a' past patience costs 1.01"),
        (("when: hour < 9, charge: {times: 3}",), "with 'r0' a contact with 'a' costs 1.5"),
        (("when: to == 'b', charge: {times: 10}",), None),
        (("when: to == 'b', charge: {times: 11}",), "with 'r0' a contact with 'b' costs 1.1"),
        (("when: to != 'a', charge: {times: 11}",), "with 'r0' a contact with 'b' costs 1.1"),
        (("when: hour < 9, charge: {times: 3}", "charge: {times: 0.1}"), None),
        (("when: hour < 9, charge: {times: 3}", "charge: {times: 0.1 * nth}"), None),
        (("charge: {plus: nth}", "when: hour < 9, charge: {price: 3}", "charge: {plus: nth}"), None),
        (("when: hour < 9, charge: {price: 3}", "charge: {times: 1 / 2}"), "with 'r0' a contact with 'a' costs 1.5"),
        (("when: hour < 9, charge: {price: 1 / 3 + 1}",), "with 'r0' a contact with 'a' costs about 1.333333333"),
        (("charge: {plus: 0.4}", "charge: {plus: 0.4}"), "with 'r0' a contact with 'a' past patience costs 1.8"),
        (("charge: {plus: 9}", "charge: {plus: -8.9}"), "with 'r0' a contact with 'a' past patience costs 1.1"),
        (("charge: {plus: 9}", "charge: {times: 0.01}"), None),
    ],
)
def test_dear_charges(restrictions: tuple[str, ...], words: str | None) -> None:
    lines = [f"    - {{id: r{at}, why: It shows., {each}}}\n" for at, each in enumerate(restrictions)]
    findings = findings_of(CONTACT_RULES + "".join(lines) if lines else CONTACT_RULES.replace("  restrictions:\n", ""))
    ending = ", more than the whole gain of the reference, which is 1"
    assert [each.message for each in findings] == ([] if words is None else [words + ending])
    assert {each.code for each in findings} <= {Code.DEAR_CHARGE}


def test_very_long_numbers_are_left_open() -> None:
    lines = [f"    - {{id: r{at}, why: It shows., charge: {{times: 1.{'7' * 39}}}}}\n" for at in range(240)]
    assert codes_of(CONTACT_RULES + "".join(lines)) == []


# Names and words.

FIELDS = """\
outscore: 1
scenario: demo  # outscore: allow no-tests
kpi: {direction: higher}
fields: {channel: [a, b], minutes: number}
"""


@pytest.mark.parametrize(
    ("rules", "unread"),
    [
        ("", []),
        ("trials: {count: true, prices: [0], restrictions: [{id: r, why: w, charge: {plus: minutes}}]}", ["channel"]),
        ("trials: {count: false, restrictions: [{id: r, why: w, when: channel == 'a', charge: {plus: minutes}}]}", []),
        ("waiting: {count: false, restrictions: [{id: r, why: w, when: hours > 3, charge: {plus: 1}}]}", []),
    ],
)
def test_fields_that_no_rule_reads(rules: str, unread: list[str]) -> None:
    found = findings_of(FIELDS + rules)
    assert [(each.code, each.path) for each in found] == [(Code.UNUSED_FIELD, ("fields", name)) for name in unread]


def test_a_measure_of_a_reference_is_read_too() -> None:
    text = """\
outscore: 1
scenario: demo  # outscore: allow no-tests
kpi: {direction: higher, measures: [gain, late, lost], formula: gain}
incidents:
  late: {why: It was late., when: delivered.kpi < 0 and reference.late > 3}
"""
    assert [each.path for each in findings_of(text)] == [("kpi", "measures", 2)]


WITH_INCIDENTS = """\
outscore: 1
scenario: demo
kpi: {direction: higher, pinned: {baseline: 0, reference: 10}}
incidents:
  outage: {why: It was down.}
  late: {why: It was late., when: delivered.kpi > 5 and baseline.kpi < delivered.kpi}
tests:
  - name: as good as the expert
    run: {kpi: {delivered: 10}}
    expect: {incidents: [late]}
"""


def test_where_an_incident_keeps_the_reference_from_resolving_no_price_is_blamed() -> None:
    _, found = findings_of(WITH_INCIDENTS)
    assert (found.code, found.message, found.hint) == (
        Code.UNRESOLVED_REFERENCE,
        "no test resolves with a delivery as good as the reference; at best, here, the incident 'late' takes the gain "
        "away",
        "the incident is the cause: mend the rule of 'late', or test a delivery that it leaves alone",
    )


@pytest.mark.parametrize(
    ("reported", "meant"),
    [
        ("[outtage]", {0: "outage"}),
        ("[outage, Outage, LATE]", {1: "outage", 2: "late"}),
        ("[outgae]", {0: "outage"}),
        # Any other name is an incident of its own.
        ("[outage, late]", {}),
        ("[flood, outages_of_mail, lateness]", {}),
    ],
)
def test_incidents_that_a_test_reports_and_may_have_misspelt(reported: str, meant: dict[int, str]) -> None:
    text = WITH_INCIDENTS.split("tests:")[0].replace(" and baseline.kpi < delivered.kpi", "").replace("> 5", "> 50")
    text += f"tests:\n  - name: one\n    run: {{kpi: {{delivered: 10}}, incidents: {reported}}}\n"
    text += "    expect: {resolved: false}\n"
    found = findings_of(text)
    assert [(each.code, each.path, each.hint) for each in found] == [
        (Code.UNKNOWN_NAME, ("tests", 0, "run", "incidents", position), f"did you mean '{name}'?")
        for position, name in meant.items()
    ]
    # Near or not, the run has these incidents.
    score = loads(text).score({"run": "r", "scenario": "demo", "kpi": {"delivered": 10}, "incidents": ["outtage"]})
    assert isinstance(score, Score)
    assert score.incidents == ("outtage",)


# Any ruleset.


@pytest.mark.parametrize("block", range(4))
def test_random_rulesets_are_judged_without_fail(block: int) -> None:
    seen: Counter[Code] = Counter()
    for seed in range(50 * block, 50 * block + 50):
        checked = check(random_ruleset(seed).encode(), "r.yaml", lint=True)
        assert checked.ruleset is not None
        assert {each.severity for each in checked.diagnostics} <= {Severity.WARNING}
        seen.update(each.code for each in checked.diagnostics)
    assert seen[Code.NO_TESTS] == 50
    assert seen[Code.MISSING_WHY] > 50


def test_the_same_ruleset_has_the_same_findings() -> None:
    text = (EXAMPLES / "constant_condition.yaml").read_text(encoding="utf-8")
    assert len({findings_of(text) for _ in range(3)}) == 1


def test_work_grows_with_the_ruleset_and_no_faster() -> None:
    """Four times the people and the restrictions take about four times as long."""

    def seconds(size: int) -> float:
        document, _ = read_document(large(size).encode(), "r.yaml")
        assert document is not None
        ruleset = read_ruleset(document).ruleset
        assert ruleset is not None
        start = time.process_time()
        lint(ruleset, document)
        return time.process_time() - start

    # Sixteen times as long would be the square.
    ratios = sorted(seconds(400) / seconds(100) for _ in range(5))
    assert ratios[0] < 12


def large(size: int) -> str:
    people = {f"p{at}": {"price": 0.01, "patience": 2, "past_patience": {"times": 3}} for at in range(5 * size)}
    restrictions = [
        {
            "id": f"r{at}",
            "when": f'to == "p{at}" and hour < 9 or to in ["p{at + 1}", "p{at + 2}"] and nth > {at}',
            "charge": {"price": 0.02} if at % 2 else {"times": 2},
        }
        for at in range(size)
    ]
    contacts = {"people": people, "restrictions": restrictions}
    return json.dumps({"outscore": 1, "scenario": "demo", "kpi": {"direction": "higher"}, "contacts": contacts})


# The page that explains.

SECTIONS = {section.code: section.body for section in read_sections(diagnostics_page())}
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


@pytest.mark.parametrize("code", sorted(map(str, LINT_CODES)))
def test_the_page_shows_what_comes_out(code: str) -> None:
    bad, output, good = _BLOCK.findall(SECTIONS[code])
    assert [kind for kind, _ in (bad, output, good)] == ["yaml", "text", "yaml"]
    checked = check(bad[1].encode(), "ruleset.yaml", lint=True)
    assert "".join(render(each, checked.text) + "\n" for each in checked.diagnostics) == output[1]
    assert {str(each.code) for each in checked.diagnostics} == {code}
    assert findings_of(good[1]) == ()


RULESETS = [
    block for blocks in BLOCKS.values() for block in blocks if (block.mark or "").startswith("example: ruleset")
]


@pytest.mark.parametrize("block", [each for each in RULESETS if each.page != "docs/how-to/lint.md"], ids=str)
def test_rulesets_of_the_documentation_lack_tests_at_most(block: Block) -> None:
    """A page that goes step by step shows rules before their tests."""
    assert {each.code for each in findings_of(block.text)} <= {Code.NO_TESTS}


def test_the_how_to_shows_what_it_speaks_of() -> None:
    first, second = (findings_of(each.text) for each in RULESETS if each.page == "docs/how-to/lint.md")
    assert [str(each.code) for each in first] == [
        "constant-condition",
        "missing-why",
        "overridden-restriction",
        "unreachable-price",
    ]
    assert second == ()
