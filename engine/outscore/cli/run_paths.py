"""RUNS on a command line -> the files they stand for: files, folders of runs, and patterns for shells that expand none.

Reads no run.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from outscore.cli.console import printable, stop
from outscore.runfiles import STDIN

_RUNS: Final = (".jsonl", ".json", ".runs.yaml", ".runs.yml")
"""How the name of a file of runs in a folder ends; YAML of another name is a ruleset."""


def run_paths(paths: Sequence[str]) -> tuple[str, ...]:
    """The files in the order given, each once; ends with exit code 2 where a path stands for none.

    A file that is named is taken whatever its name; `-` is standard input.
    """
    found: dict[str, str] = {}
    for path in paths:
        if path == STDIN or (os.path.exists(path) and not os.path.isdir(path)):
            brought = [path]
        elif os.path.isdir(path):
            brought = _below(path)
        else:
            # A folder that a pattern's name fits is meant as a whole; one that `**` brings in is walked by it already.
            matches = sorted(glob.glob(path, recursive=True)) if glob.has_magic(path) else []
            whole = [each for each in matches if os.path.isfile(each) or not path.endswith("**")]
            brought = [file for each in whole for file in (_below(each) if os.path.isdir(each) else [each])]
        if not brought:
            if os.path.exists(path) or glob.has_magic(path):
                stop(f"no file of runs (*.jsonl, *.json, *.runs.yaml) in {printable(path)}")
            stop(f"{printable(path)} does not exist")
        for each in brought:
            found.setdefault(each if each == STDIN else os.path.abspath(each), each)
    return tuple(found.values())


def _below(folder: str) -> list[str]:
    files = (each for each in Path(folder).rglob("*") if each.name.endswith(_RUNS) and each.is_file())
    return [str(each) for each in sorted(files)]
