"""The summary of several releases of one table: what each loses and risks, and the front."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.errors import bad_parameter
from coterie.report.summary import heading
from coterie.report.words import listing, percent, plain

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["comparison_summary", "front_of"]

TITLES = {
    "linked": "records that an intruder links, %",
    "information_loss": "information lost, %",
    "dr": "disclosure risk DR, %",
    "pil": "probabilistic information loss PIL, %",
}
SETTINGS = ("k", "method", "aggregation", "alpha", "delta", "basin")


def front_of(table: pd.DataFrame, risk: str, loss: str) -> pd.DataFrame:
    """Releases that no other one beats in both risk and loss, from the safest on.

    Examples
    --------
    >>> import pandas as pd
    >>> from coterie.report.comparison import front_of
    >>> rows = pd.DataFrame({"risk": [1.0, 2.0, 3.0], "loss": [9.0, 9.5, 4.0]})
    >>> front_of(rows, "risk", "loss").index.tolist()
    [0, 2]
    """
    ranked = table.sort_values([risk, loss], kind="stable")
    kept, least = [], np.inf
    for index, value in ranked[loss].items():
        if value < least:
            kept.append(index)
            least = value
    return ranked.loc[kept]


def comparison_summary(
    table: pd.DataFrame,
    keys: list[str],
    risk: str = "linked",
    loss: str = "information_loss",
    by: str = "method",
    source: str = "",
) -> dict[str, Any]:
    """What a report tells about several releases.

    Parameters
    ----------
    table : pandas.DataFrame
        A row a release: k, method and measures, as `coterie.tuning.compare` and `tune` give it.
    keys : list of str
        The key attributes.
    risk, loss : str
        Columns that span the map.
    by : str
        What the table of the best has a row for, besides k.
    source : str
        Where the table came from.

    Examples
    --------
    >>> import coterie
    >>> from coterie.report import comparison_summary
    >>> from coterie.tuning import compare
    >>> found = compare(coterie.datasets.diabetes(), [3, 5], ["mdav", "mdav-mhm"], ["age", "bmi"])
    >>> comparison_summary(found, ["age", "bmi"])["verdict"]
    'Of 4 releases ...'
    """
    if not len(table):
        raise bad_parameter("table", "report", "a table with at least one release", 0)
    mapped = table.dropna(subset=[risk, loss]) if risk in table.columns else table.iloc[:0]
    front = front_of(mapped, risk, loss)
    shown = [name for name in table.columns if table[name].notna().any()]
    return plain(
        {
            **heading("comparison", "internal"),
            "standing": "compared",
            "verdict": _verdict(table, front, risk, loss, by),
            "told": {
                "releases": len(table),
                "keys": keys,
                "sizes": sorted({int(k) for k in table["k"]}),
                "methods": list(dict.fromkeys(table["method"])),
            },
            "risk": risk,
            "loss": loss,
            "by": by,
            "titles": {name: TITLES.get(name, name) for name in (risk, loss)},
            "grids": [_grid(table, measure, by) for measure in (loss, risk) if measure in shown],
            "settings": [name for name in SETTINGS if name in shown],
            "columns": shown,
            "rows": table[shown]
            .astype(object)
            .where(table[shown].notna(), None)
            .to_dict("records"),
            "front": [int(place) for place in np.flatnonzero(table.index.isin(front.index))],
            "front_order": [int(table.index.get_loc(index)) for index in front.index],
            "source": source,
        }
    )


def _verdict(table: pd.DataFrame, front: pd.DataFrame, risk: str, loss: str, by: str) -> str:
    parts = []
    for size, rows in table.groupby("k"):
        best = rows.loc[rows[loss].idxmin()]
        worst = rows.loc[rows[loss].idxmax()]
        text = f"at k = {size}, {best[by]} loses least ({percent(float(best[loss]))}"
        if len(rows) > 1:
            text += f", against up to {percent(float(worst[loss]))}"
        if risk in table.columns and best[risk] == best[risk] and best[risk] is not None:
            text += f"; risk {percent(float(best[risk]))}"
        parts.append(text + ")")
    count = len(table)
    text = f"Of {count} releases compared, {listing(parts)}."
    if 0 < len(front) < count:
        text += f" {len(front)} of them are beaten by no other in both risk and loss."
    return text


def _grid(table: pd.DataFrame, measure: str, by: str) -> dict[str, Any]:
    """A table with a row a method and a column a k; of several settings the best counts."""
    sizes = sorted({int(k) for k in table["k"]})
    kinds = list(dict.fromkeys(table[by]))
    grid = table.groupby([by, "k"])[measure].min()
    rows = [
        [float(grid[(kind, size)]) if (kind, size) in grid.index else None for size in sizes]
        for kind in kinds
    ]
    best = [
        min((row[j] for row in rows if row[j] is not None), default=None) for j in range(len(sizes))
    ]
    return {
        "title": TITLES.get(measure, measure),
        "sizes": sizes,
        "kinds": kinds,
        "rows": rows,
        "best": best,
    }
