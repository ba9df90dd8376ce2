"""Values between NumPy, Python and Arrow: the same as by pyarrow's own ways, without pandas."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import narwhals as nw
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from coterie.table import arrays
from tests.test_public import loaded_by

NUMBERS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint32", "float32", "float64"]


@given(st.data(), st.sampled_from(NUMBERS), st.integers(0, 20), st.integers(0, 3))
def test_numbers_there_and_back(data, dtype, size, skipped):
    values = data.draw(hnp.arrays(dtype, size))
    missing = data.draw(hnp.arrays(bool, size))
    made = arrays.from_numpy(values, missing)
    made.validate(full=True)
    expected = pa.array(values, mask=missing, from_pandas=False)
    assert made.type == expected.type
    assert made.null_count == expected.null_count
    kept = arrays.to_numpy(made.drop_null()[skipped:])  # a slice begins within its buffers
    assert np.array_equal(kept, values[~missing][skipped:], equal_nan=dtype.startswith("float"))
    assert kept.dtype == values.dtype
    several = pa.chunked_array([made.drop_null(), made.drop_null()[:1]])
    assert len(arrays.to_numpy(several)) == len(several)


def test_gaps_among_floats_are_nan_and_others_are_refused():
    assert np.isnan(arrays.to_numpy(pa.array([1.0, None], pa.float32()))).tolist() == [False, True]
    with pytest.raises(ValueError, match="gaps in an array of int64"):
        arrays.to_numpy(pa.array([1, None]))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a", None, "äé", ""], pa.string()),
        (["a", None], pa.large_string()),
        ([], pa.string()),
        ([None, None], pa.string()),
        ([1, None, -5], pa.int8()),
        ([1, 2], pa.float32()),
        ([1.5, None], pa.float64()),
        ([True, None, False], pa.bool_()),
        ([2**63, 1], pa.uint64()),
        ([None], pa.int64()),
        ([dt.date(2020, 1, 1), None], pa.date32()),
        ([Decimal("1.50")], pa.decimal128(5, 2)),
    ],
)
def test_python_values_are_as_by_pyarrow(values, kind):
    made = arrays.from_values(values, kind)
    made.validate(full=True)
    assert made.equals(pa.array(values, kind))


@pytest.mark.parametrize("values", [["a", "b", None], [1, 2, None], [1.5, 2.5, None]])
def test_is_in_on_any_table(values):
    import pandas as pd
    import polars as pl

    for kind in (pa.table, pl.DataFrame, pd.DataFrame):
        series = nw.from_native(kind({"x": values}), eager_only=True)["x"]
        assert arrays.is_in(series, [values[0]]).to_list()[:2] == [True, False]


TABLE = """
import pyarrow as pa
from coterie.table import arrays
import narwhals as nw
import numpy as np
x = arrays.from_numpy(np.arange(3.0))
t = nw.from_native(pa.table({"x": x, "y": arrays.from_values(["a", None, "b"], pa.string())}))
arrays.to_numpy(x), arrays.constant("a"), arrays.take_rows(t, np.array([2, 0]))
arrays.is_in(t["y"], ["a"])
"""


def test_pandas_stays_out():
    assert "pandas" not in loaded_by(TABLE)
