"""A sample's run -> a score in Inspect's terms: value, answer, explanation, and the whole record as metadata.

A void run and one that cannot be scored become no number: they are Inspect's unscored samples, which it counts and
leaves out of every average, with the reason beside them. Where a run lies in a sample is the caller's to say.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import inspect_ai.scorer as scoring

from outscore.batch import BadRun
from outscore.diagnostics import Code, RunError
from outscore.integrations.inspect_ai.explanation import Rules, explain, explain_error, explain_void, read_rules
from outscore.integrations.inspect_ai.metrics import floored_score, resolved
from outscore.run import Run, Void
from outscore.scorer import Scorer

KEY: Final = "outscore_run"
"""Where a sample's run is looked for: under this key of its store, else of its metadata."""

FoundRun = Mapping[str, Any] | str | bytes | Run | Void | None
"""A run's record, its JSON text, or a run that was read before; None where the sample carries none."""

_BY_DIGEST: Final = "sha256:"


def run_in(state: Any) -> FoundRun:
    """The run that a sample's state carries: `state.store` first, else `state.metadata`, each under `outscore_run`."""
    stored: FoundRun = state.store.get(KEY)
    given: FoundRun = state.metadata.get(KEY)
    return given if stored is None else stored


def business_outcome(
    ruleset: str | os.PathLike[str] | Scorer,
    *,
    run_from: Callable[[Any], FoundRun] = run_in,
    on_error: Literal["unscored", "raise"] = "unscored",
) -> Any:
    """Make an Inspect scorer of a ruleset: a path, the ruleset's text (which has more than one line), or a Scorer.

    `run_from` takes a sample's TaskState and gives its run. A run that cannot be scored leaves its sample unscored,
    with the error in its metadata; with `on_error="raise"` the RunError is raised, and Inspect's `fail_on_error`
    decides.

    Raises RulesetError for a ruleset with errors, and OSError for a file that cannot be read.
    """
    given = _Named(ruleset) if isinstance(ruleset, Scorer) else os.fspath(ruleset)
    options: dict[str, Any] = {} if run_from is run_in else {"run_from": run_from}
    if on_error != "unscored":
        options["on_error"] = on_error
    return _registered(given, **options)


class _Named:
    """A Scorer by a name that a log can hold; Inspect takes it for the argument's value."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer
        self.name = scorer.digest


def _make(
    ruleset: str | _Named,
    run_from: Callable[[Any], FoundRun] = run_in,
    on_error: str = "unscored",
) -> Any:
    if not callable(run_from):
        # A log holds a function's name only.
        raise TypeError(f"run_from was the function {run_from!r}; give it again: score(log, business_outcome(...))")
    if on_error not in ("unscored", "raise"):
        raise ValueError(f"on_error is 'unscored' or 'raise', not {on_error!r}")
    rules = _rules(ruleset)

    async def score(state: Any, target: Any) -> Any:
        try:
            run = run_from(state)
            if run is None:
                raise _no_run(state)
            return _judge(rules, run)
        except RunError as error:
            if on_error == "raise":
                raise
            return _failed(error)

    return score


# Called and not used as a decorator, so that its type matters neither where Inspect is installed nor where it is not.
_registered: Callable[..., Any] = scoring.scorer(metrics=[floored_score(), resolved()], name="business_outcome")(_make)


def _rules(ruleset: str | _Named) -> Rules:
    if isinstance(ruleset, _Named):
        return Rules(ruleset.scorer)
    if "\n" in ruleset:
        return read_rules(ruleset.encode(), "<text>")
    if ruleset.startswith(_BY_DIGEST):
        message = f"the rules {ruleset} were given as a Scorer, which no log holds; give them again"
        raise ValueError(f"{message}: score(log, business_outcome(...))")
    return read_rules(Path(ruleset).read_bytes(), ruleset)


def _judge(rules: Rules, run: Mapping[str, Any] | str | bytes | Run | Void) -> Any:
    outcome = run if isinstance(run, Void) else rules.scorer.score(run)
    if isinstance(outcome, Void):
        return scoring.Score.unscored(reason="void", explanation=explain_void(outcome), metadata=outcome.to_record())
    assert not isinstance(run, Void)
    return scoring.Score(
        value=outcome.score,
        answer="resolved" if outcome.resolved else "not resolved",
        explanation=explain(rules, run, outcome),
        metadata=outcome.to_record(),
    )


def _failed(error: RunError) -> Any:
    record = BadRun(error, "").to_record()
    # The sample that carries this says where the run stands.
    del record["input"]
    return scoring.Score.unscored(reason="scoring_failed", explanation=explain_error(error), metadata=record)


def _no_run(state: Any) -> RunError:
    hint = f"the solver puts it there: state.store.set({KEY!r}, run); or say where it is with run_from"
    return RunError(Code.MISSING_KEY, f"sample {state.sample_id!r} carries no run", hint=hint)
