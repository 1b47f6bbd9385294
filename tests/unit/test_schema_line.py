"""The comment that leads editors to the schema: what is said of it, and where."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from outscore.cli.rule import read_sections
from outscore.diagnostics import Code, render
from outscore.loader import check
from outscore.resources import diagnostics_page, schema_text

BODY = """\
outscore: 1
scenario: demo
kpi: {direction: higher}
tests:
  - name: as good as the expert
    run: {kpi: {baseline: 0, delivered: 10, reference: 10}}
    expect: {resolved: true}
"""
LINE = "# yaml-language-server: $schema="
ANOTHER = "is not the schema of this version"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder `rules` with the schema beside it and in it, and files that are something else."""
    folder = tmp_path / "rules"
    folder.mkdir()
    ours = schema_text("ruleset")
    (tmp_path / "ours.json").write_text(ours, encoding="utf-8")
    (folder / "near.json").write_text(ours, encoding="utf-8")
    (folder / "laid_out.json").write_text(json.dumps(json.loads(ours)), encoding="utf-8")
    (folder / "crlf.json").write_bytes(ours.replace("\n", "\r\n").encode())
    (folder / "old.json").write_text(ours.replace("patience", "patients"), encoding="utf-8")
    (folder / "broken.json").write_text(ours[:-10], encoding="utf-8")
    (folder / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    (folder / "large.json").write_text(" " * 5_000_000 + ours, encoding="utf-8")
    (folder / "folder.json").mkdir()
    return folder


def found(text: str, folder: Path) -> list[str]:
    checked = check(text.encode(), "r.yaml", lint=True, folder=folder)
    return [render(each).splitlines()[0] for each in checked.diagnostics]


@pytest.mark.parametrize(
    "head",
    [
        f"{LINE}near.json\n",
        f"{LINE}./near.json\n",
        f"{LINE}../ours.json\n",
        f"{LINE}crlf.json\n",
        f"{LINE}laid_out.json\n",
        f"{LINE}near.json  and words behind it\n",
        f"{LINE}near.json#/fragment\n",
        f"# Notes.\n\n{LINE}near.json\n# More.\n---\n",
        f"---\n{LINE}near.json\n",
        f"%YAML 1.2\n---\n{LINE}near.json\n",
        f"\ufeff{LINE}near.json\n",
        f"{LINE}near.json\r\n",
        "# $schema: near.json\n",
        "#  yaml-language-server : $schema=near.json\n",
        # The first one counts.
        f"{LINE}near.json\n{LINE}old.json\n",
        # What is behind these is not known, and never asked.
        f"{LINE}https://example.org/ruleset.schema.json\n",
        f"{LINE}vscode://schemas/ruleset\n",
        "# outscore: allow schema-line\n",
        f"# outscore: allow schema-line\n{LINE}old.json\n",
        f"{LINE}old.json\n# outscore: allow schema-line\n",
    ],
)
def test_nothing_is_said(head: str, folder: Path) -> None:
    assert found(head + BODY, folder) == []


@pytest.mark.parametrize(
    ("head", "place", "words"),
    [
        ("", "1:1", "no comment names a schema"),
        ("# Notes.\n", "2:1", "no comment names a schema"),
        ("#yaml-language-server: $schema=near.json\n", "2:1", "no comment names a schema"),
        ("# yaml-language-server: near.json\n", "2:1", "no comment names a schema"),
        (f"{LINE}far.json\n", "1:33", "leads to 'far.json', where no file is"),
        (f"{LINE}folder.json\n", "1:33", "where no file is"),
        (f"# Notes.\n{LINE}old.json\n", "2:33", ANOTHER),
        (f"{LINE}broken.json\n", "1:33", ANOTHER),
        (f"{LINE}deep.json\n", "1:33", ANOTHER),
        (f"{LINE}large.json\n", "1:33", ANOTHER),
        (f"{LINE}old.json\n{LINE}near.json\n", "1:33", ANOTHER),
        (f"{LINE}none\n", "1:33", "where no file is"),
        (f"{LINE}{'x' * 5_000}\n", "1:33", "leads to"),
        (f"{LINE}a%00b\n", "1:33", "where no file is"),
    ],
)
def test_it_is_said_at_its_place(head: str, place: str, words: str, folder: Path) -> None:
    (line,) = found(head + BODY, folder)
    assert line.startswith(f"r.yaml:{place}: warning[schema-line]: ")
    assert words in line


def test_a_line_below_the_first_key_is_none(folder: Path) -> None:
    assert len(found(f"{BODY}{LINE}near.json\n", folder)) == 1


def test_a_whole_path_and_a_file_url_lead_there_too(folder: Path) -> None:
    (folder / "with blank").mkdir()
    (folder / "with blank" / "s.json").write_text(schema_text("ruleset"), encoding="utf-8")
    assert found(f"{LINE}{folder / 'near.json'}\n{BODY}", Path("elsewhere")) == []
    uri = (folder / "with blank" / "s.json").as_uri()
    assert "%20" in uri
    assert found(f"{LINE}{uri}\n{BODY}", Path("elsewhere")) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.json")
    (line,) = found(f"{LINE}pipe.json\n{BODY}", folder)
    assert "where no file is" in line


def test_it_comes_only_when_there_are_no_errors(folder: Path) -> None:
    (line,) = found(BODY.replace("demo", "Demo"), folder)
    assert "error[bad-id]" in line


def test_without_a_folder_nothing_is_said_of_it_nor_of_its_allowance() -> None:
    for head in ("", f"{LINE}far.json\n", "# outscore: allow schema-line\n"):
        assert check((head + BODY).encode(), "r.yaml", lint=True).diagnostics == ()


def test_an_allowance_that_is_not_needed_is_a_finding(folder: Path) -> None:
    (line,) = found(f"{LINE}near.json\n# outscore: allow schema-line\n{BODY}", folder)
    assert "warning[unused-allow]: there is no warning 'schema-line'" in line


def test_the_page_shows_what_comes_out(tmp_path: Path) -> None:
    (section,) = (each for each in read_sections(diagnostics_page()) if each.code == Code.SCHEMA_LINE)
    bad, output, good = re.findall(r"^```\w+\n(.*?)^```$", section.body, re.M | re.S)
    monkeypatch = pytest.MonkeyPatch()
    with monkeypatch.context() as context:
        context.chdir(tmp_path)
        (tmp_path / "ruleset.schema.json").write_text(schema_text("ruleset"), encoding="utf-8")
        checked = check(bad.encode(), "ruleset.yaml", lint=True, folder=Path())
        assert "".join(render(each, checked.text) + "\n" for each in checked.diagnostics) == output
        assert check(good.encode(), "ruleset.yaml", lint=True, folder=Path()).diagnostics == ()
