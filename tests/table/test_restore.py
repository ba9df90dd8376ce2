"""Nothing goes out but values of records: no metadata, labels, attributes, nothing under gaps."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pyreadstat
import pytest

import coterie
from coterie.table import read, write

SECRET = "Prime minister of Ruritania"
NUMBER = 7_777_777_777_777_777
ROWS = 12


def arrow_table():
    """A secret in the metadata of a table, of a column and of a part, and under gaps."""
    note = {"log": SECRET}
    struct = pa.struct([pa.field("s", pa.int64(), metadata=note)])
    nested = {
        "struct": pa.array([{"s": i} for i in range(ROWS)], struct),
        "list": pa.array(
            [[i] for i in range(ROWS)], pa.list_(pa.field("i", pa.int64(), True, note))
        ),
        "map": pa.array(
            [[("a", i)] for i in range(ROWS)],
            pa.map_(pa.string(), pa.field("v", pa.int64(), metadata=note)),
        ),
    }
    gaps = np.arange(ROWS) % 2 == 0
    bits = pa.py_buffer(np.packbits(~gaps, bitorder="little"))
    numbers = np.where(gaps, NUMBER, 1)
    words = b"".join(SECRET.encode() if gap else b"ok" for gap in gaps)
    ends = np.cumsum([0, *(len(SECRET) if gap else 2 for gap in gaps)]).astype(np.int32)
    plain = {
        "age": pa.array(range(ROWS)),
        "numbers": pa.Array.from_buffers(pa.int64(), ROWS, [bits, pa.py_buffer(numbers)]),
        "words": pa.Array.from_buffers(
            pa.string(), ROWS, [bits, pa.py_buffer(ends), pa.py_buffer(words)]
        ),
        "hidden": pa.StructArray.from_arrays([pa.array(numbers)], ["n"], mask=pa.array(gaps)),
        "category": pa.DictionaryArray.from_arrays(
            pa.array([0, 1] * (ROWS // 2), pa.int8()), pa.array(["a", "b", SECRET])
        ),
    }
    columns = {**plain, **nested}
    fields = [pa.field(name, column.type, metadata=note) for name, column in columns.items()]
    columns_noted = [{"field_name": "age", "pandas_type": "int64", "numpy_type": SECRET + "!"}]
    columns_noted += [{"field_name": "numbers", "pandas_type": "int64", "numpy_type": "Int64"}]
    columns_noted[1]["aside"] = SECRET
    pandas = f'{{"index_columns": ["{SECRET}"], "columns": {columns_noted}}}'.replace("'", '"')
    schema = pa.schema(fields, metadata={**note, "pandas": pandas})
    return pa.Table.from_arrays(list(columns.values()), schema=schema)


def pandas_table():
    """A secret in attributes, the name of the columns, categories, and under gaps."""
    gaps = np.arange(ROWS) % 2 == 0
    numbers = pd.Series(pd.array(np.where(gaps, NUMBER, 1), dtype="Int64")).mask(gaps)
    table = pd.DataFrame(
        {
            "age": range(ROWS),
            "numbers": numbers,
            "flags": pd.Series(pd.array([True] * ROWS, dtype="boolean")).mask(gaps),
            "arrow": pd.array(
                arrow_table()["numbers"].combine_chunks(), dtype=pd.ArrowDtype(pa.int64())
            ),
            "category": pd.Categorical(["a", "b"] * (ROWS // 2), categories=["a", "b", SECRET]),
            "coded": pd.array(
                arrow_table()["category"].combine_chunks(),
                dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string())),
            ),
        }
    )
    table.attrs["note"] = SECRET
    table.columns.name = SECRET
    return table


def polars_table():
    scale = pl.Enum(["a", "b", SECRET])
    values = ["a", "b"] * (ROWS // 2)
    return pl.DataFrame(
        {
            "age": range(ROWS),
            "enum": pl.Series(values, dtype=scale),
            "category": pl.Series([*values[:-1], SECRET], dtype=pl.Categorical),
        }
    )


def tells(content):
    return SECRET.encode() in content or NUMBER.to_bytes(8, "little") in content


def protected(table, **options):
    """Released as it came: the way on which least is copied."""
    return coterie.anonymize(
        table, 2, ["age"], method="mdav", row_order="keep", random_state=0, **options
    )


@pytest.mark.parametrize("make", [arrow_table, pandas_table])
def test_the_tables_of_this_file_have_something_to_hide(make):
    assert tells(pickle.dumps(make()))


@pytest.mark.parametrize("order", ["keep", "sorted"])
@pytest.mark.parametrize("make", [arrow_table, pandas_table, polars_table])
def test_nothing_but_values_goes_out(tmp_path, make, order):
    table = make()
    if make is polars_table:
        table = table.head(ROWS - 2)  # nobody has that category any more
    release = coterie.anonymize(table, 2, ["age"], method="mdav", row_order=order, random_state=0)
    released = release.data
    assert type(released) is type(table)
    assert not tells(pickle.dumps(released))
    release.write(tmp_path / "a.parquet")
    release.write(tmp_path / "a.feather")
    again = read(tmp_path / "a.feather").frame.to_native()
    pyarrow.feather.write_feather(again, str(tmp_path / "b.feather"), compression="uncompressed")
    pq.write_table(again, tmp_path / "b.parquet", compression="none")
    for path in tmp_path.iterdir():
        assert not tells(path.read_bytes()), path
    if make is pandas_table:
        assert released["numbers"].dtype == "Int64"
        assert released.attrs == {}
        assert released.columns.name is None


def test_what_is_written_stays_what_it_was(tmp_path):
    table = arrow_table()
    source = read(table)
    write(source, source.frame, tmp_path / "a.feather")
    for found in (read(tmp_path / "a.feather").frame.to_native(), source.native(source.frame)):
        assert found.column_names == table.column_names
        assert found.to_pylist() == table.to_pylist()
    noted = pd.read_feather(tmp_path / "a.feather", columns=["age", "numbers"])
    assert noted["numbers"].dtype == "Int64"  # a dtype is all that is kept of pandas' notes


@pytest.mark.parametrize("extension", [".sav", ".zsav", ".dta"])
def test_labels_of_values_that_nobody_has_stay_behind(tmp_path, extension):
    table = pd.DataFrame({"job": [1, 2] * 6, "age": list(range(12)), "sex": ["f", "m"] * 6})
    labels = {
        "job": {1: "farmer", 2: "teacher", 99: SECRET},
        "age": {5: "five years", 120: SECRET},
    }
    if extension != ".dta":
        labels["sex"] = {"f": "female", "m": "male", "x": SECRET}
    path = tmp_path / f"in{extension}"
    make = pyreadstat.write_dta if extension == ".dta" else pyreadstat.write_sav
    make(table, path, variable_value_labels=labels)
    release = protected(path, types={"age": "integer"})
    release.write(tmp_path / f"out{extension}")
    back = read(tmp_path / f"out{extension}")
    told = back.details["labels"]
    assert told["job"] == {1: "farmer", 2: "teacher"}
    assert SECRET not in str(told)
    assert "five years" not in str(told) or 5 in back.frame["age"].to_list()
    if extension != ".dta":
        assert told["sex"] == {"f": "female", "m": "male"}
