"""Times as text: what is read, what is refused, and the wall clock of a zone."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outscore.times import CLOCK, MINUTES_PER_DAY, WEEKDAYS, Moments, TimeError, day_minutes, load_zone, read_time

START = datetime(1, 1, 1)


def minutes_since_start(year: int, month: int, day: int, hour: int, minute: int) -> int:
    elapsed = datetime(year, month, day, hour, minute) - START
    return elapsed.days * MINUTES_PER_DAY + elapsed.seconds // 60


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_a_plain_time_is_the_calendar_as_written(moment: datetime) -> None:
    text = moment.strftime("%Y").zfill(4) + moment.strftime("-%m-%dT%H:%M")
    elapsed = minutes_since_start(moment.year, moment.month, moment.day, moment.hour, moment.minute)
    expected = elapsed, False, moment.hour, moment.minute, WEEKDAYS[moment.weekday()]
    assert read_time(text, None) == read_time(f"{text}:00", None) == Moments(None)[text] == expected


@given(
    st.datetimes(datetime(1900, 1, 2), datetime(2100, 1, 1)),
    st.sampled_from(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe"]),
    st.integers(-1439, 1439),
)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_a_time_with_an_offset_is_shown_on_the_zones_clock(moment: datetime, name: str, east: int) -> None:
    zone = load_zone(name)
    sign, (hours, minutes) = "-" if east < 0 else "+", divmod(abs(east), 60)
    text = f"{moment:%Y-%m-%dT%H:%M:%S}{sign}{hours:02}:{minutes:02}"
    there = datetime.fromisoformat(text).astimezone(zone)
    elapsed = datetime.fromisoformat(text).astimezone(UTC).replace(tzinfo=None) - START
    instant = elapsed.days * MINUTES_PER_DAY + Fraction(elapsed.seconds, 60)
    expected = instant, True, there.hour, there.minute, WEEKDAYS[there.weekday()]
    assert read_time(text, zone) == Moments(zone)[text] == expected


@pytest.mark.parametrize(
    ("text", "past_the_minute"),
    [
        ("2026-03-02T10:00:30", Fraction(1, 2)),
        ("2026-03-02T10:00:00.5", Fraction(1, 120)),
        ("2026-03-02T10:00:00.000000000000000000000000000001", Fraction(1, 60 * 10**30)),
        ("2026-03-02T10:00:59.999", Fraction(59999, 60000)),
    ],
)
def test_seconds_and_fractions_are_exact(text: str, past_the_minute: Fraction) -> None:
    moment, on_the_minute = read_time(text, None), read_time("2026-03-02T10:00", None)
    assert moment.instant == on_the_minute.instant + past_the_minute
    assert moment[1:] == on_the_minute[1:]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "2026-03-02",
            "2026-03-02 10:00",
            "2026-03-02t10:00",
            "2026-03-02T10",
            "2026-03-02T1000",
            "20260302T10:00",
        ),
        *("2026-W10-1T10:00", "2026-13-01T10:00", "2026-02-29T10:00", "0000-01-01T10:00", "2026-03-02T24:00"),
        *(
            "2026-03-02T10:60",
            "2026-03-02T10:00:60",
            "2026-03-02T10:00:00.",
            "2026-03-02T10:00z",
            "2026-03-02T10:00+1:00",
        ),
        *(
            "2026-03-02T10:00+24:00",
            "2026-03-02T10:00+01:60",
            "2026-03-02T10:00+0100",
            " 2026-03-02T10:00",
            "2026-03-02T10:00 ",
        ),
        *("2026-03-02T10:00\n", "２０２６-03-02T10:00", "2026-03-02T10:00:00." + "1" * 31, "0001-01-01T00:00+01:00"),
    ],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(TimeError):
        read_time(text, ZoneInfo("UTC"))
    with pytest.raises(TimeError):
        Moments(ZoneInfo("UTC"))[text]


def test_an_offset_wants_a_zone() -> None:
    with pytest.raises(TimeError, match="declares no timezone"):
        read_time("2026-03-02T10:00Z", None)


def test_what_is_remembered_is_bounded() -> None:
    memory = Moments(None)
    for day in range(1, 29):
        for clock in CLOCK:
            memory[f"2026-02-{day:02}{clock}"]
    assert len(memory) == Moments._MOST < 28 * len(CLOCK)
    # What it no longer remembers, it still reads.
    assert memory["2026-02-28T23:59"][0] == day_minutes("2026-02-28") + 1439


def test_zones_come_from_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    import zoneinfo

    monkeypatch.setattr(zoneinfo, "TZPATH", ())
    assert load_zone("Europe/Berlin").key == "Europe/Berlin"
    with pytest.raises(KeyError):
        load_zone("../../etc/passwd")
