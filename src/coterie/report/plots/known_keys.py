"""What who knows one key or two finds: a key on the diagonal, a pair below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.report.plots.palette import SMALL, canvas, clipped, color

__all__ = ["known_keys"]

WIDTH = 420
TALLEST = 44  # points of a cell
MOST_NUMBERED = 10  # keys up to which each cell holds its number
LONGEST = 12  # letters of a name


def known_keys(
    names: Sequence[str], matrix: Sequence[Sequence[float | None]], axes: Any = None
) -> Any:
    """Draw the lower triangle of a matrix of percentages, diagonal included.

    Parameters
    ----------
    names : sequence of str
        The keys.
    matrix : d sequences of d floats
        Percent linked by who knows key i and key j; None for those that were not looked at.
    axes : matplotlib axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> from coterie.report.plots import known_keys
    >>> axes = known_keys(["x", "y"], [[1.0, None], [25.0, 0.04]])
    >>> [text.get_text() for text in axes.texts]
    ['1', '25', '0.04']
    """
    from matplotlib.patches import Rectangle

    shown = clipped(names, LONGEST)
    d = len(names)
    upright = d > 4 or max(map(len, shown)) > 40 / d
    if axes is None:
        room = 12 + 6.0 * max(map(len, shown))
        cell = min((WIDTH - room - 4) / d, TALLEST)
        below = room if upright else 24
        axes = canvas(WIDTH, cell * d + below + 4, left=room, right=4, bottom=below, top=4)
    top = max((v for row in matrix for v in row if v is not None), default=0.0) or 1.0
    for i, row in enumerate(matrix):
        for j, value in enumerate(row[: i + 1]):
            if value is None:
                continue
            strength = 0.08 + 0.68 * value / top
            place = (j + 0.03, i + 0.03)
            axes.add_patch(
                Rectangle(place, 0.94, 0.94, color=color("negative"), alpha=strength, linewidth=0)
            )
            if d <= MOST_NUMBERED:
                axes.text(
                    j + 0.5,
                    i + 0.5,
                    f"{value:.2g}",
                    ha="center",
                    va="center_baseline",
                    size=SMALL,
                    color=color("ink"),
                )
    size = SMALL if d <= 12 else max(5.5, 132.0 / d)
    places = [i + 0.5 for i in range(d)]
    axes.set_xticks(places, shown, rotation=90 if upright else 0, size=size)
    axes.set_yticks(places, shown, size=size)
    axes.set_xlim(0, d)
    axes.set_ylim(d, 0)
    axes.spines["bottom"].set_visible(False)
    return axes
