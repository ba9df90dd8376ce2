"""Columns that pandas, polars or Arrow can hold and few programs can compute with."""

from __future__ import annotations

import datetime
import decimal
import uuid

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import coterie
from coterie.errors import CoterieError
from coterie.table.admission import admit
from coterie.table.plain import plain_table, plain_type

N = 12
KEY = [i % 5 for i in range(N)]
D = decimal.Decimal


def protect(table, keys=("a",), **options):
    return coterie.anonymize(
        table, 3, list(keys), method="mdav", random_state=0, declared=["o"], **options
    )


TEXT = str(pd.Series(["a"]).dtype)  # `str` from pandas 3 on, `object` before

# What is worked on, by what it is released as.
TAKEN = {
    "sparse": (pd.arrays.SparseArray([0, 0, 1, 2] * 3), "int64"),
    "sparse floats": (pd.arrays.SparseArray([0.5, 0.0, 1, 2] * 3), "float64"),
    "period": (pd.PeriodIndex(["2020-01", "2020-02", "2021-01"] * 4, freq="M"), TEXT),
    "interval": (pd.arrays.IntervalArray.from_tuples([(0, 1), (1, 2), (2, 3)] * 4), TEXT),
    "cut": (pd.cut(pd.Series(range(N)), 3).array, "category"),
    "float16": (np.array([0.5, 1.5, 2.5] * 4, dtype="float16"), "float32"),
    "uuid": ([uuid.UUID(int=i % 3) for i in range(N)], TEXT),
    "decimal": ([D("1.5"), D("2.25"), D("NaN")] * 4, "object"),
}


@pytest.mark.parametrize("role", ["key", "strata", "unit", "other", "confidential", "drop"])
@pytest.mark.parametrize("kind", TAKEN)
def test_unusual_pandas_columns_are_worked_on_in_every_role(kind, role):
    values, dtype = TAKEN[kind]
    table = pd.DataFrame({"a": KEY, "o": values, "u": range(N)})
    roles = {
        "key": {"keys": ["a", "o"], "missing": "pattern", "identifiers": ["u"]},
        "strata": {"strata": ["o"], "identifiers": ["u"]},
        "unit": {"unit": "o", "identifiers": ["u"]},
        "other": {"identifiers": ["u"]},
        "confidential": {"confidential": ["o"], "identifiers": ["u"]},
        "drop": {"identifiers": ["u", "o"]},
    }[role]
    if role == "drop":
        made = coterie.anonymize(table, 3, ["a"], method="mdav", random_state=0, **roles)
        assert list(made.data.columns) == ["a"]
        return
    released = protect(table, **roles).data
    assert str(released["o"].dtype) == dtype
    assert len(released) == N


REFUSED = {
    "surrogate": (["a\udc80", "b", "c"] * 4, "Unicode text. Got a lone surrogate in 'a\\udc80'"),
    "beyond 64 bits": ([2**70, 1, 2] * 4, "integers of 64 bits. Got 1180591620717411303424"),
    "infinite decimal": ([D("Infinity"), D(1), D(2)] * 4, "finite decimals. Got Infinity"),
    "mixed": ([1, "a", 2.5] * 4, "one type that a file can keep. Got values of type float and int"),
    "complex": (np.arange(N) * 1j, "Got values of type complex128"),
    "objects": ([object(), object(), object()] * 4, "Got values of type object"),
}


@pytest.mark.parametrize("role", ["key", "strata", "unit", "other", "confidential"])
@pytest.mark.parametrize("kind", REFUSED)
def test_what_no_file_can_keep_is_refused_by_name_and_may_be_dropped(kind, role):
    values, reason = REFUSED[kind]
    column = pd.Series(values, dtype=None if kind == "complex" else object)
    table = pd.DataFrame({"a": KEY, "o": column})
    roles = {
        "key": {"keys": ["a", "o"]},
        "strata": {"strata": ["o"]},
        "unit": {"unit": "o"},
        "other": {},
        "confidential": {"confidential": ["o"]},
    }[role]
    with pytest.raises(CoterieError) as caught:
        protect(table, **roles)
    text = str(caught.value)
    assert "Column 'o' must hold" in text
    assert reason in text
    assert "identifiers=['o'] (--drop)" in text
    assert "\n" not in text
    left = coterie.anonymize(table, 3, ["a"], method="mdav", identifiers=["o"])
    assert list(left.data.columns) == ["a"]


