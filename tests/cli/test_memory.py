"""Under a limit on the address space a command works or says what ran out; it never waits."""

from __future__ import annotations

import subprocess
import sys

import pytest

from coterie.cli import memory
from coterie.datasets import diabetes

MEBIBYTE = 2**20


@pytest.fixture(scope="module")
def patients(tmp_path_factory):
    path = tmp_path_factory.mktemp("memory") / "patients.csv"
    diabetes().to_csv(path, index=False)
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is enforced on Linux")
@pytest.mark.parametrize("mebibytes", [200, 700, 1024])
def test_a_limited_address_space_ends_in_a_release_or_in_one_line(mebibytes, patients, tmp_path):
    import resource

    target = tmp_path / "out.csv"
    options = ["-k", "5", "-q", "age", "-q", "bmi", "-q", "bp", "--seed", "1", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-m", "coterie", "anonymize", patients, *options, "-o", target],
        preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_AS, (mebibytes * MEBIBYTE, mebibytes * MEBIBYTE)
        ),
        capture_output=True,
        text=True,
        timeout=300,  # it used to wait for ever
        check=False,
    )
    if done.returncode == 0:
        assert target.exists()
    else:
        assert not target.exists()
        assert done.returncode == 2, done.stderr
        told = done.stderr.strip().splitlines()
        assert told[-1].startswith("coterie: out of memory"), told
        assert f"{mebibytes} MiB (ulimit -v)" in told[-1]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (MemoryError(), True),
        (OSError(12, "Cannot allocate memory"), True),
        (RuntimeError("can't start new thread"), True),
        (ValueError("no such column"), False),
        (OSError(2, "No such file or directory"), False),
    ],
)
def test_errors_for_want_of_memory_are_told_apart(error, expected):
    assert memory.ran_out(error) is expected


def test_libraries_begin_with_one_thread_only_under_a_limit(monkeypatch):
    for name in memory.THREADS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(memory, "limit", lambda: None)
    memory.begin_modestly()
    assert not any(name in memory.os.environ for name in memory.THREADS)
    monkeypatch.setattr(memory, "limit", lambda: 2**30)
    monkeypatch.setenv(memory.THREADS[0], "3")  # the caller's choice stands
    monkeypatch.setenv(memory.THREADS[1], "")
    monkeypatch.delenv(memory.THREADS[1])
    memory.begin_modestly()
    assert memory.os.environ[memory.THREADS[0]] == "3"
    assert memory.os.environ[memory.THREADS[1]] == "1"
    for name in memory.THREADS[1:]:
        monkeypatch.delenv(name)


def test_a_complaint_that_found_no_memory_is_one_only_where_memory_is_limited(monkeypatch):
    error = SystemError("error return without exception set")
    for limit, expected in ((None, False), (400 * MEBIBYTE, True)):
        monkeypatch.setattr(memory, "limit", lambda limit=limit: limit)
        assert memory.ran_out(error) is expected
