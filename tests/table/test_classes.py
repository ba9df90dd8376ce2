"""One equality: what a reader of the written file can tell apart is different, everywhere."""

from __future__ import annotations

import math
import struct
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from coterie.distributed import anonymize
from coterie.table import read
from coterie.table.classes import class_codes, hashable, value_codes
from coterie.table.source import from_frame
from tests.pipeline.conftest import write_parts

NAN = float("nan")
ODD = [0.0, -0.0, NAN, None, 1.0, math.inf, -math.inf, 5e-324]


def token(value):
    """What a reader sees of a number: its bits, but any NaN for any other."""
    if value is None:
        return "missing"
    return "nan" if value != value else struct.pack("d", value)


def sizes(codes):
    return sorted(Counter(codes.tolist()).values())


@given(st.lists(st.tuples(st.sampled_from(ODD), st.sampled_from(["a", "a ", "", None]))))
def test_classes_agree_with_a_plain_count(rows):
    rows = [*rows, (0.0, "a")]
    x, y = zip(*rows, strict=True)
    table = pa.table({"x": pa.array(x, pa.float64()), "y": pa.array(y, pa.string())})
    for kind in (table, pl.from_arrow(table)):
        found = class_codes(from_frame(kind), ["x", "y"])
        seen = Counter((token(a), b) for a, b in rows)
        assert sizes(found) == sorted(seen.values())
        meant = Counter((None if a is None or a != a else a + 0.0, b) for a, b in rows)
        assert sizes(value_codes(from_frame(kind), ["x", "y"])) == sorted(meant.values())
    assert len({hashable(a) for a in x}) == len({token(a) for a in x})


@pytest.mark.parametrize("kind", [pa.float16(), pa.float32(), pa.float64()])
def test_floats_of_every_width_count_by_their_bits(kind):
    values = np.array([0.0, -0.0, NAN, 2.0], dtype=kind.to_pandas_dtype())
    column = pa.array([*values, None], kind)
    if kind != pa.float16():
        column = pa.concat_arrays([column, column.dictionary_encode().cast(kind)])
    found = class_codes(from_frame(pa.table({"x": column})), ["x"])
    assert len(set(found.tolist())) == 5


def mixed_gaps(nans=1, nulls=2):
    """Records of which some miss their stratum: as NaN, and as null."""
    n = 12
    z = [31.0] * (n - nans - nulls) + [NAN] * nans + [None] * nulls
    return pa.table({"x": np.arange(n) % 4 + 0.5, "z": pa.array(z, pa.float64())})


ASKED = {"k": 3, "quasi_identifiers": ["x"], "strata": ["z"], "method": "mdav"}


@pytest.mark.parametrize("kind", ["csv", "parquet", "polars", "pyarrow"])
def test_a_stratum_of_nan_is_not_one_of_missing_values(kind, tmp_path):
    table = mixed_gaps()
    if kind == "csv":
        rows = zip(table["x"].to_pylist(), table["z"].to_pylist(), strict=True)
        lines = [f"{x},{'' if z is None else z}" for x, z in rows]
        (tmp_path / "in.csv").write_text("\n".join(["x,z", *lines]) + "\n")
        given = tmp_path / "in.csv"
    elif kind == "parquet":
        pq.write_table(table, tmp_path / "in.parquet")
        given = tmp_path / "in.parquet"
    else:
        given = pl.from_arrow(table) if kind == "polars" else table
    with pytest.raises(coterie.DataError, match=r"z=nan \(1\); z=None \(2\).*can tell NaN") as e:
        coterie.anonymize(given, **ASKED)
    assert "\n" not in str(e.value)
    assert len(coterie.anonymize(given, small_strata="drop", **ASKED).frame) == 9
    merged = coterie.anonymize(given, small_strata="merge", **ASKED)
    assert merged.evidence.internal["records_in_merged_strata"] == 3
    seen = merged.frame["z"].to_arrow().to_pylist()
    assert min(Counter(seen).values()) >= 3


def test_enough_of_both_are_released_apart(tmp_path):
    table = pa.concat_tables([mixed_gaps(3, 4)] * 2)
    release = coterie.anonymize(table, **ASKED)
    for name in ("out.parquet", "out.feather", "out.csv"):
        release.write(tmp_path / name)
        coterie.verify(tmp_path / name, 3, ["x"], strata=["z"])


def test_parts_keep_nan_and_missing_apart(tmp_path):
    n = 400
    values = [31.0] * (n - 10) + [None] * 5 + [NAN] * 5
    table = pa.table({"x": np.arange(n) * 1.0, "z": pa.array(values, pa.float64())})
    folder = tmp_path / "in"
    folder.mkdir()
    for part in range(4):
        pq.write_table(table.slice(part * 100, 100), folder / f"{part}.parquet")
    asked = {"quasi_identifiers": ["x"], "strata": ["z"], "declared": ["x"], "engine": "tiles"}
    with pytest.raises(coterie.DataError, match=r"z=nan \(5\); z=None \(5\).*can tell NaN"):
        anonymize(folder, tmp_path / "out.parquet", 6, **asked)
    done = anonymize(folder, tmp_path / "out.parquet", 5, **asked)
    assert done.verification.achieved >= 5
    written = pq.read_table(tmp_path / "out.parquet")
    assert Counter(map(token, written["z"].to_pylist())) == Counter(map(token, values))
    coterie.verify(tmp_path / "out.parquet", 5, ["x"], strata=["z"])


