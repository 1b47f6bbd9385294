"""A ruleset's data and a seed -> a run's text.

Numbers are made as text and never pass through a float; the same seed gives the same text on every Python.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from tests import naive

Rules = dict[str, Any]

STRANGERS = ("stranger", "newcomer", "Someone Else", "ünal")
STARTS = ("2026-03-02", "2026-03-06", "2026-03-27", "2026-04-03", "2026-10-23", "2026-10-30", "2024-02-28")
CHANNELS = ("chat", "mail", "call")
NOTES = ("late", "ünder way", "a, b", "it's", 'say "x"', "")
HOURS = ("0", "0.1", "0.5", "1", "4", "7.3", "12.0", "24", "36", "1e1", "48.25")


class Raw(str):
    """The text of a number, written as it stands."""


def run_for(rules: Rules, seed: int) -> str:
    """A random run of a ruleset, given as the data that `naive.load_ruleset` reads."""
    random = Random(f"run {rules['scenario']} {seed}")
    run: dict[str, Any] = {"run": f"r{seed}", "scenario": rules["scenario"]}
    if random.random() < 0.7:
        run |= {"task": f"{rules['scenario']}/t{random.randrange(4)}", "agent": f"model-{random.choice('abc')}"}
    kpi = rules["kpi"]
    if "pinned" in kpi:
        baseline, reference = kpi["pinned"]["baseline"], kpi["pinned"]["reference"]
        reported = random.random() < 0.3
        run["kpi"] = {"baseline": _written(baseline), "reference": _written(reference)} if reported else {}
    else:
        baseline, reference = baseline_and_reference(rules, random)
        run["kpi"] = {"baseline": baseline, "reference": reference}
    if random.random() < 0.15:
        run["data"] = "sha256:9c1f"
    run["kpi"]["delivered"] = _written(naive.load_run(to_json(reference)) if "pinned" not in kpi else reference)
    events = _events(rules, random)
    if events or random.random() < 0.5:
        run["events"] = events
    run["kpi"]["delivered"] = _delivered(rules, run, random)
    if random.random() < 0.15:
        known = list(rules.get("incidents", {}))
        run["incidents"] = random.sample(["outage", *known, "unheard_of"], random.choice((0, 1, 1, 2)))
        run["incidents"] = list(dict.fromkeys(run["incidents"]))
    items = list(run.items())
    if random.random() < 0.3:
        random.shuffle(items)
    return to_json(dict(items))


def baseline_and_reference(rules: Rules, random: Random) -> tuple[Any, Any]:
    """Two reports, numbers as text, of which the second is better."""
    while True:
        two = [_report(rules, random), _report(rules, random)]
        if random.random() < 0.15:
            two[1] = _nudged(two[0])
        two.sort(key=lambda report: _kpi(rules, naive.load_run(to_json(report))))
        if _kpi(rules, naive.load_run(to_json(two[0]))) != _kpi(rules, naive.load_run(to_json(two[1]))):
            worse, better = two if rules["kpi"]["direction"] == "higher" else two[::-1]
            return worse, better


def _report(rules: Rules, random: Random) -> Any:
    measures = rules["kpi"].get("measures")
    if measures is None:
        return _value(random)
    rest = {measure: Raw(random.choice(("0", "5", "31", "44.0", "58", "7.25", "75"))) for measure in measures}
    return rest | {"gain": _value(random)}


def _value(random: Random) -> Raw:
    pick = random.random()
    if pick < 0.6:
        return Raw(f"{random.randrange(-200, 600)}.{random.randrange(1000):03}")
    if pick < 0.8:
        return Raw(random.choice(("0", "-0.0", "1e3", "1200", "-42", "2.0", "1E-3", "0.1", "-7e1", "300.50")))
    if pick < 0.9:
        return Raw(f"{random.randrange(1, 10)}{random.randrange(10**19)}.{random.randrange(10**19):019}"[:40])
    return Raw(random.choice(("1e-12", "-1e-40", "1e40", "9999999999999999999999999999999999999999", "1e-9")))


def _nudged(report: Any) -> Any:
    """The same report with the KPI moved by a very small amount."""
    if isinstance(report, dict):
        return report | {"gain": _nudged(report["gain"])}
    return Raw(_decimal(Fraction(report) + Fraction(1, 10**12)) or "0.5")


def _kpi(rules: Rules, report: Any) -> Fraction:
    return report if "formula" not in rules["kpi"] else Fraction(naive.evaluate(rules["kpi"]["formula"], report))


def _delivered(rules: Rules, run: dict[str, Any], random: Random) -> Any:
    """What was delivered: often what puts the run exactly at a chosen uplift or score."""
    report = naive.load_run(to_json(_report(rules, random)))
    pinned = rules["kpi"].get("pinned") or naive.load_run(to_json(run["kpi"]))
    baseline, reference = _kpi(rules, pinned["baseline"]), _kpi(rules, pinned["reference"])
    pick = random.random()
    if pick < 0.1:
        return _written(report)
    uplift = Fraction(random.randrange(-60, 160), 100) * random.choice((1, 1, 1, 1, 5))
    if pick < 0.5:
        try:
            cost = naive.score(rules, naive.load_run(to_json(run))).contact_cost
        except naive.NoScoreError:
            cost = Fraction(0)
        off = random.choice((0, 0, 0, Fraction(-1, 10**12), Fraction(1, 10**12), Fraction(-1, 10**30)))
        uplift = Fraction(4, 5) + off + cost
    wanted = baseline + uplift * (reference - baseline)
    if not isinstance(report, dict):
        return _written(wanted) or _written(report)
    # Every formula here is linear in the gain.
    at_zero, at_one = _kpi(rules, report | {"gain": Fraction(0)}), _kpi(rules, report | {"gain": Fraction(1)})
    gain = (wanted - at_zero) / (at_one - at_zero)
    return _written(report | {"gain": gain}) or _written(report)


def _events(rules: Rules, random: Random) -> list[dict[str, Any]]:
    kinds = {"contacts": ("contact", 5), "trials": ("trial", 2), "waiting": ("wait", 2)}
    offered = [kinds[section] for section in kinds if section in rules]
    if not offered:
        return []
    texts = " ".join(_texts([rules.get(section) for section in kinds]))
    needs_time = re.search(r"\b(hour|minute|weekday|day)\b", texts) is not None
    times = _times(rules, random) if needs_time or random.random() < 0.5 else None
    events = []
    for _ in range(random.choice((0, 1, 2, 4, 6, 9, 12, 14))):
        type_ = random.choices([kind for kind, _ in offered], [weight for _, weight in offered])[0]
        event: dict[str, Any] = {"type": type_}
        if type_ == "contact":
            event |= _addressee(rules["contacts"], random)
        elif type_ == "wait":
            event["hours"] = Raw(
                random.choice(("0", "0.1", "0.5", "1", "4", "7.3", "12.0", "24", "36", "1e1", "48.25"))
            )
        if times is not None and random.random() < (0.99 if needs_time else 0.7):
            event["at"] = times()
        section = {"contact": "contacts", "trial": "trials", "wait": "waiting"}[type_]
        read = re.search(r"\b(channel|minutes|urgent|pages|note)\b", " ".join(_texts(rules[section])))
        if "fields" in rules and (read or random.random() < 0.3):
            event |= _fields(rules["fields"], random)
        events.append(event)
    return events


def _texts(data: Any) -> list[str]:
    if isinstance(data, dict):
        return [text for value in data.values() for text in _texts(value)]
    if isinstance(data, list):
        return [text for value in data for text in _texts(value)]
    return [data] if isinstance(data, str) else []


def _addressee(contacts: Rules, random: Random) -> dict[str, Any]:
    known = list(contacts.get("people", {}))
    others = STRANGERS if "anyone_else" in contacts else ()
    event: dict[str, Any] = {"to": random.choice([*known, *known, *others])}
    if random.random() < 0.4:
        event["answered"] = random.random() < 0.6
    return event


def _fields(declared: Rules, random: Random) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "channel": random.choice(CHANNELS),
        "minutes": Raw(random.choice(("0", "1", "2.5", "5", "7.5", "10", "20.00", "45", "0.1", "33.333333333333333"))),
        "urgent": random.random() < 0.5,
    }
    if "pages" in declared and (fields["channel"] == "mail" or random.random() < 0.5):
        fields["pages"] = Raw(random.choice(("1", "2", "3", "4.0", "6")))
    if "note" in declared:
        fields["note"] = random.choice(NOTES)
    return {name: value for name, value in fields.items() if random.random() < 0.995}


def _times(rules: Rules, random: Random) -> Callable[[], str]:
    """A clock that goes forward, on the customer's wall or, where there is a time zone, with offsets too."""
    zone = ZoneInfo(rules["timezone"]) if "timezone" in rules and random.random() < 0.7 else None
    now = datetime.fromisoformat(random.choice(STARTS)).replace(tzinfo=UTC) + timedelta(minutes=random.randrange(1440))
    digits = ""

    def tell() -> str:
        nonlocal now, digits
        pick = random.random()
        if pick < 0.75:
            now, digits = now + timedelta(minutes=random.randrange(1, random.choice((30, 300, 1600)))), ""
        elif pick < 0.9:
            now += timedelta(seconds=random.randrange(1, 5000))
            digits = random.choice(("", "5", "000001", "123456789", "99999999999999999999"))
        # Otherwise at the very same time.
        shift = timedelta(0)
        suffix = ""
        if zone is not None:
            offset = now.astimezone(zone).utcoffset() or timedelta(0)
            suffix = random.choice(("Z", "+05:45", "-03:30", "local", "local", "local"))
            shift = {"Z": timedelta(0), "+05:45": timedelta(minutes=345), "-03:30": -timedelta(minutes=210)}.get(
                suffix, offset
            )
            if suffix == "local":
                minutes = abs(offset) // timedelta(minutes=1)
                suffix = f"{'-' if offset < timedelta(0) else '+'}{minutes // 60:02}:{minutes % 60:02}"
        shown = now + shift
        with_seconds = shown.second or digits or random.random() < 0.1
        clock = shown.strftime("%H:%M:%S" if with_seconds else "%H:%M")
        return f"{shown.date().isoformat()}T{clock}{'.' + digits if digits else ''}{suffix}"

    return tell


