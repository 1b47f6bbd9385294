"""A summary -> the page that people read: fates, scores, verdicts, costs, and why something is not known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from outscore.explain.page import Block, Cell, Column, Heading, Page, Paragraph, Table, cell, listed
from outscore.numbers import cut
from outscore.summary.contents import Distance, GroupSummary, Summaries
from outscore.summary.reasons import reason_lines
from outscore.summary.statistic import Resampling, Statistic

PLACES: Final = 4
UNKNOWN: Final = "-"


def summary_page(summaries: Summaries) -> Page:
    """The whole summary: all runs first, then the groups."""
    # A list of agents is read as a ranking; other groups are looked up.
    ranked = sorted(summaries.groups, key=_best_first) if summaries.by == ("agent",) else summaries.groups
    groups = [summaries.everything, *ranked]
    total = summaries.everything.counts.total
    heading = "1 run" if total == 1 else f"{total} runs"
    blocks: list[Block] = [Heading((heading,), 1), *mixed_notes(summaries.rulesets)]
    blocks += [Heading(("What became of them",)), _fates(groups)]
    blocks += [Heading(("Mean floored score",)), _scores(groups, summaries.resampling)]
    blocks += [Heading(("Resolved",)), _verdicts(groups, summaries.resampling)]
    if any(group.counts.unscored for group in groups):
        words = "worst and best: the rate if no, or every, run that was not scored had resolved."
        floored = "A mean score has no such limits: neither uplift nor contact cost has any."
        blocks.append(Paragraph(((words,), (floored,)), "quiet"))
    blocks += [Heading(("Uplift, contact cost and incidents",)), _others(groups, summaries.resampling)]
    if any(len(group.pass_hat) > 1 or group.verdicts.tasks_repeated for group in groups):
        blocks += [Heading(("Repeats of a task",)), _repeats(groups)]
    blocks += [Heading(("Closest to the mark of 0.8",)), _closest(groups)]
    blocks += notes(_told(groups), summaries.resampling)
    if len(summaries.engines) > 1:
        blocks.append(Paragraph(((f"Scored by several versions of outscore: {', '.join(summaries.engines)}.",),)))
    return tuple(blocks)


def mixed_notes(rulesets: dict[str, tuple[str, ...]]) -> list[Block]:
    """What to know first where different rules scored one scenario."""
    found: list[Block] = []
    for scenario, digests in rulesets.items():
        if len(digests) > 1:
            words = f"Mixed rules: {scenario} was scored by {len(digests)} rulesets; its runs are not comparable."
            found.append(Paragraph(((words,), listed(digests)), "bad"))
    return found


def _best_first(group: GroupSummary) -> tuple[bool, Fraction, tuple[str, ...]]:
    mean = group.statistics["mean_floored_score"]["over_task_runs"].value
    return mean is None, -(mean or Fraction(0)), tuple(each or "" for each in group.key.values())


def _name(group: GroupSummary) -> Cell:
    if not group.key:
        return cell("all runs", tone="strong")
    # A task mostly says its scenario already.
    words = [f"(no {key} named)" if value is None else value for key, value in group.key.items()]
    return cell("  " + " / ".join(words))


def _table(groups: Sequence[GroupSummary], columns: Sequence[str], row: Callable[[GroupSummary], list[Cell]]) -> Table:
    heads = (Column(""), *(Column(name, is_number=True) for name in columns))
    return Table(heads, tuple((_name(group), *row(group)) for group in groups))


def _fates(groups: Sequence[GroupSummary]) -> Table:
    def row(group: GroupSummary) -> list[Cell]:
        counts = group.counts
        numbers = (counts.planned, counts.scored, counts.void, counts.failed, counts.missing, group.tasks)
        return [cell(UNKNOWN if each is None else str(each)) for each in numbers]

    return _table(groups, ("planned", "scored", "void", "failed", "missing", "tasks"), row)


def _scores(groups: Sequence[GroupSummary], how: Resampling | None) -> Table:
    def row(group: GroupSummary) -> list[Cell]:
        kinds = group.statistics["mean_floored_score"]
        runs, tasks, middle = kinds["over_task_runs"], kinds["over_tasks"], kinds["interquartile"]
        cells = [cell(number(runs.value)), cell(decimal(runs.standard_error)), *interval(runs, how)]
        cells += [cell(number(tasks.value)), *interval(tasks, how)]
        return [*cells, cell(number(middle.value)), *interval(middle, how)]

    span = interval_head(how)
    return _table(groups, ("over task-runs", "SE", *span, "over tasks", *span, "interquartile", *span), row)


def _verdicts(groups: Sequence[GroupSummary], how: Resampling | None) -> Table:
    bounded = any(group.counts.unscored for group in groups)

    def row(group: GroupSummary) -> list[Cell]:
        rate, tasks = (group.statistics["resolved_rate"][kind] for kind in ("over_task_runs", "over_tasks"))
        resolved = UNKNOWN if rate.value is None else f"{rate.value * rate.n} of {rate.n}"
        cells = [cell(resolved), cell(number(rate.value)), *interval(rate, how)]
        if bounded:
            known = rate.value if not group.counts.unscored else None
            ends = (rate.worst if known is None else known, rate.best if known is None else known)
            cells += [cell(number(each)) for each in ends]
        return [*cells, cell(number(tasks.value)), *interval(tasks, how)]

    ends = ("worst", "best") if bounded else ()
    span = interval_head(how)
    return _table(groups, ("task-runs", "rate", *span, *ends, "over tasks", *span), row)


def _others(groups: Sequence[GroupSummary], how: Resampling | None) -> Table:
    def row(group: GroupSummary) -> list[Cell]:
        names = ("mean_uplift", "mean_contact_cost", "incident_rate")
        each = [group.statistics[name]["over_task_runs"] for name in names]
        return [made for one in each for made in (cell(number(one.value)), *interval(one, how))]

    span = interval_head(how)
    return _table(groups, ("mean uplift", *span, "mean contact cost", *span, "incident rate", *span), row)


def _repeats(groups: Sequence[GroupSummary]) -> Table:
    last = max(len(group.pass_hat) for group in groups)

    def row(group: GroupSummary) -> list[Cell]:
        fewest, most = group.fewest_repeats, group.most_repeats
        repeats = UNKNOWN if fewest is None else str(fewest) if fewest == most else f"{fewest} to {most}"
        found = [number(each.value) for each in group.pass_hat]
        verdicts = group.verdicts
        mixed = f"{verdicts.tasks_mixed} of {verdicts.tasks_repeated}"
        cells = [repeats, *found, *[UNKNOWN] * (last - len(found)), mixed, number(verdicts.flip_rate.value)]
        return [cell(each) for each in cells]

    powers = tuple(f"pass^{k}" for k in range(1, last + 1))
    return _table(groups, ("scored repeats", *powers, "tasks whose verdict flips", "flip rate"), row)


def _closest(groups: Sequence[GroupSummary]) -> Table:
    def row(group: GroupSummary) -> list[Cell]:
        return [*_distance(group.verdicts.closest_resolved), *_distance(group.verdicts.closest_unresolved)]

    heads = (Column(""), Column("resolved run"), Column("above by", True), Column("not resolved"), Column("by", True))
    return Table(heads, tuple((_name(group), *row(group)) for group in groups))


def _distance(found: Distance | None) -> list[Cell]:
    return [cell(UNKNOWN), cell(UNKNOWN)] if found is None else [cell(found.run), cell(number(found.distance))]


_SHOWN: Final = {
    "mean_floored_score": {
        "over_task_runs": "mean floored score over task-runs",
        "over_tasks": "mean floored score over tasks",
        "interquartile": "interquartile mean floored score",
    },
    "resolved_rate": {"over_task_runs": "resolved rate over task-runs", "over_tasks": "resolved rate over tasks"},
    "mean_uplift": {"over_task_runs": "mean uplift"},
    "mean_contact_cost": {"over_task_runs": "mean contact cost"},
    "incident_rate": {"over_task_runs": "incident rate"},
}
"""What the page shows of a group's statistics, and how it is called where it is not in the way that the others are."""


