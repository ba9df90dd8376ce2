"""The summary of several releases of one table: what each loses and risks, and the front."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.errors import bad_parameter
from coterie.report.plain import plain
from coterie.report.released import heading
from coterie.report.words import listing, percent

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["comparison_summary", "front_of", "left_out"]

TITLES = {
    "linked": "records that an intruder links, %",
    "information_loss": "information lost, %",
    "dr": "disclosure risk DR, %",
    "pil": "probabilistic information loss PIL, %",
    "singling_out": "singling out, %",
    "linkability": "linkability, %",
    "inference": "inference, %",
    "partial_knowledge": "records linked by who knows two keys, %",
}
# Of the measures that a sweep takes, those that a table of all releases has room for.
SHOWN = (
    "groups",
    "smallest",
    "largest",
    "dropped",
    "seconds",
    "achieved_k",
    "dld",
    "sdid",
    "offset_adversary",
    "il",
    "si",
    "singling_out",
    "linkability",
    "inference",
    "met",
)
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
    table, by = _named(table)
    mapped = table.dropna(subset=[risk, loss]) if risk in table.columns else table.iloc[:0]
    front = front_of(mapped, risk, loss)
    figures = [name for name in table.columns if name in (*SETTINGS, *SHOWN, risk, loss)]
    idle = () if left_out(table) else ("dropped",)
    shown = [name for name in figures if name not in idle and table[name].notna().any()]
    drawn = list(dict.fromkeys([*shown, by, risk, loss]))
    drawn = [name for name in drawn if name in table.columns]
    return plain(
        {
            **heading("comparison", "internal"),
            "standing": "compared",
            "verdict": _verdict(table, front, risk, loss, by),
            "figures": {
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
            "rows": table[drawn]
            .astype(object)
            .where(table[drawn].notna(), None)
            .to_dict("records"),
            "front": [int(place) for place in np.flatnonzero(table.index.isin(front.index))],
            "front_order": [int(table.index.get_loc(index)) for index in front.index],
            "source": source,
        }
    )


def _named(table: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The table, and the column that tells its releases of one k apart."""
    if "aggregation" not in table.columns or table["aggregation"].nunique() == 1:
        return table, "method"
    if table["method"].nunique() == 1:
        return table, "aggregation"
    return table.assign(release=table["method"] + ", " + table["aggregation"]), "release"


def left_out(table: pd.DataFrame) -> str:
    """Which records the figures leave out, to stand behind them; empty if none were dropped.

    Examples
    --------
    >>> import pandas as pd
    >>> from coterie.report.comparison import left_out
    >>> left_out(pd.DataFrame({"dropped": [5, 5]}))
    ' (without 5 records that were dropped)'
    """
    counts = table["dropped"] if "dropped" in table.columns else [0]
    least, most = int(min(counts)), int(max(counts))
    if not most:
        return ""
    return (
        f" (without {least if least == most else f'{least} to {most}'} records that were dropped)"
    )


def _verdict(table: pd.DataFrame, front: pd.DataFrame, risk: str, loss: str, by: str) -> str:
    chosen = [rows.loc[rows[loss].idxmin()] for _, rows in table.groupby("k")]
    risky = risk in table.columns and bool(table[risk].notna().all())
    parts = []
    for one in chosen:
        text = f"{percent(float(one[loss]))} lost"
        if risky:
            text += f" and {percent(float(one[risk]))} linked" if risk == "linked" else ""
        parts.append(f"{text} at k = {one['k']}")
    best = [str(one[by]) for one in chosen]
    text = f"Of {len(table)} releases compared{left_out(table)}, "
    if len(set(best)) == 1:
        text += (
            f"{best[0]} loses least{' at every k' if len(best) > 1 else ''}: {'; '.join(parts)}."
        )
    else:
        named = [f"{name} ({part})" for name, part in zip(best, parts, strict=True)]
        text += f"{listing(named)} lose least."
    if 0 < len(front) < len(table):
        text += f" {len(front)} of them are beaten by no other in both risk and loss."
    return text


def _grid(table: pd.DataFrame, measure: str, by: str) -> dict[str, Any]:
    """A table with a row a method and a column a k; of several settings the best counts."""
    sizes = sorted({int(k) for k in table["k"]})
    kinds = list(dict.fromkeys(table[by]))
    grid = table.groupby([by, "k"])[measure].min()
    rows: list[list[float | None]] = [
        [float(grid[(kind, size)]) if (kind, size) in grid.index else None for size in sizes]
        for kind in kinds
    ]
    columns = ([row[j] for row in rows] for j in range(len(sizes)))
    best = [min((v for v in column if v is not None), default=None) for column in columns]
    return {
        "title": TITLES.get(measure, measure),
        "sizes": sizes,
        "kinds": kinds,
        "rows": rows,
        "best": best,
    }
