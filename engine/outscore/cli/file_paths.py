"""RUNS or SCORES on a command line -> the files they stand for: files, folders of them, and patterns for shells that
expand none.

Reads no file.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click

from outscore.cli.console import os_words, printable, stop
from outscore.cli.patterns import matches
from outscore.folders import files_below

_STDIN: Final = "-"


class Kind(NamedTuple):
    """What a folder is looked through for."""

    what: str
    endings: tuple[str, ...]
    """How the names of such files end. YAML of any other name is a ruleset."""


RUNS: Final = Kind("file of runs", (".jsonl", ".json", ".runs.yaml", ".runs.yml"))
RESULTS: Final = Kind("file of results", (".jsonl", ".json"))


def paths_of(kind: Kind) -> Callable[[click.Context, click.Parameter, tuple[str, ...]], tuple[str, ...]]:
    """A parameter's callback that puts files in the place of what stands for them."""
    return lambda context, _, paths: paths if context.resilient_parsing else file_paths(paths, kind)


def file_paths(paths: Sequence[str], kind: Kind) -> tuple[str, ...]:
    """The files in the order given, each once; ends with exit code 2 where a path stands for none.

    A file that is named is taken whatever its name; `-` is standard input.
    """
    found: dict[str, str] = {}
    for path in paths:
        try:
            brought = _brought(path, kind)
        except OSError as error:
            stop(os_words(error))
        if not brought:
            if os.path.exists(path) or glob.has_magic(path):
                names = ", ".join(f"*{ending}" for ending in kind.endings)
                stop(f"no {kind.what} ({names}) in {printable(path)}")
            stop(f"{printable(path)} does not exist")
        for each in brought:
            # Through links, so that a file under two names is one file.
            found.setdefault(each if each == _STDIN else os.path.realpath(each), each)
    return tuple(found.values())


def _brought(path: str, kind: Kind) -> list[str]:
    if path == _STDIN or (os.path.exists(path) and not os.path.isdir(path)):
        return [path]
    if os.path.isdir(path):
        return _below(path, kind)
    found: list[str] = []
    for each in matches(path) if glob.has_magic(path) else ():
        if each.is_dir():
            found += _below(each, kind)
        elif each.is_file():
            found.append(str(each))
    return found


def _below(folder: str | Path, kind: Kind) -> list[str]:
    return [str(each) for each in files_below(folder, lambda name: name.endswith(kind.endings))]
