"""A lazy table streamed into parts, in a process of its own: python source.py KIND FOLDER."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

KINDS = ("dataset", "polars", "duckdb")
TEXT = dict.fromkeys(("delimiter", "encoding", "line_breaks", "dates"))


def lazy(kind, folder):
    """The Parquet files of a folder as a lazy table."""
    files = sorted(map(str, folder.iterdir()))
    if kind == "dataset":
        import pyarrow.dataset as ds

        return ds.dataset(files, format="parquet")
    if kind == "polars":
        import polars

        return polars.scan_parquet(files)
    import duckdb

    return duckdb.sql(f"select * from '{folder}/*.parquet'")


def main(kind, folder):
    from coterie.table.files import files_of

    table = lazy(kind, Path(folder))
    began = time.process_time()
    with tempfile.TemporaryDirectory(dir=Path(folder).parent) as scratch:
        files, _ = files_of(table, Path(scratch), TEXT, lambda share: None)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"parts": len(files), "busy": time.process_time() - began, "peak": peak}))


if __name__ == "__main__":
    main(*sys.argv[1:])
