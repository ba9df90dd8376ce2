"""How many classes there are of each size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.report.plots.palette import SMALL, WIDE, canvas, color, compact

__all__ = ["group_sizes"]


def group_sizes(sizes: Sequence[tuple[str, int]], axes: Any = None, what: str = "records") -> Any:
    """Draw a bar for each size.

    Parameters
    ----------
    sizes : sequence of (str, int)
        A size, or a range of sizes, and how many classes have it.
    what : str
        What a class holds.

    Examples
    --------
    >>> from coterie.report.plots import group_sizes
    >>> group_sizes([("5", 12), ("6-7", 3)]).get_ylabel()
    'classes'
    """
    if axes is None:
        axes = canvas(WIDE, 215, left=24, right=8, bottom=44, top=20)
    names = [name for name, _ in sizes]
    counts = [count for _, count in sizes]
    places = range(len(sizes))
    axes.bar(places, counts, width=0.72, color=color("after"), clip_on=False)
    for place, count in zip(places, counts, strict=True):
        axes.annotate(
            compact(count) if count >= 1e5 else f"{count:,}",
            (place, count),
            (0, 3),
            textcoords="offset points",
            ha="center",
            size=SMALL,
            color=color("ink"),
        )
    axes.set_xticks(list(places), names)
    room = max(len(sizes), 5) / 2
    axes.set_xlim((len(sizes) - 1) / 2 - room, (len(sizes) - 1) / 2 + room)
    axes.set_yticks([])
    axes.set_ylabel("classes")
    axes.set_xlabel(f"{what} in the class")
    return axes
