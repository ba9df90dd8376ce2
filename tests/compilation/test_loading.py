"""Machine code from the cache: the same results, without loading what only compiling needs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

GROUPS = """
import sys
import coterie
points = [[float(i * i % 17), float(i)] for i in range(12)]
print(*coterie.partition(points, 3, 'systematic', random_state=0).labels)
print("numba.np.arraymath" in sys.modules)
"""

OTHERS = """
import numpy as np
from numba import njit

@njit
def product(a, b):
    return (a @ b).sum() + len([i for i in range(3)])

print(product(np.ones((2, 2)), np.ones((2, 2))))
"""


@pytest.fixture
def python(tmp_path):
    def run(code):
        env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
        command = [sys.executable, "-W", "error", "-c", code]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


@pytest.mark.long
def test_cached_code_runs_before_numba_is_ready_to_compile(python, tmp_path):
    labels, ready = python(GROUPS)
    assert ready == "True"
    assert python(GROUPS) == [labels, "False"]
    # Functions of others compile as ever, after that and before.
    assert python(GROUPS + OTHERS) == [labels, "False", "11.0"]
    assert python(OTHERS + GROUPS) == ["11.0", labels, "True"]
    # Whatever is amiss with the cache, the code is compiled anew.
    for path in tmp_path.rglob("*.nbc"):
        path.write_bytes(b"broken")
    assert python(GROUPS) == [labels, "True"]
