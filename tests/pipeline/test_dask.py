"""The same job on a local cluster: equal to one process, also when a worker is lost on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pyarrow.parquet as pq
import pytest

import coterie
from coterie.distributed import anonymize
from coterie.errors import DataError, MissingDependency, ParameterError
from coterie.pipeline.engines import dask as engines
from tests import apart
from tests.pipeline.conftest import KEYS
from tests.pipeline.outcomes import hidden, same_as_tiles
from tests.pipeline.plans import PLANS, covering
from tests.trials import later

distributed = pytest.importorskip("distributed")

TILE = 150
WANTED = {"k": 4, "quasi_identifiers": KEYS, "method": "mdav", "random_state": 3, "tile": 200}


@pytest.fixture(scope="module")
def expected(tmp_path_factory, written_layouts):
    target = tmp_path_factory.mktemp("serial") / "out"
    anonymize(written_layouts / "one.parquet", target, engine="tiles", **WANTED)
    return pq.read_table(target)


def test_workers_give_what_one_process_gives(tmp_path, layouts, cluster, expected):
    done = anonymize(layouts[2], tmp_path / "out", client=cluster, **WANTED)
    assert pq.read_table(tmp_path / "out").equals(expected)
    assert done.evidence.internal["engine"]["workers"] == 2
    assert 1 <= len(done.peak_memory) <= 2
    assert min(done.peak_memory.values()) > 10
    assert cluster.status == "running"  # the caller's client is left open
    assert not hidden(tmp_path)


@pytest.mark.parametrize(
    "name", [*covering()[:2], *map(later, covering()[2:5]), "close and refused"]
)
def test_dask_gives_the_same(parts, in_tiles, tmp_path, cluster, name):
    same_as_tiles(parts, in_tiles, tmp_path, name, TILE, engine="dask", client=cluster)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANS)
def test_dask_gives_the_same_for_every_plan(parts, in_tiles, tmp_path, cluster, name):
    same_as_tiles(parts, in_tiles, tmp_path, name, TILE, engine="dask", client=cluster)


@pytest.mark.long
def test_a_cluster_that_is_started_for_the_job(tmp_path, layouts, expected):
    """Whole and to its end; tests/faults starts and ends others."""
    anonymize(layouts[2], tmp_path / "out", workers=2, **WANTED)
    assert pq.read_table(tmp_path / "out").equals(expected)


LATER = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in ("sample", "survey", "cut", "order", "proof")
]


@apart.POSIX
@pytest.mark.parametrize("phase", ["partition", *LATER])
def test_a_worker_that_is_killed_changes_nothing(tmp_path, layouts, cluster, expected, phase):
    before = sorted(cluster.run(os.getpid).values())
    killed = []

    def kill(progress):
        if progress.phase == phase and progress.fraction < 0.9 and not killed:
            killed.append(before[0])
            os.kill(before[0], signal.SIGKILL)

    done = anonymize(layouts[1], tmp_path / "out", client=cluster, callback=kill, **WANTED)
    assert killed
    assert pq.read_table(tmp_path / "out").equals(expected)
    assert done.verification.achieved >= 4
    cluster.wait_for_workers(2, timeout=apart.PATIENCE)
    assert killed[0] not in cluster.run(os.getpid).values()
    assert not hidden(tmp_path)


def test_what_a_task_refuses_is_told_in_one_line(tmp_path, layouts, cluster):
    broken = layouts[2] / "part-3.parquet"
    good = broken.read_bytes()
    start = pq.read_metadata(broken).row_group(0).column(0).dictionary_page_offset
    broken.write_bytes(good[:start] + b"\xff" * 40 + good[start + 40 :])
    with pytest.raises(DataError, match=r"part-3\.parquet cannot be read as Parquet") as caught:
        anonymize(layouts[2], tmp_path / "out", client=cluster, **WANTED)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()
    assert not hidden(tmp_path)


def test_a_cluster_by_its_address(tmp_path, layouts, cluster, expected):
    address = cluster.scheduler.address
    anonymize(layouts[2], tmp_path / "out.parquet", scheduler=address, **WANTED)
    assert pq.read_table(tmp_path / "out.parquet").equals(expected)
    assert cluster.status == "running"


def test_workers_must_see_the_folder_and_have_the_version(tmp_path, cluster, monkeypatch):
    crew = engines.Cluster(cluster)
    with pytest.raises(DataError, match="must see the folder"):
        crew.check(tmp_path / "elsewhere")
    monkeypatch.setattr(coterie, "__version__", "99")
    with pytest.raises(DataError, match="must have coterie 99"):
        crew.check(tmp_path)


def test_schedulers_that_cannot_be_reached(tmp_path, layouts, monkeypatch):
    monkeypatch.setattr(engines, "REACHED", 0.5)
    for address in ("tcp://127.0.0.1:1", "nonsense://x", "127.0.0.1"):
        with pytest.raises(DataError, match=f"scheduler at {address} cannot be reached"):
            anonymize(layouts[0], tmp_path / "out", scheduler=address, **WANTED)
    for wrong, rule in (
        ({"client": 7}, "'client' parameter"),
        ({"workers": 0}, "'workers' parameter of anonymize must be an integer of at least 1"),
        ({"workers": 1, "scheduler": "x"}, "Only one of client, scheduler and workers"),
    ):
        with pytest.raises(ParameterError, match=rule):
            anonymize(layouts[0], tmp_path / "out", **wrong, **WANTED)
    assert not hidden(tmp_path)


def test_without_dask_the_command_that_installs_it_is_told(tmp_path, layouts, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingDependency, match=r'pip install "coterie\[dask\]"'):
        anonymize(layouts[0], tmp_path / "out", **WANTED)


def test_dask_loads_only_when_it_is_used():
    code = "import coterie.distributed, sys; print('distributed' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.long
def test_workers_that_die_at_every_attempt_are_no_endless_loop(cluster):
    crew = engines.Cluster(cluster)
    with pytest.raises(DataError, match="Workers died again and again at"):
        crew.map(_die, "", [1], lambda share: None)


def _die(plan, job):
    os._exit(1)


@apart.POSIX
def test_a_script_that_its_workers_run_again_is_told_of_the_guard(tmp_path, layouts):
    """Without the guard each worker imports, and so runs, the script; it ends there unheard."""
    script = tmp_path / "script.py"
    script.write_text(
        "from coterie.distributed import anonymize\n"
        f"anonymize({str(layouts[0])!r}, {str(tmp_path / 'out')!r}, workers=1, **{WANTED!r})\n"
    )
    with apart.started(script, stderr=subprocess.PIPE) as process:
        _, err = process.communicate(timeout=apart.PATIENCE)
    assert process.returncode == 1
    assert err.count("Traceback") == 1, err
    assert err.splitlines()[-1] == (
        "coterie.errors.DataError: The workers of engine 'dask' did not start ('Nanny failed to "
        "start.'). If a script starts them, put what it does under "
        '`if __name__ == "__main__":`, as each of them imports it; else ask for fewer workers. '
        "Nothing was written."
    )
    assert not (tmp_path / "out").exists()
    assert not hidden(tmp_path)


@pytest.mark.slow
def test_a_scheduler_that_is_lost_is_one_line(tmp_path, layouts):
    file = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", file]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen([*dask, "--port", "0", "--dashboard-address", ":0"], **quiet)
    dask[2] = "distributed.cli.dask_worker"
    worker = subprocess.Popen([*dask, "--nthreads", "1", "--no-nanny"], **quiet)
    try:
        until = time.monotonic() + apart.PATIENCE
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.1)

        def stop(progress):
            if progress.phase == "partition" and scheduler.poll() is None:
                scheduler.kill()
                scheduler.wait()

        address = json.loads(file.read_text())["address"]
        with pytest.raises(DataError, match="The Dask scheduler is gone") as caught:
            anonymize(layouts[1], tmp_path / "out", scheduler=address, callback=stop, **WANTED)
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()
    assert not hidden(tmp_path)


@pytest.mark.slow
@apart.POSIX
def test_ctrl_c_in_a_terminal_ends_the_job_and_its_workers(tmp_path, layouts):
    """The whole process group is interrupted, as a terminal does."""
    flags = [f"-q{key}" for key in KEYS] + ["-k4", "--engine", "dask", "--tile", "200"]
    command = ("-m", "coterie", "anonymize", layouts[0], "-o", tmp_path / "out", *flags)
    with apart.started(*command, stderr=subprocess.PIPE) as process:
        until = time.monotonic() + apart.PATIENCE
        while not list(tmp_path.glob(".*/spool/tile-*")) and time.monotonic() < until:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=apart.PATIENCE)
    assert process.returncode == 130
    assert len(told.splitlines()) <= 1
    assert not (tmp_path / "out").exists()
    assert not hidden(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc what a process does not hear")
def test_a_closed_terminal_does_not_end_who_keeps_the_names_of_what_is_shared():
    """It would be started anew, without the names, and complain of each."""
    code = """
    import signal
    from multiprocessing import resource_tracker
    from pathlib import Path

    from coterie.pipeline.engines import dask

    with dask._sheltered():
        pass
    told = Path("/proc", str(resource_tracker._resource_tracker._pid), "status").read_text()
    held = int(told.partition("SigBlk:")[2].split()[0], 16)
    print(bool(held >> (signal.SIGHUP - 1) & 1))
    print(signal.SIGHUP in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
    """
    assert apart.printed(code) == ["True", "False"]
