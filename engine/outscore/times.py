"""Text of a time -> minutes, exactly: an instant to order and count by, and the customer's wall clock.

Reads no clock and no time zone data of the machine: zones come from the tzdata package that the core ships with.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from importlib import resources
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""By day number modulo 7: day 0, the first of January of year 1, is a Monday."""

MINUTES_PER_DAY: Final = 1440

CLOCK: Final = {f"T{hour:02}:{minute:02}": 60 * hour + minute for hour in range(24) for minute in range(60)}
"""`T09:10` -> minutes since midnight."""

_TIME: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})(T[0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,30}))?)?(Z|([+-])([0-9]{2}):([0-9]{2}))?"
)
_DATE: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")


class TimeError(ValueError):
    """Text that is no time; the message says why, without its place."""


class Moment(NamedTuple):
    """A time as the rules need it."""

    instant: int | Fraction
    """Minutes since the start of year 1: of UTC where the time carries an offset, else of the calendar as written."""

    has_offset: bool
    hour: int
    """On the customer's wall clock, as are `minute` and `weekday`."""
    minute: int
    weekday: str


@lru_cache(maxsize=4096)
def day_minutes(text: str) -> int:
    """Minutes from the start of year 1 to the start of the day `YYYY-MM-DD`; raises TimeError."""
    # `fromisoformat` alone would take week dates and the basic form as well.
    if _DATE.fullmatch(text) is None:
        raise TimeError("a date is written YYYY-MM-DD")
    try:
        return (date.fromisoformat(text).toordinal() - 1) * MINUTES_PER_DAY
    except ValueError:
        raise TimeError(f"{text} is no day of the calendar") from None


def read_time(text: str, zone: ZoneInfo | None) -> Moment:
    """Read `2026-03-02T09:10`, with seconds and fractions if given, and `Z` or `+01:00` if it carries an offset.

    A time with an offset is shown on the wall clock of `zone`. Raises TimeError for anything else, and for a
    time with an offset when there is no zone.
    """
    if len(text) == 16 and text[10:] in CLOCK:
        # By far the most common form.
        minutes = day_minutes(text[:10]) + CLOCK[text[10:]]
        return _moment(minutes, False, minutes)
    match = _TIME.fullmatch(text)
    if match is None:
        raise TimeError("a time is written 2026-03-02T09:10, with seconds if wanted, and Z or +01:00 for an offset")
    day, clock, seconds, fraction, offset, sign, offset_hours, offset_minutes = match.groups()
    if clock not in CLOCK or (seconds is not None and int(seconds) > 59):
        raise TimeError("hours run from 00 to 23, minutes and seconds from 00 to 59")
    minutes = day_minutes(day) + CLOCK[clock]
    past_the_minute = Fraction(f"{seconds or 0}.{fraction or 0}") / 60
    if offset is None:
        return _moment(_plain(minutes + past_the_minute), False, minutes)
    if zone is None:
        raise TimeError("the time carries an offset, but the ruleset declares no timezone")
    east = 0 if sign is None else (60 * int(offset_hours) + int(offset_minutes)) * (1 if sign == "+" else -1)
    if sign is not None and (int(offset_hours) > 23 or int(offset_minutes) > 59):
        raise TimeError("an offset lies between -23:59 and +23:59")
    utc = minutes - east
    return _moment(_plain(utc + past_the_minute), True, _wall(utc, int(seconds or 0), zone))


def _moment(instant: int | Fraction, has_offset: bool, wall_minutes: int) -> Moment:
    days, minute_of_day = divmod(wall_minutes, MINUTES_PER_DAY)
    return Moment(instant, has_offset, minute_of_day // 60, minute_of_day % 60, WEEKDAYS[days % 7])


def _plain(minutes: Fraction) -> int | Fraction:
    return minutes.numerator if minutes.denominator == 1 else minutes


def _wall(utc_minutes: int, seconds: int, zone: ZoneInfo) -> int:
    """The zone's wall clock at an instant, in whole minutes; fractions of a second cannot move it to the next one."""
    days, minute = divmod(utc_minutes, MINUTES_PER_DAY)
    try:
        instant = datetime.fromordinal(days + 1).replace(tzinfo=UTC) + timedelta(minutes=minute, seconds=seconds)
        local = instant.astimezone(zone)
    except (OverflowError, ValueError):
        raise TimeError("the time lies outside the years 1 to 9999 in its time zone") from None
    return (local.toordinal() - 1) * MINUTES_PER_DAY + 60 * local.hour + local.minute


class Moments(dict[str, Moment]):
    """A time's text -> its moment in a zone.

    Runs of one scenario play in the same few weeks, so it remembers what it read, up to a bound. Raises what
    `read_time` raises, and TypeError for what is no text.
    """

    _MOST = 2**14

    def __init__(self, zone: ZoneInfo | None) -> None:
        self._zone = zone

    def __missing__(self, text: str) -> Moment:
        moment = read_time(text, self._zone)
        if len(self) < self._MOST:
            self[text] = moment
        return moment


def load_zone(name: str) -> ZoneInfo:
    """The time zone from the tzdata package, so that every machine reads the same rules; raises KeyError."""
    if name not in zone_names():
        raise KeyError(name)
    path = resources.files("tzdata.zoneinfo").joinpath(*name.split("/"))
    with path.open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


@lru_cache(maxsize=1)
def zone_names() -> frozenset[str]:
    """The names of the zones that the tzdata package has."""
    return frozenset(resources.files("tzdata").joinpath("zones").read_text(encoding="utf-8").split())
