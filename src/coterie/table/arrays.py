"""Between NumPy, Python and Arrow without pandas.

pyarrow loads pandas, where it is installed, as soon as it turns a Python value, a list or a NumPy
array into Arrow or back: a third of a second before any work, and for nothing where the table is
a file. Arrow arrays made of buffers, and scalars taken out of them, need no pandas. What is not a
plain number, boolean or text goes pyarrow's own way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.checks import EXACT_INTEGER

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa

__all__ = [
    "DAY",
    "constant",
    "from_numpy",
    "from_values",
    "is_in",
    "per_second",
    "range_of",
    "take_rows",
    "to_numpy",
]

FLOATS = {"halffloat": "float16", "float": "float32", "double": "float64"}  # Arrow's own words
NUMBERS = ("int", "uint", "float", "bool")
DAY = 86_400  # seconds


def to_numpy(array: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """Numbers or booleans as a NumPy array; gaps among floats are NaN, among others an error.

    >>> import pyarrow as pa
    >>> to_numpy(pa.array([True, False, True]))
    array([ True, False,  True])
    """
    import pyarrow as pa

    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
        if isinstance(array, pa.ChunkedArray):  # pyarrow before 16 gives chunks for some types
            array = pa.concat_arrays(array.chunks)
    kind = array.type
    if array.null_count:
        if not pa.types.is_floating(kind):
            raise ValueError(f"gaps in an array of {kind}")
        array = array.fill_null(from_numpy(np.array([np.nan])).cast(kind)[0])
    dtype = _dtype(kind)
    if not len(array):
        return np.empty(0, dtype=dtype)
    data = array.buffers()[1]
    if pa.types.is_boolean(kind):
        bits = np.frombuffer(data, np.uint8)
        bits = np.unpackbits(bits, count=array.offset + len(array), bitorder="little")
        return bits[array.offset :].astype(bool)
    values = np.frombuffer(data, dtype=dtype)
    return values[array.offset : array.offset + len(array)]


def _dtype(kind: pa.DataType) -> np.dtype[Any]:
    """NumPy's word for an Arrow type; asked for it, an older pyarrow loads pandas."""
    name = FLOATS.get(str(kind), str(kind))
    return np.dtype(name if name.rstrip("0123456789") in NUMBERS else kind.to_pandas_dtype())


def from_numpy(values: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> pa.Array:
    """Numbers or booleans as an Arrow array, with gaps where `missing`.

    >>> import numpy as np
    >>> from_numpy(np.array([1.5, 2.5]), np.array([False, True])).to_pylist()
    [1.5, None]
    """
    import pyarrow as pa

    gaps = None
    if missing is not None and missing.any():
        gaps = pa.py_buffer(np.packbits(~missing, bitorder="little"))
    kind = pa.from_numpy_dtype(values.dtype)
    data = np.ascontiguousarray(values)
    if pa.types.is_boolean(kind):
        data = np.packbits(data, bitorder="little")
    return pa.Array.from_buffers(kind, len(values), [gaps, pa.py_buffer(data)])


def from_values(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Python values, or None, as an Arrow array of a type.

    >>> import pyarrow as pa
    >>> from_values(["a", None], pa.string()).to_pylist()
    ['a', None]
    """
    import pyarrow as pa

    kinds = {type(value) for value in values} - {type(None)}
    missing = np.array([value is None for value in values], dtype=bool)
    if kinds <= {str} and (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        texts = [b"" if value is None else value.encode() for value in values]
        ends = np.cumsum([0, *map(len, texts)])
        offsets = ends.astype(np.int32 if pa.types.is_string(kind) else np.int64)
        gaps = pa.py_buffer(np.packbits(~missing, bitorder="little")) if missing.any() else None
        data = b"".join(texts)
        buffers = [gaps, pa.py_buffer(offsets), pa.py_buffer(data)]
        return pa.Array.from_buffers(kind, len(values), buffers)
    for plain, dtype in ((bool, np.bool_), (int, np.int64), (float, np.float64)):
        if kinds == {plain} and (plain is not int or all(_fits(v) for v in values)):
            filled = np.array([plain() if value is None else value for value in values], dtype)
            return from_numpy(filled, missing).cast(kind)
    return pa.array(values, type=kind)


def constant(value: str | int | float | bool) -> pa.Scalar:
    """A Python value as an Arrow scalar, for compute functions."""
    return from_values([value], _natural(type(value)))[0]


def is_in(series: nw.Series[Any], values: Sequence[Any]) -> nw.Series[Any]:
    """Where a column holds one of some values."""
    import narwhals as nw
    import pyarrow as pa
    import pyarrow.compute as pc

    kinds = {type(value) for value in values}
    kind = _natural(kinds.pop()) if len(kinds) == 1 else None
    if not series.implementation.is_pyarrow():
        return series.is_in(list(values))
    if kind is None:
        native = series.to_native()
        return series.is_in([value for value in values if holds(native.type, value)])
    if series.dtype == nw.UInt64:
        kind, values = pa.uint64(), [value for value in values if value >= 0]
    elif kind == pa.int64():
        values = [value for value in values if _fits(value)]
    found = pc.is_in(series.to_native(), value_set=from_values(values, kind))
    return nw.from_native(found, series_only=True)


def holds(kind: pa.DataType, value: Any) -> bool:
    """Whether a column of an Arrow type can hold a decimal, a date or a moment at all.

    >>> import decimal, pyarrow as pa
    >>> [holds(pa.decimal128(3, 1), decimal.Decimal(text)) for text in ("1.5", "1.55", "nan")]
    [True, False, False]
    """
    import pyarrow as pa

    if pa.types.is_timestamp(kind) and (kind.tz is None) != (
        getattr(value, "tzinfo", None) is None
    ):
        return False  # no instant is a time of day without a zone
    try:
        pa.scalar(value, kind)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        return False
    return True


def take_rows(frame: nw.DataFrame[Any], rows: NDArray[np.int64]) -> nw.DataFrame[Any]:
    """Rows of a table by their numbers, in that order."""
    import narwhals as nw

    if not frame.implementation.is_pyarrow():
        return frame[rows.tolist()]
    return nw.from_native(frame.to_native().take(from_numpy(rows)), eager_only=True)


def _natural(kind: type) -> pa.DataType | None:
    """The Arrow type of a plain Python type."""
    import pyarrow as pa

    plain = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    return plain.get(kind)


def _fits(value: int | None) -> bool:
    return value is None or -(2**63) <= value < 2**63


def per_second(kind: pa.DataType) -> int:
    """Units of a timestamp's resolution in a second."""
    return {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]


def range_of(kind: pa.DataType) -> tuple[float, float]:
    """The least and the largest number, or day, that an Arrow type holds."""
    import pyarrow as pa

    if pa.types.is_floating(kind):
        most = float(np.finfo(kind.to_pandas_dtype()).max)
        return -most, most
    if pa.types.is_decimal(kind):
        most = float(10**kind.precision - 1) * 10.0**-kind.scale
        return -most, most
    if pa.types.is_integer(kind):
        limits = np.iinfo(kind.to_pandas_dtype())
        return max(limits.min, -EXACT_INTEGER), min(limits.max, EXACT_INTEGER)
    days = 2**31 - 1
    if pa.types.is_timestamp(kind):
        days = (2**63 - 1) // (DAY * per_second(kind))
    return -days, days
