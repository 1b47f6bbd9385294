"""A folder -> the ordinary files below it that are wanted by name. Reads none of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn


def files_below(folder: str | os.PathLike[str], is_wanted: Callable[[str], bool]) -> list[Path]:
    """The files whose names are wanted, in order; links to folders are not followed.

    Raises OSError for a folder or a file that may not be looked at: what nobody may see is not passed over in silence.
    """

    def refuse(error: OSError) -> NoReturn:
        raise error

    found = []
    for base, _, names in os.walk(folder, onerror=refuse):
        for name in filter(is_wanted, names):
            path = Path(base, name)
            try:
                mode = os.stat(path).st_mode
            except FileNotFoundError:
                continue  # A link that leads nowhere.
            if stat.S_ISREG(mode):
                found.append(path)
    return sorted(found)
