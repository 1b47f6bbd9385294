"""A journal's bytes <-> its header and entries; what is torn at its end is told apart from what is damaged.

    {"outscore_ledger": 1, "run": "r-1", "scenario": "claims_intake", "ruleset": "sha256:...", "engine": "0.1.0"}
    {"event": {"type": "contact", "to": "sponsor", "at": "2026-03-02T10:00"}}
    {"incident": "outage"}
    {"closed": {"kpi": {"delivered": 12.5}}}

There are no prices in it: charges follow from the events and the ruleset. It judges no event.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import msgspec

from outscore.diagnostics import RunError
from outscore.journal.errors import damaged, mismatch
from outscore.jsontext import Duplicate, read_json

FORMAT: Final = 1

ENTRY_KEYS: Final = ("event", "incident", "closed")

_MARK: Final = "outscore_ledger"
_BEGINNING: Final = b'{"' + _MARK.encode() + b'":'

_encode: Final = msgspec.json.Encoder(decimal_format="number").encode


class Lines(NamedTuple):
    """What stands in a journal."""

    header: dict[str, Any] | None
    """None where nothing, or not even the whole header, had been written."""
    entries: list[tuple[int, str, Any]]
    """Line number, key and value of each entry."""
    size: int
    """Bytes of the lines that are whole; what lies behind them is torn."""
    torn: bytes


def line_of(record: dict[str, Any]) -> bytes:
    """A record as one line of the file; numbers as exact as they are."""
    return _encode(record) + b"\n"


def json_of(record: dict[str, Any]) -> bytes:
    """A record in the one layout that all results have, without a line break; numbers as exact as they are."""
    return msgspec.json.format(_encode(record), indent=0)


def header_of(about: dict[str, Any], digest: str, engine: str) -> dict[str, Any]:
    """The header of a run's journal."""
    return {_MARK: FORMAT, **about, "ruleset": digest, "engine": engine}


def read_lines(data: bytes, file: str, run: str | None) -> Lines:
    """Take a journal apart; raises LedgerError with the line for one that is damaged or no journal at all.

    Torn is what a crash can leave: a last line without its end, or one that is no JSON. Neither was acknowledged, and
    nothing is guessed from it.
    """
    whole, _, rest = data.rpartition(b"\n")
    lines = whole.split(b"\n") if whole or data.startswith(b"\n") else []
    if not lines:
        if not _BEGINNING.startswith(rest[: len(_BEGINNING)]) and rest.strip(b"\0"):
            raise damaged(file, run, 1, "this is no ledger's file: it does not begin with a header", _OTHER_FILE)
        return Lines(None, [], 0, rest)
    records: list[dict[str, Any]] = []
    size = 0
    for number, line in enumerate(lines, 1):
        try:
            record = read_json(line)
        except RunError as error:
            if number == len(lines) > 1 and not rest:
                return Lines(records[0], _entries(records, file, run), size, data[size:])
            hint = _OTHER_FILE if number == 1 else _MENDING
            raise damaged(file, run, number, f"the line cannot be read: {error.message}", hint) from None
        if not isinstance(record, dict):
            raise damaged(file, run, number, "the line is no JSON object", _MENDING)
        records.append(record)
        size += len(line) + 1
    return Lines(records[0], _entries(records, file, run), size, rest)


_OTHER_FILE: Final = "name a file that does not exist yet, or one that open_ledger made"
_MENDING: Final = "only a last line can be torn by a crash; look at how this one came about before mending it"


def _entries(records: list[dict[str, Any]], file: str, run: str | None) -> list[tuple[int, str, Any]]:
    entries: list[tuple[int, str, Any]] = []
    for number, record in enumerate(records[1:], 2):
        if len(record) != 1 or next(iter(record)) not in ENTRY_KEYS:
            raise damaged(file, run, number, f"the line is none of {', '.join(ENTRY_KEYS)}", _MENDING)
        if entries and entries[-1][1] == "closed":
            raise damaged(file, run, number, "a line follows the one that closed the run", _MENDING)
        key, value = next(iter(record.items()))
        entries.append((number, key, value))
    return entries


def check_header(header: dict[str, Any], wanted: dict[str, Any], file: str, run: str) -> dict[str, str]:
    """What a journal's header says of its run, held against what is wanted; raises LedgerError."""
    if _MARK not in header:
        raise damaged(file, run, 1, "this is no ledger's file: it does not begin with a header", _OTHER_FILE)
    check_format(header, file, run)
    for key, what, hint in _MUST_AGREE:
        if key in wanted and header.get(key) != wanted[key]:
            raise mismatch(file, run, what, header.get(key), wanted[key], hint)
    return header_names(header, file, run)


def check_format(header: dict[str, Any], file: str, run: str | None) -> None:
    """Make sure that a journal is of this format; raises LedgerError."""
    # Python takes true for 1.
    if header[_MARK] is True or header[_MARK] != FORMAT:
        hint = f"this version of outscore reads format {FORMAT}"
        raise mismatch(file, run, "format", header[_MARK], str(FORMAT), hint)


def header_names(header: dict[str, Any], file: str, run: str | None) -> dict[str, str]:
    """The ids that a journal's header says of its run; raises LedgerError."""
    if any(isinstance(key, Duplicate) for key in header):
        raise damaged(file, run, 1, "the header has a key twice", _MENDING)
    about = {key: header.get(key) for key in ("run", "scenario", "task", "agent") if key in header}
    found: dict[str, str] = {key: each for key, each in about.items() if isinstance(each, str)}
    if found.keys() != about.keys():
        raise damaged(file, run, 1, "the header's names are not all text", _MENDING)
    return found


# The run comes first: with a wrong file, the other differences follow from it.
_MUST_AGREE: Final = (
    ("run", "run", "each run has a file of its own"),
    ("scenario", "scenario", "open it with its own scenario's scorer"),
    ("ruleset", "ruleset", "the rules changed since; a run is charged by one ruleset from its first event to its last"),
    ("task", "task", "leave the task out to take it from the file"),
    ("agent", "agent", "leave the agent out to take it from the file"),
)
