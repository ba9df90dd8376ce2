"""A table's column as numbers, with its gaps, and the way back to the column's own type.

`Column.of` turns an Arrow array and its declared type into float64 values (numbers, days, seconds)
or codes (categories); `Column.restore` turns values of that kind back into an Arrow array. Between
the two, every stage works on NumPy arrays alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.checks import EXACT_INTEGER
from coterie.errors import DataError, shown

if TYPE_CHECKING:
    import pyarrow as pa

    from coterie.table.schema import Attribute

__all__ = ["BLANK", "CATEGORICAL", "DAY", "Column", "absences", "category_key", "per_second"]

CATEGORICAL = frozenset({"ordinal", "nominal", "boolean"})
DAY = 86_400  # seconds
BLANK = 1  # of a gap: nothing stands there; 2, 3, ... are the declared missing codes


@dataclass(frozen=True, eq=False)
class Column:
    """One attribute of every record.

    Attributes
    ----------
    attribute : Attribute
        Its declaration.
    values : (n,) float64 array
        Numbers as they are; days for dates; units of the column's resolution for datetimes;
        positions in `categories` for categories. What stands at a gap has no meaning (0).
    gaps : (n,) int array
        What stands in place of a value: 0 where there is one, 1 where it is null or not a number,
        2, 3, ... for the declared missing codes.
    origin : int
        What was subtracted from datetimes, so that float64 holds their differences well.
    categories : tuple
        The values of a categorical attribute, lowest first; empty for the others.
    arrow_type : pyarrow.DataType
        The type to give back.
    """

    attribute: Attribute
    values: NDArray[np.float64]
    gaps: NDArray[np.int16]
    categories: tuple[Any, ...]
    arrow_type: pa.DataType
    origin: int = 0

    @property
    def name(self) -> str:
        """The attribute's name."""
        return self.attribute.name

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Where there is no value."""
        return self.gaps != 0

    def some(self, rows: NDArray[np.int64]) -> Column:
        """The column of some records."""
        if len(rows) == len(self.values):
            return self
        return replace(self, values=self.values[rows], gaps=self.gaps[rows])

    @classmethod
    def of(cls, attribute: Attribute, array: pa.Array, origin: int | None = None) -> Column:
        """Read an Arrow array as the attribute's type. Raises `DataError` naming the column.

        `origin` is what to subtract from datetimes, by default the least of them.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        if isinstance(array, pa.ChunkedArray):
            array = array.combine_chunks()
        given = array.type
        if pa.types.is_dictionary(given):
            array = array.cast(given.value_type)
        gaps = absences(array, attribute.missing_codes)
        missing = gaps != 0
        present = array.filter(pa.array(~missing)) if missing.any() else array
        if attribute.type in CATEGORICAL:
            found = pc.unique(present).to_pylist()
            categories, start = _categories(attribute, found), 0
            position = {value: place for place, value in enumerate(categories)}
            unknown = [value for value in found if value not in position]
            if unknown:
                raise DataError(
                    f"Column {attribute.name!r} must hold only values that its order names. Got "
                    f"{shown(unknown[0])}; add it to the order."
                )
            encoded = present.dictionary_encode()
            table = np.array([position[v] for v in encoded.dictionary.to_pylist()], dtype=float)
            numbers = table[encoded.indices.to_numpy()] if len(table) else np.empty(0)
        else:
            categories = ()
            numbers, start = _numbers(attribute, present, origin)
        values = np.zeros(len(array))
        values[~missing] = numbers
        return cls(attribute, values, gaps, categories, given, start)

    def restore(self, values: NDArray[np.float64]) -> pa.Array:
        """`values` as an Arrow array of the column's own type; every gap stays what it was."""
        import pyarrow as pa
        import pyarrow.compute as pc

        kind, missing = self.arrow_type, self.missing
        plain = kind.value_type if pa.types.is_dictionary(kind) else kind
        if self.attribute.type in CATEGORICAL:
            options = pa.array([*self.categories, None], type=plain)
            codes = np.where(missing, len(self.categories), values).astype(np.int64)
            restored = options.take(pa.array(codes))
        elif pa.types.is_floating(plain):
            restored = pa.array(values, mask=missing).cast(plain)
        elif pa.types.is_decimal(plain):
            restored = pa.array(values, mask=missing).cast(plain, safe=False)
        else:
            whole = np.rint(np.where(missing, 0, values)).astype(np.int64) + self.origin
            if self.attribute.type == "date" and pa.types.is_timestamp(plain):
                whole *= DAY * per_second(plain)
            elif pa.types.is_date64(plain):
                whole *= DAY * 1000
            counted = pa.array(whole, mask=missing)
            restored = (counted.cast(pa.int32()) if pa.types.is_date32(plain) else counted).cast(
                plain
            )
        if (self.gaps > BLANK).any():
            codes = np.maximum(self.gaps - BLANK, 0).astype(np.int64)
            used = set(codes.tolist())
            every = enumerate(self.attribute.missing_codes, 1)
            stood = pa.array([None, *(c if n in used else None for n, c in every)], type=plain)
            restored = pc.if_else(pa.array(codes > 0), stood.take(pa.array(codes)), restored)
        return restored if plain is kind else restored.dictionary_encode().cast(kind)


