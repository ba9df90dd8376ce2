"""Seconds and memory of `coterie.evaluate` on 100,000 x 10, measure by measure.

Run: make bench-evaluate, or python3 dev.py bench evaluate [RECORDS]
"""

from __future__ import annotations

import sys
import time
import tracemalloc

import numpy as np

import coterie
from coterie.centroids.mean import mean
from coterie.kernels.risk import linkage


def neighbors(x, k):
    """Groups of k close records, without the time of a method: runs in the order of a tree."""
    n = len(x)
    place = linkage.tree(x, np.ones(n, dtype=np.int64), np.arange(n))[1]
    return np.minimum(place // k, n // k - 1)


def main(records="100000"):
    n = int(records)
    x = coterie.standardize(coterie.datasets.synthetic(n=n, random_state=0))
    y = mean(x, neighbors(x, 3), renormalize=True).table
    coterie.evaluate(x[:300], y[:300], aligned=True, delta=0.1)  # compiles
    told = []
    found = coterie.evaluate(
        x, y, aligned=True, delta=0.1, callback=lambda p: told.append((p.phase, p.seconds))
    )
    spent = {}
    for phase, seconds in told:
        spent.setdefault(phase, [seconds, seconds])[1] = seconds
    for name, score in found.items():
        began, ended = spent[name]
        print(f"{name:<17} {score.value:>10.4f} {ended - began:>8.2f} s")
    print(f"{n} x 10: {found.seconds:.1f} s in all, {len(told)} reports of progress")
    tracemalloc.start()
    before = time.perf_counter()
    coterie.evaluate(x, y, aligned=True, delta=0.1)
    peak = tracemalloc.get_traced_memory()[1]
    print(
        f"peak beside the tables: {peak / 2**20:.0f} MB, {peak / x.nbytes:.1f} times one of them "
        f"(traced, {time.perf_counter() - before:.1f} s)"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
