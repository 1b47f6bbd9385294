"""result.json -> the KPI values, the incidents, whose run it was, and what the harness made of it.

Takes the harness's own file, where the KPI values stand side by side, and the same as an object `kpi` of baseline,
delivered and reference. Judges nothing: what the harness computed is carried as it is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from outscore.diagnostics import Path
from outscore.integrations.fde_gym.reading import (
    faults_of,
    needed,
    number_at,
    object_at,
    read_document,
    shown,
)
from outscore.numbers import Number
from outscore.plan import Direction

FIGURES = ("uplift", "uplift_bounded", "contact_cost", "uplift_net")
"""What the harness writes of its own computing."""


@dataclass(frozen=True, slots=True)
class Result:
    """A graded run."""

    file: str
    baseline: Number
    delivered: Number
    reference: Number
    incidents: tuple[str, ...]
    reported: Mapping[str, Number]
    """Those of FIGURES that the file gives."""
    run: str | None
    engagement: str | None
    variant: str | None
    level: str | None
    agent: str | None

    @property
    def direction(self) -> Direction | None:
        """Which way is better: the sign of reference - baseline, which is all the harness goes by; None for zero."""
        if self.reference == self.baseline:
            return None
        return "higher" if self.reference > self.baseline else "lower"

    @property
    def task(self) -> str | None:
        """The problem: engagement and variant, and the level of the brief where it is said."""
        if self.engagement is None:
            return None
        return "/".join(filter(None, (self.engagement, self.variant or "base", self.level)))


def read_result(path: str) -> Result:
    """Read result.json; raises OSError and ForeignFileError."""
    found = read_document(path)
    with faults_of(path):
        return _result(found, path)


def _result(found: Mapping[str, Any], file: str) -> Result:
    kpi = found.get("kpi")
    root: Path = ()
    if isinstance(kpi, Mapping):
        values = object_at(kpi, ("kpi",))
        keys, root = ("baseline", "delivered", "reference"), ("kpi",)
    else:
        values = found
        keys = ("kpi_baseline", "kpi", "kpi_oracle")
    baseline, delivered, reference = (number_at(needed(values, key, root), (*root, key)) for key in keys)
    return Result(
        file=file,
        baseline=baseline,
        delivered=delivered,
        reference=reference,
        incidents=_incidents(found.get("incidents")),
        reported=_reported(found),
        run=_words(found.get("name", found.get("id"))),
        engagement=_words(found.get("engagement")),
        variant=_words(found.get("variant")),
        level=_level(found.get("level")),
        agent=_agent(found),
    )


def _incidents(found: object) -> tuple[str, ...]:
    """Their names. Whatever is not empty is an incident there, text or not."""
    if not found:
        return ()
    entries = found if isinstance(found, list) else [found]
    return tuple(dict.fromkeys(_words(entry) or shown(entry, 500) for entry in entries))


def _reported(found: Mapping[str, Any]) -> dict[str, Number]:
    expected = found.get("expected")
    if isinstance(expected, Mapping):
        place: Path = ("expected",)
        places = dict.fromkeys(FIGURES, (expected, place))
    else:
        discovery = found.get("discovery")
        places = dict.fromkeys(FIGURES, (found, ()))
        places["contact_cost"] = (discovery, ("discovery",)) if isinstance(discovery, Mapping) else ({}, ())
    return {
        figure: number_at(values[figure], (*path, figure))
        for figure, (values, path) in places.items()
        if values.get(figure) is not None
    }


def _agent(found: Mapping[str, Any]) -> str | None:
    agent = found.get("agent")
    if isinstance(agent, Mapping):
        return _words(agent.get("slug"))
    return _words(agent) or _words(found.get("slug"))


def _level(found: object) -> str | None:
    """The level of the brief; some write it as a number."""
    is_number = isinstance(found, int | Decimal) and not isinstance(found, bool)
    return _words(str(found) if is_number else found)


def _words(found: object) -> str | None:
    """Text as a run carries it: not empty, and without halves of surrogate pairs, which are no characters."""
    if not isinstance(found, str) or not found:
        return None
    return found.encode("utf-8", "backslashreplace").decode()
