"""The process of a command: its exit code is the command's, and what was printed is there."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from tests import apart
from tests.cli import refusals


def ended(code):
    """Exit code and output of a program."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_what_was_registered_is_run_and_what_was_printed_is_written():
    program = """
        import atexit, sys
        from coterie.cli.process import end
        atexit.register(lambda: print("registered", file=sys.stderr))
        print("printed", end="")
        end(2)
    """
    assert ended(program) == (2, "printed", "registered\n")


def test_threads_that_still_want_the_interpreter_change_no_exit_code():
    program = """
        import threading, time
        from coterie.cli.process import end

        def busy():
            while True:
                time.sleep(0)

        for _ in range(8):
            threading.Thread(target=busy, daemon=True).start()
        end(2)
    """
    assert [ended(program) for _ in range(3)] == [(2, "", "")] * 3


def test_what_is_registered_may_fail():
    program = """
        import atexit
        from coterie.cli.process import end
        atexit.register(lambda: 1 / 0)
        end(0)
    """
    code, _, err = ended(program)
    assert code == 0
    assert "ZeroDivisionError" in err


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_an_error_of_one_line():
    program = """
        import sys
        from coterie.cli.process import end
        sys.stdout = open("/dev/full", "w")
        sys.stdout.write("lost")
        end(0)
    """
    code, _, err = ended(program)
    assert code == 2
    assert err.startswith("coterie: standard output cannot be written (No space left")
    assert len(err.splitlines()) == 1


@apart.POSIX
def test_a_reader_that_went_away_is_no_error():
    command = f"{sys.executable} -u -m coterie methods | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_text_is_read_from_memory_of_pyarrow(tmp_path, monkeypatch):
    """Python's own would be let go by a thread, perhaps when the interpreter is already gone."""
    import pyarrow as pa

    from coterie.table.formats import csv

    given = []
    reader = pa.BufferReader
    monkeypatch.setattr(pa, "BufferReader", lambda what: given.append(what) or reader(what))
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n")
    table, _ = csv.read(path, "a.csv")
    assert table.to_pydict() == {"a": [1], "b": [2]}
    assert given
    assert all(isinstance(what, pa.Buffer) and what.is_cpu for what in given)


def otherwise(endings):
    return [f"{e.code}: {e.command}\n{e.told}" for e in endings if not e.is_refusal]


@apart.POSIX
@pytest.mark.skipif(sys.platform == "darwin", reason="no copies of a process with threads there")
def test_a_refusal_ends_with_2():
    """Every third kind, in copies of one process that pytest has no part in."""
    program = """
        from tests.cli.refusals import KINDS, endings
        for ending in endings(KINDS[::3], share=True):
            if not ending.is_refusal:
                print(ending)
    """
    assert apart.printed(program) == []


@pytest.mark.slow
def test_300_refusals_end_with_2():
    kinds = refusals.KINDS * (300 // len(refusals.KINDS) + 1)
    assert otherwise(refusals.endings(kinds[:300], share=False)) == []
