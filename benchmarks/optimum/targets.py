"""Seconds until `optimize`, `ilsmc` and `icsm` are within 1 % of the best known, as a picture.

    make bench-optimum.targets                          six cells, 60 s at most each
    make bench-optimum.targets ARGS="--cells Census:3 --seconds 20 --seeds 1"
    make bench-optimum.targets ARGS="--processor --keep"

The methods take turns, cell by cell and seed by seed, on the same machine. A method that does not
get there in its time, or ends before, is drawn as a cross at the limit.
"""

from __future__ import annotations

import argparse

import numpy as np

import coterie
from benchmarks.measured import PAGES, Sheet, by_processor
from benchmarks.optimum.records import best_known
from benchmarks.search import tables

CELLS = "Tarragona:3,Tarragona:5,Census:3,Census:5,EIA-10:3,EIA-10:5"
METHODS = {"icsm": {}, "ilsmc": {"start": "mdav-mhm"}, "optimize": {}}
WITHIN = 1.01
PICTURE = "targets.svg"
ABOUT = """How long searches take to come within 1 % of the best loss known, on standardized
reference tables: [`optimize`](../explanation/optimizer.md) beside the best methods of the
literature, `ilsmc` (from `mdav-mhm`) and `icsm`. They took turns, cell by cell and seed by seed, on
the same machine. *Reached* counts the seeds that got there within the limit; *seconds* are the
median of those; *loss* is the median of all when they ended: at the target, at the limit, or, for
`icsm`, at its own end. Losses are in percent."""
COLUMNS = {
    "table": "",
    "k": "",
    "method": "",
    "target": ".4f",
    "reached": "",
    "seconds": ".1f",
    "loss": ".4f",
}


def seconds_to(p, target):
    """When the trace of a search first was at or below a loss; None if it never was."""
    for point in p.trace or ():
        if 100.0 * point.sse / p.sst <= target:
            return point.seconds
    return None


def measure(args):
    """One dictionary for each cell, seed and method."""
    data = tables()
    for method, options in METHODS.items():  # compile
        coterie.partition(data["Census"][:80], 3, method, random_state=0, time_limit=1.0, **options)
    rows = []
    for cell in args.cells.split(","):
        table, _, k = cell.partition(":")
        target = WITHIN * best_known(table, int(k))
        for seed in range(args.seeds):
            for method, options in METHODS.items():
                # ICSM ends by itself: it is given no target.
                goal = {} if method == "icsm" else {"target": target}
                p = coterie.partition(
                    data[table],
                    int(k),
                    method,
                    random_state=seed,
                    time_limit=args.seconds,
                    workers=args.workers,
                    **goal,
                    **options,
                )
                found = seconds_to(p, target)
                row = {"cell": cell, "method": method, "target": target, "seconds": found}
                rows.append({**row, "loss": p.information_loss})
                told = "not reached" if found is None else f"{found:.2f} s"
                print(
                    f"{cell:>12} seed {seed} {method:>9}: {told} ({p.information_loss:.4f} %, "
                    f"target {target:.4f} %)",
                    flush=True,
                )
    return rows


def add_rows(told, rows):
    """The seeds of a cell and method as one row of the page."""
    for cell, method in dict.fromkeys((row["cell"], row["method"]) for row in rows):
        mine = [row for row in rows if (row["cell"], row["method"]) == (cell, method)]
        times = [row["seconds"] for row in mine if row["seconds"] is not None]
        table, _, k = cell.partition(":")
        told.add(
            table,
            int(k),
            f"`{method}`",
            mine[0]["target"],
            f"{len(times)} of {len(mine)}",
            float(np.median(times)) if times else None,
            float(np.median([row["loss"] for row in mine])),
        )


def draw(rows, limit, clock, path):
    """Dots for seeds, crosses at the limit for those that did not get there."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "coterie"
    from matplotlib import pyplot

    cells = list(dict.fromkeys(row["cell"] for row in rows))
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    for number, method in enumerate(METHODS):
        mine = [row for row in rows if row["method"] == method]
        for reached, marker in ((True, "o"), (False, "x")):
            some = [row for row in mine if (row["seconds"] is not None) == reached]
            if some:
                axes.plot(
                    [row["seconds"] if reached else limit for row in some],
                    [cells.index(row["cell"]) + 0.22 * (number - 1) for row in some],
                    marker,
                    color=f"C{number}",
                    label=method if reached else f"{method}: not within {limit:g} s",
                )
    axes.set(
        xscale="log",
        xlabel=f"{clock} until 1 % above the best known",
        yticks=range(len(cells)),
        yticklabels=[cell.replace(":", ", k = ") for cell in cells],
    )
    axes.invert_yaxis()
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None})


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--cells", default=CELLS)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--processor", action="store_true", help="processor seconds, one worker")
    parser.add_argument("--keep", action="store_true", help="leave results, page and picture")
    args = parser.parse_args(arguments)
    clock = "seconds by the clock"
    if args.processor:
        by_processor()
        args.workers, clock = 1, "processor seconds"
    rows = measure(args)
    sheet = Sheet("targets", "Time to target, measured", "optimum.targets", ABOUT)
    sheet.pictures["Seconds until icsm, ilsmc and optimize are near the best known"] = PICTURE
    title = f"At most {args.seconds:g} {clock}, workers: {args.workers}, seeds: {args.seeds}"
    add_rows(sheet.table(title, COLUMNS), rows)
    if args.keep:
        draw(rows, args.seconds, clock, PAGES.parent / "images" / PICTURE)
        sheet.keep()


if __name__ == "__main__":
    main()
