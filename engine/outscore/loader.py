"""Path -> Scorer: the whole pipeline from a ruleset's text on one screen.

    bytes -> Document -> shape, model, meaning, expressions (Ruleset) -> Plan -> Scorer

Each stage reports all it finds, and the next one runs only without errors.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from outscore.compiler import compile_ruleset
from outscore.diagnostics import Code, Diagnostic, RulesetError, Severity, Span, in_order
from outscore.document import Document, read_document
from outscore.ruleset import Ruleset, read_ruleset
from outscore.scorer import Scorer

SUFFIXES = (".yaml", ".yml")
"""What a ruleset's file name ends with."""

_RUNS = tuple(f".runs{suffix}" for suffix in SUFFIXES)
"""Runs may be YAML too; beside rulesets they are told apart by name."""


class Checked(NamedTuple):
    """A ruleset's text after checking."""

    ruleset: Ruleset | None
    """None where there is any error."""
    diagnostics: tuple[Diagnostic, ...]
    """Every finding, warnings included, in order of place."""
    text: str
    """The text, for excerpts; empty where it could not be decoded."""
    document: Document | None = None
    """The text's data with the place of each part; None where it could not be read."""


def check(source: bytes, name: str) -> Checked:
    """Check a ruleset's text; `name` is what findings call the file."""
    text = source.decode(errors="replace").removeprefix("\ufeff")
    document, diagnostics = read_document(source, name)
    if document is None:
        return Checked(None, in_order(diagnostics), text)
    ruleset, found = read_ruleset(document)
    return Checked(ruleset, in_order((*diagnostics, *found)), text, document)


def loads(source: bytes | str, name: str = "<text>") -> Scorer:
    """Make a scorer from a ruleset's text; raises RulesetError with every finding."""
    checked = check(source.encode() if isinstance(source, str) else source, name)
    if checked.ruleset is None:
        raise RulesetError(checked.diagnostics, {name: checked.text})
    return Scorer(compile_ruleset(checked.ruleset))


def load(path: str | os.PathLike[str]) -> Scorer:
    """Make a scorer from a ruleset's file; raises RulesetError with every finding, and OSError."""
    return loads(Path(path).read_bytes(), os.fspath(path))


def load_all(folder: str | os.PathLike[str]) -> dict[str, Scorer]:
    """Make the scorers of all rulesets below a folder, by scenario.

    Raises RulesetError with every finding of every file, and for two rulesets of one scenario; FileNotFoundError
    where there is none.
    """
    scorers: dict[str, Scorer] = {}
    places: dict[str, Path] = {}
    errors: list[RulesetError] = []
    for path in find_rulesets([folder]):
        try:
            scorer = load(path)
        except RulesetError as error:
            errors.append(error)
            continue
        if scorer.scenario in scorers:
            errors.append(RulesetError([_two_rulesets(scorer.scenario, places[scorer.scenario], path)]))
        scorers[scorer.scenario] = scorer
        places[scorer.scenario] = path
    if errors:
        raise RulesetError.joined(errors)
    if not scorers:
        raise FileNotFoundError(f"no ruleset (*.yaml, *.yml) below {os.fspath(folder)}")
    return scorers


def find_rulesets(paths: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """The ruleset files that are named, and those below the folders that are named, each once and in order."""
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        if not path.is_dir():
            found[path] = None
            continue
        below = (each for suffix in SUFFIXES for each in path.rglob(f"*{suffix}") if each.is_file())
        found |= dict.fromkeys(sorted(each for each in below if not each.name.endswith(_RUNS)))
    return list(found)


def _two_rulesets(scenario: str, first: Path, second: Path) -> Diagnostic:
    return Diagnostic(
        Code.DUPLICATE_ID,
        Severity.ERROR,
        f"scenario {scenario!r} has a second ruleset; the first is {first}",
        Span(str(second), 1, 1, 1, 1),
        hint="keep one ruleset a scenario in a folder",
    )
