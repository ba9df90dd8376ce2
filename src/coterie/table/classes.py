"""Classes: records that share all values of some columns, as whoever reads the file sees them.

There is one definition of equality, for strata, classes, proofs and `verify`: two values are equal
only if nobody who reads the written file can tell them apart. A missing value is a value like any
other, and so is NaN, which is another one; 0.0 and -0.0 differ, and so do texts that differ in a
space or in how an accent is put together. Of a text file the cells count as they are spelled: "1",
"1.0" and " 1" differ there, and so do Python's 1 and 1.0 in a pandas table. Which bits a NaN has,
and which number a category has in a dictionary, no reader is shown.

Units and confidential values are counted the other way: there a difference that means nothing
(1 and 1.0, NaN and missing) must not pass for a second unit or a second diagnosis. `class_codes`
is the fine equality, `value_codes` the coarse one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError
from coterie.numbers.renumber import renumber
from coterie.table.arrays import constant, from_numpy, to_numpy

if TYPE_CHECKING:
    import pyarrow as pa

    from coterie.table.source import Source

__all__ = [
    "Mark",
    "as_meant",
    "as_seen",
    "class_codes",
    "class_sizes",
    "count_classes",
    "hashable",
    "meant",
    "plain_array",
    "spelled_apart",
    "value_codes",
]


def class_codes(source: Source, names: Sequence[str]) -> NDArray[np.int64]:
    """A number 0..c-1 for each record; equal numbers: nobody can tell the `names` apart."""
    return _combined(len(source.frame), (as_seen(_shown(source, name)) for name in names))


def value_codes(source: Source, names: Sequence[str]) -> NDArray[np.int64]:
    """A number 0..c-1 for each record; equal numbers: the values in all `names` mean the same."""
    return _combined(len(source.frame), (plain_array(source, name) for name in names))


def spelled_apart(source: Source, names: Sequence[str]) -> list[str]:
    """The columns in which values that mean the same can be told apart."""
    ways = {name: (class_codes(source, [name]), value_codes(source, [name])) for name in names}
    return [name for name, (seen, meant) in ways.items() if seen.max() > meant.max()]


def count_classes(
    codes: NDArray[np.int64], units: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Records in each class, or distinct units if `units` tells them apart."""
    if units is None:
        return np.bincount(codes)
    pairs = np.unique(np.column_stack([codes, units]), axis=0)
    return np.bincount(pairs[:, 0], minlength=int(codes.max()) + 1)


def class_sizes(
    source: Source, names: Sequence[str], units: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Records, or distinct units, in each class of records that share the values of `names`."""
    return count_classes(class_codes(source, names), units)


def plain_array(source: Source, name: str) -> pa.Array:
    """A column as one Arrow array of plain values, not-a-number taken as missing."""
    return as_meant(_array(source, name))


def as_seen(column: Any) -> Any:
    """An Arrow column that is equal where nobody who reads the values can tell them apart.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from coterie.table.classes import as_seen
    >>> column = as_seen(pa.array([0.0, -0.0, float("nan"), None, -float("nan")]))
    >>> len(column.unique())
    4
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    column = _values(column)
    if not pa.types.is_floating(column.type):
        return column
    # By their bits: Arrow itself takes 0.0 for -0.0 in some places, and in others not.
    column = column.cast(pa.float64())
    if pc.any(pc.is_nan(column)).as_py():
        column = pc.if_else(pc.is_nan(column), constant(float("nan")), column)
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([c.view(pa.int64()) for c in column.chunks], pa.int64())
    return column.view(pa.int64())


def as_meant(column: Any) -> Any:
    """An Arrow column in which NaN is missing and there is one zero: values by what they mean."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = _values(column)
    if not pa.types.is_floating(column.type):
        return column
    zero = from_numpy(np.zeros(1)).cast(column.type)[0]
    column = pc.add(column, zero)  # -0.0 becomes 0.0
    return pc.if_else(pc.is_nan(column), pa.nulls(1, column.type)[0], column)


class Mark(str):
    """A value that is not equal to itself, or equal to another one, as a word that is.

    Examples
    --------
    >>> from coterie.table.classes import hashable
    >>> hashable(float("nan")) == hashable(float("nan")), hashable(-0.0) == hashable(0.0)
    (True, False)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def hashable(value: Any) -> Any:
    """A value of a column as a Python object that is equal where `as_seen` is."""
    if isinstance(value, float) and (value != value or (value == 0.0 and str(value) == "-0.0")):
        return Mark(value)
    return value


def meant(value: Any) -> Any:
    """What a value that `hashable` gave means: NaN is a missing value, -0.0 is 0.0."""
    if isinstance(value, Mark):
        return 0.0 if value == "-0.0" else None
    return value


def _shown(source: Source, name: str) -> pa.Array:
    """A column as the file shows it: the text of its cells where that is known."""
    spelled = source.spelled.get(name)
    return _array(source, name) if spelled is None else spelled.combine_chunks()


def _array(source: Source, name: str) -> pa.Array:
    import pyarrow as pa

    array = source.frame[name].to_arrow()
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if pa.types.is_nested(array.type):
        raise DataError(
            f"Column {name!r} must hold plain values to be a key. Got {array.type}; flatten it."
        )
    return array


def _values(column: Any) -> Any:
    """A column of categories as its values."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    # Few functions of Arrow take floats of 16 bits.
    return column.cast(pa.float32()) if pa.types.is_float16(column.type) else column


def _combined(rows: int, columns: Any) -> NDArray[np.int64]:
    codes = np.zeros(rows, dtype=np.int64)
    for column in columns:
        encoded = column.dictionary_encode(null_encoding="encode")
        one = to_numpy(encoded.indices).astype(np.int64)
        combined = codes * (int(one.max(initial=0)) + 1) + one
        codes = renumber(combined).astype(np.int64)
    return codes
