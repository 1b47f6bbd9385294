"""New rulesets: in order as they stand, and beside a schema that their first line leads to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from outscore.casetest import read_suite, run_suite
from outscore.fmt import format_ruleset
from outscore.loader import check
from outscore.new import SCHEMA_NAME, as_id, is_id, new_ruleset, ruleset_text
from outscore.plan import Direction
from outscore.resources import schema_text


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("scenario", ["s", "claims_intake", "a__1_"])
def test_a_new_ruleset_is_in_order_as_it_stands(scenario: str, direction: Direction) -> None:
    source = ruleset_text(scenario, direction, "ruleset.schema.json").encode()
    checked = check(source, "new.yaml", lint=True)
    assert [each.message for each in checked.diagnostics] == []
    assert checked.ruleset is not None
    assert (checked.ruleset.scenario, checked.ruleset.kpi.direction) == (scenario, direction)
    made = format_ruleset(source, "new.yaml")
    assert made.after == source.decode()


def test_the_number_is_one_that_is_better_so() -> None:
    kpis = {}
    for direction in ("higher", "lower"):
        ruleset = check(ruleset_text("desk", direction, "x").encode(), "new.yaml").ruleset
        assert ruleset is not None
        kpis[direction] = (ruleset.kpi.name, ruleset.kpi.unit)
    assert kpis == {"higher": ("Net benefit", "EUR per week"), "lower": ("Cost of mistakes", "EUR per week")}


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_its_two_tests_hold_and_reach_everything(direction: Direction) -> None:
    suite = read_suite(ruleset_text("desk", direction, "x").encode(), "new.yaml")
    result = run_suite(suite, coverage=True)
    assert [each.failures for each in result.results] == [(), ()]
    assert [each.score is not None and each.score.resolved for each in result.results] == [True, False]
    assert result.coverage is not None
    assert [place for place in result.coverage.places if not result.coverage.is_reached(place)] == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("claims-intake", "claims_intake"),
        ("Claims Intake 2", "claims_intake_2"),
        ("  --Ärger & Straße!  ", "arger_strae"),
        ("9lives", "s_9lives"),
        ("_x", "x"),
        ("a\n", "a"),
        ("理赔", None),
        ("", None),
    ],
)
def test_what_is_no_id_is_turned_into_one(text: str, wanted: str | None) -> None:
    assert not is_id(text)
    assert as_id(text) == wanted
    assert wanted is None or is_id(wanted)


@pytest.mark.parametrize(
    ("there", "path", "schema"),
    [
        # Where the tree has none, in a folder beside that of the rulesets, or beside the ruleset.
        ([], "desk.yaml", "ruleset.schema.json"),
        ([], "rulesets/desk.yaml", "schemas/ruleset.schema.json"),
        ([], "a/b/desk.yaml", "a/b/ruleset.schema.json"),
        # What the tree has is named.
        (["schemas/ruleset.schema.json"], "desk.yaml", "schemas/ruleset.schema.json"),
        (["schemas/ruleset.schema.json"], "rulesets/desk.yaml", "schemas/ruleset.schema.json"),
        (["schemas/ruleset.schema.json", ".git"], "a/b/desk.yaml", "schemas/ruleset.schema.json"),
        (["a/ruleset.schema.json", "schemas/ruleset.schema.json"], "a/desk.yaml", "a/ruleset.schema.json"),
        # But not what lies outside of it.
        (["schemas/ruleset.schema.json", "a/pyproject.toml"], "a/rulesets/desk.yaml", "a/schemas/ruleset.schema.json"),
        (["schemas/ruleset.schema.json"], "a/b/desk.yaml", "a/b/ruleset.schema.json"),
    ],
)
def test_the_first_line_leads_to_the_schema(
    there: list[str], path: str, schema: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in there:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(schema_text("ruleset") if name.endswith(SCHEMA_NAME) else "", encoding="utf-8")
    made = new_ruleset("desk", Path(path), "higher")
    assert (made.is_schema_there, made.is_schema_other) == (schema in there, False)
    made.write()
    line = Path(path).read_text(encoding="utf-8").splitlines()[0]
    named = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", line)
    assert named is not None
    found = Path(path).parent / named[1]
    assert found.resolve() == Path(schema).resolve()
    assert found.read_text(encoding="utf-8") == schema_text("ruleset")
    assert {each.relative_to(tmp_path) for each in tmp_path.rglob(SCHEMA_NAME)} == {
        Path(name) for name in (*there, schema) if name.endswith(SCHEMA_NAME)
    }


def test_nothing_is_written_over(tmp_path: Path) -> None:
    schema = tmp_path / SCHEMA_NAME
    schema.write_text("{}", encoding="utf-8")
    made = new_ruleset("desk", tmp_path / "desk.yaml", "higher")
    assert (made.is_schema_there, made.is_schema_other) == (True, True)
    made.write()
    with pytest.raises(FileExistsError):
        made.write()
    assert schema.read_text(encoding="utf-8") == "{}"
