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
from typing import Any, NamedTuple

import msgspec

from outscore.account import Account, Charge, Entries
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
    """A run's record -> its Score."""

    price: Callable[[Any, list[Any]], tuple[Entries, int, int]]
    """Events and the counts so far -> entries, their sum in quanta, and what stood in quotes; the counts move on."""

    quanta: int
    """The common denominator of all charges."""

    read: Callable[[Entries], tuple[Charge, ...]]
    """Entries -> charges."""

    source: str
    """The generated source, for tests and the curious."""


_BUILTINS = (Exception, int, float, str, bool, list, len, round, divmod, tuple)


def generate(plan: Plan) -> Fast:
    """Make the functions for records that are plain data."""
    return _functions(plan, None)


def generate_for_json(plan: Plan) -> Callable[[bytes], Score]:
    """Make the function from a run's JSON text to its Score: the same source, for structs decoded straight from it."""
    kinds = structs(plan)
    score = _functions(plan, kinds).score
    decode = msgspec.json.Decoder(kinds[-1]).decode
    return lambda text: score(decode(text), quotes(text))


def _functions(plan: Plan, kinds: Structs | None) -> Fast:
    writer = RecordWriter(plan, typed=kinds is not None)
    writer.price_function()
    writer.measure_function("measure", is_scaled=True)
    writer.measure_function("measure_exactly", is_scaled=False)
    writer.score_function()
    source = "\n".join(writer.lines) + "\n"
    read = reader(writer.rules, writer.quanta, writer.hours_scale)
    seen: dict[str, object] = {
        **writer.lowering.constants,
        **{function.__name__: function for function in _BUILTINS},
        **{kind.__name__: kind for kind in kinds or ()},
        "Account": Account,
        "Fraction": Fraction,
        "MOMENTS": Moments(load_zone(plan.timezone) if plan.timezone else None),
        "Unproven": support.Unproven,
        "absent": support.absent,
        "exact": support.exact,
        "finish": finish,
        "is_unicode": support.is_unicode,
        "judge": judge,
        "quanta_of": support.quanta_of,
        "read": read,
        "scaled": support.scaled,
        "start": support.start,
    }
    price, score = define(source + "def both():\n    return price, score\n", "both", seen)()
    return Fast(score, price, writer.quanta, read, source)