def test_text_that_pandas_keeps_as_python_objects_is_looked_at():
    text = pd.Series(["a\udc80", "b"] * 6, dtype="string[python]")
    with pytest.raises(CoterieError, match="Column 'o' must hold Unicode text"):
        protect(pd.DataFrame({"a": KEY, "o": text}))


def test_verify_refuses_an_odd_key_and_does_not_mind_another_odd_column():
    table = pd.DataFrame({"a": [1] * 4, "o": pd.Series([1, "x"] * 2, dtype=object)})
    assert coterie.verify(table, 2, ["a"]).achieved == 4
    with pytest.raises(CoterieError, match="Column 'o' must hold values of one type"):
        coterie.verify(table, 2, ["o"])
    with pytest.raises(CoterieError, match="Column 'o' must hold values of one type"):
        coterie.verify(table, 2, ["a"], unit="o")


ARROW = {
    "float16": (pa.array(np.array([0.5, 1.5, 2.5] * 4, dtype="float16")), pa.float32()),
    "decimal32": (pa.array([D("1.25"), D("2.5"), D("0")] * 4, pa.decimal32(5, 2)), None),
    "decimal64": (pa.array([D("1.25"), D("2.5"), D("0")] * 4, pa.decimal64(12, 2)), None),
    "negative scale": (pa.array([D(100), D(2500), D(0)] * 4, pa.decimal128(5, -2)), None),
    "date64": (pa.array([datetime.date(2020, 1, d) for d in (1, 2, 3)] * 4, pa.date64()), None),
    "string view": (pa.array(["x", "y", "z"] * 4, pa.string_view()), pa.string()),
    "binary view": (pa.array([b"x", b"y", b"z"] * 4, pa.binary_view()), pa.binary()),
    "run-end encoded": (pa.RunEndEncodedArray.from_arrays([4, 8, 12], [1, 2, 3]), pa.int64()),
    "uuid": (pa.array([bytes([i % 3]) * 16 for i in range(N)], pa.uuid()), pa.string()),
}
PLAIN = {
    "decimal32": pa.decimal128(5, 2),
    "decimal64": pa.decimal128(12, 2),
    "negative scale": pa.decimal128(7, 0),
    "date64": pa.date32(),
}


@pytest.mark.parametrize("role", ["key", "strata", "unit", "other"])
@pytest.mark.parametrize("kind", ARROW)
def test_unusual_arrow_types_are_worked_on_in_every_role(kind, role, tmp_path):
    values, plain = ARROW[kind]
    table = pa.table({"a": KEY, "o": values})
    if role == "key" and kind == "binary view":
        with pytest.raises(CoterieError, match="must hold numbers, text, booleans or dates"):
            protect(table, ["a", "o"])
        return
    roles = {"key": {"keys": ["a", "o"]}, "strata": {"strata": ["o"]}, "unit": {"unit": "o"}}
    made = protect(table, **roles.get(role, {}))
    assert made.data.schema.field("o").type == (plain or PLAIN[kind])
    made.write(tmp_path / "out.parquet")
    if role in ("unit", "other"):  # released as it was: every value is there still
        assert sorted(map(str, made.data["o"].to_pylist())) == sorted(
            map(str, admit(table).table["o"].to_pylist())
        )


def test_plain_types_hold_the_same_values():
    table = pa.table({kind: values for kind, (values, _) in ARROW.items() if kind != "uuid"})
    plain = plain_table(table)
    for name in table.column_names:
        before, after = table[name].to_pylist(), plain[name].to_pylist()
        assert before == after
        assert plain_type(plain[name].type) == plain[name].type


