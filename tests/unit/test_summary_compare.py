"""Two agents compared on the tasks that both were set."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import scipy.stats
from outscore.results import ResultsError
from outscore.summary.compare import NoSuchAgentError, compare
from outscore.summary.groups import ALL_EQUAL, NOTHING_SHARED, ONE_TASK
from outscore.summary.planned import read_plan
from outscore.summary.statistic import Resampling

from tests.scores import OTHER_DIGEST, failed, results, scored, void

MANY = Resampling(resamples=20_000)


def pair(task: str, a: Any, b: Any, **rest: Any) -> list[dict[str, Any]]:
    return [
        scored(f"{task}-a", a, agent="a", task=task, **rest),
        scored(f"{task}-b", b, agent="b", task=task, **rest),
    ]


def test_the_paired_difference_is_that_of_scipy(tmp_path: Path) -> None:
    randomly = random.Random(9)
    a = [randomly.randint(-50, 150) for _ in range(20)]
    b = [each - randomly.randint(-20, 40) for each in a]
    records = [
        each
        for n, (x, y) in enumerate(zip(a, b, strict=True))
        for each in pair(f"t{n:02}", Fraction(x, 100), Fraction(y, 100))
    ]
    made = compare(results(tmp_path, *records), "a", "b", resampling=MANY)
    wanted = scipy.stats.ttest_rel([max(x / 100, -1) for x in a], [max(y / 100, -1) for y in b])
    found = made.differences["mean_floored_score"]
    assert found.value is not None
    assert found.standard_error is not None
    assert float(found.value) / found.standard_error == pytest.approx(wanted.statistic, rel=1e-10)
    ends = wanted.confidence_interval(0.95)
    assert found.interval == pytest.approx((ends.low, ends.high), abs=0.03 * (ends.high - ends.low))
    # The uplift is compared as measured.
    uplift = made.differences["mean_uplift"].value
    assert uplift == Fraction(sum(a) - sum(b), 2000)


def test_wins_ties_losses_and_flips(tmp_path: Path) -> None:
    records = [
        *pair("won", 1, "1/2"),
        *pair("tied", "1/3", "1/3"),
        *pair("lost", 0, 1),
        # Repeats: one of two resolved against none.
        scored("p1", 1, agent="a", task="part"),
        scored("p2", 0, agent="a", task="part"),
        scored("p3", "7/10", agent="b", task="part"),
        scored("x", 1, agent="a", task="a_alone"),
        scored("y", 1, agent="b", task="b_alone"),
        void("z", agent="b", task="a_alone"),
        failed("f", agent="a"),
        scored("other", 1, agent="c", task="won"),
    ]
    made = compare(results(tmp_path, *records), "a", "b")
    assert (made.wins, made.ties, made.losses) == (1, 1, 2)
    assert made.flips() == {
        "only_a_resolves": 1,
        "only_b_resolves": 1,
        "a_more_often": 1,
        "b_more_often": 0,
        "same": 1,
    }
    record = made.to_record()
    assert record["tasks"] == {
        "compared": 4,
        "only_a": [{"scenario": "s", "task": "a_alone"}],
        "only_b": [{"scenario": "s", "task": "b_alone"}],
    }
    assert (record["counts"]["a"]["failed"], record["counts"]["b"]["void"]) == (1, 1)
    difference = record["difference"]["mean_floored_score"]
    assert (difference["exact"], difference["n"]) == (
        str((Fraction(1, 2) - 1 + Fraction(1, 2) - Fraction(7, 10)) / 4),
        4,
    )
    assert record["by_task"][1] == {
        "scenario": "s",
        "task": "part",
        "a": {"runs": 2, "resolved": 1, "mean_floored_score": 0.5},
        "b": {"runs": 1, "resolved": 0, "mean_floored_score": 0.7},
        "difference": -0.2,
        "exact": "-1/5",
    }


def test_turned_round_it_is_the_negative(tmp_path: Path) -> None:
    found = results(tmp_path, *(each for n in range(6) for each in pair(f"t{n}", Fraction(n, 7), Fraction(n * n, 30))))
    one, other = compare(found, "a", "b", resampling=MANY), compare(found, "b", "a", resampling=MANY)
    for name, each in one.differences.items():
        turned = other.differences[name]
        assert each.value == -(turned.value or 0)
        if each.interval is not None and turned.interval is not None:
            assert each.interval == pytest.approx((-turned.interval[1], -turned.interval[0]), rel=1e-12)


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([*pair("t", 1, 0)], ONE_TASK),
        ([*pair("t", 1, 0), *pair("u", 1, 0)], ALL_EQUAL),
    ],
)
def test_no_interval_without_spread(tmp_path: Path, records: list[dict[str, Any]], reason: str) -> None:
    found = compare(results(tmp_path, *records), "a", "b", resampling=MANY).differences["mean_floored_score"]
    assert (found.value, found.interval, found.reason) == (1, None, reason)


def test_nothing_in_common_is_null(tmp_path: Path) -> None:
    found = results(tmp_path, scored("x", task="p", agent="a"), scored("y", task="q", agent="b"))
    made = compare(found, "a", "b", resampling=MANY)
    difference = made.to_record()["difference"]["mean_floored_score"]
    assert (difference["value"], difference["n"], difference["reason"]) == (None, 0, NOTHING_SHARED)


def test_missing_runs_are_told_for_each(tmp_path: Path) -> None:
    path = tmp_path / "plan.csv"
    path.write_text("run,agent\nt-a,a\nt-b,b\nu-b,b\n")
    made = compare(results(tmp_path, *pair("t", 1, 0)), "a", "b", plan=read_plan(str(path)))
    assert [(made.counts[side].planned, made.counts[side].missing) for side in "ab"] == [(1, 0), (2, 1)]


def test_refusals(tmp_path: Path) -> None:
    found = results(tmp_path, *pair("t", 1, 0))
    with pytest.raises(NoSuchAgentError, match=r"no run is of agent 'bb'; did you mean 'b'\?"):
        compare(found, "a", "bb")
    mixed = results(tmp_path, scored("x", agent="a"), scored("y", agent="b", ruleset=OTHER_DIGEST))
    with pytest.raises(ResultsError, match="different sets of rules"):
        compare(mixed, "a", "b")
    assert compare(mixed, "a", "b", allow_mixed=True).to_record()["mixed"] == ["s"]


def test_order_changes_nothing(tmp_path: Path) -> None:
    records = [
        each for n in range(9) for each in pair(f"t{n}", Fraction(n, 7), Fraction(n * n, 31), scenario=f"s{n % 2}")
    ]
    wanted = json.dumps(compare(results(tmp_path, *records), "a", "b", resampling=MANY).to_record())
    random.Random(2).shuffle(records)
    again = compare(results(tmp_path, *records, name="b.jsonl"), "a", "b", resampling=MANY)
    assert json.dumps(again.to_record()) == wanted
    assert not math.isnan(again.to_record()["difference"]["mean_uplift"]["value"])
