"""Outcomes and their summary -> a table for people, or JSON, JSON Lines, CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import IO, TYPE_CHECKING, Any

from outscore.cli.console import console, printable
from outscore.numbers import cut
from outscore.run import Void
from outscore.score import Score, encode

if TYPE_CHECKING:
    from rich.console import Console

    from outscore.batch import Outcome
    from outscore.summary import Group, Summary

PLACES = 4
"""Decimals that people see; cut towards minus infinity, so that a score never reads as a mark it did not reach."""

_COLUMNS = (
    *("run", "scenario", "task", "agent", "uplift", "adjusted_uplift", "contact_cost", "score", "floored_score"),
    *("resolved", "incidents", "warnings", "void", "error", "file", "line"),
)


def write_jsonl(outcomes: Iterable[Outcome], summary: Summary, file: IO[str]) -> None:
    """One line a run, in input order."""
    for outcome in outcomes:
        _write(file, _line(outcome) + b"\n")


def write_json(outcomes: Iterable[Outcome], summary: Summary, file: IO[str]) -> None:
    """One document: the runs, a line each, and the summary."""
    separator = b'{"runs": [\n'
    for outcome in outcomes:
        _write(file, separator + _line(outcome))
        separator = b",\n"
    opening = separator if summary.all.seen == 0 else b""
    _write(file, opening + b'],\n"summary": ' + encode(summary.to_record()) + b"}\n")


def write_csv(outcomes: Iterable[Outcome], summary: Summary, file: IO[str]) -> None:
    """One row a run; figures as the nearest doubles, lists with a semicolon between."""
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for outcome in outcomes:
        record = outcome.to_record()
        place, error = record.pop("input", {}), record.pop("error", None)
        record |= {key: place[key] for key in ("file", "line") if key in place}
        if error is not None:
            record["error"] = f"{error['code']}: {error['message']}"
        rows.writerow([_cell(record.get(column)) for column in _COLUMNS])


WRITERS: dict[str, Callable[[Iterable[Outcome], Summary, IO[str]], None]] = {
    "json": write_json,
    "jsonl": write_jsonl,
    "csv": write_csv,
}


def _line(outcome: Outcome) -> bytes:
    return outcome.to_json() if isinstance(outcome, Score) else encode(outcome.to_record())


def _write(file: IO[str], data: bytes) -> None:
    """Write UTF-8, whatever encoding the stream would take text in."""
    buffer = getattr(file, "buffer", None)
    if buffer is None:
        file.write(data.decode())
    else:
        buffer.write(data)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "; ".join(value)
    return str(value)


def write_table(outcomes: Iterable[Outcome], summary: Summary, file: IO[str], account: str | None) -> None:
    """A table of all runs, what is wrong with bad ones, one run's account if asked for, and the summary."""
    from rich.table import Table
    from rich.text import Text

    screen = console(file)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("run", "task", "agent"):
        table.add_column(name, overflow="fold")
    for name in ("uplift", "cost", "score"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("incidents", overflow="fold")
    notes: list[str] = []
    chosen: list[Score] = []
    for outcome in outcomes:
        cells, colour = _row(outcome)
        table.add_row(*(Text(printable(cell)) for cell in cells[:6]), Text(cells[6], colour), Text(printable(cells[7])))
        notes += _notes(outcome)
        if isinstance(outcome, Score) and outcome.run == account:
            chosen.append(outcome)
    if table.row_count:
        screen.print(table)
    for note in notes:
        screen.print(printable(note), soft_wrap=True)
    if account is not None and not chosen:
        screen.print(f"\nno scored run is called {account!r}", soft_wrap=True)
    for score in chosen:
        screen.print()
        print_account(score, screen)
    screen.print()
    print_summary(summary, screen)


def _row(outcome: Outcome) -> tuple[list[str], str]:
    if isinstance(outcome, Score):
        exact = outcome.exact
        figures = [cut(value, PLACES) for value in (exact.uplift, exact.contact_cost, exact.score)]
        verdict, colour = ("resolved", "green") if outcome.resolved else ("not resolved", "yellow")
        names = ", ".join(outcome.incidents)
        return [outcome.run, outcome.task, outcome.agent or "", *figures, verdict, names], colour
    if isinstance(outcome, Void):
        return [outcome.run, outcome.task, outcome.agent or "", "", "", "", "void", ""], "cyan"
    run = outcome.error.run
    return [run if run is not None else "?", outcome.task or "", outcome.agent or "", "", "", "", "failed", ""], "red"


def _notes(outcome: Outcome) -> list[str]:
    if isinstance(outcome, Score):
        return [f"warning: run {outcome.run!r}: {warning}" for warning in outcome.warnings]
    if isinstance(outcome, Void):
        return [f"void: run {outcome.run!r}: {outcome.void}"]
    return [str(outcome)]


def print_account(score: Score, screen: Console) -> None:
    """One run's account: every event with its steps, down to the verdict."""
    from rich.table import Table
    from rich.text import Text

    screen.print(Text(f"Account of run {score.run!r}", "bold"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("#", justify="right")
    table.add_column("event", overflow="fold")
    table.add_column("rule", overflow="fold")
    table.add_column("step", justify="right")
    table.add_column("charge", justify="right")
    for charge in score.account:
        what = " ".join(
            filter(None, (charge.type, charge.to, f"({charge.hours} h)" if charge.hours is not None else ""))
        )
        ordinal = f" no. {charge.nth}" if charge.nth is not None else ""
        place, event = str(charge.event), Text(printable(what + ordinal))
        if charge.free is not None:
            table.add_row(place, event, charge.free, "", _decimal(charge.amount))
        for step in charge.steps:
            table.add_row(place, event, step.rule, f"{step.kind} {_decimal(step.value)}", _decimal(step.amount))
            place, event = "", Text("")
    if len(score.account):
        screen.print(table)
    exact = score.exact
    incidents = f"  (incident: {', '.join(score.incidents)})" if score.incidents else ""
    lines = [
        f"uplift           {_decimal(exact.uplift)}",
        f"adjusted uplift  {_decimal(exact.adjusted_uplift)}{incidents}",
        f"contact cost     {_decimal(exact.contact_cost)}",
        f"score            {_decimal(exact.score)}  {'resolved' if score.resolved else 'not resolved'}",
    ]
    screen.print(printable_lines(lines), soft_wrap=True)


def printable_lines(lines: list[str]) -> str:
    """Lines made safe to show, joined."""
    return "\n".join(printable(line) for line in lines)


def _decimal(value: Fraction) -> str:
    """The exact decimal where it is short, else cut, with what it stands for beside it."""
    short = cut(value, PLACES)
    return short if Fraction(short) == value else f"{short} ({value})"


def print_summary(summary: Summary, screen: Console) -> None:
    """How many runs of each fate, and the averages over task-runs: over all, and by agent."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("summary", overflow="fold")
    planned = summary.planned is not None
    for name in (*(("planned", "missing") if planned else ()), "scored", "void", "failed", "resolved", "incidents"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("mean floored score", "mean contact cost"):
        table.add_column(name, justify="right")
    plan = [str(summary.planned), str((summary.planned or 0) - summary.all.seen)] if planned else []
    table.add_row("all runs", *plan, *_fates(summary.all))
    if len(summary.by_agent) > 1 or None not in summary.by_agent:
        for agent, group in summary.agents():
            name = printable(agent) if agent is not None else "(no agent named)"
            table.add_row(Text(f"  {name}"), *([""] * len(plan)), *_fates(group))
    screen.print(table)


def _fates(group: Group) -> list[str]:
    counts = [str(group.scored), str(group.void), str(group.failed)]
    if not group.scored:
        return [*counts, "-", "-", "-", "-"]
    counts += [f"{group.resolved} of {group.scored}", str(group.incidents)]
    means = (group.mean_floored_score, group.mean_contact_cost)
    return [*counts, *(cut(mean, PLACES) for mean in means if mean is not None)]
