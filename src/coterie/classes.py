"""Classes: records that share all values of some columns; a missing value is a value like any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError
from coterie.table.arrays import to_numpy
from coterie.table.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["class_codes", "count_classes", "plain_array"]


def class_codes(source: Source, names: Sequence[str]) -> NDArray[np.int64]:
    """A number 0..c-1 for each record; equal numbers mean equal values in all `names`."""
    codes = np.zeros(len(source.frame), dtype=np.int64)
    for name in names:
        column = _codes(source, name)
        combined = codes * (int(column.max(initial=0)) + 1) + column
        codes = np.unique(combined, return_inverse=True)[1].astype(np.int64)
    return codes


def count_classes(
    codes: NDArray[np.int64], units: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Records in each class, or distinct units if `units` tells them apart."""
    if units is None:
        return np.bincount(codes)
    pairs = np.unique(np.column_stack([codes, units]), axis=0)
    return np.bincount(pairs[:, 0], minlength=int(codes.max()) + 1)


def plain_array(source: Source, name: str) -> pa.Array:
    """A column as one Arrow array of plain values, not-a-number taken as missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    array = source.frame[name].to_arrow()
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if pa.types.is_floating(array.type):
        array = pc.if_else(pc.is_nan(array), pa.nulls(1, array.type)[0], array)
    if pa.types.is_nested(array.type):
        raise DataError(
            f"Column {name!r} must hold plain values to be a key. Got {array.type}; flatten it."
        )
    return array


def _codes(source: Source, name: str) -> NDArray[np.int64]:
    array = plain_array(source, name)
    return to_numpy(array.dictionary_encode(null_encoding="encode").indices).astype(np.int64)
