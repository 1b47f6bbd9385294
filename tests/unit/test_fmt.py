"""The formatter: one canonical form, nothing lost on the way to it, and never another meaning."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from outscore.compiler import compile_ruleset
from outscore.document.comments import comments_of
from outscore.fmt import CannotFormatError, Formatted, format_ruleset
from outscore.fmt.difference import difference
from outscore.fmt.layout import WIDTH, lay_out
from outscore.fmt.order import RULESET, Each, Keys, Shape
from outscore.fmt.reading import read_tree
from outscore.fmt.replace import replace_file
from outscore.loader import check
from outscore.schema import generate

from tests.generate import ruleset
from tests.roughen import roughen

ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / "rulesets").glob("*.yaml"))
RULESETS = [*SHIPPED, *sorted((ROOT / "tests" / "rulesets" / "ok").glob("*.yaml"))]

HEAD = "outscore: 1\nscenario: s\n\nkpi: {direction: higher}\n"


def formatted(text: str | bytes) -> str:
    made = format_ruleset(text.encode() if isinstance(text, str) else text, "rules.yaml")
    assert made.after is not None, made.diagnostics
    return made.after


def check_form(text: str, wanted: str) -> None:
    """The text comes out as wanted, and that is a form that stays."""
    assert formatted(text) == wanted
    assert formatted(wanted) == wanted


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_shipped_rulesets_are_in_canonical_form(path: Path) -> None:
    source = path.read_bytes()
    made = format_ruleset(source, path.name)
    assert made.after is not None
    assert made.after.encode() == source
    assert not made.is_changed


# Order


def test_the_keys_of_the_format_come_in_its_order() -> None:
    check_form(
        """\
incidents: {b: {when: delivered.kpi < 0, why: Because.}, a: {}}
waiting: {free_days: 1, price_per_day: 0, count: true}
trials: {prices: [0], count: true}
kpi: {pinned: {reference: 2, baseline: 1}, direction: higher, unit: EUR, name: K}
contacts:
  restrictions:
  - charge: {plus: 0}
    when: nth > 1
    why: W.
    id: r
  anyone_else: {price: 0}
  people:
    z: {past_patience: {times: 2}, patience: 1, price: 0, role: R}
    a: {price: 0}
fields: {u: text, c: [z, x]}
scenario: s
outscore: 1
tests:
- expect: {resolved: true, score: 1}
  run:
    events:
    - {u: a, answered: true, at: 2026-03-02T10:00, to: a, type: contact, c: x}
    - {at: 2026-03-02T11:00, hours: 1, type: wait}
    incidents: []
    data: {reference: d, delivered: d}
    kpi: {reference: 2, delivered: 2}
    task: t
  name: all
timezone: UTC
description: D
title: T
""",
        """\
outscore: 1
scenario: s
title: T
description: D
timezone: UTC

kpi: {name: K, unit: EUR, direction: higher, pinned: {baseline: 1, reference: 2}}

fields: {u: text, c: [z, x]}

contacts:
  people:
    z: {role: R, price: 0, patience: 1, past_patience: {times: 2}}
    a: {price: 0}
  anyone_else: {price: 0}
  restrictions:
    - id: r
      why: W.
      when: nth > 1
      charge: {plus: 0}

trials: {count: true, prices: [0]}

waiting: {count: true, price_per_day: 0, free_days: 1}

incidents: {b: {why: Because., when: delivered.kpi < 0}, a: {}}

tests:
  - name: all
    run:
      task: t
      kpi: {delivered: 2, reference: 2}
      incidents: []
      data: {delivered: d, reference: d}
      events:
        - {type: contact, to: a, at: 2026-03-02T10:00, answered: true, u: a, c: x}
        - {type: wait, hours: 1, at: 2026-03-02T11:00}
    expect: {resolved: true, score: 1}
