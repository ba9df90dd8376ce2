"""`optimize` by number of coordinates: proposals a second, and its loss beside MDAV's.

    make bench-dimensions                               5 s each
    make bench-dimensions ARGS="--processor --keep"

Normal records in 3 to 60 attributes, and a mixed table: ten numbers and ten categories of seven
codes, 80 coordinates. Small tables are melted all through, large ones are not.
"""

from __future__ import annotations

import argparse

import numpy as np

import coterie
from benchmarks.measured import Sheet, by_processor
from coterie.partitioning.search import sweeps, walks
from coterie.partitioning.search.optimize import search

SIZES = (4000, 20_000)
K = 5
ABOUT = """[`optimize`](../explanation/optimizer.md) by number of coordinates: normal records, and a
mixed table of ten numbers and ten categories of seven codes each (80 coordinates), k = 5, seed 0.
*Proposals* are millions a second from the first partition on, of all workers together; *start* is
when they began. Losses are in percent, *below* in percent of MDAV's; *MDAV took* seconds, too."""
COLUMNS = {
    "table": "",
    "records": ",",
    "proposals": ".2f",
    "start": ".1f",
    "loss": ".4f",
    "MDAV": ".4f",
    "below": ".1f",
    "MDAV took": ".1f",
}


def mixed(n, seed=0):
    """Ten numbers and ten categories of seven codes, related through three hidden ones."""
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=(n, 3))
    numbers = hidden @ rng.normal(size=(3, 10)) + rng.normal(size=(n, 10))
    codes = (hidden @ rng.normal(size=(3, 70)) + 2 * rng.normal(size=(n, 70))).reshape(n, 10, 7)
    hot = np.eye(7)[codes.argmax(axis=2)].reshape(n, 70) / np.sqrt(2)
    return np.hstack([coterie.standardize(numbers), hot])


def made():
    """Tables by name and size."""
    rng = np.random.default_rng(0)
    for n in SIZES:
        for d in (3, 10, 30, 60):
            yield f"normal, {d}", rng.normal(size=(n, d))
        yield "mixed, 80", mixed(n)


def measure(X, seconds, workers):
    """A partition, and the proposals that were made for it a second."""
    every = []

    def noted(kind):
        """Walks or sweeps that can be asked afterwards, those of dives included."""

        def made(*given):
            every.append(kind(*given))
            return every[-1]

        return made

    search.Walks, search.Sweeps = noted(walks.Walks), noted(sweeps.Sweeps)
    try:
        p = coterie.partition(X, K, "optimize", random_state=0, time_limit=seconds, workers=workers)
    finally:
        search.Walks, search.Sweeps = walks.Walks, sweeps.Sweeps
    start = p.trace[0].seconds
    proposals = sum(one.tally()["proposals"] for one in every)
    return p, start, proposals / (p.runtime - start)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--processor", action="store_true", help="count processor seconds")
    parser.add_argument("--keep", action="store_true", help="leave results and page")
    args = parser.parse_args(arguments)
    clock = "seconds by the clock"
    if args.processor:
        by_processor()
        clock = "processor seconds"
    sheet = Sheet("dimensions", "By number of coordinates, measured", "optimum.dimensions", ABOUT)
    told = sheet.table(f"{args.seconds:g} {clock}, workers: {args.workers}", COLUMNS)
    for method in ("mdav", "optimize"):  # compile
        coterie.partition(
            mixed(20_100 if method == "optimize" else 100),
            K,
            method,
            **({} if method == "mdav" else {"random_state": 0, "iterations": 1, "melt": 1}),
        )
    for name, X in made():
        plain = coterie.partition(X, K, "mdav")
        p, start, pace = measure(X, args.seconds, args.workers)
        below = 100 * (1 - p.sse / plain.sse)
        row = [name, len(X), pace / 1e6, start, p.information_loss, plain.information_loss, below]
        told.add(*row, plain.runtime)
        print(*told.rows[-1], flush=True)
    if args.keep:
        sheet.keep()


if __name__ == "__main__":
    main()
