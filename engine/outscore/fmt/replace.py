"""A path and new content -> the file replaced whole: whoever reads it meanwhile sees the old text or the new one."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Put new content in the place of a file, with its mode; a link stays, and what it leads to is replaced.

    Raises OSError, and then the file is as it was.
    """
    target = Path(os.path.realpath(path))
    mode = stat.S_IMODE(target.stat().st_mode)
    if not os.access(target, os.W_OK):
        # A folder that can be written would let it be replaced all the same, against the will of whoever locked it.
        raise PermissionError(13, os.strerror(13), os.fspath(path))
    try:
        # In the same folder, since only within one file system a rename is a single step.
        handle, made = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(made, mode)
        os.replace(made, target)
    except BaseException:
        os.unlink(made)
        raise