""",
    )


def test_the_order_has_every_key_of_the_schema() -> None:
    schema = generate("ruleset")
    assert set(RULESET.shapes) == set(schema["properties"])
    # Events take fields of the author's too, and what is expected keeps the author's order.
    _has_every_key(RULESET, schema)


def _has_every_key(shape: Shape, schema: Any) -> None:
    if isinstance(shape, Each):
        inner = schema.get("items") or next(
            each for each in (schema.get("additionalProperties"), *schema.get("patternProperties", {}).values()) if each
        )
        _has_every_key(shape.shape, inner)
    elif isinstance(shape, Keys) and "properties" in schema:
        keys = set(schema["properties"])
        assert set(shape.shapes) == keys or shape.shapes.keys() > keys
        for name, inner in schema["properties"].items():
            _has_every_key(shape.shapes[name], inner)


def test_holders_stay_in_front_of_their_section_and_anchors_in_front_of_aliases() -> None:
    check_form(
        """\
x-late: {resolved_at: [3, 1, 2]}
outscore: 1
scenario: s
x-run: &run {kpi: {reference: 1, delivered: 1, baseline: 0}}
tests:
  - {name: all, expect: {score: 1}, run: *run}
kpi: {direction: higher}
contacts:
  restrictions:
    - {id: a, charge: {plus: &p 0.01}}
  people:
    b: {price: *p}
    c: &c {price: 0}
    d: {role: D, <<: *c}
""",
        """\
outscore: 1
scenario: s

x-late: {resolved_at: [3, 1, 2]}

kpi: {direction: higher}

contacts:
  restrictions:
    - {id: a, charge: {plus: &p 0.01}}
  people:
    b: {price: *p}
    c: &c {price: 0}
    d: {<<: *c, role: D}

x-run: &run {kpi: {reference: 1, delivered: 1, baseline: 0}}

tests:
  - {name: all, run: *run, expect: {score: 1}}
