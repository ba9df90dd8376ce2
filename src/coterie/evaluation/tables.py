"""A table of any library as Arrow arrays, column by column, as they are asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, bad_parameter, unknown_name
from coterie.table.admission import admit
from coterie.table.arrays import from_numpy, to_numpy
from coterie.table.columns import order_of
from coterie.table.encoding import BLANK, absences
from coterie.table.read import read
from coterie.table.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Table", "coded", "countable", "gaps_of", "opened", "source_of"]


class Table:
    """The columns of an array or of a pandas, polars or pyarrow table.

    Attributes
    ----------
    which : str
        What messages call it.
    names : list of str
        Its columns; those of an array are called x1, x2, ...
    rows : int
        Number of records.
    """

    def __init__(self, table: Any, which: str) -> None:
        self.which = which
        if isinstance(table, (np.ndarray, list, tuple)):
            array = np.asarray(table)
            if array.ndim != 2 or 0 in array.shape:
                raise DataError(
                    f"{which} must have two dimensions, records and attributes, none of them "
                    f"empty. Got shape {array.shape}; reshape it or check where it came from."
                )
            self._columns: dict[str, Any] = {f"x{j + 1}": array[:, j] for j in range(len(array.T))}
            self.rows = len(array)
        else:
            self._columns, self.rows = _series(table, which)
        self.names = list(self._columns)
        self._order: Any = None

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def check(self, name: object) -> None:
        """Refuse a name that is no column, with the nearest one."""
        if name not in self._columns:
            raise unknown_name(f"column of {self.which}:", name, self.names)

    def reorder(self, order: Any) -> None:
        """Give every column from now on in this order of the rows."""
        self._order = order

    def array(self, name: str) -> pa.Array | list[Any]:
        """A column: an Arrow array of plain values, or a list where Arrow has no type for it."""
        import pyarrow as pa

        column = self._columns[name]
        try:
            array = _numbers(column) if isinstance(column, np.ndarray) else column.to_arrow()
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            listed = column.tolist() if isinstance(column, np.ndarray) else column.to_list()
            return listed if self._order is None else [listed[row] for row in self._order]
        if isinstance(array, pa.ChunkedArray):
            array = array.combine_chunks()
        if pa.types.is_dictionary(array.type):
            array = array.cast(array.type.value_type)
        return array if self._order is None else array.take(from_numpy(np.asarray(self._order)))

    def values(self, name: str) -> list[Any]:
        """A column as plain values."""
        array = self.array(name)
        return array if isinstance(array, list) else array.to_pylist()

    def levels(self, name: str) -> tuple[Any, ...] | None:
        """The order that a column itself declares, lowest first."""
        column = self._columns[name]
        return None if isinstance(column, np.ndarray) else order_of(column)

    def within(self, name: str, levels: Sequence[Any]) -> bool:
        """Whether a column holds nothing but these values, and gaps."""
        array = self.array(name)
        found = array if isinstance(array, list) else array.unique().to_pylist()
        return {value for value in found if value is not None} <= set(levels)

    def chosen(self, given: Any, parameter: str) -> list[str]:
        """Column names; an integer stands for a position."""
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise bad_parameter(parameter, "evaluate", "a list of column names", given)
        names = []
        for one in given:
            whole = isinstance(one, (int, np.integer)) and not isinstance(one, bool)
            if whole and -len(self.names) <= one < len(self.names):
                names.append(self.names[one])
            elif str(one) in self._columns:
                names.append(str(one))
            else:
                raise unknown_name(f"column in {parameter!r}:", one, self.names)
        if len(set(names)) < len(names):
            raise bad_parameter(parameter, "evaluate", "a list without repeated columns", given)
        return names


def opened(table: Any) -> Any:
    """A table as it is; what a path names is read."""
    if not isinstance(table, (str, os.PathLike)):
        return table
    return read(table).frame.to_native()


def source_of(table: Any) -> Source:
    """A table with what is known of its columns; an array's are called x1, x2, ..."""
    if not isinstance(table, (np.ndarray, list, tuple)):
        return read(table)
    import pyarrow as pa

    columns = np.asarray(table).T
    return read(pa.table({f"x{j + 1}": pa.array(column) for j, column in enumerate(columns)}))


def _numbers(column: np.ndarray) -> pa.Array:
    import pyarrow as pa

    return pa.array(column.astype(np.float64) if column.dtype.kind == "f" else column)


def _series(table: Any, which: str) -> tuple[dict[str, Any], int]:
    import narwhals as nw

    try:
        frame = nw.from_native(admit(table).table, eager_only=True)
    except TypeError:
        raise DataError(
            f"{which} must be an array or a pandas, polars or pyarrow table. Got "
            f"{type(table).__name__}; read or convert it first."
        ) from None
    if 0 in frame.shape:
        raise DataError(
            f"{which} must hold at least one row and one column. Got shape {frame.shape}; check "
            "the filter or file it came from."
        )
    return {str(name): frame.get_column(name) for name in frame.columns}, len(frame)


def gaps_of(array: pa.Array | list[Any], codes: tuple[Any, ...]) -> NDArray[np.int16]:
    """What stands in place of each value: 0 nothing, 1 none, 2, 3, ... a missing code."""
    if not isinstance(array, list):
        return absences(array, codes)
    found = np.zeros(len(array), dtype=np.int16)
    for row, value in enumerate(array):
        if value is None or value != value:
            found[row] = BLANK
        elif value in codes:
            found[row] = BLANK + 1 + codes.index(value)
    return found


def _present(array: pa.Array | list[Any], gaps: NDArray[np.int16]) -> list[Any]:
    """The values that are there, as Python's."""
    if isinstance(array, list):
        return [value for value, gap in zip(array, gaps.tolist(), strict=True) if not gap]
    there = array.filter(from_numpy(gaps == 0)) if gaps.any() else array
    values: list[Any] = there.to_pylist()
    return values


def coded(array: pa.Array | list[Any], gaps: NDArray[np.int16]) -> tuple[NDArray, list[Any]]:
    """The values that are there as places in a list of values, some of which may be equal."""
    import pyarrow as pa

    if isinstance(array, list) or pa.types.is_nested(array.type):
        found = _present(array, gaps)
        return np.arange(len(found)), found
    there = array.filter(from_numpy(gaps == 0)) if gaps.any() else array
    encoded = there.dictionary_encode()
    return to_numpy(encoded.indices), encoded.dictionary.to_pylist()


def countable(array: pa.Array | list[Any]) -> bool:
    """Whether the values are numbers, days or moments."""
    import pyarrow.types as kinds

    if isinstance(array, list):
        return False
    kind: pa.DataType = array.type
    return bool(
        kinds.is_integer(kind)
        or kinds.is_floating(kind)
        or kinds.is_decimal(kind)
        or kinds.is_temporal(kind)
        or kinds.is_null(kind)
    )
