"""Does systematic clustering beat MDAV, as its authors claim? SSE and time of both in one run.

Kabir, Wang (2011), "Systematic clustering-based microaggregation for statistical disclosure
control", section V: 10,000 records of CENSUS, p = 2..6 attributes, k = 5, 10, ..., 35. The paper
shows curves and prints no number; its claim is less SSE than MDAV for every p and k, and less time
for almost all. CENSUS is not free to pass on, so three tables stand in for it:

standardised   normal records with the moments of the reference data Census, each attribute at
               variance 1: how microaggregation is commonly run
raw            the same without standardizing: one attribute dominates the distances
discrete       independent whole numbers with as many values as the first attributes of CENSUS
               have (age 78, gender 2, education 17, marital status 6, race 9, work class 10)

    make bench-papers.systematic2011            make bench-papers.systematic2011 ARGS=--quick
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from functools import partial

import numpy as np

import coterie
from benchmarks.papers.store import Cell, Effort, Part
from coterie.datasets import census_like

TITLE = "Kabir, Wang (2011), "
STAND_INS = ("standardised", "raw", "discrete")
VALUES = (78, 2, 17, 6, 9, 10)
KS = range(5, 36, 5)


def tables(n):
    """The stand-ins by name, six attributes each."""
    raw = census_like(n, attributes=6, random_state=0).to_numpy()
    rng = np.random.default_rng(0)
    discrete = np.column_stack([rng.integers(0, values, n) for values in VALUES]).astype(float)
    return dict(zip(STAND_INS, (np.asarray(coterie.standardize(raw)), raw, discrete), strict=True))


def compare(X, k, seeds):
    """Ratios systematic / mdav of SSE (median) and of the least times, and MDAV's loss."""
    sse, theirs, own = [], [], []
    for seed in range(seeds):
        # Interleaved, so that a busy machine slows both alike.
        base = coterie.partition(X, k, "mdav")
        ours = coterie.partition(X, k, "systematic", random_state=seed)
        sse.append(ours.sse / base.sse)
        theirs.append(base.runtime)
        own.append(ours.runtime)
    return statistics.median(sse), min(own) / min(theirs), base.information_loss


def claims(name: str, n: int, seeds: int) -> Iterator[Cell]:
    """Figures 2 and 3: in how many of 35 cells there is less SSE, and less time, than MDAV's."""
    X = tables(n)[name]
    compare(X[:100], 5, 1)  # compile
    found = [compare(X[:, :p], k, seeds) for p in range(2, 7) for k in KS]
    for label, at in (("less SSE", 0), ("less time", 1)):
        ours = sum(one[at] < 1.0 for one in found)
        yield Cell(f"{label}, cells of 35", name, 35.0, ours, 0, kind="claim")


def growth(most: int) -> Iterator[Cell]:
    """Figure 4: processor seconds from 10,000 records on, p = 6, k = 10, as a power of n."""
    X = np.asarray(coterie.standardize(census_like(most, attributes=6, random_state=0)))
    coterie.partition(X[:500], 10, "systematic", random_state=0)  # compile
    took = []
    for n in (10_000, most):
        began = time.process_time()
        coterie.partition(X[:n], 10, "systematic", random_state=0)
        took.append(time.process_time() - began)
    power = float(np.log(took[1] / took[0]) / np.log(most / 10_000))
    yield Cell("power of n", f"10,000 to {most:,} records", 1.0, power, 1, kind="claim")


def parts(effort: Effort) -> list[Part]:
    """What the curves claim; "almost all" and "almost linear" as all and linear."""
    title = f"{TITLE}Figures 2 and 3: less SSE and time than MDAV's"
    n, most = effort.of(10_000, 2_000, "records"), effort.of(80_000, 20_000, "records")
    found = []
    for name in STAND_INS:
        made = partial(claims, name, n.count, 3 if effort.quick else 5)
        found.append(Part(f"systematic2011-2-{name}", title, 2, made, n.words))
    title = f"{TITLE}Figure 4: almost linear time"
    made = partial(growth, most.count)
    return [*found, Part("systematic2011-4", title, 1, made, f"up to {most.words}")]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="2,000 records, three seeds and k")
    quick = parser.parse_args(arguments).quick
    n, seeds = (2_000, 3) if quick else (10_000, 5)
    ks = (5, 15, 35) if quick else KS
    for X in tables(100).values():  # compile before anything is timed
        compare(X, 5, 1)
    print(f"systematic / mdav, {n} records; claimed: SSE below 1 everywhere, time nearly so\n")
    for name, X in tables(n).items():
        print(f"{name:<12}  p   " + "".join(f"{'k=' + str(k):>16}" for k in ks))
        wins, cells = 0, 0
        for p in range(2, 7):
            row = [compare(X[:, :p], k, seeds) for k in ks]
            wins += sum(sse < 1.0 for sse, _, _ in row)
            cells += len(row)
            print(f"  SSE ratio   {p}   " + "".join(f"{sse:>16.3f}" for sse, _, _ in row))
            print("  time ratio      " + "".join(f"{time:>16.2f}" for _, time, _ in row))
            print("  mdav IL %       " + "".join(f"{loss:>16.4f}" for _, _, loss in row))
        print(f"  systematic has the lower SSE in {wins} of {cells} cells\n")


if __name__ == "__main__":
    main()
