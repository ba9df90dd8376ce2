"""A matrix of shaded cells, with names at its rows and columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from coterie.report.plots.palette import SMALL, canvas, clipped, color

__all__ = ["Cell", "draw_cells"]

LONGEST = 12  # letters of a name


class Cell(NamedTuple):
    """One cell: how it is shaded, and what stands in it."""

    row: int
    column: int
    hue: str
    strength: float
    text: str | None


def draw_cells(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Iterable[Cell],
    axes: Any = None,
    *,
    width: float,
    tallest: float,
    letters: float,
    size: float,
) -> Any:
    """Draw `cells` from the top left on.

    Parameters
    ----------
    rows, columns : sequences of str
        Their names, as many as there are; clipped here.
    cells : iterable of Cell
    width, tallest : float
        Points of the figure, and of a cell at most.
    letters : float
        That all columns together have room for; with more their names stand upright.
    size : float
        Of the text in cells.
    """
    from matplotlib.patches import Rectangle

    left, below = clipped(rows, LONGEST), clipped(columns, LONGEST)
    count = len(columns)
    upright = count > 4 or max(map(len, below)) > letters / count
    if axes is None:
        room = 12 + 6.0 * max(map(len, left))
        cell = min((width - room - 4) / count, tallest)
        foot = 12 + 6.0 * max(map(len, below)) if upright else 24
        axes = canvas(width, cell * count + foot + 4, left=room, right=4, bottom=foot, top=4)
    for row, column, hue, strength, text in cells:
        place = (column + 0.03, row + 0.03)
        axes.add_patch(Rectangle(place, 0.94, 0.94, color=color(hue), alpha=strength, linewidth=0))
        if text is not None:
            axes.text(
                column + 0.5,
                row + 0.5,
                text,
                ha="center",
                va="center_baseline",
                size=size,
                color=color("ink"),
            )
    names = len({*rows, *columns})
    labels = SMALL if names <= 12 else max(5.5, 132.0 / names)
    places = [i + 0.5 for i in range(count)]
    axes.set_xticks(places, below, rotation=90 if upright else 0, size=labels)
    axes.set_yticks(places, left, size=labels)
    axes.set_xlim(0, count)
    axes.set_ylim(count, 0)
    axes.spines["bottom"].set_visible(False)
    return axes