@pytest.mark.parametrize("kind", ["union", "interval"])
def test_arrow_types_that_nothing_sorts_are_refused(kind):
    union = pa.UnionArray.from_sparse(
        pa.array([0, 1] * 6, pa.int8()), [pa.array([1] * N), pa.array(["a"] * N)]
    )
    months = pa.array([(1, 2, 3), (2, 3, 4)] * 6, type=pa.month_day_nano_interval())
    table = pa.table({"a": KEY, "o": union if kind == "union" else months})
    with pytest.raises(CoterieError, match="Column 'o' must hold values of one type"):
        protect(table)
    made = coterie.anonymize(table, 3, ["a"], method="mdav", identifiers=["o"])
    assert made.data.column_names == ["a"]


INDICES = pa.array([0, 1, 2, None] * 3, pa.int8())
NESTED = {
    "lists": pa.DictionaryArray.from_arrays(INDICES, pa.array([[1], [2, 3], []])),
    "structs": pa.DictionaryArray.from_arrays(INDICES, pa.array([{"x": 1}, {"x": 2}, {"x": 3}])),
    "categories": pa.DictionaryArray.from_arrays(
        INDICES, pa.array(["x", "y", "z"]).dictionary_encode()
    ),
    "tuples": pd.Categorical([(1,), (2, 3), (4,), None] * 3),
}


@pytest.mark.parametrize("kind", NESTED)
def test_categories_that_are_no_plain_values_are_taken_as_their_values(kind, tmp_path):
    pandas = kind == "tuples"
    table = (pd.DataFrame if pandas else pa.table)({"a": KEY, "o": NESTED[kind]})
    made = protect(table)
    made.write(tmp_path / "out.parquet")
    released = made.data["o"].tolist() if pandas else made.data["o"].to_pylist()
    given = [list(v) for v in table["o"].dropna()] if pandas else table["o"].to_pylist()
    given += [None] * (N - len(given))
    assert sorted(map(str, released)) == sorted(map(str, given))
    if kind == "categories":
        protect(table, ["a", "o"], missing="pattern")
    else:
        with pytest.raises(CoterieError, match="'o' must hold"):
            protect(table, ["a", "o"])
    made = coterie.anonymize(table, 3, ["a"], method="mdav", identifiers=["o"])
    assert list(made.data.columns if pandas else made.data.column_names) == ["a"]


@pytest.mark.parametrize("values", [[[1], [2], [3]], [{"x": 1}, {"x": 2}, {"x": 3}]])
def test_nested_keys_are_refused(values):
    with pytest.raises(CoterieError, match="'o' must hold"):
        protect(pa.table({"a": KEY, "o": pa.array(values * 4)}), ["a", "o"])


