"""What who knows one key or two finds: a key on the diagonal, a pair below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.report.plots.cells import Cell, draw_cells
from coterie.report.plots.palette import SMALL

__all__ = ["known_keys"]

MOST_NUMBERED = 10  # keys up to which each cell holds its number
SHAPE = {"width": 420, "tallest": 44, "letters": 40}


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

    Examples
    --------
    >>> from coterie.report.plots import known_keys
    >>> axes = known_keys(["x", "y"], [[1.0, None], [25.0, 0.04]])
    >>> [text.get_text() for text in axes.texts]
    ['1', '25', '0.04']
    """
    top = max((v for row in matrix for v in row if v is not None), default=0.0) or 1.0
    numbered = len(names) <= MOST_NUMBERED
    drawn = [
        Cell(i, j, "negative", 0.08 + 0.68 * value / top, f"{value:.2g}" if numbered else None)
        for i, row in enumerate(matrix)
        for j, value in enumerate(row[: i + 1])
        if value is not None
    ]
    return draw_cells(names, names, drawn, axes, **SHAPE, size=SMALL)
