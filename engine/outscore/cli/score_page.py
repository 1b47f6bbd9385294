"""Outcomes and their summary -> the page that people read: a row a run, faults, one account, the summary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from outscore.explain.page import Block, Cell, Column, Heading, Page, Paragraph, Table, Tone, cell
from outscore.numbers import brief, cut, exact_places
from outscore.run import Void
from outscore.score import Score

if TYPE_CHECKING:
    from outscore.batch import Outcome, Place
    from outscore.cli.run_ids import RunIds
    from outscore.summary import Group, Summary

PLACES: Final = 4
"""Decimals that people see; cut towards minus infinity, so that a score never reads as a mark it did not reach."""

_MOST_PLACES: Final = 8
"""Decimals of an account's exact figure."""


def score_page(outcomes: Iterable[Outcome], summary: Summary, account: str | None, ids: RunIds) -> Page:
    """A table of all runs, what is wrong with bad ones, one run's account if asked for, and the summary.

    Where the run that is asked for is there more than once, every account is shown, with its place.
    """
    rows: list[tuple[Cell, ...]] = []
    notes: list[str] = []
    chosen: list[Score | None] = []
    for outcome in outcomes:
        rows.append(_row(outcome))
        notes += _notes(outcome)
        if account is not None and _run(outcome) == account:
            chosen.append(outcome if isinstance(outcome, Score) else None)
    names = ("run", "task", "agent", "uplift", "cost", "score", "verdict", "incidents")
    columns = tuple(Column(name, is_number=name in ("uplift", "cost", "score")) for name in names)
    blocks: list[Block] = [Table(columns, tuple(rows))] if rows else []
    if notes:
        blocks.append(Paragraph(tuple((note,) for note in notes)))
    places: Sequence[Place | None] = (ids.places(account) if account is not None else []) or [None] * len(chosen)
    for score, place in zip(chosen, places, strict=True):
        if score is None:
            at = "" if place is None else f" at {place}"
            blocks.append(Paragraph(((f"run {account!r}{at} has no account: it was not scored",),), "bad"))
            continue
        head, *rest = account_blocks(score)
        blocks += [head if place is None else Heading((f"Account of run {account!r} at {place}",)), *rest]
    return (*blocks, *summary_page(summary))


def _run(outcome: Outcome) -> str | None:
    return outcome.run if isinstance(outcome, Score | Void) else outcome.error.run


def _row(outcome: Outcome) -> tuple[Cell, ...]:
    if isinstance(outcome, Score):
        exact = outcome.exact
        figures = [cut(value, PLACES) for value in (exact.uplift, exact.contact_cost, exact.score)]
        verdict = cell("resolved", tone="good") if outcome.resolved else cell("not resolved", tone="bad")
        return _cells(outcome.run, outcome.task, outcome.agent, figures, verdict, ", ".join(outcome.incidents))
    if isinstance(outcome, Void):
        return _cells(outcome.run, outcome.task, outcome.agent, ["", "", ""], cell("void", tone="quiet"), "")
    run = outcome.error.run
    failed = cell("failed", tone="bad")
    return _cells("?" if run is None else run, outcome.task, outcome.agent, ["", "", ""], failed, "")


def _cells(
    run: str, task: str | None, agent: str | None, figures: list[str], verdict: Cell, incidents: str
) -> tuple[Cell, ...]:
    return (cell(run), cell(task or ""), cell(agent or ""), *map(cell, figures), verdict, cell(incidents))


def _notes(outcome: Outcome) -> list[str]:
    if isinstance(outcome, Score):
        return [f"warning: run {outcome.run!r}: {warning}" for warning in outcome.warnings]
    if isinstance(outcome, Void):
        return [f"void: run {outcome.run!r}: {outcome.void}"]
    return [str(outcome)]


def account_blocks(score: Score) -> list[Block]:
    """One run's account: every event with its steps, down to the verdict."""
    rows: list[tuple[Cell, ...]] = []
    for charge in score.account:
        hours = "" if charge.hours is None else f"({cut(charge.hours, 2).rstrip('0').rstrip('.')} h)"
        ordinal = f"no. {charge.nth}" if charge.nth is not None else ""
        place = cell(str(charge.event))
        event = cell(" ".join(filter(None, (charge.type, charge.to, hours, ordinal))))
        if charge.free is not None:
            rows.append((place, event, cell(charge.free, tone="quiet"), cell(), cell(), cell(_decimal(charge.amount))))
        for number, step in enumerate(charge.steps, 1):
            change = cell(f"{step.kind} {_decimal(step.value)}")
            # Where several rules made it, the last line alone has the charge, so that the column adds up.
            made = cell(_decimal(charge.amount)) if number == len(charge.steps) else cell()
            rows.append((place, event, cell(step.rule), change, cell(_decimal(step.amount)), made))
            place = event = cell()
    names = ("#", "event", "rule", "step", "running", "charge")
    columns = tuple(Column(name, is_number=name not in ("event", "rule")) for name in names)
    exact = score.exact
    incidents = f"  (incident: {', '.join(score.incidents)})" if score.incidents else ""
    lines = (
        f"uplift           {_decimal(exact.uplift)}",
        f"adjusted uplift  {_decimal(exact.adjusted_uplift)}{incidents}",
        f"contact cost     {_decimal(exact.contact_cost)}",
        f"score            {_decimal(exact.score)}  {'resolved' if score.resolved else 'not resolved'}",
    )
    table: list[Block] = [Table(columns, tuple(rows))] if rows else []
    return [Heading((f"Account of run {score.run!r}",)), *table, Paragraph(tuple((line,) for line in lines))]


def _decimal(value: Fraction) -> str:
    """The exact decimal where it is short, else cut, with what it stands for beside it."""
    places = exact_places(value)
    if places is not None and places <= _MOST_PLACES:
        return cut(value, max(places, PLACES))
    return f"{cut(value, PLACES)} ({brief(value)})"


def summary_page(summary: Summary) -> Page:
    """How many runs of each fate, and the averages over task-runs: over all, and by agent."""
    planned = ("planned", "missing") if summary.planned is not None else ()
    counts = (*planned, "scored", "void", "failed", "resolved", "incidents")
    means = ("mean floored score", "mean contact cost")
    columns = (Column("summary"), *(Column(name, is_number=True) for name in (*counts, *means)))
    plan = [str(summary.planned), str(max((summary.planned or 0) - summary.all.seen, 0))] if planned else []
    rows = [_group("all runs", plan, summary.all, "strong")]
    if len(summary.by_agent) > 1 or None not in summary.by_agent:
        for agent, group in summary.agents():
            name = agent if agent is not None else "(no agent named)"
            rows.append(_group(f"  {name}", [""] * len(plan), group))
    table = Table(columns, tuple(rows))
    if not summary.repeated:
        return (table,)
    again = "1 result is" if summary.repeated == 1 else f"{summary.repeated} results are"
    words = f"Runs are there twice: {again} of a run that had one before, and these averages count all of them."
    return (table, Paragraph(((words,),), "bad"))


def _group(name: str, plan: list[str], group: Group, tone: Tone = "") -> tuple[Cell, ...]:
    counts = [*plan, str(group.scored), str(group.void), str(group.failed)]
    if group.scored:
        counts += [f"{group.resolved} of {group.scored}", str(group.incidents)]
        counts += [mean or "" for mean in group.means(lambda mean: cut(mean, PLACES)).values()]
    else:
        counts += ["-"] * 4
    return (cell(name, tone=tone), *map(cell, counts))
