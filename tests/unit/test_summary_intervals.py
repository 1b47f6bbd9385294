"""Standard errors, intervals and robust means, each against a library that knows nothing of ours."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
import statsmodels.api
from outscore.results import Result
from outscore.score import Exact
from outscore.summary.bootstrap import bootstrap_errors, interval
from outscore.summary.groups import summarize
from outscore.summary.sample import Ratio, Sample, clustered_error, degrees_of_freedom, strata_of
from outscore.summary.statistic import Resampling
from rliable import metrics

ROOT = Path(__file__).parents[2]
MANY = Resampling(resamples=20_000)


def result(number: int, value: float | Fraction, scenario: str = "s", task: str = "t", agent: str = "a") -> Result:
    exact = Fraction(value)
    figures = Exact(exact, exact, Fraction(0), exact, max(exact, Fraction(-1)))
    return Result(
        f"r{number:05}",
        scenario,
        task,
        agent,
        "scored",
        "f",
        number,
        figures,
        exact >= Fraction(4, 5),
        ruleset="sha256:0",
    )


def clustered(seed: int, tasks: int, scenarios: int = 1) -> list[Result]:
    """Runs of tasks that differ, one to five repeats each."""
    draw = np.random.Generator(np.random.PCG64(seed))
    found: list[Result] = []
    for task in range(tasks):
        middle = draw.normal(0.4, 0.4)
        for _ in range(int(draw.integers(1, 6))):
            scenario = f"s{task % scenarios}"
            found.append(result(len(found), round(float(draw.normal(middle, 0.3)), 6), scenario, f"t{task:03}"))
    return sorted(found, key=lambda each: (each.scenario, each.task, each.run))


def score(each: Result) -> Fraction:
    assert each.figures is not None
    return each.figures.score


@pytest.mark.parametrize("seed", range(5))
def test_clustered_errors_are_those_of_statsmodels(seed: int) -> None:
    runs = clustered(seed, 12)
    names = sorted({str(each.task) for each in runs})
    model = statsmodels.api.OLS([float(score(each)) for each in runs], np.ones(len(runs)))
    fitted = model.fit(cov_type="cluster", cov_kwds={"groups": [names.index(str(each.task)) for each in runs]})
    ratio = Sample(runs).over_runs(score)
    assert float(ratio.value) == pytest.approx(fitted.params[0], rel=1e-12)
    assert clustered_error(ratio) == pytest.approx(fitted.bse[0], rel=1e-11)


def test_errors_over_tasks_are_those_of_task_means() -> None:
    runs = clustered(7, 15)
    by_task: dict[str, list[float]] = {}
    for each in runs:
        by_task.setdefault(str(each.task), []).append(float(score(each)))
    means = [np.mean(of) for of in by_task.values()]
    sample = Sample(runs)
    ratio = sample.over_tasks(lambda repeats: sum((score(each) for each in repeats), Fraction(0)) / len(repeats))
    assert float(ratio.value) == pytest.approx(np.mean(means), rel=1e-12)
    assert clustered_error(ratio) == pytest.approx(scipy.stats.sem(means), rel=1e-11)


@pytest.mark.parametrize("scale", [Fraction(1, 10**300), Fraction(1), Fraction(10**300)])
def test_errors_at_either_end_of_the_doubles(scale: Fraction) -> None:
    runs = [result(n, Fraction(n, 7) * scale, task=f"t{n}") for n in range(9)]
    ratio = Sample(runs).over_runs(score)
    error = clustered_error(ratio)
    assert error is not None
    assert error / float(scale) == pytest.approx(scipy.stats.sem([n / 7 for n in range(9)]), rel=1e-12)
    (drawn,), _ = bootstrap_errors(strata_of(["s"] * 9), [ratio], [], MANY)
    assert drawn / error == pytest.approx(1, rel=0.03)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 7, 8, 16, 41])
def test_the_interquartile_mean_is_that_of_rliable_and_scipy(n: int) -> None:
    draw = np.random.Generator(np.random.PCG64(n))
    values = [round(float(each), 4) for each in draw.normal(size=n)]
    found = Sample([result(number, value) for number, value in enumerate(values)]).ranked(score).value
    assert float(found) == pytest.approx(scipy.stats.trim_mean(values, 0.25), rel=1e-12)
    assert float(found) == pytest.approx(metrics.aggregate_iqm(np.array([values])), rel=1e-12)


def test_pass_hat_is_hypergeometric() -> None:
    runs = [result(n, int(n < 5)) for n in range(8)]
    for k, each in enumerate(summarize(runs).everything.pass_hat, 1):
        assert float(each.value or 0) == pytest.approx(scipy.stats.hypergeom(8, 5, k).pmf(k), abs=1e-12)


def test_resampling_agrees_with_scipy_on_one_stratum() -> None:
    runs = clustered(3, 25)
    sample = Sample(runs)
    ratio = sample.over_runs(score)
    (error,), _ = bootstrap_errors(sample.strata, [ratio], [], MANY)
    totals, sizes = np.array([float(each) for each in ratio.totals]), np.array(ratio.sizes)
    drawn = scipy.stats.bootstrap(
        (totals, sizes),
        lambda total, size, axis: np.sum(total, axis) / np.sum(size, axis),
        paired=True,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.Generator(np.random.PCG64(5)),
    )
    # scipy draws n of n, whose variance is (n - 1) / n of what it should be.
    assert error == pytest.approx(drawn.standard_error * math.sqrt(25 / 24), rel=0.03)
    assert error == pytest.approx(clustered_error(ratio), rel=0.06)


@pytest.mark.parametrize("sizes", [(2, 2, 2, 2), (3, 4, 9), (30,)])
def test_resampling_agrees_with_the_stratified_formula(sizes: tuple[int, ...]) -> None:
    """However few tasks a scenario has: the variance of a stratified mean is the sum of (n/N)^2 s^2 / n."""
    draw = np.random.Generator(np.random.PCG64(sum(sizes)))
    values = [draw.normal(size=size).round(5) for size in sizes]
    runs = [
        result(100 * stratum + n, float(value), f"s{stratum}", f"t{n:02}")
        for stratum, of in enumerate(values)
        for n, value in enumerate(of)
    ]
    sample = Sample(runs)
    (error,), _ = bootstrap_errors(sample.strata, [sample.over_runs(score)], [], MANY)
    parts = [(len(of) / sum(sizes)) ** 2 * np.var(of, ddof=1) / len(of) for of in values]
    assert error == pytest.approx(math.sqrt(sum(parts)), rel=0.03)


def test_resampled_middles_agree_with_scipy() -> None:
    draw = np.random.Generator(np.random.PCG64(2))
    values = draw.normal(size=40).round(4)
    sample = Sample([result(n, float(value), task=f"t{n:02}") for n, value in enumerate(values)])
    _, (error,) = bootstrap_errors(sample.strata, [], [sample.ranked(score)], MANY)
    drawn = scipy.stats.bootstrap(
        (values,),
        lambda x, axis: scipy.stats.trim_mean(x, 0.25, axis=axis),
        n_resamples=20_000,
        method="percentile",
        rng=np.random.Generator(np.random.PCG64(5)),
    )
    assert error == pytest.approx(drawn.standard_error * math.sqrt(40 / 39), rel=0.05)


@pytest.mark.parametrize(("df", "level"), [(1, 0.95), (4, 0.9), (30, 0.99)])
def test_intervals_take_students_t(df: int, level: float) -> None:
    low, high = interval(Fraction(1, 2), 0.1, df, level, None) or (0.0, 0.0)
    wanted = scipy.stats.t.interval(level, df, loc=0.5, scale=0.1)
    assert (low, high) == pytest.approx(wanted, abs=1e-6)
    assert interval(Fraction(1, 2), 10.0, df, level, (0.0, 1.0)) == (0.0, 1.0)
    assert interval(Fraction(10**308), 1e308, df, level, None) is None


@pytest.mark.parametrize(
    ("scenarios", "strata"),
    [
        ("aabb", ((0, 1), (2, 3))),
        ("aaab", ((0, 1, 2, 3),)),
        ("aabbbc", ((0, 1, 5), (2, 3, 4))),
        ("abbcd", ((1, 2), (0, 3, 4))),
        ("abc", ((0, 1, 2),)),
        ("a", ((0,),)),
    ],
)
def test_a_scenario_with_one_task_joins_others(scenarios: str, strata: tuple[tuple[int, ...], ...]) -> None:
    assert strata_of(list(scenarios)) == strata
    assert degrees_of_freedom(strata) == len(scenarios) - len(strata)


def coverage(seed: int, times: int, *, rate: bool) -> float:
    """How often the 95% interval holds the true mean of tasks of three scenarios, with one to five repeats each."""
    draw = np.random.Generator(np.random.PCG64(seed))
    middles = np.array([0.1, 0.3, 0.8])
    settings = Resampling(resamples=400)
    tasks, scenarios = 18, np.arange(18) % 3
    strata = strata_of([f"s{each}" for each in scenarios])
    truth = float(np.mean(middles))
    held = 0
    for _ in range(times):
        sizes = draw.integers(1, 6, tasks)
        if rate:
            # Tasks are easy or hard: a beta mixture with the scenario's mean.
            chances = draw.beta(2 * middles[scenarios], 2 * (1 - middles[scenarios]))
            totals = [Fraction(int(draw.binomial(size, chance))) for size, chance in zip(sizes, chances, strict=True)]
        else:
            effects = middles[scenarios] + draw.normal(0, 0.4, tasks)
            totals = [
                Fraction(float(np.sum(draw.normal(effect, 0.4, size))))
                for size, effect in zip(sizes, effects, strict=True)
            ]
        ratio = Ratio(tuple(totals), tuple(int(size) for size in sizes))
        (error,), _ = bootstrap_errors(strata, [ratio], [], settings)
        low, high = interval(ratio.value, error, degrees_of_freedom(strata), 0.95, (0.0, 1.0) if rate else None) or (
            1,
            0,
        )
        held += low <= truth <= high
    return held / times


@pytest.mark.parametrize("rate", [False, True], ids=["scores", "rates"])
def test_the_95_percent_interval_holds_the_truth_as_often_as_it_says(rate: bool) -> None:
    assert 0.92 <= coverage(11, 1000, rate=rate) <= 0.97


def test_draws_are_the_same_on_every_platform() -> None:
    """To the last bit, as they were once: a change of these numbers is a change of every interval ever told."""
    runs = [result(n, Fraction(n * n % 47, 41) - Fraction(1, 3), f"s{n % 3 // 2}", f"t{n % 8}") for n in range(24)]
    made = summarize(runs, resampling=Resampling(resamples=300, seed=7)).everything
    found = {kind: each.interval for kind, each in made.statistics["mean_floored_score"].items()}
    assert found == {
        "over_task_runs": (0.0050772769274823465, 0.18801215396682658),
        "over_tasks": (-0.014641645329295239, 0.18181644207726272),
        "interquartile": (-0.06496614370331451, 0.20317752581713566),
    }


def test_steps_do_not_change_what_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = Sample(clustered(4, 10, scenarios=3))
    everything = ([sample.over_runs(score)], [sample.ranked(score)], Resampling(resamples=500))
    wanted = bootstrap_errors(sample.strata, *everything)
    monkeypatch.setattr("outscore.summary.bootstrap._CELLS_AT_ONCE", 1000)
    assert bootstrap_errors(sample.strata, *everything) == wanted


def test_another_seed_gives_other_draws() -> None:
    sample = Sample(clustered(4, 10))
    ratios = [sample.over_runs(score)]
    first, again, other = (
        bootstrap_errors(sample.strata, ratios, [], Resampling(resamples=200, seed=seed)) for seed in (1, 1, 2)
    )
    assert first == again != other


def test_processes_and_threads_do_not_change_a_byte(tmp_path: Path) -> None:
    scores = tmp_path / "scores.jsonl"
    command = [sys.executable, "-m", "outscore"]
    with scores.open("wb") as file:
        runs = ROOT / "rulesets" / "claims_intake.runs.jsonl"
        rules = ROOT / "rulesets" / "claims_intake.yaml"
        arguments = ["score", str(rules), str(runs), "--format", "jsonl"]
        subprocess.run([*command, *arguments], check=True, stdout=file, stderr=subprocess.DEVNULL)
    outputs = set()
    for threads, seed in (("1", "0"), ("2", "1")):
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": threads,
            "OPENBLAS_NUM_THREADS": threads,
            "PYTHONHASHSEED": seed,
        }
        done = subprocess.run(
            [*command, "summary", str(scores), "--format", "json"], check=True, capture_output=True, env=environment
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert json.loads(outputs.pop())["intervals"]["seed"] == 20260301
