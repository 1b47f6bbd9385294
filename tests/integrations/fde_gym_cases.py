"""The recorded engagements of FDE-Gym: 134 logs with what its harness made of them, and 14 tables of graded runs."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


def _read(name: str) -> list[dict[str, Any]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line, parse_float=Decimal) for line in lines]


@cache
def cases() -> list[dict[str, Any]]:
    return _read("fde_gym_logs.jsonl")


@cache
def groups() -> list[dict[str, Any]]:
    return _read("fde_gym_groups.jsonl")


def case(identifier: str) -> dict[str, Any]:
    return next(each for each in cases() if each["id"] == identifier)


def dumped(value: object) -> str:
    """JSON text; a Decimal in it as the number that was read."""
    return json.dumps(value, ensure_ascii=False, default=float)


def npcs(spec: dict[str, Any]) -> dict[str, Any]:
    """A case's settings in the form of the harness's npcs.json."""
    people = [{**person, "name": "Dana", "blurb": "", "topics": [], "fallback": "No."} for person in spec["people"]]
    return {**{key: value for key, value in spec.items() if key != "people"}, "npcs": people, "matcher": "regex"}


def result(each: dict[str, Any]) -> dict[str, Any]:
    """A case's outcome in the form of the harness's result.json."""
    kpi, expected = each["kpi"], each["expected"]
    return {
        "kpi": kpi["delivered"],
        "kpi_baseline": kpi["baseline"],
        "kpi_oracle": kpi["reference"],
        "incidents": each["incidents"],
        **{name: expected[name] for name in ("uplift", "uplift_bounded", "uplift_net")},
        "discovery": {"contact_cost": expected["contact_cost"], "facts_obtained": []},
        "engagement": "port_yard",
        "level": "L3",
        "name": f"port_yard-{each['id']}",
        "agent": {"slug": "model-a", "end_reason": "finished"},
        "harness_version": "1.3.0",
    }


def written(folder: Path, each: dict[str, Any]) -> tuple[str, str, str]:
    """A case as the three files of the harness."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "npcs.json": dumped(npcs(each["spec"])),
        "ask.jsonl": "".join(f"{dumped({'ts': 1.5, **line})}\n" for line in each["log"]),
        "result.json": dumped(result(each)),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    npcs_path, log_path, result_path = (str(folder / name) for name in files)
    return npcs_path, log_path, result_path
