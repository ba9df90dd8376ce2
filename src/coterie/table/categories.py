"""Categories that a release no longer holds.

A categorical column carries the list of its categories beside its values. After masking, that list
would still name the rare ones that no released record has: a leak that no count of records shows.
Categories without order are therefore cut down to those in use; an ordered list is a scale that
somebody declared, and stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coterie.table.arrays import from_numpy, to_numpy

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["used_in_arrow", "used_in_pandas"]


def used_in_pandas(table: pd.DataFrame) -> pd.DataFrame:
    """A pandas table whose unordered categories are those in use."""
    changed: dict[Any, Any] = {}
    for name, dtype in table.dtypes.items():
        if getattr(dtype, "categories", None) is not None and not dtype.ordered:
            column = table[name]
            if column.nunique() < len(dtype.categories):
                changed[name] = column.cat.remove_unused_categories()
    return table.assign(**changed) if changed else table


def used_in_arrow(table: pa.Table) -> pa.Table:
    """A pyarrow table whose unordered dictionaries are those in use."""
    import pyarrow as pa

    for i, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type) and not field.type.ordered:
            table = table.set_column(i, field, _used(table.column(i)))
    return table


def _used(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    chunks = []
    for chunk in column.chunks:
        used = np.unique(to_numpy(chunk.indices.drop_null())).astype(np.int64)
        if len(used) < len(chunk.dictionary):
            place = np.zeros(len(chunk.dictionary), dtype=np.int64)
            place[used] = np.arange(len(used))
            moved = from_numpy(place).take(chunk.indices.cast(pa.int64()))
            indices = pc.cast(moved, chunk.type.index_type)
            chunk = pa.DictionaryArray.from_arrays(indices, chunk.dictionary.take(from_numpy(used)))
        chunks.append(chunk)
    return pa.chunked_array(chunks, type=column.type)
