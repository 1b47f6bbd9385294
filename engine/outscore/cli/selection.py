"""PATHS on a command line -> the ruleset files they stand for: files, folders, patterns, less what is excluded.

Reads no ruleset. Patterns are for shells that expand none, and for lists of paths in other tools' files, where nobody
does: `*` and `?` within a name, `[...]`, and `**` for any folders.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

import click

from outscore.cli.console import os_words, printable, stop
from outscore.cli.patterns import matches

_CONFIG: Final = "pyproject.toml"


def selection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that go with PATHS."""
    forced = click.option(
        "--force-exclude",
        is_flag=True,
        help="Exclude what [tool.outscore] in pyproject.toml excludes even where it is named as a file: for hooks.",
    )
    empty = click.option("--allow-empty", is_flag=True, help="Do not fail where a path stands for no ruleset.")
    return forced(empty(command))


def select(paths: Sequence[str], *, force_exclude: bool = False, allow_empty: bool = False) -> list[Path]:
    """The files, each once and in order; ends with exit code 2 where a path stands for none.

    A file that is named is taken whatever its name, unless exclusion is forced; what folders and patterns bring in must
    be called like a ruleset and not be excluded.
    """
    excludes = Excludes()
    found: dict[str, Path] = {}
    for path in paths:
        is_named = os.path.isfile(path) or not (os.path.isdir(path) or glob.has_magic(path))
        try:
            brought = [Path(path)] if is_named else _expand(path)
        except OSError as error:
            stop(os_words(error))
        kept = brought if is_named and not force_exclude else [each for each in brought if not excludes.has(each)]
        if not kept and not allow_empty:
            stop(_nothing(path, is_excluded=bool(brought)))
        for each in kept:
            found.setdefault(os.path.abspath(each), each)
    return list(found.values())


def is_excluded(name: str) -> bool:
    """Whether a file that is only named, and need not exist, is excluded."""
    return Excludes().has(Path(name))


def _nothing(path: str, *, is_excluded: bool) -> str:
    if is_excluded:
        return f"every ruleset in {printable(path)} is excluded by {_CONFIG}"
    return f"no ruleset (*.yaml, *.yml) in {printable(path)}"


def _expand(path: str) -> list[Path]:
    from outscore.loader import find_rulesets

    if os.path.isdir(path):
        return find_rulesets([path])
    return [
        each for match in matches(path) for each in (find_rulesets([match]) if match.is_dir() else _if_ruleset(match))
    ]


def _if_ruleset(path: Path) -> list[Path]:
    from outscore.loader import is_ruleset_name

    return [path] if is_ruleset_name(path.name) and path.is_file() else []


class _Config(NamedTuple):
    """The excludes of one pyproject.toml."""

    folder: str
    patterns: tuple[re.Pattern[str], ...]


class Excludes:
    """What pyproject.toml files exclude; each is read once."""

    def __init__(self) -> None:
        self._of: dict[str, _Config | None] = {}

    def has(self, path: Path) -> bool:
        """Whether the pyproject.toml nearest above the file that speaks of outscore excludes it."""
        whole = os.path.abspath(path)
        config = self._nearest(os.path.dirname(whole))
        if config is None:
            return False
        parts = os.path.relpath(whole, config.folder).split(os.sep)
        # A pattern that fits a folder excludes all below it.
        names = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
        return any(pattern.fullmatch(name) for pattern in config.patterns for name in names)

    def _nearest(self, folder: str) -> _Config | None:
        if folder not in self._of:
            config = _read_config(folder)
            parent = os.path.dirname(folder)
            self._of[folder] = config if config is not None or parent == folder else self._nearest(parent)
        return self._of[folder]


def _read_config(folder: str) -> _Config | None:
    """The folder's pyproject.toml; None where it has none, or one without [tool.outscore]."""
    path = os.path.join(folder, _CONFIG)
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        stop(os_words(error))
    except UnicodeDecodeError:
        _refuse(path, "is no UTF-8")
    if "outscore" not in text:
        # Nearly every one above a ruleset's folder ends here, whatever else is in it.
        return None
    import tomllib

    try:
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        _refuse(path, f"is no TOML: {error}")
    tool = tables.get("tool")
    ours = tool.get("outscore") if isinstance(tool, dict) else None
    if ours is None:
        return None
    if not isinstance(ours, dict):
        _refuse(path, "[tool.outscore] is no table")
    for key in ours:
        if key != "exclude":
            _refuse(path, f"[tool.outscore] has the key {key!r}; known is only 'exclude'")
    excluded = ours.get("exclude", [])
    if not isinstance(excluded, list) or not all(isinstance(each, str) for each in excluded):
        _refuse(path, "'exclude' in [tool.outscore] is no list of patterns in quotes")
    for each in excluded:
        if not each.strip("./") or each.startswith("/") or ".." in each.split("/"):
            _refuse(
                path, f"'exclude' in [tool.outscore] has {each!r}; patterns are of what lies below this file's folder"
            )
    return _Config(folder, tuple(_compiled(each, path) for each in excluded))


def _compiled(pattern: str, path: str) -> re.Pattern[str]:
    try:
        return re.compile(_regex(pattern))
    except re.error:
        _refuse(path, f"'exclude' in [tool.outscore] has {pattern!r}; its [...] lists no characters")


def _refuse(path: str, what: str) -> NoReturn:
    stop(f"{printable(path)}: {printable(what)}")


_PIECES: Final = re.compile(r"\*\*/|/\*\*\Z|\*|\?|\[!?\]?[^]/]*\]")


def _regex(pattern: str) -> str:
    """A pattern as a regular expression over a relative path with forward slashes."""
    pattern = pattern.removeprefix("./").rstrip("/")
    out, at = "", 0
    for piece in _PIECES.finditer(pattern):
        out += re.escape(pattern[at : piece.start()])
        out += _piece(piece[0])
        at = piece.end()
    return f"(?s:{out}{re.escape(pattern[at:])})"


def _piece(piece: str) -> str:
    if piece.startswith("["):
        negated = piece[1] == "!"
        members = re.sub(r"([\\\[\]^&~|])", r"\\\1", piece[1 + negated : -1])
        return f"[{'^/' if negated else ''}{members}]"
    return {"**/": "(?:[^/]+/)*", "/**": "/.+", "*": "[^/]*", "?": "[^/]"}[piece]
