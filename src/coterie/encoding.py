"""A table's column as numbers, with its gaps, and the way back to the column's own type.

`Column.of` turns an Arrow array and its declared type into float64 values (numbers, days, seconds)
or codes (categories); `Column.restore` turns values of that kind back into an Arrow array. Between
the two, every stage works on NumPy arrays alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.checks import EXACT_INTEGER
from coterie.errors import DataError, shown
from coterie.table.arrays import constant, from_numpy, from_values, to_numpy

if TYPE_CHECKING:
    import pyarrow as pa

    from coterie.table.schema import Attribute

__all__ = ["CATEGORICAL", "DAY", "Column", "category_key", "per_second"]

CATEGORICAL = frozenset({"ordinal", "nominal", "boolean"})
DAY = 86_400  # seconds


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
    missing : (n,) bool array
        Where the value is null, not a number, or a declared missing code.
    origin : int
        What was subtracted from datetimes, so that float64 holds their differences well.
    gap : object
        What is released in place of a missing value: a declared code, else null.
    categories : tuple
        The values of a categorical attribute, lowest first; empty for the others.
    arrow_type : pyarrow.DataType
        The type to give back.
    """

    attribute: Attribute
    values: NDArray[np.float64]
    missing: NDArray[np.bool_]
    categories: tuple[Any, ...]
    arrow_type: pa.DataType
    origin: int = 0
    gap: Any = None

    @property
    def name(self) -> str:
        """The attribute's name."""
        return self.attribute.name

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
        missing = to_numpy(array.is_null(nan_is_null=pa.types.is_floating(array.type)))
        gap = None
        if attribute.missing_codes:
            gap = None if missing.any() else attribute.missing_codes[0]
            missing = missing | _coded(attribute, array)
        present = array.filter(from_numpy(~missing)) if missing.any() else array
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
            numbers = table[to_numpy(encoded.indices)] if len(table) else np.empty(0)
        else:
            categories = ()
            numbers, start = _numbers(attribute, present, origin)
        values = np.zeros(len(array))
        values[~missing] = numbers
        return cls(attribute, values, missing, categories, given, start, gap)

    def restore(self, values: NDArray[np.float64], missing: NDArray[np.bool_]) -> pa.Array:
        """`values` as an Arrow array of the column's own type, with gaps where `missing`."""
        import pyarrow as pa

        kind, categorical = self.arrow_type, self.attribute.type in CATEGORICAL
        plain = kind.value_type if pa.types.is_dictionary(kind) else kind
        if categorical:
            options = from_values([*self.categories, self.gap], plain)
            codes = np.where(missing, len(self.categories), values).astype(np.int64)
            restored = options.take(from_numpy(codes))
        elif pa.types.is_floating(plain):
            restored = from_numpy(values, missing).cast(plain)
        elif pa.types.is_decimal(plain):
            restored = from_numpy(values, missing).cast(plain, safe=False)
        else:
            whole = np.rint(np.where(missing, 0, values)).astype(np.int64) + self.origin
            if self.attribute.type == "date" and pa.types.is_timestamp(plain):
                whole *= DAY * per_second(plain)
            elif pa.types.is_date64(plain):
                whole *= DAY * 1000
            counted = from_numpy(whole, missing)
            restored = (counted.cast(pa.int32()) if pa.types.is_date32(plain) else counted).cast(
                plain
            )
        if self.gap is not None and not categorical and missing.any():
            restored = restored.fill_null(from_values([self.gap], plain)[0])
        return restored if plain is kind else restored.dictionary_encode().cast(kind)


def _coded(attribute: Attribute, array: pa.Array) -> NDArray[np.bool_]:
    """Where a declared missing code stands."""
    import pyarrow as pa
    import pyarrow.compute as pc

    found = np.zeros(len(array), dtype=bool)
    for code in attribute.missing_codes:
        try:
            scalar = from_values([code], array.type)[0]
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            continue  # a code of another type cannot stand in this column
        found |= to_numpy(pc.fill_null(pc.equal(array, scalar), constant(False)))
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
        days = to_numpy(array.cast(pa.date32()).cast(pa.int32()))
        return days.astype(np.float64), 0
    if pa.types.is_timestamp(kind):
        units = to_numpy(array.cast(pa.int64()))
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
        whole = to_numpy(array)
        extreme = max(-int(whole.min()), int(whole.max()))
        if extreme > EXACT_INTEGER:
            raise DataError(
                f"Column {attribute.name!r} must hold integers within 2**53, which float64 holds "
                f"exactly. Got {extreme}; divide it, or declare it nominal or an identifier."
            )
        return whole.astype(np.float64), 0
    numbers = to_numpy(array.cast(pa.float64()))
    if not np.isfinite(numbers).all():
        bad = numbers[~np.isfinite(numbers)]
        raise DataError(
            f"Column {attribute.name!r} must be finite. Got {bad[0]} ({len(bad)} such values); "
            "drop those records, or declare a missing code."
        )
    return numbers, 0
