"""Ranks: any column as one that can be sorted, lists, structs and maps included.

The order of the rows of a release must follow from released values alone, all of them: where a
column is left out, records that are equal in the others keep the order in which they came. Numbers
and texts sort as they are. What has no order of its own gets one here: values of any type are
numbered so that equal numbers mean that nobody can tell the values apart (`coterie.table.classes`),
and the numbers do not depend on where a value stands. A list of values costs one sort for each
place in it, of the records whose lists are that long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber
from coterie.table.arrays import constant, from_numpy, to_numpy
from coterie.table.classes import as_seen

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["rank", "row_order"]

Ints = NDArray[np.int64]


def row_order(table: pa.Table) -> Ints:
    """Rows in the order of the first column, then of the second, and so on.

    Rows that are left in their order are equal: nobody can tell them apart.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from coterie.table.ranks import row_order
    >>> row_order(pa.table({"a": [2, 1, 1], "b": [["x"], ["z"], ["y", "y"]]})).tolist()
    [1, 2, 0]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    keys: dict[str, Any] = {}
    signs: dict[str, Any] = {}
    for place, column in enumerate(table.columns):
        column = _plain(column)
        if not _sorts(column.type):
            column = from_numpy(rank(column))
        elif pa.types.is_floating(column.type):
            # 0.0 and -0.0 are one place to Arrow: told apart after everything else, so that what
            # is sorted in parts by keys alone comes out in the same order.
            zeros = pc.fill_null(pc.equal(column, constant(0.0)), constant(False))
            if pc.any(zeros).as_py():
                signs[f"sign {place}"] = pc.and_(zeros, pc.less(as_seen(column), constant(0)))
        keys[str(place)] = column
    whole = pa.table({**keys, **signs})
    by = [(name, "ascending") for name in whole.column_names]
    return to_numpy(pc.sort_indices(whole, sort_keys=by)).astype(np.int64)


def rank(column: Any) -> Ints:
    """A number 0, 1, ... for each value of an Arrow column; equal numbers mean equal values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = _plain(column)
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    kind = column.type
    if pa.types.is_struct(kind):
        parts = [rank(part) for part in column.flatten()]
        return _together([to_numpy(column.is_valid()).astype(np.int64), *parts])
    if pa.types.is_map(kind):
        entry = pa.struct([("key", kind.key_type), ("value", kind.item_type)])
        return rank(column.cast(pa.list_(entry)))
    if _is_list(kind):
        lengths = to_numpy(pc.fill_null(pc.list_value_length(column), -1)).astype(np.int64)
        return _sequences(lengths, rank(pc.list_flatten(column)))
    if _sorts(kind):
        return _values(as_seen(column))
    return _values(pa.array([None if v is None else repr(v) for v in column.to_pylist()]))


def _plain(column: Any) -> Any:
    """A column without what only says how it is stored."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return _plain(column.cast(kind.storage_type))
    if pa.types.is_dictionary(kind):
        return _plain(column.cast(kind.value_type))
    if pa.types.is_run_end_encoded(kind):
        return _plain(pc.run_end_decode(column))
    if pa.types.is_float16(kind):
        return column.cast(pa.float32())
    if str(kind) in ("string_view", "binary_view"):
        return column.cast(pa.large_string() if str(kind) == "string_view" else pa.large_binary())
    if pa.types.is_decimal(kind) and kind.bit_width < 128:
        return column.cast(pa.decimal128(kind.precision, kind.scale))
    return column


def _sorts(kind: pa.DataType) -> bool:
    """Whether Arrow sorts values of a type."""
    import pyarrow as pa

    if pa.types.is_interval(kind):
        return False
    return pa.types.is_primitive(kind) or pa.types.is_null(kind) or _is_text(kind)


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    binary = pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
    fixed = pa.types.is_fixed_size_binary(kind) or pa.types.is_decimal(kind)
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or binary or fixed


def _is_list(kind: pa.DataType) -> bool:
    import pyarrow as pa

    views = pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind)
    return bool(
        pa.types.is_list(kind)
        or pa.types.is_large_list(kind)
        or pa.types.is_fixed_size_list(kind)
        or views
    )


def _values(array: pa.Array) -> Ints:
    """Numbers of plain values, in the order of the values; missing ones last."""
    import pyarrow.compute as pc

    encoded = array.dictionary_encode(null_encoding="encode")
    order = to_numpy(pc.sort_indices(encoded.dictionary))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[to_numpy(encoded.indices)]


def _together(columns: list[Ints]) -> Ints:
    """Numbers of the combinations."""
    codes = columns[0]
    for column in columns[1:]:
        both = codes * (int(column.max(initial=0)) + 1) + column
        codes = renumber(both).astype(np.int64)
    return codes


def _sequences(lengths: Ints, values: Ints) -> Ints:
    """Numbers of sequences of so many values each, by length and then place by place."""
    starts = np.cumsum(np.maximum(lengths, 0)) - np.maximum(lengths, 0)
    codes = np.zeros(len(lengths), dtype=np.int64)
    for place in range(int(lengths.max(initial=0))):
        long = np.flatnonzero(lengths > place)
        codes[long] = _together([codes[long], values[starts[long] + place]])
    return _together([lengths + 1, codes])
