"""A formatted ruleset -> what its canonical form changes, as a unified diff.

Line by line, whatever the lines end in: that ends of lines change is said elsewhere.
"""

from __future__ import annotations

import difflib
import re
from typing import Final

from outscore.fmt import Formatted

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+\Z")


def difference(formatted: Formatted) -> str:
    """The diff; empty where only the ends of lines or a byte order mark change."""
    assert formatted.after is not None
    # Not `splitlines`, which knows line ends that YAML does not.
    before = _LINE.findall(formatted.before.replace("\r\n", "\n"))
    after = _LINE.findall(formatted.after)
    lines = difflib.unified_diff(before, after, formatted.name, formatted.name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
