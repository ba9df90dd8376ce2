"""Bounds on the reference data beside the best partitions: relaxation, cuts, program."""

from __future__ import annotations

import argparse

import numpy as np

import coterie
from benchmarks.exact.by_columns import by_columns
from benchmarks.optimum.published import PUBLISHED
from coterie import datasets, standardise
from coterie.partitioning.core import Partition
from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem


def tables():
    return {
        "Census": standardise(datasets.census()),
        "Tarragona": standardise(datasets.tarragona()),
    }


def bounds(name, X, k, seconds):
    quick = coterie.lower_bound(X, k, method="nearest")
    ascent = coterie.lower_bound(X, k, seconds, method="ascent")
    loose = coterie.lower_bound(X, k, seconds, method="columns", cuts=False)
    tight = coterie.lower_bound(X, k, seconds, method="columns")
    print(
        f"{name:9} k={k}  nearest {quick.percent:8.4f} ({quick.seconds:.1f} s)  "
        f"ascent {ascent.percent:8.4f} ({ascent.seconds:.1f} s)  "
        f"relaxation {loose.percent:8.4f} ({loose.seconds:.1f} s, exact: {loose.exact})  "
        f"with {tight.cuts} cuts {tight.percent:8.4f} ({tight.seconds:.1f} s)",
        flush=True,
    )
    return tight


def best(name, X, k, seconds, bound):
    problem = Problem.of(X, k)
    labels = coterie.partition(X, k, "mdav-mhm").labels
    run = Run(time_limit=seconds, seed=np.random.SeedSequence(1))
    p = Partition.of(problem, by_columns(problem, run, start=labels))
    gap = 100 * (1 - max(bound.value, p.lower_bound or 0.0) / p.sse)
    print(
        f"{name:9} k={k}  columns  {p.information_loss:9.5f}  SSE {p.sse:.4f}  "
        f"{run.seconds:6.1f} s  gap {max(gap, 0.0):.4f} %  "
        f"published {PUBLISHED[name, k]:.2f} ({p.information_loss - PUBLISHED[name, k]:+.3f})",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each step")
    parser.add_argument("--bounds-only", action="store_true")
    parser.add_argument("--k", type=int, nargs="*", default=[3, 4, 5])
    given = parser.parse_args()
    for name, X in tables().items():
        for k in given.k:
            bound = bounds(name, X, k, given.seconds)
            if not given.bounds_only:
                best(name, X, k, given.seconds, bound)


if __name__ == "__main__":
    main()
