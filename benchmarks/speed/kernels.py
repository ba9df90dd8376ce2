"""MDAV beside a plain NumPy loop, and MHM on a million records: seconds, ratio, peak memory."""

from __future__ import annotations

import argparse
import statistics
import time
import tracemalloc

import numpy as np

import coterie
from coterie.partitioning import mhm


def plain_mdav(X, k):
    """MDAV as one writes it in NumPy: whole-array expressions, a sort for each group."""
    labels = np.full(len(X), -1)
    rest = np.arange(len(X))
    groups = 0

    def distances(point):
        return np.square(X[rest] - point).sum(axis=1)

    def form(seed):
        nonlocal rest, groups
        near = np.argsort(distances(X[seed]), kind="stable")[:k]
        labels[rest[near]] = groups
        groups += 1
        rest = np.delete(rest, near)

    while len(rest) >= 3 * k:
        r = rest[distances(X[rest].mean(axis=0)).argmax()]
        s = rest[distances(X[r]).argmax()]
        form(r)
        form(s)
    if len(rest) >= 2 * k:
        form(rest[distances(X[rest].mean(axis=0)).argmax()])
    labels[rest] = groups
    return labels


def seconds(function):
    began = time.perf_counter()
    result = function()
    return time.perf_counter() - began, result


def against_numpy(n, d, k, repeats):
    X = np.random.default_rng(0).normal(size=(n, d))
    coterie.partition(X[: 4 * k], k, "mdav")  # compiled before the clock starts
    ours, plain = [], []
    for _ in range(repeats):  # interleaved: both meet the same neighbors on a shared machine
        one, p = seconds(lambda: coterie.partition(X, k, "mdav"))
        other, labels = seconds(lambda: plain_mdav(X, k))
        ours.append(one)
        plain.append(other)
        if not np.array_equal(p.labels, coterie.Partition.from_labels(X, labels, k).labels):
            raise AssertionError("the two loops disagree")
    ratios = [b / a for a, b in zip(ours, plain, strict=True)]
    print(f"mdav  n={n:,} d={d} k={k}, median of {repeats}, labels equal")
    print(f"  coterie     {statistics.median(ours):8.3f} s")
    print(f"  plain NumPy {statistics.median(plain):8.3f} s")
    each = ", ".join(f"{r:.1f}" for r in ratios)
    print(f"  ratio       {statistics.median(ratios):8.1f}   (each: {each})")


def a_million(n, d, k):
    X = np.random.default_rng(0).normal(size=(n, d))
    for tour in (False, True):
        mhm(X[: 4 * k], k, tour=tour)
        whole, p = seconds(lambda tour=tour: mhm(X, k, tour=tour))
        name = "tour" if tour else "path"
        print(f"mhm   n={n:,} d={d} k={k} {name}: {whole:.2f} s in all, {p.runtime:.2f} s cutting")


def memory(n, d, k):
    X = np.random.default_rng(0).normal(size=(n, d))
    table = X.nbytes / 2**20
    for name, work in {
        "mdav": lambda: coterie.partition(X, k, "mdav"),
        "mhm path": lambda: mhm(X, k),
        "mhm tour": lambda: mhm(X, k, tour=True),
    }.items():
        tracemalloc.start()
        work()
        peak = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
        times = f"{peak / table:.1f} times the table's {table:.1f} MiB"
        print(f"peak  {name:9} n={n:,}: {peak:6.1f} MiB, {times}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    quick = parser.parse_args().quick
    against_numpy(3_000 if quick else 12_000, 10, 5, 5)
    a_million(100_000 if quick else 1_000_000, 10, 5)
    for n in (10_000, 20_000, 40_000):  # twice the records, twice the memory
        memory(n, 10, 50)


if __name__ == "__main__":
    main()
