"""What an editor shows of a ruleset: the real language server, asked as VS Code and Neovim ask it.

`make test-all` installs the server into tests/editor/node_modules; without it, the suite installs it itself. It is
skipped only where there is no node or no npm.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lsp import Client

NODE, NPM = shutil.which("node"), shutil.which("npm")
MISSING = " and ".join(name for name, path in (("node", NODE), ("npm", NPM)) if path is None)

pytestmark = [
    pytest.mark.needs_programs,
    pytest.mark.skipif(bool(MISSING), reason=f"the language server needs {MISSING}, not found here"),
]

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "editor"
SERVER = FOLDER / "node_modules" / "yaml-language-server" / "bin" / "yaml-language-server"
RULESET = (ROOT / "rulesets" / "claims_intake.yaml").read_text(encoding="utf-8")
# Nothing is to be fetched: the schema is the one that the ruleset's first line names.
SETTINGS = {"yaml": {"validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}}}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    if not SERVER.exists():
        done = subprocess.run([str(NPM), "ci", "--no-audit", "--no-fund"], cwd=FOLDER, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    with Client([str(NODE), str(SERVER), "--stdio"], ROOT, SETTINGS) as client:
        yield client


@pytest.fixture
def path(request: pytest.FixtureRequest) -> Path:
    """Where the text is said to stand, so that its schema line holds; each test has a file of its own."""
    return ROOT / "rulesets" / (re.sub(r"\W+", "-", request.node.name) + ".yaml")


def place_of(text: str, words: str, after: int = 0) -> tuple[int, int]:
    """The line and the character, from 0, that lie so far into the words' first occurrence."""
    before = text[: text.index(words) + after]
    return before.count("\n"), len(before) - before.rfind("\n") - 1


def labels(answer: Any) -> list[str]:
    items = answer if isinstance(answer, list) else answer["items"]
    return sorted(item["label"] for item in items)


@pytest.mark.parametrize("ruleset", sorted((ROOT / "rulesets").glob("*.yaml")), ids=lambda each: each.stem)
def test_the_shipped_rulesets_are_clean(client: Client, ruleset: Path) -> None:
    assert client.open(ruleset, ruleset.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("right", "wrong", "key"),
    [
        ("patience: 4", "patiense: 4", "patiense"),
        ("price: 0.05", "prise: 0.05", "prise"),
        ("free_days: 1", "freedays: 1", "freedays"),
        ("timezone: Europe", "time_zone: Europe", "time_zone"),
    ],
)
def test_a_typo_is_flagged_at_its_key(client: Client, path: Path, right: str, wrong: str, key: str) -> None:
    text = RULESET.replace(right, wrong, 1)
    found = client.open(path, text)
    line, character = place_of(text, wrong)
    marked = {
        "start": {"line": line, "character": character},
        "end": {"line": line, "character": character + len(key)},
    }
    assert [each["message"] for each in found if each["range"] == marked] == [f"Property {key} is not allowed."]


@pytest.mark.parametrize(
    ("value", "wrong"),
    [("direction: higher", "direction: up"), ("patience: 4", "patience: -1"), ("outscore: 1", "outscore: 2")],
)
def test_a_wrong_value_is_flagged_at_its_line(client: Client, path: Path, value: str, wrong: str) -> None:
    text = RULESET.replace(value, wrong, 1)
    found = client.open(path, text)
    assert [each["range"]["start"] for each in found] == [
        dict(zip(("line", "character"), place_of(text, wrong, wrong.index(" ") + 1), strict=True))
    ]


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("patience: 4", ["past_patience", "list price"]),
        ("past_patience: {times: 3}", ["patience"]),
        ("price_per_day", ["24"]),
        ("restrictions:", ["order"]),
        ("incidents:", ["gain"]),
    ],
)
def test_hover_says_what_a_key_does_to_the_score(client: Client, path: Path, key: str, said: list[str]) -> None:
    client.open(path, RULESET)
    answer = client.ask("hover", path, *place_of(RULESET, key, 2))
    # As shown: what Markdown would read as a mark of its own is escaped.
    words = answer["contents"]["value"].replace("\\", "")
    assert [each for each in said if each not in words] == [], words


@pytest.mark.parametrize(
    ("begun", "after"),
    [
        ("charge:\n        ", len("charge:\n        ")),
        # Within braces the server offers keys from their first letter on.
        ("charge: {p}", len("charge: {p")),
        ("charge: {x}", len("charge: {x")),
    ],
)
def test_inside_charge_exactly_its_three_keys_are_offered(client: Client, path: Path, begun: str, after: int) -> None:
    text = RULESET.replace("charge: {plus: 0.01}", begun, 1)
    client.open(path, text)
    assert labels(client.ask("completion", path, *place_of(text, begun, after))) == ["plus", "price", "times"]


def test_a_persons_keys_are_offered(client: Client, path: Path) -> None:
    text = RULESET.replace("      role: Signed the contract\n", "      role: Signed the contract\n      \n", 1)
    client.open(path, text)
    at = place_of(text, "Signed the contract\n      ", len("Signed the contract\n      "))
    assert labels(client.ask("completion", path, *at)) == ["past_patience", "patience"]


def test_the_values_of_direction_are_offered(client: Client, path: Path) -> None:
    text = RULESET.replace("direction: higher", "direction: ", 1)
    client.open(path, text)
    at = place_of(text, "direction: ", len("direction: "))
    assert labels(client.ask("completion", path, *at)) == ["higher", "lower"]
