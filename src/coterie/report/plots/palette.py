"""Colors of every plot, told apart by all kinds of sight, and the canvas they are drawn on.

Each color has the name of a CSS variable: where a picture stands inside a page, the page decides
what it looks like in light and in dark (`coterie.report.plots.svg`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.report.plain import printable

__all__ = ["COLORS", "SERIES", "SMALL", "WIDE", "canvas", "clipped", "color", "compact", "quiet"]

COLORS = {
    "ink": "#1b2026",
    "quiet": "#59636e",
    "rule": "#d3d9df",
    "before": "#a7b0ba",
    "after": "#0068a8",
    "loss": "#0069a9",
    "risk": "#c4500a",
    "positive": "#006aaa",
    "negative": "#c5510b",
    "series-1": "#006bab",
    "series-2": "#c6520c",
    "series-3": "#007a5e",
    "series-4": "#96519a",
    "series-5": "#876a00",
    "series-6": "#4b5bb5",
}
SERIES = [name for name in COLORS if name.startswith("series-")]
# Points. A picture is drawn about as wide as a phone shows it, so that its text can be read there.
WIDE = 380
SMALL = 11
SUFFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def color(name: str) -> str:
    """The color as matplotlib takes it."""
    return COLORS[name]


def canvas(width: float, height: float, **margins: float) -> Any:
    """Axes on a figure of so many points, with fixed margins in points: left, right, ..."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / 72, height / 72))
    figure.subplots_adjust(
        left=margins.get("left", 36) / width,
        right=1 - margins.get("right", 10) / width,
        bottom=margins.get("bottom", 34) / height,
        top=1 - margins.get("top", 8) / height,
    )
    axes = figure.subplots()
    quiet(axes)
    return axes


def quiet(axes: Any) -> None:
    """Leave only what is read: no frame, no background, light rules behind the data."""
    axes.patch.set_visible(False)
    axes.figure.patch.set_visible(False)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(color("rule"))
    axes.tick_params(length=0, labelsize=SMALL, colors=color("quiet"), pad=5)
    axes.set_axisbelow(True)
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set(size=SMALL, color=color("quiet"))


def clipped(names: Sequence[str], longest: int) -> list[str]:
    r"""Names cut to so many letters, and written so that they are drawn as they are.

    Every name that a table gives passes here: between two dollar signs matplotlib sees a formula.

    >>> clipped(["age", "household_income", "a\nb"], 10)
    ['age', 'household…', 'a␊b']
    >>> clipped(["$x$"], 10)[0] == r"\$x\$"
    True
    """
    shown = [printable(name) for name in names]
    cut = [name if len(name) <= longest else name[: longest - 1] + "…" for name in shown]
    return [name.replace("$", r"\$") for name in cut]


def compact(value: float, _: object = None) -> str:
    """A number short enough for a tick.

    >>> [compact(x) for x in (0, 0.25, 12, 1500, 2e6, -40000)]
    ['0', '0.25', '12', '1.5k', '2M', '-40k']
    """
    for size, suffix in SUFFIXES:
        if abs(value) >= size:
            return f"{value / size:.4g}{suffix}"
    return f"{value:.4g}"
