"""What tests cost is told by room: their own time, and that of the processes they wait for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processor import places

BUSY = """
import subprocess, sys, time

SPIN = "import time\\nwhile time.process_time() < 0.3: pass"

def test_here():
    exec(SPIN.replace("0.3", str(time.process_time() + 0.3)))

def test_in_a_process():
    subprocess.run([sys.executable, "-c", SPIN], check=True)
"""


def test_a_test_counts_for_its_room_and_the_part_of_it():
    assert places("tests/table/test_a.py::test_b[c/d]") == ["tests/table", "tests/table/test_a.py"]
    deep = "tests/partitioning/exact/test_a.py::test_b"
    assert places(deep) == ["tests/partitioning", "tests/partitioning/exact"]
    assert places("tests/test_a.py::test_b") == ["tests/test_a.py"]
    assert places("src/coterie/a.py::coterie.a") == ["src"]


@pytest.mark.parametrize("processes", [0, 1])
def test_processor_seconds_are_told(tmp_path, processes):
    room = tmp_path / "tests" / "room"
    room.mkdir(parents=True)
    (room / "test_busy.py").write_text(BUSY)
    command = ["-m", "pytest", "-p", "tests.processor", "--room-times", "-n", str(processes)]
    done = subprocess.run(
        [sys.executable, *command, "--import-mode=importlib", "-c", os.devnull, "--rootdir=."],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = {
        name: float(seconds)
        for seconds, name in re.findall(r"^ +(-?[\d.]+)  (.+)$", done.stdout, re.M)
    }
    file = "tests/room/test_busy.py"
    assert told[f"{file}::test_here"] >= 0.3
    assert told[f"{file}::test_in_a_process"] >= 0.3
    assert told["tests/room"] == pytest.approx(told[file], abs=0.11)
    assert told["tests/room"] >= 0.6
    assert told["(start, collection)"] > 0
    assert told["in all"] == pytest.approx(
        told["tests/room"] + told["(start, collection)"], abs=0.2
    )
