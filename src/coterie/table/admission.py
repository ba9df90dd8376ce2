"""A table's columns on their way in: plain ones as they are, others as the nearest plain type.

pandas tables stay pandas tables; polars tables become Arrow tables, since methods of a polars
series take its name for a pattern (``"*"``, ``"^a$"``). A column that no file could keep (objects
of several types, text that is no Unicode, integers beyond 64 bits) is taken as text, and noted with
the reason: such a column may be dropped, and is refused in any other role.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.table.formats import arrow
from coterie.table.odd import in_words, reason_of, refused, worded
from coterie.table.plain import plain_column, plain_type
from coterie.table.zones import in_one_zone

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

__all__ = ["Admitted", "admit", "back_to_polars"]

USUAL = ("f4", "f8")


@dataclass(frozen=True, eq=False)
class Admitted:
    """A table with plain columns.

    Attributes
    ----------
    table : pandas or pyarrow table
        The values.
    odd : dict of column to str
        Why a column, now text, may only be dropped.
    dtypes : dict of column to Arrow type and polars dtype, or None
        Which dtype a polars table gets back for a column that still has its Arrow type.
    notes : dict
        The pandas dtypes that an Arrow table's metadata tell; nothing else of that is kept.
    """

    table: Any
    odd: dict[str, str] = field(default_factory=dict)
    dtypes: dict[str, tuple[Any, Any]] | None = None
    notes: dict[str, Any] = field(default_factory=dict)


def admit(table: Any) -> Admitted:
    """The table with plain columns; what is no table is left for narwhals to refuse.

    >>> import pandas as pd
    >>> made = admit(pd.DataFrame({"a": [1, 2], "b": [1, "x"]}))
    >>> list(made.odd), made.table["b"].tolist()
    (['b'], ['1', 'x'])
    """
    takers: dict[str, Callable[[Any], Admitted]] = {
        "pandas.DataFrame": _pandas,
        "polars.DataFrame": _polars,
        "pyarrow.Table": _arrow,
    }
    for kind in type(table).__mro__:  # a subclass of pandas' table is a table of pandas
        name = f"{kind.__module__.partition('.')[0]}.{kind.__qualname__}"
        if name in takers:
            return takers[name](table)
    return Admitted(table)


def back_to_polars(table: pa.Table, dtypes: Mapping[str, tuple[Any, Any]]) -> pl.DataFrame:
    """An Arrow table as a polars one, each column with the dtype that it came with."""
    import polars as pl

    series = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        restored = pl.Series(pl.from_arrow(column))
        kind, dtype = dtypes.get(name, (None, None))
        if isinstance(dtype, pl.Enum) and kind == column.type:
            # Its list is part of the dtype: those in use, in their order.
            there = set(column.chunk(0).dictionary.to_pylist())
            dtype = pl.Enum([category for category in dtype.categories if category in there])
        series[name] = restored.cast(dtype) if kind == column.type else restored
    return pl.DataFrame(series)


def _arrow(table: pa.Table) -> Admitted:
    import pyarrow as pa

    odd = {}
    table, notes = arrow.taken(table)
    for place, known in enumerate(table.schema):
        if plain_type(known.type) != known.type:
            odd[known.name] = refused(known.name, f"values of type {known.type}")
            words = in_words(table.column(place).to_pylist())
            table = table.set_column(place, known.name, pa.chunked_array([words]))
    return Admitted(table, odd, notes=notes)


def _polars(table: pl.DataFrame) -> Admitted:
    """As an Arrow table. Names are left out on the way: polars takes a NUL in one for its end."""
    import polars as pl
    import pyarrow as pa

    odd = {}
    arrays = []
    for series in table.get_columns():
        column, dtype = series.alias(""), series.dtype
        try:
            if "Object" in str(dtype):  # it would give addresses
                raise pa.ArrowInvalid
            if dtype.is_integer() and "128" in str(dtype):
                column = column.cast(pl.Decimal(38, 0))
            array = column.to_arrow()
            # An older polars does not say that an enum has an order.
            if isinstance(dtype, pl.Enum) and not array.type.ordered:
                array = pa.DictionaryArray.from_arrays(
                    array.indices, array.dictionary, ordered=True
                )
            arrays.append(array)
        except (pa.ArrowInvalid, pl.exceptions.PolarsError):
            odd[series.name] = refused(series.name, f"values of type {dtype}")
            arrays.append(in_words(series.to_list()))
    whole = pa.Table.from_arrays(arrays, names=table.columns)
    taken = _arrow(whole)
    same = zip(
        table.columns, table.dtypes, whole.schema.types, taken.table.schema.types, strict=True
    )
    dtypes = {
        name: (after, dtype)
        for name, dtype, before, after in same
        if before == after and name not in odd and "128" not in str(dtype)
    }
    return replace(taken, odd={**odd, **taken.odd}, dtypes=dtypes)


def _pandas(table: pd.DataFrame) -> Admitted:
    import pandas as pd

    odd: dict[str, str] = {}
    changed: dict[int, pd.Series] = {}
    for place, dtype in enumerate(table.dtypes):
        if _known(dtype):
            continue
        column = table.iloc[:, place]
        array, reason = _pandas_column(column)
        if reason is not None:
            odd[str(column.name)] = reason
        if array is not column:
            changed[place] = array
    if changed:
        columns = [changed.get(place, table.iloc[:, place]) for place in range(table.shape[1])]
        names = table.columns
        table = pd.concat([column.rename(place) for place, column in enumerate(columns)], axis=1)
        table.columns = names
    return Admitted(table, odd)


def _known(dtype: Any) -> bool:
    """Whether any column of a pandas dtype is plain: nothing in it needs a second look."""
    import pandas as pd

    if isinstance(dtype, np.dtype):
        return dtype.kind in "biumM" or dtype.str[1:] in USUAL
    if isinstance(dtype, pd.StringDtype):
        return dtype.storage == "pyarrow"
    return isinstance(dtype, (pd.BooleanDtype, pd.Int64Dtype, pd.Float64Dtype))


def _pandas_column(column: pd.Series) -> tuple[pd.Series, str | None]:
    """One column as a plain one, or as text with the reason why it may only be dropped."""
    import pandas as pd
    import pyarrow as pa

    given = column
    dtype: Any = column.dtype
    if isinstance(dtype, pd.SparseDtype):
        column = column.sparse.to_dense()
        dtype = column.dtype
    if dtype == "float16":
        return column.astype("float32"), None
    if isinstance(dtype, (pd.PeriodDtype, pd.IntervalDtype)):
        return worded(column), None
    if isinstance(dtype, pd.CategoricalDtype):
        kind: Any = dtype.categories.dtype
        if isinstance(kind, (pd.PeriodDtype, pd.IntervalDtype)):
            return column.cat.rename_categories(dtype.categories.astype(str)), None
        if kind == "float16":
            return column.cat.rename_categories(dtype.categories.astype("float32")), None
        sample = dtype.categories
    else:
        sample = column
    objects = str(sample.dtype) == "object" or _python(sample.dtype)
    try:
        # Whether values of this dtype can be Arrow's at all; objects say so one by one.
        held = pa.array(sample if _open(sample.dtype) else sample[:0], from_pandas=True)
        held, mixed = in_one_zone(sample, held) if objects else (held, None)
        values = held.to_pylist() if objects else []
    except (pa.ArrowException, TypeError, ValueError, OverflowError, UnicodeError) as error:
        # An older pyarrow knows no UUID of Python's.
        known = sample is column and all(isinstance(v, uuid.UUID) for v in column.dropna())
        return worded(column), None if known else reason_of(str(column.name), sample, error)
    found = held.type
    if isinstance(dtype, pd.CategoricalDtype) and pa.types.is_nested(found):
        return _pandas_column(column.astype(object))  # nothing compares categories that are lists
    if objects:
        if pa.types.is_binary(found) and any(isinstance(value, str) for value in sample):
            mixed = "values of type bytes and str"
        if mixed is not None:
            return worded(column), refused(str(column.name), mixed)
        # Many objects are one value to Arrow, and so to every count of records: 1 and 1.0, None and
        # NaN, a moment in two zones, a text with attributes. Whoever holds them tells them apart.
        if sample is column:
            column = pd.Series(values, index=column.index, name=column.name, dtype=dtype)
        else:
            column = _listing(column, pd.Index(values, dtype=sample.dtype))
        given = column
    if isinstance(dtype, pd.CategoricalDtype) or plain_type(found) == found:
        return (given if given.dtype == column.dtype else column), None
    if found == pa.uuid():
        return worded(column), None
    plain = plain_column(pa.chunked_array([pa.array(column, from_pandas=True)]))
    if plain is None:
        name = str(column.name)
        return worded(column), refused(name, f"values of type {found}")
    return pd.Series(plain, index=column.index, dtype=pd.ArrowDtype(plain.type)), None


def _open(dtype: Any) -> bool:
    """Whether a pandas dtype leaves open what its values are, or whether text is Unicode."""
    if _python(dtype):
        return True
    return str(dtype) == "object" or type(dtype).__module__.partition(".")[0] not in (
        "numpy",
        "pandas",
    )


def _python(dtype: Any) -> bool:
    """Whether a pandas dtype of text keeps it as objects of Python."""
    return getattr(dtype, "storage", "") == "python"


def _listing(column: pd.Series, values: pd.Index) -> pd.Series:
    """A categorical column with other values for its categories; equal ones become one."""
    import pandas as pd

    distinct = values.unique()
    place = np.append(distinct.get_indexer(values), -1)  # -1, a gap, is the last
    categorical = pd.Categorical.from_codes(
        place[column.cat.codes], categories=distinct, ordered=column.cat.ordered
    )
    return pd.Series(categorical, index=column.index, name=column.name)
