"""The same job on Spark: equal to one process, also when a worker is lost on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from coterie.distributed import anonymize
from coterie.errors import CoterieError, DataError, MissingDependency, ParameterError
from coterie.pipeline.engines import spark
from tests import apart
from tests.pipeline.conftest import KEYS
from tests.pipeline.outcomes import hidden

WANTED = {"k": 4, "quasi_identifiers": KEYS, "method": "mdav", "random_state": 3, "tile": 400}


@pytest.fixture
def expected(tmp_path, layouts):
    anonymize(layouts[0], tmp_path / "serial", engine="tiles", **WANTED)
    return pq.read_table(tmp_path / "serial")


def test_executors_give_what_one_process_gives(tmp_path, layouts, session, expected):
    told = []
    done = anonymize(
        layouts[2],
        tmp_path / "out",
        engine="spark",
        client=session,
        callback=told.append,
        **WANTED,
    )
    assert pq.read_table(tmp_path / "out").equals(expected)
    assert done.evidence.internal["engine"]["name"] == "spark"
    assert done.evidence.internal["engine"]["workers"] == 2
    assert min(done.peak_memory.values()) > 10
    assert "partition" in {progress.phase for progress in told}
    assert session.range(3).count() == 3  # the caller's session is left open
    assert not hidden(tmp_path)


def test_what_a_task_refuses_is_told_in_one_line(tmp_path, layouts, session):
    wanted = {**WANTED, "strata": ["group"], "k": 450}
    told = []
    for how in ({"engine": "tiles"}, {"engine": "spark", "client": session}):
        with pytest.raises(CoterieError) as caught:
            anonymize(layouts[2], tmp_path / "out", **how, **wanted)
        told.append(str(caught.value))
    assert told[0] == told[1]
    assert "\n" not in told[0]
    assert not hidden(tmp_path)


def _fatal(folder, job):
    """A task that ends its own process, once."""
    mark = os.path.join(folder, "killed")
    if job == 1 and not os.path.exists(mark):
        open(mark, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return job * 10


PHASES = ("sample", "survey", "cut", "partition", "order", "proof")


def started_by(process, name):
    """The processes that `process` has started, and those have, whose command names `name`."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True)
    above, said = {}, {}
    for line in listed.stdout.splitlines():
        pid, parent, command = line.split(None, 2)
        above.setdefault(int(parent), []).append(int(pid))
        said[int(pid)] = command
    found, waiting = [], [process]
    while waiting:
        mine = above.get(waiting.pop(), [])
        found += [pid for pid in mine if name in said[pid]]
        waiting += mine
    return sorted(found)


@apart.POSIX
@pytest.mark.parametrize("phase", PHASES)
def test_a_python_worker_killed_in_a_phase_changes_nothing(
    tmp_path, layouts, session, expected, phase
):
    killed = []

    def kill(progress):
        # The first is the one that starts the others.
        workers = started_by(os.getpid(), "pyspark.daemon")[1:]
        if progress.phase == phase and progress.fraction < 0.9 and not killed and workers:
            killed.append(workers[-1])
            os.kill(workers[-1], signal.SIGKILL)

    how = {"engine": "spark", "client": session, "callback": kill}
    anonymize(layouts[1], tmp_path / "out", **how, **WANTED)
    assert killed
    assert killed[0] not in started_by(os.getpid(), "pyspark.daemon")
    assert pq.read_table(tmp_path / "out").equals(expected)
    assert not hidden(tmp_path)


LOST = """
import os, signal, sys
import coterie
from coterie.distributed import anonymize
from tests.pipeline.test_spark import WANTED, started_by

def kill(progress):
    java = started_by(os.getpid(), "java")
    if progress.phase == {phase!r} and java:
        os.kill(java[0], signal.SIGKILL)

try:
    anonymize({source!r}, {target!r}, engine="spark", workers=1, callback=kill, **WANTED)
except coterie.CoterieError as error:
    print("refused:", error)
"""


@apart.POSIX
@pytest.mark.slow
@pytest.mark.parametrize("phase", PHASES)
def test_java_that_is_killed_leaves_nothing(tmp_path, layouts, session, phase):
    """Of a local session it is driver and executor in one: the job ends, the old file stays."""
    (tmp_path / "out.parquet").write_text("old")
    code = LOST.format(phase=phase, source=str(layouts[1]), target=str(tmp_path / "out.parquet"))
    lines = apart.printed(code)
    assert len(lines) == 1
    assert lines[0].startswith("refused: ")
    assert (tmp_path / "out.parquet").read_text() == "old"
    assert not hidden(tmp_path)


@apart.POSIX
def test_a_worker_that_is_killed_changes_nothing(tmp_path, session):
    crew = spark.Spark(session)
    assert crew.map(_fatal, str(tmp_path), [0, 1, 2], lambda share: None) == [0, 10, 20]
    assert (tmp_path / "killed").exists()


def test_executors_must_see_the_folder(tmp_path, session):
    with pytest.raises(DataError, match="must see the folder"):
        spark.Spark(session).check(tmp_path / "nowhere")


def test_a_second_local_session_is_refused(tmp_path, layouts, session):
    with pytest.raises(DataError, match="running in this process already"):
        anonymize(layouts[0], tmp_path / "out", engine="spark", workers=2, **WANTED)
    with pytest.raises(ParameterError, match=r"must be a pyspark.sql.SparkSession"):
        anonymize(layouts[0], tmp_path / "out", engine="spark", client=7, **WANTED)


def test_without_pyspark_the_command_that_installs_it_is_told(tmp_path, layouts, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(MissingDependency, match=r'pip install "coterie\[spark\]"'):
        anonymize(layouts[0], tmp_path / "out", engine="spark", **WANTED)
    assert not hidden(tmp_path)
