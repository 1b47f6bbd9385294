"""A rescoring -> the page that people read: by which rules, what became of the runs, agents' ranks, each change."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from outscore.cli.summary_page import UNKNOWN, number
from outscore.explain.page import Block, Cell, Code, Column, Heading, Line, Page, Paragraph, Table, cell
from outscore.rescore import Rescored, Rescoring, Standing
from outscore.results import Result

_MOST_SHOWN: Final = 50


def rescore_page(made: Rescoring, out: str | None) -> Page:
    """What changed; `out` is where the results were written."""
    blocks: list[Block] = [Heading((_title(made),), 1), Paragraph(tuple(_rules(made)))]
    blocks += [Paragraph(tuple((line,) for line in _lines(made.counts()))), Heading(("Agents",)), *_agents(made)]
    changes = made.changes
    if changes:
        first = sorted(changes, key=_most_first)[:_MOST_SHOWN]
        blocks += [Heading(("Changes",)), _changes(first)]
    if len(changes) > _MOST_SHOWN:
        words = f"and {len(changes) - _MOST_SHOWN} more; --format json lists all."
        blocks.append(Paragraph(((words,),), "quiet"))
    written = f"Written to {out}." if out is not None else "Nothing was written; name a file with --out."
    blocks.append(Paragraph(((written,),), "quiet"))
    return tuple(blocks)


def _rules(made: Rescoring) -> list[Line]:
    lines: list[Line] = []
    for scenario, sides in made.to_record()["rulesets"].items():
        old = [*sides["from"]] or ["nothing scored"]
        if old == [sides["to"]]:
            lines.append((f"{scenario}: the rules mean the same as before, ", Code(old[0])))
        else:
            pieces = [piece for each in old for piece in (", ", Code(each))][1:]
            lines.append((f"{scenario}: from ", *pieces, " to ", Code(sides["to"])))
    return lines


def _title(made: Rescoring) -> str:
    counts = made.counts()
    changed = sum(each.is_rescored and each.is_changed for each in made.runs)
    failed = f"; {counts['failed']} failed" if counts["failed"] else ""
    of = _count(counts["stored"], "result")
    return f"{counts['rescored']} of {of} scored anew, {changed} of them changed{failed}"


def _lines(counts: dict[str, int]) -> Iterator[str]:
    """What became of the runs, in sentences."""
    yield (
        f"Scores changed: {counts['score_changed']}. Newly resolved: {counts['newly_resolved']}; no longer: "
        f"{counts['no_longer_resolved']}. Newly scored: {counts['newly_scored']}; no longer: "
        f"{counts['no_longer_scored']}."
    )
    again = counts["failed"] - counts["newly_failed"]
    others = counts["untouched"] - counts["unidentified"]
    if counts["newly_failed"]:
        yield f"Failed: {_count(counts['newly_failed'], 'run')} that had not failed before."
    if again:
        yield f"Failed before, and again: {_count(again, 'run')}."
    if counts["void"]:
        yield f"Void: {_count(counts['void'], 'run')}."
    if others:
        yield f"Left as they are, because they are of other scenarios: {_count(others, 'result')}."
    if counts["unidentified"]:
        words = "because it could not be read which run or scenario they are of"
        yield f"Left as they are, {words}: {_count(counts['unidentified'], 'failed result')}."
    if counts["runs_without_score"]:
        yield f"Left out, because no result of them is stored: {_count(counts['runs_without_score'], 'run')}."


def _agents(made: Rescoring) -> Iterator[Block]:
    moves = made.agents()
    over = _count(sum(move.runs for move in moves.values()), "run")
    yield Paragraph(((f"Mean floored score by agent, over the {over} that both the old and the new rules score:",),))
    names = ("runs", "old mean floored score", "new mean floored score", "old rank", "new rank")
    heads = (Column("agent"), *(Column(name, True) for name in names))
    rows = []
    for agent, move in moves.items():
        old, new = move.old, move.new
        name = agent if agent is not None else "(no agent named)"
        ranks = (cell(_rank(old)), cell(_rank(new), tone="strong" if old.rank != new.rank else ""))
        rows.append((cell(name), cell(str(move.runs)), cell(number(old.mean)), cell(number(new.mean)), *ranks))
    yield Table(heads, tuple(rows))


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _rank(standing: Standing) -> str:
    return UNKNOWN if standing.rank is None else str(standing.rank)


def _changes(changes: list[Rescored]) -> Table:
    texts, numbers = ("run", "task", "agent"), ("old score", "new score", "change")
    heads = (*map(Column, texts), *(Column(name, is_number=True) for name in numbers), Column("verdict"))
    return Table(heads, tuple(_change(each) for each in changes))


def _most_first(each: Rescored) -> tuple[bool, bool, Fraction]:
    """Other verdicts first, then scores that are there for one of them only, then by how far a score moved."""
    by = _moved_by(each)
    return not each.verdict_changed, by is not None, -abs(by or Fraction(0))


def _moved_by(each: Rescored) -> Fraction | None:
    if each.old.figures is None or each.new.figures is None:
        return None
    return each.new.figures.score - each.old.figures.score


def _change(each: Rescored) -> tuple[Cell, ...]:
    old, new = each.old, each.new
    verdict = _verdict(new) if _verdict(old) == _verdict(new) else f"{_verdict(old)} -> {_verdict(new)}"
    names = (cell(new.run or "?"), cell(new.task or ""), cell(new.agent or ""))
    return (*names, cell(_score(old)), cell(_score(new)), cell(number(_moved_by(each))), cell(verdict))


def _score(result: Result) -> str:
    return number(None if result.figures is None else result.figures.score)


def _verdict(result: Result) -> str:
    if result.fate != "scored":
        return result.fate
    return "resolved" if result.resolved else "not resolved"
