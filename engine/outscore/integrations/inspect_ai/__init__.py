"""A ruleset -> a scorer for Inspect AI, with its metrics; the samples of an evaluation carry the runs.

    from outscore.integrations.inspect_ai import business_outcome

    Task(dataset=..., solver=..., scorer=business_outcome("rulesets/claims_intake.yaml"))

`scorer` turns a sample's run into a score in Inspect's terms, `explanation` writes its bill, `metrics` sums up an
evaluation. Runs no model, and judges nothing itself. Needs `outscore[inspect]`.
"""

from __future__ import annotations

try:
    import inspect_ai as _inspect_ai  # noqa: F401  (only to say what is missing)
except ModuleNotFoundError as error:
    if error.name != "inspect_ai":
        raise
    message = "this integration needs Inspect AI: pip install 'outscore[inspect]'"
    raise ImportError(message, name="inspect_ai") from None

from outscore.integrations.inspect_ai.metrics import floored_score, resolved
from outscore.integrations.inspect_ai.scorer import KEY, business_outcome, run_in

__all__ = ["KEY", "business_outcome", "floored_score", "resolved", "run_in"]
