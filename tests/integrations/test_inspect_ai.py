"""The Inspect AI integration against the real library: evaluated with its mock model, logged, and scored again.

Only here is Inspect needed, so it is imported where it is used; `make test-all` installs it.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import outscore
import pytest

ROOT = Path(__file__).parents[2]
RULESET = ROOT / "rulesets" / "claims_intake.yaml"
SCORER = outscore.load(RULESET)
RUNS = [json.loads(line) for line in RULESET.with_suffix(".runs.jsonl").read_text(encoding="utf-8").splitlines()]
SCORED = [run for run in RUNS if "void" not in run]
VOID = next(run for run in RUNS if "void" in run)
BAD = {**RUNS[0], "run": "r-bad", "events": [{"type": "wait", "hours": -1}]}

needs_inspect = pytest.mark.needs_programs


def evaluate(runs: Iterable[Any], scorer: Any, folder: Path, *, where: str = "store", **options: Any) -> Any:
    """Evaluate one sample a run, and read the log back from its file."""
    import inspect_ai
    from inspect_ai.dataset import Sample
    from inspect_ai.log import read_eval_log
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.solver import solver

    def answer(*_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mockllm", "done")
        # Else the mock model counts tokens, and fetches a vocabulary to do so.
        output.usage = ModelUsage()
        return output

    runs = list(runs)

    @solver
    def work() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            state = await generate(state)
            run = runs[int(state.sample_id)]
            if run is not None and where == "store":
                state.store.set("outscore_run", run)
            elif run is not None:
                state.metadata[where] = run
            return state

        return solve

    samples = [Sample(id=str(number), input="go") for number in range(len(runs))]
    task = inspect_ai.Task(dataset=samples, solver=work(), scorer=scorer)
    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = inspect_ai.eval(task, model=model, log_dir=str(folder), display="none", **options)
    return read_eval_log(log.location)


def scores_of(log: Any) -> list[Any]:
    """In the order of the runs; a log orders its samples by the text of their ids."""
    samples = sorted(log.samples, key=lambda sample: (sample.epoch, int(sample.id)))
    return [sample.scores["business_outcome"] for sample in samples]


def metrics_of(log: Any) -> dict[str, float]:
    (score,) = log.results.scores
    return {name: metric.value for name, metric in score.metrics.items()}


def naive_metrics(runs: list[dict[str, Any]]) -> dict[str, float]:
    """The mean and its cluster-robust error by the textbook, in floats but for the mean."""
    found: dict[str, float] = {}
    scores = [score for score in map(SCORER.score, runs) if isinstance(score, outscore.Score)]
    for names, of in (
        (("floored_mean", "floored_stderr"), lambda score: score.exact.floored_score),
        (("resolved_rate", "resolved_stderr"), lambda score: Fraction(score.resolved)),
    ):
        values = [of(score) for score in scores]
        mean = sum(values, Fraction(0)) / len(values)
        by_task: dict[str, float] = defaultdict(float)
        for score, value in zip(scores, values, strict=True):
            by_task[score.task] += float(value - mean)
        clusters = len(by_task)
        squares = sum(each * each for each in by_task.values())
        found |= {
            names[0]: float(mean),
            names[1]: math.sqrt(squares * clusters / (clusters - 1)) / len(values),
        }
    return found


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """All sample runs, a bad one, and a sample without a run."""
    from outscore.integrations.inspect_ai import business_outcome

    return evaluate([*RUNS, BAD, None], business_outcome(RULESET), tmp_path_factory.mktemp("log"))


@needs_inspect
def test_each_scored_sample_carries_the_whole_score(log: Any) -> None:
    assert log.status == "success"
    assert len(SCORED) > 5
    for run, score in zip(RUNS, scores_of(log), strict=False):
        wanted = SCORER.score(run)
        if isinstance(wanted, outscore.Void):
            continue
        assert score.value == wanted.score
        assert score.answer == ("resolved" if wanted.resolved else "not resolved")
        assert score.reason is None
        assert json.dumps(score.metadata) == json.dumps(wanted.to_record())
        assert score.metadata["ruleset"] == SCORER.digest


@needs_inspect
def test_the_explanation_is_the_bill(log: Any) -> None:
    command = [sys.executable, "-m", "outscore", "explain", str(RULESET), str(RULESET.with_suffix(".runs.jsonl"))]
    done = subprocess.run([*command, "--run", RUNS[0]["run"], "--format", "md"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # Inspect's viewer shows a tag as it is written, so there are no line breaks within a cell or a paragraph.
    wanted = re.sub(r"<br> *", "; ", done.stdout.replace("<br>\n", "\n\n"))
    assert scores_of(log)[0].explanation.rstrip() == wanted.rstrip()
    assert not [score for score in scores_of(log) if "<" in re.sub("`[^`]*`", "", score.explanation)]


@needs_inspect
def test_what_has_no_score_is_unscored_and_counted(log: Any) -> None:
    scores = dict(zip([run["run"] for run in RUNS] + ["r-bad", "none"], scores_of(log), strict=True))
    void, bad, none = scores[VOID["run"]], scores["r-bad"], scores["none"]
    # NaN is Inspect's own mark of an unscored sample, which it keeps out of every metric.
    assert all(math.isnan(score.value) and score.answer is None for score in (void, bad, none))
    assert (void.reason, void.metadata) == ("void", VOID | {"task": VOID.get("task", VOID["scenario"])})
    assert "grader timed out" in void.explanation
    assert (bad.reason, bad.metadata["run"]) == ("scoring_failed", "r-bad")
    error = bad.metadata["error"]
    assert (error["code"], error["path"]) == ("bad-value", "$.events[0].hours")
    assert "a wait of -1 hours" in bad.explanation
    assert none.metadata["error"]["code"] == "missing-key"
    assert "outscore\\_run" in none.explanation
    (summed,) = log.results.scores
    assert (summed.scored_samples, summed.unscored_samples) == (len(SCORED), len(RUNS) - len(SCORED) + 2)
    assert summed.scored_samples + summed.unscored_samples == log.results.total_samples


@needs_inspect
def test_the_metrics_are_those_of_the_summary(log: Any) -> None:
    found = metrics_of(log)
    assert found == pytest.approx(naive_metrics(SCORED), rel=1e-12)
    summary = outscore.aggregate(SCORER.score(run) for run in SCORED).all
    assert summary.mean_floored_score is not None
    assert found["floored_mean"] == summary.mean_floored_score.numerator / summary.mean_floored_score.denominator
    assert found["resolved_rate"] == summary.resolved / summary.scored


@needs_inspect
def test_scored_again_from_the_log_all_is_the_same(log: Any) -> None:
    import inspect_ai
    from outscore.integrations.inspect_ai import business_outcome

    again = inspect_ai.score(log, business_outcome(RULESET), action="overwrite", display="none")
    # As JSON, since a NaN equals nothing.
    assert [score.model_dump_json() for score in scores_of(again)] == [
        score.model_dump_json() for score in scores_of(log)
    ]
    assert again.results.scores == log.results.scores


@needs_inspect
def test_another_ruleset_gives_other_scores_from_the_same_log(log: Any) -> None:
    import inspect_ai
    from outscore.integrations.inspect_ai import business_outcome

    text = RULESET.read_text(encoding="utf-8").replace("price: 0.05", "price: 0.5", 1)
    again = inspect_ai.score(log, business_outcome(text), action="overwrite", display="none")
    records = {score.metadata["run"]: score.metadata for score in scores_of(again) if score.reason is None}
    scorer = outscore.loads(text)
    assert scorer.digest != SCORER.digest
    assert records == {run["run"]: scorer.score(run).to_record() for run in SCORED}  # type: ignore[union-attr]
    assert metrics_of(again) != metrics_of(log)


@needs_inspect
@pytest.mark.parametrize("form", ["eval", "json"])
def test_epochs_are_runs_of_their_own(form: Any, tmp_path: Path) -> None:
    from outscore.integrations.inspect_ai import business_outcome

    found = evaluate([*SCORED, VOID], business_outcome(RULESET), tmp_path, epochs=3, log_format=form)
    assert metrics_of(found) == pytest.approx(naive_metrics(SCORED * 3), rel=1e-12)
    (summed,) = found.results.scores
    assert (summed.scored_samples, summed.unscored_samples) == (3 * len(SCORED), 3)


@needs_inspect
def test_a_ruleset_is_a_path_its_text_or_a_scorer(log: Any, tmp_path: Path) -> None:
    import inspect_ai
    from outscore.integrations.inspect_ai import business_outcome

    records = [score.metadata for score in scores_of(log)]
    for ruleset in (str(RULESET), RULESET.read_text(encoding="utf-8"), SCORER):
        again = inspect_ai.score(log, business_outcome(ruleset), action="overwrite", display="none")
        assert [score.metadata for score in scores_of(again)] == records
    explained = scores_of(again)[0].explanation
    for charge in records[0]["account"]:
        for step in charge.get("steps", ()):
            assert step["rule"] in explained
    assert "not resolved: outage" in explained
    # What a log holds of a Scorer is its digest, and that says which rules to bring.
    (named,) = again.eval.scorers
    assert named.options == {"ruleset": SCORER.digest}


@needs_inspect
def test_the_run_may_be_text_in_the_metadata_or_anywhere(tmp_path: Path) -> None:
    import inspect_ai
    from outscore.integrations.inspect_ai import business_outcome

    ledger = outscore.open_ledger(SCORER, run="r-1", agent="stub")
    ledger.contact("sponsor", at="2026-03-02T10:00")
    ledger.wait(Decimal("30.000000000000000000000000000000000001"))
    ledger.close({"delivered": {"recovered": 4460, "refunds": 400, "missed_urgent": 0}})
    text = ledger.to_json().decode()
    wanted = SCORER.score(text)
    assert isinstance(wanted, outscore.Score)
    for where, options in {
        "store": {},
        "outscore_run": {},
        "mine": {"run_from": lambda state: state.metadata["mine"]},
        "also mine": {"run_from": lambda state: SCORER.score(VOID) if state.epoch > 1 else ledger.finished},
    }.items():
        scorer = business_outcome(RULESET, **options)
        found = evaluate([text], scorer, tmp_path, where=where, epochs=2 if where == "also mine" else 1)
        again = inspect_ai.score(found, scorer, action="overwrite", display="none")
        for each in (found, again):
            # Every digit of the wait has come through the log.
            assert scores_of(each)[0].metadata == wanted.to_record()
        assert [score.reason for score in scores_of(found)[1:]] == ["void"] * (where == "also mine")


@needs_inspect
def test_errors_can_be_left_to_inspect(tmp_path: Path) -> None:
    from outscore.integrations.inspect_ai import business_outcome

    scorer = business_outcome(RULESET, on_error="raise")
    found = evaluate([SCORED[0], BAD], scorer, tmp_path, fail_on_error=False)
    good, bad = sorted(found.samples, key=lambda sample: int(sample.id))
    assert good.error is None
    assert "a wait of -1 hours" in bad.error.message
    assert found.results.completed_samples == 1
    (summed,) = found.results.scores
    assert summed.scored_samples == 1


@needs_inspect
def test_nothing_scored_gives_no_metric_rather_than_a_nan(tmp_path: Path) -> None:
    from outscore.integrations.inspect_ai import business_outcome

    found = evaluate([VOID, BAD], business_outcome(RULESET), tmp_path)
    assert found.status == "success"
    assert metrics_of(found) == {}
    (summed,) = found.results.scores
    assert (summed.scored_samples, summed.unscored_samples) == (0, 2)


@needs_inspect
def test_one_task_has_no_error(tmp_path: Path) -> None:
    from outscore.integrations.inspect_ai import business_outcome

    runs = [{**run, "task": "one"} for run in SCORED]
    assert set(metrics_of(evaluate(runs, business_outcome(RULESET), tmp_path))) == {"floored_mean", "resolved_rate"}


def sample_scores(records: Iterable[dict[str, Any]]) -> list[Any]:
    from inspect_ai.scorer import SampleScore, Score

    return [SampleScore(score=Score(value=each["score"], metadata=each), sample_id="s-1") for each in records]


@needs_inspect
@pytest.mark.parametrize("name", ["floored_score", "resolved"])
def test_metrics_refuse_what_they_cannot_stand_for(name: str) -> None:
    from inspect_ai.scorer import SampleScore, Score
    from outscore.integrations import inspect_ai

    metric = getattr(inspect_ai, name)()
    first, second = (SCORER.score(run).to_record() for run in SCORED[:2])
    assert metric(sample_scores([first, second]))
    with pytest.raises(ValueError, match="different sets of rules"):
        metric(sample_scores([first, second | {"ruleset": "sha256:other"}]))
    edited = sample_scores([first])
    edited[0].score.value = 1.0
    with pytest.raises(ValueError, match=r"the value 1\.0 is not the -0\.025 of its account"):
        metric(edited)
    with pytest.raises(ValueError, match="not scored by business_outcome"):
        metric([SampleScore(score=Score(value=1.0))])
    with pytest.raises(Exception, match="does not follow"):
        metric(sample_scores([first | {"resolved": True}]))


@needs_inspect
def test_what_cannot_be_a_scorer_is_said_at_once() -> None:
    from inspect_ai.scorer import Scorer
    from outscore.integrations.inspect_ai import business_outcome

    assert isinstance(business_outcome(RULESET), Scorer)
    with pytest.raises(outscore.RulesetError, match="did you mean 'higher'"):
        business_outcome("outscore: 1\nscenario: desk\nkpi: {direction: hihger}\n")
    with pytest.raises(FileNotFoundError):
        business_outcome("no such ruleset.yaml")
    with pytest.raises(ValueError, match="were given as a Scorer"):
        business_outcome(SCORER.digest)
    with pytest.raises(TypeError, match="run_from was the function 'mine'"):
        business_outcome(RULESET, run_from="mine")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="on_error"):
        business_outcome(RULESET, on_error="ignore")  # type: ignore[arg-type]


@needs_inspect
def test_the_command_finds_the_scorer_by_its_name(log: Any, tmp_path: Path) -> None:
    command = [Path(sys.executable).parent / "inspect", "score", log.location, "--scorer", "outscore/business_outcome"]
    out = tmp_path / "again.eval"
    options = ["-S", f"ruleset={RULESET}", "--action", "overwrite", "--output-file", out, "--display", "plain"]
    done = subprocess.run(list(map(str, [*command, *options])), cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    from inspect_ai.log import read_eval_log

    assert metrics_of(read_eval_log(str(out))) == metrics_of(log)


PAGE = ROOT / "docs" / "how-to" / "inspect-ai.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


@needs_inspect
def test_the_examples_of_the_page_run(tmp_path: Path) -> None:
    assert len(EXAMPLES) >= 2
    environment = os.environ | {"INSPECT_LOG_DIR": str(tmp_path), "INSPECT_DISPLAY": "none"}
    # Read down the page, they are one program.
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(EXAMPLES)], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_without_inspect_the_error_names_the_extra() -> None:
    source = """
import sys
sys.modules["inspect_ai"] = None
try:
    import outscore.integrations.inspect_ai
except ImportError as error:
    print(error.name, error)
"""
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert done.stdout == "inspect_ai this integration needs Inspect AI: pip install 'outscore[inspect]'\n", done.stderr


def test_the_package_tells_inspect_where_its_scorer_is() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["inspect_ai"] == {"outscore": "outscore.integrations.inspect_ai"}
    assert [each for each in project["optional-dependencies"]["dev"] if "inspect" in each] == []
