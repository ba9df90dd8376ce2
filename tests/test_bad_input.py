"""What people give by mistake, by every way in: refused in one line, or released as it should be.

The ways are a table in memory, a file in memory, a file in tiles, and the command on either. A
refusal says what is wrong with which column, writes nothing, and leaves an older file as it was.
Ctrl-C, kills and full disks happen in `tests/faults`, `tests/cli/test_process.py`,
`tests/cli/test_paths.py`, `tests/table/test_write.py` and `tests/partitioning/test_interrupt.py`.
"""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import coterie
from coterie.cli import main

N = 24
BIG = 2**53 + 1  # no float64
OLD = b"older\n"


def sound(**columns):
    table = {"x": [float(i % 7) for i in range(N)], "y": [(5 * i) % 11 for i in range(N)]}
    return pa.table({**table, **columns})


def by_table(table, folder, plan):
    return pa.table(coterie.anonymize(table, **plan).data)


def by_file(table, folder, plan):
    pq.write_table(table, folder / "in.parquet")
    coterie.anonymize(folder / "in.parquet", **plan).write(folder / "out" / "o.parquet")
    return pq.read_table(folder / "out" / "o.parquet")


def by_tiles(table, folder, plan):
    pq.write_table(table, folder / "in.parquet")
    target = folder / "out" / "o.parquet"
    coterie.distributed.anonymize(folder / "in.parquet", target, engine="tiles", **plan)
    return pq.read_table(target)


def by_command(table, folder, plan, *more):
    pq.write_table(table, folder / "in.parquet")
    target = folder / "out" / "o.parquet"
    flags = ["-k", str(plan["k"]), "--method", plan["method"], "--quiet", *more]
    for option, names in (("-q", "quasi_identifiers"), ("--strata", "strata")):
        flags += [part for name in plan.get(names, ()) for part in (option, name)]
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        code = main(["anonymize", str(folder / "in.parquet"), "-o", str(target), *flags])
    text = said.getvalue()
    if code == 2:
        assert text.startswith("coterie: ")
        assert text.count("\n") == 1
        raise coterie.CoterieError(text)
    assert (code, text) == (0, "")
    return pq.read_table(target)


def by_command_in_tiles(table, folder, plan):
    return by_command(table, folder, plan, "--engine", "tiles")


WAYS = [by_table, by_file, by_tiles, by_command, by_command_in_tiles]
every_way = pytest.mark.parametrize("way", WAYS, ids=[way.__name__ for way in WAYS])


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "o.parquet").write_bytes(OLD)
    return tmp_path


def released(way, table, folder, **plan):
    keys = [name for name in table.column_names if name in ("x", "y")]
    wanted = {"k": 3, "quasi_identifiers": keys, "method": "mdav", **plan}
    return way(table, folder, wanted)


def refused(way, table, folder, **plan):
    with pytest.raises(coterie.CoterieError) as caught:
        released(way, table, folder, **plan)
    text = str(caught.value).strip()
    assert len(text.splitlines()) == 1
    assert [path.name for path in (folder / "out").iterdir()] == ["o.parquet"]
    assert (folder / "out" / "o.parquet").read_bytes() == OLD
    return text


@every_way
@pytest.mark.parametrize(
    ("odd", "word"),
    [(np.nan, "missing"), (None, "missing"), (np.inf, "finite"), (-np.inf, "finite")],
    ids=["nan", "null", "inf", "-inf"],
)
def test_numbers_that_are_none_are_refused_by_column(way, folder, odd, word):
    values = [float(i) for i in range(N - 1)]
    said = refused(way, sound(x=[*values, odd]), folder)
    assert said.count("'x'") == 1  # told once
    assert word in said


@every_way
@pytest.mark.parametrize("size", [1e300, 1.7e308, 5e-324])
def test_numbers_at_the_ends_of_floats_are_released_among_themselves(way, folder, size):
    values = [size * (-1) ** i for i in range(N)]
    made = released(way, sound(x=values), folder)["x"].to_pylist()
    assert len(made) == N
    assert all(-size <= value <= size for value in made)


@every_way
def test_integers_that_no_float_holds_are_refused_as_keys_and_exact_elsewhere(way, folder):
    big = pa.array([BIG + i % 3 * 2 for i in range(N)])
    said = refused(way, sound(x=big), folder)
    assert said.count("2**53") == said.count("'x'") == 1
    made = released(way, sound(z=big), folder)
    assert sorted(made["z"].to_pylist()) == sorted(big.to_pylist())


@every_way
def test_constant_columns_and_equal_records_are_released_as_they_are(way, folder):
    made = released(way, sound(x=[2.5] * N), folder)
    assert set(made["x"].to_pylist()) == {2.5}
    made = released(way, pa.table({"x": [2.5] * N, "y": [7] * N}), folder)
    assert made.to_pydict() == {"x": [2.5] * N, "y": [7] * N}