""",
    )


# Layout


def test_brackets_stay_where_they_fit_on_the_line() -> None:
    fits = "a" * (WIDTH - len("  why: {why: }") - len("incidents: {b: {why: }}") + len("  why: {why: }"))
    check_form(f"{HEAD}\nincidents: {{ b: {{why:\n      {fits} }} }}\n", f"{HEAD}\nincidents: {{b: {{why: {fits}}}}}\n")
    check_form(
        f"{HEAD}\nincidents: {{b: {{why: {fits}a}}}}\n",
        f"{HEAD}\nincidents:\n  b: {{why: {fits}a}}\n",
    )


def test_what_does_not_fit_is_spread_level_by_level() -> None:
    values = ", ".join(f"value_number_{number}" for number in range(6))
    long = f"{values}, {values.replace('value', 'other')}"
    spread = "\n".join(f"    - {each}" for each in long.split(", "))
    check_form(
        f"{HEAD}\nfields: {{a: [{long}], b: text}}\n",
        f"{HEAD}\nfields:\n  a:\n{spread}\n  b: text\n",
    )


def test_a_json_ruleset_keeps_its_quotes() -> None:
    check_form(
        '{"kpi": {"direction":"higher"},\n "outscore":1, "scenario": "s"}',
        '"outscore": 1\n"scenario": "s"\n\n"kpi": {"direction": "higher"}\n',
    )


def test_blank_lines_are_the_authors_but_for_one_before_each_section() -> None:
    check_form(
        "outscore: 1\n\n\nscenario: s\ntitle: T\n\nkpi:\n\n  name: K\n\n\n  direction: higher\nfields: {a: text}\n\n\n",
        "outscore: 1\n\nscenario: s\ntitle: T\n\nkpi:\n  name: K\n\n  direction: higher\n\nfields: {a: text}\n",
    )


def test_line_ends_and_the_byte_order_mark() -> None:
    source = b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode()
    made = format_ruleset(source, "rules.yaml")
    assert (made.after, made.is_changed, made.dropped) == (HEAD, True, ("byte order mark", "CRLF"))
    assert difference(made) == ""


def test_marks_of_the_document_stay_and_its_end_does_not() -> None:
    text = f"# a\n%YAML 1.2 # b\n--- # c\n# d\n{HEAD}...\n# e\n"
    check_form(text, f"# a\n# b\n%YAML 1.2\n---\n# c\n# d\n{HEAD}# e\n")


def test_numbers_and_texts_keep_their_spelling() -> None:
    prices = ["0.3333333333333333333333333333333333333333", "2.50E-3", "1e-40", "0.10", "+1.0", ".5", "5.", "-0.0"]
    lines = "".join(f"    p{number}: {{price: {price}}}\n" for number, price in enumerate(prices))
    texts = "title: 'it''s'\ndescription: \"\\u00e9 \\\n  \\ b\"\n"
    text = f"outscore: 1.0\nscenario: s\n{texts}\nkpi: {{direction: 'higher'}}\n\ncontacts:\n  people:\n{lines}"
    check_form(text, text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # Of a text over several lines only the indentation is the layout's.
        ("plain\n      and on\n\n\n        and on", "plain\n  and on\n\n\n  and on"),
        ("'quoted\n and  on '", "'quoted\n  and  on '"),
        ('"a \\\n      \\  b\n \n   c"', '"a \\\n  \\  b\n\n  c"'),
        ("|\n      a\n       b\n\n      c\n\n", "|\n  a\n   b\n\n  c"),
        (">-\n a\n b", ">-\n  a\n  b"),
        ("|1\n  a\n b", "|2\n   a\n  b"),
        ("|-4\n      a\n    b", "|2-\n    a\n  b"),
        ("|  # c\n    a", "|  # c\n  a"),
        ("&t |\n    a", "&t |\n  a"),
        ("&t   'a'", "&t 'a'"),
        ("\n    a  # c", "a  # c"),
    ],
)
def test_texts_over_several_lines_keep_their_lines(text: str, wanted: str) -> None:
    rest = "\n\nkpi: {direction: higher}\n"
    check_form(f"outscore: 1\nscenario: s\ntitle: {text}{rest}", f"outscore: 1\nscenario: s\ntitle: {wanted}{rest}")


def test_blank_lines_that_belong_to_a_text_stay_as_many() -> None:
    text = "outscore: 1\nscenario: s\ntitle: |+\n  a\n\n\nkpi: {direction: higher}\n"
    check_form(text, text)
    check_form(text.replace("kpi", "# c\nkpi"), text.replace("kpi", "# c\nkpi"))


def test_a_file_that_ends_within_a_text_still_says_the_same() -> None:
    check_form(
        "outscore: 1\nscenario: s\nkpi: {direction: higher}\ntitle: |\n  a",
        "outscore: 1\nscenario: s\ntitle: |-\n  a\n\nkpi: {direction: higher}\n",
    )


def test_what_is_left_out_in_a_holder_stays_left_out() -> None:
    check_form(
        f"x-a: {{b: , c: [~, {{d: }}], e: &f }}\nx-b:\n-\n- - 1\n  -\n- *f\n{HEAD}",
        "outscore: 1\nscenario: s\n\nx-a:\n  b:\n  c:\n    - ~\n    - d:\n  e: &f\nx-b:\n  -\n  - - 1\n    -\n"
        "  - *f\n\nkpi: {direction: higher}\n",
    )


# Comments


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param(
            "contacts: {}\n# about waiting\nwaiting: {count: false}\n# about trials\ntrials: {count: false}\n",
            "contacts: {}\n\n# about trials\ntrials: {count: false}\n\n# about waiting\nwaiting: {count: false}\n",
            id="above a section, moves with it",
        ),
        pytest.param(
            "waiting:\n  free_days: 1 # free\n  # dear\n  price_per_day: 1\n  count: true\n",
            "waiting:\n  count: true\n  # dear\n  price_per_day: 1\n  free_days: 1  # free\n",
            id="behind and above a key, moves with it",
        ),
        pytest.param(
            "contacts:\n  people:\n    a: {price: 0}\n    # b: {price: 1}\n  # end\n# next\ntrials: {count: false}\n",
            "contacts:\n  people:\n    a: {price: 0}\n    # b: {price: 1}\n  # end\n\n# next\ntrials: {count: false}\n",
            id="further in than what follows, closes what it stands in",
        ),
        pytest.param(
            "trials:\n  count: true\n  prices:\n  - 0\n  # same column\n  restrictions:\n  - id: a\n"
            "    charge: {plus: 0}\n    # in the item\n  # below the list\n",
            "trials:\n  count: true\n  prices:\n    - 0\n  # same column\n  restrictions:\n    - id: a\n"
            "      charge: {plus: 0}\n      # in the item\n    # below the list\n",
            id="around lists that are not indented",
        ),
        pytest.param(
            "trials:\n  # first\n  count: true # a\n  prices: # b\n    - 0 # c\n    # d\n    - 1\n",
            "trials:\n  # first\n  count: true  # a\n  prices:  # b\n    - 0  # c\n    # d\n    - 1\n",
            id="within a section",
        ),
        pytest.param(
            "trials: {count: true, # a\n  # b\n  prices: [0, 1 # c\n  ]\n  # d\n  } # e\n",
            "trials:  # e\n  count: true  # a\n  # b\n  prices:\n    - 0\n    - 1  # c\n  # d\n",
            id="in brackets, which it spreads",
        ),
        pytest.param(
            "trials: { # a\n  count: false\n  } # b\n",
            "# a\n# b\ntrials: {count: false}\n",
            id="two behind one thing, come above it",
        ),
        pytest.param(
            "contacts:\n  people: { # none\n  }\n",
            "contacts:\n  people: {}  # none\n",
            id="in empty brackets",
        ),
        pytest.param(
            "contacts:\n  people: {\n  # none\n  }\n",
            "contacts:\n  # none\n  people: {}\n",
            id="alone in empty brackets",
        ),
        pytest.param(
            "trials:\n  count:\n    # why\n    false\n",
            "trials:\n  # why\n  count: false\n",
            id="between a key and its value",
        ),
        pytest.param(
            "trials:\n  count: false\n  restrictions:\n    - # a\n      # b\n      id: r\n      charge: {plus: 0}\n",
            "trials:\n  count: false\n  restrictions:\n    # a\n    # b\n    - id: r\n      charge: {plus: 0}\n",
            id="between a dash and its item",
        ),
        pytest.param(
            "trials:\n  count: false\n  restrictions:\n    - {id: r, # a\n       charge: {plus: 0}} # b\n"
            "    - {id: q,\n       # c\n       charge: {plus: 0}} # d\n",
            "trials:\n  count: false\n  restrictions:\n    # a\n    # b\n    - {id: r, charge: {plus: 0}}\n"
            "    - id: q  # d\n      # c\n      charge: {plus: 0}\n",
            id="behind an item that is spread",
        ),
        pytest.param(
            "x-a: &a # one\n  b: 1\nx-b:\n  - &c # two\n    d: 1\ntrials: {count: false}\n",
            "x-a: &a  # one\n  b: 1\nx-b:\n  - &c  # two\n    d: 1\n\ntrials: {count: false}\n",
            id="behind an anchor",
        ),
        pytest.param(
            'trials: {count: false}\nincidents:\n  a: {why: "#1, no # comment"} # yes\n  b: {why: a#b}\n',
            'trials: {count: false}\n\nincidents:\n  a: {why: "#1, no # comment"}  # yes\n  b: {why: a#b}\n',
            id="a number sign in a text is none",
        ),
        pytest.param(
            "trials: {count: false}\n\n# last\n\n\n# very last",
            "trials: {count: false}\n\n# last\n\n# very last\n",
            id="at the end",
        ),
    ],
)
def test_comments_stay_with_what_they_are_about(text: str, wanted: str) -> None:
    # Apart from the first section, each begins behind a blank line.
    check_form(HEAD + text, f"{HEAD}\n{wanted}")


def test_comments_above_the_first_key_are_about_the_file() -> None:
    check_form(
        "# $schema\n\n# about all\nscenario: s\n# the format\noutscore: 1\nkpi: {direction: higher}\n",
        "# $schema\n\n# about all\n# the format\noutscore: 1\nscenario: s\n\nkpi: {direction: higher}\n",
    )


# What is left alone


def test_a_ruleset_with_errors_is_not_formatted() -> None:
    made = format_ruleset(b"outscore: 1\nscenario: s\nkpi: {direktion: higher}\n", "rules.yaml")
    assert made == Formatted("rules.yaml", made.before, None, False, (), made.diagnostics)
    assert "direktion" in made.diagnostics[0].message


def test_a_key_over_several_lines_is_refused() -> None:
    text = HEAD + 'x-a:\n  ? "a\n     b"\n  : 1\n'
    with pytest.raises(CannotFormatError) as caught:
        formatted(text)
    assert (caught.value.line, "several lines" in caught.value.message) == (6, True)


def test_a_comment_that_would_allow_nothing_any_more_is_refused() -> None:
    allow = "# outscore: allow falling-prices"
    tests = "tests: [{name: all, run: {kpi: {baseline: 0, delivered: 1, reference: 1}}, expect: {score: 1}}]\n"
    good = f"{HEAD}trials:\n  prices: [2, 1] {allow}\n  count: true\n{tests}"
    assert f"prices: [2, 1]  {allow}" in formatted(good)
    with pytest.raises(CannotFormatError, match="put it on the line above"):
        formatted(good.replace("[2, 1]", "[2, # why\n   1]"))


def test_another_meaning_is_never_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    import outscore.fmt as fmt

    for made, reason in (
        (HEAD.replace("higher", "lower"), "another meaning"),
        (HEAD + "title: T\n", "other words"),
        (HEAD + "x-a: 1\n", "other words, tests or holders"),
        (HEAD.replace("# c", ""), "every comment"),
        ("outscore: 2\n", "could not be read"),
    ):
        monkeypatch.setattr(fmt, "lay_out", lambda tree, made=made: made)
        with pytest.raises(CannotFormatError, match=reason):
            format_ruleset(("# c\n" + HEAD).encode() if "comment" in reason else HEAD.encode() + b"\n", "rules.yaml")


# Laws


def _laws(text: str, comments: list[str]) -> bool:
    """Whether the text is a ruleset; if so, that its canonical form says the same, keeps the comments, and stays."""
    before = check(text.encode(), "before")
    if before.ruleset is None or before.document is None:
        return False
    try:
        made = formatted(text)
    except CannotFormatError as error:
        if "outscore: allow" not in error.message:
            raise
        return True
    after = check(made.encode(), "after")
    assert after.ruleset is not None
    assert after.document is not None
    assert compile_ruleset(after.ruleset).digest == compile_ruleset(before.ruleset).digest
    assert after.document.data == before.document.data
    # One that went into a text instead of behind it was no comment to begin with.
    there = {each.text.strip() for each in comments_of(before.document)}
    kept = [each.text.strip() for each in comments_of(after.document)]
    assert sorted(kept) == sorted(each.text.strip() for each in comments_of(before.document))
    assert all(kept.count(each.removeprefix("# ")) == 1 for each in comments if each.removeprefix("# ") in there)
    assert formatted(made) == made
    return True


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_laws_hold_for_roughened_rulesets_of_the_tree(path: Path) -> None:
    text = path.read_text(encoding="utf-8-sig")
    good = sum(_laws(*roughen(text, seed)) for seed in range(8))
    assert good >= 3


def test_laws_hold_for_generated_rulesets() -> None:
    assert all(_laws(ruleset(seed), []) for seed in range(20))
    good = sum(_laws(*roughen(ruleset(seed), seed)) for seed in range(40))
    assert good >= 20


def test_the_pure_parser_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [path.read_text(encoding="utf-8-sig") for path in RULESETS]
    rough = [roughen(text, seed)[0].replace("\r\n", "\n") for text in texts for seed in range(4)]
    good = [text for text in rough if check(text.encode(), "").ruleset is not None]
    laid_out = [lay_out(read_tree(text)) for text in good]
    monkeypatch.setattr("outscore.fmt.comments.HAS_LIBYAML", False)
    assert [lay_out(read_tree(text)) for text in good] == laid_out
    assert len(good) > 20


# Files


def test_a_file_is_replaced_whole_with_its_mode_and_through_its_link(tmp_path: Path) -> None:
    target = tmp_path / "rules.yaml"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "link.yaml"
    link.symlink_to("../rules.yaml")
    replace_file(link, b"new\n")
    assert target.read_bytes() == b"new\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["link.yaml", "links", "rules.yaml"]


def test_a_failure_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "rules.yaml"
    target.write_text("old", encoding="utf-8")

    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        replace_file(target, b"new\n")
    assert [each.read_text(encoding="utf-8") for each in tmp_path.iterdir()] == ["old"]


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "rules.yaml"
    target.write_text("old", encoding="utf-8")
    # Whoever runs as root may write everything, so the answer is given here.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(PermissionError):
        replace_file(target, b"new\n")
    assert target.read_text(encoding="utf-8") == "old"
