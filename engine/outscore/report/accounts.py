"""A stored score's JSON -> its charges with their steps as text, and what each payee came to.

Prices nothing; what is wrong with the JSON, or with its sum, becomes a finding at the result's place.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Final

import msgspec

from outscore.diagnostics import Code
from outscore.explain.wording import amount, shown
from outscore.report.waterfall import Payee, payee
from outscore.results import Result, ResultsError, finding

KINDS: Final = ("price", "times", "plus")


class _Step(msgspec.Struct, frozen=True):
    rule: str
    amount: str
    price: str | None = None
    times: str | None = None
    plus: str | None = None


class _Charge(msgspec.Struct, frozen=True):
    type: str
    exact: str
    event: int = 0
    to: str | None = None
    nth: int | None = None
    hours: str | None = None
    free: str | None = None
    steps: tuple[_Step, ...] = ()


class _Body(msgspec.Struct):
    account: tuple[_Charge, ...] = ()
    warnings: tuple[str, ...] = ()


class _Place(msgspec.Struct):
    file: str = ""
    line: int | None = None
    item: int | None = None


class _Failure(msgspec.Struct):
    input: _Place | None = None


_DECODER: Final = msgspec.json.Decoder(_Body)

StepText = tuple[str, str, str, str]
"""The rule, what it did (`price`, `times`, `plus`), its operand, and the running charge."""


class Item(msgspec.Struct, frozen=True):
    """One event of an account, as people read it; equal events are equal values, wherever they stand."""

    type: str
    to: str | None
    nth: int | None
    hours: str | None
    amount: str
    free: str | None
    steps: tuple[StepText, ...]


class Account(msgspec.Struct, frozen=True):
    """What a stored score says beside its figures."""

    items: tuple[Item, ...]
    costs: dict[Payee, Fraction]
    """What each payee came to, in order of the first charge; who only had free events is left out."""
    warnings: tuple[str, ...]


def read_account(result: Result) -> Account:
    """Read a scored result's account; raises ResultsError where it has none that can be read."""
    try:
        body = _DECODER.decode(result.source)
        costs: dict[Payee, Fraction] = {}
        for each in body.account:
            cost = _number(each.exact)
            if cost:
                whom = payee(each.type, each.to)
                costs[whom] = costs.get(whom, Fraction(0)) + cost
        account = Account(tuple(map(_item, body.account)), costs, body.warnings)
    except (msgspec.MsgspecError, ValueError, ZeroDivisionError) as error:
        message = f"the account cannot be read: {error}"
        hint = "results are written by `outscore score --format jsonl` or `--format json`"
        raise ResultsError([finding(Code.WRONG_TYPE, result.file, result.line, message, hint)]) from None
    # Less than the contact cost is no contradiction: results may have been stripped of charges.
    total = sum(costs.values(), Fraction(0))
    wanted = None if result.figures is None else result.figures.contact_cost
    if wanted is not None and total > wanted:
        message = f"the account's charges come to {shown(total)}, the contact cost is {shown(wanted)}"
        hint = "it was not written by outscore, or was changed since; score the run again"
        raise ResultsError([finding(Code.CONFLICT, result.file, result.line, message, hint)])
    return account


def read_input(result: Result) -> str:
    """Where the run of a failed result stands, as far as the result says: `runs.jsonl:3`."""
    try:
        place = msgspec.json.decode(result.source, type=_Failure).input
    except msgspec.MsgspecError:
        return ""
    if place is None:
        return ""
    return place.file + (f":{place.line}" if place.line else f", item {place.item}" if place.item else "")


def _item(charge: _Charge) -> Item:
    hours = None if charge.hours is None else _shown(charge.hours)
    steps = tuple(_step(each) for each in charge.steps)
    return Item(charge.type, charge.to, charge.nth, hours, _amount(charge.exact), charge.free, steps)


@lru_cache(maxsize=10_000)
def _step(step: _Step) -> StepText:
    kind = next((kind for kind in KINDS if getattr(step, kind) is not None), KINDS[0])
    operand = getattr(step, kind)
    return step.rule, kind, _shown(step.amount if operand is None else operand), _shown(step.amount)


@lru_cache(maxsize=10_000)
def _number(text: str) -> Fraction:
    return Fraction(text)


@lru_cache(maxsize=10_000)
def _shown(text: str) -> str:
    return shown(_number(text))


@lru_cache(maxsize=10_000)
def _amount(text: str) -> str:
    return amount(_number(text))
