"""FDE-Gym's recorded engagements: every charge, every figure of theirs and of ours, and their tables."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from outscore.integrations import fde_gym
from outscore.integrations.fde_gym.run import without_noise
from outscore.loader import check, loads
from outscore.score import Score

from tests.integrations.fde_gym_cases import case, cases, dumped, groups, result, written

IDS = [each["id"] for each in cases()]
RESTARTED = "c397"
SPAN_ZERO = {"c364", "c367", "c370"}


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> dict[str, fde_gym.Audit]:
    """Each engagement audited from the harness's own files."""
    made = {}
    for each in cases():
        npcs, log, graded = written(tmp_path_factory.mktemp(each["id"]), each)
        made[each["id"]] = fde_gym.audit(
            fde_gym.read_engagement(npcs), fde_gym.read_log(log), fde_gym.read_result(graded), scenario="port_yard"
        )
    return made


def fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def test_all_the_cases_are_here() -> None:
    assert len(cases()) == len(set(IDS)) == 134
    assert len(groups()) == 14
    assert {each["id"] for each in cases() if each["kind"] == "server_restart"} == {RESTARTED}
    assert {each["id"] for each in cases() if each["kind"] == "span_zero"} == SPAN_ZERO


def test_every_charge_is_the_recorded_cost(audits: dict[str, fde_gym.Audit]) -> None:
    """On all lines of all logs, once float noise is removed; but for the one restart, which is named."""
    checked = 0
    for each in cases():
        audit = audits[each["id"]]
        assert len(audit.billed) == len(each["log"])
        for billed, line in zip(audit.billed, each["log"], strict=True):
            checked += 1
            if (each["id"], billed.act.line.number) == (RESTARTED, 6):
                assert (billed.reason, billed.charge, billed.recorded) == ("restart", Fraction(3, 20), line["cost"])
            else:
                assert billed.reason is None
                assert billed.charge == Fraction(without_noise(line["cost"])), (each["id"], line)
    assert checked == 878


@pytest.mark.parametrize("identifier", IDS)
def test_their_figures_come_out(identifier: str, audits: dict[str, fde_gym.Audit]) -> None:
    expected, audit = case(identifier)["expected"], audits[identifier]
    assert audit.harness is not None
    found = {name: getattr(audit.harness, name) for name in ("uplift", "uplift_bounded", "contact_cost", "uplift_net")}
    assert found == {name: float(expected[name]) for name in found}
    assert audit.misreported == {}


@pytest.mark.parametrize("identifier", IDS)
def test_our_figures_are_exact(identifier: str, audits: dict[str, fde_gym.Audit]) -> None:
    exact, ours = case(identifier)["exact"], audits[identifier].ours
    assert ours.contact_cost == Fraction(exact["C"])
    found = (ours.uplift, ours.adjusted_uplift, ours.score)
    assert found == tuple(fraction(exact.get(name)) for name in ("U", "U_adj", "S"))
    assert ours.resolved is exact["resolved"]
    assert (ours.why_undefined is not None) is (identifier in SPAN_ZERO)


@pytest.mark.parametrize(
    ("level", "task"), [("L3", "port_yard/base/L3"), (3, "port_yard/base/3"), (None, "port_yard/base")]
)
def test_a_level_may_be_a_number(level: object, task: str, tmp_path: Path) -> None:
    graded = tmp_path / "result.json"
    graded.write_text(json.dumps({**result(case("c001")), "level": level}, default=float))
    assert fde_gym.read_result(str(graded)).task == task


PLAIN = [(each, False) for each in IDS if each not in SPAN_ZERO]


@pytest.mark.parametrize(("identifier", "as_recorded"), [*PLAIN, ("c001", True), ("c352", True), (RESTARTED, True)])
def test_ruleset_and_run_score_the_same(identifier: str, as_recorded: bool, tmp_path: Path) -> None:
    """By way of the files: the ruleset's text, and the run's line of JSON."""
    npcs, log, graded = written(tmp_path, case(identifier))
    engagement, outcome = fde_gym.read_engagement(npcs), fde_gym.read_result(graded)
    made = fde_gym.ruleset_of(engagement, "port_yard", outcome.direction, as_recorded=as_recorded)
    checked = check(made.text.encode(), "made.yaml")
    assert checked.diagnostics == ()
    counted = fde_gym.count_log(engagement, fde_gym.read_log(log))
    events = fde_gym.events_of(counted, as_recorded=as_recorded)
    run = fde_gym.encode_run(fde_gym.run_of(outcome, events, run="r", scenario="port_yard"))
    score = loads(made.text).score(run)
    assert isinstance(score, Score)
    assert (score.task, score.agent) == ("port_yard/base/L3", "model-a")
    exact = case(identifier)["exact"]
    if identifier == RESTARTED and not as_recorded:
        assert score.exact.contact_cost == Fraction(17, 20)
        return
    assert (score.exact.contact_cost, score.exact.score) == (Fraction(exact["C"]), Fraction(exact["S"]))
    assert score.resolved is exact["resolved"]
    charged = [charge.amount for charge in score.account]
    recorded = [line["cost"] for line in case(identifier)["log"] if line["to"] != "inbox"]
    assert charged == [Fraction(without_noise(cost)) for cost in recorded]


