"""Tiles of tables whose columns have names of coterie's own, or types that few can compute with."""

from __future__ import annotations

import decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import coterie
from coterie.distributed import anonymize

N = 60
NAMES = [
    "coterie: unit",
    "coterie: unit'",
    "coterie: records",
    "coterie: records_sum",
    "coterie: border",
    "coterie: number of the record",
    "count_all",
    "0",
]


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("first", [0, 4])
def test_no_name_is_reserved(tmp_path, first, turn):
    """Four names a table; in four turns each is a key, a stratum, a unit and another column."""
    key, stratum, unit, other = np.roll(NAMES[first : first + 4], turn).tolist()
    columns = {"a": [i % 7 for i in range(N)], key: [i % 5 for i in range(N)]}
    columns |= {stratum: [i % 2 for i in range(N)], unit: [i // 2 for i in range(N)]}
    columns[other] = [i % 3 for i in range(N)]
    keys, options = ["a", key], {"unit": unit, "strata": [stratum]}
    table = pa.table(columns)
    pq.write_table(table, tmp_path / "in.parquet")
    wanted = {"k": 3, "quasi_identifiers": keys, "method": "mdav", "random_state": 0, **options}
    anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", engine="tiles", **wanted)
    released = pq.read_table(tmp_path / "out.parquet")
    assert released.equals(coterie.anonymize(table, **wanted).data)


def test_unusual_types_are_taken_as_they_are_in_memory(tmp_path):
    thirds = [i % 3 for i in range(N)]
    table = pa.table(
        {
            "half": pa.array(np.array(thirds, dtype="float16")),
            "small": pa.array([decimal.Decimal(i) for i in thirds], pa.decimal32(5, 2)),
            "day": pa.array(thirds, pa.int32()).cast(pa.date32()).cast(pa.date64()),
            "other": pa.array(np.array(thirds, dtype="float16")),
        }
    )
    pq.write_table(table, tmp_path / "in.parquet")
    wanted = {"k": 3, "quasi_identifiers": ["half", "small", "day"], "method": "mdav"}
    wanted["declared"] = ["other"]
    anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", engine="tiles", **wanted)
    released = pq.read_table(tmp_path / "out.parquet")
    assert released.equals(coterie.anonymize(table, **wanted).data)
    assert released.schema.field("half").type == pa.float32()
