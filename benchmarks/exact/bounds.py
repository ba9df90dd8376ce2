"""Bounds on the reference data beside the best partitions: relaxation, cuts, program."""

from __future__ import annotations

import argparse

import numpy as np

import coterie
from benchmarks.exact.by_columns import by_columns
from benchmarks.measured import Sheet, by_processor
from benchmarks.optimum.published import PUBLISHED
from coterie import datasets, standardise
from coterie.partitioning.core import Partition
from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem

ABOUT = """[Bounds](../explanation/bounds.md) that no partition can go below, of standardised
tables, in percent of the variation, each with the seconds that it took, compilation
aside. The *gap* is how far the best published loss can be from the optimum at most, in percent of
it."""
COLUMNS = {
    "table": "",
    "k": "",
    "nearest": ".4f",
    "ascent": ".4f",
    "ascent, s": ".1f",
    "relaxation": ".4f",
    "solved": "",
    "relaxation, s": ".1f",
    "with cuts": ".4f",
    "cuts, s": ".1f",
    "best published": ".2f",
    "gap": ".1f",
}


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
    known = PUBLISHED[name, k]
    row = [name, k, quick.percent, ascent.percent, ascent.seconds, loose.percent]
    row += ["yes" if loose.exact else "no", loose.seconds, tight.percent, tight.seconds]
    return tight, [*row, known, 100.0 * (1.0 - tight.percent / known)]


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
    parser.add_argument("--processor", action="store_true", help="count processor seconds")
    parser.add_argument("--keep", action="store_true", help="leave results and page")
    given = parser.parse_args()
    if given.processor:
        by_processor()
    sheet = Sheet("bounds", "Bounds, measured", "exact.bounds", ABOUT)
    clock = "processor seconds" if given.processor else "seconds by the clock"
    told = sheet.table(f"At most {given.seconds:g} {clock} for each step", COLUMNS)
    for name, X in tables().items():
        for k in given.k:
            bound, row = bounds(name, X, k, given.seconds)
            told.add(*row)
            if not given.bounds_only:
                best(name, X, k, given.seconds, bound)
    if given.keep:
        sheet.keep()


if __name__ == "__main__":
    main()
