"""A live ledger's file -> the run that it holds, as plain data. Needs no ruleset, and so prices nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from outscore.journal.errors import damaged, still_open
from outscore.journal.lines import check_format, header_names, read_lines
from outscore.journal.values import Record


def finished_run(data: bytes, file: str) -> Record:
    """The run of a ledger that was closed, unchecked; raises LedgerError for one that is damaged, or still open."""
    lines = read_lines(data, file, None)
    about: dict[str, str] = {}
    if lines.header is not None:
        about = header_names(lines.header, file, None)
        check_format(lines.header, file, about.get("run"))
    events: list[Any] = []
    incidents: list[Any] = []
    for number, key, value in lines.entries:
        if key == "event":
            events.append(value)
        elif key == "incident" and value in incidents:
            raise damaged(file, about.get("run"), number, "the incident was reported before")
        elif key == "incident":
            incidents.append(value)
        elif is_closing(value):
            return run_record(about, events, incidents, value)
        else:
            raise damaged(file, about.get("run"), number, HOW_CLOSED)
    raise still_open(about.get("run"))


HOW_CLOSED: Final = "a run is closed by its kpi, or as void"


def is_closing(value: object) -> bool:
    """Whether this can stand in the line that closed a run."""
    return isinstance(value, dict) and (value.keys() == {"void"} or "kpi" in value.keys() <= {"kpi", "data"})


def run_record(
    about: Mapping[str, Any], events: Sequence[Any], incidents: Sequence[Any], closing: Mapping[str, Any]
) -> Record:
    """The whole run's record, keys in the order that runs carry them."""
    if "void" in closing:
        return {**about, **closing}
    reported = {"incidents": list(incidents)} if incidents else {}
    kpi = {"kpi": closing["kpi"]} if "kpi" in closing else {}
    return {**about, **kpi, **reported, **closing, "events": list(events)}
