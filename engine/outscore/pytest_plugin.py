"""Rulesets -> pytest items: one for each test beside the rules, one failing item for a ruleset with errors.

A YAML file is looked at only where somebody asks for it: by the ini option `outscore_rulesets`, or by naming the file
or its folder on pytest's command line. Even then it is passed over unless it has the top-level key `outscore`. Nothing
of outscore but this module is imported before a ruleset is collected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from outscore.casetest import Case, Suite

_OPTION: Final = "outscore_rulesets"
_DEFAULT: Final = ["rulesets/**/*.yaml", "rulesets/**/*.yml"]

_SUFFIXES: Final = (".yaml", ".yml")
_RUNS: Final = (".runs.yaml", ".runs.yml")

# A key in the first column can only stand at the top level; a document in braces is read as JSON is laid out.
_IS_RULESET: Final = re.compile(rb"""(?:^(?:\xef\xbb\xbf)?|\A(?:\xef\xbb\xbf)?\s*\{\s*)["']?outscore["']?\s*:""", re.M)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the ini option."""
    parser.addini(
        _OPTION,
        "Patterns of the rulesets whose own tests are collected, relative to the root directory; "
        f"** stands for any folders. Default: {' '.join(_DEFAULT)}",
        type="args",
        default=_DEFAULT,
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a ruleset that was asked for."""
    name = file_path.name
    if not name.endswith(_SUFFIXES) or name.endswith(_RUNS):
        return None
    if not _is_asked_for(file_path, parent.config) or not _is_ruleset(file_path):
        return None
    # pytest's own constructors are untyped.
    file: pytest.Collector = RulesetFile.from_parent(parent, path=file_path)
    return file


def _is_asked_for(path: Path, config: pytest.Config) -> bool:
    if config.args_source is pytest.Config.ArgsSource.ARGS:
        named = {(config.invocation_params.dir / argument.split("::")[0]).resolve() for argument in config.args}
        if not named.isdisjoint((path.resolve(), path.parent.resolve())):
            return True
    try:
        relative = path.relative_to(config.rootpath).as_posix()
    except ValueError:
        return False
    return any(re.fullmatch(_pattern(each), relative) for each in config.getini(_OPTION))


def _pattern(glob: str) -> str:
    """A glob as a regular expression over a relative path: `**/` any folders, `*` and `?` within a name."""
    pieces = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob.removeprefix("./"))
    return "".join(pieces.get(part) or re.escape(part) for part in parts)


def _is_ruleset(path: Path) -> bool:
    try:
        return _IS_RULESET.search(path.read_bytes()) is not None
    except OSError:
        return False


class RulesetFile(pytest.File):
    """A ruleset's file: its tests, or what is wrong with it."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item a test; none where there are no tests."""
        from outscore.casetest import read_suite
        from outscore.casetest.words import title
        from outscore.document import read_source

        suite = read_suite(read_source(self.path), _shown(self.path, self.config))
        if suite.ruleset is None:
            yield BrokenRuleset.from_parent(self, name="ruleset", suite=suite)
        names: dict[str, int] = {}
        for case in suite.cases:
            name = _printable(title(case.name))
            names[name] = count = names.get(name, 0) + 1
            # Two tests of one name are told apart, as ids must be.
            yield RulesetTest.from_parent(
                self, name=name if count == 1 else f"{name} ({count})", suite=suite, case=case
            )


def _printable(text: str) -> str:
    """The text without control characters, which could move a terminal's cursor or colour its lines."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}" for each in text)


def _shown(path: Path, config: pytest.Config) -> str:
    """The file as pytest's own reports would name it."""
    try:
        return path.relative_to(config.invocation_params.dir).as_posix()
    except ValueError:
        return str(path)


class RulesetFailure(Exception):  # noqa: N818  (no error: a report that pytest shows without traceback)
    """What pytest is to show of an item that failed."""


class _RulesetItem(pytest.Item):
    """What reports without a traceback: nobody's Python is at fault."""

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *arguments: Any, **options: Any) -> Any:
        """Our reports as they are; anything else as pytest shows it."""
        if isinstance(excinfo.value, RulesetFailure):
            return _printable(str(excinfo.value))
        return super().repr_failure(excinfo, *arguments, **options)


class BrokenRuleset(_RulesetItem):
    """The one item of a ruleset with errors; it always fails."""

    def __init__(self, *, suite: Suite, **options: Any) -> None:
        super().__init__(**options)
        self._suite = suite

    def runtest(self) -> None:
        """Fail with every finding."""
        from outscore.diagnostics import render

        raise RulesetFailure("\n".join(render(each, self._suite.text) for each in self._suite.diagnostics))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where pytest says it is."""
        span = self._suite.diagnostics[0].span
        return self.path, span.line - 1 if span else None, self.name


class RulesetTest(_RulesetItem):
    """One test of a ruleset."""

    def __init__(self, *, suite: Suite, case: Case, **options: Any) -> None:
        super().__init__(**options)
        self._suite = suite
        self._case = case

    def runtest(self) -> None:
        """Score the run, and fail with every wrong expectation."""
        from outscore.casetest.words import explained

        result = self._suite.run(self._case)
        if not result.has_passed:
            raise RulesetFailure("\n".join(line.removeprefix("  ") for line in explained(result)))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where pytest says it is."""
        return self.path, self._case.span.line - 1, self.name
