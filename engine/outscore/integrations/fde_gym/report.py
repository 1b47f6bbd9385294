"""An Audit -> its words: a record for programs, a page for people. Each difference is explained.

Computes no figure of its own but the decimals that people see.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from outscore.explain.page import Block, Cell, Column, Heading, Page, Paragraph, Table, cell
from outscore.formula import FLOOR
from outscore.integrations.fde_gym import harness
from outscore.integrations.fde_gym.audit import Audit, Billed, Ours
from outscore.integrations.fde_gym.counting import Act
from outscore.integrations.fde_gym.result import FIGURES
from outscore.integrations.fde_gym.run import without_noise
from outscore.numbers import Number, cut, nearest_double

_PLACES: Final = 6
"""Decimals that people see of a figure without a short end."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of ours beside the harness's."""

    figure: str
    ours: Fraction | bool | None
    harness: float | bool | None
    why: str
    """Why they are not the same; empty where they are."""


def record(audit: Audit) -> dict[str, Any]:
    """The audit as plain data."""
    result = audit.result
    return {
        "npcs": audit.engagement.file,
        "log": audit.log.file,
        "result": result.file if result else None,
        "findings": audit.has_findings,
        "lines": _counts(audit),
        "restarts": [{"after_line": each.after, "by_line": each.by} for each in audit.counted.restarts],
        "warnings": list(audit.warnings),
        "differences": [{**_line_record(each), "why": why(each, audit)} for each in audit.differences],
        "billed": [_line_record(each) for each in audit.billed],
        "ours": _ours_record(audit.ours),
        "by_rules": _ours_record(audit.by_rules),
        "harness": _harness_record(audit),
        "reported": {name: harness.double(value) for name, value in result.reported.items()} if result else {},
        "misreported": [
            {"figure": name, "reported": harness.double(reported), "recomputed": computed}
            for name, (reported, computed) in audit.misreported.items()
        ],
        "compared": [
            {"figure": each.figure, "ours": _plain(each.ours), "harness": each.harness, "why": each.why or None}
            for each in compared(audit)
        ],
    }


def _counts(audit: Audit) -> dict[str, int]:
    kinds = Counter(_kind(act) for act in audit.counted.acts)
    names = ("answered", "unanswered", "gone", "trial", "wait", "inbox")
    return {"all": len(audit.counted.acts), **{name: kinds[name] for name in names}}


def _kind(act: Act) -> str:
    if act.kind != "contact":
        return act.kind
    return "answered" if act.is_answered else "gone" if act.is_gone else "unanswered"


def _line_record(billed: Billed) -> dict[str, Any]:
    act = billed.act
    line: dict[str, Any] = {"line": act.line.number, "kind": _kind(act), "to": act.line.to, "n_asked": act.line.n_asked}
    if act.nth is not None:
        line["nth"] = act.nth
    charge = {"charge": _plain(billed.charge), "exact": str(billed.charge), "recorded": harness.double(billed.recorded)}
    return {**line, **charge, "reason": billed.reason}


def _ours_record(ours: Ours) -> dict[str, Any]:
    figures = {
        "uplift": ours.uplift,
        "adjusted_uplift": ours.adjusted_uplift,
        "contact_cost": ours.contact_cost,
        "score": ours.score,
        "floored_score": ours.floored_score,
    }
    exact = {name: None if value is None else str(value) for name, value in figures.items()}
    plain = {name: _plain(value) for name, value in figures.items()}
    return {**plain, "resolved": ours.resolved, "why_undefined": ours.why_undefined, "exact": exact}


def _harness_record(audit: Audit) -> dict[str, Any]:
    figures = audit.harness
    if figures is None:
        return {**dict.fromkeys(FIGURES), "contact_cost": audit.harness_cost, "passes": None}
    return {**{name: getattr(figures, name) for name in FIGURES}, "passes": figures.passes}


def _plain(value: Fraction | bool | None) -> float | bool | None:
    if value is None or isinstance(value, bool):
        return value
    return nearest_double(value.numerator, value.denominator)


