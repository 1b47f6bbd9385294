"""Plain data of the right shape -> the model of a ruleset, format 1: strict, frozen, numbers exact.

What it refuses is told by the schema, in better words: the two say the same rules, and a test holds them together. It
knows nothing of expressions but that they are text, and of meaning nothing at all.
"""

# Without `from __future__ import annotations`: pydantic would have to evaluate each annotation from its text again.

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Final, Self, TypeVar, cast
from typing import Literal as OneOf

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    PrivateAttr,
    StrictBool,
    StrictStr,
    model_validator,
)

from outscore.diagnostics import Path
from outscore.numbers import NumberError, read_number, take_number
from outscore.plan import Direction, FieldType, Node

_ID: Final = re.compile(r"[a-z][a-z0-9_]*")
T = TypeVar("T")
Distinct = TypeVar("Distinct", bound=tuple[Any, ...])


def exact_number(value: object) -> Fraction:
    """An exact number; booleans, text and null are refused."""
    return Fraction(take_number(value))


def _amount(value: object) -> Fraction:
    number = exact_number(value)
    if number < 0:
        raise ValueError("the number must be 0 or more")
    return number


def _whole(value: object) -> int:
    number = _amount(value)
    if number.denominator != 1:
        raise ValueError("a whole number is wanted")
    return number.numerator


def _operand(value: object) -> Fraction | str:
    if not isinstance(value, str):
        return exact_number(value)
    try:
        read_number(value.strip())
    except NumberError:
        return value
    raise ValueError("a quoted number is text; drop the quotes")


def _factor(value: object) -> Fraction | str:
    operand = _operand(value)
    if not isinstance(operand, str) and operand < 0:
        raise ValueError("the number must be 0 or more")
    return operand


def _values(value: object) -> Fraction | Mapping[str, Fraction]:
    if isinstance(value, Mapping):
        return {read_id(key): exact_number(each) for key, each in value.items()}
    return exact_number(value)


def _kind(value: object) -> FieldType:
    if value in ("number", "text", "boolean"):
        return cast(FieldType, value)
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        return _distinct(tuple(value))
    raise ValueError("a field is number, text, boolean, or a list of the texts it may be")


def read_id(value: object) -> str:
    """An id, to its very end."""
    if isinstance(value, str) and _ID.fullmatch(value):
        return value
    raise ValueError("ids are lower-case letters, digits and _, a letter first")


def _format(value: object) -> int:
    if _whole(value) != 1:
        raise ValueError("format 1 is wanted")
    return 1


def _given(value: object) -> object:
    # Applies where a key is written, not to the default: absent is fine, null is not a value.
    if value is None:
        raise ValueError("null is no value")
    return value


def _distinct(value: Distinct) -> Distinct:
    if len(set(value)) != len(value):
        raise ValueError("the items must be distinct")
    return value


Optionally = Annotated[T | None, BeforeValidator(_given)]
Number = Annotated[Fraction, PlainValidator(exact_number)]
Amount = Annotated[Fraction, PlainValidator(_amount)]
Whole = Annotated[int, PlainValidator(_whole)]
Operand = Annotated[Fraction | str, PlainValidator(_operand)]
Factor = Annotated[Fraction | str, PlainValidator(_factor)]
Values = Annotated[Fraction | Mapping[str, Fraction], PlainValidator(_values)]
Kind = Annotated[FieldType, PlainValidator(_kind)]
Id = Annotated[str, PlainValidator(read_id)]
Words = Annotated[StrictStr, Field(min_length=1)]


class Strict(BaseModel):
    """What every part of a ruleset is: frozen, and closed to unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Charge(Strict):
    """A change to the running charge: exactly one of the three, a number or an expression's text."""

    price: Optionally[Factor] = None
    times: Optionally[Factor] = None
    plus: Optionally[Operand] = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if len(self.model_fields_set) != 1:
            raise ValueError("exactly one of price, times, plus is wanted")
        return self

    @property
    def kind(self) -> OneOf["price", "times", "plus"]:
        """Which of the three it is."""
        return "price" if self.price is not None else "times" if self.times is not None else "plus"

    @property
    def value(self) -> Fraction | str:
        """The operand: a number, or the text of an expression."""
        value = getattr(self, self.kind)
        assert isinstance(value, Fraction | str)
        return value


class PastPatience(Charge):
    """A change to the list price of contacts past patience; numbers only."""

    price: Optionally[Amount] = None
    times: Optionally[Amount] = None
    plus: Optionally[Number] = None

    @property
    def number(self) -> Fraction:
        """The operand, which is always a number."""
        assert isinstance(self.value, Fraction)
        return self.value


