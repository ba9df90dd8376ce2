"""Writing: the old file or the whole new one, and nothing else, whatever happens."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import textwrap

import pandas as pd
import pyarrow as pa
import pytest

from coterie import distributed
from coterie.errors import DataError, ParameterError
from coterie.table import atomic, read, write
from coterie.table.formats import FORMATS

EXTENSIONS = [e for f in FORMATS.values() for e in f.writable]
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")


@pytest.fixture
def source():
    return read(pd.DataFrame({"age": [30, 40, 40], "sex": ["f", "m", "m"]}))


@pytest.fixture
def folder(tmp_path):
    """A folder with an old file of each format, which must be there afterwards, alone."""
    for extension in EXTENSIONS:
        (tmp_path / f"out{extension}").write_bytes(b"old")
    return tmp_path


def assert_untouched(folder):
    assert sorted(p.name for p in folder.iterdir()) == sorted(f"out{e}" for e in EXTENSIONS)
    assert {p.read_bytes() for p in folder.iterdir()} == {b"old"}


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_the_proof_sees_what_is_in_the_file(folder, source, extension):
    seen = []
    target = folder / f"out{extension}"
    write(source, source.frame, target, proof=seen.append)
    assert seen[0].origin == str(target)
    assert seen[0].frame.to_dict(as_series=False) == {"age": [30, 40, 40], "sex": ["f", "m", "m"]}
    assert read(target).frame.shape == (3, 2)
    assert len(list(folder.iterdir())) == len(EXTENSIONS)


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("error", [DataError, KeyboardInterrupt, OSError, SystemExit])
def test_a_proof_that_raises_leaves_the_old_file(folder, source, extension, error):
    def refuse(_):
        assert len(list(folder.iterdir())) == len(EXTENSIONS) + 1
        raise error("no")

    with pytest.raises(error, match="no"):
        write(source, source.frame, folder / f"out{extension}", proof=refuse)
    assert_untouched(folder)


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left")])
def test_an_error_while_writing_leaves_the_old_file(folder, source, extension, error, monkeypatch):
    module = next(f for f in FORMATS.values() if extension in f.writable).load()
    whole = module.write

    def half(table, path, details):
        whole(table, path, details)
        path.write_bytes(path.read_bytes()[:10])
        raise error

    monkeypatch.setattr(module, "write", half)
    with pytest.raises((KeyboardInterrupt, DataError)) as caught:
        write(source, source.frame, folder / f"out{extension}")
    if isinstance(error, OSError):
        assert "No space left" in str(caught.value)
        assert "Free some space" in str(caught.value)
    assert_untouched(folder)


@pytest.mark.parametrize("call", ["open", "fsync", "replace", "chmod"])
@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.EIO, errno.ENOSPC])
def test_a_system_call_that_fails_leaves_the_old_file(folder, source, call, number, monkeypatch):
    def fail(*args, **kwargs):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(DataError, match=re.escape(os.strerror(number))) as caught:
        write(source, source.frame, folder / "out.csv")
    monkeypatch.undo()
    assert "nothing was changed" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert_untouched(folder)


@POSIX
def test_a_full_disk_leaves_the_old_file(folder):
    done = run(
        f"""
        import resource, numpy as np, pandas as pd
        from coterie.table import read, write
        from coterie.errors import DataError
        source = read(pd.DataFrame({{"x": np.random.default_rng(0).normal(size=20_000)}}))
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
        for extension in {EXTENSIONS!r}:
            try:
                write(source, source.frame, {str(folder / "out")!r} + extension)
            except DataError as error:
                print("refused:", error)
        """
    )
    assert done.stdout.count("refused:") == len(EXTENSIONS), done.stderr
    assert done.stdout.count("\n") == len(EXTENSIONS)
    assert not done.stderr
    assert_untouched(folder)


@POSIX
@pytest.mark.parametrize("extension", [".csv", ".parquet"])
def test_a_killed_process_leaves_the_old_file_or_the_new_one(tmp_path, extension):
    target = tmp_path / f"out{extension}"
    done = run(
        f"""
        import os, pathlib, random, signal, time
        import pyarrow as pa, pyarrow.csv, pyarrow.parquet
        from coterie.table import read, write
        target = pathlib.Path({str(target)!r})
        source = read(pa.table({{"x": range(60_000), "y": ["abc"] * 60_000}}))
        write(source, source.frame, target)
        whole = {{target.read_bytes()}}
        target.write_bytes(b"old")
        whole.add(b"old")
        wait = random.Random(7)
        for kill in range(20):
            begun, tell = os.pipe()
            child = os.fork()
            if not child:
                os.write(tell, b"x")
                while True:
                    write(source, source.frame, target)
            os.read(begun, 1)
            time.sleep(wait.uniform(0, 0.1))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            assert target.read_bytes() in whole
            strays = [p.name for p in target.parent.iterdir() if p != target]
            assert len(strays) <= 1, strays  # of the last kill; earlier ones were removed
            print("kill", target.stat().st_size, *strays)
        """
    )
    assert done.stdout.count("kill") == 20, done.stderr
    strays = set(re.findall(r"kill \d+ (\S+)", done.stdout))
    assert strays, "no kill hit a file half written"
    assert all(re.fullmatch(r"\.out\.\w+\.[0-9a-f]{16}\.coterie-work", name) for name in strays)
    source = read(pd.DataFrame({"x": [1]}))
    write(source, source.frame, target)
    assert [p.name for p in tmp_path.iterdir()] == [target.name]


def test_a_writer_at_work_is_not_disturbed(tmp_path, source):
    target = tmp_path / "out.csv"
    with atomic.replacing(target) as temporary:
        temporary.write_text("a\n1\n")
        write(source, source.frame, target)  # as another process would
        assert temporary.exists()
    assert target.read_text() == "a\n1\n"


@POSIX
def test_modes_and_links_are_kept(tmp_path, source):
    target = tmp_path / "out.csv"
    old = os.umask(0o027)
    try:
        write(source, source.frame, target)
        assert target.stat().st_mode & 0o777 == 0o640
        target.chmod(0o604)
        write(source, source.frame, target)
        assert target.stat().st_mode & 0o777 == 0o604
    finally:
        os.umask(old)
    link = tmp_path / "link.csv"
    link.symlink_to("out.csv")
    write(source, source.frame.head(1), link)
    assert link.is_symlink()
    assert read(target).frame.shape == (1, 2)


@POSIX
def test_nobody_else_reads_what_is_not_proven(tmp_path, source):
    def proof(_):
        hidden = next(p for p in tmp_path.iterdir() if p.name.startswith("."))
        assert hidden.stat().st_mode & 0o777 == 0o700
        assert {p.name for p in hidden.iterdir()} == {"out.csv", "owner.json"}
        assert {p.stat().st_mode & 0o777 for p in hidden.iterdir()} == {0o600}

    write(source, source.frame, tmp_path / "out.csv", proof=proof)


def test_a_workbook_keeps_its_rows_beside_the_target(tmp_path, source, monkeypatch):
    """Not in the folder for temporary files, where a killed process would leave them."""
    pytest.importorskip("openpyxl")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    seen = []
    module = FORMATS["excel"].load()
    monkeypatch.setattr(
        module, "_value", lambda value: seen.extend(p.name for p in temporary.iterdir()) or value
    )
    write(source, source.frame, tmp_path / "out.xlsx")
    assert seen == []
    assert read(tmp_path / "out.xlsx").frame.shape == (3, 2)


def test_a_labeled_file_without_extension_has_its_format(tmp_path, source):
    pytest.importorskip("pyreadstat")
    write(source, source.frame, tmp_path / "plain", format="stata")
    assert read(tmp_path / "plain", format="stata").frame.shape == (3, 2)


def test_targets_that_are_no_file(tmp_path, source, monkeypatch):
    for target, message in (
        (tmp_path, "unknown format"),
        (tmp_path / "no" / "out.csv", "folder does not exist"),
        (tmp_path / "out.docx", "unknown format"),
        (tmp_path / "out.xls", "read but not written"),
        (tmp_path / "out", "unknown format"),
        (tmp_path / ("x" * 300 + ".csv"), "cannot be written"),
    ):
        with pytest.raises(DataError, match=message):
            write(source, source.frame, target)
    no_text = ["a\ud800.csv"] if os.name == "posix" else []  # Windows has such names
    for target in (5, None, b"out.csv", ["out.csv"], "a\0.csv", *no_text):
        with pytest.raises(ParameterError, match="'target' parameter of write must be the path"):
            write(source, source.frame, target)
        with pytest.raises(ParameterError, match="'target' parameter of anonymize must be the"):
            distributed.anonymize(tmp_path / "in.csv", target, 3, ["a"])
    with pytest.raises(ParameterError, match="without a slash at its end"):
        write(source, source.frame, f"{tmp_path}/out.csv/")
    with pytest.raises(ParameterError, match="slash at its end, or of a folder without extension"):
        distributed.anonymize(tmp_path / "in.csv", f"{tmp_path}/out.csv/", 3, ["a"])
    for target in ("", "."):  # no slash is at their end
        with pytest.raises(ParameterError, match=r"must be the path of a file\. Got"):
            write(source, source.frame, target)
    with pytest.raises(ParameterError, match="'target' parameter of anonymize must be the path"):
        distributed.anonymize(tmp_path / "in.csv", "", 3, ["a"])
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match="is a folder"):
        write(source, source.frame, tmp_path / "folder.csv")
    (tmp_path / "locked.csv").write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(DataError, match="read-only"):
        write(source, source.frame, tmp_path / "locked.csv")
    assert (tmp_path / "locked.csv").read_text() == "old"


def test_a_long_name_can_be_written(tmp_path, source):
    target = tmp_path / ("ä" * 120 + ".csv")
    write(source, source.frame, target)
    assert [p.name for p in tmp_path.iterdir()] == [target.name]


def test_without_extension_the_format_is_the_source_s(tmp_path, source):
    write(source, source.frame, tmp_path / "a.parquet")
    parquet = read(tmp_path / "a.parquet")
    write(parquet, parquet.frame, tmp_path / "plain")
    assert read(tmp_path / "plain", format="parquet").frame.shape == (3, 2)
    write(source, source.frame, tmp_path / "other", format="feather")
    assert read(tmp_path / "other", format="feather").frame.shape == (3, 2)


def test_an_empty_release_is_refused(tmp_path, source):
    with pytest.raises(DataError, match="0 rows"):
        write(source, source.frame.head(0), tmp_path / "a.csv")
    assert not list(tmp_path.iterdir())


def test_what_a_format_would_change_is_refused(tmp_path):
    source = read(pd.DataFrame({"x": [1e300, 1.0]}))
    with pytest.raises(DataError, match="column 'x' exactly: 1e\\+300 was read back as inf"):
        write(source, source.frame, tmp_path / "a.xpt")
    with pytest.raises(DataError, match="several types"):
        write(source, pd.DataFrame({"x": [1, "a"]}), tmp_path / "a.csv")
    with pytest.raises(DataError, match="control characters"):
        write(source, pd.DataFrame({"x": ["a\x01"]}), tmp_path / "a.xlsx")
    with pytest.raises(DataError, match="cannot be written as stata"):
        write(source, pd.DataFrame({"a b": [1]}), tmp_path / "a.dta")
    with pytest.raises(DataError, match="cannot hold column 'x' of type"):
        write(source, pa.table({"x": [[1]]}), tmp_path / "a.sav")
    assert not list(tmp_path.iterdir())


def run(code):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
