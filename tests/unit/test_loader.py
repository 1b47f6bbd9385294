"""What loading brings in, and what it leaves out: a ruleset in order pays for nothing that only others need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from outscore.diagnostics import RulesetError, render
from outscore.loader import check, load_all

ROOT = Path(__file__).parents[2]
GOOD = "outscore: 1\nscenario: demo\nkpi: {direction: higher}\n"

CHILD = """
import sys
from outscore.loader import check
checked = check(sys.argv[1].encode(), "r.yaml")
print(checked.ruleset is not None)
print(*sorted(sys.modules))
"""


def modules(text: str) -> tuple[bool, set[str]]:
    done = subprocess.run([sys.executable, "-c", CHILD, text], capture_output=True, text=True, check=True)
    taken, names = done.stdout.splitlines()
    return taken == "True", set(names.split())


def test_a_ruleset_in_order_needs_no_wording_and_no_scoring() -> None:
    taken, loaded = modules(GOOD + "trials: {count: true, prices: [0], restrictions: [{id: a, charge: {times: 2}}]}\n")
    assert taken
    assert "outscore.ruleset.model" in loaded
    unwanted = ("jsonschema", "outscore.schema.check", "outscore.compiler", "outscore.scorer", "outscore.lint", "click")
    assert loaded.isdisjoint(unwanted)


def test_a_ruleset_of_the_wrong_shape_is_told_in_the_schemas_words() -> None:
    taken, loaded = modules(GOOD + "tittle: Demo\n")
    assert not taken
    assert "jsonschema" in loaded
    (finding,) = check((GOOD + "tittle: Demo\n").encode(), "r.yaml").diagnostics
    assert finding.hint == "did you mean 'title'?"


def test_what_is_no_yaml_needs_no_model() -> None:
    taken, loaded = modules(GOOD + "title: @\n")
    assert not taken
    assert loaded.isdisjoint({"pydantic", "jsonschema", "outscore.ruleset"})


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_what_is_in_another_encoding_is_not_shown_as_if_it_were_text(codec: str) -> None:
    checked = check(GOOD.encode(codec), "r.yaml")
    assert checked.text == ""
    assert [render(each, checked.text) for each in checked.diagnostics] == [
        "r.yaml:1:1: error[bad-encoding]: the file is UTF-16 or UTF-32; UTF-8 is wanted\n  hint: save the file as UTF-8"
    ]


def test_a_few_bad_bytes_are_shown_where_they_stand() -> None:
    checked = check(GOOD.encode() + "title: Köln\n".encode("latin-1"), "r.yaml")
    assert "title: K\ufffdln" in render(checked.diagnostics[0], checked.text)


def test_the_findings_of_a_folder_come_together(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    (tmp_path / "b.yaml").write_text(GOOD)
    (tmp_path / "c.yaml").write_text("scenario: other\n")
    with pytest.raises(RulesetError) as caught:
        load_all(tmp_path)
    assert sorted({each.span.file for each in caught.value.diagnostics if each.span}) == [
        str(tmp_path / "b.yaml"),
        str(tmp_path / "c.yaml"),
    ]
