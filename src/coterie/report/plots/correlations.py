"""A matrix of correlations, or of their differences: hue for the sign, strength for the size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.report.plots.cells import Cell, draw_cells
from coterie.report.plots.palette import SMALL

__all__ = ["correlations"]

MOST_NUMBERED = 7  # attributes up to which each cell holds its number
SHAPE = {"width": 300, "tallest": 56, "letters": 30}


def correlations(
    names: Sequence[str],
    matrix: Sequence[Sequence[float | None]],
    axes: Any = None,
    top: float = 1.0,
) -> Any:
    """Draw the lower triangle of a symmetric matrix.

    Parameters
    ----------
    names : sequence of str
        The attributes.
    matrix : d sequences of d floats
        Correlations or differences of them; None for those that are not told.
    top : float
        The size that is drawn at full strength.

    Examples
    --------
    >>> from coterie.report.plots import correlations
    >>> axes = correlations(["x", "y"], [[1.0, -0.5], [-0.5, 1.0]])
    >>> [text.get_text() for text in axes.texts]
    ['-.50']
    """
    d = len(names)
    drawn = []
    for i in range(1, d):
        for j, given in enumerate(matrix[i][:i]):
            value = 0.0 if given is None else float(given)
            strength = 0.1 + 0.66 * min(abs(value) / top, 1.0)
            text = "–" if given is None else signed(value)
            drawn.append(Cell(i - 1, j, hue(value), strength, text if d <= MOST_NUMBERED else None))
    size = SMALL if d <= 6 else 9.5
    return draw_cells(names[1:], names[:-1], drawn, axes, **SHAPE, size=size)


def hue(value: float) -> str:
    """The color of a sign; what rounds to nothing has none."""
    return "before" if abs(value) < 0.005 else "positive" if value > 0 else "negative"


def signed(value: float) -> str:
    """Two decimals without the leading zero, the way tables of correlations are printed.

    >>> signed(-0.314), signed(0.0), signed(1.0)
    ('-.31', '.00', '1.00')
    """
    text = f"{value:.2f}"
    text = text.removeprefix("-") if float(text) == 0 else text
    return text.replace("0.", ".", 1) if abs(float(text)) < 1 else text
