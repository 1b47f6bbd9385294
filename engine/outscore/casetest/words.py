"""What became of tests -> the lines that people read, the same on the command line and in pytest.

Texts of a ruleset stand in them as they are written, on one line; making them safe to show is for those who print.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from outscore.casetest import CaseResult, Failure, SuiteResult
from outscore.casetest.compare import shown
from outscore.casetest.coverage import Coverage
from outscore.score import Score


def title(name: str) -> str:
    """A test's name on one line."""
    return " ".join(name.split())


def told(failure: Failure) -> str:
    """One failure without its place: `score: wanted 0.98, got 0.97`."""
    return title(f"{failure.subject}: wanted {failure.wanted}, got {failure.got}")


def explained(result: CaseResult) -> list[str]:
    """The lines under a failed test: each failure at its place, and what the run came to."""
    lines = []
    for failure in result.failures:
        span = failure.span
        lines.append(f"  {span.file}:{span.line}:{span.column}: {told(failure)}")
    if result.score is not None:
        lines.append(f"  the run came to {came_to(result.score)}")
    return lines


def came_to(score: Score) -> str:
    """A score in a few words, so that the right expectation can be written."""
    exact = score.exact
    verdict = "resolved" if score.resolved else "not resolved"
    incidents = f", incidents {title(', '.join(score.incidents))}" if score.incidents else ""
    figures = f"uplift {shown(exact.uplift)}, contact cost {shown(exact.contact_cost)}, score {shown(exact.score)}"
    return f"{figures}, {verdict}{incidents}"


def summary(results: Sequence[SuiteResult], fail_under: Fraction | None = None) -> str:
    """All results in one line."""
    tested = [each for each in results if each.results]
    tests = sum(len(each.results) for each in tested)
    failed = sum(len(each.failed) for each in tested)
    errors = sum(each.has_errors for each in results)
    under = sum(is_under(each.coverage, fail_under) for each in results)
    parts = []
    if tests:
        how = f"{failed} of {_count(tests, 'test')}" if failed else _count(tests, "test")
        parts.append(f"{how} in {_count(len(tested), 'ruleset')} {'failed' if failed else 'passed'}")
    if errors:
        parts.append(f"{_count(errors, 'ruleset')} with errors")
    if under and fail_under is not None:
        parts.append(f"coverage below {shown(fail_under)}% in {_count(under, 'ruleset')}")
    return "; ".join(parts) or f"no tests in {_count(len(results), 'ruleset')}"


def is_under(coverage: Coverage | None, fail_under: Fraction | None) -> bool:
    """Whether the tests reach less than they must."""
    return coverage is not None and fail_under is not None and coverage.percent < fail_under


def covered(file: str, coverage: Coverage, fail_under: Fraction | None) -> str:
    """How much of one ruleset is reached: `a.yaml: the tests reach 7 of 23 places, 30.4%`."""
    reached = f"{file}: the tests reach {coverage.count} of {len(coverage.places)} places, {coverage.shown_percent}"
    if fail_under is None or not is_under(coverage, fail_under):
        return reached
    return f"{reached}, which is below {shown(fail_under)}%"


def untested(results: Iterable[SuiteResult]) -> list[str]:
    """The rulesets, in order, that are in order themselves but have no tests."""
    return [each.suite.file for each in results if not each.has_errors and not each.suite.cases]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
