"""kill -9 at random moments: the old file or the whole new one."""

from __future__ import annotations

import random
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_twenty_kills_leave_the_old_file_or_the_whole_new_one(tmp_path):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    rng = np.random.default_rng(0)
    pd.DataFrame(rng.normal(size=(40_000, 3)), columns=list("xyz")).to_csv(source, index=False)
    keys = [part for name in "xyz" for part in ("-q", name, "--declare", name)]
    command = [
        sys.executable,
        "-m",
        "coterie",
        "anonymize",
        str(source),
        "-k",
        "3",
        "--seed",
        "1",
        *keys,
    ]
    began = time.perf_counter()
    subprocess.run([*command, "-o", str(target), "--quiet"], check=True)
    whole = time.perf_counter() - began
    new = target.read_bytes()
    draw = random.Random(1)
    outcomes = set()
    for _ in range(20):
        target.write_text("old")
        process = subprocess.Popen([*command, "-o", str(target), "--quiet"])
        time.sleep(draw.uniform(0.5, 1.05) * whole)
        process.kill()
        process.wait()
        found = target.read_bytes()
        assert found in (b"old", new)
        outcomes.add(found == new)
        strays = [p.name for p in tmp_path.iterdir() if p not in (source, target)]
        assert all(name.endswith(".coterie-work") for name in strays)
    assert outcomes == {True, False}
    subprocess.run([*command, "-o", str(target), "--quiet"], check=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.csv", "out.csv"]
