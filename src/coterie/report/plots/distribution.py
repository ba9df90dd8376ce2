"""One attribute before and after: a histogram of numbers, bars of categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from coterie.report.plots.palette import SMALL, canvas, clipped, color, compact

__all__ = ["distribution_of_categories", "distribution_of_numbers"]

WIDTH = 300
LONGEST = 18  # letters of a category's name
FIRST_DAY, LAST_DAY = -719162, 2932896  # of the years 1 and 9999, in days since 1970


def distribution_of_numbers(
    edges: Sequence[float],
    before: Sequence[float],
    after: Sequence[float],
    scale: str = "linear",
    axes: Any = None,
) -> Any:
    """Draw two histograms over the same bins, of any widths, as densities.

    Parameters
    ----------
    edges : sequence of b + 1 floats
        Ends of the bins; days since 1970 for dates.
    before, after : sequences of b numbers
        Records in each bin.
    scale : {"linear", "log", "date"}
        Of the horizontal axis.

    Examples
    --------
    >>> from coterie.report.plots import distribution_of_numbers
    >>> axes = distribution_of_numbers([0, 1, 3], [5, 5], [4, 6])
    >>> [float(v) for v in axes.patches[0].get_data().values]
    [5.0, 2.5]
    """
    if axes is None:
        axes = canvas(WIDTH, 150, left=10, right=10, bottom=26, top=6)
    ends = np.asarray(edges, dtype=float)
    widths = np.diff(np.log(ends) if scale == "log" else ends)
    for counts, drawn in (
        (before, {"fill": True, "color": color("before"), "alpha": 0.75}),
        (after, {"color": color("after"), "linewidth": 1.8}),
    ):
        axes.stairs(np.asarray(counts, dtype=float) / widths, ends, clip_on=False, **drawn)
    axes.set_xlim(ends[0], ends[-1])
    axes.set_ylim(0)
    axes.set_yticks([])
    _ticks(axes, scale, float(ends[0]), float(ends[-1]))
    return axes


def distribution_of_categories(
    labels: Sequence[str], before: Sequence[float], after: Sequence[float], axes: Any = None
) -> Any:
    """Draw two bars for each category: its share before and after, in percent.

    Examples
    --------
    >>> from coterie.report.plots import distribution_of_categories
    >>> axes = distribution_of_categories(["north", "south"], [30, 70], [25, 75])
    >>> [float(bar.get_width()) for bar in axes.patches]
    [30.0, 70.0, 25.0, 75.0]
    """
    names = clipped(labels, LONGEST)
    if axes is None:
        room = 14 + 6.0 * max(map(len, names))
        height = max(150, 20 + 28 * len(names))
        axes = canvas(WIDTH, height, left=room, right=40, bottom=10, top=6)
    places = np.arange(len(names))
    shares = [100.0 * np.asarray(side, dtype=float) / max(sum(side), 1) for side in (before, after)]
    thickness = min(0.38, 4.0 / max(len(names), 1))
    for share, side, name in ((shares[0], -0.5, "before"), (shares[1], 0.5, "after")):
        axes.barh(places + side * thickness, share, thickness * 0.92, color=color(name))
    for place, (one, other) in enumerate(zip(*shares, strict=True)):
        axes.annotate(
            f"{other:.0f} %" if other >= 1 or other == 0 else "< 1 %",
            (max(one, other), place),
            (5, 0),
            textcoords="offset points",
            va="center",
            size=SMALL,
            color=color("quiet"),
        )
    axes.set_yticks(places, names, color=color("ink"))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(0)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    return axes


def _ticks(axes: Any, scale: str, low: float, high: float) -> None:
    """Few ticks with short labels."""
    from matplotlib import dates, ticker

    if scale == "date":
        span = high - low
        form = "%Y" if span > 4 * 365 else "%b %Y" if span > 120 else "%d %b"
        # The last bin may end after the last day of the calendar, which some take for "for ever".
        inside = max(low, FIRST_DAY), min(high, LAST_DAY)
        axes.xaxis.set_major_locator(
            dates.AutoDateLocator(minticks=3, maxticks=6)
            if inside == (low, high)
            else ticker.FixedLocator(inside if inside[0] < inside[1] else [])
        )
        axes.xaxis.set_major_formatter(dates.DateFormatter(form))
        return
    if scale == "log":
        axes.set_xscale("log")
        axes.set_xlim(low, high)
        steps = (1.0,) if high / low > 1e3 else (1.0, 3.0) if high / low > 30 else (1.0, 2.0, 5.0)
        axes.xaxis.set_major_locator(ticker.LogLocator(subs=steps, numticks=7))
        axes.xaxis.set_minor_locator(ticker.NullLocator())
    else:
        axes.xaxis.set_major_locator(ticker.MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(compact))
