"""`outscore explain` as it is called: price sheets and bills in every format, exit codes, files of runs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from outscore.cli import outscore
from outscore.cli.page import _lines
from outscore.explain.page import Cell, Code, Column, Page, Table
from outscore.journal import open_ledger
from outscore.loader import load
from rich.console import Console

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "explain"
RULES = "rulesets/claims_intake.yaml"
RUNS = "rulesets/claims_intake.runs.jsonl"
ON_CALL = "rulesets/on_call.yaml", "rulesets/on_call.runs.jsonl"


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def call(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    words = ["explain", *(str(each) for each in arguments)]
    return CliRunner().invoke(outscore, words, input=stdin, catch_exceptions=False)


def run(name: str, **rest: Any) -> dict[str, Any]:
    measures = {"recovered": 5000, "refunds": 400, "missed_urgent": 0}
    return {"run": name, "scenario": "claims_intake", "kpi": {"delivered": measures}, **rest}


def written(path: Path, *records: object) -> Path:
    path.write_text("".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in records))
    return path


GOLDENS = {
    "sheet.txt": (RULES,),
    "sheet.md": (RULES, "--format", "md"),
    "sheet.json": (RULES, "--format", "json"),
    "sheet_on_call.txt": (ON_CALL[0],),
    "bill.txt": (RULES, RUNS, "--run", "r-0017"),
    "bill.md": (RULES, RUNS, "--run", "r-0017", "--format", "md"),
    "bill.json": (RULES, RUNS, "--run", "r-0017", "--format", "json"),
    "bill_exactly_at_the_mark.txt": (RULES, RUNS, "--run", "r-0018"),
    "bill_just_short.txt": (RULES, RUNS, "--run", "r-0019"),
    "bill_past_patience.txt": (RULES, RUNS, "--run", "r-0021"),
    "bill_incident_found.txt": (RULES, RUNS, "--run", "r-0023", "--all"),
    "bill_on_call.txt": (*ON_CALL, "--run", "oc-106", "--all"),
    "bill_on_call.json": (*ON_CALL, "--run", "oc-106", "--all", "--format", "json"),
    "void.txt": (RULES, RUNS, "--run", "r-0026"),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_output_is_as_it_was(name: str, update_golden: bool) -> None:
    done = call(*GOLDENS[name])
    golden = GOLDEN / name
    if update_golden:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(done.stdout, encoding="utf-8")
    assert done.stdout == golden.read_text(encoding="utf-8")
    assert (done.exit_code, done.stderr) == (0, "")
    assert not any(line.endswith(" ") for line in done.stdout.splitlines() if name.endswith(".txt"))


def test_there_is_no_golden_that_nothing_makes() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(GOLDENS)


def test_the_account_of_a_bill_sums_up_to_its_cost() -> None:
    bill = json.loads((GOLDEN / "bill_on_call.json").read_text(encoding="utf-8"))
    assert sum(item["amount"]["value"] for item in bill["account"]) == pytest.approx(bill["contact_cost"]["value"])


# Which run is meant


def test_several_runs_need_a_choice() -> None:
    done = call(RULES, RUNS)
    assert (done.exit_code, done.stdout) == (2, "")
    ids = ", ".join(f"r-00{number}" for number in range(17, 29))
    assert done.stderr == f"outscore: {RUNS} has several runs; say which with --run: {ids}\n"


def test_of_very_many_runs_only_some_are_listed(tmp_path: Path) -> None:
    done = call(RULES, written(tmp_path / "runs.jsonl", *(run(f"r{number}") for number in range(500))))
    assert done.exit_code == 2
    assert done.stderr.endswith(", r38, r39, and more\n")


def test_a_run_that_is_not_there() -> None:
    done = call(RULES, RUNS, "--run", "r-0o17")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"outscore: no run in {RUNS} is called 'r-0o17'; did you mean 'r-0017'?\n"


def test_two_runs_of_one_id(tmp_path: Path) -> None:
    path = written(tmp_path / "runs.jsonl", run("a"), run("b"), run("a"))
    done = call(RULES, path, "--run", "a")
    assert done.exit_code == 2
    assert done.stderr == f"outscore: {path} has 2 runs called 'a': line 1, line 3; give a file with one of them\n"


def test_a_file_of_one_run_needs_no_choice(tmp_path: Path) -> None:
    assert call(RULES, written(tmp_path / "one.jsonl", run("only"))).stdout.startswith("Bill of run only\n")


def test_an_empty_file(tmp_path: Path) -> None:
    path = written(tmp_path / "none.jsonl")
    done = call(RULES, path)
    assert (done.exit_code, done.stderr) == (2, f"outscore: no run in {path}\n")


def test_a_choice_without_runs() -> None:
    done = call(RULES, "--run", "r-0017")
    assert done.exit_code == 2
    assert "--run needs RUNS" in done.stderr


def test_escaped_ids_are_found(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    lines = [json.dumps(run(name)).replace("Ü", "\\u00dc") for name in ("r1", "Übung", 'say "x"')]
    written(path, *lines)
    for name in ("Übung", 'say "x"', "r1"):
        done = call(RULES, path, "--run", name)
        assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"Bill of run {name}")


def test_every_form_of_file(tmp_path: Path) -> None:
    records = [run("a"), run("b", events=[{"type": "trial"}])]
    text = "\n".join(map(json.dumps, records))
    files = {
        "runs.jsonl": f"\ufeff{text}\n",
        "runs.txt": f"\n{text}",
        "runs.json": json.dumps(records, indent=1),
        "runs.yaml": "\n".join(f"- {json.dumps(each)}" for each in records),
    }
    shown = set()
    for name, content in files.items():
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        done = call(RULES, path, "--run", "b")
        assert done.exit_code == 0, name
        shown.add(done.stdout)
    assert len(shown) == 1
    one = tmp_path / "one.yml"
    one.write_text(json.dumps(records[0]))
    assert call(RULES, one).stdout.startswith("Bill of run a\n")
    assert call(RULES, "-", "--run", "b", stdin=text.encode()).stdout == shown.pop()


# Void, bad, and broken


def test_a_void_run() -> None:
    done = call(RULES, RUNS, "--run", "r-0026", "--format", "json")
    assert (done.exit_code, json.loads(done.stdout)["void"]) == (0, "grader timed out")


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (run("bad", events=[{"type": "contact", "to": "sponsor"}] * 2), "a rule reads 'hour'"),
        (run("bad", evnets=[]), "error[unknown-key]"),
        ({**run("bad"), "scenario": "on_call"}, "error[wrong-scenario]"),
        ("{", "error[syntax]"),
    ],
)
def test_a_bad_run_is_shown_with_its_error(tmp_path: Path, record: object, words: str) -> None:
    path = written(tmp_path / "runs.jsonl", record)
    done = call(RULES, path)
    assert done.exit_code == 1
    assert "cannot be scored" in done.stdout
    assert f"{path}:1" in done.stdout
    assert words in done.stdout
    for form in ("md", "json"):
        assert call(RULES, path, "--format", form).exit_code == 1
    assert json.loads(call(RULES, path, "--format", "json").stdout)["input"] == {"file": str(path), "line": 1}


def test_a_bad_yaml_file_of_runs(tmp_path: Path) -> None:
    path = written(tmp_path / "runs.yaml", "run: [")
    done = call(RULES, path)
    assert done.exit_code == 1
    assert "error[syntax]" in done.stdout


def test_a_ruleset_with_errors(tmp_path: Path) -> None:
    path = written(tmp_path / "rules.yaml", "outscore: 1", "scenario: s", "kpi: {direction: up}")
    done = call(path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "error[bad-value]" in done.stderr
    assert done.stderr.endswith(f"outscore: {path}: nothing to explain, the rules have errors\n")


def test_warnings_are_told_apart_from_the_sheet(tmp_path: Path) -> None:
    text = Path(RULES).read_text(encoding="utf-8").replace('to == "sponsor" and nth > 1', "1 > 2")
    done = call(written(tmp_path / "rules.yaml", text))
    assert done.exit_code == 0
    assert done.stdout.startswith("Price sheet")
    assert "warning[constant-condition]" in done.stderr


def test_a_folder_is_no_ruleset() -> None:
    assert call("rulesets").exit_code == 2


# What reaches a terminal


def test_control_characters_do_not_get_out(tmp_path: Path) -> None:
    text = Path(RULES).read_text(encoding="utf-8")
    text = text.replace("title: Straight", 'title: "\\e[2J\\a Straight').replace(
        "claims intake\n", 'claims intake"\n', 1
    )
    rules = written(tmp_path / "rules.yaml", text.replace("why: Nobody is on duty.", 'why: "\\e]0;x\\a\\nduty"'))
    event = {"type": "contact", "to": "e\x1b[31mvil\nid", "at": "2026-03-01T19:10"}
    path = written(tmp_path / "runs.jsonl", run("r\x1b[2J\x071", agent="\x9b1m", events=[event]))
    for form in ("text", "md"):
        for arguments in ([rules], [rules, path]):
            out = call(*arguments, "--format", form).stdout
            assert re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", out) == []
    assert "evil" not in call(rules, path).stdout
    assert json.loads(call(rules, path, "--format", "json").stdout)["run"] == "r\x1b[2J\x071"


def test_plain_when_piped_and_coloured_where_wanted() -> None:
    words = [sys.executable, "-m", "outscore", "explain", RULES, RUNS, "--run", "r-0017"]
    plain = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "NO_COLOR")}
    piped = subprocess.run(words, capture_output=True, text=True, env=plain, encoding="utf-8")
    assert piped.stdout == (GOLDEN / "bill.txt").read_text(encoding="utf-8")
    coloured = subprocess.run(
        words, capture_output=True, text=True, env={**plain, "FORCE_COLOR": "1"}, encoding="utf-8"
    )
    assert "\x1b[" in coloured.stdout


@pytest.mark.parametrize("width", [20, 40, 60, 80, 200])
def test_a_narrow_terminal_loses_nothing(width: int) -> None:
    texts = [
        "head_of_claims",
        "when hour < 9 or hour >= 18",
        "    hour < 9 is false",
        "claims_intake.yaml:26",
        "请求 理赔",
    ]
    page: Page = (Table(tuple(Column(f"c{n}") for n in range(5)), (tuple(Cell(((Code(each),),)) for each in texts),)),)
    screen = Console(file=StringIO(), width=width, force_terminal=True)
    lines = ["".join(text for text, _ in segments) for segments in _lines(page, screen)]
    shown = "".join(lines)
    assert sorted(re.sub(r"\s", "", "".join(texts) + "c0c1c2c3c4")) == sorted(re.sub(r"\s", "", shown))
    from rich.cells import cell_len

    assert all(cell_len(line) <= width for line in lines)
    if width == 200:
        assert len(lines) == 2


def test_very_many_people_are_cut_but_for_all(tmp_path: Path) -> None:
    people = "".join(f"    p{number}: {{price: 0.01}}\n" for number in range(2000))
    rules = f"outscore: 1\nscenario: s\nkpi: {{direction: higher}}\ncontacts:\n  people:\n{people}"
    path = written(tmp_path / "rules.yaml", rules)
    done = call(path)
    assert "and 1,960 more people; --all shows them" in done.stdout
    assert len(done.stdout.splitlines()) < 100
    assert "\np1999 " in call(path, "--all").stdout
    assert len(json.loads(call(path, "--format", "json").stdout)["contacts"]["people"]) == 2000


# The page of the reference

PAGE = ROOT / "docs" / "reference" / "explain.md"
_CONSOLE = re.compile(r"^```console\n\$ outscore ([^\n]*)\n(.*?)^```$", re.M | re.S)
_JSON = re.compile(r"^<!-- fragment -->\n```json\n(.*?)^```$", re.M | re.S)


@pytest.mark.parametrize(("command", "output"), _CONSOLE.findall(PAGE.read_text(encoding="utf-8")))
def test_what_the_page_shows_is_what_comes_out(command: str, output: str) -> None:
    done = CliRunner().invoke(outscore, command.split(), catch_exceptions=False)
    assert done.stdout == output


def test_the_json_that_the_page_shows_is_part_of_what_comes_out() -> None:
    made = [json.loads((GOLDEN / name).read_text(encoding="utf-8")) for name in ("sheet.json", "bill_on_call.json")]
    fragments = [json.loads(each) for each in _JSON.findall(PAGE.read_text(encoding="utf-8"))]
    assert len(fragments) == len(made)
    for fragment, record in zip(fragments, made, strict=True):
        assert list(fragment) == list(record)
        _is_part(fragment, record)


_NAMES = ("id", "event", "rule", "text", "from")
"""What tells one item of a list from the others."""


def _is_part(fragment: Any, record: Any) -> None:
    """Lists on the page show some of their items, "..." stands for anything, all else is to the letter."""
    if isinstance(fragment, dict):
        assert list(fragment) == list(record)
        for key, value in fragment.items():
            _is_part(value, record[key])
    elif isinstance(fragment, list) and any(isinstance(each, dict) for each in fragment):
        for value in fragment:
            near = [each for each in record if all(each.get(key) == value.get(key) for key in _NAMES)]
            assert near, value
            _is_part(value, near[0])
    elif fragment != "...":
        assert fragment == record


# Folders, and live ledgers


def test_a_folder_gives_the_ruleset_of_the_runs_scenario(tmp_path: Path) -> None:
    runs = ROOT / "rulesets" / "on_call.runs.jsonl"
    name = json.loads(runs.read_text().splitlines()[0])["run"]
    by_file = call(ROOT / "rulesets" / "on_call.yaml", runs, "--run", name)
    by_folder = call(ROOT / "rulesets", runs, "--run", name)
    assert (by_folder.exit_code, by_folder.stdout) == (by_file.exit_code, by_file.stdout)


@pytest.mark.parametrize(
    ("rulesets", "words"),
    [
        (["scenario: cass"], "has no ruleset of 'case'; did you mean 'cass'?"),
        ([], "has no ruleset of 'case'"),
        (["scenario: case", "scenario: case"], "has 2 rulesets of one scenario: "),
        (["scenario: case"], "nothing to explain, the rules have errors"),
    ],
)
def test_a_folder_that_gives_no_ruleset(rulesets: list[str], words: str, tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    for number, text in enumerate(rulesets):
        (folder / f"{number}.yaml").write_text(text)
    runs = tmp_path / "runs.jsonl"
    runs.write_text(json.dumps({"run": "r", "scenario": "case"}))
    done = call(folder, runs)
    assert done.exit_code == 2
    assert words in done.stderr


def test_a_price_sheet_is_of_one_ruleset() -> None:
    done = call(ROOT / "rulesets")
    assert done.exit_code == 2
    assert "a price sheet is of one ruleset" in done.stderr


def test_a_live_ledgers_file_is_explained_as_its_run_is(tmp_path: Path) -> None:
    path, runs = tmp_path / "live.jsonl", tmp_path / "runs.jsonl"
    with open_ledger(load(RULES), "r-1", path=path) as ledger:
        ledger.contact("sponsor", at="2026-03-02T10:00")
        opened = call(RULES, path)
        ledger.close({"delivered": {"recovered": 4460, "refunds": 400, "missed_urgent": 0}})
    runs.write_bytes(ledger.to_json())
    assert (opened.exit_code, "ledger-open" in opened.stdout) == (1, True)
    assert call(RULES, path).stdout == call(RULES, runs).stdout
    assert call(RULES, path).exit_code == 0


def test_of_a_run_that_cannot_be_read_a_folder_says_why(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    open_ledger(load(RULES), "r-1", path=path).release()
    done = call(ROOT / "rulesets", path)
    assert (done.exit_code, done.stdout) == (1, call(RULES, path).stdout)
