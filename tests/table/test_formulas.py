"""Text that a spreadsheet would run is marked in CSV files, and comes back as it was."""

from __future__ import annotations

import csv

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from coterie import distributed
from coterie.cli import main
from coterie.table import read, write
from coterie.table.formats import formulas

RUN = [
    "=1+1",
    "@SUM(A1)",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "-x",
    "\t=1",
    "＝1",
    "- a",
    "-\n",
    '=HYPERLINK("x")',
]
LEFT = ["-9", "+49 30 1234", "-", "+1.5e-3", "-1,5 %", "a=b", "'x", "", "x", "#N/A"]


def fields(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))


def test_what_is_a_formula():
    assert [text for text in RUN + LEFT if formulas.is_formula(text)] == RUN
    assert formulas.found(pa.array([*RUN, *LEFT, None])).to_pylist() == (
        [True] * len(RUN) + [False] * (len(LEFT) + 1)
    )


@given(st.text(alphabet="=+-@' \t1,.e%xＡ＝\r\n", max_size=6))
def test_one_text_and_a_column_agree_and_marks_come_off(text):
    column = pa.chunked_array([[text]])
    assert formulas.found(column).to_pylist() == [formulas.is_formula(text)]
    marked = formulas.marked(text)
    assert not formulas.is_formula(marked)
    if not text.startswith("'"):
        assert formulas.unmarked(pa.chunked_array([[marked]])).to_pylist() == [text]


def release(path, **plan):
    table = pd.DataFrame(
        {
            "age": [30, 31, 32, 50, 51, 52],
            "job": pd.Categorical(["=a()"] * 3 + ["b"] * 3),
            "note": ["=1+1", "-9", "+x", "-", '=A1&","&"b"', None],
            "@at": [-1.5, 2.0, 3.0, 4.0, 5.0, 6.0],
        }
    )
    made = coterie.anonymize(
        table,
        k=3,
        quasi_identifiers=["age", "job"],
        declared=["note", "@at"],
        method="mdav",
        row_order="keep",
        **plan,
    )
    made.write(path)
    return made


def test_a_release_is_safe_to_open_and_reads_back_as_it_was(tmp_path):
    path = tmp_path / "out.csv"
    made = release(path)
    assert made.formula_cells == {"job": 3, "note": 3, "@at": 1}
    head, *rows = fields(path)
    assert head == ["age", "job", "note", "'@at"]
    assert [row[1] for row in rows] == ["'=a()"] * 3 + ["b"] * 3
    assert [row[2] for row in rows] == ["'=1+1", "-9", "'+x", "-", '\'=A1&","&"b"', ""]
    assert rows[0][3] == "-1.5"
    back = read(path).frame
    assert back["note"].to_list() == ["=1+1", "-9", "+x", "-", '=A1&","&"b"', None]
    assert back.columns == ["age", "job", "note", "@at"]
    assert coterie.verify(path, 3, ["age", "job"])
    again = tmp_path / "again.csv"
    source = read(path)
    write(source, source.frame, again)
    assert again.read_bytes() == path.read_bytes()


def test_by_choice_it_stands_in_quotes_or_as_it_is(tmp_path):
    release(tmp_path / "quoted.csv", formulas="quote")
    text = (tmp_path / "quoted.csv").read_text()
    assert ',"=a()","=1+1",' in text
    assert text.startswith('age,job,note,"@at"\n')
    release(tmp_path / "kept.csv", formulas="keep")
    text = (tmp_path / "kept.csv").read_text()
    assert ",=a(),=1+1," in text
    with pytest.raises(coterie.ParameterError, match=r"formulas.*prefix.*Got 'escape'"):
        release(tmp_path / "x.csv", formulas="escape")
    assert not (tmp_path / "x.csv").exists()


def test_the_command_tells(tmp_path, capsys):
    path = tmp_path / "in.csv"
    path.write_text("age,note\n" + "".join(f"{30 + i},=x{i % 2}\n" for i in range(8)))
    arguments = ["anonymize", str(path), "-k", "3", "-q", "age", "--method", "mdav"]
    assert main([*arguments, "-o", str(tmp_path / "out.csv")]) == 0
    told = " ".join(capsys.readouterr().err.split())
    assert "8 texts of note begin with ' in the file" in told
    assert main([*arguments, "-o", str(tmp_path / "out.parquet")]) == 0
    assert "texts of note" not in capsys.readouterr().err
    assert pq.read_table(tmp_path / "out.parquet")["note"].to_pylist()[0].startswith("=x")


@pytest.mark.parametrize("engine", ["memory", "tiles"])
@pytest.mark.parametrize("formulas", ["prefix", "quote", "keep"])
def test_a_text_with_a_mark_of_its_own_is_written_as_it_is(tmp_path, engine, formulas):
    notes = ["'=x", "'=x", "it's", "'", "''=x", "x", "x", "x"]
    pq.write_table(pa.table({"age": list(range(8)), "note": notes}), tmp_path / "in.parquet")
    out = tmp_path / "out.csv"
    given = {"method": "mdav", "declared": ["note"], "formulas": formulas}
    if engine == "memory":
        coterie.anonymize(tmp_path / "in.parquet", 3, ["age"], **given).write(out)
    else:
        distributed.anonymize(tmp_path / "in.parquet", out, 3, ["age"], engine=engine, **given)
    released = sorted(row[1] for row in fields(out)[1:])
    assert released == sorted(notes)


def test_marks_come_off_in_parts_too(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("age,'=job\n" + "".join(f"{30 + i},'=x\n" for i in range(8)))
    distributed.anonymize(path, tmp_path / "out", 3, ["age"], engine="tiles", method="mdav")
    released = read(tmp_path / "out").frame if (tmp_path / "out").is_file() else None
    table = pq.read_table(tmp_path / "out") if released is None else released.to_native()
    assert table["=job"].to_pylist() == ["=x"] * 8
