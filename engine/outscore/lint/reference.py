"""A ruleset's pinned values and tests -> whether they show that a delivery like the expert's cannot resolve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from outscore.diagnostics import Code, Diagnostic, Path, RunError
from outscore.formula import RESOLVED_AT
from outscore.lint.subject import Subject, shown
from outscore.lowering import Value, rational_function
from outscore.ruleset.model import Test

if TYPE_CHECKING:
    from outscore.score import Score


def pinned_incidents(subject: Subject) -> Iterator[Diagnostic]:
    """Incident rules that hold when what was delivered is the pinned reference, or the pinned baseline."""
    if not subject.pinned:
        return
    as_reference, as_baseline = (_delivered(subject.pinned, system) for system in ("reference", "baseline"))
    for name in subject.ruleset.incidents:
        path: Path = ("incidents", name, "when")
        # A rule that always holds was found before, and needs no further example.
        tree = subject.tree(path)
        if tree is None or subject.holds(path) is not None:
            continue
        rule = rational_function(tree)
        hint = "compare with the baseline, as in 'delivered.x > baseline.x', or check the pinned values"
        if _holds(rule, as_reference):
            both = ", like the pinned baseline," if _holds(rule, as_baseline) else ""
            message = f"the pinned reference{both} is itself the incident '{name}': a delivery as good gains nothing"
            yield subject.at_value(Code.PINNED_INCIDENT, path, message, hint)
        elif _holds(rule, as_baseline):
            message = f"the pinned baseline is itself the incident '{name}': so is a run that changes nothing"
            yield subject.at_value(Code.PINNED_INCIDENT, path, message, hint)


def _delivered(pinned: Mapping[str, Fraction], system: str) -> dict[str, Value]:
    """What incident rules read of a run that delivered what this system came to."""
    prefix = f"{system}."
    same = {name.removeprefix(prefix): value for name, value in pinned.items() if name.startswith(prefix)}
    return {**pinned, **{f"delivered.{name}": value for name, value in same.items()}}


def _holds(rule: Callable[[Mapping[str, Value]], Value], run: Mapping[str, Value]) -> bool:
    try:
        return bool(rule(run))
    except (KeyError, ZeroDivisionError):
        # Not to be decided: such a run would be refused.
        return False


def unresolved_references(subject: Subject) -> Iterator[Diagnostic]:
    """Tests with deliveries as good as the reference of which none resolves.

    A test whose run reports an incident is no example of one, and one that resolves with less shows that the reference
    can.
    """
    positions = {position for position, test in enumerate(subject.ruleset.tests) if _is_reference(subject, test)}
    if not positions:
        return
    best: _Best | None = None
    for position, score in _scores(subject):
        if score.resolved and score.exact.uplift <= 1:
            return
        if position in positions and (best is None or score.exact.score > best.score.exact.score):
            best = _Best(position, score)
    if best is not None:
        yield _finding(subject, best)


def _scores(subject: Subject) -> Iterator[tuple[int, Score]]:
    """The score of each test's run, unless the run is refused, which the test may expect."""
    # Imported here, since only rulesets with such tests need it.
    from outscore.compiler import compile_ruleset
    from outscore.score import Score
    from outscore.scorer import Scorer

    scorer = Scorer(compile_ruleset(subject.ruleset))
    for position, test in enumerate(subject.ruleset.tests):
        try:
            score = scorer.score(test.complete(subject.ruleset.scenario))
        except RunError:
            continue
        assert isinstance(score, Score), "a test has no void runs"
        yield position, score


class _Best(NamedTuple):
    position: int
    score: Score


def _finding(subject: Subject, best: _Best) -> Diagnostic:
    exact, incidents = best.score.exact, best.score.incidents
    why = f"costs of {shown(exact.contact_cost)} leave a score of {shown(exact.score)}"
    hint = f"a run resolves at {shown(RESOLVED_AT)}: lower the prices, or test a delivery that makes do with less"
    if incidents:
        # Whatever it cost besides. The run reports none, so a rule found it.
        why = f"the incident '{incidents[0]}' takes the gain away"
        hint = f"the incident is the cause: mend the rule of '{incidents[0]}', or test a delivery that it leaves alone"
    message = f"no test resolves with a delivery as good as the reference; at best, here, {why}"
    path: Path = ("tests", best.position, "name")
    return subject.at_value(Code.UNRESOLVED_REFERENCE, path, message, hint)


def _is_reference(subject: Subject, test: Test) -> bool:
    """Whether a test's delivery is as good as the reference, and its run reports no incident."""
    measured: Mapping[str, Any] = test.run["kpi"]
    pinned = subject.ruleset.kpi.pinned
    delivered = subject.kpi_of(_exact(measured["delivered"]))
    given = measured.get("reference")
    reference = _exact(given) if given is not None else pinned.reference if pinned is not None else None
    if delivered is None or reference is None or test.run.get("incidents"):
        return False
    return delivered == subject.kpi_of(reference)


def _exact(values: Any) -> Fraction | Mapping[str, Fraction]:
    if isinstance(values, Mapping):
        return {name: Fraction(each) for name, each in values.items()}
    return Fraction(values)
