"""The scores of an evaluation -> what they come to: the mean floored score and the resolved rate, each with its error.

Taken from the exact figures in the scores' metadata, over every epoch of every sample, by the same arithmetic as
`outscore summary`. Unscored samples do not come here: Inspect counts them itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import inspect_ai.scorer as scoring
import msgspec

from outscore.numbers import nearest_double
from outscore.results import Result, read_result
from outscore.summary.checks import in_canonical_order, rulesets_of
from outscore.summary.sample import Sample, clustered_error

Figures = dict[str, float | None]
"""Metrics by name; Inspect leaves out those that are None, which are the ones that are not known."""


def _make_floored_score() -> Callable[[Any], Any]:
    def metric(scores: list[scoring.SampleScore]) -> Figures:
        return _mean(scores, _floored, "floored_mean", "floored_stderr")

    return metric


def _make_resolved() -> Callable[[Any], Any]:
    def metric(scores: list[scoring.SampleScore]) -> Figures:
        return _mean(scores, lambda each: Fraction(each.resolved), "resolved_rate", "resolved_stderr")

    return metric


# Epochs are runs of their own, so no reducer may average them first.
floored_score: Callable[[], Any] = scoring.metric("floored_score", scores="unreduced")(_make_floored_score)
"""`floored_mean` over task-runs, and `floored_stderr`, clustered by task; the latter where tasks differ."""

resolved: Callable[[], Any] = scoring.metric("resolved", scores="unreduced")(_make_resolved)
"""`resolved_rate` over task-runs, and `resolved_stderr`, as above."""


def _floored(result: Result) -> Fraction:
    assert result.figures is not None
    return result.figures.floored_score


def _mean(scores: Sequence[Any], value: Callable[[Result], Fraction], mean: str, error: str) -> Figures:
    if not scores:
        return {mean: None, error: None}
    results = [_result(each) for each in scores]
    _refuse_mixed_rules(results)
    ratio = Sample(in_canonical_order(results)).over_runs(value)
    exact = ratio.value
    # An error of zero would only say that all tasks came out the same, as in a summary.
    return {mean: nearest_double(exact.numerator, exact.denominator), error: clustered_error(ratio) or None}


def _result(score: Any) -> Result:
    record = score.score.metadata
    if not isinstance(record, dict) or "exact" not in record:
        raise ValueError(f"sample {score.sample_id!r} was not scored by business_outcome, whose metric this is")
    if score.score.value != record["score"]:
        message = f"sample {score.sample_id!r}: the value {score.score.value!r} is not the {record['score']!r}"
        raise ValueError(f"{message} of its account; a score follows from its run, so score the mended run again")
    return read_result(msgspec.json.encode(record), str(score.sample_id), 1)


def _refuse_mixed_rules(results: Sequence[Result]) -> None:
    for scenario, digests in rulesets_of(results).items():
        if len(digests) > 1:
            message = f"scenario {scenario!r} was scored by different sets of rules: {', '.join(digests)}"
            raise ValueError(f"{message}; score the log again (inspect score) before anything is averaged")
