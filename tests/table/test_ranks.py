"""The order of rows follows from their values alone, whatever types they have."""

from __future__ import annotations

import datetime as dt
import decimal
import itertools

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from coterie.distributed import anonymize
from coterie.table.ranks import rank, row_order
from tests.naive_order import rows_of

NAN = float("nan")
ENTRY = pa.struct([("a", pa.float64()), ("b", pa.list_(pa.string()))])
VALUES = {
    "list": (pa.list_(pa.int64()), [[1], [1, 2], [], None, [None], [2, 1]]),
    "large list": (pa.large_list(pa.float64()), [[0.0], [-0.0], [NAN], [None], None]),
    "fixed list": (pa.list_(pa.int8(), 2), [[1, 2], [2, 1], None, [1, None]]),
    "list view": (pa.list_view(pa.int64()), [[1], [2, 1], [2], None]),
    "struct": (ENTRY, [{"a": 1.0, "b": ["x"]}, {"a": 1.0, "b": None}, {"a": None, "b": []}, None]),
    "map": (pa.map_(pa.string(), pa.int64()), [[("a", 1)], [("a", 1), ("b", 2)], [], None]),
    "lists of structs": (pa.list_(ENTRY), [[{"a": 1.0, "b": []}], [{"a": 2.0, "b": []}], []]),
    "lists of lists": (pa.list_(pa.list_(pa.string())), [[["a"], ["b"]], [["a", "b"]], [[]], []]),
    "dictionary": (pa.dictionary(pa.int8(), pa.string()), ["b", "a", None]),
    "zeros": (pa.float64(), [0.0, -0.0, NAN, None, 1.0]),
    "half": (pa.float16(), [np.float16(0.0), np.float16(-0.0), np.float16(2.0), None]),
    "views": (pa.string_view(), ["b", "a", None]),
    "interval": (pa.month_day_nano_interval(), [(1, 2, 3), (1, 2, 4), None]),
    "small decimal": (pa.decimal32(5, 1), [decimal.Decimal("1.5"), decimal.Decimal("1.0"), None]),
    "times": (pa.duration("s"), [dt.timedelta(1), dt.timedelta(2), None]),
    "bytes": (pa.binary(2), [b"ab", b"aa", None]),
    "nothing": (pa.null(), [None]),
}


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_ranks_tell_apart_what_can_be_told_apart(name, data):
    kind, values = VALUES[name]
    chosen = data.draw(st.lists(st.sampled_from(values), max_size=12)) + values
    column = pa.array(chosen, kind)
    if data.draw(st.booleans()):
        column = pa.concat_arrays([column, column]).slice(1, len(column))
    texts = rows_of(pa.table({"x": column}))
    found = rank(column).tolist()
    for (one, text), (other, again) in itertools.combinations(zip(found, texts, strict=True), 2):
        assert (one == other) == (text == again)


@pytest.mark.parametrize("name", VALUES)
def test_rows_come_out_alike_however_they_came_in(name, rng):
    kind, values = VALUES[name]
    values = values * 4
    expected = None
    for _ in range(5):
        rows = rng.permutation(len(values))
        shuffled = pa.table({"flat": rows % 2, "x": pa.array([values[i] for i in rows], kind)})
        texts = rows_of(shuffled)
        found = [texts[i] for i in row_order(shuffled)]
        expected = expected or found
        assert found == expected


def nested(n, seed=0):
    """Records of few keys, each with a list, a struct and a map that are its own."""
    rng = np.random.default_rng(seed)
    number = rng.permutation(n)
    return pa.table(
        {
            "x": pa.array(np.zeros(n)),
            "y": pa.array((np.arange(n) % 2).astype(float)),
            "visits": pa.array([None if i % 7 == 0 else [int(i), 1] for i in number]),
            "place": pa.array([{"lon": float(i), "tags": [str(i)]} for i in number]),
            "codes": pa.array(
                [[(str(i), int(i))] for i in number], pa.map_(pa.string(), pa.int64())
            ),
            "many": pa.array([[float(i)] for i in number], pa.large_list(pa.float64())),
        }
    )


ASKED = {"quasi_identifiers": ["x", "y"], "method": "mdav", "declared": ["x", "y"]}


@pytest.mark.parametrize("columns", [["visits"], ["place"], ["codes"], ["many"], None])
@pytest.mark.parametrize("kind", ["pyarrow", "polars"])
def test_equal_keys_do_not_keep_their_order(kind, columns):
    table = nested(60)
    if columns:
        table = table.select(["x", "y", *columns])
    if kind == "polars":
        if "codes" in table.column_names:
            table = table.drop_columns(["codes"])  # polars has no maps
        if table.num_columns == 2:
            return
    found = []
    for rows in (np.arange(60), np.arange(60)[::-1]):
        given = table.take(pa.array(rows))
        release = coterie.anonymize(pl.from_arrow(given) if kind == "polars" else given, 3, **ASKED)
        found.append(rows_of(release.frame.to_arrow()))
    assert found[0] == found[1]


def test_parts_of_nested_columns_come_out_in_one_order(tmp_path):
    table = nested(600)
    found = []
    for number, rows in enumerate((np.arange(600), np.arange(600)[::-1])):
        pq.write_table(
            table.take(pa.array(rows)), tmp_path / f"{number}.parquet", row_group_size=99
        )
        out = tmp_path / f"out{number}.parquet"
        anonymize(tmp_path / f"{number}.parquet", out, 3, tile=100, engine="tiles", **ASKED)
        written = pq.read_table(out)
        assert row_order(written).tolist() == list(range(600))
        found.append(rows_of(written))
    assert found[0] == found[1]
