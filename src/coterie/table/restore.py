"""Released values back into the caller's kind of table, each column with its own dtype."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa

__all__ = ["replace_columns"]


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