def test_the_restart_is_named(audits: dict[str, fde_gym.Audit]) -> None:
    assert {name for name, audit in audits.items() if audit.counted.restarts} == {RESTARTED}
    assert {name for name, audit in audits.items() if audit.has_findings} == {RESTARTED}
    audit = audits[RESTARTED]
    (restart,) = audit.counted.restarts
    assert (restart.after, restart.by) == (5, 6)
    assert audit.by_rules.contact_cost == Fraction(17, 20)
    assert audit.by_rules.score == Fraction("-1032/10025")


def test_every_difference_has_its_words(audits: dict[str, fde_gym.Audit]) -> None:
    for name, audit in audits.items():
        record = fde_gym.record(audit)
        assert json.loads(json.dumps(record)) == record
        for each in record["compared"]:
            same = each["ours"] == each["harness"]
            assert same or each["why"], (name, each)
        assert fde_gym.page(audit)


@pytest.mark.parametrize(
    ("identifier", "figure", "words"),
    [
        ("c163", "uplift after incidents", "rounded there to 4 places, before incidents are looked at (it lies midway"),
        ("c163", "contact cost", "the total is rounded there to 4 places (it lies midway"),
        ("c163", "score (there: net)", "there 0.8187 - 0.0188, both rounded, is rounded once more"),
        ("c163", "resolved (there: solved)", "here of the exact 0.8, there of the rounded 0.7999"),
        ("c364", "uplift after incidents", "equals the baseline (1/2); better is higher; there the uplift is then 0"),
        ("c364", "score (there: net)", "there it is 0.0 - 0.3"),
        ("c364", "resolved (there: solved)", "without a score there is no verdict here"),
        ("c373", "floored uplift", "taken there before incidents are looked at"),
    ],
)
def test_the_words(identifier: str, figure: str, words: str, audits: dict[str, fde_gym.Audit]) -> None:
    (found,) = [each for each in fde_gym.record(audits[identifier])["compared"] if each["figure"] == figure]
    assert words in found["why"]


def test_both_averages_of_their_tables() -> None:
    """The mean over task-runs, and the mean over problems with repeats first, to 1e-12."""
    differing = 0
    for group in groups():
        runs: list[dict[str, Any]] = group["runs"] + group["skipped_by_table"]
        rows = fde_gym.table(runs)
        for row, expected in zip(rows, group["expected"], strict=True):
            names = ("slug", "level", "runs", "problems")
            assert (row.model, row.level, row.runs, row.problems) == tuple(expected[name] for name in names)
            for found, name in ((row.gross, "gross"), (row.net, "net"), (row.net_over_runs, "task_run_mean_net")):
                assert abs(found - Fraction(expected[name])) < Fraction(1, 10**12)
            differing += row.net != row.net_over_runs
    assert differing > 20


def test_averages_of_nothing_and_of_repeats() -> None:
    assert fde_gym.mean_over_runs([]) is fde_gym.mean_over_problems([]) is None
    values = [("a", Fraction(1)), ("a", Fraction(0)), ("b", Fraction(1))]
    assert fde_gym.mean_over_runs(values) == Fraction(2, 3)
    assert fde_gym.mean_over_problems(values) == Fraction(3, 4)


@pytest.mark.parametrize("identifier", ["c001", "c163", RESTARTED])
def test_the_form_of_one_file(identifier: str, tmp_path: Path, audits: dict[str, fde_gym.Audit]) -> None:
    """Settings, log and outcome as parts of one JSON document."""
    path = tmp_path / "case.json"
    path.write_text(dumped(case(identifier)), encoding="utf-8")
    engagement, log = fde_gym.read_engagement(str(path)), fde_gym.read_log(str(path))
    audit = fde_gym.audit(engagement, log, fde_gym.read_result(str(path)), scenario="port_yard")
    assert log.is_document
    assert (audit.ours, audit.by_rules, audit.harness) == (
        audits[identifier].ours,
        audits[identifier].by_rules,
        audits[identifier].harness,
    )
    path.write_text(json.dumps(json.loads(dumped(case(identifier)["log"])), indent=1), encoding="utf-8")
    assert fde_gym.read_log(str(path)) == log
    assert result(case(identifier))["engagement"] == "port_yard"
