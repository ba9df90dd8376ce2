"""The risk-utility map: one point a release, the front drawn through the best of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coterie.evaluation.registry import MEASURES

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["risk_utility"]

MARKERS = "osD^vP*X"


def risk_utility(
    table: pd.DataFrame, front: pd.DataFrame, risk: str = "dr", loss: str = "pil", axes: Any = None
) -> Any:
    """Draw the releases of a sweep by their risk and their loss of utility.

    Parameters
    ----------
    table : pandas.DataFrame
        One row a release, with the columns k, aggregation and the two measures.
    front : pandas.DataFrame
        The rows of `table` on the front.
    risk, loss : str
        Columns of the horizontal and the vertical axis.
    axes : matplotlib axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import pandas as pd
    >>> from coterie.plotting import risk_utility
    >>> rows = {"k": [3, 5], "aggregation": "mean", "dr": [30.0, 20.0], "pil": [25.0, 35.0]}
    >>> axes = risk_utility(pd.DataFrame(rows), pd.DataFrame(rows))
    >>> axes.get_xlabel()
    'dr: disclosure risk: mean of dld and sdid, percent'
    """
    if axes is None:
        from matplotlib.figure import Figure

        axes = Figure(figsize=(6.4, 4.8), layout="constrained").subplots()
    sizes = sorted(table["k"].unique())
    for at, (aggregation, rows) in enumerate(table.groupby("aggregation", sort=False)):
        marker = MARKERS[at % len(MARKERS)]
        for size in sizes:
            chosen = rows[rows["k"] == size]
            if len(chosen):
                shade = f"C{sizes.index(size) % 10}"
                label = f"{aggregation}, k = {size}"
                axes.scatter(chosen[risk], chosen[loss], marker=marker, color=shade, label=label)
    axes.step(front[risk], front[loss], where="post", color="0.6", zorder=0, label="front")
    for name, label in ((risk, axes.set_xlabel), (loss, axes.set_ylabel)):
        title = f"{name}: {MEASURES[name].title}" if name in MEASURES else name
        label(title, fontsize="small")
    axes.legend(fontsize="small")
    return axes
