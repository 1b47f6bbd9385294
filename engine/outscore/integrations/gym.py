"""A finished run -> a reward and its info, as gymnasium's environments return them; gymnasium itself is not needed.

    from outscore.integrations import gym

    reward, info = gym.reward(scorer, run)

The reward is the run's score, not floored. A run without a score is an exception, never a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from outscore.run import Run, Void
from outscore.scorer import Scorer

AnyRun = Mapping[str, Any] | bytes | str | Run
"""A run's record, its JSON text, or a Run that was read before."""


class VoidRunError(Exception):
    """A run that the machinery lost has no reward; the episode is to be left out, or made again."""

    def __init__(self, void: Void) -> None:
        self.void = void
        super().__init__(void)

    def __str__(self) -> str:
        return f"run {self.void.run!r} is void, and has no reward: {self.void.void}"


def reward(scorer: Scorer, run: AnyRun | Void) -> tuple[float, dict[str, Any]]:
    """The score as the nearest double, and the whole score as plain data: exact texts, verdict, incidents, account.

    Raises RunError for a run that cannot be scored, and VoidRunError for a void one.
    """
    outcome = run if isinstance(run, Void) else scorer.score(run)
    if isinstance(outcome, Void):
        raise VoidRunError(outcome)
    return outcome.score, outcome.to_record()


class OutcomeReward:
    """An environment whose reward is the business outcome: nothing until an episode ends, then its run's score.

    Wraps anything with gymnasium's `step`; all else is the environment's own. `run_from` takes the environment and the
    last step's info, and gives the episode's run. That step's info holds the score under `outscore`.
    """

    def __init__(self, env: Any, scorer: Scorer, run_from: Callable[[Any, dict[str, Any]], AnyRun | Void]) -> None:
        self.env = env
        self.scorer = scorer
        self._run_from = run_from

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take a step; raises what `reward` raises where the episode ends."""
        observation, _, terminated, truncated, info = self.env.step(action)
        if not (terminated or truncated):
            return observation, 0.0, terminated, truncated, info
        value, score = reward(self.scorer, self._run_from(self.env, info))
        return observation, value, terminated, truncated, {**info, "outscore": score}

    def __getattr__(self, name: str) -> Any:
        if name == "env":
            # Not there yet while unpickling.
            raise AttributeError(name)
        return getattr(self.env, name)
