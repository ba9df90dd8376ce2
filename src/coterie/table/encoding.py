"""A table's column as numbers, with its gaps, and the way back to the column's own type.

`Column.of` turns an Arrow array and its declared type into float64 values (numbers, days, seconds)
or codes (categories); `Column.restore` turns values of that kind back into an Arrow array. Between
the two, every stage works on NumPy arrays alone.
"""

from __future__ import annotations

import datetime
import decimal
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, shown
from coterie.numbers.checks import EXACT_INTEGER
from coterie.numbers.renumber import renumber
from coterie.numbers.ticks import later, since
from coterie.table.arrays import (
    DAY,
    FLOATS,
    constant,
    from_numpy,
    from_values,
    holds,
    per_second,
    range_of,
    to_numpy,
)
from coterie.table.categories import category_key, encoded

if TYPE_CHECKING:
    import pyarrow as pa

    from coterie.table.schema import Attribute

__all__ = [
    "BLANK",
    "CATEGORICAL",
    "Column",
    "absences",
    "pattern_codes",
]

CATEGORICAL = frozenset({"ordinal", "nominal", "boolean"})
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
    listed : pyarrow.Array or None
        What a column of a dictionary type lists, whether or not a record holds it.
    name : str
        The attribute's.
    """

    attribute: Attribute
    values: NDArray[np.float64]
    gaps: NDArray[np.int16]
    categories: tuple[Any, ...]
    arrow_type: pa.DataType
    origin: int = 0
    listed: pa.Array | None = None
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.attribute.name)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Where there is no value."""
        return self.gaps != 0

    @property
    def plain_type(self) -> pa.DataType:
        """The type of the values, whether or not a dictionary lists them."""
        import pyarrow as pa

        kind = self.arrow_type
        return kind.value_type if pa.types.is_dictionary(kind) else kind

    @property
    def per_day(self) -> int:
        """Units of the values in a day: 1 for dates, also where they were declared datetimes."""
        import pyarrow as pa

        moments = self.attribute.type == "datetime" and pa.types.is_timestamp(self.plain_type)
        return DAY * per_second(self.plain_type) if moments else 1

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
        given, listed = array.type, None
        if pa.types.is_dictionary(given):
            listed = array.dictionary
            array = array.cast(given.value_type)
        if pa.types.is_nested(array.type):
            raise DataError(
                f"Column {attribute.name!r} must hold plain values to be a key. Got {array.type}; "
                "make columns of its parts, or drop it."
            )
        gaps = absences(array, attribute.missing_codes)
        missing = gaps != 0
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
            codes = present.dictionary_encode()
            table = np.array([position[v] for v in codes.dictionary.to_pylist()], dtype=float)
            numbers = table[to_numpy(codes.indices)] if len(table) else np.empty(0)
        else:
            categories = ()
            numbers, start = _numbers(attribute, present, origin)
        values = np.zeros(len(array))
        values[~missing] = numbers
        return cls(attribute, values, gaps, categories, given, start, listed)

    def restore(self, values: NDArray[np.float64]) -> pa.Array:
        """`values` as an Arrow array of the column's own type; every gap stays what it was.

        Raises
        ------
        DataError
            If the type cannot hold one of them: means and medians lie among the originals, but
            P3M and rules may move them beyond what, say, one byte holds.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        kind, missing = self.arrow_type, self.missing
        plain = kind.value_type if pa.types.is_dictionary(kind) else kind
        if self.attribute.type in CATEGORICAL:
            options = from_values([*self.categories, None], plain)
            codes = np.where(missing, len(self.categories), values).astype(np.int64)
            restored = options.take(from_numpy(codes))
        elif pa.types.is_floating(plain) or pa.types.is_decimal(plain):
            self._check_range(values[~missing], plain)
            if pa.types.is_floating(plain):
                # What vanishes in a narrower type would keep its sign: -0.0, a class of its own.
                values = np.where(values.astype(FLOATS[str(plain)]) == 0.0, 0.0, values)
            restored = from_numpy(values, missing).cast(plain, safe=False)
        else:
            whole = np.rint(np.where(missing, 0, values))
            if pa.types.is_timestamp(plain) and self.attribute.type != "date":
                units = later(self.origin, whole)
            else:
                self._check_range(whole, plain)
                units = whole.astype(np.int64)
                if pa.types.is_timestamp(plain):
                    units *= DAY * per_second(plain)
            counted = from_numpy(units, missing)
            if pa.types.is_date(plain):  # days, in whatever the type counts
                counted = counted.cast(pa.int32()).cast(pa.date32())
            restored = counted.cast(plain)
        if (self.gaps > BLANK).any():
            codes = np.maximum(self.gaps - BLANK, 0).astype(np.int64)
            used = set(codes.tolist())
            every = enumerate(self.attribute.missing_codes, 1)
            stood = from_values([None, *(c if n in used else None for n, c in every)], plain)
            restored = pc.if_else(from_numpy(codes > 0), stood.take(from_numpy(codes)), restored)
        return restored if plain is kind else encoded(restored, kind, self.listed)

    def _check_range(self, values: NDArray[np.float64], kind: pa.DataType) -> None:
        """Refuse values that the Arrow type cannot hold."""
        low, high = range_of(kind)
        outside = values[~((values >= low) & (values <= high))]
        if len(outside):
            raise DataError(
                f"Column {self.name!r} must be of a type that holds what is released, and {kind} "
                f"ends at {high if outside[0] > high else low:.17g}. Got {outside[0]:.17g}, as P3M "
                "or a rule has it; make the column a wider type first, or use aggregation='mean' "
                "and milder rules."
            )


def absences(array: pa.Array, codes: tuple[Any, ...] = ()) -> NDArray[np.int16]:
    """What stands in place of a value: 0 nothing, 1 null or not a number, 2.. a missing code."""
    import pyarrow as pa
    import pyarrow.compute as pc

    nulls = to_numpy(array.is_null(nan_is_null=pa.types.is_floating(array.type)))
    found = nulls.astype(np.int16)
    for place, code in enumerate(codes):
        if isinstance(code, (decimal.Decimal, datetime.date)) and not holds(array.type, code):
            continue
        try:
            scalar = from_values([code], array.type)[0]
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            continue  # a code of another type cannot stand in this column
        stands = to_numpy(pc.fill_null(pc.equal(array, scalar), constant(False)))
        found[stands & (found == 0)] = BLANK + 1 + place
    return found


def pattern_codes(gaps: NDArray[np.integer]) -> NDArray[np.int64]:
    """A number 0..p-1 for each record; equal numbers mean the same gaps and codes in all keys."""
    codes = np.zeros(len(gaps), dtype=np.int64)
    for column in np.flatnonzero(gaps.any(axis=0)):  # most keys have none
        kinds = int(gaps[:, column].max()) + 1
        codes = renumber(codes * kinds + gaps[:, column])
    return codes


def _categories(attribute: Attribute, found: list[Any]) -> tuple[Any, ...]:
    if attribute.type == "ordinal" and attribute.order is not None:
        return tuple(attribute.order)
    return tuple(sorted(found, key=category_key))


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
        return since(start, units), start
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
