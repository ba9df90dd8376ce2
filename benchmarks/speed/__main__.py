"""Exact MDAV at scale beside the textbook loop: seconds, distances, memory, loss, growth.

    python3 dev.py bench speed                                # the grid, as far as --limit allows
    python3 dev.py bench speed --quick
    python3 dev.py bench speed --tables normal --attributes 10 --k 5 --sizes 50000 100000

Seconds are processor time of the one thread that works: on a shared machine, what a free core would
take. Both kernels start from the same prepared points and alternate; each figure is the median.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
import tracemalloc
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

import coterie
from benchmarks.measured import Sheet
from benchmarks.speed.textbook import textbook_mdav
from coterie.kernels.base.leaves import DISTANCES
from coterie.kernels.constructive import mdav as kernel
from coterie.partitioning.problem import Problem

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
HEAD = (
    "table        d   k         n   seconds  repeats   share"
    "  textbook   ratio  labels  memory      IL"
)


ABOUT = """Exact MDAV beside the textbook loop, which gives the same labels
([how](../explanation/speed.md)). Seconds are processor time of the one thread that works, the
median of the repeats that the limit allowed; both start from the same prepared points and
alternate. *Distances* are those computed, in percent of the textbook's 3 n² / (4 k); *memory* is
what the method takes beyond the table, in sizes of the table; *loss* is in percent. The ratio is
empty where the textbook loop was left out."""
COLUMNS = {
    "table": "",
    "attributes": "",
    "k": "",
    "records": ",",
    "seconds": ".3f",
    "textbook, s": ".2f",
    "ratio": ".1f",
    "distances": ".1f",
    "memory": ".1f",
    "loss": ".3f",
    "grows as n to the": ".2f",
}


@dataclass(frozen=True)
class Cell:
    """What was measured for one table, d, k and n."""

    n: int
    seconds: float
    textbook: float | None
    share: float
    memory: float
    loss: float


def table(kind, n, d):
    """A standardized table; raises `coterie.CoterieError` where the reference data are missing."""
    if kind == "normal":
        return np.random.default_rng(0).normal(size=(n, d))
    if kind == "census":
        return coterie.standardize(coterie.datasets.census_like(n, min(d, 13), random_state=0))
    return coterie.standardize(coterie.datasets.synthetic(n, attributes=d, random_state=0))


def timed(function):
    began = time.thread_time()
    result = function()
    return time.thread_time() - began, result


def fast(points, k):
    """The package's kernel, without the driver: labels and distances computed."""
    state = kernel.mdav(points, k, 3 * k)
    while state.cursor[kernel.PHASE] != kernel.DONE:
        kernel.step(state, 10**7)
    state.labels[state.labels < 0] = state.cursor[kernel.GROUPS]
    return state.labels, int(state.rest.count[DISTANCES])


def loss(points, labels):
    """Information loss in percent."""
    sizes = np.bincount(labels)
    within = total = 0.0
    for column in points.T:
        means = np.bincount(labels, column) / sizes
        within += float(np.square(column - means[labels]).sum())
        total += float(np.square(column - column.mean()).sum())
    return 100.0 * within / total


def measure(kind, d, k, n, repeats, textbook):
    """Run both kernels in turn, print a row; with `textbook` False only ours."""
    points = Problem.of(table(kind, n, d), k).points
    tracemalloc.start()
    ours, (labels, distances) = timed(lambda: fast(points, k))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    mine, theirs, equal = [ours], [], "-"
    for repeat in range(repeats):
        if textbook:
            seconds, (reference, _) = timed(lambda: textbook_mdav(points, k))
            theirs.append(seconds)
            equal = "equal" if np.array_equal(reference, labels) else "DIFFER"
        if repeat > 0:
            mine.append(timed(lambda: fast(points, k))[0])
    share = distances / (0.75 * n * n / k)  # of what the textbook's fused passes compute
    cell = Cell(
        n,
        statistics.median(mine),
        statistics.median(theirs) if theirs else None,
        share,
        peak / points.nbytes,
        loss(points, labels),
    )
    print(
        f"{kind:10} {points.shape[1]:3} {k:3} {n:9,} {cell.seconds:9.4f} {repeats:8} {share:7.4f} "
        + (
            f"{cell.textbook:9.3f} {cell.textbook / cell.seconds:7.1f}"
            if theirs
            else f"{'-':>9} {'-':>7}"
        )
        + f" {equal:>7} {cell.memory:6.2f}x {cell.loss:7.3f}",
        flush=True,
    )
    return cell