class Person(Strict):
    """How contacts with one person are charged."""

    role: StrictStr = ""
    price: Amount
    patience: Optionally[Whole] = None
    past_patience: Optionally[PastPatience] = None

    @model_validator(mode="after")
    def _both(self) -> Self:
        if (self.patience is None) != (self.past_patience is None):
            raise ValueError("patience and past_patience come together")
        return self


class Restriction(Strict):
    """A change to the charge of events for which `when` holds."""

    id: Id
    why: StrictStr = ""
    when: Optionally[StrictStr] = None
    charge: Charge


Restrictions = tuple[Restriction, ...]


class Contacts(Strict):
    """Who may be contacted, at what price."""

    people: Mapping[Id, Person] = Field(default_factory=dict)
    anyone_else: Optionally[Person] = None
    restrictions: Restrictions = ()


class Trials(Strict):
    """How trials are charged."""

    count: StrictBool
    prices: Annotated[tuple[Amount, ...], Field(min_length=1)] = ()
    restrictions: Restrictions = ()

    @model_validator(mode="after")
    def _priced(self) -> Self:
        if self.count and not self.prices:
            raise ValueError("counted trials need prices")
        return self


class Waiting(Strict):
    """How waiting is charged."""

    count: StrictBool
    price_per_day: Optionally[Amount] = None
    free_days: Amount = Fraction(0)
    restrictions: Restrictions = ()

    @model_validator(mode="after")
    def _priced(self) -> Self:
        if self.count and self.price_per_day is None:
            raise ValueError("counted waiting needs a price_per_day")
        return self


class Pinned(Strict):
    """Baseline and reference, the same for every run."""

    baseline: Values
    reference: Values


class Kpi(Strict):
    """The customer's number."""

    name: StrictStr = ""
    unit: StrictStr = ""
    direction: Direction
    measures: Annotated[tuple[Id, ...], Field(min_length=1), AfterValidator(_distinct)] = ()
    formula: Optionally[StrictStr] = None
    pinned: Optionally[Pinned] = None

    @model_validator(mode="after")
    def _both(self) -> Self:
        if bool(self.measures) != (self.formula is not None):
            raise ValueError("measures and formula come together")
        return self


class Incident(Strict):
    """What must not happen; without `when` the run reports it by name."""

    why: StrictStr = ""
    when: Optionally[StrictStr] = None


def _plain(name: str) -> Any:
    """Plain data that stays plain, once the model of that name in `cases` has found its shape right."""

    def check(value: object) -> object:
        # Imported here: only rulesets with tests pay for these models.
        from outscore.ruleset import cases

        getattr(cases, name).model_validate(value)
        return value

    return PlainValidator(check)


class Test(Strict):
    """One run and what it must come to, both as written."""

    __test__ = False  # pytest would collect it by its name

    name: Words
    run: Annotated[Mapping[str, Any], _plain("TestRun")]
    """For the strict reader, which reads it like any other run."""
    expect: Annotated[Mapping[str, Any], _plain("Expected")]

    def complete(self, scenario: str) -> dict[str, Any]:
        """Its run as a record, with what a test may leave out filled in."""
        return {"run": self.name, "scenario": scenario, **self.run}


class Ruleset(Strict):
    """One scenario's rules, as written."""

    outscore: Annotated[int, PlainValidator(_format)]
    scenario: Id
    title: StrictStr = ""
    description: StrictStr = ""
    timezone: Optionally[Words] = None
    kpi: Kpi
    fields: Mapping[Id, Kind] = Field(default_factory=dict)
    contacts: Optionally[Contacts] = None
    trials: Optionally[Trials] = None
    waiting: Optionally[Waiting] = None
    incidents: Mapping[Id, Incident] = Field(default_factory=dict)
    tests: tuple[Test, ...] = ()

    # Beside the data and not in it, so that no ruleset can write them.
    _trees: Mapping[Path, Node] = PrivateAttr(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _without_holders(cls, data: object) -> object:
        if not isinstance(data, Mapping):
            return data
        return {key: each for key, each in data.items() if not (isinstance(key, str) and key.startswith("x-"))}

    @property
    def trees(self) -> Mapping[Path, Node]:
        """The checked tree of every expression, by its path."""
        return self._trees

    def with_trees(self, trees: Mapping[Path, Node]) -> Self:
        """The same ruleset with the checked trees of its expressions."""
        checked = self.model_copy()
        checked._trees = dict(trees)
        return checked
