"""A comparison -> the page that people read: the difference, tasks won and lost, and what could not be compared."""

from __future__ import annotations

from typing import Final

from outscore.cli.summary_page import UNKNOWN, decimal, interval, interval_head, mixed_notes, notes, number
from outscore.explain.page import Block, Cell, Column, Heading, Page, Paragraph, Table, cell
from outscore.summary.compare import Comparison, Pair, Side, Task

_NAMES: Final = {
    "mean_floored_score": "floored score",
    "mean_uplift": "uplift",
    "mean_contact_cost": "contact cost",
    "resolved_rate": "resolved rate",
    "incident_rate": "incident rate",
}


def compare_page(made: Comparison) -> Page:
    """The whole comparison."""
    shared = "1 task" if len(made.pairs) == 1 else f"{len(made.pairs)} tasks"
    blocks: list[Block] = [Heading((f"{made.a} minus {made.b}, on {shared}",), 1)]
    blocks += mixed_notes(made.rulesets)
    blocks += [Heading(("What became of their runs",)), _fates(made)]
    blocks += [Heading(("Difference, the mean over tasks",)), _differences(made)]
    flips = made.flips()
    blocks += [
        Heading(("Task by task",)),
        Paragraph(
            (
                (f"Mean floored score: {made.wins} won, {made.ties} tied, {made.losses} lost by {made.a}.",),
                (
                    f"Verdicts: {flips['only_a_resolves']} tasks are resolved by every run of {made.a} and none of "
                    f"{made.b}, {flips['only_b_resolves']} the other way round; {flips['a_more_often']} more often by "
                    f"{made.a}, {flips['b_more_often']} more often by {made.b}; {flips['same']} alike.",
                ),
            )
        ),
    ]
    if made.pairs:
        blocks.append(_pairs(made))
    for agent, tasks in ((made.a, made.only_a), (made.b, made.only_b)):
        if tasks:
            lines = tuple((f"  {_task(task)}",) for task in tasks)
            blocks.append(Paragraph(((f"Not compared, scored for {agent} only:",), *lines)))
    blocks += notes([("", _NAMES[name], each) for name, each in made.differences.items()], made.resampling)
    return tuple(blocks)


def _fates(made: Comparison) -> Table:
    names = ("planned", "scored", "void", "failed", "missing")
    rows = []
    for side, agent in (("a", made.a), ("b", made.b)):
        counts = [getattr(made.counts[side], name) for name in names]
        rows.append((cell(agent), *(cell(UNKNOWN if each is None else str(each)) for each in counts)))
    return Table((Column(""), *(Column(name, is_number=True) for name in names)), tuple(rows))


def _differences(made: Comparison) -> Table:
    names = ("difference", "SE", *interval_head(made.resampling), "tasks")
    heads = (Column(""), *(Column(name, is_number=True) for name in names))
    rows: list[tuple[Cell, ...]] = []
    for name, each in made.differences.items():
        cells = [cell(_NAMES[name]), cell(number(each.value)), cell(decimal(each.standard_error))]
        rows.append((*cells, *interval(each, made.resampling), cell(str(each.n))))
    return Table(heads, tuple(rows))


def _pairs(made: Comparison) -> Table:
    numbers = (made.a, made.b, "difference", f"resolved by {made.a}", f"by {made.b}")
    heads = (Column("task"), *(Column(name, is_number=True) for name in numbers))
    return Table(heads, tuple(_row(pair) for pair in made.pairs))


def _row(pair: Pair) -> tuple[Cell, ...]:
    tone = "good" if pair.difference > 0 else "bad" if pair.difference < 0 else ""
    means = (cell(number(pair.a.mean_floored_score)), cell(number(pair.b.mean_floored_score)))
    return (
        cell(_task((pair.scenario, pair.task))),
        *means,
        cell(number(pair.difference), tone=tone),  # type: ignore[arg-type]
        cell(_resolved(pair.a)),
        cell(_resolved(pair.b)),
    )


def _resolved(side: Side) -> str:
    return f"{side.resolved} of {side.runs}"


def _task(task: Task) -> str:
    """The task, with its scenario where it does not say it itself."""
    scenario, name = task
    return name if name.startswith(scenario) else f"{scenario} / {name}"
