"""Statistics with what they are called -> sentences on why they have no value or no interval, each reason once.

Computes nothing, and finds no reasons: those stand in the statistics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from outscore.summary.groups import NOT_ASKED, NOTHING_SCORED, NOTHING_SHARED
from outscore.summary.statistic import Statistic


def reason_lines(statistics: Iterable[tuple[str, str, Statistic]]) -> list[str]:
    """The sentences; each statistic comes with whose it is, which may be empty, and what figure it is.

    Figures are named unless all that are told of somebody have the same reason.
    """
    figures: dict[str, dict[str, None]] = {}
    said: dict[str, dict[str, dict[str, None]]] = {}
    for whose, figure, each in statistics:
        figures.setdefault(whose, {})[figure] = None
        if each.reason is not None and each.reason != NOT_ASKED:
            said.setdefault(each.reason, {}).setdefault(whose, {})[figure] = None
    lines = []
    for reason, found in said.items():
        what = "value" if reason in (NOTHING_SCORED, NOTHING_SHARED) else "interval"
        alike: dict[tuple[str, ...], list[str]] = {}
        for whose, of in found.items():
            alike.setdefault(() if len(of) == len(figures[whose]) else tuple(of), []).append(whose)
        lines += [f"No {what}{_of(names, of)}: {reason}." for of, names in alike.items()]
    return lines


def _of(names: Sequence[str], figures: Sequence[str]) -> str:
    """` for alpha, beta`, ` for the incident rate of alpha, beta`, ` for the uplift`, or nothing."""
    owners, parts = ", ".join(filter(None, names)), [f"the {figure}" for figure in figures]
    listed = " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
    return " for " + " of ".join(filter(None, (listed, owners))) if listed or owners else ""