NAMES = ["*", "^a$", "^.*$", "a\0b", "", "a b", 'a"b', "A", "\u202ea", "coterie: unit"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
def test_any_name_of_a_column_will_do(library, name):
    make = {"polars": pl.DataFrame, "pandas": pd.DataFrame, "pyarrow": pa.table}[library]
    table = make({"a": KEY, name: [i % 4 for i in range(N)], "o": range(N)})
    made = coterie.anonymize(
        table, 3, ["a", name], identifiers=["o"], method="mdav", random_state=0
    )
    names = made.data.column_names if library == "pyarrow" else list(made.data.columns)
    assert names == ["a", name]
    assert type(made.data) is type(table)
    assert coterie.verify(made.data, 3, ["a", name]).achieved >= 3
    kept = coterie.anonymize(
        table, 3, ["a", name], identifiers=["o"], method="mdav", random_state=0, row_order="keep"
    )
    measures = None if library == "pandas" else ["il"]  # read alike, whatever is measured then
    judged = coterie.evaluate(table, kept.data, ["a", name], aligned=True, measures=measures)
    assert judged["il"].value >= 0


def test_a_name_that_is_no_unicode_is_refused():
    table = pd.DataFrame([[1, 2]] * 4)
    table.columns = pd.Index(["a", "b\udc80"], dtype=object)
    with pytest.raises(CoterieError, match=r"must be Unicode text. Got 'b\\udc80'"):
        coterie.anonymize(table, 2, ["a"])


def test_polars_tables_come_back_with_their_dtypes():
    days = [datetime.date(2020, 1, 1 + i) for i in range(N)]
    table = pl.DataFrame(
        {
            "a": pl.Series(KEY, dtype=pl.UInt8),
            "text": ["x", "y", "z"] * 4,
            "category": pl.Series(["x", "y", "z"] * 4, dtype=pl.Categorical),
            "enum": pl.Series(["lo", "hi", "lo"] * 4, dtype=pl.Enum(["lo", "mid", "hi"])),
            "day": days,
            "time": pl.Series(days).cast(pl.Datetime("ms")).dt.replace_time_zone("Europe/Berlin"),
            "decimal": pl.Series([D("1.50"), D("2.25"), None] * 4, dtype=pl.Decimal(38, 2)),
            "list": [[1], [2, 3], None] * 4,
            "struct": [{"x": 1}, {"x": 2}, {"x": 3}] * 4,
            "flag": [True, False, None] * 4,
            "clock": [datetime.time(1, 2)] * N,
            "wide": pl.Series([1, 2, 3] * 4, dtype=pl.Int128),
        }
    )
    made = coterie.anonymize(
        table,
        3,
        ["a", "enum", "category", "day"],
        declared=["text", "time", "decimal", "list", "struct"],
        method="mdav",
        row_order="keep",
    ).data
    kept = {name: dtype for name, dtype in table.schema.items() if name != "wide"}
    assert {name: made.schema[name] for name in kept} == kept
    for name in ("text", "time", "decimal", "list", "struct", "flag", "clock"):
        assert made[name].to_list() == table[name].to_list()
    assert made["wide"].dtype == pl.Decimal(38, 0)


def test_polars_objects_are_refused_and_may_be_dropped():
    table = pl.DataFrame({"a": KEY, "o": pl.Series([object()] * N, dtype=pl.Object)})
    with pytest.raises(CoterieError, match="Column 'o' must hold values of one type"):
        protect(table)
    assert coterie.anonymize(table, 3, ["a"], identifiers=["o"], method="mdav").data.columns == [
        "a"
    ]


def test_names_may_come_from_a_generator():
    table = pd.DataFrame({"a": KEY, "b": KEY, "c": [1, 2] * 6, "d": range(N)})
    made = coterie.anonymize(
        table,
        3,
        (name for name in ["a", "b"]),
        confidential=(name for name in ["c"]),
        identifiers=(name for name in ["d"]),
        rules=(rule for rule in ["a <= 4"]),
        method="mdav",
    )
    assert made.schema.keys == ("a", "b")


@pytest.mark.parametrize(
    "values",
    [
        pd.array([None, *range(N - 1)], dtype="Int64"),
        [pd.NaT, *pd.date_range("2020", periods=N - 1)],
        [np.nan, *range(N - 1)],
        [None, *map(str, range(N - 1))],
    ],
)
def test_gaps_in_the_column_to_match_by_are_refused(values):
    table = pd.DataFrame({"a": KEY, "o": values})
    first = protect(table)
    with pytest.raises(CoterieError, match=r"must name every record once\. Got 1 gap"):
        protect(table, previous=first, match="o")


LONG = "9" * 400
CODES = [
    *(-1, 300, 2**63, 2**64, -(2**64), 1.5, 1e308, float("inf"), float("nan"), "x", LONG, "\ud800"),
    *(D("1.55"), D("NaN"), D("Infinity"), D("1e50"), datetime.date(1, 1, 1), pd.NaT, None),
    datetime.datetime(2000, 1, 2, tzinfo=datetime.UTC),
    datetime.datetime(2000, 1, 2),
]
DAYS = [datetime.date(2000, 1, 1 + i) for i in KEY]
COLUMNS = {
    "int8": pa.array(KEY, pa.int8()),
    "uint64": pa.array(KEY, pa.uint64()),
    "float": pa.array(KEY, pa.float32()),
    "decimal": pa.array([D(i) for i in KEY], pa.decimal128(3, 1)),
    "date": pa.array(DAYS, pa.date32()),
    "moment": pa.array(DAYS, pa.date32()).cast(pa.timestamp("s")),
    "zoned": pa.array(DAYS, pa.date32()).cast(pa.timestamp("us")).cast(pa.timestamp("us", "UTC")),
    "text": pa.array(map(str, KEY)),
}


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("library", ["arrow", "polars", "pandas"])
def test_codes_that_a_column_cannot_hold_stand_in_no_record(kind, library):
    table = pa.table({"a": COLUMNS[kind]})
    table = {"polars": pl.from_arrow, "pandas": pa.Table.to_pandas}.get(library, lambda t: t)(table)
    options = {"method": "mdav", "missing": "pattern"}
    for code in CODES:
        for codes in ([code], {"a": [code]}):
            try:
                made = coterie.anonymize(table, 3, ["a"], missing_codes=codes, **options)
            except CoterieError:
                assert isinstance(codes, dict) or kind in ("moment", "zoned"), code
            else:
                assert made.evidence.internal["records_released"] == N


@pytest.mark.parametrize("library", ["arrow", "pandas"])
@pytest.mark.parametrize(
    ("kind", "code", "rule"),
    [
        ("zoned", "2000-01-05", "'2000-01-05' of column 'a' must say its time zone"),
        ("zoned", datetime.datetime(2000, 1, 5), "of column 'a' must say its time zone"),
        ("moment", "2000-01-05T00:00:00+00:00", "of column 'a' must have no time zone"),
    ],
)
def test_a_code_named_for_moments_of_another_kind_is_no_silent_nothing(kind, code, rule, library):
    table = pa.table({"a": COLUMNS[kind]})
    table = table.to_pandas() if library == "pandas" else table
    with pytest.raises(CoterieError, match=rule):
        coterie.anonymize(table, 3, ["a"], missing_codes={"a": [code]}, missing="drop")
    coterie.anonymize(table, 3, ["a"], missing_codes=[code], method="mdav")  # may be for others


def test_weights_beyond_2_to_the_53_need_not_be_exact():
    table = pa.table({"a": KEY, "o": pa.array([2**64 - 1, 2**63] * 6, pa.uint64())})
    assert len(protect(table, sample_weight="o").data) == N


MIXED = {
    "numbers": [1, 1.0, 2, 2.0],
    "decimals": [D("1.0"), D("1.00"), D(2), D("2.0")],
    "days": [datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1), datetime.date(2021, 1, 1)]
    * 2,
}