@every_way
@pytest.mark.parametrize("k", [1, 0, -3, N + 1, 10**9, 2.5])
def test_a_k_that_no_table_can_keep_is_refused(way, folder, k):
    assert "k" in refused(way, sound(), folder, k=k)


@every_way
def test_a_stratum_smaller_than_k_is_refused(way, folder):
    table = sound(region=["n"] * (N - 2) + ["s"] * 2)
    said = refused(way, table, folder, strata=["region"])
    assert "region" in said or "strat" in said


@every_way
@pytest.mark.parametrize("rows", [0, 1, 2])
def test_tables_with_no_or_too_few_records_are_refused(way, folder, rows):
    refused(way, sound().slice(0, rows), folder)


@every_way
def test_a_table_without_columns_is_refused(way, folder):
    refused(way, pa.table({}), folder, quasi_identifiers=["x"])


@every_way
def test_unknown_and_repeated_keys_are_refused(way, folder):
    assert "agee" in refused(way, sound(), folder, quasi_identifiers=["x", "agee"])
    assert "x" in refused(way, sound(), folder, quasi_identifiers=["x", "x"])


@every_way
def test_repeated_column_names_are_refused(way, folder):
    table = pa.table([[1.0] * N, [2.0] * N], names=["x", "x"])
    assert "x" in refused(way, table, folder, quasi_identifiers=["x"])


def test_repeated_column_names_of_pandas_and_of_a_text_are_refused(tmp_path):
    frame = pd.DataFrame([[1.0, 2.0]] * N, columns=["x", "x"])
    (tmp_path / "in.csv").write_text("x,x\n" + "1,2\n" * N)
    for table in (frame, tmp_path / "in.csv"):
        with pytest.raises(coterie.CoterieError, match="x"):
            coterie.anonymize(table, 3, ["x"], method="mdav")


@pytest.mark.parametrize(
    "wrong",
    [None, 5, "no such file.csv", b"x", [1, 2, 3], {"x": [1, 2]}, np.zeros((9, 2)), pd.Series([1])],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_table_is_refused(wrong):
    for call in (
        lambda: coterie.anonymize(wrong, 3, ["x"]),
        lambda: coterie.verify(wrong, 3, ["x"]),
        lambda: coterie.look(wrong),
        lambda: coterie.evaluate(wrong, wrong, ["x"], aligned=True),
    ):
        with pytest.raises(coterie.CoterieError) as caught:
            call()
        assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("wrong", [None, 5, "x", [["a"]], [[1, 2], [3]], [[np.nan]], [[np.inf]]])
def test_what_is_no_array_is_refused(wrong):
    for call in (
        lambda: coterie.partition(wrong, 3, "mdav"),
        lambda: coterie.lower_bound(wrong, 3),
        lambda: coterie.Microaggregation(k=3, method="mdav").fit(wrong),
    ):
        with pytest.raises((coterie.CoterieError, ValueError)) as caught:
            call()
        assert "Traceback" not in str(caught.value)


ENDINGS = ["csv", "parquet", "feather", "xlsx", "sav", "dta", "csv.gz"]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("engine", ["memory", "tiles"])
def test_files_that_are_cut_short_empty_or_something_else_are_refused(
    tmp_path, rng, ending, engine
):
    frame = sound().to_pandas()
    whole = tmp_path / f"in.{ending}"
    writer = {
        "csv": lambda: frame.to_csv(whole, index=False),
        "csv.gz": lambda: frame.to_csv(whole, index=False),
        "parquet": lambda: frame.to_parquet(whole),
        "feather": lambda: frame.to_feather(whole),
        "xlsx": lambda: frame.to_excel(whole, index=False),
        "sav": lambda: pytest.importorskip("pyreadstat").write_sav(frame, str(whole)),
        "dta": lambda: frame.to_stata(whole, write_index=False),
    }
    writer[ending]()
    content = whole.read_bytes()
    spoiled = [b"", content[:1], rng.bytes(400), b"\0" * 400]
    if ending not in ("csv", "sav", "dta"):  # in these a cut may fall between records
        spoiled += [content[: len(content) // 2], content[:-1]]
    (tmp_path / "out").mkdir()
    for number, text in enumerate(spoiled):
        whole.write_bytes(text)
        flags = ["-k", "3", "-q", "x", "-q", "y", "--method", "mdav", "--quiet"]
        said = io.StringIO()
        target = str(tmp_path / "out" / ("o.csv" if engine == "memory" else "o.parquet"))
        with contextlib.redirect_stderr(said):
            code = main(["anonymize", str(whole), "-o", target, *flags, "--engine", engine])
        assert (number, code) == (number, 2), said.getvalue()
        assert said.getvalue().count("\n") == 1, said.getvalue()
        assert not list((tmp_path / "out").iterdir())


@every_way
def test_text_where_a_number_was_meant_is_no_number(way, folder):
    """A single word makes a column one of words: most frequent ones are released, no mean."""
    made = released(way, sound(y=["7"] * (N - 1) + ["seven"]), folder, quasi_identifiers=["y"])
    assert set(made["y"].to_pylist()) == {"7"}