def _told(groups: Sequence[GroupSummary]) -> Iterator[tuple[str, str, Statistic]]:
    for group in groups:
        whose = "".join(_name(group).lines[0]).strip()
        for name, kinds in _SHOWN.items():
            shown = {words: group.statistics[name][kind] for kind, words in kinds.items()}
            if len({each.reason for each in shown.values()}) == 1:
                yield whose, name.replace("_", " "), next(iter(shown.values()))
            else:
                yield from ((whose, words, each) for words, each in shown.items())


def notes(statistics: Iterable[tuple[str, str, Statistic]], how: Resampling | None) -> list[Block]:
    """How intervals came about, and why there are none, or no value, where that is so.

    Each statistic comes with whose it is and what figure it is.
    """
    lines = [(line,) for line in reason_lines(statistics)]
    if how is not None:
        words = f"Intervals: tasks drawn anew within their scenarios {how.resamples:,} times, seed {how.seed}."
        lines.append((words,))
    return [Paragraph(tuple(lines), "quiet")] if lines else []


def number(value: Fraction | None) -> str:
    """Four decimals, cut towards minus infinity, as everywhere."""
    return UNKNOWN if value is None else cut(value, PLACES)


def decimal(value: float | None) -> str:
    """A double, cut the same way."""
    return UNKNOWN if value is None else cut(Fraction(value), PLACES)


def interval_head(how: Resampling | None) -> tuple[str, ...]:
    """The head of an interval's column, where there are intervals."""
    return () if how is None else (f"{how.level * 100:g}% interval",)


def interval(statistic: Statistic, how: Resampling | None) -> list[Cell]:
    """The cell of an interval, its ends cut outwards; none where there are no intervals."""
    if how is None:
        return []
    if statistic.interval is None:
        return [cell(UNKNOWN)]
    low, high = (Fraction(each) for each in statistic.interval)
    above = -((-high * 10**PLACES) // 1)
    return [cell(f"[{cut(low, PLACES)}, {cut(Fraction(above, 10**PLACES), PLACES)}]")]
