"""A summary by agent -> the rows of a leaderboard as text with their numbers beside, and its page for Markdown.

Computes nothing: means and intervals are the summary's. Decimals are cut towards minus infinity, intervals outwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from outscore.explain.page import Block, Cell, Column, Heading, Page, Paragraph, Table, cell, listed
from outscore.numbers import cut, nearest_double
from outscore.summary.contents import GroupSummary, Summaries
from outscore.summary.reasons import reason_lines
from outscore.summary.statistic import Statistic

PLACES: Final = 4
UNKNOWN: Final = "–"
NO_AGENT: Final = "(no agent named)"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a row."""

    text: str
    sort: float | None
    """The number to sort by; None where there is none."""
    notes: tuple[str, ...] = ()
    """Its interval, and what it is out of."""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One agent, or all of them."""

    agent: str
    figures: tuple[Figure, ...]
    """One for each of FIGURES."""
    counts: tuple[str, ...]
    """One for each of COUNTS."""


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard: the agents, best first."""

    scenario: str | None
    """None for all scenarios together."""
    rows: tuple[Row, ...]
    total: Row | None
    notes: tuple[str, ...]
    """Why something is not known."""


FIGURES: Final = ("Mean floored score", "Resolved", "Mean uplift", "Mean contact cost", "Incident rate")
COUNTS: Final = ("planned", "scored", "void", "failed", "missing")
_NAMES: Final = ("mean_floored_score", "resolved_rate", "mean_uplift", "mean_contact_cost", "incident_rate")
_RATES: Final = ("resolved_rate", "incident_rate")
"""Shares of the scored runs; runs that were not scored bound them."""


def boards(by_agent: Summaries, by_scenario: Summaries | None = None) -> tuple[Board, ...]:
    """The leaderboard of everything, and one for each scenario of a summary by scenario and agent."""
    everything = _row("all runs", by_agent.everything)
    found = [_board(None, list(by_agent.groups), everything)]
    groups: dict[str, list[GroupSummary]] = {}
    for group in by_scenario.groups if by_scenario is not None else ():
        scenario = group.key["scenario"]
        if scenario is not None:
            groups.setdefault(scenario, []).append(group)
    return (*found, *(_board(scenario, own, None) for scenario, own in groups.items()))


def _board(scenario: str | None, groups: list[GroupSummary], total: Row | None) -> Board:
    groups.sort(key=_best_first)
    rows = tuple(_row(_agent(group), group) for group in groups)
    return Board(scenario, rows, total, tuple(_notes(groups)))


def _agent(group: GroupSummary) -> str:
    agent = group.key["agent"]
    return NO_AGENT if agent is None else agent


def _best_first(group: GroupSummary) -> tuple[bool, Fraction, str]:
    mean = _statistic(group, "mean_floored_score").value
    return mean is None, -(mean or Fraction(0)), group.key["agent"] or ""


def _statistic(group: GroupSummary, name: str) -> Statistic:
    return group.statistics[name]["over_task_runs"]


def _row(agent: str, group: GroupSummary) -> Row:
    figures = tuple(_figure(name, _statistic(group, name)) for name in _NAMES)
    counts = tuple(getattr(group.counts, name) for name in COUNTS)
    return Row(agent, figures, tuple(UNKNOWN if each is None else f"{each:,}" for each in counts))


def _figure(name: str, statistic: Statistic) -> Figure:
    if statistic.value is None:
        return Figure(UNKNOWN, None, () if statistic.worst is None else (_bounds(statistic),))
    low, high = statistic.interval or (None, None)
    notes = [] if statistic.interval is None else [span(*statistic.interval)]
    if name in _RATES:
        notes.insert(0, f"{int(statistic.value * statistic.n):,} of {statistic.n:,}")
        if statistic.worst is not None:
            notes.append(_bounds(statistic))
    value = nearest_double(statistic.value.numerator, statistic.value.denominator)
    return Figure(cut(statistic.value, PLACES), value, tuple(notes), low, high)


def _bounds(statistic: Statistic) -> str:
    assert statistic.worst is not None
    assert statistic.best is not None
    return f"worst {cut(statistic.worst, PLACES)}, best {cut(statistic.best, PLACES)}"


def span(low: float, high: float) -> str:
    """An interval, its ends cut outwards."""
    above = Fraction(-((-Fraction(high) * 10**PLACES) // 1), 10**PLACES)
    return f"[{cut(Fraction(low), PLACES)}, {cut(above, PLACES)}]"


def _notes(groups: list[GroupSummary]) -> list[str]:
    """Why there is no value or no interval, said once for all whom it concerns."""
    return reason_lines(
        (_agent(group), name.replace("_", " "), _statistic(group, name)) for group in groups for name in _NAMES
    )


def mixed_words(summaries: Summaries) -> list[tuple[str, tuple[str, ...]]]:
    """For each scenario that different rules scored, the words that say so, and the digests."""
    return [
        (f"{scenario} was scored by {len(digests)} rulesets; its runs are not comparable", digests)
        for scenario, digests in ((name, summaries.rulesets[name]) for name in summaries.mixed)
    ]


def method_words(summaries: Summaries) -> str:
    """How the intervals were made; empty where there are none."""
    how = summaries.resampling
    if how is None:
        return ""
    drawn = f"tasks drawn anew within their scenarios {how.resamples:,} times, seed {how.seed}"
    return f"{how.level * 100:g}% intervals: {drawn}."


def board_page(title: str, made: tuple[Board, ...], summaries: Summaries) -> Page:
    """The leaderboards as a page."""
    blocks: list[Block] = [Heading((title,), 1)]
    for words, digests in mixed_words(summaries):
        blocks.append(Paragraph(((f"Mixed rules: {words}.",), listed(digests)), "bad"))
    for board in made:
        if len(made) > 1:
            blocks.append(Heading(("All scenarios",) if board.scenario is None else (board.scenario,)))
        blocks.append(_table(board))
        if board.notes:
            blocks.append(Paragraph(tuple((note,) for note in board.notes), "quiet"))
    words = method_words(summaries)
    if words:
        blocks.append(Paragraph(((words,),), "quiet"))
    return tuple(blocks)


def _table(board: Board) -> Table:
    names = [name.lower() for name in FIGURES] + list(COUNTS)
    columns = (Column("agent"), *(Column(name, is_number=True) for name in names))
    rows = [*board.rows, *([board.total] if board.total is not None else [])]
    made = []
    for row in rows:
        figures = [Cell(tuple((line,) for line in (each.text, *each.notes))) for each in row.figures]
        tone = "strong" if row is board.total else ""
        made.append((cell(row.agent, tone=tone), *figures, *(cell(count) for count in row.counts)))  # type: ignore[arg-type]
    return Table(columns, tuple(made))
