"""The small cases marked `nojit`, once more with the JIT off: kernels are plain Python too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


def marked():
    """The files that hold such cases: to collect all others would take longer than the cases."""
    asked = [path for path in sorted(TESTS.rglob("test_*.py")) if path != Path(__file__)]
    return [path for path in asked if "mark.nojit" in path.read_text(encoding="utf-8")]


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="this is the run itself")
def test_marked_cases_pass_with_the_jit_off():
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-m",
            "nojit",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            *map(str, marked()),
        ],
        cwd=TESTS.parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert " passed" in done.stdout
