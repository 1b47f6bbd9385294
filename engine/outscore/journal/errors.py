"""What can go wrong with a live ledger itself -> errors; the wording of each is here, in one place.

What is wrong with an event is said by the strict reader and the ledger of the running side, as for finished runs.
"""

from __future__ import annotations

import os

from outscore.diagnostics import Code, RunError


class LedgerError(RunError):
    """A live ledger that cannot do what was asked of it; `path` is the place in the run, or in the ledger's file."""

    def __reduce__(self) -> tuple[object, ...]:
        return _ledger_error, (self.code, self.message, self.path, self.hint, self.run)


class LedgerWarning(UserWarning):
    """Something about a ledger's file that its owner should know, although the ledger goes on."""


def _ledger_error(code: Code, message: str, path: str, hint: str | None, run: str | None) -> LedgerError:
    return LedgerError(code, message, path=path, hint=hint, run=run)


def closed(run: str) -> LedgerError:
    message = "the run was closed, and its ledger takes nothing more"
    return LedgerError(Code.LEDGER_CLOSED, message, run=run)


def released(run: str) -> LedgerError:
    message = "the ledger was released, and takes nothing more"
    return LedgerError(Code.LEDGER_CLOSED, message, run=run, hint="open its file again with open_ledger")


def busy(run: str) -> LedgerError:
    message = "the ledger is in the middle of a call in this very thread, which a signal's handler interrupted"
    hint = "let the handler set a flag, or raise, and use the ledger when the call has ended"
    return LedgerError(Code.LEDGER_IN_USE, message, run=run, hint=hint)


def still_open(run: str | None) -> LedgerError:
    message = "the run is not closed yet, so there is no record of it"
    return LedgerError(Code.LEDGER_OPEN, message, run=run, hint="close it with what was measured, or with void()")


def in_use(file: str, run: str) -> LedgerError:
    message = "the ledger is open elsewhere; it takes one writer at a time"
    return LedgerError(Code.LEDGER_IN_USE, message, path=file, run=run, hint="close or release it there first")


def forked(file: str, run: str) -> LedgerError:
    message = "the ledger belongs to the process that opened it, not to one forked from it"
    return LedgerError(Code.LEDGER_IN_USE, message, path=file, run=run, hint="send events to that process")


def unsaved(file: str, run: str, cause: OSError) -> LedgerError:
    why = os.strerror(cause.errno) if cause.errno else str(cause)
    message = f"the ledger's file cannot be written, so nothing was recorded: {why}"
    return LedgerError(Code.LEDGER_UNSAVED, message, path=file, run=run, hint="call again once that is mended")


def no_file(file: str, run: str) -> LedgerError:
    message = "this is no ordinary file, and keeps nothing"
    return LedgerError(Code.LEDGER_UNSAVED, message, path=file, run=run, hint="name a file on a disk")


def meddled(file: str, run: str, *, is_gone: bool) -> LedgerError:
    what = "was removed, or another was put in its place" if is_gone else "was changed by somebody else"
    message = f"the ledger's file {what} while it was open, so nothing was recorded"
    hint = "the ledger still has the run's events and charges; keep its file from others"
    return LedgerError(Code.LEDGER_UNSAVED, message, path=file, run=run, hint=hint)


def mismatch(file: str, run: str | None, what: str, found: object, wanted: str, hint: str) -> LedgerError:
    message = f"the file holds the ledger of {what} {str(found)[:80]!r}, not of {wanted[:80]!r}"
    return LedgerError(Code.LEDGER_MISMATCH, message, path=f"{file}:1", run=run, hint=hint)


def damaged(file: str, run: str | None, line: int, what: str, hint: str | None = None) -> LedgerError:
    return LedgerError(Code.LEDGER_DAMAGED, what, path=f"{file}:{line}", run=run, hint=hint)
