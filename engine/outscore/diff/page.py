"""A Difference -> the page that people see: lines by section in text, tables in a pull request's comment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from outscore.diff import Difference
from outscore.diff.results import AgentMeans, ChangedRun, Effects, LostRun
from outscore.diff.rules import SECTIONS, RuleChange
from outscore.explain.page import Block, Cell, Code, Column, Heading, Line, Page, Paragraph, Table, cell, listed
from outscore.explain.wording import PLACES, decimal_and_fraction
from outscore.numbers import cut

_LONGEST: Final = 40
"""Characters up to which an exact number is shown whole."""


def difference_page(difference: Difference, *, is_comment: bool = False) -> Page:
    """The page of a difference; a comment has its rules in a table."""
    return tuple(_blocks(difference, is_comment))


def _blocks(difference: Difference, is_comment: bool) -> Iterator[Block]:
    old, new = difference.old, difference.new
    count = len(difference.rules)
    said = "same rules" if difference.is_same else _count(count, "change")
    yield Heading(("Rules of ", Code(new.scenario), f": {said}"), 1)
    names: list[Line] = [(Code(difference.old_name), " -> ", Code(difference.new_name))]
    if difference.is_same:
        yield Paragraph((*names, (Code(new.digest),)))
    else:
        yield Paragraph((*names, ("old ", Code(old.digest)), ("new ", Code(new.digest))))
    if is_comment and difference.rules:
        yield _rules_table(difference.rules)
    elif difference.rules:
        yield from _rules_in_words(difference.rules)
    words = difference.words
    if words:
        lines: list[Line] = [("words: ", *listed(words.texts))] if words.texts else []
        lines += [(f"tests: {words.tests}",)] if words.tests else []
        yield Heading(("Without meaning for scores",))
        yield Paragraph(tuple(lines))
    if difference.effects is not None:
        yield Heading(("Results",))
        yield from _effects(difference.effects)


def _rules_in_words(rules: Sequence[RuleChange]) -> Iterator[Block]:
    for section in SECTIONS:
        lines = tuple((each.words,) for each in rules if each.section == section)
        if lines:
            yield Heading((section,))
            yield Paragraph(lines)


def _rules_table(rules: Sequence[RuleChange]) -> Table:
    rows = tuple(
        (
            cell(each.section),
            cell(each.subject if each.kind == "changed" else f"{each.subject}: {each.kind}"),
            cell(Code(each.old)) if each.old is not None else cell(),
            cell(Code(each.new)) if each.new is not None else cell(),
        )
        for each in rules
    )
    return Table((Column("section"), Column("rule"), Column("old"), Column("new")), rows)


def _effects(effects: Effects) -> Iterator[Block]:
    lines: list[Line] = [
        (f"{_count(effects.scored, 'run')} scored by both: {_count(effects.changed, 'score')} changed",)
    ]
    flipped = effects.to_resolved + effects.to_unresolved
    if flipped:
        ways = ((effects.to_resolved, "to resolved"), (effects.to_unresolved, "to not resolved"))
        said = ", ".join(f"{count} {way}" for count, way in ways if count)
        lines.append((f"{_count(flipped, 'verdict')} flipped: {said}",))
    else:
        lines.append(("no verdict flipped",))
    others = (
        (effects.only_old, "that the new rules cannot score"),
        (effects.only_new, "that only the new rules can score"),
        (effects.failed, "that neither can score"),
        (effects.void, "void"),
        (effects.foreign, "of other scenarios, passed over"),
    )
    lines += [(f"{_count(count, 'run')} {what}",) for count, what in others if count]
    yield Paragraph(tuple(lines))
    yield from _changed(effects)
    if effects.only_old:
        yield from _lost_runs(effects.only_old_runs, "The new rules cannot score:")
        yield from _rest(effects.only_old, len(effects.only_old_runs))
    if effects.only_new:
        yield from _lost_runs(effects.only_new_runs, "Only the new rules can score:")
        yield from _rest(effects.only_new, len(effects.only_new_runs))
    if len(effects.agents) > 1 or (effects.agents and effects.changed):
        yield from _agents(effects)


def _changed(effects: Effects) -> Iterator[Block]:
    if effects.largest:
        yield Paragraph((("Largest changes:",),))
        yield _changed_runs(effects.largest)
        yield from _rest(effects.changed, len(effects.largest))
    unseen = [each for each in effects.flipped if each not in effects.largest]
    if unseen:
        yield Paragraph((("Verdicts flipped by smaller changes:",),))
        yield _changed_runs(unseen)
        yield from _rest(effects.to_resolved + effects.to_unresolved, len(effects.flipped))


def _changed_runs(runs: Sequence[ChangedRun]) -> Table:
    columns = (
        Column("run"),
        Column("agent"),
        Column("old", True),
        Column("new", True),
        Column("change", True),
        Column("verdict"),
        Column("incidents"),
    )
    return Table(columns, tuple(map(_changed_run, runs)))


def _changed_run(run: ChangedRun) -> tuple[Cell, ...]:
    sign = "+" if run.change > 0 else ""
    return (
        cell(Code(run.run)),
        _name(run.agent),
        cell(_number(run.old)),
        cell(_number(run.new)),
        cell(sign + _number(run.change)),
        _verdict(run),
        Cell(tuple(_incidents(run))),
    )


def _verdict(run: ChangedRun) -> Cell:
    was, now = (_resolved(each) for each in (run.was_resolved, run.is_resolved))
    return cell(f"{was} -> {now}", tone="strong") if run.has_flipped else cell(now)


def _resolved(is_resolved: bool) -> str:
    return "resolved" if is_resolved else "not resolved"


def _incidents(run: ChangedRun) -> Iterator[Line]:
    """The incidents that one of the two alone finds."""
    yield from (("+ ", Code(name)) for name in run.new_incidents if name not in run.old_incidents)
    yield from (("- ", Code(name)) for name in run.old_incidents if name not in run.new_incidents)


def _lost_runs(runs: Sequence[LostRun], heading: str) -> Iterator[Block]:
    rows = tuple(
        (
            cell(Code(each.score.run)),
            _name(each.score.agent),
            cell(_number(each.score.exact.score)),
            cell(_resolved(each.score.resolved)),
            cell(f"{each.bad.error.code}: {each.bad.error.message}"),
        )
        for each in runs
    )
    yield Paragraph(((heading,),))
    yield Table((Column("run"), Column("agent"), Column("score", True), Column("verdict"), Column("the other")), rows)


def _agents(effects: Effects) -> Iterator[Block]:
    numbers = ("runs", "old", "new", "old rank", "new rank")
    yield Paragraph((("Mean floored score by agent, over the runs that both score:",),))
    yield Table(
        (Column("agent"), *(Column(name, True) for name in numbers)), tuple(_agent(each) for each in effects.agents)
    )
    overtakings: list[Line] = [
        (*_name(each.behind.agent).lines[0], " overtakes ", *_name(each.ahead.agent).lines[0]) for each in effects.swaps
    ]
    yield Paragraph(tuple(overtakings) or (("no two agents change places",),))
    yield from _rest(effects.swapped, len(effects.swaps))


def _agent(agent: AgentMeans) -> tuple[Cell, ...]:
    means = (cut(agent.old, PLACES), cut(agent.new, PLACES))
    old_rank, new_rank = ("" if each is None else str(each) for each in (agent.old_rank, agent.new_rank))
    rank = cell(new_rank, tone="strong" if agent.new_rank != agent.old_rank else "")
    return (_name(agent.agent), cell(str(agent.runs)), *map(cell, means), cell(old_rank), rank)


def _name(agent: str | None) -> Cell:
    return cell("(no agent)") if agent is None else cell(Code(agent))


def _rest(count: int, shown: int) -> Iterator[Block]:
    if count > shown:
        yield Paragraph(((f"and {count - shown:,} more; a larger --top shows them",),), "quiet")


def _number(value: Fraction) -> str:
    """The number as it is, where that is short; else cut, with the fraction where that is."""
    decimal, fraction = decimal_and_fraction(value, 0)
    if not fraction:
        return decimal
    return f"{decimal} ({fraction})" if len(fraction) <= _LONGEST else f"{decimal}..."


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
