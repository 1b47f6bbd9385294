"""A seed -> a valid ruleset's text and a run's text: random cases for comparing the engine with the oracle.

Numbers are made as text and never pass through a float. Most runs can be scored, many land exactly on or beside 0.8;
a few read what they do not carry, divide by zero or go below zero, and have no score. The same seed gives the same
texts on every Python.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from random import Random

from tests import naive
from tests.generate_run import CHANNELS, NOTES, STRANGERS, baseline_and_reference, run_for, to_json

__all__ = ["case", "ruleset", "run_for"]

PEOPLE = ("head_of_claims", "fraud_analyst", "sponsor", "night_shift", "legal", "vendor", "cfo", "a", "z9_")
ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "America/St_Johns",
    "Pacific/Apia",
    "UTC",
)
PRICES = (
    *("0", "0.01", "0.01", "0.02", "0.02", "0.05", "0.1", "1e-2", "0.007", "0.015", "0.25", "1", "0.030", "2.5E-3"),
    *("0.3333333333333333333333333333333333333333", "1e-40", "0.00000000000012345678901234567"),
)


def case(seed: int) -> tuple[str, str]:
    """A random ruleset's text and the text of one run of it."""
    text = ruleset(seed)
    return text, run_for(naive.load_ruleset(text), seed)


class _Expressions:
    """Well-typed random expressions over the names that a place may read."""

    def __init__(
        self, random: Random, numbers: Sequence[str], texts: Mapping[str, Sequence[str]], flags: Sequence[str]
    ):
        self.random, self.numbers, self.texts, self.flags = random, numbers, texts, flags

    def number(self, depth: int) -> str:
        pick = self.random.random()
        if depth == 0 or pick < 0.35:
            return self.random.choice(self.numbers)
        if pick < 0.55:
            return self.random.choice(("1", "0.5", "3", "24", "1e-2", "0.125", "10.0", "7", ".5", "60", "0.0001"))
        a, b = self.number(depth - 1), self.number(depth - 1)
        if pick < 0.75:
            return f"({a} {self.random.choice('+-*')} {b})"
        if pick < 0.82:
            divisor = self.random.choice(("3", "7", "24", "0.3", "(1 + abs(" + b + "))"))
            return f"{a} / {divisor}" if self.random.random() < 0.5 else f"({a} / {divisor})"
        if pick < 0.84:
            return f"(1 / {self.random.choice(self.numbers)})"
        if pick < 0.92:
            return f"{self.random.choice(('min', 'max'))}({a}, {b}{', 2' if pick < 0.86 else ''})"
        if pick < 0.95:
            return f"abs({a})"
        if pick < 0.97:
            return f"-({a})"
        return f"({a} if {self.condition(depth - 1)} else {b})"

    def condition(self, depth: int) -> str:
        pick = self.random.random()
        if depth == 0 or pick < 0.35:
            return self._comparison()
        if pick < 0.45:
            low, high = self.number(0), self.number(depth - 1)
            return f"0 <= {low} < {high}" if pick < 0.4 else f"{low} > {high} >= 1 / 3"
        if pick < 0.55:
            return f"not ({self.condition(depth - 1)})"
        if pick < 0.62:
            return f"({self.condition(0)} if {self.condition(0)} else {self.condition(depth - 1)})"
        word = self.random.choice(("and", "or"))
        return f"({self.condition(depth - 1)} {word} {self.condition(depth - 1)})"

    def _comparison(self) -> str:
        pick = self.random.random()
        if self.texts and pick < 0.4:
            name = self.random.choice(list(self.texts))
            values = self.texts[name]
            if pick < 0.2:
                return f"{name} {self.random.choice(('==', '!='))} {_quoted(self.random.choice(values), self.random)}"
            some = [_quoted(value, self.random) for value in values if self.random.random() < 0.5]
            some = some or [_quoted(values[0], self.random)]
            return f"{name} {self.random.choice(('in', 'not in'))} [{', '.join(some)}]"
        if self.flags and pick < 0.5:
            return self.random.choice(self.flags)
        if pick < 0.56:
            return f"{self.random.choice(self.numbers)} in [1, 2.0, 7.5, 30]"
        operator = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        return f"{self.number(1)} {operator} {self.random.choice(('0', '1', '2', '5', '7.5', '9', '12', '18', '30'))}"


def _quoted(text: str, random: Random) -> str:
    # Text has no escapes, so that what holds one kind of quotes is put in the other.
    if '"' in text or ("'" not in text and random.random() < 0.3):
        return f"'{text}'"
    return f'"{text}"'


def _scalar(expression: str, random: Random) -> str:
    """The expression as a YAML scalar, in one of the ways in which authors write one."""
    plain = re.match(r"[a-z(.0-9]", expression) and not re.search(r"[,\[\]{}'\"]|: | #", expression)
    pick = random.random()
    if plain and pick < 0.6:
        return expression
    if pick < 0.8:
        return json.dumps(expression, ensure_ascii=False)
    return "'" + expression.replace("'", "''") + "'"


def _person(random: Random) -> str:
    price = random.choice(PRICES)
    if random.random() < 0.4:
        return f"{{price: {price}}}"
    kind = random.choice(("price", "times", "plus"))
    operand = random.choice({"price": PRICES, "times": ("0", "1", "2", "2.5", "3", "1.1"), "plus": PRICES}[kind])
    if kind == "plus" and random.random() < 0.15:
        operand = f"-{price}" if price != "0" else "0"
    return f"{{price: {price}, patience: {random.choice('0011223345')}, past_patience: {{{kind}: {operand}}}}}"


