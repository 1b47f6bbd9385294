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

from outscore.cli.console import printable, stop

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
        if path == _STDIN or (os.path.exists(path) and not os.path.isdir(path)):
            brought = [path]
        elif os.path.isdir(path):
            brought = _below(path, kind)
        else:
            # A folder that a pattern's name fits is meant as a whole; one that `**` brings in is walked by it already.
            matches = sorted(glob.glob(path, recursive=True)) if glob.has_magic(path) else []
            whole = [each for each in matches if os.path.isfile(each) or not path.endswith("**")]
            brought = [file for each in whole for file in (_below(each, kind) if os.path.isdir(each) else [each])]
        if not brought:
            if os.path.exists(path) or glob.has_magic(path):
                names = ", ".join(f"*{ending}" for ending in kind.endings)
                stop(f"no {kind.what} ({names}) in {printable(path)}")
            stop(f"{printable(path)} does not exist")
        for each in brought:
            found.setdefault(each if each == _STDIN else os.path.abspath(each), each)
    return tuple(found.values())


def _below(folder: str, kind: Kind) -> list[str]:
    files = (each for each in Path(folder).rglob("*") if each.name.endswith(kind.endings) and each.is_file())
    return [str(each) for each in sorted(files)]
