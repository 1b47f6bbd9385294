"""A Scorer, a run's id and perhaps a file -> a live ledger: an event is charged, and safe on the disk, when it happens.

`tally` prices, `file` writes, `lines` is the file's format, `values` is how values stand in it, `ledger` holds them
together, `views` is what an agent may see, `finished` reads a file without a ruleset. Scoring is not done here: a
closed ledger gives a Run, and scoring that is the scorer's.
"""

from __future__ import annotations

import errno
import os
import warnings
from pathlib import Path
from typing import Literal, overload

from outscore import __version__
from outscore.diagnostics import RunError
from outscore.journal.errors import LedgerError, LedgerWarning, damaged
from outscore.journal.file import JournalFile, sync_folder
from outscore.journal.ledger import LiveLedger, Torn
from outscore.journal.lines import Lines, check_header, header_of, line_of, read_lines
from outscore.journal.views import AgentView, Receipt, RedactedLedger
from outscore.run import read_run
from outscore.scorer import Scorer

__all__ = [
    "AgentView",
    "LedgerError",
    "LedgerWarning",
    "LiveLedger",
    "Receipt",
    "RedactedLedger",
    "Torn",
    "open_ledger",
]

ASIDE = ".torn"
"""What is added to a file's name for the file beside it that torn lines are moved to."""


@overload
def open_ledger(
    scorer: Scorer,
    run: str,
    task: str | None = None,
    agent: str | None = None,
    path: str | os.PathLike[str] | None = None,
    redact: Literal[False] = False,
) -> LiveLedger: ...
@overload
def open_ledger(
    scorer: Scorer,
    run: str,
    task: str | None = None,
    agent: str | None = None,
    path: str | os.PathLike[str] | None = None,
    *,
    redact: Literal[True],
) -> RedactedLedger: ...
def open_ledger(
    scorer: Scorer,
    run: str,
    task: str | None = None,
    agent: str | None = None,
    path: str | os.PathLike[str] | None = None,
    redact: bool = False,
) -> LiveLedger | RedactedLedger:
    """Open the ledger of a run that is about to begin, or that goes on.

    With a path each event is in that file, and on the disk, before its call returns; where the file is there already,
    the run is taken up where it stands. With `redact` the ledger shows no prices.

    Raises RunError for ids that no run can have, LedgerError for a file that is in use, damaged or of another run or
    ruleset, OSError for one that cannot be opened, and TypeError for what is no Scorer.
    """
    if not isinstance(scorer, Scorer):
        # A caller's slip and no bad input, so no error of ours; but one that says what to do.
        raise TypeError(f"open_ledger takes a Scorer, not {type(scorer).__name__}: outscore.load(path) makes one")
    about = {"run": run, "scenario": scorer.scenario}
    about |= {key: text for key, text in (("task", task), ("agent", agent)) if text is not None}
    # A void run has these ids and nothing else, so the strict reader can be asked about them. What is plain text after
    # it may have been a subclass before.
    read_run({**about, "void": "-"}, scorer.plan)
    about = {key: str.__str__(text) for key, text in about.items()}
    ledger = _in_file(scorer, about, os.fsdecode(path)) if path is not None else LiveLedger(scorer, about)
    return RedactedLedger(ledger) if redact else ledger


def _in_file(scorer: Scorer, about: dict[str, str], path: str) -> LiveLedger:
    try:
        file = JournalFile(path, about["run"])
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        # What is closed needs no writing.
        finished = _read_only(scorer, about, path)
        if finished is None:
            raise
        return finished
    try:
        return _begun_or_resumed(scorer, about, file)
    except BaseException:
        file.release()
        raise


def _read_only(scorer: Scorer, about: dict[str, str], path: str) -> LiveLedger | None:
    """The ledger of a file that may only be read; None where there is none, or one that goes on."""
    try:
        # A pipe would keep us waiting.
        data = Path(path).read_bytes() if os.path.isfile(path) else b""
    except OSError:
        return None
    lines = read_lines(data, path, about["run"])
    if lines.header is None or lines.torn:
        return None
    ledger = _replayed(scorer, about, lines, path)
    return ledger if ledger.finished is not None else None


def _replayed(scorer: Scorer, about: dict[str, str], lines: Lines, path: str) -> LiveLedger:
    """A ledger with what stands in a file, or a new one; raises LedgerError."""
    run = about["run"]
    if lines.header is not None:
        about = check_header(lines.header, header_of(about, scorer.digest, __version__), path, run)
    ledger = LiveLedger(scorer, about)
    for number, key, value in lines.entries:
        try:
            ledger.replay(key, value)
        except RunError as error:
            message = f"no call can have written this line: {error.path}: {error.message}"
            raise damaged(path, run, number, message, error.hint) from error
    return ledger


def _begun_or_resumed(scorer: Scorer, about: dict[str, str], file: JournalFile) -> LiveLedger:
    run, path = about["run"], file.path
    lines = read_lines(file.read(), path, run)
    ledger = _replayed(scorer, about, lines, path)
    torn = _set_aside(file, lines.size, lines.torn, run) if lines.torn else None
    if lines.header is None:
        file.append(line_of(header_of(about, scorer.digest, __version__)))
        sync_folder(path)
    ledger.hold(file, torn)
    return ledger


def _set_aside(file: JournalFile, size: int, text: bytes, run: str) -> Torn:
    aside = file.path + ASIDE
    file.set_aside(size, aside)
    message = f"{file.path}: the last line of run {run!r} was torn, and never acknowledged; it was moved to {aside}"
    warnings.warn(message, LedgerWarning, stacklevel=5)
    return Torn(aside, text)
