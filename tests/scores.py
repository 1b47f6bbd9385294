"""Lines of results as `outscore score` writes them, made from a few words; for tests of what reads them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from outscore.results import Result, read_results

DIGEST = "sha256:" + "1" * 64
OTHER_DIGEST = "sha256:" + "2" * 64


def scored(
    run: str,
    uplift: str | Fraction | int = "1",
    cost: str | Fraction | int = 0,
    *,
    agent: str | None = "a",
    scenario: str = "s",
    task: str = "t",
    incidents: tuple[str, ...] = (),
    ruleset: str = DIGEST,
    engine: str = "0.1.0",
) -> dict[str, Any]:
    """A scored run; its figures follow from uplift, cost and incidents by the formula, written anew here."""
    u, c = Fraction(uplift), Fraction(cost)
    adjusted = min(u, Fraction(0)) if incidents else u
    figures = {
        "uplift": u,
        "adjusted_uplift": adjusted,
        "contact_cost": c,
        "score": adjusted - c,
        "floored_score": max(adjusted, Fraction(-1)) - c,
    }
    return {
        "run": run,
        "scenario": scenario,
        "task": task,
        **({} if agent is None else {"agent": agent}),
        **{name: float(value) for name, value in figures.items()},
        "resolved": adjusted - c >= Fraction(8, 10) and not incidents,
        "incidents": list(incidents),
        "warnings": [],
        "exact": {name: str(value) for name, value in figures.items()},
        "account": [],
        "ruleset": ruleset,
        "engine": engine,
    }


def void(run: str, *, agent: str | None = "a", scenario: str = "s", task: str = "t") -> dict[str, Any]:
    """A run that was lost."""
    record = {"run": run, "scenario": scenario, "task": task, "agent": agent, "void": "grader timed out"}
    return {key: value for key, value in record.items() if value is not None}


def failed(run: str | None, *, agent: str | None = "a", scenario: str | None = "s") -> dict[str, Any]:
    """A run that could not be scored."""
    about = {"scenario": scenario, "agent": agent}
    return {
        "run": run,
        **{key: value for key, value in about.items() if value is not None},
        "input": {"file": "runs.jsonl", "line": 3},
        "error": {"code": "unknown-person", "path": "$.events[0].to", "message": "'cheif' is nobody"},
    }


def written(path: Path, *records: object) -> str:
    """The records as a file of JSON Lines."""
    lines = (each if isinstance(each, str) else json.dumps(each) for each in records)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def results(tmp_path: Path, *records: object, name: str = "scores.jsonl") -> list[Result]:
    """The records written, and read back."""
    return read_results([written(tmp_path / name, *records)])
