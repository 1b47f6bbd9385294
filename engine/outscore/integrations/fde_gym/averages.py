"""Graded runs -> averages in both conventions, exactly: over task-runs, and over problems with repeats first.

The formula averages over task-runs: each run counts once. The harness's table averages the repeats of one problem
first, then the problems. The two agree where all problems have equally many runs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from outscore.formula import FLOOR
from outscore.numbers import NumberError, take_number

Values = Iterable[tuple[Hashable, Fraction]]
"""A value of each run, with the problem (the task) that the run was of."""


def mean_over_runs(values: Values) -> Fraction | None:
    """The mean in which each run counts once; None of nothing."""
    return _mean([value for _, value in values])


def mean_over_problems(values: Values) -> Fraction | None:
    """The mean in which each problem counts once, by the mean of its runs; None of nothing."""
    by_problem: dict[Hashable, list[Fraction]] = {}
    for problem, value in values:
        by_problem.setdefault(problem, []).append(value)
    means = [sum(values, Fraction(0)) / len(values) for values in by_problem.values()]
    return _mean(means)


def _mean(values: list[Fraction]) -> Fraction | None:
    return sum(values, Fraction(0)) / len(values) if values else None


@dataclass(frozen=True, slots=True)
class Graded:
    """One run as the harness's table takes it."""

    model: str
    level: str
    problem: tuple[str, str]
    """Engagement and variant."""
    gross: Fraction
    """The uplift, but at least -1."""
    net: Fraction
    """That, less the whole contact cost."""


@dataclass(frozen=True, slots=True)
class Group:
    """The runs of one model at one level."""

    model: str
    level: str
    runs: int
    problems: int
    gross: Fraction
    """Mean over problems, as the table prints it."""
    net: Fraction
    """Mean over problems, as the table prints it."""
    gross_over_runs: Fraction
    net_over_runs: Fraction


def graded(result: Mapping[str, Any]) -> Graded | None:
    """A result.json as a row of the table; None where the table leaves it out.

    Out are runs whose name begins with _, those without an agent, and those whose uplift is no number. The contact cost
    is uplift - uplift_net, and nothing where there is no uplift_net.
    """
    agent = result.get("agent")
    model = agent.get("slug") if isinstance(agent, Mapping) else result.get("slug")
    if not model or str(result.get("name", "")).startswith("_"):
        return None
    try:
        uplift = Fraction(take_number(result.get("uplift")))
    except NumberError:
        return None
    net = Fraction(take_number(result.get("uplift_net", result["uplift"])))
    gross = max(FLOOR, uplift)
    problem = (str(result.get("engagement")), str(result.get("variant") or "base"))
    return Graded(str(model), str(result.get("level")), problem, gross, gross - (uplift - net))


def table(results: Iterable[Mapping[str, Any]]) -> list[Group]:
    """The harness's table, exactly, with the formula's averages beside its own; by model and level."""
    groups: dict[tuple[str, str], list[Graded]] = {}
    for result in results:
        row = graded(result)
        if row is not None:
            groups.setdefault((row.model, row.level), []).append(row)
    return [_group(model, level, rows) for (model, level), rows in sorted(groups.items())]


def _group(model: str, level: str, rows: list[Graded]) -> Group:
    gross = [(row.problem, row.gross) for row in rows]
    net = [(row.problem, row.net) for row in rows]
    means = [mean(values) for mean in (mean_over_problems, mean_over_runs) for values in (gross, net)]
    gross_over_problems, net_over_problems, gross_over_runs, net_over_runs = (each or Fraction(0) for each in means)
    return Group(
        model=model,
        level=level,
        runs=len(rows),
        problems=len({row.problem for row in rows}),
        gross=gross_over_problems,
        net=net_over_problems,
        gross_over_runs=gross_over_runs,
        net_over_runs=net_over_runs,
    )
