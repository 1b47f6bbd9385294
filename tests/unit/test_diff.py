"""Two rulesets compared: every change of meaning is told, no other is, and results are those of both scorers."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from outscore.diff import Difference, compare_rulesets
from outscore.diff.record import difference_record
from outscore.diff.results import Effects
from outscore.diff.rules import RuleChange, _moved
from outscore.diff.source import NoSourceError, read_pair, read_source
from outscore.fmt import format_ruleset
from outscore.loader import check, loads
from outscore.score import Score

from tests.generate import ruleset, run_for
from tests.naive import load_ruleset

ROOT = Path(__file__).parents[2]
CLAIMS = (ROOT / "rulesets" / "claims_intake.yaml").read_text(encoding="utf-8")
DISPATCH = (ROOT / "rulesets" / "energy_dispatch.yaml").read_text(encoding="utf-8")


def compared(old: str, new: str) -> Difference:
    rulesets = [check(text.encode(), name).ruleset for text, name in ((old, "old"), (new, "new"))]
    assert rulesets[0] is not None
    assert rulesets[1] is not None
    return compare_rulesets(rulesets[0], rulesets[1], "old", "new")


def changed(text: str, *edits: tuple[str, str]) -> str:
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


# Changes of rules. Each is an edit of claims_intake, with what is said of it.

_SPONSOR_ONCE = """\
    - id: sponsor_once
      why: The sponsor asked to be contacted once at most.
      when: to == "sponsor" and nth > 1
      charge: {price: 0.15}
"""
_AFTER_HOURS = """\
    - id: after_hours
      why: Nobody is on duty.
      when: hour < 9 or hour >= 18 or weekday in ["sat", "sun"]
      charge: {plus: 0.01}
