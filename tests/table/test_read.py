"""Reading: what becomes of a file or frame, and the one line where nothing does."""

from __future__ import annotations

import sys

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from coterie.errors import DataError, MissingDependency, ParameterError
from coterie.table import read
from coterie.table.formats import FORMATS


def refused(table, **options):
    with pytest.raises((DataError, ParameterError)) as caught:
        read(table, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_are_taken_as_they_are(kind):
    source = read(kind({"a": [1, 2], "b": ["x", "y"]}))
    assert source.format in ("pandas", "polars", "pyarrow")
    assert source.frame.columns == ["a", "b"]
    assert type(source.native(source.frame)) is type(kind({"a": [1]}))
    assert read(source) is source


def test_a_narwhals_frame_is_taken_too():
    assert read(nw.from_native(pl.DataFrame({"a": [1]}))).format == "polars"


def test_a_pandas_index_does_not_survive_sorting():
    table = pd.DataFrame({"a": [3, 1, 2]}, index=["ann", "bob", "cid"])
    source = read(table)
    released = source.native(source.frame.sort("a"))
    assert list(released.index) == [0, 1, 2]
    assert list(table.index) == ["ann", "bob", "cid"]


def test_what_is_no_table_is_refused():
    assert "numpy.ndarray" in refused(np.ones((2, 2)))
    assert ".collect()" in refused(pl.LazyFrame({"a": [1]}))
    assert "convert it" in refused({"a": [1]})


def test_frames_without_rows_columns_or_names_are_refused():
    assert "no rows" in refused(pd.DataFrame({"a": []}))
    assert "no columns" in refused(pd.DataFrame())
    assert "must be text. Got 0" in refused(pd.DataFrame([[1, 2]]))
    assert "'a' 2 times" in refused(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    assert "'a' 2 times" in refused(pa.table([[1], [2]], names=["a", "a"]))


def test_no_option_is_silently_ignored(tmp_path):
    assert "'delimiter'" in refused(pd.DataFrame({"a": [1]}), delimiter=";")
    assert "'format'" in refused(pd.DataFrame({"a": [1]}), format="csv")
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": [1]}), path)
    assert "'encoding'" in refused(path, encoding="utf-8")
    assert "Did you mean 'parquet'" in refused(path, format="parket")


def test_paths_that_hold_no_table(tmp_path):
    empty = tmp_path / "empty.csv"
    empty.touch()
    other = tmp_path / "a.docx"
    other.write_text("x")
    assert "does not exist" in refused(tmp_path / "none.csv")
    assert "is a folder" in refused(tmp_path)
    assert "0 bytes" in refused(str(empty))
    assert ".parquet" in refused(other)
    assert "unknown format" in refused(other)
    assert "missing extension" in refused(write(tmp_path / "plain", b"a\n1\n"))
    assert "cannot be opened" in refused("a\0b.csv")


def test_format_tells_what_an_extension_does_not(tmp_path):
    assert read(write(tmp_path / "plain", b"a\n1\n"), format="csv").format == "csv"


@pytest.mark.parametrize("extension", [".parquet", ".feather"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_files_cut_short_are_refused(tmp_path, extension, share, rng):
    path = tmp_path / f"a{extension}"
    table = pa.table({"x": rng.normal(size=5000), "y": rng.integers(0, 9, 5000)})
    if extension == ".parquet":
        pq.write_table(table, path)
    else:
        pyarrow.feather.write_feather(table, str(path))
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    assert "cut short" in refused(path)


@pytest.mark.parametrize("name", [n for n, f in FORMATS.items() if n != "csv"])
def test_garbage_is_refused_in_every_format(tmp_path, name, rng):
    path = tmp_path / f"a{FORMATS[name].extensions[0]}"
    path.write_bytes(rng.bytes(3000))
    assert path.name in refused(path)


def test_folder_names_make_no_columns(tmp_path):
    folder = tmp_path / "year=2020"
    folder.mkdir()
    pq.write_table(pa.table({"a": [1]}), folder / "a.parquet")
    assert read(folder / "a.parquet").frame.columns == ["a"]


def test_metadata_of_a_file_is_left_behind(tmp_path):
    table = pa.table({"a": [1]}).replace_schema_metadata({"secret": "Ann is 7"})
    pq.write_table(table, tmp_path / "a.parquet")
    assert not read(tmp_path / "a.parquet").frame.to_native().schema.metadata


def test_a_missing_package_names_the_command(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(MissingDependency, match=r'pip install "coterie\[formats\]"'):
        read(write(tmp_path / "a.xlsx", b"x"))


def test_reading_loads_only_what_the_table_needs():
    from tests.test_public import HEAVY, loaded_by

    assert not {*HEAVY, "narwhals", "polars"} & set(loaded_by("import coterie.table"))


def write(path, content):
    path.write_bytes(content)
    return path