@pytest.mark.parametrize("values", MIXED.values(), ids=MIXED)
def test_equal_objects_are_released_alike(values):
    """Of several types or spellings they could be told apart, and a stratum counts them as one."""
    table = pd.DataFrame({"a": np.arange(len(values)), "s": pd.Series(values, dtype=object)})
    released = coterie.anonymize(table, 2, ["a"], strata=["s"]).data["s"]
    assert released.map(repr).nunique() == 2
    assert released.map(repr).value_counts().min() >= 2


class Named(str):
    """A text that carries something beside itself."""

    def __new__(cls, text, source):
        made = super().__new__(cls, text)
        made.source = source
        return made


def zoned(hour, offset, kind=datetime.datetime, **more):
    zone = datetime.timezone(datetime.timedelta(hours=offset))
    return kind(2020, 1, 1, hour, tzinfo=zone, **more)


NAN = float("nan")
NOON = datetime.datetime(2020, 1, 1, 12)
ALIKE = {
    "None and NaN": (["a", "a"], [None, NAN]),
    "None and NA": (["a", "a"], [None, pd.NA]),
    "None and NaT": ([NOON, NOON], [None, pd.NaT]),
    "moments in zones": ([zoned(12, 0), zoned(13, 1)], [zoned(14, 0), zoned(12, -2)]),
    "stamps in zones": (
        [zoned(12, 0, pd.Timestamp), zoned(13, 1, pd.Timestamp)],
        [zoned(14, 0, pd.Timestamp), zoned(12, -2, pd.Timestamp)],
    ),
    "folds": ([NOON, NOON.replace(fold=1)], [datetime.datetime(2021, 1, 1)] * 2),
    "texts with attributes": ([Named("a", 1), Named("a", 2)], [Named("b", 3), Named("b", 4)]),
}


