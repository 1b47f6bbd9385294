"""A path -> a file that appears under its name only when it is whole, or standard output."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def results_file(out: str | None) -> Iterator[IO[str]]:
    """What to write to; raises OSError that names the path."""
    if out is None:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "standard output is closed")
        yield sys.stdout
        return
    try:
        # A pipe or a device is written to, never replaced: /dev/null must stay what it is.
        is_replaced = not os.path.exists(out) or os.path.isfile(out)
        with _whole_or_not_at_all(out) if is_replaced else open(out, "w", encoding="utf-8", newline="") as file:
            yield file
    except OSError as error:
        # What fails amid a file does not say which.
        error.filename = error.filename or out
        raise


@contextmanager
def _whole_or_not_at_all(out: str) -> Iterator[IO[str]]:
    # Through links, so that what a link leads to is replaced, and the link stays.
    path = Path(os.path.realpath(out))
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        # In the name that was given, not in that of the file beside it.
        raise OSError(error.errno, error.strerror, out) from None
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_utf8(file: IO[str], data: bytes) -> None:
    """Write UTF-8, whatever encoding the stream would take text in."""
    buffer = getattr(file, "buffer", None)
    if buffer is None:
        file.write(data.decode())
    else:
        buffer.write(data)
