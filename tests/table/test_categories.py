"""No release names a category that none of its records has."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from coterie.table import read, write

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
    source = read(table)
    assert source.native(source.frame).equals(table)
