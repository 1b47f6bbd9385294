"""Values and places of a ruleset -> the phrases that messages are made of.

Knows no finding and no key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from outscore.diagnostics import Path, dotted

_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_./() <>=*+-]*")
"""Text that YAML takes without quotes, inside braces too."""


def place(path: Path) -> str:
    """The path as people read it, the ruleset itself for the root."""
    return dotted(path) if path else "the ruleset"


def quoted(text: str) -> str:
    """Text in single quotes, on one line, cut if it is long."""
    short = text if len(text) <= 40 else text[:37] + "..."
    return "'" + "".join(each if each.isprintable() else "�" for each in short) + "'"


def found(value: object) -> str:
    """What a value is, in words."""
    if value is None:
        return "empty (null)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    if isinstance(value, list):
        return "a list"
    return "a mapping of keys" if isinstance(value, dict) else f"the number {value}"


def shown(value: object) -> str:
    """A value as messages name it."""
    return quoted(value) if isinstance(value, str) else flow(value)


def flow(value: object) -> str:
    """A value as it would be written in YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)


def choices(options: Iterable[object], *, quote: bool = True) -> str:
    """`'a', 'b' or 'c'`."""
    words = [shown(each) if quote else str(each) for each in options]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def as_id(text: str) -> str:
    """The id nearest to the text, empty if there is none."""
    word = "".join(each if each.isascii() and each.isalnum() else "_" for each in text.strip()[:80].lower())
    word = "_".join(filter(None, word.split("_")))[:40]
    return word if word[:1].isalpha() and word != text else ""
