"""Tables whose rounding once made descents run in circles: seconds of every method, the loss.

    python3 dev.py bench hangs                                 # 1,000 tables, every method, units
    python3 dev.py bench hangs --tables 100 --against OLD/src  # the same under another version

A table is a few clusters that are tiny beside their distance (longitudes of three cities, zeros
beside values near a million) or integers, with ties; each record belongs to a unit, of which a
group needs k. Every method runs on every table in a process of its own, which a timer of processor
seconds ends: a method that does not come back is counted, not waited for.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

CITIES = (-0.1276, 2.3522, 13.405)
KINDS = ("cities", "streets", "zeros", "integers")
SAME = 1e-9  # relative: a loss that differs by less is the same


def column(kind, n, rng):
    """One key of n records."""
    if kind == "cities":
        return rng.choice(CITIES, n) + rng.integers(-5, 6, n) * 1e-6
    if kind == "streets":
        return np.round(rng.choice(CITIES, n) + rng.normal(0.0, 1e-6, n), 6)
    if kind == "zeros":
        return np.where(rng.random(n) < 0.5, 0.0, 1e6 + rng.integers(-5, 6, n))
    return rng.integers(-(10**6), 10**6 + 1, n).astype(float)


def table(number):
    """The standardised points, the units and k of table `number`."""
    rng = np.random.default_rng(number)
    kind = KINDS[number % len(KINDS)]
    n = int(rng.integers(30, 301))
    keys = int(rng.choice([1, 1, 2]))
    points = np.column_stack([column(kind, n, rng) for _ in range(keys)])
    spread = points.std(axis=0)
    points = (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    units = rng.integers(0, max(n // int(rng.integers(1, 6)), 8), n)
    return points, units, int(rng.integers(2, 7))


def work():
    """Answer one line for each line ``NUMBER METHOD SECONDS`` of standard input."""
    import coterie

    try:
        from coterie.guarantees.constraints import Constraints
    except ImportError:  # of an older version, beside ours
        from coterie.partitioning.constraints import Constraints

    warmed = set()
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process, wherever it is
    print(json.dumps([method.name for method in coterie.methods()]), flush=True)
    for line in sys.stdin:
        number, method, seconds = line.split()
        if method not in warmed:
            warmed.add(method)
            points = np.sort(np.random.default_rng(0).normal(size=(60, 1)), axis=0)
            rules = Constraints(units=np.arange(60) // 3)
            for k in (2, 4):
                coterie.partition(points, k, method, random_state=0, constraints=rules)
        points, units, k = table(int(number))
        signal.setitimer(signal.ITIMER_PROF, float(seconds))
        began = time.process_time()
        try:
            rules = Constraints(units=units)
            sse = coterie.partition(points, k, method, random_state=0, constraints=rules).sse
        except coterie.CoterieError as error:
            sse = type(error).__name__
        taken = time.process_time() - began
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        print(json.dumps([taken, sse]), flush=True)


class Worker:
    """A process that runs the methods of one version, replaced by another when it ends."""

    def __init__(self, source, cache):
        here = os.environ
        self.env = {**here, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": str(cache)}
        self.process = None
        self.begin()

    def begin(self):
        self.end()
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--work"],
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.methods = json.loads(self.process.stdout.readline())

    def ask(self, number, method, seconds):
        """Seconds and SSE of one method on one table; None if it did not come back."""
        self.process.stdin.write(f"{number} {method} {seconds}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if answer:
            return json.loads(answer)
        if self.process.wait() != -signal.SIGPROF:
            raise SystemExit(f"{method} on table {number} ended the process, not the timer")
        self.begin()
        return None

    def end(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


def main(arguments=None):
    """Run every method on every table and count those beyond the limit."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first table")
    parser.add_argument("--seconds", type=float, help="begin no table after so long")
    parser.add_argument("--methods", nargs="*", help="all by default")
    parser.add_argument("--limit", type=float, default=5.0, help="processor seconds of a run")
    parser.add_argument("--against", type=Path, help="source folder of another version")
    parser.add_argument("--cache", type=Path, help="folder for that version's compiled kernels")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.work:
        return work()
    theirs = None
    with tempfile.TemporaryDirectory() as cache:
        own = os.environ.get("NUMBA_CACHE_DIR") or f"{cache}/ours"
        ours = Worker(Path(__file__).parent.parent / "src", own)
        if asked.against:
            theirs = Worker(asked.against.resolve(), (asked.cache or Path(cache)).resolve())
        beyond, beyond_theirs = Counter(), Counter()
        losses, slowest, runs = Counter(), (0.0, "", 0), 0
        higher, excess = Counter(), Counter()
        worst = (0.0, "", 0)
        # Of all methods, those that both know: an older version has fewer.
        known = ours.methods if theirs is None else theirs.methods
        methods = asked.methods or [name for name in ours.methods if name in known]
        for name in methods:
            if name not in ours.methods or name not in known:
                parser.error(f"--methods: {name!r} is not known to both versions")
        began, tables = time.monotonic(), 0
        for number in range(asked.first, asked.first + asked.tables):
            if asked.seconds is not None and time.monotonic() - began > asked.seconds:
                break
            tables += 1
            for method in methods:
                runs += 1
                found = ours.ask(number, method, asked.limit)
                if found is None:
                    beyond[method] += 1
                    print(f"table {number}, {method}: beyond {asked.limit} s", flush=True)
                    continue
                slowest = max(slowest, (found[0], method, number))
                if theirs is None:
                    continue
                other = theirs.ask(number, method, asked.limit)
                if other is None:
                    beyond_theirs[method] += 1
                    losses["only ours ended"] += 1
                elif isinstance(found[1], str) or isinstance(other[1], str):
                    losses["refused" if found[1] == other[1] else "refused by one"] += 1
                elif abs(found[1] - other[1]) <= SAME * other[1]:
                    losses["equal"] += 1
                else:
                    losses["lower" if found[1] < other[1] else "higher"] += 1
                    higher[method] += found[1] > other[1]
                    excess[method] += found[1] / max(other[1], 1e-300) - 1.0
                    worst = max(worst, (found[1] / max(other[1], 1e-300) - 1.0, method, number))
            if tables % 50 == 0:
                print(f"{tables} tables, {runs} runs", flush=True)
        ours.end()
        if theirs is not None:
            theirs.end()
    print(f"tables {asked.first} to {asked.first + tables - 1}: ", end="")
    print(f"{runs} runs, {sum(beyond.values())} beyond {asked.limit} s {dict(beyond) or ''}")
    print(f"slowest: {slowest[0]:.2f} s, {slowest[1]} on table {slowest[2]}")
    if asked.against:
        count = sum(beyond_theirs.values())
        print(f"beyond it with the other version: {count} {dict(beyond_theirs)}")
        print(f"loss beside the other version: {dict(losses)}")
        for method, count in higher.items():
            mean = 100 * excess[method] / tables
            print(f"{method}: higher {count} times, {mean:+.3g} % on average")
        print(f"most above it: {100 * worst[0]:.3g} %, {worst[1]} on table {worst[2]}")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