# Numbers as text ------------------------------------------------------------------------------------------------------


def _decimal(value: Fraction) -> str | None:
    """The exact decimal, or None where it has none within 40 digits and an exponent of 40."""
    sign, value = "-" if value < 0 else "", abs(value)
    for places in range(80):
        scaled = value * 10**places
        if scaled.denominator != 1:
            continue
        digits = str(scaled.numerator)
        significant = digits.rstrip("0") if places == 0 else digits
        if value and (len(significant) > 40 or not -40 <= len(digits) - 1 - places <= 40):
            return None
        if len(digits) > 40:
            return f"{sign}{significant}e{len(digits) - len(significant)}"
        padded = digits.rjust(places + 1, "0")
        return f"{sign}{padded[:-places]}.{padded[-places:]}" if places else f"{sign}{digits}"
    return None


def _written(value: Any) -> Any:
    """Exact data as text for a run; None where one of its numbers has no exact decimal."""
    if isinstance(value, dict):
        parts = {key: _written(part) for key, part in value.items()}
        return None if None in parts.values() else parts
    text = _decimal(value)
    return None if text is None else Raw(text)


def to_json(value: Any) -> str:
    """JSON text, with numbers as they stand."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {to_json(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(to_json(part) for part in value) + "]"
    return json.dumps(value, ensure_ascii=False)
