"""Facts about one column, whatever library holds it."""

from __future__ import annotations

import datetime
import decimal
import numbers
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import shown
from coterie.numbers.checks import EXACT_INTEGER
from coterie.table.arrays import is_in, to_numpy

if TYPE_CHECKING:
    import narwhals as nw

__all__ = [
    "at_midnight",
    "code_for",
    "counted",
    "exact",
    "exact_and_whole",
    "infinite",
    "kind_of",
    "kind_of_codes",
    "order_of",
    "present",
    "reported",
    "values_of",
    "whole",
]

LEAST_INTEGER, LARGEST_INTEGER = -(2**63), 2**64 - 1  # of any column


def kind_of(series: nw.Series[Any]) -> str:
    """How values are stored: integer, float, decimal, text, boolean, date, datetime, or what else.

    A pandas column of Python objects is judged by the objects in it.
    """
    import narwhals as nw

    dtype = series.dtype
    if dtype == nw.Boolean:
        return "boolean"
    if dtype.is_integer():
        return "integer"
    if dtype.is_decimal():
        return "decimal"
    if dtype.is_float():
        return "float"
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return "text"
    if dtype == nw.Datetime:
        return "datetime"
    if dtype == nw.Date:
        return "date"
    if dtype == nw.Object:
        return _kind_of_objects(present(series).to_list())
    if dtype == nw.Unknown and not len(present(series)):
        return "text"  # no value at all
    return str(dtype).lower()


def kind_of_codes(series: nw.Series[Any]) -> str:
    """The kind of a single value, where `kind_of` calls every categorical column text."""
    categories = _categories(series)
    if categories is None:
        return kind_of(series)
    return _kind_of_objects([value for value in categories if value is not None])


def present(series: nw.Series[Any], codes: tuple[Any, ...] = ()) -> nw.Series[Any]:
    """The values that are there: neither null, nor NaN, nor a declared missing code."""
    import narwhals as nw

    series = series.drop_nulls()
    if series.dtype.is_float():
        series = series.filter(~series.is_nan())
    if codes:
        if series.dtype in (nw.Categorical, nw.Enum):
            series, codes = series.cast(nw.String), tuple(map(str, codes))
        series = series.filter(~is_in(series, codes))
    return series


def values_of(series: nw.Series[Any], codes: tuple[Any, ...] = ()) -> list[Any]:
    """The distinct values that are there, as Python objects in order of appearance or sorted."""
    there = present(series, codes)
    try:
        values = there.unique(maintain_order=False).to_list()
    except (TypeError, NotImplementedError):  # lists: of objects, or of Arrow's
        values = list({repr(value): value for value in there.to_list()}.values())
    try:
        return sorted(values)
    except TypeError:
        return values


def order_of(series: nw.Series[Any]) -> tuple[Any, ...] | None:
    """The order that the column itself declares: of an ordered categorical or an enum."""
    categories = _categories(series)
    if categories is None:
        return None
    native = series.to_native()
    dtype = native.type if series.implementation.is_pyarrow() else native.dtype
    return tuple(categories) if getattr(dtype, "pyarrow_dtype", dtype).ordered else None


def _categories(series: nw.Series[Any]) -> list[Any] | None:
    """What a categorical column lists, as values of their own type; None for another column."""
    import narwhals as nw
    import pyarrow as pa

    if series.dtype not in (nw.Categorical, nw.Enum):
        return None
    native: Any = series.to_native()
    if hasattr(native, "cat"):
        listed: list[Any] = native.cat.categories.tolist()
        return listed
    arrow: Any = series.to_arrow()  # of pyarrow, or of a pandas column that is Arrow's
    chunked = pa.chunked_array([arrow]) if isinstance(arrow, pa.Array) else arrow
    if not chunked.num_chunks:
        return []
    return list(chunked.unify_dictionaries().chunk(0).dictionary.to_pylist())


def infinite(series: nw.Series[Any]) -> int:
    """How many values are infinite."""
    if not series.dtype.is_float():
        return 0
    return int((~(series.is_finite() | series.is_nan())).sum())


