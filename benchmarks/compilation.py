"""What the first run on a machine costs: processor seconds of commands on an empty kernel cache.

    python3 dev.py bench compilation
    python3 dev.py bench compilation --profile auto     # seconds of each function

Each command protects 442 records by four keys, first on an empty cache, then again; the difference
is the compilation. Seconds are processor time, user and system, of the whole process.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.measured import Sheet

ABOUT = """Processor seconds, user and system, of `coterie anonymize` on 442 records with four
keys: the [first run](../how-to/start-fast.md) on an empty kernel cache, and the next one.
*Functions kept* is the number of compiled functions in the cache."""
METHODS = ("auto", "mdav", "optimize", "ilsmc", "icsm")
KEYS = ("age", "sex", "bmi", "bp")


def seconds(arguments, cache):
    """Processor seconds of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    subprocess.run([sys.executable, "-m", "coterie", *arguments], env=env, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def profile(method):
    """Print the seconds of each function, without what it calls, and its number of forms."""
    from numba.core import event

    import coterie
    from coterie.kernels.base import jit  # noqa: F401

    own, times, stack = Counter(), Counter(), []

    class Clock(event.Listener):
        def on_start(self, told):
            stack.append([time.process_time(), 0.0])

        def on_end(self, told):
            began, inside = stack.pop()
            whole = time.process_time() - began
            function = told.data["dispatcher"].py_func
            name = f"{function.__module__}.{function.__name__}"
            own[name] += whole - inside
            times[name] += 1
            if stack:
                stack[-1][1] += whole

    event.register("numba:compile", Clock())
    points = coterie.standardize(coterie.datasets.diabetes()[list(KEYS)])
    coterie.partition(points, 5, method, random_state=0)
    print(f"{sum(own.values()):6.2f} s in all, {sum(times.values())} forms of {len(own)} functions")
    for name, took in own.most_common():
        print(f"{took:6.2f} s {times[name]:3} x {name}")


def main(arguments=None):
    """Run each method's first command twice, or profile one of them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--methods", nargs="*", default=METHODS)
    parser.add_argument("--keep", action="store_true", help="leave results and page")
    parser.add_argument("--profile", metavar="METHOD", help="functions of one method instead")
    asked = parser.parse_args(arguments)
    if asked.profile:
        if "COTERIE_PROFILED" in os.environ:
            return profile(asked.profile)
        with tempfile.TemporaryDirectory() as cache:
            env = {**os.environ, "NUMBA_CACHE_DIR": cache, "COTERIE_PROFILED": "1"}
            again = [sys.executable, "-m", "benchmarks.compilation", "--profile", asked.profile]
            return subprocess.run(again, env=env, check=False).returncode
    from coterie.datasets import diabetes

    sheet = Sheet("compilation", "A first run, measured", "compilation", ABOUT)
    told = sheet.table(
        "By method", {"method": "", "first run": ".1f", "again": ".1f", "functions kept": ""}
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        diabetes().to_csv(folder / "patients.csv", index=False)
        common = ["anonymize", str(folder / "patients.csv"), "-k", "5", "--seed", "1", "--quiet"]
        common += [word for key in KEYS for word in ("-q", key)]
        common += ["-o", str(folder / "released.csv")]
        print("method        first   again   functions kept")
        for method in asked.methods:
            cache = folder / method
            cold, warm = (seconds([*common, "--method", method], cache) for _ in range(2))
            kept = len(list(cache.rglob("*.nbc")))
            told.add(f"`{method}`", cold, warm, kept)
            print(f"{method:10} {cold:6.1f} s {warm:5.1f} s   {kept}", flush=True)
    if asked.keep:
        sheet.keep()
    return 0


if __name__ == "__main__":
    sys.exit(main())
