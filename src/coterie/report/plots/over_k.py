"""What a larger k costs and gains: information lost and records linked, over the group size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.report.plots.palette import SMALL, WIDE, canvas, color, compact

__all__ = ["over_k"]


def over_k(
    k: Sequence[int],
    loss: Sequence[float],
    risk: Sequence[float | None],
    chosen: int | None = None,
    axes: Any = None,
) -> Any:
    """Draw loss and risk, in percent, over the group size.

    Parameters
    ----------
    k : sequence of int
        Group sizes, rising.
    loss, risk : sequences of float
        Percent of the information lost, and of the records linked; None where not measured.
    chosen : int, optional
        The group size to mark.

    Examples
    --------
    >>> from coterie.report.plots import over_k
    >>> over_k([3, 5, 10], [4.0, 7.0, 12.0], [30.0, 19.0, 9.0], chosen=5).get_xlabel()
    'k'
    """
    from matplotlib import ticker

    if axes is None:
        axes = canvas(WIDE, 235, left=44, right=20, bottom=42, top=30)
    places = list(range(len(k)))
    if chosen is not None and chosen in k:
        axes.axvline(list(k).index(chosen), color=color("rule"), linewidth=6, zorder=0)
    for values, name, mark, text in (
        (loss, "loss", "o", "information lost"),
        (risk, "risk", "s", "linked by an intruder"),
    ):
        there = [(p, v) for p, v in zip(places, values, strict=True) if v is not None]
        if there:
            axes.plot(*zip(*there, strict=True), f"{mark}-", color=color(name), label=text)
    axes.set_xticks(places, [f"{size:,}" for size in k])
    axes.set_xlim(-0.3, len(k) - 0.7)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(ticker.MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(compact))
    axes.grid(axis="y", color=color("rule"), linewidth=0.8)
    axes.set_xlabel("k")
    axes.set_ylabel("%")
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.08, 1.0),
        ncols=2,
        frameon=False,
        fontsize=SMALL,
        labelcolor=color("quiet"),
    )
    return axes
