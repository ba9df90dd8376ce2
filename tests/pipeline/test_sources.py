"""Whatever holds a table: files of text or Parquet, datasets, lazy frames; text out again."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import coterie
from coterie.distributed import anonymize
from coterie.errors import DataError
from coterie.pipeline import job
from coterie.table import files as reading
from coterie.table.formats import blocks
from tests.pipeline.conftest import KEYS, numbers, write_parts
from tests.pipeline.outcomes import hidden

WANTED = {"k": 4, "quasi_identifiers": KEYS, "method": "mdav", "random_state": 3, "tile": 200}


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(reading, "ROWS", 150)
    monkeypatch.setattr(blocks, "BLOCK", 8000)
    monkeypatch.setattr(job, "ROWS", 300)


@pytest.fixture
def files(tmp_path):
    table = numbers(1000)
    table["note"] = ["=1+1", "plain", " spaced ", 'with "quotes", and commas'] * 250
    table["there"] = [True, False, None, True] * 250
    write_parts(table, tmp_path / "parts", 4)
    return tmp_path / "parts"


def released(table, target, **more):
    done = anonymize(table, target, engine="tiles", **{**WANTED, **more})
    assert not hidden(target.parent)
    return done


def lazy(kind, folder):
    if kind == "dataset":
        return ds.dataset(sorted(folder.iterdir()), format="parquet")
    if kind == "reader":
        return pa.Table.to_reader(pq.read_table(folder), max_chunksize=70)
    if kind == "polars":
        return pytest.importorskip("polars").scan_parquet(sorted(folder.iterdir()))
    return pytest.importorskip("duckdb").sql(f"select * from '{folder}/*.parquet'")


@pytest.mark.parametrize("kind", ["dataset", "reader", "polars", "duckdb"])
def test_streams_give_what_their_files_give(tmp_path, files, small, kind):
    released(files, tmp_path / "one.parquet")
    released(lazy(kind, files), tmp_path / "other.parquet")
    one, other = (pd.read_parquet(tmp_path / name) for name in ("one.parquet", "other.parquet"))
    pd.testing.assert_frame_equal(one, other)


def test_a_dataset_in_folders_of_a_column_with_a_filter(tmp_path, files, small):
    """Row groups are read one at a time, with what the folders and the filter say."""
    table = pq.read_table(files)
    how = {"partitioning": ["group"], "partitioning_flavor": "hive", "max_rows_per_group": 60}
    ds.write_dataset(table, tmp_path / "hive", format="parquet", max_rows_per_file=400, **how)
    whole = ds.dataset(tmp_path / "hive", partitioning="hive")
    for number, source in enumerate((whole, whole.filter(ds.field("spent") >= 5))):
        pq.write_table(source.to_table(), tmp_path / f"in{number}.parquet")
        one, other = (tmp_path / f"{name}{number}.parquet" for name in "ab")
        released(tmp_path / f"in{number}.parquet", one)
        released(source, other)
        assert pq.read_table(one).equals(pq.read_table(other))
    assert pq.read_metadata(one).num_rows < table.num_rows


def test_a_lazy_frame_is_never_collected_whole(tmp_path, files, small, monkeypatch):
    polars = pytest.importorskip("polars")
    frame = polars.scan_parquet(sorted(files.iterdir()))
    heights = []
    collect = polars.LazyFrame.collect

    def watched(self, *args, **kwargs):
        made = collect(self, *args, **kwargs)
        heights.append(made.height)
        return made

    monkeypatch.setattr(polars.LazyFrame, "collect", watched)
    released(frame, tmp_path / "out.parquet")
    assert max(heights, default=0) <= 150


def test_streams_that_fail_are_one_line(tmp_path, files):
    def batches():
        yield from pq.read_table(files).to_batches()[:1]
        raise OSError("the line is cut")

    reader = pa.RecordBatchReader.from_batches(pq.read_table(files).schema, batches())
    with pytest.raises(DataError, match=r"RecordBatchReader cannot be read .*the line is cut"):
        released(reader, tmp_path / "out")
    empty = pa.RecordBatchReader.from_batches(pa.schema([("a", pa.int64())]), [])
    with pytest.raises(DataError, match="has no rows"):
        released(empty, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_text_in_and_out_is_the_release_in_memory(tmp_path, files, small):
    table = pd.read_parquet(files)
    table.to_csv(tmp_path / "in.csv", index=False, sep=";", decimal=",")
    folder = tmp_path / "texts"
    folder.mkdir()
    for number, start in enumerate(range(0, 1000, 300)):
        some = table.iloc[start : start + 300]
        some.to_csv(folder / f"part-{number + 1}.csv", index=False, sep=";", decimal=",")
    plan = {n: v for n, v in WANTED.items() if n != "tile"}
    expected = coterie.anonymize(tmp_path / "in.csv", **plan)
    expected.write(tmp_path / "memory.csv")
    text = (tmp_path / "memory.csv").read_bytes()
    several = sorted(folder.iterdir())
    for number, source in enumerate((tmp_path / "in.csv", folder, several)):
        target = tmp_path / f"out{number}.csv"
        done = released(source, target, tile=5000)
        assert target.read_bytes() == text
        assert done.parts == (str(target),)
    counted = coterie.verify(tmp_path / "out0.csv", 4, KEYS)
    assert counted.achieved == done.verification.achieved


def test_text_files_must_be_alike(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n" + "1,2\n" * 20)
    (tmp_path / "b.csv").write_text("x,z\n" + "1,2\n" * 20)
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    with pytest.raises(DataError, match=r"b\.csv must have the columns of .*a\.csv.*'z'"):
        anonymize(files, tmp_path / "out", 4, ["x"], engine="tiles")


def test_text_that_is_spoiled_on_the_disk_is_not_released(tmp_path, files, monkeypatch):
    from coterie.pipeline import output

    write = output.csv_format.write

    def spoiled(table, path, details, *, more=False):
        write(table, path, details, more=more)
        path.write_bytes(path.read_bytes().replace(b"plain", b"plane", 1))

    monkeypatch.setattr(output.csv_format, "write", spoiled)
    (tmp_path / "out.csv").write_text("old")
    with pytest.raises(DataError, match="what was read back from record 0 on is not"):
        released(files, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "old"
    assert not hidden(tmp_path)
