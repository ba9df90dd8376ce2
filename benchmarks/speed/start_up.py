"""What a user waits for before any work: imports, and the compilation of each kernel."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

COMPILE = """
import time, sys
import numpy as np
import coterie.kernels.base.jit
import coterie.kernels.{module} as kernels
{setup}
began = time.perf_counter()
{call}
print(time.perf_counter() - began)
"""

POINTS = "X = np.random.default_rng(0).normal(size=(50, 3))"

START = f"{POINTS}; s = kernels."
KERNELS = {
    "mdav.step": ("constructive.mdav", f"{START}mdav(X, 3, 9)", "kernels.step(s, 0)"),
    "npn.step": ("path.npn", f"{START}npn(X, 0)", "kernels.step(s, 0)"),
    "mhm.step_path": ("path.mhm", f"{START}path(X, [3])", "kernels.step_path(s, 0)"),
    "mhm.step_tour": ("path.mhm", f"{START}tour(X, 3)", "kernels.step_tour(s, 0)"),
}


def python(code, cache):
    env = {**os.environ, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


def import_seconds(statement, cache):
    code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    return min(float(python(code, cache)) for _ in range(3))


def main():
    with tempfile.TemporaryDirectory() as cache:
        for statement in (
            "import coterie",
            "import coterie; coterie.methods()",
            "import coterie; coterie.partition",
            "import coterie.kernels.base.jit",
        ):
            print(f"{import_seconds(statement, cache):7.3f} s   {statement}")
        for name, (module, setup, call) in KERNELS.items():
            code = COMPILE.format(module=module, setup=setup, call=call)
            cold, warm = (float(python(code, cache)) for _ in range(2))
            print(f"{cold:7.3f} s   compile {name:16} then {warm:.3f} s from the cache")


if __name__ == "__main__":
    main()
