"""Another source tree beside this one: the same work in turn, processor seconds and losses.

    git worktree add /tmp/before REVISION
    dev.py bench against --source /tmp/before/src             both, about five processor minutes
    dev.py bench against --source /tmp/before/src --turns 9 --seconds 0    MDAV and others alone

Each tree works in a process of its own, one job at a time, both trees on the same arrays, seeds and
Python; which of them is first changes with the turn, and a first turn that compiles is not counted.
What ends by itself is compared by seconds and labels (*speed*); `optimize` has the same processor
seconds in both and is compared by what it loses then (*optimum*).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from coterie import datasets

OURS = Path(__file__).parents[2] / "src"

# The clock of every search is that of the processor, before anything is imported that reads it.
WORKER = """
import hashlib, json, sys, time
time.perf_counter = time.process_time
import numpy as np
import coterie
for line in sys.stdin:
    path, k, method, given = json.loads(line)
    X = np.load(path)
    began = time.process_time()
    p = coterie.partition(X, k, method, **given)
    seconds = time.process_time() - began
    labels = hashlib.sha256(np.ascontiguousarray(p.labels, dtype=np.int64)).hexdigest()[:12]
    print(json.dumps([seconds, p.information_loss, labels]), flush=True)
"""
SPEED = [
    ("normal", 5, "mdav", {}),
    ("clusters", 3, "mdav", {}),
    ("clusters", 5, "mdav-mhm", {}),
    ("clusters", 5, "cbfs-mhm", {}),
    ("patients", 3, "ilsmc", {"iterations": 10_000, "random_state": 0, "workers": 1}),
]
PATIENTS = ["age", "bmi", "bp", "s1", "s5"]
OPTIMUM = [("patients", 3), ("patients", 5), ("normal-small", 3), ("normal-small", 5)]


def arrays(folder: Path) -> dict[str, str]:
    """Tables that both trees read, each column with mean 0 and standard deviation 1."""
    rng = np.random.default_rng(0)
    tables = {
        "normal": rng.normal(size=(100_000, 10)),
        "normal-small": rng.normal(size=(1_000, 4)),
        "clusters": datasets.synthetic(60_000, random_state=0),
        "patients": datasets.diabetes()[PATIENTS].astype(float),
    }
    paths = {}
    for name, table in tables.items():
        X = np.asarray(table, dtype=np.float64)
        paths[name] = str(folder / f"{name}.npy")
        np.save(paths[name], (X - X.mean(axis=0)) / X.std(axis=0))
    return paths


class Tree:
    """A source tree at work in a process of its own."""

    def __init__(self, source: Path) -> None:
        env = {**os.environ, "PYTHONPATH": str(source)}
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, *job: object) -> tuple[float, float, str]:
        """Processor seconds, loss in percent, and a hash of the labels."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        seconds, loss, labels = json.loads(self._process.stdout.readline())
        return seconds, loss, labels

    def end(self) -> None:
        """No more jobs."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def speed(trees: list[Tree], paths: dict[str, str], turns: int) -> list[float]:
    """The least processor seconds of all turns; what this tree takes of the other's, job by job.

    Others at work on the machine can only add to them.
    """
    print(f"{'job':<24}{'other, s':>10}{'this, s':>10}{'ratio':>8}  labels")
    ratios = []
    for table, k, method, given in SPEED:
        found: list[list[float]] = [[], []]
        labels = ["", ""]
        for turn in range(turns + 1):
            for one in (0, 1) if turn % 2 else (1, 0):
                seconds, _, labels[one] = trees[one](paths[table], k, method, given)
                if turn:
                    found[one].append(seconds)
        other, this = map(min, found)
        ratios.append(this / other)
        same = "equal" if labels[0] == labels[1] else "DIFFER"
        print(f"{method} {table} {k:<8}"[:24].ljust(24), end="")
        print(f"{other:10.3f}{this:10.3f}{this / other:8.3f}  {same}", flush=True)
    return ratios


def optimum(trees: list[Tree], paths: dict[str, str], seconds: float, seeds: int) -> list[float]:
    """Mean losses after the same processor seconds; this tree's of the other's, cell by cell."""
    print(f"\n{'optimize':<24}{'other, %':>10}{'this, %':>10}{'ratio':>8}  {seconds:g} s each")
    given = {"time_limit": 1.0, "workers": 1, "random_state": 0}
    for tree in trees:  # compiles
        for table, k in OPTIMUM[::3]:
            tree(paths[table], k, "optimize", given)
    ratios = []
    for table, k in OPTIMUM:
        losses: list[list[float]] = [[], []]
        for seed in range(seeds):
            for one in (0, 1) if seed % 2 else (1, 0):
                given = {"time_limit": seconds, "workers": 1, "random_state": seed}
                losses[one].append(trees[one](paths[table], k, "optimize", given)[1])
        other, this = map(statistics.mean, losses)
        ratios.append(this / other)
        print(f"{table + ' ' + str(k):<24}{other:10.4f}{this:10.4f}{this / other:8.4f}", flush=True)
    return ratios


def main(arguments: list[str] | None = None) -> None:
    """Compare two trees."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--source", type=Path, required=True, help="src of the other tree")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0, help="of optimize; 0: left out")
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args(arguments)
    trees = [Tree(given.source.resolve()), Tree(OURS)]
    try:
        with tempfile.TemporaryDirectory() as folder:
            paths = arrays(Path(folder))
            ratios = speed(trees, paths, given.turns)
            print(f"speed: this tree takes {statistics.geometric_mean(ratios):.3f} of the other")
            if given.seconds > 0:
                ratios = optimum(trees, paths, given.seconds, given.seeds)
                mean = statistics.geometric_mean(ratios)
                print(f"optimum: this tree loses {mean:.4f} of the other")
    finally:
        for tree in trees:
            tree.end()


if __name__ == "__main__":
    main()
