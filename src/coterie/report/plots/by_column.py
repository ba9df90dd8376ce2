"""Risk and loss of each attribute side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coterie.report.plots.palette import SMALL, WIDE, canvas, clipped, color, quiet

__all__ = ["by_column"]

LONGEST = 16  # letters of a name
ROW = 24  # points


def by_column(
    names: Sequence[str],
    loss: Sequence[float | None],
    risk: Sequence[float | None],
    titles: tuple[str, str] = ("information lost, %", "nearly disclosed, %"),
    texts: Sequence[tuple[str, str]] | None = None,
) -> Any:
    """Draw two bars for each attribute, in two panels.

    Parameters
    ----------
    names : sequence of str
        The attributes.
    loss, risk : sequences of float or None
        In percent; None is drawn as a dash.
    titles : two str
        Of the panels.
    texts : sequence of two str, optional
        What to write at the bars in place of the numbers.

    Returns
    -------
    matplotlib axes
        Of the left panel.

    Examples
    --------
    >>> from coterie.report.plots import by_column
    >>> axes = by_column(["age", "sex"], [8.5, 0.0], [31.0, None])
    >>> [float(bar.get_width()) for bar in axes.patches]
    [8.5, 0.0]
    """
    shown = clipped(names, LONGEST)
    room = 14 + 6.0 * max(map(len, shown))
    height = 30 + ROW * len(names)
    axes = canvas(WIDE, height, left=room, right=8, bottom=4, top=26)
    width, gap = (WIDE - room - 8) / WIDE, 16 / WIDE
    left = axes.get_position()
    half = (width - gap) / 2
    axes.set_position((left.x0, left.y0, half, left.height))
    other = axes.figure.add_axes((left.x0 + half + gap, left.y0, half, left.height))
    quiet(other)
    for side, (panel, values, name) in enumerate(((axes, loss, "loss"), (other, risk, "risk"))):
        largest = max([v for v in values if v is not None] + [1e-9])
        panel.barh(range(len(names)), [v or 0.0 for v in values], 0.56, color=color(name))
        for place, value in enumerate(values):
            text = "–" if value is None else percent(value)
            panel.annotate(
                text if texts is None else texts[place][side],
                (value or 0.0, place),
                (5, 0),
                textcoords="offset points",
                va="center",
                size=SMALL,
                color=color("ink"),
            )
        panel.set_title(titles[side], loc="left", size=SMALL, color=color("quiet"), pad=8)
        panel.set_xlim(0, 1.45 * largest)
        panel.set_ylim(len(names) - 0.5, -0.5)
        panel.set_xticks([])
        panel.set_yticks([])
        panel.spines["bottom"].set_visible(False)
        panel.axvline(0, color=color("rule"), linewidth=0.8)
    axes.set_yticks(range(len(names)), shown, color=color("ink"))
    return axes


def percent(value: float) -> str:
    """One decimal, two where it would show nothing.

    >>> percent(12.345), percent(0.04), percent(0.0)
    ('12.3', '0.04', '0')
    """
    return "0" if value == 0 else f"{value:.1f}" if value >= 0.1 else f"{value:.2g}"
