"""Named cases -> rulesets and runs as text, exact values as fractions: what several tests share."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

CONFORMANCE = Path(__file__).parent / "conformance"

RULES: dict[str, Any] = {
    "outscore": "1",
    "scenario": "case",
    "kpi": {"direction": "higher"},
    "fields": {"channel": ["chat", "mail"], "minutes": "number", "urgent": "boolean", "note": "text"},
    "contacts": {
        "people": {
            "chief": {"price": "0.1", "patience": "2", "past_patience": {"times": "3"}},
            "clerk": {"price": "0.02"},
        }
    },
    "incidents": {"outage": {"why": "Reported by name."}},
}
"""The rules that named cases lay their own over."""

RUN: dict[str, Any] = {
    "run": "r1",
    "scenario": "case",
    "kpi": {"baseline": "0", "delivered": "100", "reference": "100"},
}


class Verbatim(str):
    """A scalar that stands unquoted in a file: a number as written, true, false, null."""


class _Loader(yaml.BaseLoader):
    """Keeps plain scalars apart from quoted ones, and numbers as they are written."""


def _scalar(loader: _Loader, node: yaml.ScalarNode) -> str:
    return Verbatim(node.value) if node.style is None and _is_literal(node.value) else node.value


def _is_literal(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


_Loader.add_constructor("tag:yaml.org,2002:str", _scalar)


def named_cases() -> list[dict[str, Any]]:
    """The cases of named.yaml, with numbers as written."""
    return yaml.load((CONFORMANCE / "named.yaml").read_text(encoding="utf-8"), _Loader)


def conformance_cases() -> list[dict[str, Any]]:
    """The 250 rulesets with a run and exact expected figures."""
    text = (CONFORMANCE / "conformance.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def laid_over(base: Any, over: Any, levels: int = 3) -> Any:
    """Mappings merged key by key down to the people and restrictions, all else replaced."""
    if levels and isinstance(base, dict) and isinstance(over, dict):
        return {**base, **{key: laid_over(base.get(key), value, levels - 1) for key, value in over.items()}}
    return over


def to_json(value: Any) -> str:
    """JSON text with numbers as written; JSON is YAML, so it serves for rulesets too."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {to_json(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(to_json, value)) + "]"
    return str(value) if isinstance(value, Verbatim) else json.dumps(value)


def ruleset_text(rules: Any = None) -> str:
    """A ruleset's text: the shared rules with a case's own over them."""
    base = laid_over(_verbatim(RULES), rules or {})
    return to_json(base)


def run_text(run: Any = None) -> str:
    """A run's text: the shared run with a case's own over it."""
    run = run or {}
    return to_json({**_verbatim(RUN), **run})


def _verbatim(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _verbatim(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_verbatim(item) for item in value]
    return Verbatim(value) if _is_literal(value) else value


def fractions(texts: list[str]) -> list[Fraction]:
    """Exact values from their texts."""
    return [Fraction(text) for text in texts]
