"""Quotes in text files: no record is ever swallowed by a field that was not closed."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from coterie.cli import main
from coterie.errors import DataError, ParameterError
from coterie.table import read, write
from coterie.table.formats import blocks, quotes
from tests import naive_csv

HEADER = "id,name,note,age\n"


def verdict(text, size=None, **options):
    """What reading `text` in blocks of `size` bytes says: None, or the message."""
    content = text.encode()
    size = size or len(content) + 1
    blocks = [content[i : i + size] for i in range(0, len(content), size)]
    try:
        quotes.check(blocks, ",", "a.csv", **options)
        quotes.count_fields(blocks, ",", "a.csv")
    except DataError as error:
        return str(error)
    return None


def patients(notes):
    rows = [f"{i},Person {i},{note},{20 + i}" for i, note in enumerate(notes)]
    return HEADER + "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    ("notes", "message"),
    [
        (["x", '"5 ft', "y", "z"], "line 3, at .*never closed"),
        (['"5 ft', "y", '"6 ft', "z"], "line 4.*text follows a closing quote"),
        (['"5 ft', "y", '6"', "z"], "line 2.*runs on over line 3.*whole record"),
        (['"5 ft', '6"', "y", "z"], "line 2.*runs on over line 3.*whole record"),
        (['"5 ft', *["y"] * 9, '6"'], "line 2.*more than 5 line breaks"),
        (['"5 ft" tall', "y"], "line 2.*text follows a closing quote"),
        (['"a""b', "y"], "line 2.*never closed"),
        (["x", "a,b"], "line 3.*it has 5 fields and the header has 4"),
        (['"a\nb"', "x,y"], "line 4.*it has 5 fields"),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 64, None])
def test_what_may_swallow_records_is_refused(notes, message, size):
    found = verdict(patients(notes), size)
    assert found is not None
    assert re.search(message, found), found
    assert "\n" not in found


@pytest.mark.parametrize(
    "notes",
    [
        ['"5\' 10"""', '""', '"a, b"', '"""quoted"""'],
        ["5' 10\"", 'say ""no""', 'x"y"z', ' "x"'],
        ['"two\nlines"', '"with, commas,\nand, more"', '"one\n\ntwo\nthree"'],
        ['"\n"', '",\n,"', '"""\n"""'],
    ],
)
@pytest.mark.parametrize("size", [1, 3, 64, None])
def test_text_in_quotes_is_read(notes, size):
    assert verdict(patients(notes), size) is None


def test_the_way_to_allow_line_breaks(tmp_path):
    path = tmp_path / "a.csv"
    letter = "Dear sir,\n" * 20
    path.write_text(f'id,note\n1,"{letter}"\n2,x\n')
    with pytest.raises(DataError, match=r"line 2.*line_breaks=True \(--line-breaks\)"):
        read(path)
    source = read(path, line_breaks=True)
    assert source.frame["note"].to_list() == [letter, "x"]
    write(source, source.frame, tmp_path / "b.csv")  # what is written is quoted, and read back
    assert read(tmp_path / "b.csv", line_breaks=True).frame["note"].to_list() == [letter, "x"]
    with pytest.raises(ParameterError, match="'line_breaks' parameter of read must be True"):
        read(path, line_breaks="yes")
    write(source, source.frame, tmp_path / "b.parquet")
    with pytest.raises(ParameterError, match="means nothing for format 'parquet'"):
        read(tmp_path / "b.parquet", line_breaks=True)


@pytest.mark.parametrize("line", ["\n", "\r\n", "\r"])
def test_line_numbers_with_any_line_end(tmp_path, line):
    path = tmp_path / "a.csv"
    path.write_bytes(patients(["x", '"two\nlines"', '"5 ft', "y"]).replace("\n", line).encode())
    with pytest.raises(DataError, match=r"line 5, .*never closed"):
        read(path)


def test_a_long_record_is_looked_at_once_it_is_whole(monkeypatch):
    monkeypatch.setattr(quotes, "BLOCK", 16)
    content = ('a,b\n1,"' + "x" * 5000 + '"\n2,y\n').encode()
    looks = 0
    look = quotes._Scan._look

    def counted(self, **options):
        nonlocal looks
        looks += 1
        look(self, **options)

    monkeypatch.setattr(quotes._Scan, "_look", counted)
    quotes.check([content[i : i + 16] for i in range(0, len(content), 16)], ",", "a.csv")
    assert looks < 20  # the buffer doubles; one look a block would be 300


