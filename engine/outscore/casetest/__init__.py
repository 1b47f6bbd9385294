"""A ruleset's text -> what its own tests came to: each test's run scored, each expectation compared.

Runs are scored by the ruleset's own Scorer, like any other run. Prices nothing itself, prints nothing, reads no files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from outscore.casetest.compare import Difference, compare, shown
from outscore.casetest.coverage import Coverage, measure_coverage
from outscore.compiler import compile_ruleset
from outscore.diagnostics import Diagnostic, Path, RunError, Span, dotted
from outscore.document import Document
from outscore.loader import check
from outscore.ruleset import Ruleset
from outscore.score import Score
from outscore.scorer import Scorer

__all__ = ["Case", "CaseResult", "Failure", "Suite", "SuiteResult", "read_suite", "run_suite"]


@dataclass(frozen=True, slots=True)
class Case:
    """One test of a ruleset."""

    name: str
    run: Mapping[str, Any]
    """The run as written, with `run` and `scenario` filled in."""
    expect: Mapping[str, Any]
    path: Path
    """Where the test stands in the document."""
    span: Span
    """Where its name stands."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that came out otherwise than it was expected."""

    subject: str
    """What was expected of what, in the words of the ruleset: `score`, `charges[1]`, `run.events[0].to`."""
    span: Span
    """Where the expectation stands; of a run that was refused, where the fault stands."""
    wanted: str
    got: str


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of one test."""

    case: Case
    failures: tuple[Failure, ...]
    score: Score | None
    """None where the run was refused, expected or not."""

    @property
    def has_passed(self) -> bool:
        """Whether everything came out as expected."""
        return not self.failures


@dataclass(frozen=True)
class Suite:
    """A ruleset with its tests, ready to run; or what is wrong with it."""

    file: str
    text: str
    """For excerpts."""
    diagnostics: tuple[Diagnostic, ...]
    ruleset: Ruleset | None
    """None where there is any error."""
    document: Document | None

    @cached_property
    def scorer(self) -> Scorer:
        """The ruleset's scorer."""
        assert self.ruleset is not None
        return Scorer(compile_ruleset(self.ruleset))

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The tests in order; none where the ruleset has errors."""
        ruleset, document = self.ruleset, self.document
        if ruleset is None or document is None:
            return ()
        return tuple(
            Case(
                test.name,
                test.complete(ruleset.scenario),
                test.expect,
                ("tests", position),
                document.span(("tests", position, "name")),
            )
            for position, test in enumerate(ruleset.tests)
        )

    def run(self, case: Case) -> CaseResult:
        """Score the test's run, and compare what was expected."""
        assert self.document is not None
        wanted = case.expect.get("error")
        try:
            score = self.scorer.score(case.run)
        except RunError as error:
            if wanted == str(error.code):
                return CaseResult(case, (), None)
            return CaseResult(case, (self._refusal(case, error, wanted),), None)
        # The shape of a test has no void runs.
        assert isinstance(score, Score)
        if wanted is not None:
            got = f"a score of {shown(score.exact.score)}"
            return CaseResult(case, (self._failure(case, Difference(("error",), str(wanted), got)),), score)
        return CaseResult(case, tuple(self._failure(case, each) for each in compare(score, case.expect)), score)

    def _failure(self, case: Case, difference: Difference) -> Failure:
        assert self.document is not None
        path = (*case.path, "expect", *difference.path)
        return Failure(dotted(difference.path), self.document.span(path), difference.wanted, difference.got)

    def _refusal(self, case: Case, error: RunError, wanted: object) -> Failure:
        assert self.document is not None
        path = ("run", *_steps(error.path))
        hint = f" (hint: {error.hint})" if error.hint else ""
        got = f"error[{error.code}]: {error.message}{hint}"
        if wanted is not None:
            place = self.document.span((*case.path, "expect", "error"))
            return Failure("error", place, str(wanted), f"{got}, at {dotted(path)}")
        return Failure(dotted(path), self.document.span((*case.path, *path)), "a run that can be scored", got)


_STEP: Final = re.compile(r"\[(\d+)\]|\.([^.\[]+)")


def _steps(json_path: str) -> Path:
    """A run's JSON path as the steps of a path in the document."""
    return tuple(int(position) if position else key for position, key in _STEP.findall(json_path))


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """What became of one ruleset's tests."""

    suite: Suite
    results: tuple[CaseResult, ...]
    """Of the tests that were chosen."""
    coverage: Coverage | None = None
    """None where it was not asked for, or the ruleset has errors."""

    @property
    def has_errors(self) -> bool:
        """Whether the ruleset could not be loaded, so that nothing was tested."""
        return self.suite.ruleset is None

    @property
    def failed(self) -> tuple[CaseResult, ...]:
        """The tests that did not pass."""
        return tuple(each for each in self.results if not each.has_passed)


def read_suite(source: bytes, name: str) -> Suite:
    """Check a ruleset's text; `name` is what findings call the file."""
    checked = check(source, name)
    return Suite(name, checked.text, checked.diagnostics, checked.ruleset, checked.document)


def run_suite(suite: Suite, is_chosen: Callable[[str], bool] = lambda name: True, *, coverage: bool) -> SuiteResult:
    """Run the tests whose names are chosen, and say on request what they reach of the rules."""
    results = tuple(suite.run(case) for case in suite.cases if is_chosen(case.name))
    if not coverage or suite.document is None or suite.ruleset is None:
        return SuiteResult(suite, results)
    runs = [(each.case.run, each.score) for each in results if each.score is not None]
    return SuiteResult(suite, results, measure_coverage(suite.scorer, suite.document, runs))
