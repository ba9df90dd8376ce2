"""Bins of a histogram have a width, whatever the values are and however few digits are told."""

from __future__ import annotations

import datetime as dt
import itertools
import json

import numpy as np
import pandas as pd
import pytest

import coterie

TABLES = {
    "one date long ago": [dt.date(year, 5, 4) for year in (1071, 1323, 1513, 1656)] * 2,
    "all centuries": [dt.date(year, 5, 4) for year in (1, 2, 3, 4, 5, 9997, 9998, 9999)],
    "seconds of one day": pd.date_range("2024-05-01", periods=8, freq="s"),
    "large and close": 1e15 + np.arange(8.0),
    "large integers": 2**52 + np.arange(8),
    "constant": [1e200] * 8,
    "small": 1e-300 * np.arange(8.0),
}


@pytest.mark.parametrize("kind", ["internal", "public"])
@pytest.mark.parametrize("name", TABLES)
def test_bins_have_a_width(name, kind, tmp_path):
    table = pd.DataFrame({"a": TABLES[name], "b": range(8)})
    release = coterie.anonymize(
        table, 4, ["a", "b"], method="mdav", declared=["a", "b"], row_order="keep"
    )
    release.report(tmp_path / "r.json", kind=kind)
    release.report(tmp_path / "r.html", kind=kind)  # no warning: they are errors here
    told = json.loads((tmp_path / "r.json").read_text())
    for column in told["columns"]:
        edges = column.get("edges", [0, 1])  # numbers of which all are told alike have none
        assert all(low < high for low, high in itertools.pairwise(edges)), edges
