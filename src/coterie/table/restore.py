"""Released values back into the caller's kind of table: own dtypes, nothing under the gaps.

A gap is a bit beside a value, and the value may still be there: pandas' `mask` and many programs
leave it, and formats that store memory as it is (Feather) would write it. So what is released has
nothing under its gaps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.table.arrays import from_numpy

if TYPE_CHECKING:
    import narwhals as nw
    import pandas as pd
    import pyarrow as pa

__all__ = ["nothing_hidden", "nothing_hidden_in_pandas", "replace_columns"]


def replace_columns(
    frame: nw.DataFrame[Any], arrays: Mapping[str, pa.Array], *, retyped: bool = False
) -> nw.DataFrame[Any]:
    """`frame` with some columns replaced, in their places and with their dtypes.

    A `retyped` column has the type of its array instead.
    """
    import narwhals as nw

    if frame.implementation.is_pyarrow():
        table = frame.to_native()
        for name, array in arrays.items():
            table = table.set_column(table.column_names.index(name), name, array)
        return nw.from_native(table, eager_only=True)
    series = []
    for name, array in arrays.items():
        native = _native(frame[name], array, retyped)
        series.append(nw.from_native(native, series_only=True).alias(name))
    return frame.with_columns(*series) if series else frame


def _native(column: nw.Series[Any], array: pa.Array, retyped: bool) -> Any:
    if column.implementation.is_pandas_like():
        given = column.to_native()
        native = array.to_pandas()
        native.index = given.index
        if retyped:
            return native
        # An integer column without gaps comes back as itself; with gaps pandas has float64.
        return (
            native.astype(given.dtype)
            if not (native.isna().any() and _no_gaps(given.dtype))
            else native
        )
    import pyarrow as pa

    return pa.chunked_array([array])


def _no_gaps(dtype: Any) -> bool:
    """Whether a pandas dtype cannot hold a missing value."""
    return getattr(dtype, "kind", "O") in "iub" and type(dtype).__module__.startswith("numpy")


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
