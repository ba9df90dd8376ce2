"""Plain values dressed as columns of pandas, polars or Arrow: every dtype that can hold them.

A dtype is a word, so that a case can be written down. Values that do not fit the dtype are dressed
in the first one of their kind that will do.
"""

from __future__ import annotations

import datetime as dt
import math
import warnings
from decimal import Decimal
from functools import partial
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

from tests.fuzz.chooser import Chooser

UNUSED = "LEAK-of-an-unused-category"

ARROW: dict[str, list[str]] = {
    "integer": [
        *("int64", "int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64"),
        *("dictionary:int64", "run-end:int64", "decimal:38:0", "decimal32:9:0", "double"),
    ],
    "float": ["double", "float", "halffloat", "dictionary:double"],
    "text": [
        *("string", "large_string", "string_view", "dictionary:string", "ordered:string"),
        *("unused:string", "run-end:string"),
    ],
    "boolean": ["bool", "run-end:bool"],
    "date": [
        "date32[day]",
        "date64[ms]",
        "timestamp[s]",
        "timestamp[ns]",
        "dictionary:date32[day]",
    ],
    "moment": [
        *("timestamp[us]", "timestamp[s]", "timestamp[ms]", "timestamp[ns]"),
        *("timestamp[us]:UTC", "timestamp[ns]:Europe/Berlin", "timestamp[ms]:+05:30"),
    ],
    "decimal": [
        *("decimal:12:2", "decimal32:9:2", "decimal64:12:2", "decimal256:40:2", "decimal:38:10"),
        "decimal:12:-2",
    ],
    "duration": ["duration[s]", "duration[ns]"],
    "clock": ["time32[s]", "time64[ns]"],
    "blob": ["binary", "large_binary", "binary_view"],
    "list": ["list", "large_list", "list_view"],
    "struct": ["struct"],
    "uuid": ["uuid"],
    "mixture": ["text"],
}
PANDAS: dict[str, list[str]] = {
    "integer": [
        *("int64", "int8", "int16", "int32", "uint8", "uint64", "Int64", "Int8", "UInt16"),
        *("object", "category", "ordered", "sparse", "interval", "cut", "float64"),
        *("arrow:int64", "arrow:int8", "arrow:dictionary:int64"),
    ],
    "float": [
        *("float64", "float32", "float16", "Float64", "Float32", "sparse", "category"),
        *("longdouble", "arrow:double", "arrow:float"),
    ],
    "text": [
        *("str", "object", "category", "ordered", "unused", "string[python]", "arrow:string"),
        *("object:gaps", "object:named"),
        *("arrow:large_string", "arrow:dictionary:string"),
    ],
    "boolean": ["bool", "boolean", "object", "category", "sparse", "arrow:bool"],
    "date": [
        *("object", "datetime64[s]", "datetime64[ns]", "period[D]", "period[M]", "category"),
        *("arrow:date32[day]", "arrow:date64[ms]"),
    ],
    "moment": [
        *("datetime64[us]", "datetime64[ns]", "datetime64[ms]", "datetime64[s]", "object"),
        *("datetime64[ns, UTC]", "datetime64[us, Europe/Berlin]", "period[h]"),
        *("object:gaps", "object:zones"),
        *("arrow:timestamp[us]", "arrow:timestamp[ns]:UTC"),
    ],
    "decimal": ["object", "arrow:decimal:12:2", "arrow:decimal32:9:2"],
    "duration": ["timedelta64[s]", "timedelta64[ns]", "arrow:duration[s]"],
    "clock": ["object", "arrow:time64[ns]"],
    "blob": ["object", "arrow:binary"],
    "list": ["object", "arrow:list"],
    "struct": ["object", "arrow:struct"],
    "uuid": ["object"],
    "mixture": ["object", "string[python]"],
}
POLARS: dict[str, list[str]] = {
    "integer": [
        *("Int64", "Int8", "Int16", "Int32", "UInt8", "UInt16", "UInt32", "UInt64", "Int128"),
        "Float64",
    ],
    "float": ["Float64", "Float32", "Float16"],
    "text": ["String", "Categorical", "Enum"],
    "boolean": ["Boolean"],
    "date": ["Date", "Datetime:us", "Datetime:ms"],
    "moment": ["Datetime:us", "Datetime:ns", "Datetime:ms", "Datetime:us:Europe/Berlin"],
    "decimal": ["Decimal:38:2", "Decimal:12:2"],
    "duration": ["Duration:us"],
    "clock": ["Time"],
    "blob": ["Binary"],
    "list": ["List"],
    "struct": ["Struct"],
    "uuid": ["Object"],
    "mixture": ["Object"],
}
SEVERAL = "object:"  # what dtypes begin with in which one value is several objects
GAPS = (None, math.nan, pd.NA, pd.NaT)
LIBRARIES = {"pandas": PANDAS, "polars": POLARS, "pyarrow": ARROW}


