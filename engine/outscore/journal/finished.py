"""A live ledger's file -> the run that it holds, as plain data. Needs no ruleset, and so prices nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from outscore.journal.errors import damaged, still_open
from outscore.journal.lines import header_names, read_lines
from outscore.journal.values import Record


def finished_run(data: bytes, file: str) -> Record:
    """The run of a ledger that was closed, unchecked; raises LedgerError for one that is damaged, or still open."""
    lines = read_lines(data, file, None)
    about = header_names(lines.header, file, None) if lines.header is not None else {}
    events: list[Any] = []
    incidents: list[Any] = []
    for number, key, value in lines.entries:
        if key == "event":
            events.append(value)
        elif key == "incident":
            incidents.append(value)
        elif isinstance(value, dict):
            return run_record(about, events, incidents, value)
        else:
            raise damaged(file, about.get("run"), number, "a run is closed by its kpi, or as void")
    raise still_open(about.get("run"))


def run_record(
    about: Mapping[str, Any], events: Sequence[Any], incidents: Sequence[Any], closing: Mapping[str, Any]
) -> Record:
    """The whole run's record, keys in the order that runs carry them."""
    if "void" in closing:
        return {**about, **closing}
    reported = {"incidents": list(incidents)} if incidents else {}
    kpi = {"kpi": closing["kpi"]} if "kpi" in closing else {}
    return {**about, **kpi, **reported, **closing, "events": list(events)}
