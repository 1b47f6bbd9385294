"""A ruleset's own test as plain data -> whether its run and its expectations have the right shape.

Apart from the model, so that rulesets without tests need not pay for it. The values stay plain data: runs are read
by the strict reader, which alone knows a scenario's fields and people.
"""

# Without `from __future__ import annotations`: pydantic would have to evaluate each annotation from its text again.

import re
from fractions import Fraction
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, StrictBool, StrictStr, model_validator

from outscore.ruleset.model import Amount, Number, Optionally, Strict, Values, Words, exact_number, read_id
from outscore.schema.cases import EVENTS, FREE, REFUSALS

_TIME: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?"
)
_FRACTION: Final = re.compile(r"-?[0-9]{1,1000}(?:/[1-9][0-9]{0,999})?")


def _text(pattern: re.Pattern[str]) -> Any:
    def check(value: object) -> str:
        if isinstance(value, str) and pattern.fullmatch(value):
            return value
        raise ValueError("the text has not the form wanted")

    return PlainValidator(check)


def _exactly(value: object) -> Fraction:
    if isinstance(value, str) and _FRACTION.fullmatch(value):
        return Fraction(value)
    return exact_number(value)


def _position(value: object) -> int:
    number = exact_number(value)
    if number.denominator != 1 or number < 1:
        raise ValueError("a whole number of 1 or more is wanted")
    return number.numerator


def _one_of(*options: str) -> Any:
    def check(value: object) -> str:
        if isinstance(value, str) and value in options:
            return value
        raise ValueError(f"one of {', '.join(options)} is wanted")

    return PlainValidator(check)


Ratio = Annotated[str, _text(_FRACTION)]
"""An exact value as text."""

Exactly = Annotated[Fraction, PlainValidator(_exactly)]
"""A number, or an exact value as text."""

Position = Annotated[int, PlainValidator(_position)]


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


class Some(Strict):
    """What is expected of a part of the score: only what was written is compared, so something must be."""

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("at least one is wanted")
        return self


class Figures(Some):
    """Expected values as exact fractions."""

    uplift: Ratio = ""
    adjusted_uplift: Ratio = ""
    contact_cost: Ratio = ""
    score: Ratio = ""
    floored_score: Ratio = ""


class ExpectedStep(Strict):
    """A rule's expected part in a charge."""

    rule: Words
    price: Optionally[Exactly] = None
    times: Optionally[Exactly] = None
    plus: Optionally[Exactly] = None
    amount: Optionally[Exactly] = None


class ExpectedCharge(Some):
    """What is expected of one event's charge."""

    event: Optionally[Position] = None
    type: Annotated[str, _one_of(*EVENTS)] = ""
    to: Words = ""
    nth: Optionally[Position] = None
    hours: Optionally[Exactly] = None
    amount: Optionally[Exactly] = None
    exact: Ratio = ""
    free: Annotated[str, _one_of(*FREE)] = ""
    steps: Annotated[tuple[ExpectedStep, ...], Field(min_length=1)] = ()


class Expected(Some):
    """What must come out of a test."""

    uplift: Optionally[Number] = None
    adjusted_uplift: Optionally[Number] = None
    contact_cost: Optionally[Number] = None
    score: Optionally[Number] = None
    floored_score: Optionally[Number] = None
    resolved: Optionally[StrictBool] = None
    incidents: Optionally[tuple[Words, ...]] = None
    warnings: Optionally[tuple[Words, ...]] = None
    exact: Optionally[Figures] = None
    charges: Optionally[tuple[Exactly, ...]] = None
    account: Annotated[tuple[ExpectedCharge, ...], Field(min_length=1)] = ()
    error: Annotated[str, _one_of(*REFUSALS)] = ""

    @model_validator(mode="after")
    def _refused_or_scored(self) -> Self:
        if "error" in self.model_fields_set and len(self.model_fields_set) > 1:
            raise ValueError("a run that is refused has no score to expect anything of")
        return self
