"""The list of categories that a column carries beside its values: what it names, and in what order.

After masking, the list would still name the rare categories that no released record has, and most
programs list them as they first met them: whose record came first would show. Both are leaks that
no count of records shows. So every list is cut down to the categories in use; where the column
declares their order it stays, else they are sorted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.table.arrays import from_numpy, to_numpy
from coterie.table.ranks import rank, row_order

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["category_key", "encoded", "texts_of", "used", "used_in_arrow", "used_in_pandas"]


def used_in_pandas(table: pd.DataFrame) -> pd.DataFrame:
    """A pandas table whose categories are those in use."""
    import pandas as pd
    import pyarrow as pa

    changed: dict[Any, Any] = {}
    for name, dtype in table.dtypes.items():
        column = table[name]
        if isinstance(dtype, pd.CategoricalDtype):
            if column.nunique() < len(dtype.categories):
                column = column.cat.remove_unused_categories()
            if not dtype.ordered:
                listed = column.cat.categories
                places = _places(pa.array(listed, from_pandas=True))
                column = column.cat.reorder_categories(listed[places])
            changed[name] = column
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
    """A dictionary column whose values, one list for all chunks, are those in use.

    >>> import pyarrow as pa
    >>> column = pa.chunked_array([pa.array(["b", "a", "c"]).dictionary_encode()]).slice(0, 2)
    >>> used(column).chunk(0).dictionary.to_pylist()
    ['a', 'b']
    """
    import pyarrow as pa

    column = column.unify_dictionaries()
    if not column.num_chunks:
        return column
    kind, values = column.type, column.chunk(0).dictionary
    there = np.zeros(len(values), dtype=bool)
    for chunk in column.chunks:
        there[to_numpy(chunk.indices.drop_null())] = True
    first = _first(values, there)
    order = np.unique(first[there])
    if not kind.ordered:
        order = order[_places(values.take(from_numpy(order)))]
    if np.array_equal(order, np.arange(len(values))):
        return column
    place = np.zeros(len(values), dtype=np.int64)
    place[order] = np.arange(len(order))
    moved, kept = from_numpy(place[first]), values.take(from_numpy(order))
    chunks = [
        pa.DictionaryArray.from_arrays(
            moved.take(chunk.indices.cast(pa.int64())).cast(kind.index_type),
            kept,
            ordered=kind.ordered,
        )
        for chunk in column.chunks
    ]
    return pa.chunked_array(chunks, type=kind)


def encoded(values: pa.Array, kind: pa.DataType, declared: pa.Array | None = None) -> pa.Array:
    """Values as an array of a dictionary type.

    Its list is as `declared` where the type has an order, so that parts of a table have one list;
    what that does not name comes after it, as of any other type: sorted.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    found = values.unique().drop_null()
    listed = found.take(from_numpy(_places(found)))
    if declared is not None and kind.ordered:
        declared = declared.drop_null()
        new = pc.invert(pc.is_in(listed, value_set=declared))
        listed = pa.concat_arrays([declared, listed.filter(new)])
    places = pc.index_in(values, value_set=listed).cast(kind.index_type)
    return pa.DictionaryArray.from_arrays(places, listed, ordered=kind.ordered)


def _places(values: pa.Array) -> NDArray[np.int64]:
    """Where the values of a list are, in their order."""
    import pyarrow as pa

    return row_order(pa.table({"": values}))


def _first(values: pa.Array, there: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Of each value of a list, the place of the first in use that is equal: lists repeat some."""
    number = rank(values)
    first = np.arange(len(values))
    _, places, codes = np.unique(number[there], return_index=True, return_inverse=True)
    first[there] = np.flatnonzero(there)[places[codes]]
    return first


def texts_of(array: pa.Array) -> pa.Array:
    """Values as text: whole numbers without a point, dates as 2024-02-29."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_floating(array.type):
        array = pc.if_else(pc.is_nan(array), pa.scalar(None, array.type), array)
        near = pc.less(pc.abs(array), 2.0**63)  # what an integer can be
        whole = pc.all(pc.and_(near, pc.equal(array, pc.round(array))), skip_nulls=True).as_py()
        array = array.cast(pa.int64()) if whole else array
    return array.cast(pa.string())


def category_key(value: Any) -> tuple[str, Any]:
    """What categories without a declared order are sorted by."""
    return (type(value).__name__, value)
