"""A page's data and leaderboards -> one HTML file that needs nothing else and lets nothing else in.

The policy in its head allows the file's own scripts and styles by their hashes, and no request to anywhere. Texts are
escaped by the template engine, data by the escapes of JSON, so that no text of a result can become markup.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from outscore.report.board import COUNTS, FIGURES, Board, method_words, mixed_words
from outscore.summary.contents import Summaries

_SCRIPTS: Final = ("base.js", "filters.js", "runs.js", "charts.js", "run.js", "start.js")
"""The page's script, in parts that are put together in this order."""

_ESCAPED: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def report_html(title: str, data: dict[str, Any], boards: Sequence[Board], summaries: Summaries) -> str:
    """The report as one HTML file; the same input gives the same text."""
    style, script, library = _text("report.css"), _script(), _library()
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    page: str = environment.from_string(_text("report.html.jinja")).render(
        title=title,
        policy=policy([script, library], [style, ""]),
        style=Markup(style),
        data=Markup(script_json(data)),
        script=Markup(script),
        library=Markup(library),
        boards=boards,
        figures=FIGURES,
        counts=COUNTS,
        total=boards[0].total,
        mixed=mixed_words(summaries),
        method=method_words(summaries),
        engines=summaries.engines,
        rulesets=summaries.rulesets,
    )
    return page


def policy(scripts: Sequence[str], styles: Sequence[str]) -> str:
    """The content security policy: these scripts and styles, and nothing from anywhere.

    The empty style is the plotting library's, which fills it with rules one by one. One of the library's own, for maps
    that no report has, stays refused.
    """
    return (
        f"default-src 'none'; script-src {' '.join(map(_hash, scripts))}; style-src {' '.join(map(_hash, styles))}; "
        "base-uri 'none'; form-action 'none'"
    )


def script_json(data: object) -> str:
    """Data as JSON that cannot end the script block that it stands in."""
    made = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character, escape in _ESCAPED.items():
        made = made.replace(character, escape)
    # Halves of surrogate pairs cannot be written as UTF-8.
    return made.encode(errors="backslashreplace").decode()


def _hash(text: str) -> str:
    # Browsers hash what they parsed, where every line ends with a bare line feed.
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _text(name: str) -> str:
    return (resources.files("outscore.report") / "templates" / name).read_text(encoding="utf-8")


def _script() -> str:
    parts = "\n".join(_text(name) for name in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def _library() -> str:
    """plotly.js as plotly's Python package holds it; the package itself is not imported, which would take long."""
    found = importlib.util.find_spec("plotly")
    assert found is not None
    assert found.origin is not None
    text = (Path(found.origin).parent / "package_data" / "plotly.min.js").read_text(encoding="utf-8")
    # Were the library ever to name the closing tag in a text, that would end the block that holds it.
    return text.replace("</script", "<\\/script")
