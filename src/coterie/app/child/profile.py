"""What a table is by itself: its first rows, and a small picture of every column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.table import columns
from coterie.table.arrays import to_numpy

if TYPE_CHECKING:
    from coterie.table.source import Source

__all__ = ["profile"]

FIRST = 8  # rows shown
LONGEST = 60  # letters of a cell shown
BARS = 14  # of a picture
MOST_LISTED = 60  # categories that can be brought into an order


def profile(source: Source) -> dict[str, Any]:
    """Size, first rows and columns of a table, as plain data."""
    frame = source.frame
    reported = ("delimiter", "encoding", "sheet", "sheets")
    return {
        "records": len(frame),
        "format": source.format,
        "details": {name: source.details.get(name) for name in reported},
        "rows": [[_cell(value) for value in row] for row in frame.head(FIRST).rows()],
        "columns": [_column(source, name) for name in frame.columns],
    }


def _column(source: Source, name: str) -> dict[str, Any]:
    series = source.frame[name]
    reported: dict[str, Any] = {"name": name, "stored": "", "odd": source.odd.get(name)}
    if reported["odd"]:
        return {**reported, "missing": 0, "distinct": 0, "picture": None, "categories": None}
    kind = columns.kind_of(series)
    there = columns.present(series)
    distinct = int(there.n_unique()) if len(there) else 0
    few = distinct <= MOST_LISTED
    return {
        **reported,
        "stored": kind,
        "missing": len(series) - len(there),
        "distinct": distinct,
        "picture": _picture(there, kind, distinct) if len(there) else None,
        "categories": [_plain(value) for value in columns.values_of(series)] if few else None,
    }


def _picture(there: Any, kind: str, distinct: int) -> dict[str, Any] | None:
    """Counts of equal bins for numbers and dates, of the most frequent values otherwise."""
    if kind in ("integer", "float", "decimal", "date", "datetime") and distinct > BARS:
        values = _numbers(there, kind)
        values = values[np.isfinite(values)]
        if not len(values) or values.min() == values.max():
            return None
        counts, edges = np.histogram(values, bins=BARS)
        ends = [_end(edges[place], kind) for place in (0, -1)]
        return {"kind": "bins", "counts": counts.tolist(), "ends": ends}
    if distinct > len(there) // 2 and distinct > BARS:
        return None  # hardly a value twice: nothing to see
    found = there.value_counts(sort=True)
    label, count = found.columns
    shown = found.head(BARS)
    rest = int(found[count].sum()) - int(shown[count].sum())
    pairs = [(_cell(one), int(n)) for one, n in zip(shown[label], shown[count], strict=True)]
    if kind in ("integer", "float", "decimal") and not rest:
        pairs.sort(key=lambda pair: float(pair[0] or 0))
    return {
        "kind": "values",
        "labels": [label for label, _ in pairs],
        "counts": [number for _, number in pairs],
        "rest": rest,
    }


def _numbers(there: Any, kind: str) -> Any:
    import pyarrow as pa

    array = there.to_arrow()
    if kind == "date":
        array = array.cast(pa.date32()).cast(pa.int32())
    elif kind == "datetime":
        array = array.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
    return to_numpy(array.cast(pa.float64(), safe=False))


def _end(edge: float, kind: str) -> str:
    if kind in ("date", "datetime"):
        days = edge if kind == "date" else edge / 86_400e6
        return str(np.datetime64(int(days), "D"))
    return f"{edge:.4g}"


def _cell(value: Any) -> str | None:
    """A value as text, cut short; None for a gap."""
    if value is None or value != value:
        return None
    text = str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _plain(value: Any) -> Any:
    """A category as it can stand in a plan: numbers, booleans and texts as they are."""
    return value if isinstance(value, (bool, int, float, str)) else str(value)
