"""The risk-utility map: one point a release, the front drawn through the best of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coterie.evaluation.registry import MEASURES
from coterie.report.plots.palette import SERIES, SMALL, WIDE, canvas, color, compact

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["risk_utility"]

MARKERS = "osD^vP*X<>ph"
COLUMNS = 3  # of the legend
MOST_NAMED = 8  # combinations that the legend names one by one
TITLES = {
    "linked": "records that an intruder links, %",
    "information_loss": "information lost, %",
}


def risk_utility(
    table: pd.DataFrame,
    front: pd.DataFrame,
    risk: str = "dr",
    loss: str = "pil",
    axes: Any = None,
    by: str = "aggregation",
) -> Any:
    """Draw the releases of a sweep by their risk and their loss of utility.

    Parameters
    ----------
    table : pandas.DataFrame
        One row a release, with the columns k, `by` and the two measures.
    front : pandas.DataFrame
        The rows of `table` on the front.
    risk, loss : str
        Columns of the horizontal and the vertical axis.
    by : str
        Column that chooses the marker; k chooses the color.

    Examples
    --------
    >>> import pandas as pd
    >>> from coterie.report.plots import risk_utility
    >>> rows = {"k": [3, 5], "aggregation": "mean", "dr": [30.0, 20.0], "pil": [25.0, 35.0]}
    >>> axes = risk_utility(pd.DataFrame(rows), pd.DataFrame(rows))
    >>> axes.get_xlabel()
    'dr: disclosure risk: mean of dld and sdid, percent'
    """
    from matplotlib import ticker

    sizes = sorted(table["k"].unique())
    kinds = list(dict.fromkeys(table[by]))
    entries = len(sizes) + len(kinds) + 1
    if len(sizes) * len(kinds) <= MOST_NAMED:
        entries = len(sizes) * len(kinds) + 1
    rows = -(-entries // COLUMNS)
    if axes is None:
        axes = canvas(WIDE, 310 + 18 * rows, left=48, right=12, bottom=54 + 18 * rows, top=10)
    axes.step(front[risk], front[loss], where="post", color=color("quiet"), linewidth=1, zorder=0)
    for at, kind in enumerate(kinds):
        for place, size in enumerate(sizes):
            chosen = table[(table[by] == kind) & (table["k"] == size)]
            if len(chosen):
                axes.scatter(
                    chosen[risk],
                    chosen[loss],
                    s=38,
                    marker=MARKERS[at % len(MARKERS)],
                    color=color(SERIES[place % len(SERIES)]),
                    alpha=0.9,
                    linewidths=0,
                    label=f"{kind}, k = {size}",
                    clip_on=False,
                )
    for name, label in ((risk, axes.set_xlabel), (loss, axes.set_ylabel)):
        known = f"{name}: {MEASURES[name].title}" if name in MEASURES else name
        label(TITLES.get(name, known))
    axes.spines["left"].set(visible=True, color=color("rule"))
    axes.grid(color=color("rule"), linewidth=0.8)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(ticker.FuncFormatter(compact))
    _legend(axes, sizes, kinds)
    return axes


def _legend(axes: Any, sizes: list[Any], kinds: list[Any]) -> None:
    """Every combination by name, or colors and markers apart where there are many."""
    from matplotlib.lines import Line2D

    line = Line2D([], [], color=color("quiet"), linewidth=1)
    handles, labels = axes.get_legend_handles_labels()
    if len(labels) > MOST_NAMED:
        dots = [
            Line2D([], [], linestyle="", marker="o", markersize=7, color=color(shade))
            for shade in (SERIES[place % len(SERIES)] for place in range(len(sizes)))
        ]
        shapes = [
            Line2D([], [], linestyle="", marker=marker, markersize=6.5, color=color("quiet"))
            for marker in (MARKERS[at % len(MARKERS)] for at in range(len(kinds)))
        ]
        handles = [*dots, *shapes]
        labels = [*(f"k = {size}" for size in sizes), *map(str, kinds)]
    handles, labels = [*handles, line], [*labels, "front"]
    across = [i for c in range(COLUMNS) for i in range(c, len(labels), COLUMNS)]  # row by row
    height = axes.get_position().height * axes.figure.get_figheight() * 72
    axes.legend(
        [handles[i] for i in across],
        [labels[i] for i in across],
        loc="upper left",
        bbox_to_anchor=(-0.08, -46 / height),
        borderaxespad=0,
        ncols=COLUMNS,
        frameon=False,
        fontsize=SMALL,
        labelcolor=color("ink"),
        handletextpad=0.4,
        columnspacing=1.2,
    )
