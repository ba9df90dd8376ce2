"""A case of each kind that `make faults` tries at random, at a moment that is known.

Every job is a process of its own session. A job stands still where it is to be ended (see `held`),
so that nothing depends on how fast the machine is.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from tests import apart
from tests.faults import job, kills, limits, writers
from tests.faults.job import Place

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs POSIX signals and /proc")

TIDY = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    job.table(folder, rows=300)
    return folder


def held(place, inputs, *, scratch=False):
    """A job that stands still with something on the disk; the process, and its input if piped."""
    ready = place.root / "ready"
    command = job.arguments(place, inputs, scratch=scratch)
    if place.engine == "stdin":  # it waits for the rest of its input
        reader, writer = os.pipe()
        process = job.start(place, command, stdin=reader)
        os.close(reader)
        with os.fdopen(os.dup(writer), "wb") as feed:
            feed.write(job.beginning(inputs))
        assert job.until(lambda: any(p.stat().st_size for p in spools(place)))
        return process, writer
    process = job.start(place, [str(ready), *command], program="tests.faults.held")
    assert job.until(lambda: ready.exists() or process.poll() is not None)
    assert process.poll() is None, place.said()
    return process, None


def spools(place):
    return list((place.disk / "tmp").glob(".coterie.*/input"))


def close(process, pipe):
    if pipe is not None:
        os.close(pipe)
    process.wait()


@pytest.mark.parametrize(
    ("engine", "number"),
    [
        *(("stdin", s) for s in (*TIDY, signal.SIGUSR1, signal.SIGALRM)),
        *(("tiles", s) for s in TIDY),
        ("memory", signal.SIGTERM),
        ("dask", signal.SIGTERM),
    ],
    ids=lambda v: v if isinstance(v, str) else v.name,
)
def test_a_signal_leaves_nothing(tmp_path, inputs, engine, number):
    if engine == "dask":
        pytest.importorskip("distributed")
    place = Place(tmp_path, engine)
    place.put_old()
    process, pipe = held(place, inputs, scratch=engine in ("tiles", "dask"))
    assert place.left()
    os.kill(process.pid, number)
    code = job.ended(process)
    assert place.left() == []
    close(process, pipe)
    assert code == 128 + number, place.said()
    assert place.found() == place.old
    how = "interrupted" if number == signal.SIGINT else f"ended by {number.name}"
    assert place.said() == f"coterie: {how}; nothing was written\n"
    assert job.alone(process.pid)
    assert place.left() == []


@pytest.mark.parametrize("engine", ["stdin", "tiles"])
def test_after_sigkill_the_next_job_removes_what_is_left(tmp_path, inputs, engine):
    """The one before had a scratch folder, the next one has none."""
    place = Place(tmp_path, engine)
    place.put_old()
    process, pipe = held(place, inputs, scratch=True)
    originals = [name for name in place.left() if name.startswith(("tmp/", "scratch/"))]
    assert originals
    process.kill()
    close(process, pipe)
    assert set(originals) <= set(place.left())
    assert place.found() == place.old
    assert job.run(place, inputs) == 0, place.said()
    assert place.left() == []
    assert place.found() != place.old


def test_a_second_ctrl_c_ends_at_once(tmp_path, inputs):
    """A main thread that does not come back to Python does not keep it from ending."""
    code = """
        import sys, threading, time
        from coterie import scratch
        from coterie.cli import signals
        with signals.heard(), scratch.folder(sys.argv[1], "out") as place:
            (place / "original").touch()
            while True:
                try:
                    time.sleep(60)
                except KeyboardInterrupt:
                    print("once", flush=True)
    """
    place = Place(tmp_path, "memory")
    lines = "\n".join(line[8:] for line in code.splitlines())
    process = subprocess.Popen(
        [sys.executable, "-c", lines, str(tmp_path / "disk")],
        env=place.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert job.until(lambda: bool(list((tmp_path / "disk").glob(".out.*/original"))))
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "once\n"
    for _ in range(60):  # half a second must have passed, whoever measures it
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        if job.until(lambda: process.poll() is not None, 5):
            break
    said = process.communicate()[1]
    assert process.returncode == 130
    assert said == "coterie: interrupted twice; nothing was written\n"
    assert not list((tmp_path / "disk").glob(".out*"))


def test_what_was_written_before_is_told(tmp_path):
    """Ended while the report is made: the release stays, and the line says so."""
    code = """
        import sys, time
        from pathlib import Path
        from coterie.cli import signals
        from coterie.table import atomic
        with signals.heard():
            atomic.write_text(Path(sys.argv[1]), "released")
            print("now", flush=True)
            time.sleep(600)
    """
    lines = "\n".join(line[8:] for line in code.splitlines())
    target = tmp_path / "out.csv"
    process = subprocess.Popen(
        [sys.executable, "-c", lines, str(target)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout.readline() == "now\n"
    process.terminate()
    assert process.communicate()[1] == f"coterie: ended by SIGTERM; written before: {target}\n"
    assert process.returncode == 143
    assert target.read_text() == "released"


def test_a_worker_that_is_being_born_says_nothing():
    """It would read its task from a process that is gone, and print a traceback."""
    pytest.importorskip("psutil")  # Dask brings it along
    code = """
        import multiprocessing, threading, time
        from multiprocessing import resource_tracker, util
        import psutil
        from coterie.cli import signals

        resource_tracker.ensure_running()
        launch = util.spawnv_passfds

        def slow(*arguments):
            number = launch(*arguments)
            print(number, flush=True)
            time.sleep(600)

        util.spawnv_passfds = slow
        with signals.heard():
            task = multiprocessing.get_context("spawn").Process(target=print)
            threading.Thread(target=task.start, daemon=True).start()
            time.sleep(600)
    """
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with apart.started("-c", textwrap.dedent(code), **pipes) as process:
        assert int(process.stdout.readline())
        process.terminate()
        said = process.communicate()[1]  # until the child has ended as well
    assert process.returncode == 143
    assert said == "coterie: ended by SIGTERM; nothing was written\n"


def test_ignored_signals_stay_ignored(tmp_path, inputs):
    """As nohup asks for: a closed terminal does not end the job."""
    place = Place(tmp_path, "stdin")

    def ignore():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    reader, writer = os.pipe()
    process = job.start(place, job.arguments(place, inputs), stdin=reader, limit=ignore)
    os.close(reader)
    os.write(writer, (inputs / "in.csv").read_bytes())
    assert job.until(lambda: bool(spools(place)))
    process.send_signal(signal.SIGHUP)
    os.close(writer)
    assert job.ended(process) == 0, place.said()


def test_the_library_sets_no_handler(tmp_path):
    code = (
        "import signal, coterie, pathlib\n"
        "before = [signal.getsignal(n) for n in signal.valid_signals()]\n"
        "r = coterie.anonymize(coterie.datasets.diabetes(), 5, ['age'], method='mdav')\n"
        f"r.write({str(tmp_path / 'out.csv')!r})\n"
        "assert before == [signal.getsignal(n) for n in signal.valid_signals()]\n"
        "from coterie.cli import main\n"
        "main(['methods'])\n"
        "assert before == [signal.getsignal(n) for n in signal.valid_signals()]\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_a_fork_takes_signals_as_usual():
    """A child of the process that listens must not end its parent, nor stand still."""
    code = """
        import os, signal, time
        from coterie.cli import signals
        with signals.heard():
            child = os.fork()
            if not child:
                time.sleep(600)
            os.kill(child, signal.SIGTERM)
            _, status = os.waitpid(child, 0)
            print(os.waitstatus_to_exitcode(status))
    """
    lines = "\n".join(line[8:] for line in code.splitlines())
    done = subprocess.run(
        [sys.executable, "-c", lines], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout == "-15\n"


@pytest.fixture(scope="module")
def known(tmp_path_factory, inputs):
    folder = tmp_path_factory.mktemp("known")
    return {engine: kills.learned(folder, inputs, engine, 1) for engine in ("memory", "tiles")}


@pytest.mark.parametrize("function", [limits.disk, limits.memory, limits.read_only])
def test_limits(tmp_path, inputs, known, function, monkeypatch):
    """A case of each; the least memory, in which not even the modules find room."""
    monkeypatch.setattr(limits, "ENGINES", ("tiles",))
    draw = random.Random(3)
    if function is limits.read_only:
        monkeypatch.setattr(draw, "choice", lambda engines: engines[0])
    if function is limits.memory:
        monkeypatch.setattr(draw, "choice", lambda choices: choices[0])
    try:
        assert function(draw, tmp_path, inputs, known) == []
    except limits.NotHere as reason:
        pytest.skip(str(reason))


def test_a_full_disk_is_one_line(tmp_path, inputs, known):
    place = Place(tmp_path, "tiles")
    place.put_old()
    limit = limits._limit(limits.resource.RLIMIT_FSIZE, 6_000)
    assert limits._judged(place, inputs, known["tiles"], limit) == []
    assert place.said().count("\n") == 1
    assert "File too large" in place.said()
    assert place.found() == place.old


def test_two_writers(tmp_path, inputs, monkeypatch):
    monkeypatch.setattr(writers, "MANY", 2)
    monkeypatch.setattr(writers, "ENGINES", ("memory",))
    alone = writers.references(tmp_path / "alone", inputs)
    folder = tmp_path / "together"
    folder.mkdir()
    assert writers.together(random.Random(1), folder, inputs, alone) == []


def test_a_torn_file_would_be_found(tmp_path, inputs, known):
    """What judges the cases can fail: a torn target, and something left behind."""
    kill = kills.Kill(0, "memory", signal.SIGTERM, "any", 0.0, False, False)
    place = Place(tmp_path, "memory")
    (place.disk / "tmp" / "left").touch()
    found = kills.attempt(kill, tmp_path, inputs, kills.Known(b"another", 0.0))
    assert found.left == ["tmp/left"]
    assert "left behind: tmp/left" in found.problems
    place.put_old = lambda: place.target.write_bytes(b"half")
    place.put_old()
    assert place.found() not in (place.old, known["memory"].new)