@pytest.mark.parametrize("kind", [datetime.datetime, pd.Timestamp])
@pytest.mark.parametrize("categorical", [False, True])
def test_moments_of_several_zones_are_in_utc_whoever_is_first(kind, categorical):
    moments = [zoned(12, 0, kind), zoned(13, 2, kind), zoned(14, -3, kind), None] * 6
    for turn in range(3):
        column = pd.Series(moments[turn:] + moments[:turn], dtype=object)
        table = pd.DataFrame({"a": 5, "m": column.astype("category") if categorical else column})
        made = coterie.anonymize(table, 6, ["a"], method="mdav", declared=["m"]).data["m"]
        assert {value.utcoffset() for value in made.dropna()} == {datetime.timedelta(0)}
        assert sorted(made.dropna()) == sorted(v for v in moments if v is not None)
    one = pd.Series([zoned(12, 2, kind), zoned(14, 2, kind)] * 6, dtype=object)
    table = pd.DataFrame({"a": 5, "m": one})
    made = coterie.anonymize(table, 6, ["a"], method="mdav", declared=["m"]).data["m"]
    assert {value.utcoffset() for value in made} == {datetime.timedelta(hours=2)}


@pytest.mark.parametrize(
    ("values", "got"),
    [
        ([NOON, zoned(12, 2)], "datetimes with and without a time zone"),
        ([datetime.date(2020, 1, 1), NOON], "values of type date and datetime"),
    ],
)
def test_moments_that_cannot_be_one_column_are_refused_in_any_order(values, got):
    for order in (values, values[::-1]):
        table = pd.DataFrame({"a": 5, "m": pd.Series(order * 6, dtype=object)})
        with pytest.raises(coterie.DataError, match=r"Column 'm' must hold values of one type"):
            coterie.anonymize(table, 6, ["a"], method="mdav", declared=["m"])
        kept = coterie.anonymize(table, 6, ["a"], method="mdav", identifiers=["m"])
        assert list(kept.data.columns) == ["a"]
    table = pd.DataFrame({"a": 5, "m": pd.Series(values * 6, dtype=object)})
    with pytest.raises(coterie.DataError, match=got):
        coterie.anonymize(table, 6, ["a"], method="mdav", declared=["m"])


def looks(value):
    """What can be seen of an object: the type, the text, the attributes."""
    beside = getattr(value, "fold", 0), getattr(value, "__dict__", {})
    return f"{type(value).__name__} {value!r} {beside}"


@pytest.mark.parametrize("kept", ["strata", "other"])
@pytest.mark.parametrize(("one", "other"), ALIKE.values(), ids=ALIKE)
def test_objects_that_are_one_value_are_one_object(one, other, kept):
    """What Arrow takes for one value, a proof counts as one, so nobody may see two."""
    column = pd.Series([*one, *other] * 6, dtype=object)
    table = pd.DataFrame({"a": np.arange(24.0), "s": column})
    roles = {"strata": ["s"]} if kept == "strata" else {"declared": ["s"]}
    made = coterie.anonymize(table, 6, ["a"], method="mdav", random_state=0, **roles)
    seen = made.data["s"].map(looks)
    assert seen.nunique() == 2
    if kept == "strata":
        classes = made.data.groupby([made.data["a"], seen]).size()
        assert classes.min() == made.verification.achieved == 6


def test_categories_that_are_one_value_are_one_category():
    """Stamps a nanosecond apart are the same microsecond, which is what a proof counts."""
    stamps = [pd.Timestamp("2020-01-01") + pd.Timedelta(n, "ns") for n in (0, 1)]
    given = pd.Categorical.from_codes([0, 1, 0, 1, -1, -1], pd.Index(stamps, dtype=object))
    taken = admit(pd.DataFrame({"s": given})).table["s"]
    alike = pa.array(given.categories, from_pandas=True).unique()
    assert taken.nunique() == len(alike)
    assert taken.isna().tolist() == [False] * 4 + [True] * 2


def test_text_of_python_is_text_and_nothing_else():
    text = pd.Series([Named("a", 1), Named("a", 2)] * 3, dtype="string[python]")
    taken = admit(pd.DataFrame({"s": text})).table["s"]
    assert {type(value) for value in taken} == {str}
    assert taken.dtype == text.dtype


def test_bytes_beside_text_are_refused():
    table = pd.DataFrame({"a": [1.0, 2.0, 3.0], "s": ["x", b"x", "x"]})
    with pytest.raises(coterie.DataError, match=r"'s' must hold .* of type bytes and str"):
        coterie.anonymize(table, 3, ["a"])
