"""Summaries told honestly: counts beside each other, bounds, reasons, refusals."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from outscore.results import Result, ResultsError
from outscore.summary.groups import (
    ALL_EQUAL,
    NOT_ASKED,
    NOTHING_SCORED,
    ONE_RUN,
    ONE_TASK,
    STILL,
    GroupSummary,
    summarize,
)
from outscore.summary.planned import PlannedRun, read_plan
from outscore.summary.reasons import reason_lines
from outscore.summary.statistic import Resampling, Statistic

from tests.scores import DIGEST, OTHER_DIGEST, failed, results, scored, void

FEW = Resampling(resamples=200)


def everything(found: list[Result], **rest: Any) -> GroupSummary:
    return summarize(found, **rest).everything


def score_over_runs(group: GroupSummary) -> Statistic:
    return group.statistics["mean_floored_score"]["over_task_runs"]


def test_one_resolved_and_nine_void_of_ten_planned(tmp_path: Path) -> None:
    found = results(tmp_path, scored("r0"), *(void(f"r{number}") for number in range(1, 10)))
    group = everything(found, planned=10, resampling=FEW)
    assert group.counts.to_record() == {
        "planned": 10,
        "scored": 1,
        "void": 9,
        "failed": 0,
        "missing": 0,
        "total": 10,
    }
    rate = group.statistics["resolved_rate"]["over_task_runs"].to_record()
    assert (rate["value"], rate["n"], rate["worst"], rate["best"]) == (1.0, 1, 0.1, 1.0)
    assert (rate["interval"], rate["reason"]) == (None, ONE_RUN)
    # Neither uplift nor cost has a limit, so a mean has no bounds.
    assert "worst" not in score_over_runs(group).to_record()


def test_missing_and_failed_runs_widen_the_bounds(tmp_path: Path) -> None:
    found = results(tmp_path, scored("x"), scored("y", "1/2"), void("v"), failed("f"))
    group = everything(found, planned=8)
    assert (group.counts.total, group.counts.missing) == (8, 4)
    rate = group.statistics["resolved_rate"]["over_task_runs"]
    assert (rate.value, rate.worst, rate.best) == (Fraction(1, 2), Fraction(1, 8), Fraction(7, 8))
    incidents = group.statistics["incident_rate"]["over_task_runs"]
    assert (incidents.value, incidents.worst, incidents.best) == (0, Fraction(6, 8), 0)  # the more, the worse


def test_without_anything_unscored_there_are_no_bounds(tmp_path: Path) -> None:
    rate = everything(results(tmp_path, scored("x"))).statistics["resolved_rate"]["over_task_runs"]
    assert (rate.worst, rate.best) == (None, None)
    assert "worst" not in rate.to_record()


@pytest.mark.parametrize("fate", [void, failed])
def test_nothing_scored_is_null_with_a_reason(tmp_path: Path, fate: Any) -> None:
    group = everything(results(tmp_path, fate("x"), fate("y")), resampling=FEW)
    record = group.to_record()
    for name in ("mean_floored_score", "mean_uplift", "mean_contact_cost", "resolved_rate", "incident_rate"):
        for each in record[name].values():
            assert (each["value"], each["exact"], each["n"], each["reason"]) == (None, None, 0, NOTHING_SCORED)
            assert (each["standard_error"], each["interval"]) == (None, None)
    assert (record["resolved_rate"]["over_task_runs"]["worst"], record["resolved_rate"]["over_task_runs"]["best"]) == (
        0.0,
        1.0,
    )
    assert record["pass_hat"] == []
    assert record["verdict"]["repeats"]["flip_rate"]["value"] is None
    assert "NaN" not in json.dumps(record)


def test_one_run_has_a_mean_and_no_interval(tmp_path: Path) -> None:
    mean = score_over_runs(everything(results(tmp_path, scored("x", "9/10")), resampling=FEW))
    assert (mean.value, mean.n, mean.interval, mean.standard_error, mean.reason) == (
        Fraction(9, 10),
        1,
        None,
        None,
        ONE_RUN,
    )


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([scored("x", 1), scored("y", 0)], ONE_TASK),
        ([scored("x", 1, task="p"), scored("y", 1, task="q")], ALL_EQUAL),
        # A third has no end in binary; it must be seen to be equal all the same.
        ([scored(f"r{n}", "1/3", task=f"t{n % 4}") for n in range(7)], ALL_EQUAL),
        ([scored(f"r{n}", n % 2, scenario=f"s{n % 2}", task=f"t{n}") for n in range(8)], STILL),
    ],
)
def test_where_resampling_shows_nothing_it_says_so(tmp_path: Path, records: list[dict[str, Any]], reason: str) -> None:
    group = everything(results(tmp_path, *records), resampling=FEW)
    for each in group.statistics["mean_floored_score"].values():
        assert (each.interval, each.reason) == (None, reason)


def test_no_interval_where_none_is_asked_for(tmp_path: Path) -> None:
    mean = score_over_runs(everything(results(tmp_path, scored("x", 1, task="p"), scored("y", 0, task="q"))))
    assert (mean.value, mean.standard_error, mean.interval, mean.reason) == (Fraction(1, 2), 0.5, None, NOT_ASKED)


def test_the_floor_moves_the_mean_and_no_verdict(tmp_path: Path) -> None:
    deep, good = results(tmp_path, scored("deep", -5, "1/10"), scored("good", 1))
    assert deep.figures is not None
    assert deep.figures.score == Fraction(-51, 10)
    group = everything([deep, good])
    assert score_over_runs(group).value == (Fraction(-11, 10) + 1) / 2
    assert group.statistics["mean_uplift"]["over_task_runs"].value == -2
    assert group.statistics["resolved_rate"]["over_task_runs"].value == Fraction(1, 2)
    assert group.verdicts.closest_unresolved is not None
    assert group.verdicts.closest_unresolved.distance == Fraction(-59, 10)


def test_repeats_are_averaged_first_where_tasks_are_averaged(tmp_path: Path) -> None:
    found = results(tmp_path, *(scored(f"p{n}", 0, task="p") for n in range(3)), scored("q0", 1, task="q"))
    kinds = everything(found).statistics["mean_floored_score"]
    assert (kinds["over_task_runs"].value, kinds["over_task_runs"].n) == (Fraction(1, 4), 4)
    assert (kinds["over_tasks"].value, kinds["over_tasks"].n) == (Fraction(1, 2), 2)


def test_one_name_in_two_scenarios_is_two_tasks(tmp_path: Path) -> None:
    found = results(
        tmp_path, scored("x", 0, scenario="s1"), scored("y", 1, scenario="s2"), scored("z", 1, scenario="s2")
    )
    group = everything(found)
    assert group.tasks == 2
    assert group.statistics["mean_floored_score"]["over_tasks"].value == Fraction(1, 2)


def test_repeats_are_of_one_agent(tmp_path: Path) -> None:
    found = results(tmp_path, scored("x", 1, agent="a"), scored("y", 0, agent="b"))
    group = everything(found)
    assert group.tasks == 1
    assert group.verdicts.tasks_repeated == 0
    assert group.statistics["mean_floored_score"]["over_tasks"].n == 2


def test_groups_by_each_dimension(tmp_path: Path) -> None:
    found = results(
        tmp_path,
        scored("w", agent="b", scenario="s1", task="t"),
        scored("x", agent="a", scenario="s2", task="t"),
        scored("y", agent=None, scenario="s2", task="u"),
        void("z", agent="a", scenario="s1", task="t"),
    )
    by = summarize(found, ("agent",))
    assert [each.key for each in by.groups] == [{"agent": "a"}, {"agent": "b"}, {"agent": None}]
    assert [each.counts.total for each in by.groups] == [2, 1, 1]
    assert [list(each.key.values()) for each in summarize(found, ("agent", "scenario")).groups] == [
        ["a", "s1"],
        ["a", "s2"],
        ["b", "s1"],
        [None, "s2"],
    ]
    # A task is told with its scenario: the same name elsewhere is another task.
    assert [each.key for each in summarize(found, ("task",)).groups] == [
        {"scenario": "s1", "task": "t"},
        {"scenario": "s2", "task": "t"},
        {"scenario": "s2", "task": "u"},
    ]


def test_pass_hat_and_flips_against_counting_every_draw(tmp_path: Path) -> None:
    randomly = random.Random(6)
    verdicts = {f"t{n}": [randomly.random() < 0.6 for _ in range(randomly.randint(3, 6))] for n in range(8)}
    found = results(
        tmp_path,
        *(
            scored(f"{task}-{n}", int(is_resolved), task=task)
            for task, of in verdicts.items()
            for n, is_resolved in enumerate(of)
        ),
    )
    group = everything(found)
    # Every task counts for every k, so k ends at the fewest repeats.
    assert len(group.pass_hat) == min(map(len, verdicts.values())) == group.fewest_repeats
    for k, each in enumerate(group.pass_hat, 1):
        draws = {task: list(combinations(of, k)) for task, of in verdicts.items()}
        wanted = [Fraction(sum(map(all, every)), len(every)) for every in draws.values()]
        assert each.value == sum(wanted) / len(wanted)
    pairs = {task: list(combinations(of, 2)) for task, of in verdicts.items()}
    flips = [Fraction(sum(one != other for one, other in every), len(every)) for every in pairs.values()]
    assert group.verdicts.flip_rate.value == sum(flips) / len(flips)
    assert group.verdicts.tasks_repeated == 8
    assert group.verdicts.tasks_mixed == sum(flip > 0 for flip in flips)


def test_pass_hat_leaves_out_what_was_not_scored(tmp_path: Path) -> None:
    found = results(tmp_path, scored("x"), scored("y"), void("z"))
    assert [each.value for each in everything(found).pass_hat] == [1, 1]


def test_the_distance_to_the_mark_is_exact(tmp_path: Path) -> None:
    found = results(
        tmp_path,
        scored("at", "4/5"),
        scored("over", "9/10"),
        scored("under", Fraction(4, 5) - Fraction(1, 10**12)),
        scored("incident", "9/10", incidents=("outage",)),
    )
    verdicts = everything(found).verdicts.to_record()
    assert verdicts["closest_resolved"] == {"run": "at", "distance": 0.0, "exact": "0"}
    assert verdicts["closest_unresolved"] == {"run": "under", "distance": -1e-12, "exact": "-1/1000000000000"}
    assert verdicts["resolved_at"] == "4/5"


def test_an_exact_text_that_nobody_would_read_is_left_out(tmp_path: Path) -> None:
    primes = [n for n in range(1000, 1300) if all(n % d for d in range(2, n))]
    found = results(tmp_path, *(scored(f"r{p}", Fraction(1, p)) for p in primes))
    mean = score_over_runs(everything(found)).to_record()
    assert mean["exact"] is None
    assert mean["value"] == float(sum(Fraction(1, p) for p in primes) / len(primes))


def test_means_of_very_many_fractions_are_the_nearest_doubles(tmp_path: Path) -> None:
    """Past some thousand bits a mean is kept to those; the double that is told must not change by it."""
    randomly = random.Random(1)
    values = [Fraction(randomly.randint(-(10**9), 10**9), randomly.randint(10**8, 10**9)) for _ in range(400)]
    found = results(tmp_path, *(scored(f"r{n}", value) for n, value in enumerate(values)))
    wanted = sum(max(value, Fraction(-1)) for value in values) / len(values)
    assert score_over_runs(everything(found)).to_record()["value"] == float(wanted)


# Refusals


def refused(found: list[Result], **rest: Any) -> ResultsError:
    with pytest.raises(ResultsError) as caught:
        summarize(found, **rest)
    return caught.value


def test_two_rulesets_of_one_scenario_are_not_mixed(tmp_path: Path) -> None:
    found = results(tmp_path, scored("x"), scored("y", ruleset=OTHER_DIGEST))
    (one,) = refused(found).diagnostics
    assert "sha256:111111111111... (1 run" in one.message
    assert "sha256:222222222222... (1 run" in one.message
    assert "scores.jsonl:1" in one.message
    assert "scores.jsonl:2" in one.message
    made = summarize(found, allow_mixed=True)
    assert made.mixed == ("s",)
    assert made.to_record()["mixed"] == ["s"]


def test_digests_that_begin_alike_are_told_whole(tmp_path: Path) -> None:
    near = "sha256:" + "1" * 63 + "2"
    (one,) = refused(results(tmp_path, scored("x"), scored("y", ruleset=near))).diagnostics
    assert f"{DIGEST} (1 run" in one.message
    assert f"{near} (1 run" in one.message


def test_two_scenarios_have_two_rulesets(tmp_path: Path) -> None:
    found = results(tmp_path, scored("x"), scored("y", scenario="other", ruleset=OTHER_DIGEST))
    assert summarize(found).mixed == ()


def test_versions_of_the_engine_are_told(tmp_path: Path) -> None:
    made = summarize(results(tmp_path, scored("x"), scored("y", engine="0.2.0")))
    assert made.to_record()["scored_by"] == ["0.1.0", "0.2.0"]


def test_the_same_run_twice(tmp_path: Path) -> None:
    found = results(tmp_path, scored("x"), scored("x"))
    (one,) = refused(found).diagnostics
    assert one.span is not None
    assert one.span.line == 2
    assert "run 'x' is here a second time" in one.message
    assert "scores.jsonl:1" in one.message


def test_two_results_of_one_run_name_both_places_and_the_difference(tmp_path: Path) -> None:
    first = results(tmp_path, scored("w"), scored("x"), name="a.jsonl")
    second = results(tmp_path, scored("x", "3/4"), name="b.jsonl")
    (one,) = refused([*second, *first]).diagnostics
    assert one.span is not None
    assert (Path(one.span.file).name, one.span.line) == ("b.jsonl", 1)
    assert "a.jsonl:2: uplift 1 there, 3/4 here" in one.message


def messages(tmp_path: Path, found: list[Result], **rest: Any) -> list[str]:
    return [each.message.replace(f"{tmp_path}/", "") for each in refused(found, **rest).diagnostics]


def test_one_cause_is_told_once_with_its_first_places(tmp_path: Path) -> None:
    records = [scored(f"r{n}") for n in range(60)]
    once = results(tmp_path, *records)
    assert messages(tmp_path, [*once, *once]) == [
        "60 results of scores.jsonl are here twice, because the file was given twice: run 'r0' (line 1), "
        "run 'r1' (line 2), run 'r2' (line 3) and 57 more"
    ]
    assert messages(tmp_path, results(tmp_path, *records, *records)) == [
        "60 results of scores.jsonl are in it a second time: run 'r0' (lines 1 and 61), run 'r1' (lines 2 and 62), "
        "run 'r2' (lines 3 and 63) and 57 more"
    ]
    copy = results(tmp_path, *records[:2], name="t.jsonl")
    assert messages(tmp_path, [*copy, *once]) == [
        "2 results of t.jsonl are the same as in scores.jsonl: run 'r0' (scores.jsonl:1 and t.jsonl:1), "
        "run 'r1' (scores.jsonl:2 and t.jsonl:2)"
    ]


def test_old_and_rescored_results_together_are_told_in_two(tmp_path: Path) -> None:
    old = results(tmp_path, *(scored(f"r{n}", n) for n in range(30)))
    new = results(tmp_path, *(scored(f"r{n}", n + 1, ruleset=OTHER_DIGEST) for n in range(30)), name="t.jsonl")
    mixed, twice = sorted(messages(tmp_path, [*old, *new]), reverse=True)
    assert mixed.startswith("scenario 's' was scored by 2 different sets of rules: sha256:111111111111... (30 runs")
    assert twice == (
        "30 runs of t.jsonl have another result in scores.jsonl, with another ruleset (sha256:111111111111... there, "
        "sha256:222222222222... here): run 'r0' (scores.jsonl:1 and t.jsonl:1), run 'r1' (scores.jsonl:2 and "
        "t.jsonl:2), run 'r2' (scores.jsonl:3 and t.jsonl:3) and 27 more"
    )


def test_differences_of_one_figure_are_told_once(tmp_path: Path) -> None:
    found = results(tmp_path, *(scored(f"r{n}", n) for n in range(2)), *(scored(f"r{n}", n + 1) for n in range(2)))
    assert messages(tmp_path, found) == [
        "2 runs of scores.jsonl have another result in it, with another uplift: run 'r0' (lines 1 and 3: 0 there, "
        "1 here), run 'r1' (lines 2 and 4: 1 there, 2 here)"
    ]


def test_more_runs_than_planned(tmp_path: Path) -> None:
    assert "2 runs, and 1 were planned" in str(refused(results(tmp_path, scored("x"), scored("y")), planned=1))


# Reasons


def test_reasons_are_said_once_with_the_figures_they_are_of() -> None:
    fine, equal = Statistic(Fraction(1), 2), Statistic(Fraction(1), 2, reason="equal")
    nothing = Statistic(None, 0, reason=NOTHING_SCORED)
    told = [
        *(("a", "one", equal), ("a", "two", fine), ("a", "three", equal), ("b", "one", nothing), ("b", "two", nothing)),
        *(("c", "one", fine), ("c", "two", equal), ("d", "two", equal), ("d", "one", fine), ("", "one", equal)),
    ]
    assert reason_lines(told) == [
        "No interval for the one and the three of a: equal.",
        "No interval for the two of c, d: equal.",
        "No interval: equal.",
        "No value for b: no run was scored.",
    ]


# Plans


def plan_of(tmp_path: Path, text: str, name: str) -> dict[str, PlannedRun]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_plan(str(path))


def test_a_plan_says_whose_runs_are_missing(tmp_path: Path) -> None:
    rows = "\n".join(f"{agent}{n},s,t,{agent}" for agent in "ab" for n in range(3))
    plan = plan_of(tmp_path, f"run,scenario,task,agent\n{rows}\n", "plan.csv")
    found = results(tmp_path, scored("a0"), scored("a1"), void("a2"), scored("b0", agent="b"))
    made = summarize(found, plan=plan)
    assert [(each.counts.planned, each.counts.missing) for each in made.groups] == [(3, 0), (3, 2)]
    assert (made.everything.counts.planned, made.everything.counts.missing) == (6, 2)
    rate = made.groups[1].statistics["resolved_rate"]["over_task_runs"]
    assert (rate.worst, rate.best) == (Fraction(1, 3), 1)


def test_an_agent_of_whom_nothing_was_found_is_told(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, '{"run": "x", "agent": "a"}\n\n{"run": "y", "agent": "lost", "extra": 1}\n', "plan.jsonl")
    made = summarize(results(tmp_path, scored("x")), plan=plan)
    assert made.groups[1].key == {"agent": "lost"}
    assert made.groups[1].counts.to_record() == {
        "planned": 1,
        "scored": 0,
        "void": 0,
        "failed": 0,
        "missing": 1,
        "total": 1,
    }


def test_a_failed_run_without_an_id_is_not_counted_twice(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "run,agent\nx,a\ny,a\nz,a\n", "plan.csv")
    counts = everything(results(tmp_path, scored("x"), failed(None)), plan=plan).counts
    assert (counts.planned, counts.failed, counts.missing, counts.unidentified, counts.total) == (3, 1, 1, 1, 3)


def test_what_nobody_planned_is_refused(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "run,agent\nx,b\n", "plan.csv")
    message = str(refused(results(tmp_path, scored("x"), scored("y")), plan=plan))
    assert "run 'x' is of agent 'a', and planned as 'b' at" in message
    assert "plan.csv:2" in message
    assert "run 'y' is not in the plan" in message


def test_the_plan_of_something_else_is_told_once(tmp_path: Path) -> None:
    found = results(tmp_path, *(scored(f"r{n}") for n in range(60)))
    plan = plan_of(tmp_path, "run,agent\nx,b\n", "plan.csv")
    assert messages(tmp_path, found, plan=plan) == [
        "60 runs of scores.jsonl are not in the plan: 'r0' (line 1), 'r1' (line 2), 'r2' (line 3) and 57 more"
    ]
    plan = plan_of(tmp_path, "run,agent\n" + "".join(f"r{n},b\n" for n in range(60)), "plan.csv")
    (one,) = messages(tmp_path, found[:2], plan=plan)
    assert one == (
        "2 runs of scores.jsonl are planned with another agent in plan.csv: 'r0' (line 1: 'a', planned as 'b' in "
        "line 2), 'r1' (line 2: 'a', planned as 'b' in line 3)"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no column 'run'"),
        ("rnu,agent\nx,a\n", "no column 'run'"),
        ("run,agent\n", "names no run"),
        ("run,agnet\nx,a\n", "'agnet' is not a key of a plan"),
        ("run\nx\nx\n", "run 'x' is planned twice, first in line 2"),
        ("run\nx\nx\ny\ny\n", "2 runs are planned a second time: 'x' (lines 2 and 3), 'y' (lines 4 and 5)"),
        ("run,agnet\nx,a\ny,a\n", "2 rows have 'agnet', which is not a key of a plan: line 2, line 3"),
        ('{"run": "x"\n', "not JSON"),
        ('{"run": 7}\n', "'run' is 7; wanted text"),
        ('{"agent": "a"}\n', "the key 'run' is missing"),
    ],
)
def test_bad_plans(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ResultsError) as caught:
        plan_of(tmp_path, text, "plan")
    assert says in str(caught.value)


def test_a_file_of_runs_is_a_plan() -> None:
    runs = Path(__file__).parents[2] / "rulesets" / "claims_intake.runs.jsonl"
    assert read_plan(str(runs))["r-0017"].agent == "model-a"


# Order


def test_order_changes_nothing(tmp_path: Path) -> None:
    randomly = random.Random(3)
    records = [
        scored(
            f"r{n}",
            Fraction(randomly.randint(-30, 30), randomly.randint(7, 23)),
            Fraction(n, 700),
            agent=f"a{n % 3}",
            scenario=f"s{n % 2}",
            task=f"t{n % 7}",
        )
        for n in range(60)
    ]
    wanted = json.dumps(summarize(results(tmp_path, *records), resampling=FEW).to_record())
    for turn in range(3):
        randomly.shuffle(records)
        first = results(tmp_path, *records[:20], name=f"{turn}-1.jsonl")
        second = results(tmp_path, *records[20:], name=f"{turn}-0.jsonl")
        assert json.dumps(summarize([*second, *first], resampling=FEW).to_record()) == wanted


# Group averages of another harness, in both of its conventions.

GROUPS = Path(__file__).parents[1] / "integrations" / "data" / "fde_gym_groups.jsonl"


@pytest.mark.parametrize("group", [json.loads(line) for line in GROUPS.read_text().splitlines()], ids=lambda g: g["id"])
def test_group_averages_in_both_conventions(tmp_path: Path, group: dict[str, Any]) -> None:
    """Mean over task-runs, and repeats of a problem averaged first; to 1e-12."""
    skipped = {run["name"] for run in group["skipped_by_table"]}
    records = []
    for run in group["runs"]:
        if run["name"] in skipped:
            continue
        # As written: that harness has rounded, floored scores keep the full contact cost.
        uplift, net = Fraction(str(run["uplift"])), Fraction(str(run.get("uplift_net", run["uplift"])))
        agent = f"{run['agent']['slug'] if 'agent' in run else run['slug']}/{run['level']}"
        task = f"{run['engagement']}/{run.get('variant', 'base')}"
        scenario = run["engagement"]
        records.append(scored(f"{len(records)}", uplift, uplift - net, agent=agent, scenario=scenario, task=task))
    made = {each.key["agent"]: each for each in summarize(results(tmp_path, *records)).groups}
    assert len(made) == len(group["expected"])
    for wanted in group["expected"]:
        found = made[f"{wanted['slug']}/{wanted['level']}"]
        assert (found.counts.scored, found.tasks) == (wanted["runs"], wanted["problems"])
        kinds = found.statistics["mean_floored_score"]
        for kind, mean in (("over_task_runs", wanted["task_run_mean_net"]), ("over_tasks", wanted["net"])):
            value = kinds[kind].value
            assert value is not None
            assert abs(float(value) - mean) < 1e-12
