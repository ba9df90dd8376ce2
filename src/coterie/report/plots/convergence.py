"""How a search came down to its result, and the bound that no grouping can go below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.report.plots.palette import SMALL, WIDE, canvas, color, compact

__all__ = ["convergence"]


def convergence(
    trace: Sequence[tuple[float, float]], bound: float | None = None, axes: Any = None
) -> Any:
    """Draw the best loss against time as a falling staircase.

    Parameters
    ----------
    trace : sequence of (seconds, percent)
        Each improvement.
    bound : float, optional
        Percent that no grouping can go below.

    Examples
    --------
    >>> from coterie.report.plots import convergence
    >>> axes = convergence([(0.0, 8.0), (0.5, 6.5), (2.0, 6.2)], bound=5.9)
    >>> axes.get_xlabel()
    'seconds'
    """
    from matplotlib import ticker

    if axes is None:
        axes = canvas(WIDE, 215, left=50, right=14, bottom=42, top=12)
    seconds = [at for at, _ in trace]
    losses = [loss for _, loss in trace]
    axes.step(seconds, losses, where="post", color=color("after"), linewidth=1.8)
    axes.plot(seconds[-1:], losses[-1:], "o", color=color("after"), markersize=5, clip_on=False)
    if bound is not None:
        axes.axhline(bound, color=color("ink"), linewidth=1.2, linestyle=(0, (4, 3)))
        axes.annotate(
            "no grouping can lose less",
            (1.0, bound),
            (-2, 4),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            ha="right",
            size=SMALL,
            color=color("quiet"),
        )
    low = min([*losses, *([] if bound is None else [bound])])
    room = max(max(losses) - low, 0.02 * max(losses), 1e-9)
    axes.set_ylim(low - 0.12 * room, max(losses) + 0.06 * room)
    if seconds[-1] > 0 and min((s for s in seconds if s > 0), default=1.0) < 0.02 * seconds[-1]:
        first = min(s for s in seconds if s > 0)
        axes.set_xscale("log")
        axes.set_xlim(first / 1.5, seconds[-1])
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        axes.xaxis.set_major_locator(ticker.LogLocator(numticks=6))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(compact))
    axes.yaxis.set_major_locator(ticker.MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(compact))
    axes.grid(axis="y", color=color("rule"), linewidth=0.8)
    axes.set_xlabel("seconds")
    axes.set_ylabel("information lost, %")
    return axes
