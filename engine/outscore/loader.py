"""Path -> Scorer: the whole pipeline from a ruleset's text on one screen.

    bytes -> Document -> shape, meaning, expressions (Ruleset) -> Plan -> Scorer

Each stage reports all it finds, and the next one runs only without errors. `check`, which makes no scorer, adds the
warnings of lint on request.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from outscore.diagnostics import Code, Diagnostic, RulesetError, Severity, Span, in_order
from outscore.document import Document, read_document, read_source
from outscore.folders import files_below

if TYPE_CHECKING:
    from outscore.ruleset import Ruleset
    from outscore.scorer import Scorer

SUFFIXES = (".yaml", ".yml")
"""What a ruleset's file name ends with."""

_RUNS = tuple(f".runs{suffix}" for suffix in SUFFIXES)
"""Runs may be YAML too; beside rulesets they are told apart by name."""


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


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
    is_complete: bool = False
    """Whether every stage that finds errors has run: errors of one leave the later ones out."""


def check(source: bytes, name: str, *, lint: bool = False, folder: Path | None = None) -> Checked:
    """Check a ruleset's text; `name` is what findings call the file.

    With `lint`, also say what was probably not meant, and leave out the warnings that comments in the text allow; with
    the `folder` that the file lies in, also whether its schema line leads editors to our schema.
    """
    text = _readable(source)
    document, diagnostics = read_document(source, name)
    if document is None:
        return Checked(None, in_order(diagnostics), text)
    # Imported here, so that a text that is no YAML is refused without building the model.
    from outscore.ruleset import read_ruleset

    ruleset, found, is_complete = read_ruleset(document)
    if not lint:
        return Checked(ruleset, in_order((*diagnostics, *found)), text, document, is_complete)
    # Imported here, as above: whoever only scores never pays for it.
    from outscore import lint as linting
    from outscore.lint.allow import without_allowed
    from outscore.lint.schema_line import schema_line

    if ruleset is not None:
        found = [*found, *linting.lint(ruleset, document)]
    if ruleset is not None and folder is not None:
        found = [*found, *schema_line(document, folder)]
    unknown = {Code.SCHEMA_LINE} if folder is None else frozenset[Code]()
    findings = without_allowed(document, (*diagnostics, *found), unknown)
    return Checked(ruleset, findings, text, document, is_complete)


def _readable(source: bytes) -> str:
    """The text as far as it can be shown; what is in another encoding altogether cannot."""
    return (
        "" if b"\0" in source[:2] or source[:2] in _UTF_16 else source.decode(errors="replace").removeprefix("\ufeff")
    )


def loads(source: bytes | str, name: str = "<text>") -> Scorer:
    """Make a scorer from a ruleset's text; raises RulesetError with every finding."""
    checked = check(source.encode() if isinstance(source, str) else source, name)
    if checked.ruleset is None:
        raise RulesetError(checked.diagnostics, {name: checked.text})
    # Imported here, so that checking alone, which is all that `validate` does, never pays for them.
    from outscore.compiler import compile_ruleset
    from outscore.scorer import Scorer

    return Scorer(compile_ruleset(checked.ruleset))


def load(path: str | os.PathLike[str]) -> Scorer:
    """Make a scorer from a ruleset's file; raises RulesetError with every finding, and OSError."""
    return loads(read_source(path), os.fspath(path))


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
    """The ruleset files that are named, and those below the folders that are named, each once and in order.

    Raises OSError for a folder that may not be looked into.
    """
    found: dict[Path, None] = {}
    for path in map(Path, paths):
        if not path.is_dir():
            found[path] = None
            continue
        found |= dict.fromkeys(files_below(path, is_ruleset_name))
    return list(found)


def is_ruleset_name(name: str) -> bool:
    """Whether a file of this name in a folder of rulesets is one."""
    return name.endswith(SUFFIXES) and not name.endswith(_RUNS)


def _two_rulesets(scenario: str, first: Path, second: Path) -> Diagnostic:
    return Diagnostic(
        Code.DUPLICATE_ID,
        Severity.ERROR,
        f"scenario {scenario!r} has a second ruleset; the first is {first}",
        Span(str(second), 1, 1, 1, 1),
        hint="keep one ruleset a scenario in a folder",
    )
