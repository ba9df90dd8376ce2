"""The watchdog: a worker that hangs or dies is replaced, and its case is told."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from tests.fuzz import watch
from tests.fuzz.__main__ import Tally
from tests.fuzz.watch import ROOT, Worker

STUB = """
import json, os, sys, time, faulthandler
first = int(sys.argv[sys.argv.index("--first") + 1])
faulthandler.enable()
print(json.dumps({"warm": 1}), flush=True)
for n in range(first, 4):
    print(json.dumps({"start": f"s-{n}", "kind": "memory"}), flush=True)
    if n == 1:
        faulthandler.dump_traceback_later(0.2)
        while True:
            pass
    if n == 2:
        os._exit(7)
    end = {"end": f"s-{n}", "kind": "memory", "what": "pandas", "outcome": "released"}
    print(json.dumps({**end, "cpu": 0.1, "findings": []}), flush=True)
print(json.dumps({"start": "s-9", "kind": "memory"}), flush=True)
time.sleep(600)
"""


def test_hangs_and_deaths_are_told_and_the_next_case_follows(tmp_path, monkeypatch):
    (tmp_path / "stub_worker.py").write_text(STUB)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    worker = Worker("s", 0, 1, None, module="stub_worker", hangs=1.0)
    ends = []
    worker.start()
    try:
        until = time.monotonic() + 120
        while len(ends) < 4 and time.monotonic() < until:
            time.sleep(0.05)
            ends += [said for said in worker.news() if "end" in said]
    finally:
        worker.end()
    assert [said["end"] for said in ends] == ["s-0", "s-1", "s-2", "s-3"]
    assert [len(said["findings"]) for said in ends] == [0, 1, 1, 0]
    assert ends[1]["findings"][0]["text"].startswith("hang: more than 1 s")
    assert "stub_worker.py" in ends[1]["findings"][0]["text"]
    assert ends[2]["findings"][0]["text"].startswith("death: exit code 7")
    tally = Tally(tmp_path / "cases", ["memory"])
    for said in ends:
        tally.take(said)
    assert tally.tried == 4
    assert len(list((tmp_path / "cases").iterdir())) == 2  # made again from their seeds
    assert "hang" in tally.table()


def test_a_busy_machine_is_no_hang(monkeypatch):
    worker = Worker("s", 0, 1, None)
    worker.doing, worker.since, worker.cpu = "s-0", 0.0, 0.0
    monkeypatch.setattr(watch.time, "monotonic", lambda: 30.0)
    monkeypatch.setattr(worker, "_spent", lambda: 1.0)
    assert not worker._hangs()
    monkeypatch.setattr(worker, "_spent", lambda: 25.0)
    assert worker._hangs()


@pytest.mark.slow
def test_the_command_tells_what_it_tried_and_found(tmp_path):
    command = [sys.executable, "-m", "tests.fuzz", "--seconds", "300", "--cases", "60"]
    command += ["--workers", "1", "--seed", "suite", "--folder", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "cases in" in done.stdout, done.stderr
    assert "findings: " in done.stdout
    assert done.returncode == (0 if "findings: 0" in done.stdout else 1)
    for path in tmp_path.iterdir():
        again = [*command[:3], "--case", str(path)]
        assert subprocess.run(again, cwd=ROOT, capture_output=True, check=False).returncode == 1
