"""Two tables to compare: read from any library, checked, aligned, column by column.

Numbers stay numbers, dates become numbers of microseconds, everything else becomes codes that are
equal where the values are equal. A column counts as numeric only if both tables hold numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, ParameterError, bad_parameter, unknown_name
from coterie.table.arrays import series_values

__all__ = ["Column", "Pair", "frame_columns", "read_pair"]

EXACT = 2**53  # whole numbers up to this are floats of their own
WIDEST = 1e140  # of a number: sums of squares over a large table stay finite


@dataclass(frozen=True, eq=False)
class Column:
    """One attribute in both tables: floats if `numeric`, else integer codes (levels if ordinal).

    Whole numbers beyond 2^53 that a float would merge have their ranks in `ranks`.
    """

    name: str
    numeric: bool
    original: NDArray
    released: NDArray
    ordinal: bool = False
    ranks: tuple[NDArray, NDArray] | None = None

    @property
    def distinct(self) -> tuple[NDArray, NDArray]:
        """Both sides as values, in order, that are equal only where the table's values are."""
        return (self.original, self.released) if self.ranks is None else self.ranks


@dataclass(frozen=True, eq=False)
class Pair:
    """The original and the released table, row by row if `aligned`.

    Attributes
    ----------
    keys : tuple of Column
        The quasi-identifiers.
    confidential : tuple of Column
        Attributes released as they are, watched for what they tell about a class.
    aligned : bool
        Whether row i of both tables is the same record.
    n : int
        Number of records.
    """

    keys: tuple[Column, ...]
    confidential: tuple[Column, ...]
    aligned: bool
    n: int


def read_pair(
    original: Any,
    released: Any,
    quasi_identifiers: Sequence[Any] | None,
    confidential: Sequence[Any],
    *,
    aligned: bool,
    key: Any,
    ordinal: Mapping[str, Sequence[Any]] | None,
) -> Pair:
    """Check both tables and pick the columns to compare. Raises `DataError`, `ParameterError`."""
    tables = {
        "original": frame_columns(original, "original"),
        "released": frame_columns(released, "released"),
    }
    first, second = tables.values()
    n, m = _rows(first), _rows(second)
    if n != m:
        raise DataError(
            f"original and released must have the same number of rows. Got {n} and {m}; leave "
            "records that were suppressed out of the original first."
        )
    watched = _names(confidential, first, "confidential")
    if quasi_identifiers is None:
        _same_columns(first, second)
        keys = [name for name in first if name not in watched and name != key]
    else:
        keys = _names(quasi_identifiers, first, "quasi_identifiers")
    if not keys:
        raise bad_parameter(
            "quasi_identifiers", "evaluate", "at least one column", [], "Name the released keys."
        )
    for name in [*keys, *watched, *([] if key is None else [key])]:
        for which, columns in tables.items():
            if name not in columns:
                raise unknown_name(f"column of {which}:", name, columns)
    order = None if key is None else _order(first[key], second[key], str(key))
    levels = {} if ordinal is None else dict(ordinal)
    for name in levels:
        if name not in first:
            raise unknown_name("column in 'ordinal':", name, first)

    def column(name: str) -> Column:
        after = second[name] if order is None else second[name][order]
        return _column(name, first[name], after, levels.get(name))

    return Pair(
        keys=tuple(column(name) for name in keys),
        confidential=tuple(column(name) for name in watched),
        aligned=aligned or key is not None,
        n=n,
    )


def frame_columns(table: Any, which: str) -> dict[str, NDArray]:
    """The columns of a table as arrays, by name; an array's columns are called x1, x2, ..."""
    if isinstance(table, (np.ndarray, list, tuple)):
        array = np.asarray(table)
        if array.ndim != 2 or 0 in array.shape:
            raise DataError(
                f"{which} must have two dimensions, records and attributes, none of them empty. "
                f"Got shape {array.shape}; reshape it or check where it came from."
            )
        return {f"x{j + 1}": array[:, j] for j in range(array.shape[1])}
    import narwhals as nw

    try:
        frame = nw.from_native(table, eager_only=True)
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
    columns = {}
    for name in frame.columns:
        series = frame.get_column(name)
        gaps = int(series.is_null().sum())
        values = series_values(series)
        if series.dtype.is_temporal() and not gaps and values.dtype.kind != "i":
            values = values.astype("datetime64[us]").astype(np.int64)
        columns[str(name)] = _gaps(values, gaps)
    return columns


def _gaps(values: NDArray, gaps: int) -> NDArray:
    """The values, as objects with None for a gap where numbers cannot say that one is missing."""
    return values.astype(object) if gaps and values.dtype.kind not in "fO" else values