def series(kind, d, k, options):
    """All sizes of one table, d and k: each only if the sizes before foretell that it fits."""
    cells = []
    for n in options.sizes:
        if n < 3 * k:
            continue
        ahead = ahead_textbook = 0.0
        if cells:
            last = cells[-1]
            ahead = last.seconds * (n / last.n) ** 1.6
            known = [cell for cell in cells if cell.textbook is not None]
            if known:
                ahead_textbook = known[-1].textbook * (n / known[-1].n) ** 2
        if ahead >= options.limit:
            print(f"{kind:10} {d:3} {k:3} {n:9,} left out: about {ahead:.0f} s", flush=True)
            break
        textbook = ahead_textbook < options.limit
        whole = ahead + (ahead_textbook if textbook else 0.0)
        repeats = max(1, min(options.repeats, int(options.limit / max(whole, 1e-9))))
        cells.append(measure(kind, d, k, n, repeats, textbook))
    for first, last in pairwise(cells):
        exponent = math.log(last.seconds / first.seconds) / math.log(last.n / first.n)
        print(f"  from {first.n:,} to {last.n:,} records: time grows as n^{exponent:.2f}")
    return cells


def draw(found, target):
    """Seconds over records, one panel a table; the textbook dashed."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    mpl.rcParams["svg.hashsalt"] = "coterie"  # the same picture from the same figures
    kinds = list(dict.fromkeys(kind for kind, _, _ in found))
    figure, panels = plt.subplots(
        1,
        len(kinds),
        figsize=(3.6 * len(kinds), 3.8),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for panel, kind in zip(panels[0], kinds, strict=True):
        lines = {key: cells for key, cells in found.items() if key[0] == kind}
        for number, ((_, d, k), cells) in enumerate(lines.items()):
            color = f"C{number}"
            panel.plot(
                [c.n for c in cells],
                [c.seconds for c in cells],
                ".-",
                color=color,
                label=f"d={d}, k={k}",
            )
            slow = [c for c in cells if c.textbook is not None]
            panel.plot([c.n for c in slow], [c.textbook for c in slow], "--", color=color, lw=0.8)
        panel.set(xscale="log", yscale="log", title=kind, xlabel="records")
        panel.legend(frameon=False, fontsize=7)
        panel.grid(alpha=0.3)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0][0].set_ylabel("seconds of exact MDAV (dashed: textbook loop)")
    figure.savefig(target, metadata={"Date": None})
    print(f"wrote {target}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="+", default=["normal", "census", "clustered"])
    parser.add_argument("--attributes", nargs="+", type=int, default=[3, 10, 30])
    parser.add_argument("--k", nargs="+", type=int, default=[3, 10])
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--limit", type=float, default=60.0, help="seconds for one cell of the grid"
    )
    parser.add_argument("--output", default="docs/images/speed.svg", help="the picture")
    parser.add_argument("--quick", action="store_true", help="up to 10,000 records, one repeat")
    parser.add_argument("--keep", action="store_true", help="leave results and page")
    options = parser.parse_args(arguments)
    if options.quick:
        options.sizes, options.repeats = [n for n in options.sizes if n <= 10_000], 1
    for kind in options.tables:
        if kind not in ("normal", "census", "clustered"):
            parser.error(f"--tables: unknown '{kind}'; known: normal, census, clustered")
    points = np.random.default_rng(0).normal(size=(60, 2))
    fast(points, 3), textbook_mdav(points, 3)  # compiled before the clock starts
    kernel.step(kernel.mdav(points, 3, 9), 0)
    print(HEAD)
    found = {}
    for kind in options.tables:
        for d in dict.fromkeys(min(d, 13) if kind == "census" else d for d in options.attributes):
            for k in options.k:
                try:
                    found[kind, d, k] = series(kind, d, k, options)
                except coterie.CoterieError as missing:
                    print(f"{kind:10} {d:3} {k:3} left out: {missing}")
    found = {key: cells for key, cells in found.items() if cells}
    if found:
        draw(found, Path(options.output))
    if options.keep:
        keep(found)


def keep(found):
    """Leave result file and page."""
    sheet = Sheet("speed", "Exact MDAV, measured", "speed", ABOUT)
    sheet.pictures["Seconds of exact MDAV over the number of records"] = "speed.svg"
    told = sheet.table("By table and number of records", COLUMNS)
    for (kind, d, k), cells in found.items():
        for before, one in zip([None, *cells], cells, strict=False):
            ratio = one.textbook / one.seconds if one.textbook else None
            grows = before and math.log(one.seconds / before.seconds) / math.log(one.n / before.n)
            row = [kind, d, k, one.n, one.seconds, one.textbook, ratio]
            told.add(*row, 100 * one.share, one.memory, one.loss, grows)
    sheet.keep()


if __name__ == "__main__":
    main(sys.argv[1:])
