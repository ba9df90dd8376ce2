"""Reports and dominance of columns at the ends of what their types hold."""

from __future__ import annotations

import datetime as dt
import json

import numpy as np
import pyarrow as pa
import pytest

import coterie
from coterie.errors import CoterieError
from coterie.report import summary

DAYS = [dt.date(2011, 1, 1 + i) for i in range(12)]


@pytest.mark.parametrize("kind", ["public", "internal"])
@pytest.mark.parametrize(
    ("values", "options"),
    [
        (pa.array(DAYS), {"types": {"a": "datetime"}}),
        (pa.array(np.linspace(-1, 1, 12) * 1.7e308), {}),
        (pa.array(np.linspace(0, 1e-300, 12)), {}),
    ],
)
def test_a_report_is_written(values, options, kind):
    made = coterie.anonymize(pa.table({"a": values}), 3, ["a"], method="mdav", **options)
    told = summary(made, kind)
    (column,) = told["columns"]
    assert column["kind"] == ("number" if options else "none")
    assert json.dumps(told, default=str)


@pytest.mark.parametrize("kind", ["public", "internal"])
@pytest.mark.parametrize("days", [(18262, 2932896), (-719162, 2932896), (-(2**31), 2**31 - 1)])
def test_days_at_the_ends_of_the_calendar_are_drawn(days, kind, tmp_path):
    """The last one stands for "for ever" in many registers; Arrow's days go further."""
    values = np.linspace(*days, 30).astype("int32")
    made = coterie.anonymize(
        pa.table({"a": pa.array(values).view(pa.date32())}), 3, ["a"], method="mdav"
    )
    made.report(tmp_path / "report.html", kind=kind)
    assert "<svg" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_weights_near_zero_warn_of_nothing():
    table = pa.table({"a": list(range(12)), "w": [5e-324] * 6 + [1.0] * 6})
    made = coterie.anonymize(table, 3, ["a"], method="mdav", sample_weight="w", declared=["w"])
    assert summary(made, "internal")


@pytest.mark.parametrize("unit", [1.0, 1e300, 1e-300])
def test_dominance_is_the_same_in_any_unit(unit):
    one = [1.0] * 5 + [100.0]
    table = pa.table({"a": [1] * 6 + [9] * 6, "amount": [v * unit for v in one + [1.0] * 6]})
    for limit in ({"dominance": {"amount": (1, 80)}}, {"p_percent": {"amount": 10}}):
        with pytest.raises(CoterieError, match=next(iter(limit))):
            coterie.verify(table, 3, ["a"], **limit)
    mild = coterie.verify(table, 3, ["a"], dominance={"amount": (1, 99)})
    assert mild.findings[0].worst == pytest.approx(100 * 100 / 105)
