"""One condition: the generated function against simpleeval with the expression parsed beforehand."""

from __future__ import annotations

from collections.abc import Iterator

from outscore.diagnostics import Span
from outscore.expression.check import check
from outscore.expression.names import contact_scope
from outscore.lowering import Lowering, Piece, define
from simpleeval import EvalWithCompoundTypes

from tests.benchmarks.timing import ratio

CONDITION = 'hour < 9 or hour >= 18 or weekday in ["sat", "sun"]'


def figures() -> Iterator[tuple[str, float, float]]:
    """How much of simpleeval's time the generated condition takes; at most one fortieth."""
    tree, found = check(CONDITION, contact_scope({}, [], False), "boolean", lambda a, b: Span("", 1, 1, 1, 1), ())
    assert tree is not None
    assert not found
    lowering = Lowering(lambda name: Piece(name.name, int(name.type == "number")), scaled=True)
    source = f"def condition(hour, weekday):\n    return {lowering.lower(tree).source}\n"
    generated = define(source, "condition", lowering.constants)
    names = {"hour": 17, "weekday": "tue"}
    reference = EvalWithCompoundTypes(names=names)
    parsed = reference.parse(CONDITION)
    assert generated(17, "tue") is reference.eval(CONDITION, previously_parsed=parsed) is False
    share = ratio(
        lambda: [generated(17, "tue") for _ in range(100)],
        lambda: [reference.eval(CONDITION, previously_parsed=parsed) for _ in range(100)],
        calls=2,
    )
    yield "one condition / simpleeval, parsed beforehand (1/40)", share, 1 / 40
