"""The gymnasium-style helper: rewards are scores, and what has no score has no reward."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import outscore
import pytest
from outscore.integrations import gym

RULESETS = Path(__file__).parents[2] / "rulesets"
SCORER = outscore.load(RULESETS / "claims_intake.yaml")
RUNS = [json.loads(line) for line in (RULESETS / "claims_intake.runs.jsonl").read_text(encoding="utf-8").splitlines()]
SCORED = [run for run in RUNS if "void" not in run]
VOID = next(run for run in RUNS if "void" in run)


@pytest.mark.parametrize("run", SCORED, ids=lambda run: run["run"])
def test_the_reward_is_the_score(run: dict[str, Any]) -> None:
    score = SCORER.score(run)
    assert isinstance(score, outscore.Score)
    reward, info = gym.reward(SCORER, run)
    assert type(reward) is float
    assert reward == score.score
    assert Fraction(info["exact"]["score"]) == score.exact.score
    assert (info["resolved"], info["incidents"]) == (score.resolved, list(score.incidents))
    assert sum(Fraction(charge["exact"]) for charge in info["account"]) == score.exact.contact_cost
    assert json.dumps(info) == json.dumps(json.loads(score.to_json()))


def test_the_reward_is_not_floored() -> None:
    run = {**SCORED[0], "kpi": {"delivered": {"recovered": -20000, "refunds": 400, "missed_urgent": 0}}, "events": []}
    reward, info = gym.reward(SCORER, {**run, "incidents": []})
    assert reward < -1 == info["floored_score"]


def test_json_text_and_finished_ledgers_are_runs_too() -> None:
    assert gym.reward(SCORER, json.dumps(SCORED[0])) == gym.reward(SCORER, SCORED[0])
    ledger = outscore.open_ledger(SCORER, run="r-1")
    ledger.contact("sponsor", at="2026-03-02T10:00")
    run = ledger.close({"delivered": {"recovered": 5000, "refunds": 400, "missed_urgent": 0}})
    reward, info = gym.reward(SCORER, run)
    assert (reward, info["exact"]["score"]) == (0.95, "19/20")


def test_a_bad_run_raises() -> None:
    with pytest.raises(outscore.RunError) as caught:
        gym.reward(SCORER, {**SCORED[0], "events": [{"type": "wait", "hours": -1}]})
    assert caught.value.code == "bad-value"


def test_a_void_run_has_no_reward() -> None:
    void = SCORER.score(VOID)
    assert isinstance(void, outscore.Void)
    for run in (VOID, void):
        with pytest.raises(gym.VoidRunError, match="'r-0026' is void, and has no reward: grader timed out") as caught:
            gym.reward(SCORER, run)
        assert caught.value.void == void
    assert pickle.loads(pickle.dumps(caught.value)).void == void


class Desk:
    """An environment of three steps, which knows nothing of outscore."""

    metadata = {"render_modes": []}  # noqa: RUF012  (as environments have it)

    def __init__(self, is_cut_short: bool = False) -> None:
        self.is_cut_short = is_cut_short

    def reset(self, *, seed: int | None = None) -> tuple[int, dict[str, Any]]:
        self.steps = 0
        return 0, {"seed": seed}

    def step(self, action: str) -> tuple[int, float, bool, bool, dict[str, Any]]:
        self.steps += 1
        is_over = self.steps == 3
        return self.steps, 99.0, is_over and not self.is_cut_short, is_over and self.is_cut_short, {"did": action}


@pytest.mark.parametrize("is_cut_short", [False, True])
def test_an_environment_is_rewarded_when_its_episode_ends(is_cut_short: bool) -> None:
    seen: list[Any] = []

    def run_from(env: Any, info: dict[str, Any]) -> dict[str, Any]:
        seen.append((env.steps, info))
        return SCORED[1]

    env = gym.OutcomeReward(Desk(is_cut_short), SCORER, run_from)
    assert env.reset(seed=7) == (0, {"seed": 7})
    assert env.metadata == {"render_modes": []}
    assert [env.step("a"), env.step("b")] == [(n, 0.0, False, False, {"did": a}) for n, a in ((1, "a"), (2, "b"))]
    reward, info = gym.reward(SCORER, SCORED[1])
    assert env.step("c") == (3, reward, not is_cut_short, is_cut_short, {"did": "c", "outscore": info})
    assert seen == [(3, {"did": "c"})]


def test_the_end_of_an_episode_raises_what_has_no_reward() -> None:
    env = gym.OutcomeReward(Desk(), SCORER, lambda env, info: VOID)
    env.reset()
    env.step("a")
    env.step("b")
    with pytest.raises(gym.VoidRunError):
        env.step("c")


def test_an_environment_without_the_name_says_so() -> None:
    env = gym.OutcomeReward(Desk(), SCORER, lambda env, info: VOID)
    with pytest.raises(AttributeError, match="'Desk' object has no attribute 'nothing'"):
        _ = env.nothing
    with pytest.raises(AttributeError):
        _ = gym.OutcomeReward.__new__(gym.OutcomeReward).steps


def test_importing_costs_nothing() -> None:
    source = """
import sys
import outscore.integrations
assert not [name for name in sys.modules if name.startswith("outscore.") and name != "outscore.integrations"]
from outscore.integrations import gym
assert not {"gymnasium", "gym", "inspect_ai", "pydantic", "jsonschema", "simpleeval"} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
