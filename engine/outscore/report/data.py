"""Results, missing runs and leaderboards -> the compact data that a report's page carries.

Figures are whole numbers of 1/10,000, cut towards minus infinity, with the exact fraction beside the ones that it cuts.
Events that are alike are written once. Where all bills together would make the page too large, the shortest are kept,
which is most of them; every run keeps its figures and what each person came to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec

from outscore.numbers import text
from outscore.report.accounts import Account, Item, read_account, read_input
from outscore.report.board import Board
from outscore.report.waterfall import NOT_ITEMISED
from outscore.results import Result
from outscore.summary.checks import in_canonical_order
from outscore.summary.planned import PlannedRun

BILLS_AT_MOST: Final = 7_000_000
"""Characters that bills may take together; with the plotting library the page stays below 15 million."""

UNITS: Final = 10_000
FINE_UNITS: Final = 1_000_000_000
"""For what is summed up in the page: the error of a sum stays below what is shown."""

_BEYOND: Final = 10**300
_LONGEST_EXACT: Final = 80

OUTCOMES: Final = ("resolved", "not resolved", "incident", "void", "failed", "missing")


class _Names:
    """Texts by number, in order of first use."""

    def __init__(self) -> None:
        self.found: dict[Any, int] = {}

    def number(self, name: Any) -> int:
        return -1 if name is None else self.found.setdefault(name, len(self.found))


class _Writer:
    def __init__(self) -> None:
        self.scenarios, self.tasks, self.agents, self.incidents = _Names(), _Names(), _Names(), _Names()
        self.rulesets, self.payees, self.rules, self.items = _Names(), _Names(), _Names(), _Names()
        self.bills: list[tuple[list[Any], Account]] = []

    def row(self, result: Result) -> list[Any]:
        """One run: its names, its outcome, and what belongs to that."""
        row = self._start(result, result.run)
        if result.figures is None:
            return [*row, OUTCOMES.index(result.fate), result.why or "", read_input(result)]
        account = read_account(result)
        outcome = "incident" if result.incidents else "resolved" if result.resolved else "not resolved"
        exact = result.figures
        rest = exact.contact_cost - sum(account.costs.values(), Fraction(0))
        parts = account.costs | ({("", NOT_ITEMISED): rest} if rest else {})
        costs = [[self.payees.number(whom), _units(cost, FINE_UNITS)] for whom, cost in parts.items()]
        row += [
            OUTCOMES.index(outcome),
            *(_units(each) for each in (exact.uplift, exact.adjusted_uplift, exact.contact_cost, exact.score)),
            [_exact(each) for each in (exact.uplift, exact.contact_cost, exact.score)],
            [self.incidents.number(name) for name in result.incidents],
            self.rulesets.number(result.ruleset),
            costs,
            list(account.warnings),
            None,
        ]
        self.bills.append((row, account))
        return row

    def missing(self, run: PlannedRun) -> list[Any]:
        """A planned run that nothing was found of."""
        return [*self._start(run, run.run), OUTCOMES.index("missing"), "planned, and no result was found", ""]

    def _start(self, run: Result | PlannedRun, name: str | None) -> list[Any]:
        numbers = self.scenarios.number(run.scenario), self.tasks.number(run.task), self.agents.number(run.agent)
        return [name, *numbers]

    def add_bills(self, at_most: int) -> int:
        """Write bills into their rows, the shortest first, as far as there is room; how many had to be left out."""
        left_out = 0
        room = at_most
        for row, account in sorted(self.bills, key=lambda each: len(each[1].items)):
            # What a number takes, and an item that is new; counted, so that no text is made only to be measured.
            new = {item for item in account.items if item not in self.items.found}
            room -= 7 * len(account.items) + sum(map(_length, new))
            if room < 0:
                left_out += 1
                continue
            row[-1] = [self.items.number(item) for item in account.items]
        return left_out

    def item(self, item: Item) -> list[Any]:
        """One kind of event."""
        steps = [[self.rules.number(rule), *rest] for rule, *rest in item.steps]
        return [item.type, item.to, item.nth, item.hours, item.amount, item.free, steps]


def page_data(
    results: Sequence[Result],
    missing: Sequence[PlannedRun],
    boards: Sequence[Board],
    *,
    bills_at_most: int = BILLS_AT_MOST,
) -> dict[str, Any]:
    """The page's data; the order of the results changes nothing."""
    writer = _Writer()
    # Of failed runs without an id only what they say tells one from another, wherever it stands.
    ordered = sorted(in_canonical_order(results), key=lambda each: each.source if each.run is None else b"")
    rows = [writer.row(each) for each in ordered]
    rows += [writer.missing(each) for each in sorted(missing, key=lambda each: each.run)]
    left_out = writer.add_bills(bills_at_most)
    items = [writer.item(each) for each in writer.items.found]
    return {
        "outcomes": list(OUTCOMES),
        "scenarios": list(writer.scenarios.found),
        "tasks": list(writer.tasks.found),
        "agents": list(writer.agents.found),
        "incidents": list(writer.incidents.found),
        "rulesets": list(writer.rulesets.found),
        "payees": [list(each) for each in writer.payees.found],
        "rules": list(writer.rules.found),
        "items": items,
        "billsLeftOut": left_out,
        "boards": [_board(each) for each in boards],
        "runs": rows,
    }


def missing_runs(results: Sequence[Result], plan: Mapping[str, PlannedRun] | None) -> list[PlannedRun]:
    """The planned runs that no result is of."""
    found = {each.run for each in results}
    return [each for run, each in (plan or {}).items() if run not in found]


def _board(board: Board) -> dict[str, Any]:
    """What the leaderboard's chart shows."""
    scores = [(row.agent, row.figures[0]) for row in board.rows]
    rows = [[agent, each.sort, each.low, each.high] for agent, each in scores]
    return {"scenario": board.scenario, "rows": rows}


def _units(value: Fraction, units: int = UNITS) -> int:
    return max(-_BEYOND, min(_BEYOND, value.numerator * units // value.denominator))


def _exact(value: Fraction) -> str | None:
    """The fraction, where four decimals do not say it already and it is short enough to be of use."""
    if UNITS % value.denominator == 0 or value.denominator.bit_length() > 4 * _LONGEST_EXACT:
        return None
    exact = text(value)
    return exact if len(exact) <= _LONGEST_EXACT else None


def _length(item: Item) -> int:
    return len(msgspec.json.encode(item))
