"""Objects of Python in a pandas table, as whoever holds or writes the table sees them.

1 and 1.0, two decimals that differ in their zeros and a moment in two zones are one value to Arrow
and to every sum. Whoever prints them, or writes them into a text file, can tell them apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["spelled_objects"]


def spelled_objects(table: Any, frame: nw.DataFrame[Any]) -> dict[str, Any]:
    """Columns of objects that became plain values in `frame`, as text with gaps.

    Examples
    --------
    >>> import pandas as pd
    >>> from coterie.table.source import from_frame
    >>> table = pd.DataFrame({"a": pd.Series([1, 1.0, None], dtype=object), "b": [1, 2, 3]})
    >>> found = spelled_objects(table, from_frame(table).frame)
    >>> {name: cells.to_pylist() for name, cells in found.items()}
    {'a': ['1', '1.0', None]}
    """
    import pyarrow as pa

    if not frame.implementation.is_pandas():
        return {}
    found = {}
    for place, name in enumerate(frame.columns):
        column = table.iloc[:, place]
        if str(column.dtype) != "object":
            continue
        kind = frame[name].to_arrow().type
        if pa.types.is_nested(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
            continue
        pairs = zip(column.isna(), column, strict=True)
        cells = [None if gap else _text(value) for gap, value in pairs]
        found[name] = pa.chunked_array([cells], type=pa.string())
    return found


def _text(value: Any) -> str:
    # A number of numpy is none of its own, but one of 32 bits has other digits than it shows.
    return str(value.item() if isinstance(value, np.generic) else value)
