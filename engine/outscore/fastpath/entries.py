"""Compact entries of the generated function -> charges.

An entry is a tuple that costs the generated function next to nothing to make; it becomes a Charge only when somebody
looks at the account. Only `fastpath` makes entries.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from outscore.account import Charge, Entry, Step

RuleTable = list[tuple[str, str, Fraction | int]]
"""Per rule that a step may name: its path, its kind, and its constant operand or its operand's scale."""


def reader(rules: RuleTable, quanta: int, hours_scale: int) -> Callable[[Entry, int], Charge]:
    """The function that turns an entry, and its event's position in the run, into a charge.

    Entries tell themselves apart by length: (to,) unanswered contact; (to, nth, amount, steps) contact; () trial not
    counted; (nth, amount, steps) trial; (hours, 0, 0, 0, 0) wait not counted; (hours, nth, amount, steps, None) wait.
    A step is (rule, operand, amount): the operand None stands for the rule's constant, an int is over the rule's scale.
    """

    # Prices are few and steps repeat from run to run, so both are remembered, up to a bound.
    hours_spent = Remembered(lambda hours: Fraction(hours, hours_scale))
    fractions = Remembered(lambda amount: Fraction(amount, quanta))
    made = Remembered(lambda steps: tuple(_step(step, rules, quanta) for step in steps))

    def read(entry: Entry, event: int) -> Charge:
        match len(entry):
            case 4:
                to, nth, amount, steps = entry
                return Charge(event, "contact", to, nth, None, fractions[amount], made[steps])
            case 3:
                nth, amount, steps = entry
                return Charge(event, "trial", None, nth, None, fractions[amount], made[steps])
            case 5 if entry[1]:
                hours, nth, amount, steps, _ = entry
                return Charge(event, "wait", None, nth, hours_spent[hours], fractions[amount], made[steps])
            case 5:
                return Charge(event, "wait", hours=hours_spent[entry[0]], free="not counted")
            case 1:
                return Charge(event, "contact", to=entry[0], free="unanswered")
            case _:
                return Charge(event, "trial", free="not counted")

    return read


class Remembered(dict[Any, Any]):
    """A function of one hashable argument that remembers its results, up to a bound."""

    _MOST = 2**14

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function

    def __missing__(self, key: Any) -> Any:
        value = self._function(key)
        if len(self) < self._MOST:
            self[key] = value
        return value


def _step(step: tuple[int, Any, int], rules: RuleTable, quanta: int) -> Step:
    index, operand, amount = step
    path, kind, constant = rules[index]
    if operand is None:
        operand = constant
    elif operand.__class__ is int:
        # A list price that was worked out (a wait's) is in quanta, and its rule has no scale.
        operand = Fraction(operand, int(constant) or quanta)
    return Step(path, kind, Fraction(operand), Fraction(amount, quanta))