def choose_dtype(choose: Chooser, library: str, kind: str, *, odd: bool) -> str:
    """The usual dtype of a kind in a library, or any other if it may be odd."""
    options = LIBRARIES[library][kind]
    return choose.one(options) if odd else options[0]


def dressed(library: str, columns: list[dict[str, Any]]) -> Any:
    """The table of a library; each column has a name, a kind, a dtype and values.

    Where records are shuffled, `places` says where each of them was: its objects stay its own.
    """
    made = [
        column_of(library, c["kind"], c["dtype"], c["values"], c.get("places")) for c in columns
    ]
    names = [c["name"] for c in columns]
    if library == "pyarrow":
        return pa.Table.from_arrays(made, names=names)
    if library == "polars":
        return pl.DataFrame(dict(zip(names, made, strict=True)))
    table = pd.concat([s.rename(i) for i, s in enumerate(made)], axis=1)
    table.columns = pd.Index(names, dtype=object)
    return table


def column_of(
    library: str, kind: str, dtype: str, values: list[Any], places: list[int] | None = None
) -> Any:
    """One column in the dtype, or in the first of its kind that holds the values."""
    make: Any = {"polars": polars_column, "pyarrow": arrow_column}.get(library)
    make = make or partial(pandas_column, places=places)
    last = {"pandas": "object", "polars": "Object", "pyarrow": "text"}[library]
    for word in [dtype, *LIBRARIES[library][kind], last]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of values that do not fit
                return make(word, values)
        except (  # each library has its own words for a value that does not fit
            ArithmeticError,
            TypeError,
            ValueError,
            pa.ArrowException,
            pl.exceptions.PolarsError,
        ):
            continue
    raise AssertionError(f"nothing holds {kind}")


def arrow_column(dtype: str, values: list[Any]) -> pa.Array:
    """A word, with parts after colons, as an Arrow array."""
    word, _, rest = dtype.partition(":")
    if word == "text":
        words = [None if v is None else ascii(v) for v in values]
        return pa.array(words, pa.string())
    if word in ("dictionary", "ordered", "unused"):
        plain = arrow_column(rest, values)
        made = plain.dictionary_encode()
        dictionary = made.dictionary
        if word == "unused":
            dictionary = pa.concat_arrays([dictionary, pa.array([UNUSED], dictionary.type)])
        ordered = word == "ordered"
        return pa.DictionaryArray.from_arrays(made.indices, dictionary, ordered=ordered)
    if word == "run-end":
        return pa.compute.run_end_encode(arrow_column(rest, values))
    if word == "struct":
        return pa.array(values, pa.struct([("x", pa.int64()), ("y", pa.string())]))
    if word in ("list", "large_list", "list_view"):
        kind = {"list": pa.list_, "large_list": pa.large_list, "list_view": pa.list_view}[word]
        return pa.array(values, kind(pa.int64()))
    if word == "uuid":
        return pa.array([None if v is None else v.bytes for v in values], pa.uuid())
    if word.startswith("timestamp[") and any(type(v) is dt.date for v in values):
        values = [None if v is None else dt.datetime.combine(v, dt.time()) for v in values]
    if rest.endswith(":-2"):
        values = [None if v is None else Decimal(int(v / 100) * 100) for v in values]
    return pa.array(values, arrow_type(word, rest))