def _rows(columns: dict[str, NDArray]) -> int:
    return len(next(iter(columns.values())))


def _same_columns(first: dict[str, NDArray], second: dict[str, NDArray]) -> None:
    only = [sorted(set(a) - set(b)) for a, b in ((first, second), (second, first))]
    if any(only):
        parts = [
            f"{which} alone has {', '.join(map(repr, names[:5]))}"
            for which, names in zip(("original", "released"), only, strict=True)
            if names
        ]
        raise DataError(
            f"original and released must have the same columns. Got: {'; '.join(parts)}. "
            "Name the columns to compare in 'quasi_identifiers'."
        )


def _names(given: Any, columns: dict[str, NDArray], parameter: str) -> list[str]:
    """Column names; an integer stands for a position."""
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise bad_parameter(parameter, "evaluate", "a list of column names", given)
    known = list(columns)
    names = []
    for one in given:
        whole = isinstance(one, (int, np.integer)) and not isinstance(one, bool)
        if whole and -len(known) <= one < len(known):
            names.append(known[one])
        elif str(one) in columns:
            names.append(str(one))
        else:
            raise unknown_name(f"column in {parameter!r}:", one, known)
    if len(set(names)) < len(names):
        raise bad_parameter(parameter, "evaluate", "a list without repeated columns", given)
    return names


def _order(before: NDArray, after: NDArray, key: str) -> NDArray[np.int64]:
    """For each record of the original its row in the released table."""
    place = {value: row for row, value in enumerate(after.tolist())}
    if len(place) < len(after) or len(set(before.tolist())) < len(before):
        raise DataError(
            f"The key column {key!r} must tell every record apart. Got repeated values; use a "
            "column that is unique, or aligned=True if the rows match."
        )
    missing = [value for value in before.tolist() if value not in place]
    if missing:
        raise DataError(
            f"The key column {key!r} must hold the same values in both tables. Got "
            f"{len(missing)} that only the original has, the first {missing[0]!r}; leave records "
            "that were suppressed out of the original first."
        )
    return np.array([place[value] for value in before.tolist()], dtype=np.int64)


def _column(name: str, before: NDArray, after: NDArray, levels: Sequence[Any] | None) -> Column:
    if levels is not None:
        place = {value: float(code) for code, value in enumerate(levels)}
        try:
            coded = [np.array([place[v] for v in side.tolist()]) for side in (before, after)]
        except KeyError as unknown:
            raise ParameterError(
                f"The 'ordinal' parameter of evaluate must list every level of {name!r}. Got "
                f"{unknown.args[0]!r} in the data; add it at its place."
            ) from None
        return Column(name, True, coded[0], coded[1], ordinal=True)
    if before.dtype.kind in "iuf" and after.dtype.kind in "iuf":
        values = [np.asarray(side, dtype=np.float64) for side in (before, after)]
        for which, side in zip(("original", "released"), values, strict=True):
            if not np.isfinite(side).all():
                row = int(np.flatnonzero(~np.isfinite(side))[0])
                raise DataError(
                    f"Column {name!r} of {which} must be finite. Got {side[row]} in row {row}; "
                    "drop or fill such records in both tables first."
                )
            if np.abs(side).max() > WIDEST:
                raise DataError(
                    f"Column {name!r} of {which} must be within {WIDEST:g}, so that its squares "
                    f"can be represented. Got {side[np.abs(side).argmax()]:g}; rescale it in both "
                    "tables first."
                )
        return Column(name, True, values[0], values[1], ranks=_ranks(before, after))
    codes: dict[Any, int] = {}
    sides = []
    for which, side in (("original", before), ("released", after)):
        listed = side.tolist()
        if any(value is None or value != value for value in listed):
            raise DataError(
                f"Column {name!r} of {which} must have no missing value. Got one or more; drop "
                "or fill such records in both tables first."
            )
        sides.append(np.array([codes.setdefault(v, len(codes)) for v in listed], dtype=np.int64))
    return Column(name, False, sides[0], sides[1])


def _ranks(before: NDArray, after: NDArray) -> tuple[NDArray, NDArray] | None:
    """Places among the values of both sides, where floats would not tell all of them apart."""
    whole = [side for side in (before, after) if side.dtype.kind in "iu" and side.size]
    if all(int(side.min()) >= -EXACT and int(side.max()) <= EXACT for side in whole):
        return None
    # Python compares integers and floats exactly; NumPy would make both of them floats first.
    sides = [side.tolist() for side in (before, after)]
    place = {value: rank for rank, value in enumerate(sorted({*sides[0], *sides[1]}))}
    first, second = (np.array([place[v] for v in side], dtype=np.int64) for side in sides)
    return first, second