def why(billed: Billed, audit: Audit) -> str:
    """Why a line's charge is not what was recorded, in words."""
    act = billed.act
    line, to = act.line, act.line.to
    person = audit.engagement.by_id.get(to)
    if billed.reason == "restart":
        return (
            f"the people server was restarted and counts anew: it took this for message {line.n_asked} to {to}, "
            f"in the run it is number {act.nth}"
        )
    if billed.reason == "unlogged":
        return (
            f"the people server took this for message {line.n_asked} to {to}, the log has {act.nth}: messages on which "
            "it failed are counted and not logged"
            + ("; after those, this line may be an unanswered one" if not line.cost and not line.topics else "")
        )
    if billed.reason == "unanswered" and person is not None and person.fails:
        return f"by npcs.json each message to {to} fails, unlogged and free: {person.fails}"
    if billed.reason == "unanswered":
        return (
            f"n_asked stands still, so nobody answered, and that is free; {_text(line.cost)} is recorded all the same"
        )
    if billed.reason == "gone":
        return f"nobody was there, and that is free; {_text(line.cost)} is recorded all the same"
    if billed.reason == "inbox":
        return f"reading the inbox is free; {_text(line.cost)} is recorded all the same"
    if billed.reason == "credit":
        return "a credit is recorded; no charge is below zero here"
    if billed.reason == "hours":
        return f"the text says {line.question!r}, which {_text(line.cost)} does not fit"
    if person is not None and (person.cost < 0 or (person.over_factor is not None and person.over_factor < 0)):
        return "npcs.json prices this person with a credit; no charge is below zero here"
    return (
        f"for message {act.nth} to {to} the rules of npcs.json charge {_exact(billed.charge)}: the log was written "
        "under other rules, or this line was changed"
    )


def compared(audit: Audit) -> list[Compared]:
    """Our figures beside the harness's, with the reason of each difference."""
    ours, theirs = audit.ours, audit.harness
    cost = Compared("contact cost", ours.contact_cost, audit.harness_cost, _why_cost(audit))
    if theirs is None:
        return [cost]
    return [
        Compared("uplift after incidents", ours.adjusted_uplift, theirs.uplift, _why_uplift(audit, theirs)),
        Compared("floored uplift", _floored(ours), theirs.uplift_bounded, _why_floored(audit, theirs)),
        cost,
        Compared("score (there: net)", ours.score, theirs.uplift_net, _why_net(audit, theirs)),
        Compared("resolved (there: solved)", ours.resolved, theirs.passes, _why_verdict(audit, theirs)),
    ]


def _why_uplift(audit: Audit, theirs: harness.Figures) -> str:
    ours = audit.ours
    if ours.uplift is None or ours.adjusted_uplift is None:
        there = " there the uplift is then 0" if audit.result and audit.result.direction is None else ""
        return f"undefined here: {ours.why_undefined};{there}" if there else f"undefined here: {ours.why_undefined}"
    if _is(theirs.uplift, ours.adjusted_uplift):
        return ""
    midway = " (it lies midway, and the binary value decides)" if _is_midway(ours.uplift) else ""
    return f"rounded there to 4 places, before incidents are looked at{midway}"


def _floored(ours: Ours) -> Fraction | None:
    return None if ours.adjusted_uplift is None else max(ours.adjusted_uplift, FLOOR)


def _why_floored(audit: Audit, theirs: harness.Figures) -> str:
    floored = _floored(audit.ours)
    if floored is None:
        return "undefined here, as the uplift is"
    if _is(theirs.uplift_bounded, floored):
        return ""
    if theirs.uplift_bounded > theirs.uplift:
        return "taken there before incidents are looked at; its averages floor the uplift after them, as ours do"
    return "rounded there, as the uplift is"


def _why_cost(audit: Audit) -> str:
    if _is(audit.harness_cost, audit.ours.contact_cost):
        return ""
    reasons = []
    more = audit.recorded_total - audit.ours.contact_cost
    if more:
        reasons.append(f"the lines that differ were recorded at {_exact(abs(more))} {'more' if more > 0 else 'less'}")
    if not _is(audit.harness_cost, audit.recorded_total):
        midway = " (it lies midway, and float addition decides)" if _is_midway(audit.recorded_total) else ""
        reasons.append(f"the total is rounded there to 4 places{midway}")
    return "; ".join(reasons)


def _why_net(audit: Audit, theirs: harness.Figures) -> str:
    score = audit.ours.score
    if score is None:
        return f"undefined here, as the uplift is; there it is {theirs.uplift} - {theirs.contact_cost}"
    if _is(theirs.uplift_net, score):
        return ""
    return f"there {theirs.uplift} - {theirs.contact_cost}, both rounded, is rounded once more"