@pytest.mark.parametrize(
    ("usual", "odd"),
    [
        ("1", "1.0"),
        ("1.0", "1.00"),
        ("1.0", "1e0"),
        ("1", " 1"),
        ("1", "1 "),
        ("1", '"1"'),
        ("a", '"a"'),
        ("", '""'),
        ("1.5", "1.50"),
        ("0.0", "-0.0"),
        ("nan", ""),
        ("nan", "NaN"),
        ("2020-01-01T10:00:00Z", "2020-01-01T11:00:00+01:00"),
        ("2020-01-01T10:00:00", "2020-01-01 10:00:00"),
        ("2020-01-01T10:00:00", "2020-01-01T10:00:00.0"),
        ("é", "e\u0301"),
    ],
)
def test_a_file_counts_as_it_is_spelled(usual, odd, tmp_path):
    path = tmp_path / "released.csv"
    other = "7" if usual not in ("", "a", "é") else "b"
    other = usual.replace("2020", "2021") if usual.startswith("2020") else other
    rows = [usual] * 4 + [odd] + [other] * 5
    path.write_text("\n".join(["x,y", *(f"{cell},0" for cell in rows)]) + "\n")
    with pytest.raises(coterie.NotKAnonymous) as failure:
        coterie.verify(path, 4, ["x", "y"])
    assert failure.value.achieved == 1
    assert len(failure.value.violations) == 1
    path.write_text(path.read_text().replace(f"\n{odd},", f"\n{usual},"))
    assert coterie.verify(path, 5, ["x", "y"]).classes == 2


def test_the_refusal_names_the_columns_that_are_spelled_in_several_ways(tmp_path):
    path = tmp_path / "released.csv"
    path.write_text("x,y\n" + "1,0\n" * 5 + "1.0,0\n")
    with pytest.raises(coterie.NotKAnonymous, match="Values of x are spelled in several") as e:
        coterie.verify(path, 2, ["x", "y"])
    assert e.value.spelled == ("x",)
    assert e.value.violations == [{"x": "1.0", "y": 0, "units": 1}]
    assert e.value.counts["spelled_in_several_ways"] == ["x"]


def test_quotes_that_are_mere_characters_do_no_harm(tmp_path):
    path = tmp_path / "released.csv"
    path.write_text('x,y\n5" pipe,1\n5" pipe,1\n"6, or 7",1\n"6, or 7",1\n')
    assert coterie.verify(path, 2, ["x", "y"]).classes == 2
    path.write_text('x,y\n"say ""so""",1\n"say ""so""",1\n')
    assert coterie.verify(path, 2, ["x", "y"]).classes == 1


def test_units_and_confidential_values_count_by_what_they_mean(tmp_path):
    path = tmp_path / "released.csv"
    path.write_text("x,who,ill\n1,7,3\n1,7.0,3.0\n")
    with pytest.raises(coterie.NotKAnonymous):
        coterie.verify(path, 2, ["x"], unit="who")
    path.write_text("x,who,ill\n1,7,3\n1,8,3.0\n")
    with pytest.raises(coterie.NotAdmissible):
        coterie.verify(path, 2, ["x"], unit="who", confidential=["ill"], min_distinct=2)
    gaps = pa.table({"x": [1.0, 1.0], "ill": pa.array([NAN, None], pa.float64())})
    with pytest.raises(coterie.NotAdmissible):
        coterie.verify(gaps, 2, ["x"], confidential=["ill"], min_distinct=2)


def test_numbers_and_texts_of_a_workbook_differ(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["x"], [1], [1], [1], ["1"], ["b"], ["b"]):
        book.active.append(row)
    book.save(tmp_path / "released.xlsx")
    with pytest.raises(coterie.NotKAnonymous) as failure:
        coterie.verify(tmp_path / "released.xlsx", 2, ["x"])
    assert failure.value.achieved == 1


def test_special_missing_values_of_stata_differ(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    table = pd.DataFrame({"x": [1.0, 1.0, "a", None, None]})
    pyreadstat.write_dta(table, tmp_path / "r.dta", missing_user_values={"x": ["a"]})
    with pytest.raises(coterie.NotKAnonymous) as failure:
        coterie.verify(tmp_path / "r.dta", 2, ["x"])
    assert failure.value.achieved == 1


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "feather", "xlsx", "sav", "dta"])
def test_what_was_spelled_in_many_ways_is_released_in_one(ending, tmp_path):
    for package in ("openpyxl", "pyreadstat"):
        pytest.importorskip(package)
    rng = np.random.default_rng(3)
    ways = np.array(["1", "1.0", "1.00", "1e0", " 1", "2", "2.0 "])
    when = np.array(["2020-01-01T10:00:00Z", "2020-01-01T11:00:00+01:00"])
    lines = [
        f"{rng.normal():.3f},{rng.choice(ways)},{rng.choice(when)},{rng.choice(ways)}"
        for _ in range(200)
    ]
    (tmp_path / "in.csv").write_text("\n".join(["x,z,t,q", *lines]) + "\n")
    release = coterie.anonymize(
        tmp_path / "in.csv", 3, ["x", "q"], strata=["z", "t"], method="mdav"
    )
    release.write(tmp_path / f"out.{ending}")
    found = coterie.verify(tmp_path / f"out.{ending}", 3, ["x", "q"], strata=["z", "t"])
    assert found.classes == release.verification.classes


def test_pandas_tables_count_as_they_are_read(tmp_path):
    table = pd.DataFrame(
        {"x": [1.0, 1.0, np.nan, None], "y": pd.array([1, 1, None, pd.NA], "Int8")}
    )
    assert coterie.verify(table, 2, ["x", "y"]).classes == 2
    kept = write_parts(table, tmp_path / "parts", 1) / "part-1.parquet"
    assert len(read(kept).frame) == 4
