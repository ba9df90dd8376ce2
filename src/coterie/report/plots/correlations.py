"""A matrix of correlations, or of their differences: hue for the sign, strength for the size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.report.plots.palette import SMALL, canvas, clipped, color

__all__ = ["correlations"]

WIDTH = 300
TALLEST = 56  # points of a cell
MOST_NUMBERED = 7  # attributes up to which each cell holds its number
LONGEST = 12  # letters of a name


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
    axes : matplotlib axes, optional
        Where to draw; a new figure by default.
    top : float
        The size that is drawn at full strength.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> from coterie.report.plots import correlations
    >>> axes = correlations(["x", "y"], [[1.0, -0.5], [-0.5, 1.0]])
    >>> [text.get_text() for text in axes.texts]
    ['-.50']
    """
    shown = clipped(names, LONGEST)
    d = len(names)
    upright = d > 5 or max(map(len, shown[:-1])) > 30 / (d - 1)
    if axes is None:
        room = 12 + 6.0 * max(map(len, shown[1:]))
        cell = min((WIDTH - room - 4) / (d - 1), TALLEST)
        below = 12 + 6.0 * max(map(len, shown[:-1])) if upright else 24
        axes = canvas(WIDTH, cell * (d - 1) + below + 4, left=room, right=4, bottom=below, top=4)
    from matplotlib.patches import Rectangle

    for i in range(1, d):
        for j in range(i):
            given = matrix[i][j]
            value = 0.0 if given is None else float(given)
            axes.add_patch(
                Rectangle(
                    (j + 0.03, i - 1 + 0.03),
                    0.94,
                    0.94,
                    color=color(hue(value)),
                    alpha=0.1 + 0.66 * min(abs(value) / top, 1.0),
                    linewidth=0,
                )
            )
            if d <= MOST_NUMBERED:
                axes.text(
                    j + 0.5,
                    i - 0.5,
                    "–" if given is None else signed(value),
                    ha="center",
                    va="center_baseline",
                    size=SMALL if d <= 6 else 9.5,
                    color=color("ink"),
                )
    size = SMALL if d <= 12 else max(5.5, 132.0 / d)
    axes.set_xticks(
        [j + 0.5 for j in range(d - 1)], shown[:-1], rotation=90 if upright else 0, size=size
    )
    axes.set_yticks([i - 0.5 for i in range(1, d)], shown[1:], size=size)
    axes.set_xlim(0, d - 1)
    axes.set_ylim(d - 1, 0)
    axes.spines["bottom"].set_visible(False)
    return axes


def hue(value: float) -> str:
    """The colour of a sign; what rounds to nothing has none."""
    return "before" if abs(value) < 0.005 else "positive" if value > 0 else "negative"


def signed(value: float) -> str:
    """Two decimals without the leading zero, the way tables of correlations are printed.

    >>> signed(-0.314), signed(0.0), signed(1.0)
    ('-.31', '.00', '1.00')
    """
    text = f"{value:.2f}"
    text = text.removeprefix("-") if float(text) == 0 else text
    return text.replace("0.", ".", 1) if abs(float(text)) < 1 else text
