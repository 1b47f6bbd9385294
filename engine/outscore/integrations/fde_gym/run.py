"""Counted lines and a result -> the record of a run of the engagement's ruleset.

Events stand in the log's order. Reading the inbox is free and no event, so it is left out. `at` is left out too: the
harness logs a calendar without a year, in two languages, before a message but after a wait, and sets it back when the
people server restarts; and no rule of a converted ruleset reads a time.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any, Final

import msgspec

from outscore.diagnostics import Code
from outscore.integrations.fde_gym.counting import Act, Counted, hours_said
from outscore.integrations.fde_gym.ids import to_ours
from outscore.integrations.fde_gym.log import Log
from outscore.integrations.fde_gym.reading import ForeignFileError
from outscore.integrations.fde_gym.result import Result
from outscore.integrations.fde_gym.ruleset import ASKED, RECORDED
from outscore.numbers import MAX_DIGITS, Number, take_number

NOISE_PLACES: Final = 12
"""Decimals of a recorded cost that are kept; what stands beyond is what float arithmetic left."""

_TRUE_DIGITS: Final = 15
"""Significant digits that a double always holds; of a large cost, noise begins before the 12th decimal."""


def without_noise(cost: Number) -> Number:
    """A recorded cost without what float arithmetic left in it: 0.30000000000000004 is 0.3."""
    exact = Decimal(cost)
    last = max(-NOISE_PLACES, exact.adjusted() - _TRUE_DIGITS + 1) if exact else 0
    cut = exact.quantize(Decimal(1).scaleb(last), ROUND_HALF_EVEN, Context(prec=100)) if last < 0 else exact
    # Without zeros at its end, so that a number reads as one would write it.
    return take_number(cut.normalize(Context(prec=100)))


def events_of(counted: Counted, *, as_recorded: bool = False) -> list[dict[str, Any]]:
    """The events of a run, as records; with as_recorded, for a ruleset that was made so too.

    A recorded cost below zero, a credit, stands as zero: no charge is below it.
    """
    return [_event(act, as_recorded) for act in counted.acts if act.kind != "inbox"]


def _event(act: Act, as_recorded: bool) -> dict[str, Any]:
    recorded = max(without_noise(act.line.cost), 0)
    if act.kind == "trial":
        return {"type": "trial", RECORDED: recorded}
    if act.kind == "wait":
        return {"type": "wait", "hours": hours_said(act.line) or 0, RECORDED: recorded}
    event: dict[str, Any] = {"type": "contact", "to": to_ours(act.line.to)}
    if not act.is_answered:
        return {**event, "answered": False}
    if as_recorded:
        event[ASKED] = act.line.n_asked
        if act.nth != act.line.n_asked:
            event[RECORDED] = recorded
    return event


def refuse_credits(log: Log, counted: Counted) -> None:
    """Raise ForeignFileError for trials and waits that were recorded below zero, which no run can say."""
    faults = [
        log.fault(
            act.line,
            Code.NEGATIVE_CHARGE,
            f"a {act.kind} was recorded at {act.line.cost}, a credit; no charge is below zero here",
            ("cost",),
            "the audit shows what the run comes to without it",
        )
        for act in counted.acts
        if act.kind in ("trial", "wait") and act.line.cost < 0
    ]
    if faults:
        raise ForeignFileError(faults)


def run_of(
    result: Result,
    events: list[dict[str, Any]],
    *,
    run: str,
    scenario: str,
    task: str | None = None,
    agent: str | None = None,
) -> dict[str, Any]:
    """The run's record; task and agent are the result's where none is given."""
    record: dict[str, Any] = {"run": run, "scenario": scenario}
    if task := task or result.task:
        record["task"] = task
    if agent := agent or result.agent:
        record["agent"] = agent
    record["kpi"] = {"baseline": result.baseline, "delivered": result.delivered, "reference": result.reference}
    if result.incidents:
        record["incidents"] = list(result.incidents)
    return {**record, "events": events}


def encode_run(record: dict[str, Any]) -> bytes:
    """A run's record as one line of JSON, its numbers as they were written."""
    encoder = msgspec.json.Encoder(decimal_format="number", enc_hook=None)
    return msgspec.json.format(encoder.encode(_encodable(record)), indent=0)


def _encodable(value: Any) -> Any:
    """The value with integers that have more digits than a run's numbers may have, such as 1e40, as decimals."""
    if isinstance(value, dict):
        return {key: _encodable(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_encodable(each) for each in value]
    if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
        return Decimal(value).normalize(Context(prec=100))
    return value
