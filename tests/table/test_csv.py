"""CSV: delimiters, encodings, types, and odd text that must come back as it was."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from coterie.errors import DataError, ParameterError
from coterie.table import read, write
from coterie.table.formats import csv, dialect

ISO = re.compile(r"(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d*[1-9])?)S)?)?")


@pytest.fixture
def from_bytes(tmp_path):
    def parse(content, name="a.csv", **options):
        path = tmp_path / name
        path.write_bytes(content)
        return read(path, **options)

    return parse


def column(source, name="a"):
    return source.frame[name].to_list()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
@pytest.mark.parametrize("line", ["\n", "\r\n", "\r"])
def test_delimiter_encoding_and_line_ends_are_found(from_bytes, delimiter, encoding, line):
    rows = [["größe", "b"], ["1", "é"], ["2", "x y"]]
    text = line.join(delimiter.join(row) for row in rows) + line
    source = from_bytes(text.encode(encoding))
    assert source.frame.to_dict(as_series=False) == {"größe": [1, 2], "b": ["é", "x y"]}
    assert source.details["delimiter"] == delimiter
    assert source.details["encoding"] == encoding


def test_delimiter_and_encoding_can_be_given(from_bytes):
    source = from_bytes("a:b\n1:ż\n".encode("cp1250"), delimiter=":", encoding="cp1250")
    assert column(source, "b") == ["ż"]
    with pytest.raises(ParameterError, match="Python knows"):
        from_bytes(b"a\n1\n", encoding="klingon")
    with pytest.raises(ParameterError, match="one ASCII character"):
        from_bytes(b"a\n1\n", delimiter=";;")
    with pytest.raises(DataError, match="offset 2"):
        from_bytes(b"a\n\xff\n", encoding="utf-8")


def test_decimal_commas_do_not_win_over_semicolons(from_bytes):
    source = from_bytes(b"a;b\n1,5;x\n-2;y\n")
    assert column(source) == [1.5, -2.0]
    assert source.details["decimal"] == ","
    both = from_bytes(b"a;b;c\n1,5;x;1.5\n2,0;y;2.5\n")  # each column has its own notation
    assert column(both) == [1.5, 2.0]
    assert both.frame["c"].to_list() == [1.5, 2.5]


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1", "-2", "0"], [1, -2, 0]),
        (["1", "", "3"], [1, None, 3]),
        (["00123", "1"], ["00123", "1"]),
        (["+49", "1"], ["+49", "1"]),
        (["-0", "1"], [-0.0, 1.0]),
        (["1.5", "2", ".5", "1e3"], [1.5, 2.0, 0.5, 1000.0]),
        ([" 5", "6 "], [5, 6]),
        (["-999", "5"], [-999, 5]),
        (["NA", "5"], ["NA", "5"]),
        (["NULL", "None", "null"], ["NULL", "None", "null"]),
        (["inf", "1"], [float("inf"), 1.0]),
        (["inf", "nan"], ["inf", "nan"]),
        (["true", "false", ""], [True, False, None]),
        (["TRUE", "FALSE"], [True, False]),
        (["true", "FALSE"], ["true", "FALSE"]),
        (["true", "1"], ["true", "1"]),
        (["9223372036854775807"], [9223372036854775807]),
        (["9223372036854775808", "1"], [Decimal("9223372036854775808"), Decimal(1)]),
        (["9" * 39], ["9" * 39]),
        (["9007199254740993", "1.5"], ["9007199254740993", "1.5"]),
        (["1e400", "1"], ["1e400", "1"]),
        (["1e300", "1"], [1e300, 1.0]),
        (["2020-02-29", ""], [dt.date(2020, 2, 29), None]),
        (["2021-02-29"], ["2021-02-29"]),
        (["2020-1-1"], ["2020-1-1"]),
        (["2020-01-01 10:00", "2020-01-01T11:00:30"], [dt.datetime(2020, 1, 1, 10),
                                                       dt.datetime(2020, 1, 1, 11, 0, 30)]),
        (["2020-01-01T10:00:00.25"], [dt.datetime(2020, 1, 1, 10, 0, 0, 250000)]),
        (["2020-01-01T10:00:00+02:00"], [dt.datetime(2020, 1, 1, 8, tzinfo=dt.UTC)]),
        (["2020-01-01T10:00", "2020-01-01T10:00Z"], ["2020-01-01T10:00", "2020-01-01T10:00Z"]),
    ],
)  # fmt: skip
def test_types_lose_nothing(from_bytes, texts, values):
    rows = "".join(f"{text},{i}\n" for i, text in enumerate(texts))
    assert column(from_bytes(f"a,b\n{rows}".encode())) == values


def test_nan_among_numbers_is_not_a_number(from_bytes):
    values = column(from_bytes(b"a,b\n1,x\nnan,y\n"))
    assert values[0] == 1.0
    assert values[1] != values[1]


def test_an_empty_field_is_missing_quoted_or_not(from_bytes):
    source = from_bytes(b'a,b\n,x\n"",y\n3,\n')
    assert column(source) == [None, None, 3]
    assert column(source, "b") == ["x", "y", None]
    assert column(from_bytes(b'a\n1\n""\n3\n')) == [1, None, 3]


def test_a_column_without_values_is_text(from_bytes):
    assert from_bytes(b"a,b\n,1\n,2\n").frame.to_native().schema.field("a").type == pa.string()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\n1\n", "line 2, at '1': it has 1 fields and the header has 2"),
        (b"a,b\n1,2\n3,4,5\n", "line 3, at '3,4,5': it has 3 fields"),
        (b'a,b\n"1,2\n', "never closed"),
        (b"a,b\n", "no rows"),
        (b"\n \n", "white space"),
        (b"a,b,a\n1,2,3\n", "'a' 2 times"),
        (b"PAR1\x00\x01", "a Parquet file"),
        (b"PK\x03\x04abc", "Excel"),
        (b"SQLite format 3\x00", "SQLite"),
        (b"%PDF-1.4\n\x00", "PDF"),
        (b"a,b\n1,\x00\n", "0x00 at offset 6"),
        (b"a,b\n\x81,2\n", "byte 0x81 at offset 4"),
        ("a,b\n1,2\n".encode("utf-16-le"), "UTF-16"),
        (b"\xff\xfea", "utf-16"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(from_bytes, content, message):
    with pytest.raises(DataError) as caught:
        from_bytes(content)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["PAR1", "SQLite", "%PDF", "ARROW1", "FEA1", "$FL2", "PK"])
def test_a_column_may_have_any_name(from_bytes, name):
    assert from_bytes(f"{name},b\n1,2\n".encode()).frame.columns == [name, "b"]


def test_random_bytes_are_never_a_traceback(from_bytes, rng):
    for size in (1, 10, 1000, 100_000):
        with pytest.raises(DataError):
            from_bytes(b"\x00" + rng.bytes(size))


def test_a_record_longer_than_a_block(from_bytes, monkeypatch):
    monkeypatch.setattr(csv, "BLOCK", 64)
    long = "x" * 500
    assert column(from_bytes(f"a,b\n1,{long}\n2,y\n".encode()), "b") == [long, "y"]


def test_text_is_written_as_it_came(from_bytes, tmp_path):
    content = 'ä;b;c;d\n1,5;TRUE;00123;\n2,0;FALSE;"x;""y""";2020-01-01\n'
    source = from_bytes(content.encode("cp1252"))
    write(source, source.frame, tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_bytes().decode("cp1252") == content


def test_the_extension_chooses_the_tab(from_bytes, tmp_path):
    source = from_bytes(b"a,b\n1,2\n")
    write(source, source.frame, tmp_path / "b.tsv")
    assert (tmp_path / "b.tsv").read_bytes() == b"a\tb\n1\t2\n"
    tabbed = read(tmp_path / "b.tsv")
    write(tabbed, tabbed.frame, tmp_path / "c.csv")
    assert (tmp_path / "c.csv").read_bytes() == b"a,b\n1,2\n"


def test_whole_floats_stay_floats(from_bytes, tmp_path):
    source = from_bytes(b"a,b\n1.0,x\n2.0,y\n")
    write(source, source.frame, tmp_path / "b.csv")
    assert read(tmp_path / "b.csv").frame.schema == source.frame.schema


def test_a_letter_that_the_encoding_lacks_is_told(from_bytes, tmp_path):
    source = from_bytes("a,b\nä,1\n".encode("cp1252"))
    table = pa.table({"a": ["ż"], "b": [1]})
    with pytest.raises(DataError, match="cannot be written as csv"):
        write(source, table, tmp_path / "b.csv")


def test_nested_columns_are_refused(tmp_path):
    source = read(pa.table({"a": [[1], [2]]}))
    with pytest.raises(DataError, match=r"Column 'a' .* cannot be written as text"):
        write(source, source.frame, tmp_path / "b.csv")


# Text without null characters and surrogates; line breaks, quotes and delimiters abound.
odd = st.text(
    st.one_of(
        st.sampled_from(list(",;\t|\"'\n\r äé€0123456789.-+eE\ufeff\u2028\x85")),
        st.characters(blacklist_categories=["Cs", "Cc"]),
    ),
    max_size=8,
)


@given(st.data())
def test_odd_text_comes_back(tmp_path_factory, data):
    width = data.draw(st.integers(1, 4))
    names = data.draw(st.lists(odd.filter(str.strip), min_size=width, max_size=width, unique=True))
    rows = data.draw(
        st.lists(st.lists(odd, min_size=width, max_size=width), min_size=1, max_size=6)
    )
    delimiter = data.draw(st.sampled_from(dialect.DELIMITERS))
    encoding = data.draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
    columns = [[row[i] or None for row in rows] for i in range(width)]
    table = pa.table([pa.array(c, pa.string()) for c in columns], names=names)
    path = tmp_path_factory.mktemp("odd") / "a.csv"
    csv.write(table, path, {"delimiter": delimiter, "encoding": encoding})
    back = read(path, delimiter=delimiter, encoding=encoding, line_breaks=True)
    assert back.frame.columns == names
    for name, written in zip(names, columns, strict=True):
        got = back.frame[name].to_list()
        assert [v is None for v in got] == [v is None for v in written]
        if back.frame.to_native().schema.field(name).type == pa.string():
            assert got == written


@given(st.binary(max_size=200))
def test_any_bytes_are_a_table_or_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("bytes") / "a.csv"
    path.write_bytes(content)
    try:
        source = read(path)
    except DataError as error:
        message = str(error)
    else:
        message = ""
        assert len(source.frame) > 0
    assert "\n" not in message


def test_moments_whose_offset_has_seconds_keep_their_instant(tmp_path):
    told = [dt.datetime(1735, 2, 12, 2, 27, 46), None, dt.datetime(1990, 7, 1)]
    zoned = pa.array(told, pa.timestamp("us")).cast(pa.timestamp("us", "Europe/Berlin"))
    csv.write(pa.table({"seen": zoned}), tmp_path / "t.csv", {})
    lines = (tmp_path / "t.csv").read_text().split()
    assert lines[1:3] == ["1735-02-12", "02:27:46Z"]  # 53 min 28 s behind there: no such offset
    back = read(tmp_path / "t.csv").frame["seen"].to_list()
    assert [one and one.replace(tzinfo=None) for one in back] == told


@given(st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=8))
def test_a_duration_says_its_unit_in_one_spelling(tmp_path_factory, ticks):
    path = tmp_path_factory.mktemp("lasting") / "a.csv"
    units = {"s": 1, "ms": 1000, "us": 10**6, "ns": 10**9}
    lasting = {u: pa.array(ticks, pa.int64()).cast(pa.duration(u)) for u in units}
    csv.write(pa.table({"row": range(len(ticks)), **lasting}), path, {})
    frame = read(path).frame
    for unit, per in units.items():
        for told, count in zip(frame[unit].to_list(), ticks, strict=True):
            assert (told is None) == (count is None)
            if count is not None:
                parts = ISO.fullmatch(told)
                assert parts, told
                sizes = (86_400, 3600, 60, 1)
                seconds = sum(Decimal(parts[n + 2] or 0) * size for n, size in enumerate(sizes))
                assert seconds * (-1 if parts[1] else 1) * per == count


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "PT0S"), (86_400, "P1D"), (93_784, "P1DT2H3M4S"), (5400, "PT1H30M"), (-1, "'-PT1S")],
)
def test_durations_by_hand(tmp_path, seconds, told):
    table = pa.table({"stay": pa.array([seconds], pa.duration("s"))})
    csv.write(table, tmp_path / "a.csv", {})
    assert (tmp_path / "a.csv").read_text() == f"stay\n{told}\n"


def test_a_release_with_durations_is_proven_as_text(tmp_path):
    stay = pa.array([5, 60, -90, 3600, None, 86_400], pa.duration("s"))
    table = pa.table({"age": [30, 31, 32, 60, 61, 62], "stay": stay})
    release = coterie.anonymize(table, k=3, quasi_identifiers=["age"], row_order="keep")
    release.write(tmp_path / "out.csv")
    assert release.formula_cells == {"stay": 1}
    lines = (tmp_path / "out.csv").read_text().split()
    assert [line.split(",")[1] for line in lines[1:]] == [
        "PT5S",
        "PT1M",
        "'-PT1M30S",
        "PT1H",
        "",
        "P1D",
    ]
