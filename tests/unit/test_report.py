"""Reports: bars, accounts read back, the page's data, leaderboards, the page's safety, and the commands for them."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import random
import re
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.cli import outscore
from outscore.explain.markdown import markdown
from outscore.report.accounts import read_account
from outscore.report.board import FIGURES, board_page, boards, span
from outscore.report.data import missing_runs, page_data
from outscore.report.html import policy, report_html, script_json
from outscore.report.waterfall import Bar, bars
from outscore.results import ResultsError
from outscore.score import Exact
from outscore.summary.groups import summarize
from outscore.summary.planned import read_plan
from outscore.summary.statistic import Resampling

from tests.reports import HOSTILE, RULESETS, charge, many, plan_of, shipped_scores, with_account
from tests.scores import OTHER_DIGEST, failed, results, scored, void, written

F = Fraction
CLAIMS, CLAIMS_RUNS = RULESETS / "claims_intake.yaml", RULESETS / "claims_intake.runs.jsonl"


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(outscore, [str(each) for each in arguments], catch_exceptions=False)


def exact(uplift: Fraction, cost: Fraction, *, incident: bool = False) -> Exact:
    adjusted = min(uplift, F(0)) if incident else uplift
    return Exact(uplift, adjusted, cost, adjusted - cost, max(adjusted, F(-1)) - cost)


def read(tmp_path: Path, *records: object) -> list[Any]:
    from outscore.results import read_results

    return read_results([written(tmp_path / "scores.jsonl", *records)], keep_source=True)


def data_of(tmp_path: Path, *records: object, **options: Any) -> dict[str, Any]:
    return page_data(read(tmp_path, *records), [], [], **options)


# The waterfall


@pytest.mark.parametrize(
    ("uplift", "costs", "incidents", "expected"),
    [
        ("9/10", {"a": "1/10"}, (), [("uplift", "9/10"), ("a", "4/5"), ("score", "4/5")]),
        ("1", {}, (), [("uplift", "1"), ("score", "1")]),
        (
            "9/10",
            {"a": "1/10"},
            ("outage",),
            [("uplift", "9/10"), ("incident", "0"), ("a", "-1/10"), ("score", "-1/10")],
        ),
        ("-1/2", {}, ("outage",), [("uplift", "-1/2"), ("incident", "-1/2"), ("score", "-1/2")]),
    ],
)
def test_bars_lead_from_uplift_to_score(
    uplift: str, costs: dict[str, str], incidents: tuple[str, ...], expected: list[tuple[str, str]]
) -> None:
    paid = {("contact", name): F(cost) for name, cost in costs.items()}
    figures = exact(F(uplift), sum(paid.values(), F(0)), incident=bool(incidents))
    assert [(bar.label, bar.end) for bar in bars(figures, paid, incidents)] == [
        (name, F(end)) for name, end in expected
    ]


def test_what_the_account_does_not_say_is_shown() -> None:
    made = bars(exact(F(1), F(3, 10)), {("contact", "a"): F(1, 10)}, ())
    assert made[-2:] == (Bar("not itemised", F(9, 10), F(7, 10)), Bar("score", F(0), F(7, 10), is_total=True))


@settings(max_examples=60, derandomize=True)
@given(st.fractions(-3, 3), st.lists(st.fractions(0, 1), max_size=6), st.booleans())
def test_each_bar_starts_where_the_one_before_ended(uplift: Fraction, costs: list[Fraction], incident: bool) -> None:
    paid = {("contact", str(number)): cost for number, cost in enumerate(costs)}
    made = bars(exact(uplift, sum(costs, F(0)), incident=incident), paid, ("outage",) if incident else ())
    assert all(after.start == before.end for before, after in pairwise(made[:-1]))
    assert made[-1].end == made[-2].end


# Accounts


def test_an_account_is_read_back(tmp_path: Path) -> None:
    line = next(line for line in shipped_scores() if '"r-0017"' in line)
    (result,) = read(tmp_path, line)
    account = read_account(result)
    assert result.figures is not None
    assert sum(account.costs.values(), F(0)) == result.figures.contact_cost
    first = account.items[0]
    assert (first.type, first.to, first.nth, first.amount, first.free) == (
        "contact",
        "head_of_claims",
        1,
        "0.0200",
        None,
    )
    assert first.steps == (
        ("contacts.people.head_of_claims.price", "price", "0.01", "0.01"),
        ("contacts.restrictions.after_hours", "plus", "0.01", "0.02"),
    )
    assert account.items[1].free == "unanswered"


def test_every_shipped_account_adds_up(tmp_path: Path) -> None:
    found = [each for each in read(tmp_path, *shipped_scores()) if each.figures is not None]
    assert len(found) > 50
    for each in found:
        assert sum(read_account(each).costs.values(), F(0)) == each.figures.contact_cost


@pytest.mark.parametrize(
    "account",
    [
        [{"type": "contact", "exact": "a tenth"}],
        [{"type": "contact", "exact": "1/0"}],
        [{"type": 3, "exact": "1"}],
        [{}],
    ],
)
def test_an_account_that_cannot_be_read_is_named(account: list[Any], tmp_path: Path) -> None:
    (result,) = read(tmp_path, scored("r") | {"account": account})
    with pytest.raises(ResultsError, match=r"scores\.jsonl:1: the account cannot be read"):
        read_account(result)


def test_an_account_of_more_than_the_contact_cost_is_refused(tmp_path: Path) -> None:
    (result,) = read(tmp_path, with_account(scored("r", "1", "1/10"), charge(1, "1/5", "boss")))
    with pytest.raises(ResultsError, match=r"scores\.jsonl:1: the account's charges come to 0\.2, the contact cost"):
        read_account(result)


# The page's data


def test_runs_carry_cut_figures_and_exact_ones_beside(tmp_path: Path) -> None:
    record = with_account(scored("r", "1/3", "1/30"), charge(1, "1/30", "boss"))
    data = data_of(tmp_path, record)
    run, _, _, _, outcome, uplift, adjusted, cost, score, fractions, incidents, ruleset, costs, warnings, bill = data[
        "runs"
    ][0]
    assert (run, data["outcomes"][outcome]) == ("r", "not resolved")
    assert (uplift, adjusted, cost, score) == (3333, 3333, 333, 3000)
    assert fractions == ["1/3", "1/30", None]
    assert (incidents, data["rulesets"][ruleset], warnings) == ([], record["ruleset"], [])
    assert data["payees"] == [["contact", "boss"]]
    assert costs == [[0, 33_333_333]]
    assert data["items"][bill[0]][:6] == ["contact", "boss", 1, None, "0.0333 (1/30)", None]


def test_a_cut_figure_never_reaches_a_mark_that_the_score_did_not(tmp_path: Path) -> None:
    data = data_of(tmp_path, scored("r", "79999999/100000000"), scored("s", "-1/1000000"))
    assert [row[8] for row in data["runs"]] == [7999, -1]


def test_every_fate_is_there(tmp_path: Path) -> None:
    records = [
        scored("a"),
        scored("b", "1/2"),
        scored("c", incidents=("outage",)),
        void("d"),
        failed("e"),
        failed(None),
    ]
    found = read(tmp_path, *records)
    plan = read_plan(
        written(tmp_path / "plan.jsonl", *plan_of([json.dumps(each) for each in records[:5]], {"run": "z"}))
    )
    data = page_data(found, missing_runs(found, plan), [])
    fates = {row[0]: data["outcomes"][row[4]] for row in data["runs"]}
    assert fates == {
        "a": "resolved",
        "b": "not resolved",
        "c": "incident",
        "d": "void",
        "e": "failed",
        None: "failed",
        "z": "missing",
    }
    assert next(row[5] for row in data["runs"] if row[0] == "d") == "grader timed out"


def test_charges_beyond_the_account_are_not_hidden(tmp_path: Path) -> None:
    data = data_of(tmp_path, with_account(scored("r", "1", "1/2"), charge(1, "1/10", "boss")))
    assert data["payees"][data["runs"][0][12][-1][0]] == ["", "not itemised"]
    assert data["runs"][0][12][-1][1] == 400_000_000


def test_events_that_are_alike_are_written_once(tmp_path: Path) -> None:
    same = [with_account(scored(f"r{number}", "1", "1/10"), charge(1, "1/10", "boss")) for number in range(20)]
    data = data_of(tmp_path, *same)
    assert len(data["items"]) == 1
    assert {tuple(row[-1]) for row in data["runs"]} == {(0,)}


def test_where_bills_do_not_fit_the_shortest_are_kept(tmp_path: Path) -> None:
    def run(name: str, count: int) -> dict[str, Any]:
        charges = [charge(number, F(number, 1000), "boss") for number in range(1, count + 1)]
        return with_account(scored(name, "1", sum((F(each["exact"]) for each in charges), F(0))), *charges)

    data = data_of(tmp_path, run("a", 50), run("b", 2), run("c", 3), bills_at_most=1000)
    assert {row[0]: row[-1] is not None for row in data["runs"]} == {"a": False, "b": True, "c": True}
    assert data["billsLeftOut"] == 1
    # What each person came to stays.
    assert data["runs"][0][12][0][1] == 1_275_000_000


def test_the_order_of_lines_changes_nothing(tmp_path: Path) -> None:
    nameless = [failed(None) | {"error": {"code": "syntax", "message": f"no {number}"}} for number in range(5)]
    lines = [json.dumps(each) for each in (*many(200), *nameless)]
    first = data_of(tmp_path, *lines)
    random.Random(1).shuffle(lines)
    assert data_of(tmp_path, *lines) == first


def test_figures_of_any_size(tmp_path: Path) -> None:
    data = data_of(tmp_path, scored("r", F(10) ** 40), scored("s", F(1, 10**40)))
    json.loads(script_json(data))
    assert [row[5] for row in data["runs"]] == [10**44, 0]


# Leaderboards


def test_the_best_agent_comes_first_and_nothing_scored_last(tmp_path: Path) -> None:
    found = results(tmp_path, scored("1", "1/2", agent="a"), scored("2", "1", agent="b"), void("3", agent="c"))
    (board,) = boards(summarize(found))
    assert [row.agent for row in board.rows] == ["b", "a", "c"]
    assert board.total is not None
    assert board.total.counts == ("–", "2", "1", "0", "–")
    last = board.rows[-1]
    assert [each.text for each in last.figures] == ["–"] * 5
    assert last.figures[1].notes == ("worst 0.0000, best 1.0000",)
    assert board.notes[-1] == "No value for c: no run was scored."


def test_runs_that_were_not_scored_bound_both_rates(tmp_path: Path) -> None:
    found = results(tmp_path, scored("1"), scored("2", incidents=["outage"]), void("3"), void("4"))
    (board,) = boards(summarize(found))
    figures = dict(zip(FIGURES, board.rows[0].figures, strict=True))
    assert figures["Resolved"].notes == ("1 of 2", "worst 0.2500, best 0.7500")
    assert figures["Incident rate"].notes == ("1 of 2", "worst 0.7500, best 0.2500")


def test_each_scenario_has_its_own(tmp_path: Path) -> None:
    found = results(tmp_path, scored("1", agent="a", scenario="x"), scored("2", "1/2", agent="a", scenario="y"))
    made = boards(summarize(found), summarize(found, ("scenario", "agent")))
    assert [board.scenario for board in made] == [None, "x", "y"]
    assert [board.rows[0].figures[0].text for board in made] == ["0.7500", "1.0000", "0.5000"]


def test_intervals_stand_with_their_figures(tmp_path: Path) -> None:
    found = results(tmp_path, *(scored(str(n), F(n, 10), task=f"t{n}") for n in range(8)))
    (board,) = boards(summarize(found, resampling=Resampling(resamples=200)))
    figure = board.rows[0].figures[0]
    assert figure.low is not None
    assert figure.high is not None
    assert figure.low < 0.35 < figure.high
    assert figure.notes == (span(figure.low, figure.high),)


def test_intervals_are_cut_outwards() -> None:
    assert span(0.12345, 0.12341) == "[0.1234, 0.1235]"
    assert span(-0.00001, 0.5) == "[-0.0001, 0.5000]"


def test_markdown_has_the_board_and_says_what_is_mixed(tmp_path: Path) -> None:
    found = results(tmp_path, scored("1", agent="a|b <i>"), scored("2", agent="c", ruleset=OTHER_DIGEST))
    summaries = summarize(found, allow_mixed=True)
    text = markdown(board_page("Report", boards(summaries), summaries))
    assert "Mixed rules: s was scored by 2 rulesets" in text
    assert r"| a\|b \<i\> | 1.0000 | 1.0000<br>1 of 1 |" in text


# The page


def page(records: list[Any], tmp_path: Path, title: str = "Report") -> str:
    found = read(tmp_path, *records)
    summaries = summarize(found, allow_mixed=True)
    made = boards(summaries)
    return report_html(title, page_data(found, [], made), made, summaries)


def test_texts_of_others_stay_texts(tmp_path: Path) -> None:
    records = [
        scored(HOSTILE, agent=HOSTILE, task=HOSTILE, scenario=HOSTILE, incidents=(HOSTILE,)) | {"warnings": [HOSTILE]},
        void("v", agent=HOSTILE) | {"void": HOSTILE},
    ]
    html = page(records, tmp_path, HOSTILE)
    plain = page([scored("r", incidents=("outage",)), void("v")], tmp_path)
    # The parser meets as many tags of each kind as where every text is harmless.
    for tag in ("<script", "</script", "<img", "<!--"):
        assert html.lower().count(tag) == plain.lower().count(tag), tag
    assert "&lt;img src=x onerror=taken=1&gt;" in html


@pytest.mark.parametrize("text", ["</script>", "<!--<script>", "a\u2028b\u2029", "\ud800", "&lt;", "\\", '"', "🦉"])
def test_data_cannot_leave_its_block(text: str) -> None:
    made = script_json({"text": text})
    assert not re.search("[<>&\u2028\u2029]", made)
    made.encode()
    assert json.loads(made) == {"text": text}


def test_the_policy_names_each_script_and_style_and_nothing_else(tmp_path: Path) -> None:
    html = page([scored("r")], tmp_path)
    scripts = re.findall(r"<script>(.*?)</script>", html, re.S)
    styles = re.findall(r"<style>(.*?)</style>", html, re.S)
    assert (len(scripts), len(styles)) == (2, 1)

    def source(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert found is not None
    rules = dict(rule.strip().split(" ", 1) for rule in found[1].replace("&#39;", "'").split(";"))
    assert rules == {
        "default-src": "'none'",
        "script-src": " ".join(map(source, scripts)),
        "style-src": " ".join(map(source, [*styles, ""])),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert policy(scripts, [*styles, ""]) == found[1].replace("&#39;", "'")


def test_the_page_links_to_nothing_outside(tmp_path: Path) -> None:
    html = page([scored("r")], tmp_path)
    own = re.sub(r"<script>.*?</script>", "", html, flags=re.S)
    assert re.findall(r'\s(?:src|href|action|data|srcset)="([^"]*)"', own) == ["#runs"]
    assert "url(" not in own
    assert "@import" not in own
    assert re.findall(r"\s(?:on\w+|style)=", own) == []


# The commands


def test_the_same_input_makes_the_same_bytes(tmp_path: Path) -> None:
    lines = list(shipped_scores())
    first = written(tmp_path / "scores.jsonl", *lines)
    out = tmp_path / "report.html"
    assert call("report", first, "--resamples", "100", "-o", out).exit_code == 0
    random.Random(2).shuffle(lines)
    second = written(tmp_path / "other.jsonl", *lines)
    command = [sys.executable, "-m", "outscore", "report", second, "--resamples", "100"]
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    again = subprocess.run(command, capture_output=True, env=environment, check=True).stdout
    assert again.decode() == out.read_text(encoding="utf-8")


def test_missing_runs_are_shown(tmp_path: Path) -> None:
    lines = [json.dumps(scored("a"))]
    plan = written(tmp_path / "plan.jsonl", *plan_of(lines, {"run": "b", "agent": "a"}))
    done = call(
        "report", written(tmp_path / "s.jsonl", *lines), "--plan", plan, "--no-intervals", "-o", tmp_path / "r.html"
    )
    assert done.exit_code == 0
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "planned, and no result was found" in html
    assert re.search(r"<dt>Missing</dt><dd>1</dd>", html)


def test_markdown_needs_no_plotting_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = written(tmp_path / "s.jsonl", scored("a", agent="model-a"))
    monkeypatch.setitem(sys.modules, "plotly", None)
    done = call("report", scores, "--format", "md", "--no-intervals")
    assert done.exit_code == 0
    assert done.stdout.startswith("### Score report\n\n| agent |")
    assert "| model-a | 1.0000 |" in done.stdout


def test_what_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "plotly" else real(name))
    done = call("report", written(tmp_path / "s.jsonl", scored("a")), "-o", tmp_path / "r.html")
    assert done.exit_code == 2
    assert "a report needs plotly: pip install 'outscore[report]'" in done.stderr
    assert not (tmp_path / "r.html").exists()


@pytest.mark.parametrize(
    ("records", "code", "words"),
    [
        ([scored("a"), scored("a")], 1, "is here a second time"),
        ([scored("a"), scored("b", ruleset=OTHER_DIGEST)], 1, "2 different sets of rules"),
        ([scored("a", cost="1/10") | {"account": [{"type": "wait", "exact": "x"}]}], 1, "the account cannot be read"),
        ([], 2, "no result in"),
    ],
)
def test_what_cannot_be_reported_leaves_no_file(records: list[Any], code: int, words: str, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    done = call("report", written(tmp_path / "s.jsonl", *records), "--no-intervals", "-o", out)
    assert done.exit_code == code
    assert words in done.stderr
    assert not out.exists()


# Pictures


@pytest.mark.parametrize(("form", "begin"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_a_waterfall_is_drawn_the_same_each_time(form: str, begin: bytes, tmp_path: Path) -> None:
    pictures = []
    for name in ("a", "b"):
        path = tmp_path / f"{name}.{form}"
        assert call("explain", CLAIMS, CLAIMS_RUNS, "--run", "r-0017", "--plot", path).exit_code == 0
        pictures.append(path.read_bytes())
    assert pictures[0] == pictures[1]
    assert pictures[0].startswith(begin)


def test_the_mark_crosses_out_no_label(tmp_path: Path) -> None:
    """The label of the score begins left of the mark and ends right of it; where it stands there is no green."""
    from matplotlib.image import imread
    from outscore.report.plot import waterfall_picture

    made = [Bar("uplift", F(0), F(3, 4), is_total=True), Bar("score", F(0), F(3, 4), is_total=True)]
    path = tmp_path / "a.png"
    path.write_bytes(waterfall_picture("x", made, "png"))
    red, green, blue = (imread(path)[..., channel] for channel in range(3))
    # The line's dashes are the only green; its label above the axes is left out.
    rows, columns = (((green - red > 0.15) & (green - blue > 0.05))[50:]).nonzero()
    line = rows[columns == max(columns, key=list(columns).count)]
    assert len(line) > 20
    dark = (red[50:] < 0.2)[:, max(columns) + 4 : max(columns) + 30]
    labels = dark.any(axis=1).nonzero()[0]
    assert len(labels) > 10
    inside = [row for row in line if row in labels]
    assert inside == []


def test_names_start_no_formula() -> None:
    from outscore.report.plot import waterfall_picture

    names = ("$\\frac{", "a$b$", "\n\t", "</text><script>", "x" * 400)
    made = [Bar("uplift", F(0), F(1), is_total=True), *(Bar(name, F(1), F(1, 2)) for name in names)]
    assert b"<script" not in waterfall_picture("$\\broken{", made, "svg")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((CLAIMS, "--plot", "a.svg"), "--plot needs RUNS"),
        ((CLAIMS, CLAIMS_RUNS, "--run", "r-0017", "--plot", "a.jpeg"), "ends in neither .svg nor .png"),
    ],
)
def test_what_cannot_be_drawn_is_said(arguments: tuple[str | Path, ...], words: str) -> None:
    done = call("explain", *arguments)
    assert done.exit_code == 2
    assert words in done.stderr


def test_a_void_run_has_no_waterfall(tmp_path: Path) -> None:
    void_run = next(json.loads(line)["run"] for line in CLAIMS_RUNS.read_text().splitlines() if '"void"' in line)
    done = call("explain", CLAIMS, CLAIMS_RUNS, "--run", void_run, "--plot", tmp_path / "a.svg")
    assert done.exit_code == 0
    assert "the run has no score" in done.stderr
    assert not (tmp_path / "a.svg").exists()