def absences(array: pa.Array, codes: tuple[Any, ...] = ()) -> NDArray[np.int16]:
    """What stands in place of a value: 0 nothing, 1 null or not a number, 2.. a missing code."""
    import pyarrow as pa
    import pyarrow.compute as pc

    nulls = array.is_null(nan_is_null=pa.types.is_floating(array.type)).to_numpy(False)
    found = nulls.astype(np.int16)
    for place, code in enumerate(codes):
        try:
            scalar = pa.scalar(code, type=array.type)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            continue  # a code of another type cannot stand in this column
        stands = pc.fill_null(pc.equal(array, scalar), False).to_numpy(False)
        found[stands & (found == 0)] = BLANK + 1 + place
    return found


def _categories(attribute: Attribute, found: list[Any]) -> tuple[Any, ...]:
    if attribute.type == "ordinal" and attribute.order is not None:
        return tuple(attribute.order)
    return tuple(sorted(found, key=category_key))


def category_key(value: Any) -> tuple[str, Any]:
    """What categories without a declared order are sorted by."""
    return (type(value).__name__, value)


def per_second(kind: pa.DataType) -> int:
    """Units of a timestamp's resolution in a second."""
    return {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]


def _numbers(
    attribute: Attribute, array: pa.Array, origin: int | None
) -> tuple[NDArray[np.float64], int]:
    """Numbers, days or units of time as float64, and the origin subtracted from the latter."""
    import pyarrow as pa

    kind = array.type
    if pa.types.is_date(kind):
        days = array.cast(pa.date32()).cast(pa.int32()).to_numpy(False)
        return days.astype(np.float64), 0
    if pa.types.is_timestamp(kind):
        units = array.cast(pa.int64()).to_numpy(False)
        if attribute.type == "date" and kind.tz is not None:
            raise DataError(
                f"Column {attribute.name!r} must have no time zone to be a date. Got {kind.tz}; "
                "declare it a datetime, or convert it to dates first."
            )
        if attribute.type == "date":
            return np.floor_divide(units, DAY * per_second(kind)).astype(np.float64), 0
        start = origin if origin is not None else int(units.min()) if len(units) else 0
        return (units - start).astype(np.float64), start
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise DataError(
            f"Column {attribute.name!r} must hold numbers to be {attribute.type}. Got {kind} "
            f"({shown(array[0].as_py() if len(array) else None)}); declare it nominal, or drop it."
        )
    if len(array) == 0:
        return np.empty(0), 0
    if pa.types.is_integer(kind):
        whole = array.to_numpy(False)
        extreme = max(-int(whole.min()), int(whole.max()))
        if extreme > EXACT_INTEGER:
            raise DataError(
                f"Column {attribute.name!r} must hold integers within 2**53, which float64 holds "
                f"exactly. Got {extreme}; divide it, or declare it nominal or an identifier."
            )
        return whole.astype(np.float64), 0
    numbers = array.cast(pa.float64()).to_numpy(False)
    if not np.isfinite(numbers).all():
        bad = numbers[~np.isfinite(numbers)]
        raise DataError(
            f"Column {attribute.name!r} must be finite. Got {bad[0]} ({len(bad)} such values); "
            "drop those records, or declare a missing code."
        )
    return numbers, 0
