"""One run's bars -> a picture of its waterfall, SVG or PNG, the same bytes each time.

Computes nothing. Needs matplotlib, which needs no browser.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final, Literal

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from outscore.formula import RESOLVED_AT
from outscore.numbers import cut, nearest_double
from outscore.report.waterfall import Bar

_NEUTRAL, _GOOD, _BAD, _QUIET = "#4a5a75", "#1a7048", "#b3401a", "#565d68"
_GROUND: Final = "white"
_LONGEST_LABEL: Final = 32

# What a user has set for matplotlib is no part of the picture: its own defaults, and no random ids in SVG. Names are a
# ruleset's or a run's: a dollar sign in them starts no formula.
_SETTINGS: Final = {
    "backend": "agg",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "svg.fonttype": "path",
    "svg.hashsalt": "outscore",
    "text.parse_math": False,
}


def waterfall_picture(title: str, bars: Sequence[Bar], form: Literal["svg", "png"]) -> bytes:
    """The picture of a waterfall."""
    settings: Any = dict(matplotlib.rcParamsDefault) | _SETTINGS
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=(8, 1.3 + 0.42 * len(bars)), layout="constrained")
        FigureCanvasAgg(figure)
        _draw(figure, title, bars)
        out = io.BytesIO()
        metadata: dict[str, Any] = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
        figure.savefig(out, format=form, dpi=144, metadata=metadata)
    return out.getvalue()


def _draw(figure: Figure, title: str, bars: Sequence[Bar]) -> None:
    axes = figure.subplots()
    positions = range(len(bars))
    starts, ends = [_double(bar.start) for bar in bars], [_double(bar.end) for bar in bars]
    widths = [end - start for start, end in zip(starts, ends, strict=True)]
    axes.barh(positions, widths, left=starts, height=0.62, color=[_colour(bar) for bar in bars], zorder=2)
    for position, end in enumerate(ends[:-1]):
        axes.plot([end, end], [position + 0.31, position + 0.69], color=_QUIET, linewidth=0.8)
    for position, bar in enumerate(bars):
        axes.annotate(
            _words(bar),
            (max(starts[position], ends[position]), position),
            xytext=(5, 0),
            textcoords="offset points",
            verticalalignment="center",
            # The line at the mark may pass behind it, and must not cross out a sign.
            bbox={"facecolor": _GROUND, "edgecolor": "none", "pad": 1.5},
            zorder=3,
        )
    mark = _double(RESOLVED_AT)
    low, high = min(*starts, *ends, 0.0), max(*starts, *ends, mark)
    axes.set_xlim(low - (high - low) * 0.04, high + (high - low) * 0.16)
    axes.axvline(mark, color=_GOOD, linestyle="--", linewidth=1.4, zorder=1)
    axes.axvline(0, color=_QUIET, linewidth=0.8, zorder=1)
    axes.annotate(
        cut(RESOLVED_AT, 1),
        (mark, 1),
        xycoords=("data", "axes fraction"),
        xytext=(0, 3),
        textcoords="offset points",
        color=_GOOD,
        horizontalalignment="center",
    )
    axes.set_yticks(positions, [_short(bar.label) for bar in bars])
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#d9dde3", linewidth=0.6, zorder=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    figure.suptitle(_short(title, 70), fontsize=11)


def _colour(bar: Bar) -> str:
    if bar.is_total:
        return _NEUTRAL
    return _BAD if bar.end < bar.start else _GOOD


def _words(bar: Bar) -> str:
    """The bar's value; a charge is shown as the bill shows it, with its sign."""
    if bar.is_total:
        return cut(bar.end, 4)
    change = bar.end - bar.start
    return f"-{cut(-change, 4)}" if change < 0 else cut(change, 4)


def _double(value: Any) -> float:
    return nearest_double(value.numerator, value.denominator)


def _short(text: str, length: int = _LONGEST_LABEL) -> str:
    # What the font has no glyph for would differ from machine to machine; controls would break the line.
    shown = "".join(character if character.isprintable() else "�" for character in text)
    return shown if len(shown) <= length else f"{shown[: length - 1]}…"