def _restrictions(random: Random, expressions: _Expressions, prefix: str) -> list[str]:
    lines: list[str] = []
    for index in range(random.choice((0, 1, 1, 2, 3))):
        always = random.random() < 0.15
        kind = random.choice(("price", "times", "plus"))
        operand = random.choice({"price": PRICES, "times": ("0", "1.5", "2", "0.9", "3"), "plus": PRICES}[kind])
        pick = random.random()
        if pick < 0.35:
            expression = expressions.number(2)
            # With a name in it: a quoted number alone would be a number that somebody quoted.
            operand = _scalar(f"{expression} - nth / 8" if pick < 0.05 else f"max(nth / 5, {expression}) / 10", random)
        elif kind == "plus" and pick < 0.42 and not always:
            operand = "-0.001"
        lines.append(f"    - id: {prefix}{index}")
        if not always:
            lines.append(f"      when: {_scalar(expressions.condition(random.choice((0, 1, 2, 2))), random)}")
        lines.append(f"      charge: {{{kind}: {operand}}}")
    return ["  restrictions:", *lines] if lines else []


FORMULAS = {
    "gain - 0.5 * loss": 2,
    "gain - loss / 3": 2,
    "gain - max(loss - 40, 0) * 2": 2,
    "gain / (1 + loss)": 2,
    "gain - 1 if loss > 30 else gain": 2,
    "-gain + abs(loss - delay) * 1e-3": 3,
    "gain - loss - 0.333 * delay": 3,
}


def ruleset(seed: int) -> str:
    """A random valid ruleset of format 1."""
    random = Random(f"ruleset {seed}")
    zone = random.choice(ZONES) if random.random() < 0.5 else None
    has_fields, has_pages, has_note = random.random() < 0.75, random.random() < 0.5, random.random() < 0.3
    lines = ["outscore: 1", f"scenario: case_{seed}"] + ([f"timezone: {zone}"] if zone else [])

    measures = None
    lines += ["kpi:", f"  direction: {random.choice(('higher', 'lower'))}"]
    if random.random() < 0.5:
        formula = random.choice(list(FORMULAS))
        measures = ["gain", "loss", "delay"][: FORMULAS[formula]]
        lines += [f"  measures: [{', '.join(measures)}]", f"  formula: {_scalar(formula, random)}"]
    if random.random() < 0.4:
        rules = naive.load_ruleset("\n".join(lines))
        baseline, reference = baseline_and_reference(rules, random)
        lines += ["  pinned:", f"    baseline: {to_json(baseline)}", f"    reference: {to_json(reference)}"]

    numbers: list[str] = []
    texts: dict[str, Sequence[str]] = {}
    flags: list[str] = []
    if has_fields:
        lines += ["fields:", "  channel: [chat, mail, call]", "  minutes: number", "  urgent: boolean"]
        numbers, texts, flags = ["minutes"], {"channel": CHANNELS}, ["urgent"]
        if has_pages:
            lines += ["  pages: number"]
            flags += ['(channel == "mail" and pages > 3)', '(pages > 3 if channel == "mail" else minutes > 20)']
            flags += ["pages > 0"] if random.random() < 0.1 else []
        if has_note:
            lines += ["  note: text"]
            texts["note"] = NOTES
    if random.random() < 0.5:
        numbers += ["hour", "minute", "day"]
        texts["weekday"] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

    if random.random() < 0.92:
        people = random.sample(PEOPLE, random.choice((1, 2, 3, 4, 5)))
        anyone_else = random.random() < 0.4
        lines += ["contacts:", "  people:", *(f"    {person}: {_person(random)}" for person in people)]
        lines += [f"  anyone_else: {_person(random)}"] if anyone_else else []
        in_contacts = texts | {"to": [*people, *STRANGERS] if anyone_else else people}
        scope = _Expressions(random, [*numbers, "nth", "nth_overall"], in_contacts, flags)
        lines += _restrictions(random, scope, "c")
    if random.random() < 0.65:
        lines += ["trials:", f"  count: {random.choice(('true', 'true', 'true', 'false'))}"]
        lines += [f"  prices: [{', '.join(random.choices(PRICES, k=random.choice((1, 2, 3))))}]"]
        lines += _restrictions(random, _Expressions(random, [*numbers, "nth"], texts, flags), "t")
    if random.random() < 0.7:
        lines += ["waiting:", f"  count: {random.choice(('true', 'true', 'true', 'false'))}"]
        lines += [f"  price_per_day: {random.choice(PRICES)}"]
        if random.random() < 0.6:
            lines += [f"  free_days: {random.choice(('0', '0.5', '1', '1', '2.0', '0.3333333333', '7'))}"]
        lines += _restrictions(random, _Expressions(random, [*numbers, "nth", "hours"], texts, flags), "w")
    lines += _incidents(random, measures)
    return "\n".join(lines) + "\n"


def _incidents(random: Random, measures: list[str] | None) -> list[str]:
    pool = {
        "worse": "delivered.kpi < baseline.kpi and delivered.kpi < reference.kpi",
        "far_off": "abs(delivered.kpi - reference.kpi) > 4 * abs(reference.kpi - baseline.kpi)",
        "as_reference": "delivered.kpi == reference.kpi",
    }
    if measures:
        pool |= {
            "too_much_loss": "delivered.loss > 60",
            "loss_up": "delivered.loss > 2 * baseline.loss > 0",
            "ratio": "delivered.loss / baseline.loss > 3",
        }
    lines = ["  outage: {why: Reported by name.}"] if random.random() < 0.8 else []
    for id in random.sample(list(pool), random.choice((0, 0, 1, 2))):
        lines += [f"  {id}:", f"    when: {_scalar(pool[id], random)}"]
    return ["incidents:", *lines] if lines else []
