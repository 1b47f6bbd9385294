"""Outcomes and their summary -> JSON, JSON Lines or CSV, for machines."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from typing import IO, TYPE_CHECKING, Any

from outscore.cli.files import write_utf8
from outscore.score import Score, encode

if TYPE_CHECKING:
    from outscore.batch import Outcome
    from outscore.summary import Summary

_COLUMNS = (
    *("run", "scenario", "task", "agent", "uplift", "adjusted_uplift", "contact_cost", "score", "floored_score"),
    *("resolved", "incidents", "warnings", "void", "error", "file", "line"),
)


def write_jsonl(outcomes: Iterable[Outcome], summary: Summary, file: IO[str]) -> None:
    """One line a run, in input order."""
    for outcome in outcomes:
        write_utf8(file, _line(outcome) + b"\n")


def write_json(outcomes: Iterable[Outcome], summary: Summary, file: IO[str]) -> None:
    """One document: the runs, a line each, and the summary."""
    separator = b'{"runs": [\n'
    for outcome in outcomes:
        write_utf8(file, separator + _line(outcome))
        separator = b",\n"
    opening = separator if summary.all.seen == 0 else b""
    write_utf8(file, opening + b'],\n"summary": ' + encode(summary.to_record()) + b"}\n")


def write_csv(outcomes: Iterable[Outcome], summary: Summary, file: IO[str]) -> None:
    """One row a run; figures as the nearest doubles, lists with a semicolon between."""
    rows = csv.writer(_Utf8(file), lineterminator="\n")
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


class _Utf8:
    """What `csv` writes to, so that its rows are the same bytes whatever encoding the stream has."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> None:
        write_utf8(self._file, text.encode())


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "; ".join(value)
    return str(value)
