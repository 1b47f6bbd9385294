"""Plan -> generated Python functions: a run's plain record to its Score, on scaled integers.

`price` takes events to entries of an account, `measure` a record's KPIs to D - B, R - B and the incidents found, and
`score` puts a run together.

The functions take only what they can prove clean: the keys and types of `run`, numbers that their scales hold exactly,
no rule that reads what is absent. On anything else they raise, whatever the exception, and the general path (`run`,
`ledger`) judges the run anew and owns every message. So no check here has words, and nothing here rounds.

Why a float may stand for a decimal: a double x read from at most 15 significant digits, or handed over as such, is the
decimal n / S for n = round(x * S) whenever n / S == x and |n| < 10^15, since no two decimals of at most 15 digits
share a double and S, a power of ten, is exact. Both conditions are tested on each number.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import count
from typing import Any, NamedTuple

import msgspec

from outscore.account import Account, Charge, Entries, Entry
from outscore.fastpath import support
from outscore.fastpath.entries import reader
from outscore.fastpath.record import RecordWriter
from outscore.fastpath.typed import Structs, quotes, structs
from outscore.formula import judge
from outscore.lowering import define
from outscore.plan import Plan
from outscore.score import Score, finish
from outscore.times import Moments, load_zone


class Fast(NamedTuple):
    """The generated functions of one plan, and what reads their entries."""

    score: Callable[..., Score]
    """A run's record, or its JSON text -> its Score."""

    price: Callable[[Any, list[Any]], tuple[Entries, int, int]]
    """Events and the counts so far -> entries, their sum in quanta, and what stood in quotes; the counts move on."""

    quanta: int
    """The common denominator of all charges."""

    read: Callable[[Entries], tuple[Charge, ...]]
    """The entries of a run -> its charges."""

    read_one: Callable[[Entry, int], Charge]
    """One entry, and its event's position in the run -> its charge."""

    source: str
    """The generated source, for tests and the curious."""


_BUILTINS = (Exception, int, float, str, bool, list, len, round, divmod, tuple)


def generate(plan: Plan) -> Fast:
    """Make the functions for records that are plain data."""
    return _functions(plan, None, recording=True)


def generate_for_json(plan: Plan) -> Callable[[bytes], Score]:
    """Make the function from a run's JSON text to its Score: the same source, for structs decoded straight from it.

    Its accounts are made when somebody looks, by pricing the events again, with entries.
    """
    return _functions(plan, structs(plan), recording=False).score


def _functions(plan: Plan, kinds: Structs | None, *, recording: bool) -> Fast:
    writer = RecordWriter(plan, typed=kinds is not None, recording=recording)
    writer.price_function()
    writer.measure_function("measure", is_scaled=True)
    writer.measure_function("measure_exactly", is_scaled=False)
    writer.score_function()
    source = "\n".join(writer.lines) + "\n"
    read_one = reader(writer.rules, writer.quanta, writer.hours_scale)

    def read(entries: Entries) -> tuple[Charge, ...]:
        return tuple(map(read_one, entries, count(1)))

    @cache
    def recorder() -> Fast:
        return _functions(plan, kinds, recording=True)

    def price_again(events: list[Any]) -> tuple[Charge, ...]:
        again = recorder()
        return again.read(again.price(events, support.start())[0])

    seen: dict[str, object] = {
        **writer.lowering.constants,
        **{function.__name__: function for function in _BUILTINS},
        **{kind.__name__: kind for kind in kinds or ()},
        "Account": Account,
        "Fraction": Fraction,
        "MOMENTS": Moments(load_zone(plan.timezone) if plan.timezone else None),
        "Unproven": support.Unproven,
        "absent": support.absent,
        "decode": msgspec.json.Decoder(kinds[-1]).decode if kinds else None,
        "exact": support.exact,
        "finish": finish,
        "is_unicode": support.is_unicode,
        "judge": judge,
        "quanta_of": support.quanta_of,
        "quotes_in": quotes,
        "read": read if recording else price_again,
        "scaled": support.scaled,
        "start": support.start,
    }
    price, score = define(source + "def both():\n    return price, score\n", "both", seen)()
    return Fast(score, price, writer.quanta, read, read_one, source)
