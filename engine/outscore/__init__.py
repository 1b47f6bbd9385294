"""outscore: a ruleset becomes a scorer, a run becomes an exact score with an itemised account.

    import outscore

    scorer = outscore.load("rulesets/claims_intake.yaml")
    score = scorer.score(run)          # a dict, or the run's JSON text
    print(score.score, score.resolved, score.exact.score)

Names are resolved when first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from outscore.account import Account, Charge, Step
    from outscore.batch import BadRun, score_file
    from outscore.diagnostics import Code, Diagnostic, RulesetError, RunError, Severity, Span
    from outscore.journal import AgentView, LedgerError, LedgerWarning, LiveLedger, Receipt, RedactedLedger, open_ledger
    from outscore.loader import load, load_all, loads
    from outscore.prices import PriceSheet
    from outscore.run import Run, Void
    from outscore.score import Exact, Score
    from outscore.scorer import Scorer
    from outscore.summary import Summary, aggregate

__version__ = "0.1.0"

_HOMES: Final = {
    "Account": "account",
    "AgentView": "journal",
    "BadRun": "batch",
    "Charge": "account",
    "Code": "diagnostics",
    "Diagnostic": "diagnostics",
    "Exact": "score",
    "LedgerError": "journal",
    "LedgerWarning": "journal",
    "LiveLedger": "journal",
    "PriceSheet": "prices",
    "Receipt": "journal",
    "RedactedLedger": "journal",
    "RulesetError": "diagnostics",
    "Run": "run",
    "RunError": "diagnostics",
    "Score": "score",
    "Scorer": "scorer",
    "Severity": "diagnostics",
    "Span": "diagnostics",
    "Step": "account",
    "Summary": "summary",
    "Void": "run",
    "aggregate": "summary",
    "load": "loader",
    "load_all": "loader",
    "loads": "loader",
    "open_ledger": "journal",
    "score_file": "batch",
}
"""Public names, and the modules they live in."""

__all__ = [
    "Account",
    "AgentView",
    "BadRun",
    "Charge",
    "Code",
    "Diagnostic",
    "Exact",
    "LedgerError",
    "LedgerWarning",
    "LiveLedger",
    "PriceSheet",
    "Receipt",
    "RedactedLedger",
    "RulesetError",
    "Run",
    "RunError",
    "Score",
    "Scorer",
    "Severity",
    "Span",
    "Step",
    "Summary",
    "Void",
    "aggregate",
    "load",
    "load_all",
    "loads",
    "open_ledger",
    "score_file",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'outscore' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"outscore.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]
