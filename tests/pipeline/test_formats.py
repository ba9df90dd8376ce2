"""One table through every format and kind of frame: one settings file, equal released values."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

import coterie
from coterie.table.read import read
from tests.mixed import KEYS, mixed

SETTINGS = """
k = 4
method = "mdav"
quasi_identifiers = {keys}
identifiers = ["name", "email"]
confidential = ["diagnosis"]
missing = "pattern"
small_strata = "drop"
random_state = 3

[columns.education]
order = ["none", "primary", "secondary", "tertiary"]

[columns.health]
order = ["poor", "fair", "good"]

[columns.born]
type = "date"

[columns.married]
type = "boolean"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("formats")
    (folder / "settings.toml").write_text(SETTINGS.format(keys=KEYS).replace("'", '"'))
    return folder


@pytest.fixture(scope="module")
def expected(folder):
    return plain(protect(mixed(400, seed=5), folder).data)


def protect(table, folder):
    return coterie.anonymize(table, coterie.Plan.from_toml(folder / "settings.toml"))


def plain(frame):
    """Values as they can be compared across formats: dates as text, flags as numbers."""
    out = frame.copy()
    out["born"] = pd.to_datetime(out["born"]).dt.strftime("%Y-%m-%d")
    out["married"] = out["married"].astype(float)
    for name in ("education", "health", "region", "sector", "diagnosis"):
        out[name] = out[name].astype(str)
    for name in ("age", "hours", "income", "height"):
        out[name] = out[name].astype(float)
    columns = sorted(out.columns)
    return out[columns].sort_values(columns, ignore_index=True)


@pytest.mark.parametrize("kind", ["csv", "parquet", "feather", "xlsx", "dta", "polars"])
def test_equal_releases(kind, folder, expected):
    table = mixed(400, seed=5)
    assert expected.groupby(KEYS, dropna=False).size().min() >= 4
    if kind == "polars":
        found = protect(pl.from_pandas(table), folder).data.to_pandas()
    else:
        path = folder / f"table.{kind}"
        if kind == "csv":
            table.to_csv(path, index=False)
        elif kind == "parquet":
            table.to_parquet(path, index=False)
        elif kind == "feather":
            table.to_feather(path)
        elif kind == "xlsx":
            pytest.importorskip("openpyxl")
            table.to_excel(path, index=False)
        else:
            pytest.importorskip("pyreadstat")
            table.assign(
                born=pd.to_datetime(table["born"]), married=table["married"].astype("int8")
            ).to_stata(path, write_index=False, convert_dates={"born": "td"})
        release = protect(path, folder)
        out = folder / f"released.{kind}"
        release.write(out)
        found = read(out).frame.to_arrow().to_pandas()
    pd.testing.assert_frame_equal(plain(found), expected, check_dtype=False)
