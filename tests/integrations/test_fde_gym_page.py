"""The page on FDE-Gym: its files come out as it shows them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from outscore.cli import outscore

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "fde-gym.md"
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


def block(language: str, start: str) -> str:
    (found,) = [text for kind, text in BLOCKS if kind == language and text.startswith(start)]
    return str(found)


def test_the_page_shows_what_comes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("port_yard").mkdir()
    Path("port_yard/npcs.json").write_text(block("json", '{\n  "npcs"'), encoding="utf-8")
    Path("ask.jsonl").write_text(block("", '{"at"'), encoding="utf-8")
    Path("result.json").write_text(block("json", '{\n  "kpi"'), encoding="utf-8")
    commands = block("", "outscore import").splitlines()
    for command in commands:
        line, _, to = command.partition(" >> ")
        done = CliRunner().invoke(outscore, line.split()[1:], catch_exceptions=False)
        assert (done.exit_code, done.stderr) == (0, "")
        if to:
            assert json.loads(done.stdout) == json.loads(block("json", '{"run"'))
    assert Path("port_yard.yaml").read_text(encoding="utf-8") == block("yaml", "#")
    assert done.stdout == block("", "Audit of")