"""
_TRIALS = "trials:\n  count: true\n  prices: [0, 0.02, 0.05]\n\n"
_WAITING = "waiting:\n  count: true\n  price_per_day: 0.01\n  free_days: 1\n\n"
_TESTS = CLAIMS[CLAIMS.index("tests:") :]
_CONTACTS = CLAIMS[CLAIMS.index("contacts:") : CLAIMS.index("trials:")]
_KPI = CLAIMS[CLAIMS.index("  measures:") : CLAIMS.index("fields:")]

CHANGES = [
    ([("scenario: claims_intake", "scenario: claims")], ["id claims_intake -> claims"]),
    ([("timezone: Europe/Berlin\n", "")], ["time zone Europe/Berlin -> none"]),
    (
        [
            ("direction: higher", "direction: lower"),
            (CLAIMS[CLAIMS.index("  pinned:") : CLAIMS.index("\nfields:")], ""),
        ],
        [
            "better is higher -> lower",
            "pinned baseline of recovered 1500 -> not pinned",
            "pinned baseline of refunds 600 -> not pinned",
            "pinned baseline of missed_urgent 0 -> not pinned",
            "pinned reference of recovered 5000 -> not pinned",
            "pinned reference of refunds 400 -> not pinned",
            "pinned reference of missed_urgent 0 -> not pinned",
        ],
    ),
    ([("0.5 * refunds", "1 / 3 * refunds")], ["formula recovered - 0.5 * refunds -> recovered - 1 / 3 * refunds"]),
    ([("recovered: 1500", "recovered: 1500.5")], ["pinned baseline of recovered 1500 -> 1500.5"]),
    (
        [
            (", missed_urgent]", ", missed_urgent, late]"),
            ("600, missed_urgent: 0}", "600, missed_urgent: 0, late: 9}"),
            (
                "    reference: {recovered: 5000, refunds: 400,",
                "    reference: {recovered: 5000, late: 1, refunds: 400,",
            ),
            (_TESTS, ""),
        ],
        [
            "measure late: added, to be reported by runs",
            "pinned baseline of late not pinned -> 9",
            "pinned reference of late not pinned -> 1",
        ],
    ),
    (
        [
            (_KPI, "  pinned: {baseline: 1, reference: 2}\n\n"),
            ("delivered.missed_urgent", "delivered.kpi"),
            (_TESTS, ""),
        ],
        [
            "measure recovered: removed, was reported by runs",
            "measure refunds: removed, was reported by runs",
            "measure missed_urgent: removed, was reported by runs",
            "formula recovered - 0.5 * refunds -> none, runs report the KPI itself",
            "pinned baseline of recovered 1500 -> not pinned",
            "pinned baseline of refunds 600 -> not pinned",
            "pinned baseline of missed_urgent 0 -> not pinned",
            "pinned reference of recovered 5000 -> not pinned",
            "pinned reference of refunds 400 -> not pinned",
            "pinned reference of missed_urgent 0 -> not pinned",
            "pinned baseline not pinned -> 1",
            "pinned reference not pinned -> 2",
            "incident missed_emergency: condition delivered.missed_urgent > 0 -> delivered.kpi > 0",
        ],
    ),
    (
        [("[chat, mail, call]", '[chat, call, "a, b"]'), ("minutes: number", "hurry: boolean")],
        [
            'field channel: holds one of chat, mail, call -> one of chat, call, "a, b"',
            "field minutes: removed, was number",
            "field hurry: added, boolean",
        ],
    ),
    ([("      price: 0.01\n", "      price: 0.02\n")], ["head_of_claims: list price 0.01 -> 0.02"]),
    (
        [("      price: 0.01\n", "      price: 1e-40\n")],
        [f"head_of_claims: list price 0.01 -> 0.0000 (1/1{'0' * 40})"],
    ),
    (
        [("patience: 4", "patience: 0"), ("{times: 3}", "{plus: 3}")],
        ["head_of_claims: patience 4 -> 0", "head_of_claims: past patience times 3 -> plus 3"],
    ),
    (
        [("      patience: 2\n      past_patience: {plus: 0.03}\n", "")],
        ["fraud_analyst: patience 2 -> without limit", "fraud_analyst: past patience plus 0.03 -> none"],
    ),
    (
        [("    fraud_analyst:\n", "    auditor:\n")],
        [
            "fraud_analyst: removed, was list price 0.02, patience 2, past patience plus 0.03",
            "auditor: added, list price 0.02, patience 2, past patience plus 0.03",
        ],
    ),
    ([("  anyone_else:\n    price: 0.02\n", "")], ["anyone else: removed, was list price 0.02"]),
    (
        [("hour >= 18", "hour > 18"), ("{plus: 0.01}", "{plus: 0.01 * nth}")],
        [
            'restriction after_hours: condition hour < 9 or hour >= 18 or weekday in ["sat", "sun"] -> '
            'hour < 9 or hour > 18 or weekday in ["sat", "sun"]',
            "restriction after_hours: charge plus 0.01 -> plus 0.01 * nth",
        ],
    ),
    (
        [('      when: to == "sponsor" and nth > 1\n', "")],
        ['restriction sponsor_once: condition to == "sponsor" and nth > 1 -> always'],
    ),
    (
        [(_SPONSOR_ONCE, ""), (_AFTER_HOURS, _SPONSOR_ONCE + _AFTER_HOURS)],
        ["restriction sponsor_once: moved, now before after_hours"],
    ),
    (
        [(_SPONSOR_ONCE, "    - {id: free, charge: {price: 0}}\n")],
        [
            'restriction sponsor_once: removed, was price 0.15 when to == "sponsor" and nth > 1',
            "restriction free: added, last: price 0 always",
        ],
    ),
    (
        [(_CONTACTS, "contacts: {}\n\n"), (_TESTS, "")],
        [
            "head_of_claims: removed, was list price 0.01, patience 4, past patience times 3",
            "fraud_analyst: removed, was list price 0.02, patience 2, past patience plus 0.03",
            "sponsor: removed, was list price 0.05",
            "anyone else: removed, was list price 0.02",
            'restriction after_hours: removed, was plus 0.01 when hour < 9 or hour >= 18 or weekday in ["sat", "sun"]',
            'restriction sponsor_once: removed, was price 0.15 when to == "sponsor" and nth > 1',
        ],
    ),
    ([("prices: [0, 0.02, 0.05]", "prices: [0, 0.05, 0.02]")], ["prices 0, 0.02, 0.05 -> 0, 0.05, 0.02"]),
    (
        [("  count: true\n  prices: [0, 0.02, 0.05]", "  count: false")],
        ["trials are counted -> not counted", "prices 0, 0.02, 0.05 -> none"],
    ),
    ([(_TRIALS, "")], ["the section: removed, was counted, prices 0, 0.02, 0.05; a trial is an error now"]),
    (
        [("  free_days: 1", "  restrictions: [{id: long, when: hours > 9, charge: {times: 2}}]")],
        ["free days 1 -> 0", "restriction long: added, times 2 when hours > 9"],
    ),
    ([("price_per_day: 0.01", "price_per_day: 0.02")], ["price per day 0.01 -> 0.02"]),
    ([("true\n  price_per_day", "false\n  price_per_day")], ["waits are counted -> not counted"]),
    ([(_WAITING, "")], ["the section: removed, was counted, 0.01 a day, free days 1; a wait is an error now"]),
    (
        [("  outage:\n", "  blackout:\n"), ("    when: delivered.missed_urgent > 0\n", "")],
        [
            "incident missed_emergency: condition delivered.missed_urgent > 0 -> reported by name",
            "incident outage: removed, was reported by name",
            "incident blackout: added, reported by name",
        ],
    ),
]


@pytest.mark.parametrize(("edits", "words"), CHANGES, ids=lambda each: each[0] if isinstance(each[0], str) else "")
def test_a_change_of_meaning_is_told_in_words(edits: list[tuple[str, str]], words: list[str]) -> None:
    new = changed(CLAIMS, *edits)
    there, back = compared(CLAIMS, new), compared(new, CLAIMS)
    assert [each.words for each in there.rules] == words
    assert not there.is_same
    # What one way adds the other removes, and no change is told one way alone.
    assert sorted(map(_place, back.rules)) == sorted(map(_place, there.rules))
    opposite = {"added": "removed", "removed": "added", "changed": "changed", "moved": "moved"}
    assert sorted(opposite[each.kind] for each in back.rules) == sorted(each.kind for each in there.rules)


def _place(change: RuleChange) -> str:
    # Of two that change places, either can be said to have moved.
    return change.rule.rpartition(".")[0] if change.kind == "moved" else change.rule


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("prices: [0, 0.02, 0.05]", "prices: [0, 2e-2, 0.050]")),
        (("measures: [recovered, refunds,", "measures: [refunds, recovered,")),
        (("channel: [chat, mail, call]", "channel: [call, mail, chat]")),
        (("hour < 9 or hour >= 18 or", "(hour<9) or (hour >= 18.0) or")),
        (
            (
                "    sponsor:\n      role: Signed the contract\n",
                "    sponsor:\n      # S.\n      role: Signed the contract\n",
            )
        ),
    ],
)
def test_another_way_of_writing_is_no_change(old: str, new: str) -> None:
    difference = compared(CLAIMS, changed(CLAIMS, (old, new)))
    assert (difference.is_same, difference.rules, bool(difference.words)) == (True, (), False)


def test_words_and_tests_are_told_apart_from_rules() -> None:
    more = CLAIMS[CLAIMS.index("  - name: an expert") :].replace("an expert", "another")
    new = changed(
        CLAIMS,
        ("Straight-through", "Straight"),
        ("name: Net benefit", "name: Benefit"),
        ("role: Signed the contract", "role: Signed"),
        ("Nobody is on duty.", "Nobody is there."),
        ("Intake was down.", "Down."),
        ("score: 0.98, resolved: true", "resolved: true, score: 0.98"),
    )
    difference = compared(CLAIMS, new + more)
    assert difference.is_same
    assert difference.words.texts == (
        "title",
        "kpi.name",
        "contacts.people.sponsor.role",
        "contacts.restrictions.after_hours.why",
        "incidents.outage.why",
    )
    assert difference.words.tests == "1 added"
    assert compared(CLAIMS, changed(CLAIMS, ("0.98", "0.97"))).words.tests == "1 changed"
    assert compared(CLAIMS + more, CLAIMS).words.tests_removed == ("another who asked twice resolves",)
    first = CLAIMS[: CLAIMS.index("  - name: an expert")]
    assert compared(CLAIMS + more, first + more + CLAIMS.removeprefix(first)).words.tests == "in another order"


def test_there_are_changes_exactly_where_the_digests_differ() -> None:
    texts = [ruleset(seed).replace(f"case_{seed}", "one") for seed in range(40)]
    for old, new in pairwise(texts):
        difference = compared(old, new)
        assert bool(difference.rules) == (difference.old.digest != difference.new.digest)
        assert all(json.dumps(each) for each in difference_record(difference)["rules"])
        again = compared(old, format_ruleset(old.encode(), "old").after or "")
        assert (again.is_same, again.rules) == (True, ())


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5])
def test_the_fewest_are_said_to_have_moved(size: int) -> None:
    old = list("abcde"[:size])
    for new in map(list, permutations(old)):
        moved = _moved(old, new)
        assert [each for each in old if each not in moved] == [each for each in new if each not in moved]
        fewest = min(
            count
            for count in range(size + 1)
            for gone in combinations(old, count)
            if [each for each in old if each not in gone] == [each for each in new if each not in gone]
        )
        assert len(moved) == fewest


def test_records_carry_what_the_digest_covers() -> None:
    new = changed(
        CLAIMS,
        (_SPONSOR_ONCE, ""),
        (_AFTER_HOURS, _SPONSOR_ONCE + _AFTER_HOURS),
        ("patience: 4", "patience: 5"),
        ("charge: {plus: 0.01}", "charge: {plus: 0.01 / 3}"),
        ("    when: delivered.missed_urgent > 0\n", ""),
        ("  outage:\n    why: Intake was down.\n", ""),
    )
    records = {
        each["rule"]: (each["change"], each["old"], each["new"])
        for each in difference_record(compared(CLAIMS, new))["rules"]
    }
    assert records == {
        "contacts.people.head_of_claims.patience": ("changed", 4, 5),
        "contacts.restrictions.after_hours.charge": (
            "changed",
            {"plus": "1/100"},
            {"plus": {"expression": "0.01 / 3"}},
        ),
        "contacts.restrictions.sponsor_once": (
            "moved",
            ["after_hours", "sponsor_once"],
            ["sponsor_once", "after_hours"],
        ),
        "incidents.missed_emergency.when": ("changed", "delivered.missed_urgent > 0", None),
        "incidents.outage": ("removed", {"when": None}, None),
    }


# Results

_DESK = "outscore: 1\nscenario: desk\nkpi: {direction: higher, pinned: {baseline: 0, reference: 10}}\n"
_OLD = _DESK + "trials: {count: true, prices: [0.1]}\n"
_NEW = _DESK + "trials: {count: true, prices: [0.2]}\nincidents: {worse: {when: delivered.kpi > 9}}\n"


def _run(run: str, agent: str | None, delivered: object, trials: int = 0, **rest: object) -> dict[str, object]:
    record = {"run": run, "scenario": "desk", "kpi": {"delivered": delivered}, "events": [{"type": "trial"}] * trials}
    return record | ({"agent": agent} if agent else {}) | rest


def effects(old: str, new: str, runs: Iterable[object], tmp_path: Path, top: int = 10) -> Effects:
    path = tmp_path / "runs.jsonl"
    lines = (each if isinstance(each, str) else json.dumps(each) for each in runs)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    found = compared(old, new).with_runs([str(path)], top=top).effects
    assert found is not None
    return found


def test_runs_are_scored_by_both(tmp_path: Path) -> None:
    runs = [
        _run("same", "a", 5),
        _run("lower", "a", 9, trials=1),
        _run("found", "b", 10),
        _run("flipped", "b", 9, trials=2),
        _run("none", None, -20, trials=3),
        {"run": "void", "scenario": "desk", "void": "lost"},
        _run("bad", "a", "many"),
        _run("foreign", "a", 1) | {"scenario": "another"},
    ]
    found = effects(_OLD, _NEW, runs, tmp_path)
    assert (found.scored, found.void, found.failed, found.foreign, found.seen) == (5, 1, 1, 1, 7)
    assert [(each.run, each.old, each.new) for each in found.largest] == [
        ("found", 1, 0),
        ("none", Fraction("-2.3"), Fraction("-2.6")),
        ("flipped", Fraction("0.7"), Fraction("0.5")),
        ("lower", Fraction("0.8"), Fraction("0.7")),
    ]
    assert found.changed == 4
    assert [each.run for each in found.flipped] == ["found", "lower"]
    assert (found.to_resolved, found.to_unresolved) == (0, 2)
    assert [(each.agent, each.runs, each.old, each.new) for each in found.agents] == [
        ("a", 2, Fraction("0.65"), Fraction("0.6")),
        ("b", 2, Fraction("0.85"), Fraction("0.25")),
        # Averages take the floored score.
        (None, 1, Fraction("-1.3"), Fraction("-1.6")),
    ]
    assert [(each.old_rank, each.new_rank) for each in found.agents] == [(2, 1), (1, 2), (None, None)]
    assert [(each.ahead.agent, each.behind.agent) for each in found.swaps] == [("b", "a")]
    back = effects(_NEW, _OLD, runs, tmp_path, top=1)
    assert (back.to_resolved, back.to_unresolved, back.swapped) == (2, 0, 1)
    assert ([each.run for each in back.largest], back.changed) == (["found"], 4)


def test_runs_that_only_one_can_score_are_in_no_mean(tmp_path: Path) -> None:
    without = _DESK + "waiting: {count: false}\n"
    runs = [
        _run("trial", "a", 5, trials=1),
        _run("wait", "a", 5, events=[{"type": "wait", "hours": 1}]),
        _run("both", "a", 1),
    ]
    found = effects(_OLD, without, runs, tmp_path)
    assert (found.scored, found.only_old, found.only_new) == (1, 1, 1)
    (old,), (new,) = found.only_old_runs, found.only_new_runs
    assert (old.score.run, old.bad.line, new.score.run, new.bad.line) == ("trial", 1, "wait", 2)
    assert [(each.runs, each.old) for each in found.agents] == [(1, Fraction("0.1"))]


def test_agents_of_one_mean_share_a_rank_and_do_not_swap(tmp_path: Path) -> None:
    runs = [_run("1", "a", 5), _run("2", "b", 5), _run("3", "c", 6, trials=1), _run("4", "d", 1)]
    found = effects(_OLD, _NEW, runs, tmp_path)
    assert [(each.agent, each.old_rank, each.new_rank) for each in found.agents] == [
        ("a", 1, 1),
        ("b", 1, 1),
        ("c", 1, 3),
        ("d", 4, 4),
    ]
    assert found.swaps == ()


def test_of_equal_changes_the_first_are_kept(tmp_path: Path) -> None:
    runs = [_run(str(number), "a", 5, trials=1 + number % 2) for number in range(30)]
    found = effects(_OLD, _NEW, runs, tmp_path, top=4)
    assert [each.run for each in found.largest] == ["1", "3", "5", "7"]
    assert found.changed == 30


def test_results_are_those_of_the_two_scorers(tmp_path: Path) -> None:
    old = changed(DISPATCH, ("price: 0.015", "price: 0.025"))
    runs = [json.loads(line) for line in (ROOT / "rulesets" / "energy_dispatch.runs.jsonl").read_text().splitlines()]
    found = effects(old, DISPATCH, runs, tmp_path, top=100)
    pairs = [(before, after) for run in runs for before, after in [_scores(run, old, DISPATCH)] if before and after]
    assert found.scored == len(pairs) > 5
    wanted = {before.run: (before.exact.score, after.exact.score) for before, after in pairs}
    assert {each.run: (each.old, each.new) for each in found.largest} == {
        run: each for run, each in wanted.items() if each[0] != each[1]
    }
    assert found.largest
    for agent in found.agents:
        own = [(b.exact.floored_score, a.exact.floored_score) for b, a in pairs if b.agent == agent.agent]
        assert (agent.old, agent.new) == tuple(Fraction(sum(each), len(own)) for each in zip(*own, strict=True))


def _scores(run: dict[str, Any], *texts: str) -> list[Score | None]:
    outcomes = [next(loads(text).score_many([json.dumps(run)])) for text in texts]
    return [each if isinstance(each, Score) else None for each in outcomes]


def test_standard_input_is_read_once_for_both() -> None:
    text = f"{json.dumps(_run('one', 'a', 5, trials=1))}\n".encode()
    found = compared(_OLD, _NEW).with_runs(["-"], io.BytesIO(text), top=1).effects
    assert found is not None
    assert (found.scored, found.changed) == (1, 1)


def test_generated_rulesets_compare_with_themselves(tmp_path: Path) -> None:
    scored = 0
    for seed in range(12):
        text = ruleset(seed)
        runs = [run_for(load_ruleset(text), number).replace("\n", " ") for number in range(3)]
        found = effects(text, text, runs, tmp_path)
        assert (found.changed, found.only_old, found.only_new, found.swapped) == (0, 0, 0, 0)
        scored += found.scored
    assert scored > 20


# Where rulesets come from


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    for name, value in {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}.items():
        monkeypatch.setenv(name, value)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "a b.yaml").write_bytes(b"old\n")
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    for words in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "first"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    (tmp_path / "rules" / "a b.yaml").write_bytes(b"new\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_revision_is_compared_with_the_work_tree(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = read_pair("HEAD:rules/a b.yaml", None)
    assert old == ("HEAD:rules/a b.yaml", b"old\n")
    assert new == (str(Path("rules/a b.yaml")), b"new\n")
    # As git has it: from the top, unless the path begins with a point.
    monkeypatch.chdir(repository / "rules")
    assert read_pair("HEAD:rules/a b.yaml", None)[1] == ("a b.yaml", b"new\n")
    assert read_pair("HEAD:./a b.yaml", None) == (("HEAD:./a b.yaml", b"old\n"), ("a b.yaml", b"new\n"))
    # Nothing before the colon is what is staged.
    assert read_source(":rules/a b.yaml").content == b"old\n"


def test_two_revisions_or_files_are_read_as_they_are(repository: Path) -> None:
    (repository / "HEAD:here").write_bytes(b"a file\n")
    pair = read_pair("HEAD~0:rules/a b.yaml", "HEAD:here")
    assert [each.content for each in pair] == [b"old\n", b"a file\n"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("HEAD:rules/none.yaml", "does not exist in 'HEAD'"),
        ("nowhere:rules/a b.yaml", "invalid object name 'nowhere'"),
        ("HEAD:rules", "that is a folder"),
        ("HEAD:", "name a file behind the colon"),
        ("-p:rules/a b.yaml", "a revision does not begin with '-'"),
        ("--output=x:rules/a b.yaml", "a revision does not begin with '-'"),
        ("rules/a b.yaml", "stands alone"),
    ],
)
def test_what_cannot_be_had_is_said(repository: Path, text: str, words: str) -> None:
    with pytest.raises(NoSourceError) as caught:
        read_pair(text, None)
    assert words in str(caught.value)
    assert sorted(each.name for each in repository.iterdir()) == [".git", "rules"]


def test_no_git_and_no_repository(
    repository: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    monkeypatch.chdir(outside)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(outside.parent))
    with pytest.raises(NoSourceError, match="not a git repository"):
        read_source("HEAD:a.yaml")
    monkeypatch.setenv("PATH", str(outside))
    with pytest.raises(NoSourceError, match="git, which would know it as a revision, is not installed"):
        read_source("HEAD:a.yaml")


def test_a_file_that_is_gone_is_an_error(repository: Path) -> None:
    (repository / "rules" / "a b.yaml").unlink()
    with pytest.raises(FileNotFoundError):
        read_pair("HEAD:rules/a b.yaml", None)
    with pytest.raises(FileNotFoundError):
        read_pair("none.yaml", "other.yaml")
