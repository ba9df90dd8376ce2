"""`optimize` on large tables: its loss after some processor seconds, beside MDAV's.

    make bench-optimum.large ARGS="--keep"                       100,000 records, 60 s
    make bench-optimum.large ARGS="--seconds 1200 --keep"        what twenty times as long gives
    make bench-optimum.large ARGS="--cells normal:1000000,census:1000000 --seconds 120 --keep"
    make bench-optimum.large ARGS="--clock --seconds 30 --keep"  where nothing else is at work

Limits count processor seconds of all workers: 60 are half a minute on two cores; `--clock` counts
those of the clock. What is kept joins the runs that were kept before, but for those of the same
cell, seconds and seed. Exact MDAV of a million records takes a minute or more: `--mdav` tells its
loss if it is known.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import coterie
from benchmarks.measured import RESULTS, Sheet, by_processor, kept

K = 5
ABOUT = """[`optimize`](../explanation/optimizer.md) on large tables, k = 5, two workers: normal
records of ten attributes, census-like ones of thirteen. *Seconds* are processor seconds of all
workers or those of the clock, as the heading says, the start included; *start* is when the first
partition and the near records were there; *proposals* are those of the annealing for each record.
Losses are in percent, *below* in percent of the loss of exact MDAV."""
COLUMNS = {
    "table": "",
    "records": ",",
    "seconds": ",.0f",
    "seed": "d",
    "start": ".1f",
    "proposals": ",",
    "loss": ".4f",
    "MDAV": ".4f",
    "below": ".1f",
    "version, date": "",
}
KEY = 4  # columns that say which run it was
CLOCKS = ("Processor seconds, workers: 2", "Seconds by the clock, workers: 2")


def table(name, n):
    """A table by its name."""
    if name == "normal":
        return np.random.default_rng(0).normal(size=(n, 10))
    return coterie.standardize(coterie.datasets.census_like(n, random_state=0))


def kept_rows():
    """The runs that were kept, by their clock."""
    found = kept("large")["tables"] if (RESULTS / "large.json").exists() else []
    rows = {table["title"]: table["rows"] for table in found}
    return {clock: rows.get(clock, []) for clock in CLOCKS}


def known_mdav(rows, name, n):
    """The loss of exact MDAV as it was kept; None if it was not."""
    every = [row for some in rows.values() for row in some]
    return next((row[7] for row in every if row[:2] == [name, n]), None)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--cells", default="normal:100000", help="normal:N and census:N")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--mdav", type=float, help="loss of exact MDAV, in percent")
    parser.add_argument("--clock", action="store_true", help="seconds are those of the clock")
    parser.add_argument("--keep", action="store_true", help="leave results and page")
    args = parser.parse_args(arguments)
    if not args.clock:
        by_processor()
    coterie.partition(table("normal", 9000), K, "optimize", random_state=0, time_limit=1, workers=2)
    for cell in args.cells.split(","):
        name, _, size = cell.partition(":")
        X = table(name, int(size))
        for seed in range(args.first, args.first + args.seeds):
            p = coterie.partition(
                X, K, "optimize", random_state=seed, time_limit=args.seconds, workers=2
            )
            rows = kept_rows()
            plain = args.mdav or known_mdav(rows, name, len(X))
            if plain is None:
                plain = coterie.partition(X, K, "mdav").information_loss
            key = [name, len(X), args.seconds, seed]
            loss, start = p.information_loss, p.trace[0].seconds
            row = [*key, start, p.options["melt"], loss, plain, 100 * (1 - loss / plain)]
            row += [f"{coterie.__version__}, {time.strftime('%Y-%m-%d', time.gmtime())}"]
            print(*row, flush=True)
            if args.keep:
                sheet = Sheet("large", "Large tables, measured", "optimum.large", ABOUT)
                mine = CLOCKS[args.clock]
                rows[mine] = [*(one for one in rows[mine] if one[:KEY] != key), row]
                for clock in filter(rows.get, CLOCKS):
                    told = sheet.table(clock, COLUMNS)
                    for one in sorted(rows[clock], key=lambda one: one[:KEY]):
                        told.add(*one)
                sheet.keep()


if __name__ == "__main__":
    main()