def arrow_type(word: str, rest: str) -> Any:
    """``timestamp[us]:UTC`` and the like."""
    if word.startswith("timestamp["):
        return pa.timestamp(word[10:-1], rest or None)
    if word.startswith("decimal"):
        precision, scale = map(int, rest.split(":"))
        kinds = {"decimal": "decimal128"}
        return getattr(pa, kinds.get(word, word))(precision, scale)
    named = {
        "double": pa.float64(),
        "float": pa.float32(),
        "halffloat": pa.float16(),
        "bool": pa.bool_(),
        "date32[day]": pa.date32(),
        "date64[ms]": pa.date64(),
    }
    if word in named:
        return named[word]
    name, _, unit = word.partition("[")
    return getattr(pa, name)(*([unit[:-1]] if unit else []))


def pandas_column(dtype: str, values: list[Any], places: list[int] | None = None) -> pd.Series:
    """A word as a pandas series."""
    if dtype.startswith("arrow:"):
        array = arrow_column(dtype.removeprefix("arrow:"), values)
        return pd.Series(pd.arrays.ArrowExtensionArray(array))
    if dtype in ("category", "ordered", "unused"):
        found = list(dict.fromkeys(v for v in values if v is not None))
        if dtype == "unused":
            found.append(UNUSED)
        return pd.Series(pd.Categorical(values, categories=found, ordered=dtype == "ordered"))
    if dtype == "sparse":
        return pd.Series(pd.arrays.SparseArray(pd.Series(values).to_numpy()))
    if dtype == "interval":
        pairs = [None if v is None else (v, v + 1) for v in values]
        return pd.Series(pd.arrays.IntervalArray.from_tuples(pairs))
    if dtype == "cut":
        return pd.Series(pd.cut(pd.Series(values, dtype="float64"), 3).array)
    if dtype.startswith("period["):
        return pd.Series(pd.PeriodIndex([pd.NaT if v is None else v for v in values], dtype=dtype))
    if dtype.startswith("datetime64[") and "," in dtype:
        unit, zone = dtype[11:-1].split(", ")
        naive = pd.Series(values, dtype=f"datetime64[{unit}]")
        return naive.dt.tz_localize("UTC").dt.tz_convert(zone)
    if dtype.startswith(SEVERAL):
        where = range(len(values)) if places is None else places
        values = [_spelled(dtype, place, v) for place, v in zip(where, values, strict=True)]
    if dtype.partition(":")[0] == "object":
        series = pd.Series([None] * len(values), dtype=object)
        for place, value in enumerate(values):  # a list is one value
            series.iat[place] = value
        return series
    return pd.Series(values, dtype=dtype)


class Named(str):
    """A text with something beside it."""

    place: int = 0

    def __repr__(self) -> str:
        return f"{str(self)!r} of {self.place}"


def _spelled(dtype: str, place: int, value: Any) -> Any:
    """One of the objects that are a value, by its place."""
    if value is None:
        return GAPS[place % len(GAPS)] if dtype == "object:gaps" else None
    if dtype == "object:zones":
        zone = dt.timezone(dt.timedelta(hours=place % 3))
        return value.replace(tzinfo=dt.UTC).astimezone(zone)
    if dtype == "object:named":
        value = Named(value)
        value.place = place
    return value


def polars_column(dtype: str, values: list[Any]) -> pl.Series:
    """A word, with parts after colons, as a polars series."""
    word, *rest = dtype.split(":")
    if word == "Enum":
        found = list(dict.fromkeys(v for v in values if v is not None))
        return pl.Series(values, dtype=pl.Enum([*found, "never"]))
    if word == "Datetime":
        naive = pl.Series(values, dtype=pl.Datetime(rest[0]))
        return (
            naive.dt.replace_time_zone("UTC").dt.convert_time_zone(rest[1]) if rest[1:] else naive
        )
    if word == "Duration":
        return pl.Series(values, dtype=pl.Duration(rest[0]))
    if word == "Decimal":
        return pl.Series(values, dtype=pl.Decimal(int(rest[0]), int(rest[1])))
    if word == "List":
        return pl.Series(values, dtype=pl.List(pl.Int64))
    if word == "Struct":
        return pl.Series(values, dtype=pl.Struct({"x": pl.Int64, "y": pl.String}))
    return pl.Series(values, dtype=getattr(pl, word))