def _why_verdict(audit: Audit, theirs: harness.Figures) -> str:
    ours = audit.ours
    if ours.resolved is None or ours.score is None:
        return "without a score there is no verdict here"
    if ours.resolved == theirs.passes:
        return ""
    return f"0.8 is the mark for both: here of the exact {_exact(ours.score)}, there of the rounded {theirs.uplift_net}"


def _is(double: float, exact: Fraction) -> bool:
    """Whether a rounded double, as it is written, is the exact value."""
    return Fraction(repr(double)) == exact


def _is_midway(value: Fraction) -> bool:
    return (value * 10**harness.PLACES * 2).denominator == 1 and (value * 10**harness.PLACES).denominator == 2


def page(audit: Audit) -> Page:
    """The audit as a page for people."""
    blocks: list[Block] = [Heading((f"Audit of {audit.log.file}",), 1), Paragraph((_counts_line(audit),))]
    notes = [f"warning: {words}" for words in audit.warnings]
    notes += [
        f"The people server was restarted between lines {each.after} and {each.by}: its counts start again there."
        for each in audit.counted.restarts
    ]
    if notes:
        blocks.append(Paragraph(tuple((words,) for words in notes), "bad"))
    differences = audit.differences
    blocks.append(Heading(("Lines whose charge is not what was recorded",)))
    if differences:
        blocks.append(_differences_table(audit))
    else:
        blocks.append(Paragraph((("None: each charge is the recorded cost, but for float noise.",),), "good"))
    blocks += [Heading(("Our exact figures, and the harness's",)), _figures_table(audit)]
    if audit.by_rules.contact_cost != audit.ours.contact_cost:
        blocks.append(Paragraph((_by_rules_line(audit),)))
    wrong = [
        f"The result gives {name} as {_text(reported)}, the harness's arithmetic on this log as {computed}: what was "
        "graded was another log, or other values."
        for name, (reported, computed) in audit.misreported.items()
    ]
    if wrong:
        blocks.append(Paragraph(tuple((words,) for words in wrong), "bad"))
    return tuple(blocks)


def _counts_line(audit: Audit) -> tuple[str, ...]:
    counts = _counts(audit)
    words = {"all": "lines", "trial": "trials", "wait": "waits"}
    return (", ".join(f"{words.get(name, name)} {count}" for name, count in counts.items()),)


def _differences_table(audit: Audit) -> Table:
    columns = (
        *(Column("line", is_number=True), Column("to"), Column("n_asked", is_number=True)),
        *(Column("by the rules", is_number=True), Column("recorded", is_number=True), Column("why")),
    )
    rows = tuple(
        (
            cell(str(each.act.line.number)),
            cell(each.act.line.to),
            cell(str(each.act.line.n_asked)),
            cell(_exact(each.charge)),
            cell(_text(each.recorded)),
            cell(why(each, audit)),
        )
        for each in audit.differences
    )
    return Table(columns, rows)


def _figures_table(audit: Audit) -> Table:
    columns = (Column("figure"), Column("ours", is_number=True), Column("harness", is_number=True), Column("why"))
    return Table(columns, tuple(_figure_row(each) for each in compared(audit)))


def _figure_row(each: Compared) -> tuple[Cell, ...]:
    return cell(each.figure), cell(_value(each.ours)), cell(_value(each.harness)), cell(each.why or "the same")


def _value(value: Fraction | float | bool | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _exact(value) if isinstance(value, Fraction) else repr(value)


def _by_rules_line(audit: Audit) -> tuple[str, ...]:
    rules = audit.by_rules
    words = f"With every charge by the rules, the contact cost is {_exact(rules.contact_cost)}"
    if rules.score is not None:
        verdict = "resolved" if rules.resolved else "not resolved"
        words += f" and the score {_exact(rules.score)}, {verdict}"
    return (f"{words}; ours above takes what was recorded where the people server counted otherwise.",)


def _exact(value: Fraction) -> str:
    """The decimal where it ends soon, else the fraction with its first decimals."""
    short = cut(value, _PLACES)
    if Fraction(short) != value:
        return f"{value} ({short}...)"
    return short.rstrip("0").rstrip(".") or "0"


def _text(cost: Number) -> str:
    clean = without_noise(cost)
    return format(clean, "f") if isinstance(clean, Decimal) else str(clean)
