"""JSON text -> structs, where it is proven to say what the strict reader would read.

The structs are made for one plan: they hold its fields, its measures, and no other key. What they do not show is a key
that was given twice, and a float that stands for more digits than it holds; the text itself proves both absent.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from outscore.fastpath.support import Unproven
from outscore.fastpath.writer import attribute
from outscore.jsontext import MAX_RUN_BYTES
from outscore.plan import FieldType, Plan
from outscore.run import SYSTEMS

Structs = tuple[type[msgspec.Struct], ...]

_DIGITS: Final = bytes.maketrans(b".123456789", b"0000000000")
_LONG_NUMBER: Final = b"0" * 16
_NUMBER: Final = int | float


def quotes(text: bytes) -> int:
    """The quotes in a JSON text; raises Unproven for a text that no struct can be trusted with.

    Proven: no escapes, so no halves of surrogate pairs, and every quote opens or closes a key or a text; so where there
    are twice as many quotes as keys and texts were read, no key came twice. No run of 16 digits and points, so each
    float stands for its own decimal (see `fastpath`).
    """
    if len(text) > MAX_RUN_BYTES or text.find(b"\\") >= 0 or _LONG_NUMBER in text.translate(_DIGITS):
        raise Unproven
    return text.count(b'"')


def structs(plan: Plan) -> Structs:
    """The structs of a plan's contacts, trials, waits, and of a run's record."""
    fields = [(name, _type(type_), None) for name, type_ in plan.fields.items()]
    at = ("at", str, None)
    contact = _struct("contact", [("to", str), at, ("answered", bool, None), *fields], tag="contact")
    trial = _struct("trial", [at, *fields], tag="trial")
    wait = _struct("wait", [("hours", _NUMBER), at, *fields], tag="wait")
    values: Any = _NUMBER
    if plan.kpi.measures:
        values = _struct("values", [(measure, _NUMBER) for measure in plan.kpi.measures])
    pinned = {"baseline": plan.kpi.pinned_baseline, "delivered": None, "reference": plan.kpi.pinned_reference}
    wanted = [(system, values) for system in SYSTEMS if pinned[system] is None]
    kpi = _struct("kpi", [*wanted, *((system, values, None) for system in SYSTEMS if pinned[system] is not None)])
    record = _struct(
        "record",
        [
            *(("run", str), ("scenario", str), ("kpi", kpi)),
            *((key, str, None) for key in ("task", "agent", "data")),
            ("incidents", list[str], None),
            ("events", list[contact | trial | wait], None),  # type: ignore[valid-type]
        ],
    )
    return contact, trial, wait, record


def _type(type_: FieldType) -> Any:
    if isinstance(type_, tuple):
        return Literal[type_]
    return {"number": _NUMBER, "boolean": bool, "text": str}[type_]


def _struct(name: str, keys: list[tuple[Any, ...]], tag: str | None = None) -> type[msgspec.Struct]:
    """A struct of these keys and no other; None stands for an absent key, since no type here takes null."""
    return msgspec.defstruct(
        name,
        [(attribute(key), *rest) for key, *rest in keys],
        rename={attribute(key): key for key, *_ in keys},
        forbid_unknown_fields=True,
        tag_field="type" if tag else None,
        tag=tag,
        gc=False,
    )
