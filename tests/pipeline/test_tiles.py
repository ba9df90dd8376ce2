"""Parts in, proven parts out, in one process: equal to the release in memory, in any layout."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import resource
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import coterie
from coterie.distributed import anonymize
from coterie.errors import DataError, ParameterError
from coterie.guarantees.proof import NotKAnonymous
from coterie.pipeline import job
from coterie.table import files, parts
from tests.mixed import FLAGS, ORDERS, mixed
from tests.mixed import KEYS as MIXED
from tests.pipeline.conftest import KEYS, numbers, write_parts
from tests.pipeline.outcomes import hidden
from tests.scratch.leavings import abandoned

PLAIN = {"k": 4, "quasi_identifiers": KEYS, "method": "mdav", "random_state": 3, "engine": "tiles"}


def test_one_tile_is_the_release_of_the_table_in_memory(tmp_path):
    table = mixed(1500)
    table["seen"] = pd.Timestamp("1999-12-31") + pd.to_timedelta(np.arange(1500) * 7919, unit="s")
    table["kind"] = pd.Categorical(table["sector"])
    table["weight"] = np.linspace(1, 2, 1500)
    source = write_parts(table, tmp_path / "parts", 5)
    wanted = {
        "k": 3,
        "quasi_identifiers": [*MIXED, "seen", "kind"],
        "orders": ORDERS,
        "sample_weight": "weight",
        "transforms": {"income": "log1p"},
        "attribute_weights": {"age": 2.0},
        "method": "mdav",
        **FLAGS,
    }
    wanted["declared"] = [*wanted.get("declared", ()), "weight"]
    done = anonymize(source, tmp_path / "out.parquet", engine="tiles", **wanted)
    expected = coterie.anonymize(pd.read_parquet(source), **wanted)
    released = pd.read_parquet(tmp_path / "out.parquet")
    pd.testing.assert_frame_equal(released, expected.data, check_categorical=False)
    assert done.information_loss == expected.information_loss
    assert done.verification == expected.verification
    for kind in ("public", "internal"):
        mine, theirs = getattr(done.evidence, kind), getattr(expected.evidence, kind)
        for name in ("k", "keys", "group_sizes", "groups", "records_released", "records_dropped"):
            assert mine[name] == theirs[name]
    assert "random_state" not in done.evidence.json("public")


TOP = float(np.finfo(np.float64).max)


@pytest.mark.parametrize("role", ["unit", "sample_weight"])
def test_a_column_without_a_name_may_be_a_unit_or_a_weight(tmp_path, role):
    table = pd.DataFrame(
        {"": np.arange(1.0, 41.0), "x": np.arange(40.0) % 7, "g": ["a"] * 38 + ["b"] * 2}
    )
    source = write_parts(table, tmp_path / "parts", 2)
    asked = {
        "k": 4,
        "quasi_identifiers": ["x"],
        "strata": ["g"],
        role: "",
        "declared": ["", "x", "g"],
    }
    asked |= {"small_strata": "drop", "method": "mdav"}
    done = anonymize(source, tmp_path / "out.parquet", engine="tiles", **asked)
    assert done.information_loss == coterie.anonymize(table, **asked).information_loss
    few = done.evidence.public["records_dropped"]
    named = table.rename(columns={"": "c"})
    asked |= {role: "c", "declared": ["c", "x", "g"]}
    source = write_parts(named, tmp_path / "named", 2)
    same = anonymize(source, tmp_path / "same.parquet", engine="tiles", **asked)
    assert same.evidence.public["records_dropped"] == few


@pytest.mark.parametrize(
    "wide",
    [
        lambda draw: draw.normal(size=300) * 1e150,
        lambda draw: draw.uniform(-1, 1, 300) * TOP,
        lambda draw: np.where(draw.random(300) < 0.5, -TOP, TOP),
        lambda draw: np.append(draw.normal(size=299), -TOP),
        lambda draw: draw.normal(size=300) * 1e-321,
    ],
    ids=["1e150", "all", "ends", "one", "subnormal"],
)
@pytest.mark.parametrize("more", [{}, {"transforms": {"x": "asinh"}}, {"aggregation": "median"}])
def test_numbers_at_the_ends_of_float64_are_released_as_in_memory(tmp_path, rng, wide, more):
    table = pd.DataFrame({"x": wide(rng), "y": rng.normal(size=300)})
    source = write_parts(table, tmp_path / "parts", 5)
    wanted = {"k": 3, "quasi_identifiers": ["x", "y"], "method": "mdav", "random_state": 0, **more}
    anonymize(source, tmp_path / "out.parquet", engine="tiles", **wanted)
    expected = coterie.anonymize(pd.read_parquet(source), **wanted)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "out.parquet"), expected.data)
    anonymize(source, tmp_path / "many.parquet", engine="tiles", tile=100, **wanted)
    many = pd.read_parquet(tmp_path / "many.parquet")
    assert np.isfinite(many["x"]).all()
    assert coterie.verify(many, 3, ["x", "y"]).achieved >= 3


def test_records_that_are_dropped_may_lie_beyond_the_space_of_the_others(tmp_path, rng):
    """A value of 1e16 has no coordinate where all that are kept lie within 1e-300."""
    table = pd.DataFrame({"x": rng.normal(size=300) * 1e-300, "y": rng.normal(size=300)})
    table.loc[7, ["x", "y"]] = [1e16, np.nan]
    source = write_parts(table, tmp_path / "parts", 5)
    wanted = {"k": 3, "quasi_identifiers": ["x", "y"], "method": "mdav", "missing": "drop"}
    anonymize(source, tmp_path / "out.parquet", engine="tiles", **wanted)
    expected = coterie.anonymize(pd.read_parquet(source), **wanted)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "out.parquet"), expected.data)


@pytest.mark.parametrize("method", ["mdav", pytest.param("auto", marks=pytest.mark.slow)])
def test_the_layout_of_the_parts_does_not_show(tmp_path, layouts, method):
    wanted = {**PLAIN, "method": method, "tile": 400, "strata": ["group"], "k": 5}
    if method == "auto":
        wanted["iterations"] = 20
    found = []
    for number, source in enumerate(layouts):
        done = anonymize(source, tmp_path / f"out{number}", **wanted)
        found.append(pq.read_table(tmp_path / f"out{number}"))
        assert done.evidence.internal["tiles"] >= 10
    assert found[0].equals(found[1])
    assert found[0].equals(found[2])
    counted = coterie.verify(found[0], 5, KEYS, strata=["group"])
    assert counted.achieved == done.verification.achieved
    assert counted.classes == done.verification.classes
    assert found[0].num_rows == 4000
    # The untouched columns are still with their strata: the same values, stratum by stratum.
    before = numbers(4000).groupby("group")["spent"].sum()
    pd.testing.assert_series_equal(found[0].to_pandas().groupby("group")["spent"].sum(), before)


def test_rows_are_sorted_through_all_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(job, "ROWS", 500)
    numbers(4000).round(0).to_parquet(tmp_path / "in.parquet")
    done = anonymize(tmp_path / "in.parquet", tmp_path / "out", tile=700, **PLAIN)
    assert len(done.parts) >= 4
    tables = [pd.read_parquet(path) for path in done.parts]
    together = pd.concat(tables, ignore_index=True)
    columns = [*KEYS, "group", "spent"]
    pd.testing.assert_frame_equal(
        together, together.sort_values(columns, ignore_index=True), check_like=True
    )
    # A part ends where a combination of released values does.
    for one, other in pairwise(tables):
        assert tuple(one[KEYS].iloc[-1]) != tuple(other[KEYS].iloc[0])
    # The same rows in one file.
    anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", tile=700, **PLAIN)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "out.parquet"), together)


def test_gaps_strata_and_units(tmp_path):
    table = numbers(3000)
    table.loc[::7, "a"] = np.nan
    table.loc[::11, "b"] = -9.0
    table.loc[[5, 6], "group"] = "rare"
    table["person"] = np.arange(3000)
    source = write_parts(table, tmp_path / "in", 4)
    wanted = {**PLAIN, "tile": 300, "strata": ["group"], "missing_codes": {"b": [-9.0]}}
    with pytest.raises(DataError, match=r"gaps in 'a' \(429\), 'b' \(273\): use missing='pattern'"):
        anonymize(source, tmp_path / "out", identifiers=["person"], **wanted)
    wanted["missing"] = "pattern"
    with pytest.raises(DataError, match=r"2 with fewer: group='rare' \(2\); group='z' w"):
        anonymize(source, tmp_path / "out", identifiers=["person"], **wanted)
    wanted["small_strata"] = "drop"
    done = anonymize(source, tmp_path / "out", unit="person", **wanted)
    assert done.verification.unit == "person"
    assert done.evidence.internal["records_dropped"] == 3
    assert done.evidence.public["records_dropped"] == "not reported"  # of how many units?
    released = pd.read_parquet(tmp_path / "out")
    assert "person" not in released
    assert len(released) == 2997
    assert released["a"].isna().sum() == 428
    assert (released["b"] == -9.0).sum() == 272  # the code stays: the column has no null
    everywhere = {**wanted, "missing_codes": [-9.0]}
    anonymize(source, tmp_path / "same", unit="person", **everywhere)
    assert pd.read_parquet(tmp_path / "same").equals(released)
    wanted["missing"] = "drop"
    done = anonymize(source, tmp_path / "dropped", identifiers=["person"], **wanted)
    assert done.verification.records == len(pd.read_parquet(tmp_path / "dropped"))
    assert not pd.read_parquet(tmp_path / "dropped")["a"].isna().any()


def test_units_with_several_records(tmp_path):
    table = numbers(400)
    table["person"] = np.repeat(np.arange(40), 10)
    table[KEYS] = table[KEYS].to_numpy()[table["person"]]
    table.to_parquet(tmp_path / "in.parquet")
    wanted = {**PLAIN, "unit": "person", "tile": 200}
    done = anonymize(tmp_path / "in.parquet", tmp_path / "out", declared=["person"], **wanted)
    released = pd.read_parquet(tmp_path / "out")  # declared: the unit stays
    assert done.verification == coterie.verify(released, 4, KEYS, unit="person")
    assert done.verification.achieved >= 4
    # Where there are not enough units, no grouping helps.
    table["person"] %= 3
    table.to_parquet(tmp_path / "in.parquet")
    with pytest.raises(
        coterie.CoterieError, match=r"at least k = 4 units.*all records \(3\)"
    ) as caught:
        anonymize(tmp_path / "in.parquet", tmp_path / "few", unit="person", **PLAIN)
    assert "\n" not in str(caught.value)
    assert not hidden(tmp_path)


def test_the_proof_looks_at_what_was_written(tmp_path, layouts, monkeypatch):
    def spoiled(plan, job):
        final = finish(plan, job)
        table = pq.read_table(final.path)
        values = table.column("a").to_pylist()
        values[0] += 1e-9
        table = table.set_column(0, "a", pa.array(values))
        pq.write_table(table, final.path, row_group_size=table.num_rows)
        return final

    finish = job.finish
    monkeypatch.setattr(job, "finish", spoiled)
    for target in (tmp_path / "out", tmp_path / "out.parquet"):
        with pytest.raises(NotKAnonymous, match="2 class\\(es\\) have fewer than 4") as caught:
            anonymize(layouts[2], target, **PLAIN)
        assert caught.value.achieved == 1
        assert not target.exists()
    assert not hidden(tmp_path)


def test_types_come_from_a_sample_and_are_checked_on_all(tmp_path, monkeypatch):
    monkeypatch.setattr("coterie.pipeline.description.SAMPLE", 100)
    monkeypatch.setattr("coterie.pipeline.description.PER_TILE", 1)
    table = numbers(3000)
    table["a"] = np.round(table["a"])
    table.loc[::2, "a"] = np.nan  # whole numbers beside gaps: integers
    table.loc[7, "a"] = 0.25  # which the sample does not hold
    source = write_parts(table, tmp_path / "in", 3)
    wanted = {**PLAIN, "missing": "pattern"}
    with pytest.raises(
        (DataError, ParameterError), match=r"'a' is declared integer but holds 0\.25"
    ):
        anonymize(source, tmp_path / "out", **wanted)
    done = anonymize(source, tmp_path / "out", types={"a": "continuous"}, **wanted)
    assert done.evidence.public["keys"]["a"] == "continuous"
    # An ordinal without declared order has the order of all its values, not of the sample's.
    done = anonymize(
        source,
        tmp_path / "ordinal",
        types={"a": "continuous", "spent": "ordinal"},
        **{**wanted, "quasi_identifiers": [*KEYS, "spent"]},
    )
    assert done.evidence.public["keys"]["spent"] == "ordinal"


REFUSED = [
    ({"aggregation": "p3m"}, "aggregation='p3m' keeps mean and variance"),
    ({"previous": ["old.json"], "match": "group"}, "'previous' parameter is not for engine"),
    ({"aggregation": "p3m", "delta": 0.1}, "'delta' parameter is not for engine 'tiles'"),
    ({"k": 1}, "'k' parameter of anonymize must be an integer of at least 2"),
    ({"k": 5000}, "must be at most the number of records, 4000"),
    ({"method": "mdaw"}, "Did you mean 'mdav'"),
    ({"method_options": {"k": 3}}, "method_options must hold options"),
    ({"iterations": 5}, "'iterations' parameter is for methods that search"),
    ({"quasi_identifiers": []}, "at least one column name"),
    ({"quasi_identifiers": ["aa"]}, "Unknown column in quasi_identifiers: 'aa'"),
    ({"tile": 5}, "'tile' parameter of anonymize must be an integer of at least 100"),
    ({"random_state": -1}, "'random_state' parameter"),
    ({"engine": "ray"}, "'engine' parameter of anonymize must be one of 'tiles', 'dask', 'spark'"),
    ({"workers": 2}, "'workers' parameter is for engine='dask' and engine='spark'"),
    ({"scheduler": "tcp://x"}, "'scheduler' parameter is for engine='dask'. Got"),
    ({"scratch": "/no/such/folder"}, "scratch folder /no/such/folder does not exist"),
]


@pytest.mark.parametrize(("changed", "message"), REFUSED, ids=lambda v: str(v)[:30])
def test_what_is_not_supported_is_refused_by_name(tmp_path, layouts, changed, message):
    with pytest.raises(coterie.CoterieError, match=message) as caught:
        anonymize(layouts[0], tmp_path / "out", **{**PLAIN, **changed})
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()
    assert not hidden(tmp_path)


def test_targets(tmp_path, layouts):
    for target, message in (
        ("out.xlsx", "writes Parquet and CSV only"),
        ("parts", "is a folder that holds files"),
        ("no/such/folder", "its folder does not exist"),
    ):
        with pytest.raises(DataError, match=message):
            anonymize(layouts[0], tmp_path / target, **PLAIN)
    (tmp_path / "file").write_text("old")
    with pytest.raises(DataError, match="is a file, and a folder of parts would be written"):
        anonymize(layouts[0], tmp_path / "file", **PLAIN)
    (tmp_path / "empty").mkdir()
    anonymize(layouts[0], tmp_path / "empty", scratch=tmp_path, **PLAIN)
    assert [p.name for p in (tmp_path / "empty").iterdir()] == ["part-00000.parquet"]
    assert (tmp_path / "empty").stat().st_mode & 0o777 == 0o777 & ~_umask()
    assert not hidden(tmp_path)


def _umask():
    now = os.umask(0)
    os.umask(now)
    return now


def test_parts_that_cannot_be_read_are_named(tmp_path, layouts):
    folder = layouts[2]
    broken = folder / "part-3.parquet"
    good = broken.read_bytes()
    broken.write_bytes(good[: len(good) // 2])  # no footer
    with pytest.raises(DataError, match=r"part-3\.parquet cannot be read as Parquet"):
        anonymize(folder, tmp_path / "out", **PLAIN)
    start = pq.read_metadata(layouts[0]).row_group(0).column(0).dictionary_page_offset
    broken.write_bytes(good[:start] + b"\xff" * 40 + good[start + 40 :])  # a page
    with pytest.raises(DataError, match=r"part-3\.parquet cannot be read as Parquet"):
        anonymize(folder, tmp_path / "out", **PLAIN)
    table = pq.read_table(layouts[0])
    pq.write_table(table.drop_columns(["spent"]), broken)
    with pytest.raises(DataError, match=r"part-3\.parquet must have the columns .*\['spent'\]"):
        anonymize(folder, tmp_path / "out", **PLAIN)
    changed = table.set_column(0, "a", table.column("a").cast(pa.float32()))
    pq.write_table(changed, broken)
    with pytest.raises(DataError, match="Got float instead of double in 'a'"):
        anonymize(folder, tmp_path / "out", **PLAIN)
    broken.unlink()
    (folder / "notes.txt").write_text("hello")
    with pytest.raises(DataError, match=r"Parquet files only, or CSV files only\. Got 'notes.txt'"):
        anonymize(folder, tmp_path / "out", **PLAIN)
    for wrong in (tmp_path / "nothing.parquet", [], 7):
        with pytest.raises(coterie.CoterieError):
            anonymize(wrong, tmp_path / "out", **PLAIN)
    assert not hidden(tmp_path)


def test_parts_are_numbered_in_the_order_of_their_names(layouts):
    found = parts.split(files.locate(layouts[2]))
    assert [p.path.rpartition("-")[2] for p in found.parts] == [
        f"{n}.parquet" for n in range(1, 13)
    ]
    assert found.rows == 4000
    assert [p.first for p in found.parts] == np.cumsum([0, *(p.rows for p in found.parts)])[
        :-1
    ].tolist()
    few = parts.split([layouts[1]], rows=1000)
    assert [p.rows for p in few.parts] == [999, 999, 999, 999, 4]


def test_what_a_killed_process_left_is_removed(tmp_path, layouts):
    for target in ("out", "another"):
        left = abandoned(tmp_path, target)
        (left / "spool").mkdir()
        (left / "spool" / "spill-000000.parquet").write_text("original values")
    (tmp_path / ".out.other").mkdir()
    anonymize(layouts[0], tmp_path / "out", **PLAIN)
    assert hidden(tmp_path) == [".out.other"]


def test_what_a_killed_process_left_in_another_folder_is_removed(tmp_path, layouts):
    """The job before had a scratch folder, the next one has none."""
    elsewhere = tmp_path / "scratch"
    elsewhere.mkdir()
    far = abandoned(elsewhere, "out")
    (far / "spool").mkdir()
    (far / "spool" / "spill-000000.parquet").write_text("original values")
    near = abandoned(tmp_path, "out")
    (near / "elsewhere.json").write_text(json.dumps([str(far)]))
    anonymize(layouts[0], tmp_path / "out", **PLAIN)
    assert not hidden(tmp_path)
    assert not hidden(elsewhere)


def test_only_the_user_reads_what_is_not_released(tmp_path, layouts):
    """Folders 0700, files 0600, beside the target and in the scratch folder; released parts not."""
    elsewhere = tmp_path / "scratch"
    elsewhere.mkdir()
    seen = set()

    def look(progress):
        for place in (tmp_path, elsewhere):
            for name in hidden(place):
                for path in (place / name, *(place / name).rglob("*")):
                    with contextlib.suppress(FileNotFoundError):  # it has got its own name since
                        seen.add((path.is_dir(), path.stat().st_mode & 0o777, path.name[:5]))

    anonymize(layouts[0], tmp_path / "out", scratch=elsewhere, callback=look, tile=500, **PLAIN)
    assert {(folder, mode) for folder, mode, _ in seen} == {(True, 0o700), (False, 0o600)}
    assert {"spill", "tile-", "tiles", "part-", "owner", "elsew"} <= {name for *_, name in seen}
    usual = tmp_path / "usual"
    usual.touch()
    parts = list((tmp_path / "out").iterdir())
    assert {p.stat().st_mode & 0o777 for p in parts} == {usual.stat().st_mode & 0o777}
    assert not hidden(tmp_path)
    assert not hidden(elsewhere)


def test_the_input_is_never_the_target(tmp_path, layouts):
    one, _, folder = layouts
    before = one.read_bytes()
    (tmp_path / "link.parquet").hardlink_to(one)
    for source, target, rule in (
        (one, one, "must be a file of its own"),
        (one, tmp_path / "link.parquet", "must be a file of its own"),
        (folder, folder / "part-3.parquet", "must be a file of its own"),
        (folder, folder / "out.parquet", "must lie outside the folder of the table"),
        (folder, folder / "deeper", "must lie outside the folder of the table"),
    ):
        with pytest.raises(DataError, match=rule) as caught:
            anonymize(source, target, **PLAIN)
        assert "\n" not in str(caught.value)
    assert one.read_bytes() == before
    assert len(list(folder.iterdir())) == 12


def test_ctrl_c_leaves_nothing(tmp_path, layouts):
    def interrupt(progress):
        if progress.phase == "partition":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        anonymize(layouts[0], tmp_path / "out", callback=interrupt, **PLAIN)
    assert not (tmp_path / "out").exists()
    assert not hidden(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX limits")
def test_a_full_disk_is_one_line(tmp_path, layouts):
    code = (
        "import signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from coterie.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    flags = ["-k", "4", "-q", "a", "-q", "b", "--method", "mdav", "--engine", "tiles"]
    flags += ["--declare", "c", "--declare", "spent"]
    done = subprocess.run(
        [sys.executable, "-c", code, "anonymize", layouts[0], "-o", tmp_path / "out", *flags],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 2, done.stderr
    assert "File too large" in done.stderr
    assert "cannot be written" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not hidden(tmp_path)
    assert not (tmp_path / "out").exists()


def test_progress_goes_through_every_stage(tmp_path, layouts):
    told = []
    done = anonymize(layouts[2], tmp_path / "out", callback=told.append, tile=500, **PLAIN)
    phases = list(dict.fromkeys(p.phase for p in told))
    assert phases == ["start", "read", "sample", "survey", "cut", "partition", "order", "proof"]
    assert all(a.seconds <= b.seconds for a, b in pairwise(told))
    assert list(done.evidence.internal["seconds"]) == phases
    within = [p.fraction for p in told if p.phase == "partition"]
    assert within == sorted(within)
    assert len(set(within)) >= 8


def test_dates_far_apart_keep_their_resolution(tmp_path):
    rng = np.random.default_rng(1)
    days = rng.integers(0, 20_000, 600)
    stamps = np.datetime64("1970-01-01", "ns") + days.astype("timedelta64[D]").astype(
        "timedelta64[ns]"
    )
    table = pa.table(
        {
            "when": pa.array(stamps + np.timedelta64(3600, "s")),
            "day": pa.array([dt.date(1990, 1, 1) + dt.timedelta(int(d)) for d in days]),
        }
    )
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=100)
    found = []
    for number, rows in enumerate((100, 600)):
        pq.write_table(table, tmp_path / f"in{number}.parquet", row_group_size=rows)
        anonymize(
            tmp_path / f"in{number}.parquet",
            tmp_path / f"out{number}.parquet",
            3,
            ["when", "day"],
            method="mdav",
            engine="tiles",
            tile=100,
        )
        found.append(pq.read_table(tmp_path / f"out{number}.parquet"))
    assert found[0].equals(found[1])
    assert found[0].schema.field("when").type == pa.timestamp("ns")


def test_a_table_of_another_format_is_refused(tmp_path, layouts):
    for names, got in ((["in.xlsx"], "excel"), (["in.csv", "two.parquet"], "csv and parquet")):
        files = [tmp_path / name for name in names]
        for file in files:
            file.write_text("x")
        with pytest.raises(DataError, match=f"must be Parquet files or CSV files. Got {got}"):
            anonymize(files, tmp_path / "out", **PLAIN)
    with pytest.raises(ParameterError, match="'delimiter' parameter means nothing"):
        anonymize(layouts[0], tmp_path / "out", delimiter=";", **PLAIN)