def whole(series: nw.Series[Any]) -> bool:
    """Whether every number has no fraction."""
    if series.dtype.is_float():
        return bool((series.round(0) == series).all())
    return all(value == int(value) for value in series.unique().to_list())


def exact_and_whole(series: nw.Series[Any]) -> bool:
    """Whether every number is an integer that float64 holds exactly; a look at the first decides.

    Most columns of floats show a fraction soon.
    """
    if series.dtype.is_float():
        return whole(series.head(100)) and whole(series) and exact(series)
    return exact(series)


def counted(series: nw.Series[Any]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The distinct numbers of a column, and how often each occurs."""
    import pyarrow as pa
    import pyarrow.compute as pc

    array = series.to_arrow()
    pairs = pc.value_counts(array)
    values, counts = pairs.field("values"), pairs.field("counts")
    return to_numpy(values.cast(pa.float64())), to_numpy(counts.cast(pa.int64()))


def exact(series: nw.Series[Any]) -> bool:
    """Whether float64 holds every integer of the column exactly."""
    if not len(series):
        return True
    # As Python integers: the least int64 has no negative of its own kind.
    return max(-int(series.min()), int(series.max())) <= EXACT_INTEGER


def at_midnight(series: nw.Series[Any]) -> bool:
    """Whether every datetime is the beginning of a day."""
    if not series.dtype.is_temporal():  # Python objects in a pandas column
        return all(value.time() == datetime.time() for value in series.to_list())
    parts = (series.dt.hour(), series.dt.minute(), series.dt.second(), series.dt.nanosecond())
    return all(bool((part == 0).all()) for part in parts)


def reported(value: Any, limit: int = 60) -> str:
    """A value of a column as it may stand in a message, whatever library it comes from."""
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    return shown(value.item() if hasattr(value, "item") else value, limit)


def code_for(value: Any, kind: str) -> Any:
    """A missing code or category in the type of the column; ValueError where it cannot be.

    On the command line every code is text: "-999" is the number in a column of numbers, and the
    word in a column of text.
    """
    if kind == "text":
        text = value if isinstance(value, str) else str(value)
        text.encode()  # UnicodeError, a ValueError: bytes of a command line that are no text
        return text
    if kind == "boolean":
        if isinstance(value, bool):
            return value
        raise ValueError
    if kind in ("integer", "float", "decimal"):
        return _number(value, kind)
    if kind in ("date", "datetime"):
        return _moment(value, kind)
    raise ValueError


def _number(value: Any, kind: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, decimal.Decimal, str)):
        raise ValueError
    if kind == "decimal":
        try:
            return decimal.Decimal(str(value))
        except decimal.InvalidOperation:
            raise ValueError from None
    try:
        if kind == "float":
            return float(value)
        found = int(value) if isinstance(value, str) else _exactly(value)
    except OverflowError:  # no integer is infinite, and no float as large as an integer may be
        raise ValueError from None
    if not LEAST_INTEGER <= found <= LARGEST_INTEGER:
        raise ValueError
    return found


def _exactly(value: Any) -> int:
    if value != int(value):
        raise ValueError
    return int(value)


def _moment(value: Any, kind: str) -> Any:
    if isinstance(value, str):
        value = datetime.datetime.fromisoformat(value)
    if value != value:  # pandas' missing moment
        raise ValueError
    if isinstance(value, datetime.datetime):
        return value if kind == "datetime" else value.date()
    if isinstance(value, datetime.date):
        return value if kind == "date" else datetime.datetime.combine(value, datetime.time())
    raise ValueError


def _kind_of_objects(values: list[Any]) -> str:
    kinds = {type(value) for value in values}
    for kind, name in (
        (str, "text"),
        (bool, "boolean"),
        (datetime.datetime, "datetime"),
        (datetime.date, "date"),
        (decimal.Decimal, "decimal"),
        (int, "integer"),
        (float, "float"),
    ):
        if kinds and all(issubclass(k, kind) for k in kinds):
            return name
    return "mixed" if kinds else "text"
