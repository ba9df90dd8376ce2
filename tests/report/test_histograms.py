"""Bins of a histogram have a width, whatever the values are and however few digits are told."""

from __future__ import annotations

import datetime as dt
import itertools
import json

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.report import html, summary
from coterie.report.plain import to_json

TABLES = {
    "one date long ago": [dt.date(year, 5, 4) for year in (1071, 1323, 1513, 1656)] * 2,
    "all centuries": [dt.date(year, 5, 4) for year in (1, 2, 3, 4, 5, 9997, 9998, 9999)],
    "seconds of one day": pd.date_range("2024-05-01", periods=8, freq="s"),
    "large and close": 1e15 + np.arange(8.0),
    "large integers": 2**52 + np.arange(8),
    "constant": [1e200] * 8,
    "small": 1e-300 * np.arange(8.0),
}


@pytest.fixture(scope="module", params=TABLES)
def release(request):
    table = pd.DataFrame({"a": TABLES[request.param], "b": range(8)})
    return coterie.anonymize(
        table, 4, ["a", "b"], method="mdav", declared=["a", "b"], row_order="keep"
    )


@pytest.mark.parametrize("kind", ["internal", "public"])
def test_bins_have_a_width(release, kind):
    told = json.loads(to_json(summary(release, kind)))
    html(told)  # no warning: they are errors here
    for column in told["columns"]:
        edges = column.get("edges", [0, 1])  # numbers of which all are told alike have none
        assert all(low < high for low, high in itertools.pairwise(edges)), edges
