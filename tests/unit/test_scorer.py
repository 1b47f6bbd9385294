"""What a Scorer is: light, immutable in use, safe from many threads, and free of the language side."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import outscore
import pytest
from outscore.loader import load, loads

from tests.cases import ruleset_text, run_text

ROOT = Path(__file__).parents[2]


def test_scoring_imports_nothing_of_the_language_side(tmp_path: Path) -> None:
    scorer = load(ROOT / "rulesets" / "claims_intake.yaml")
    (tmp_path / "scorer.pickle").write_bytes(pickle.dumps(scorer))
    code = f"""
import pickle, sys
scorer = pickle.loads(open({str(tmp_path / "scorer.pickle")!r}, "rb").read())
runs = open({str(ROOT / "rulesets" / "claims_intake.runs.jsonl")!r}, "rb").read().splitlines()
written = [getattr(scorer.score(run), "to_json", bytes)() for run in runs]
assert len(written) > 8
# One that only the general path can take, and one that cannot be scored.
run = {{"run": "r", "scenario": "claims_intake", "incidents": ["unknown"],
       "kpi": {{"delivered": {{"recovered": 1, "refunds": 2, "missed_urgent": 0}}}}}}
assert scorer.score(run).warnings
assert [type(each).__name__ for each in scorer.score_many([{{}}])] == ["RunError"]
found = {{name.split(".")[0] for name in sys.modules}}
print(*sorted(found & {{"pydantic", "jsonschema", "simpleeval", "yaml", "click", "rich"}}))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("\n", "")


def test_importing_the_package_imports_next_to_nothing() -> None:
    code = "import sys, typing; before = set(sys.modules); import outscore; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert {name.partition(".")[0] for name in done.stdout.split()} <= {"outscore", "__future__", "importlib"}
    assert not done.stderr


def test_every_public_name_resolves() -> None:
    assert set(outscore.__all__) <= set(dir(outscore))
    for name in outscore.__all__:
        assert getattr(outscore, name) is not None
    with pytest.raises(AttributeError):
        outscore.nothing  # noqa: B018


def test_many_threads_get_the_same_bytes() -> None:
    scorer = load(ROOT / "rulesets" / "on_call.yaml")
    lines = (ROOT / "rulesets" / "on_call.runs.jsonl").read_bytes().splitlines() * 20

    def written(line: bytes) -> bytes:
        score = scorer.score(line)
        return score.to_json() if isinstance(score, outscore.Score) else b""

    alone = [written(line) for line in lines]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(written, lines)) == alone


def test_scorers_compare_and_hash_by_meaning() -> None:
    scorer, same = loads(ruleset_text()), loads(ruleset_text() + "\n# a comment\n")
    other = loads(ruleset_text({"contacts": {"people": {"clerk": {"price": 1}}}}))
    assert scorer == same
    assert len({scorer, same, other}) == 2


def test_load_all(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(ruleset_text())
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "b.yml").write_text(ruleset_text({"scenario": "other"}))
    (tmp_path / "a.runs.yaml").write_text(run_text())
    assert sorted(outscore.load_all(tmp_path)) == ["case", "other"]
    (tmp_path / "c.yaml").write_text(ruleset_text({"scenario": "other"}))
    (tmp_path / "d.yaml").write_text("outscore: 2\n")
    with pytest.raises(outscore.RulesetError) as caught:
        outscore.load_all(tmp_path)
    files = {Path(each.span.file).name for each in caught.value.diagnostics if each.span}
    assert files == {"b.yml", "d.yaml"}
    with pytest.raises(FileNotFoundError):
        outscore.load_all(tmp_path / "nothing")
