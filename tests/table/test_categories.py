"""No release names a category that none of its records has, or tells which came first."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import coterie
from coterie.table import read, write
from coterie.table.categories import used

VALUES = ["common", "rare", None, "common", "other"]


def tables():
    frame = pd.DataFrame({"a": pd.Categorical(VALUES), "x": range(5)})
    yield frame
    yield pl.DataFrame({"a": pl.Series(VALUES, dtype=pl.Categorical), "x": range(5)})
    yield pa.Table.from_pandas(frame)
    whole = pa.Table.from_pandas(frame)
    yield pa.concat_tables([whole.slice(0, 2), whole.slice(2)])


@pytest.mark.parametrize("table", list(tables()), ids=["pandas", "polars", "pyarrow", "chunks"])
@pytest.mark.parametrize("extension", [".parquet", ".feather"])
def test_categories_out_of_use_are_gone(tmp_path, table, extension):
    source = read(table)
    kept = source.frame.filter(source.frame["x"] != 1)
    write(source, kept, tmp_path / f"a{extension}")
    column = read(tmp_path / f"a{extension}").frame.to_native().column("a")
    assert column.to_pylist() == ["common", None, "common", "other"]
    assert {c for chunk in column.chunks for c in chunk.dictionary.to_pylist()} == {
        "common",
        "other",
    }
    assert b"rare" not in (tmp_path / f"a{extension}").read_bytes()
    released = source.native(kept)
    if isinstance(released, pd.DataFrame):
        assert list(released["a"].cat.categories) == ["common", "other"]
        assert list(table["a"].cat.categories) == ["common", "other", "rare"]
    elif isinstance(released, pa.Table):
        assert all("rare" not in c.dictionary.to_pylist() for c in released["a"].chunks)


@pytest.mark.parametrize("extension", [".parquet", ".feather"])
def test_of_a_scale_the_categories_in_use_stay_in_their_order(tmp_path, extension):
    scale = ["low", "one person only", "middle", "high"]
    values = ["middle", "low", None, "high"]
    ordered = pd.Categorical(values, categories=scale, ordered=True)
    for table in (
        pd.DataFrame({"a": ordered}),
        pl.DataFrame({"a": pl.Series(values, dtype=pl.Enum(scale))}),
        pa.Table.from_pandas(pd.DataFrame({"a": ordered})),
    ):
        source = read(table)
        released = source.native(source.frame)
        kept = ["low", "middle", "high"]
        if isinstance(released, pd.DataFrame):
            assert list(released["a"].cat.categories) == kept
            assert released["a"].cat.ordered
        elif isinstance(released, pl.DataFrame):
            assert released["a"].dtype == pl.Enum(kept)
            assert released["a"].to_list() == values
        else:
            assert released["a"].chunk(0).dictionary.to_pylist() == kept
        write(source, source.frame, tmp_path / f"a{extension}")
        back = read(tmp_path / f"a{extension}").frame.to_native().column("a")
        assert back.type.ordered
        assert back.to_pylist() == values
        assert back.chunk(0).dictionary.to_pylist() == kept
        assert b"one person" not in (tmp_path / f"a{extension}").read_bytes()


def test_categories_in_use_are_not_touched():
    table = pa.Table.from_pandas(pd.DataFrame({"a": pd.Categorical(["b", "a"])}))
    assert table["a"].chunk(0).dictionary.to_pylist() == ["a", "b"]
    source = read(table)
    assert source.native(source.frame).equals(table)


def listed(column):
    """The list of categories of a column of any library."""
    if isinstance(column, pd.Series) and not isinstance(column.dtype, pd.ArrowDtype):
        return column.cat.categories.tolist()
    if isinstance(column, pd.Series):
        column = column.array.__arrow_array__()
    return column.chunk(0).dictionary.to_pylist()


LETTERS = list("dbca" * 15)
LISTED = {  # by the order of records, as most programs make such columns
    "pandas": lambda values: pd.Categorical(values, categories=list(dict.fromkeys(values))),
    "pandas, Arrow's": lambda values: pd.arrays.ArrowExtensionArray(
        pa.array(values).dictionary_encode()
    ),
    "pyarrow": lambda values: pa.array(values).dictionary_encode(),
}


@pytest.mark.parametrize("role", ["key", "stratum", "other"])
@pytest.mark.parametrize("library", LISTED)
def test_a_list_of_categories_does_not_tell_whose_record_came_first(library, role, tmp_path):
    roles = {
        "key": {"quasi_identifiers": ["x", "c"]},
        "stratum": {"quasi_identifiers": ["x"], "strata": ["c"]},
        "other": {"quasi_identifiers": ["x"], "declared": ["c"]},
    }[role]
    seen = []
    for turn in range(3):
        values = LETTERS[turn:] + LETTERS[:turn]
        numbers = [float(ord(letter)) for letter in values]
        make = pa.table if library == "pyarrow" else pd.DataFrame
        table = make({"x": numbers, "c": LISTED[library](values)})
        made = coterie.anonymize(table, 5, method="mdav", random_state=0, **roles)
        made.write(tmp_path / f"{turn}.parquet")
        written = read(tmp_path / f"{turn}.parquet").frame.to_native().column("c")
        seen += [listed(made.data["c"]), listed(written)]
    assert seen == [["a", "b", "c", "d"]] * 6


def test_parts_list_categories_as_a_table_in_memory_does(tmp_path):
    scale = pd.Categorical(LETTERS, categories=list("dxbca"), ordered=True)
    frame = pd.DataFrame(
        {
            "x": range(60),
            "c": pd.Categorical(LETTERS, categories=list("dbca")),
            "o": scale,
            "s": scale,
            "t": pd.Categorical(LETTERS, categories=list("dbca")),
        }
    )
    frame.to_parquet(tmp_path / "in.parquet")
    plan = {"quasi_identifiers": ["x", "c", "o"], "strata": ["s"], "declared": ["t"]}
    coterie.anonymize(tmp_path / "in.parquet", 5, random_state=0, method="mdav", **plan).write(
        tmp_path / "memory.parquet"
    )
    coterie.distributed.anonymize(
        tmp_path / "in.parquet",
        tmp_path / "tiles.parquet",
        5,
        engine="tiles",
        random_state=0,
        method="mdav",
        **plan,
    )
    for name in ("memory", "tiles"):
        table = read(tmp_path / f"{name}.parquet").frame.to_native()
        assert [listed(table.column(c)) for c in "ct"] == [["a", "b", "c", "d"]] * 2
        assert [listed(table.column(c)) for c in "os"] == [["d", "b", "c", "a"]] * 2


def test_a_list_that_repeats_a_value_tells_nothing_by_which_is_meant():
    twice = pa.DictionaryArray.from_arrays([2, 0, 1, None], ["b", "a", "b"])
    (made,) = used(pa.chunked_array([twice])).chunks
    assert made.dictionary.to_pylist() == ["a", "b"]
    assert made.indices.to_pylist() == [1, 1, 0, None]
