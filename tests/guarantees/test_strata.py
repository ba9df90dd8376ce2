"""Strata beside plain pandas: who may share a group, and what becomes of small ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from coterie.errors import DataError
from coterie.guarantees.pooling import Settled, cell_key, settle
from coterie.guarantees.strata import cells_of, form_strata
from coterie.table import infer, read

NAN = float("nan")


def table(rng, n=60):
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "region": rng.choice(["n", "s", "w"], n, p=[0.6, 0.35, 0.05]),
            "year": rng.choice([2020, 2021], n),
            "firm": rng.integers(0, 25, n),
        }
    )


def formed(data, gaps=None, units=None, k=3, small="merge", rows=None, **more):
    source = read(data)
    schema = infer(source, quasi_identifiers=["age"], strata=["region", "year"])
    gaps = np.zeros((len(data), 1), dtype=np.int16) if gaps is None else gaps
    rows = np.arange(len(data)) if rows is None else rows
    return form_strata(source, schema, rows, gaps, units, k, small, **more)


def members(strata):
    return sorted(sorted(strata.rows[part].tolist()) for part in strata.parts)


def test_without_small_ones_strata_are_the_groups_of_pandas(rng):
    data = table(rng, 400)
    expected = sorted(sorted(rows) for rows in data.groupby(["region", "year"]).groups.values())
    assert min(map(len, expected)) >= 3
    strata = formed(data)
    assert members(strata) == expected
    assert (strata.names, strata.merged, strata.released) == (("region", "year"), 0, {})


def test_records_with_other_gaps_stand_apart(rng):
    data = table(rng, 400)
    gaps = rng.integers(0, 3, size=(400, 1)).astype(np.int16)
    data["gap"] = gaps[:, 0]
    expected = data.groupby(["region", "year", "gap"]).groups.values()
    assert members(formed(data.drop(columns="gap"), gaps, k=1)) == sorted(map(sorted, expected))


def test_small_ones_are_refused_with_their_sizes():
    data = pd.DataFrame({"age": range(9), "region": [*"nnnnnnn", "s", "s"], "year": [2020] * 9})
    message = r"at least k = 3 units\. Got 1 with fewer: region='s', year=2020 \(2\)\. Use small"
    with pytest.raises(DataError, match=message):
        formed(data, small="error")


def test_small_ones_are_dropped_whole():
    data = pd.DataFrame({"age": range(9), "region": [*"nnnnnnn", "s", "s"], "year": [2020] * 9})
    strata = formed(data, small="drop")
    assert members(strata) == [[0, 1, 2, 3, 4, 5, 6]]
    with pytest.raises(
        DataError, match=r"At least one stratum must have k = 8 units. Got none of 2"
    ):
        formed(data, k=8, small="drop")


def test_small_ones_are_pooled_and_say_so():
    data = pd.DataFrame(
        {"age": range(10), "region": [*"nnnnnn", "s", "s", "w", "w"], "year": [2020] * 10}
    )
    strata = formed(data)
    assert members(strata) == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9]]
    assert strata.merged == 4
    assert strata.released["region"].to_pylist() == ["n"] * 6 + ["other"] * 4
    assert set(strata.released) == {"region"}  # the year is one and the same
    named = formed(data, pooled="elsewhere")
    assert named.released["region"].to_pylist() == ["n"] * 6 + ["elsewhere"] * 4


def test_units_count_and_not_records():
    data = pd.DataFrame({"age": range(8), "region": [*"nnnnssss"], "year": [2020] * 8})
    units = np.array([0, 1, 2, 3, 4, 4, 5, 5])  # four records of the south, of two units
    assert len(formed(data, units=units, k=2).parts) == 2
    assert formed(data, units=units, k=3).merged == 8  # the north had to help


def test_only_the_records_asked_for_are_kept(rng):
    data = table(rng, 200)
    rows = np.flatnonzero(data.region != "w")
    strata = formed(data, rows=rows, k=2)
    assert sorted(strata.rows.tolist()) == rows.tolist()
    assert members(strata) == sorted(
        sorted(part) for part in data.iloc[rows].groupby(["region", "year"]).groups.values()
    )


def test_a_cell_knows_its_values_and_gaps():
    data = pd.DataFrame({"age": [1, 2, 3, 4], "region": ["n", "n", "s", "n"]})
    gaps = np.array([[0, 0], [0, 2], [1, 1], [0, 0]], dtype=np.int16)
    codes, found = cells_of(read(data), ["region"], gaps)
    assert codes[0] == codes[3]
    assert len(set(codes.tolist())) == len(found) == 3
    cells = [found[code] for code in codes]
    assert cells[0] == cells[3] == (("n",), 0)
    assert cells[1] == (("n",), 2 << 16)
    assert cells[2] == (("s",), 1 + (1 << 16))
    assert sorted(cells, key=cell_key)[-1] == cells[2]


def test_what_is_settled_numbers_what_is_kept():
    settled = Settled(dropped=[1], pools=[[0, 3]])
    assert settled.strata(np.array([5, 1, 4, 2, 0])).tolist() == [0, -1, 1, 0, -1]
    nobody = settle((), (), [((), 0)], np.array([9]), lambda some: 9, 3, "error")
    assert nobody == Settled()


def test_values_that_a_reader_tells_apart_are_named():
    data = pd.DataFrame({"age": range(6), "rate": [1.0, 1.0, 1.0, 1.0, 0.0, -0.0]})
    source = read(data)
    schema = infer(source, quasi_identifiers=["age"], strata=["rate"])
    gaps = np.zeros((6, 1), dtype=np.int16)
    with pytest.raises(DataError, match=r"strata of their own, in 'rate'; make them one value"):
        form_strata(source, schema, np.arange(6), gaps, None, 2, "error")
