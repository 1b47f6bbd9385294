"""`outscore rule` as it is called, and the page it reads."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result
from outscore import resources
from outscore.cli import outscore
from outscore.cli.rule import as_text, read_sections
from outscore.resources import diagnostics_page


def call(*arguments: str) -> Result:
    return CliRunner().invoke(outscore, ["rule", *arguments], catch_exceptions=False)


@pytest.mark.parametrize("written", ["missing-why", "warning[missing-why]", "[missing-why]", " missing-why "])
def test_a_code_is_explained_with_a_bad_and_a_good_example(written: str) -> None:
    done = call(written)
    assert (done.exit_code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:3] == ["missing-why", "", "A restriction or an incident does not say why."]
    assert "    ruleset.yaml:8:12: warning[missing-why]: restriction 'late' does not say why" in lines
    assert lines.count("    outscore: 1") == 2
    assert "```" not in done.stdout


def test_without_a_code_all_are_listed_with_a_line_each() -> None:
    done = call()
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert "Lint" in lines
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    assert listed == [section.code for section in read_sections(diagnostics_page())]
    assert all(line.split(maxsplit=1)[1] for line in lines if line.startswith("  "))
    assert "  missing-why" in {line[:13] for line in lines}


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("missing-wy", "no finding has the code 'missing-wy'; did you mean 'missing-why'?"),
        ("warning[missing_why]", "no finding has the code 'missing_why'; did you mean 'missing-why'?"),
        ("zzz", "no finding has the code 'zzz'"),
        ("\x1b[31m", "no finding has the code '\ufffd[31m'"),
    ],
)
def test_an_unknown_code_gets_a_suggestion(written: str, words: str) -> None:
    done = call(written)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"outscore: {words}\n")


def test_a_missing_page_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> str:
        raise resources.ResourceMissingError("the page of diagnostics is missing from this installation of outscore")

    monkeypatch.setattr(resources, "diagnostics_page", missing)
    done = call("missing-why")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "is missing from this installation" in done.stderr


PAGE = """\
# Diagnostics

What stands here belongs to no code.

## Text

### `too-large`

<!-- a mark -->
The file is [too large](limits.md): it has more
than **two** megabytes. And so on.

```yaml
### missing-key
outscore: 1
```

#### A heading within

More of it.

### Not a code

Nothing.

## Shape

### missing-key
A key is missing.
"""


def test_sections_are_those_whose_headings_are_codes() -> None:
    first, second = read_sections(PAGE)
    assert (first.code, first.group, first.summary) == ("too-large", "Text", "The file is too large")
    assert (second.code, second.group, second.summary) == ("missing-key", "Shape", "A key is missing")
    assert "### missing-key" in first.body
    assert first.body.endswith("More of it.")
    assert "Nothing" not in first.body + second.body


def test_markdown_becomes_plain_lines() -> None:
    first, _ = read_sections(PAGE)
    assert list(as_text(first.body)) == [
        "The file is too large: it has more",
        "than two megabytes. And so on.",
        "",
        "    ### missing-key",
        "    outscore: 1",
        "",
        "#### A heading within",
        "",
        "More of it.",
    ]
