"""What lies in memory where a record has no value.

A gap is a bit beside a value, and the value may still be there: pandas' `mask` and many programs
leave it, and formats that store memory as it is (Feather) would write it. So what is released has
nothing under its gaps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.table.arrays import from_numpy

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["nothing_hidden", "nothing_hidden_in_pandas"]


def nothing_hidden(table: pa.Table) -> pa.Table:
    """A pyarrow table with nothing under its gaps."""
    import pyarrow as pa

    for place, field in enumerate(table.schema):
        column = table.column(place)
        if pa.types.is_nested(field.type):
            # A gap in the whole may have values in its parts.
            column = pa.chunked_array([pa.array(column.to_pylist(), field.type)])
        elif column.null_count and not pa.types.is_null(field.type):
            column = column.take(from_numpy(np.arange(len(column))))  # it copies what is there
        else:
            continue
        table = table.set_column(place, field, column)
    return table


def nothing_hidden_in_pandas(table: pd.DataFrame) -> pd.DataFrame:
    """A pandas table with nothing under the gaps of its nullable columns."""
    import pandas as pd

    changed: dict[Any, Any] = {}
    for name, dtype in table.dtypes.items():
        column = table[name]
        if isinstance(dtype, pd.ArrowDtype):
            bare = nothing_hidden(_one_column(column))
            changed[name] = pd.Series(pd.array(bare.column(0), dtype=dtype), index=column.index)
        elif hasattr(column.array, "_mask") and column.isna().any():
            gaps = column.isna()
            bare = column.fillna(dtype.type(0))
            bare[gaps] = pd.NA
            changed[name] = bare
    return table.assign(**changed) if changed else table


def _one_column(column: pd.Series) -> pa.Table:
    import pyarrow as pa

    array = column.array.__arrow_array__()
    return pa.table(
        [array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])], [""]
    )
