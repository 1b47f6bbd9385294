"""An id of theirs -> an id of ours, and back: a rule of its own for each id, whatever other ids there are.

Our ids are lower-case letters, digits and _, a letter first. An id of theirs that is one already stays as it is. In any
other, each character that cannot stand becomes _xHEX_ (its code in hexadecimal): `head-of-claims` is
`head_x2d_of_x2d_claims`, and where the first character cannot stand, an x goes in front: `2nd` is `x_x32_nd`.
"""

from __future__ import annotations

import re
from typing import Final

_OURS: Final = re.compile(r"[a-z][a-z0-9_]*")
_ESCAPE: Final = re.compile(r"_x([0-9a-f]+)_")


def to_ours(theirs: str) -> str:
    """The id of ours for an id of theirs, which must not be empty; no two of theirs share one."""
    if _OURS.fullmatch(theirs) and not _ESCAPE.search(theirs):
        return theirs
    # A _ before an x could be read as the start of an escape, so it is written as one.
    rest = re.sub(r"[^a-z0-9_]|_(?=x)", _escaped, theirs[1:])
    first = theirs[0]
    if not first.isascii() or not first.islower() or (first == "x" and _ESCAPE.match(rest)):
        return f"x_x{ord(first):x}_{rest}"
    return first + rest


def to_theirs(ours: str) -> str:
    """The id of theirs that an id of ours stands for."""
    if ours.startswith("x") and _ESCAPE.match(ours, 1):
        ours = ours[1:]
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), ours)


def _escaped(match: re.Match[str]) -> str:
    return f"_x{ord(match[0]):x}_"
