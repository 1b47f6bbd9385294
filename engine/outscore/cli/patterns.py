"""A quoted pattern -> the files and folders it brings in: `*`, `?`, `[...]` within a name, and `**` for any folders.

For shells that expand none, and for lists of paths in other tools' files, where nobody does.
"""

from __future__ import annotations

from pathlib import Path


def matches(pattern: str) -> list[Path]:
    """What a pattern brings in, in order; `a/**` is the folder `a`, whose whole is meant.

    Links are followed where a name fits, and not by `**`, so that none leads round in circles. Hidden names are left
    out unless the pattern spells them.
    """
    while pattern.endswith(("/**", "/**/")):
        pattern = pattern.rstrip("/").removesuffix("/**") or "/"
    if pattern == "**":
        return [Path()]
    anchor = Path(pattern).anchor
    try:
        found = sorted(Path(anchor).glob(pattern[len(anchor) :]))
    except (ValueError, NotImplementedError):
        # Such as `a**b`, which stands for nothing.
        return []
    spelt = {*Path(pattern).parts, ".."}
    return [each for each in found if all(part in spelt or not part.startswith(".") for part in each.parts)]
