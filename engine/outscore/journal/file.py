"""Lines -> a file, each on the disk before the call returns, by one writer at a time.

Knows nothing of what the lines say. A line is in the file whole or not at all: what cannot be written to its end is
taken back, at once where that is possible, else before anything else is written.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from io import FileIO
from typing import Final

from outscore.journal.errors import LedgerError, forked, in_use, meddled, no_file, unsaved

if sys.platform == "win32":
    import msvcrt

    # Locks on Windows keep others from reading what is locked, so a byte is locked that no ledger reaches.
    _FAR: Final = 2**62

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        # flock, not lockf: it also holds against this process, and against closing another descriptor of the file.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class JournalFile:
    """A file of lines, held by one writer; the hold ends with `release`, or with the process however that ends."""

    def __init__(self, path: str, run: str) -> None:
        """Open the file, or make it; raises OSError, and LedgerError where it is in use or no ordinary file."""
        self.path = path
        self._run = run
        self._is_ours = True
        """Whether this process opened it, and is none that was forked from that: see `disown`."""
        self._file = _opened(path, os.O_RDWR)
        self._descriptor = self._file.fileno()
        try:
            found = os.fstat(self._descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise no_file(path, run)
            _lock(self._descriptor)
        except (BlockingIOError, PermissionError):
            self._file.close()
            raise in_use(path, run) from None
        except (OSError, LedgerError):
            self._file.close()
            raise
        self.size = os.fstat(self._descriptor).st_size
        """Bytes that are known to be whole lines; those behind them, if any, are to be taken back."""
        self._is_clean = True

    def read(self) -> bytes:
        """All there is in the file."""
        self._file.seek(0)
        return self._file.read()

    def append(self, line: bytes) -> None:
        """Write a line, and return when it is on the disk; raises LedgerError, and then the file is as before."""
        if not self._is_ours:
            raise forked(self.path, self._run)
        size = self.size
        grown = size + len(line)
        try:
            if not self._is_clean:
                self.take_back(size)
            found = os.fstat(self._descriptor)
            if found.st_size != size or not found.st_nlink:
                raise meddled(self.path, self._run, is_gone=not found.st_nlink)
            self._is_clean = False
            _write(self._descriptor, line)
        except BaseException as error:
            # Where even this fails, the next call begins with it.
            with suppress(OSError):
                self.take_back(size)
            # A handler's TimeoutError is an OSError too, and none of the system's.
            if isinstance(error, OSError) and error.errno is not None:
                raise unsaved(self.path, self._run, error) from error
            raise
        # INVARIANT: no call between these two, so that no signal comes between them.
        self.size = grown
        self._is_clean = True

    def take_back(self, size: int) -> None:
        """Cut off what lies behind so many bytes, and return when that is on the disk; raises OSError."""
        if (size == self.size and self._is_clean) or not self._is_ours:
            return
        self.size = size
        self._is_clean = False
        os.ftruncate(self._descriptor, size)
        os.fsync(self._descriptor)
        self._is_clean = True

    def set_aside(self, size: int, aside: str) -> None:
        """Move what lies behind so many bytes to the end of another file; raises LedgerError."""
        torn = self.read()[size:]
        try:
            # Twice in the other file, if a crash comes in between, and never in neither.
            with _opened(aside, os.O_WRONLY) as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise no_file(aside, self._run)
                _write(file.fileno(), torn if torn.endswith(b"\n") else torn + b"\n")
            sync_folder(aside)
            self.take_back(size)
        except OSError as error:
            raise unsaved(self.path, self._run, error) from error

    def disown(self) -> None:
        """In a process that was forked, perhaps amid a call: write no more."""
        self._is_ours = False
        self._descriptor = -1

    def release(self) -> None:
        """Let go of the file, and of what could not be taken back before."""
        if self._descriptor >= 0:
            with suppress(OSError):
                self.take_back(self.size)
        # The number may soon be another file's.
        self._descriptor = -1
        self._file.close()


def _opened(path: str, how: int) -> FileIO:
    """The file, or a new one, for appending; a pipe that nobody reads does not keep us waiting."""
    flags = how | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
    return FileIO(path, "a+b" if how == os.O_RDWR else "ab", opener=lambda name, _: os.open(name, flags, 0o666))


def _write(descriptor: int, text: bytes) -> None:
    written = os.write(descriptor, text)
    # A disk that is nearly full takes a part, and says so only when asked for the rest.
    while written < len(text):
        written += os.write(descriptor, text[written:])
    os.fsync(descriptor)


def sync_folder(path: str) -> None:
    """Return when the file's entry in its folder is on the disk; raises OSError."""
    if sys.platform == "win32":
        return
    descriptor = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some file systems keep folders safe by themselves, and refuse.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)
