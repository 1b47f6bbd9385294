"""A ruleset's own test as plain data -> whether its run and its expectations have the right shape.

Apart from the model, so that rulesets without tests need not pay for it. The values stay plain data: runs are read
by the strict reader, which alone knows a scenario's fields and people.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, PlainValidator, StrictBool, StrictStr, model_validator

from outscore.ruleset.model import Amount, Number, Optionally, Strict, Values, Words, exact_number, read_id

_TIME: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?"
)
_FRACTION: Final = re.compile(r"-?[0-9]+(?:/[1-9][0-9]*)?")


def _text(pattern: re.Pattern[str]) -> Any:
    def check(value: object) -> str:
        if isinstance(value, str) and pattern.fullmatch(value):
            return value
        raise ValueError("the text has not the form wanted")

    return PlainValidator(check)


Ratio = Annotated[str, _text(_FRACTION)]
"""An exact value as text."""


class Event(BaseModel):
    """The shape of an event in a test's run; which fields there are is the strict reader's to say."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)
    __pydantic_extra__: dict[str, Any]

    type: StrictStr
    at: Annotated[str, _text(_TIME)] = ""
    to: Words = ""
    answered: StrictBool = True
    hours: Optionally[Amount] = None

    @model_validator(mode="after")
    def _keys(self) -> Self:
        needed = {"contact": {"to"}, "trial": set[str](), "wait": {"hours"}}
        allowed = {"contact": {"to", "answered"}, "trial": set[str](), "wait": {"hours"}}
        if self.type not in needed:
            raise ValueError("an event is a contact, a trial or a wait")
        given = self.model_fields_set & {"to", "answered", "hours"}
        if not needed[self.type] <= given <= allowed[self.type]:
            raise ValueError(f"a {self.type} carries other keys")
        for name, value in self.__pydantic_extra__.items():
            read_id(name)
            if not isinstance(value, bool | str):
                exact_number(value)
        return self


class MeasuredValues(Strict):
    """The values that a test's run reports."""

    baseline: Optionally[Values] = None
    delivered: Values
    reference: Optionally[Values] = None


class Data(Strict):
    """What each value was measured on."""

    baseline: Words = ""
    delivered: Words = ""
    reference: Words = ""

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("at least one is wanted")
        return self


class TestRun(Strict):
    """The shape of a test's run."""

    __test__ = False  # pytest would collect it by its name

    run: Words = ""
    scenario: Words = ""
    task: Words = ""
    agent: Words = ""
    kpi: MeasuredValues
    incidents: tuple[Words, ...] = ()
    data: Words | Data = ""
    events: tuple[Event, ...] = ()


class Figures(Strict):
    """Expected values as exact fractions."""

    uplift: Ratio = ""
    adjusted_uplift: Ratio = ""
    contact_cost: Ratio = ""
    score: Ratio = ""
    floored_score: Ratio = ""

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("at least one is wanted")
        return self


class Expected(Strict):
    """What must come out of a test; only what was written is compared."""

    uplift: Optionally[Number] = None
    adjusted_uplift: Optionally[Number] = None
    contact_cost: Optionally[Number] = None
    score: Optionally[Number] = None
    floored_score: Optionally[Number] = None
    resolved: Optionally[StrictBool] = None
    incidents: Optionally[tuple[Words, ...]] = None
    warnings: Optionally[tuple[Words, ...]] = None
    exact: Optionally[Figures] = None
    charges: Optionally[tuple[Number, ...]] = None

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("at least one is wanted")
        return self
