"""Categories that a release no longer holds.

A categorical column carries the list of its categories beside its values. After masking, that list
would still name the rare ones that no released record has: a leak that no count of records shows.
So every list is cut down to the categories in use, in their order, where they have one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.table.arrays import from_numpy, to_numpy

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["used", "used_in_arrow", "used_in_pandas"]


def used_in_pandas(table: pd.DataFrame) -> pd.DataFrame:
    """A pandas table whose categories are those in use."""
    import pandas as pd

    changed: dict[Any, Any] = {}
    for name, dtype in table.dtypes.items():
        column = table[name]
        if isinstance(dtype, pd.CategoricalDtype) and column.nunique() < len(dtype.categories):
            changed[name] = column.cat.remove_unused_categories()
        elif isinstance(dtype, pd.ArrowDtype) and "dictionary" in str(dtype.pyarrow_dtype):
            array = pd.array(used(column.array.__arrow_array__()), dtype=dtype)
            changed[name] = pd.Series(array, index=column.index)
    return table.assign(**changed) if changed else table


def used_in_arrow(table: pa.Table) -> pa.Table:
    """A pyarrow table whose dictionaries are those in use."""
    import pyarrow as pa

    for i, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            table = table.set_column(i, field, used(table.column(i)))
    return table


def used(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A dictionary column whose values, one list for all chunks, are those in use."""
    import pyarrow as pa

    column = column.unify_dictionaries()
    if not column.num_chunks:
        return column
    values = column.chunk(0).dictionary
    there = np.zeros(len(values), dtype=bool)
    for chunk in column.chunks:
        there[to_numpy(chunk.indices.drop_null())] = True
    if there.all():
        return column
    place = from_numpy(np.cumsum(there) - 1)
    kept = values.filter(from_numpy(there))
    kind = column.type
    chunks = [
        pa.DictionaryArray.from_arrays(
            place.take(chunk.indices.cast(pa.int64())).cast(kind.index_type),
            kept,
            ordered=kind.ordered,
        )
        for chunk in column.chunks
    ]
    return pa.chunked_array(chunks, type=kind)
