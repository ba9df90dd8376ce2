"""Text in blocks: the types and values that reading the whole file gives."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest

import coterie
from coterie.distributed import anonymize
from coterie.errors import DataError
from coterie.table.formats import blocks
from coterie.table.read import read
from tests.mixed import KEYS, ORDERS, mixed


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 1500)


def converted(path, folder, **options):
    folder.mkdir()
    given = {"delimiter": None, "encoding": None, "line_breaks": False, **options}
    parts, _ = blocks.convert([path], folder, tell=lambda share: None, **given)
    assert len(parts) > 1
    return pa.concat_tables([pa.parquet.read_table(part) for part in parts])


# Each column changes what it looks like on the way: of 200 values, the last ones are the odd ones.
COLUMNS = {
    "whole then fraction": ["1"] * 190 + ["2.5"] * 10,
    "whole then long": ["1"] * 190 + ["12345678901234567890"] * 10,
    "long, then fraction": ["9007199254740993"] * 190 + ["2.5"] * 10,
    "whole then word": ["7"] * 199 + ["seven"],
    "gaps first": [""] * 150 + ["3"] * 50,
    "no value": [""] * 200,
    "zeros": ["1"] * 199 + ["007"],
    "true": ["true"] * 190 + ["false"] * 10,
    "True then true": ["True"] * 190 + ["false"] * 10,
    "dates": ["2020-02-29"] * 199 + ["2021-01-01"],
    "date then time": ["2020-02-29"] * 199 + ["2021-01-01 10:00"],
    "times": ["2020-02-29 10:00"] * 199 + ["2021-01-01 10:00:00.123456"],
    "zones": ["2020-02-29T10:00Z"] * 199 + ["2021-01-01T10:00"],
    "bad day": ["2020-02-29"] * 199 + ["2021-02-29"],
    "quoted": ['"a, ""b"""'] * 199 + ['"two\nlines"'],
    "nan": ["1.5"] * 199 + ["nan"],
    "infinite": ["1"] * 199 + ["inf"],
    "days": ["03/04/1999"] * 199 + ["23/04/1999"],
    "months": ["03/04/1999"] * 199 + ["03/24/1999"],
    "neither": ["03/04/1999"] * 198 + ["03/24/1999", "24/03/1999"],
    "days and hours": ["3.4.1999 09:10"] * 150 + ["23.04.1999 09:11"] * 49 + ["23.04.1999 9:1:07"],
    "a day that is not": ["03.04.1999"] * 199 + ["31.04.1999"],
    "money": ['"1,200.00 €"'] * 199 + ['"7.5 €"'],
    "money of two": ["€ 12.00"] * 199 + ["$ 12.00"],
    "percent": ["12 %"] * 199 + ["12.5 %"],
    "thousands": ['"1,234"'] * 199 + ['"1,234.5"'],
    "codes with signs": ["12 €"] * 199 + ["012 €"],
    "a sign then none": ["12 €"] * 199 + ["12"],
}
UNCLEAR = {"03/04/1999": "day or month", "1999/04/03": ""}


@pytest.mark.parametrize("value", UNCLEAR)
@pytest.mark.parametrize("dates", [None, "day-first", "text"])
def test_dates_that_nobody_can_read_are_asked_for(tmp_path, value, dates):
    path = tmp_path / "in.csv"
    rows = [f"{value},{number},{'x' * 30}" for number in range(200)]
    path.write_text("\n".join(["day,number,other", *rows]) + "\n")
    wanted = {"k": 3, "quasi_identifiers": ["day", "number"], "method": "mdav"}
    told = []
    for release in (
        lambda: coterie.anonymize(read(path, dates=dates), **wanted),
        lambda: anonymize(path, tmp_path / "out.csv", engine="tiles", dates=dates, **wanted),
    ):
        try:
            release()
            told.append("")
        except coterie.CoterieError as error:
            told.append(str(error))
    assert told[0] == told[1]
    assert bool(told[0]) == (dates is None and bool(UNCLEAR[value]))
    assert UNCLEAR[value] in told[0] or dates is not None


def test_notations_are_written_back(tmp_path):
    path = tmp_path / "in.csv"
    rows = [f"{n % 28 + 1:02d}.07.1999;{n}.{n:03d},50 €;{'x' * 30}" for n in range(1, 200)]
    path.write_text("\n".join(["day;paid;other", *rows]) + "\n", encoding="utf-8")
    wanted = {"k": 3, "quasi_identifiers": ["day", "paid"], "method": "mdav", "random_state": 1}
    coterie.anonymize(path, **wanted).write(tmp_path / "one.csv")
    anonymize(path, tmp_path / "other.csv", engine="tiles", **wanted)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()


@pytest.mark.parametrize("name", COLUMNS)
def test_types_and_values_are_those_of_the_file_in_memory(tmp_path, name):
    path = tmp_path / "in.csv"
    rows = [f"{value},{'x' * 30}" for value in COLUMNS[name]]
    path.write_text("\n".join([f'"{name}",other', *rows]) + "\n")
    expected = read(path).frame.to_arrow()
    found = converted(path, tmp_path / "parts")
    assert found.schema.types == expected.schema.types
    one, other = (t.column(name).to_pandas() for t in (found, expected))
    pd.testing.assert_series_equal(one, other)


def test_semicolons_decimal_commas_and_encodings(tmp_path):
    path = tmp_path / "in.csv"
    lines = ["größe;ort", *(f"{i},5;Köln und Umgebung" for i in range(200))]
    path.write_bytes("\n".join(lines).encode("cp1252"))
    found = converted(path, tmp_path / "parts")
    assert found.column("größe").to_pylist() == [i + 0.5 for i in range(200)]
    assert set(found.column("ort").to_pylist()) == {"Köln und Umgebung"}
    path.write_bytes("\n".join(lines).encode("utf-16"))
    assert converted(path, tmp_path / "wide").equals(found)
    assert converted(path, tmp_path / "given", encoding="utf-16", delimiter=";").equals(found)


def test_a_csv_file_is_protected_like_its_parquet_twin(tmp_path):
    table = mixed(400)
    table.to_csv(tmp_path / "in.csv", index=False)
    pa.parquet.write_table(read(tmp_path / "in.csv").frame.to_arrow(), tmp_path / "in.parquet")
    wanted = {"k": 3, "quasi_identifiers": KEYS, "identifiers": ["name", "email"]}
    wanted |= {"orders": ORDERS, "missing": "drop", "method": "mdav", "engine": "tiles"}
    for name in ("in.csv", "in.parquet"):
        anonymize(tmp_path / name, tmp_path / f"out-{name[3:]}", tile=100, **wanted)
    one, other = (pa.parquet.read_table(tmp_path / f"out-{n}") for n in ("csv", "parquet"))
    assert one.equals(other)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"a,b\n", "no rows"),
        (b"a,a\n1,2\n", "must differ"),
        (b"a,b\n1,2\n3\n" + b"1,2\n" * 900, "line 3, at '3': it has 1 fields and the header has 2"),
        (b"a,b\n" + b"1,x\n" * 70_000 + b"1,\xff\n", "cannot be read as text separated by"),
        (b"PAR1\x15\x04", "Got a Parquet file"),
    ],
)
def test_text_that_is_no_table_is_refused(tmp_path, content, message):
    (tmp_path / "in.csv").write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        anonymize(tmp_path / "in.csv", tmp_path / "out", 2, ["a"], engine="tiles")
    assert "\n" not in str(caught.value)