# Texts in which nearly everything is a border.
borders = st.text(st.sampled_from(list('a",,\n\n"')), max_size=40)


@given(borders, st.integers(1, 50), st.booleans())
@example('a,b\n"x\ny",1\n', 4, False)
@example('a\n"\n"', 1, False)
@example('""\n"', 2, True)
@example('a"b,c\n"d\n",e\n', 3, False)
def test_blocks_find_what_reading_by_characters_finds(text, size, line_breaks):
    for line in ("\n", "\r\n", "\r"):
        found = verdict(text.replace("\n", line), size, line_breaks=line_breaks)
        try:
            naive_csv.check(text, line_breaks=line_breaks)
            accepted = True
        except naive_csv.Refused:
            accepted = False
        assert (found is None) == accepted


@given(borders.filter(lambda t: t.strip()))
def test_what_is_accepted_holds_the_records_found_by_characters(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("borders") / "a.csv"
    path.write_bytes(text.encode())
    try:
        expected = naive_csv.check(text, line_breaks=True)
    except naive_csv.Refused:
        with pytest.raises(DataError):
            read(path, delimiter=",", line_breaks=True)
        return
    if len(expected) < 2 or len(set(expected[0])) < len(expected[0]):
        with pytest.raises(DataError, match=r"has no rows|differ"):
            read(path, delimiter=",", line_breaks=True)
        return
    source = read(path, delimiter=",", line_breaks=True)
    assert [source.frame.columns, *map(list, source.frame.rows())] == [
        expected[0],
        *[[field or None for field in fields] for fields in expected[1:]],
    ]


def test_random_edits_of_a_quoted_file_never_merge_records(rng):
    """A stray quote anywhere gives other text in a record, or a refusal: never fewer records."""
    plain = patients(['"5 ft, 2"', "tall", '"a ""b"" c"', '"", short', "x"][:3] * 30)
    lines = plain.count("\n")
    refused = 0
    for _ in range(400):
        text = plain
        for place in np.sort(rng.integers(len(HEADER), len(plain), rng.integers(1, 3)))[::-1]:
            text = text[:place] + '"' + text[place:]
        if verdict(text) is not None:
            refused += 1
            continue
        assert len(naive_csv.check(text, line_breaks=True)) == lines
    assert refused > 100


@pytest.mark.parametrize("size", [1500, 1 << 24])
def test_tiles_are_read_as_strictly(tmp_path, monkeypatch, size):
    monkeypatch.setattr(blocks, "BLOCK", size)
    path = tmp_path / "a.csv"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        for notes, message in (
            (["ä", *["x"] * 400, '"5 ft', "y"], "line 403, .*never closed"),
            (["ä", *["x"] * 400, '"5 ft', '6"'], "line 403, .*whole record"),
            (["ä", *["x"] * 400, "a,b", "y"], "line 403, .*5 fields"),
        ):
            path.write_bytes(patients(notes).encode(encoding))
            with pytest.raises(DataError, match=message):
                blocks.convert([path], tmp_path, None, None, False, lambda share: None)
            assert not list(tmp_path.glob("*.parquet")) or "fields" in message


@pytest.mark.parametrize("engine", ["memory", "tiles"])
@pytest.mark.parametrize("closed", [False, True])
def test_an_unbalanced_quote_releases_no_raw_record(tmp_path, capsys, engine, closed):
    notes = ["fine"] * 200
    notes[20] = '"5 ft'
    if closed:
        notes[22] = '6 ft"'
    path, target = tmp_path / "in.csv", tmp_path / "out.parquet"
    path.write_text(patients(notes))
    command = ["anonymize", str(path), "-o", str(target), "-k", "3", "-q", "age", "--drop", "name"]
    command += ["--declare", "id", "--method", "mdav", "--engine", engine, "--quiet"]
    assert main(command) == 2
    assert "line 22" in capsys.readouterr().err
    assert not target.exists()
