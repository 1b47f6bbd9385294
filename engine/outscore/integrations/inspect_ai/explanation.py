"""A run and its score -> the bill as text, in Markdown, which is how Inspect shows explanations.

The whole bill, with reasons and lines, is `explain`'s; for a Scorer without its ruleset's text a shorter one is made
here of the account alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from outscore.account import Charge
from outscore.compiler import compile_ruleset
from outscore.diagnostics import RulesetError, RunError
from outscore.document import Document
from outscore.explain import bill
from outscore.explain.bill_page import bill_page, void_page
from outscore.explain.markdown import markdown
from outscore.explain.page import Block, Cell, Code, Column, Heading, Page, Paragraph, Table, cell
from outscore.explain.wording import amount, decimal_and_fraction, ordinal, shown
from outscore.jsontext import read_json
from outscore.loader import check
from outscore.ruleset import Ruleset
from outscore.run import Run, Void, read_run
from outscore.score import Score
from outscore.scorer import Scorer


@dataclass(frozen=True)
class Rules:
    """A scorer, and the ruleset it was made of where that is at hand."""

    scorer: Scorer
    ruleset: Ruleset | None = None
    document: Document | None = None


def read_rules(source: bytes, name: str) -> Rules:
    """Check a ruleset's text; raises RulesetError with every finding."""
    checked = check(source, name)
    if checked.ruleset is None:
        raise RulesetError(checked.diagnostics, {name: checked.text})
    return Rules(Scorer(compile_ruleset(checked.ruleset)), checked.ruleset, checked.document)


def explain(rules: Rules, run: Mapping[str, Any] | str | bytes | Run, score: Score) -> str:
    """The bill of a run that was scored."""
    if rules.ruleset is None or rules.document is None:
        return _text(tuple(_account(score)))
    plan = rules.scorer.plan
    record: object = read_json(run) if isinstance(run, str | bytes) else run
    read = record if isinstance(record, Run) else read_run(record, plan)
    assert isinstance(read, Run)
    return _text(bill_page(bill(rules.ruleset, plan, rules.document, read)))


def explain_void(void: Void) -> str:
    """Why there is no score."""
    return _text(void_page(void))


def explain_error(error: RunError) -> str:
    """What is wrong with the run, and where."""
    name = Code(error.run) if error.run is not None else "without an id"
    lines: list[tuple[str, ...]] = [(f"error[{error.code}]: {error.message}",), ("at ", Code(error.path))]
    if error.hint:
        lines.append((f"hint: {error.hint}",))
    return _text((Heading(("Run ", name, " cannot be scored"), 1), Paragraph(tuple(lines), "bad")))


def _text(page: Page) -> str:
    """The page as Markdown without line breaks inside a block: Inspect shows the tag for one as it is written."""
    return markdown(tuple(flat for block in page for flat in _flat(block)))


def _flat(block: Block) -> Iterator[Block]:
    if isinstance(block, Paragraph):
        yield from (Paragraph((line,), block.tone) for line in block.lines)
    elif isinstance(block, Table):
        yield Table(block.columns, tuple(tuple(map(_on_one_line, row)) for row in block.rows))
    else:
        yield block


def _on_one_line(several: Cell) -> Cell:
    pieces: list[str] = []
    for line in several.lines:
        pieces += ["; ", *(piece for piece in line if piece.strip())] if pieces else line
    return cell(*pieces, tone=several.tone)


def _account(score: Score) -> Iterator[Block]:
    yield Heading(("Bill of run ", Code(score.run)), 1)
    agent = (", agent ", Code(score.agent)) if score.agent is not None else ()
    yield Paragraph((("task ", Code(score.task), *agent), ("ruleset ", Code(score.ruleset))))
    columns = (Column("#", True), Column("event"), Column("step"), Column("running", True), Column("charge", True))
    rows = [row for charge in score.account for row in _charge(charge)]
    total = (cell(), cell("contact cost"), cell(), cell(), cell(amount(score.exact.contact_cost), tone="strong"))
    yield Table(columns, (*rows, total))
    exact = score.exact
    figures = {"uplift": exact.uplift, "adjusted uplift": exact.adjusted_uplift, "score": exact.score}
    lines = tuple(tuple(map(cell, (name, *decimal_and_fraction(value)))) for name, value in figures.items())
    yield Table((Column("figure"), Column("value", True), Column("exactly", True)), lines)
    words = "resolved" if score.resolved else "not resolved"
    if score.incidents:
        words += f": {', '.join(score.incidents)}"
    yield Paragraph(((words,), *((f"warning: {warning}",) for warning in score.warnings)))


def _charge(charge: Charge) -> Iterator[tuple[Cell, ...]]:
    pieces = [charge.type]
    if charge.to is not None:
        pieces += [" with ", Code(charge.to)]
    if charge.hours is not None:
        pieces.append(f" of {shown(charge.hours)} h")
    if charge.nth is not None:
        pieces.append(f", {ordinal(charge.nth)}")
    number, event = cell(str(charge.event)), cell(*pieces)
    if charge.free is not None:
        yield number, event, cell(charge.free), cell(), cell(amount(charge.amount))
    for position, step in enumerate(charge.steps, 1):
        total = cell(amount(charge.amount)) if position == len(charge.steps) else cell()
        rule = cell(Code(step.rule), f": {step.kind} {shown(step.value)}")
        yield number, event, rule, cell(amount(step.amount)), total
        number, event = cell(), cell()
