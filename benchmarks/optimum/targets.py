"""Seconds until `optimize`, `ilsmc` and `icsm` are within 1 % of the best known, as a picture.

    make bench-targets                                  six cells, 60 s at most each
    make bench-targets ARGS="--cells Census:3 --seconds 20 --seeds 1"

The methods take turns, seed by seed, on the same machine; a method that does not get there in its
time, or ends before, is drawn as a cross at the limit. Figures go to results/targets.json, the
picture to docs/images/targets.svg.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from pathlib import Path

import numpy as np

import coterie
from benchmarks.optimum.published import PUBLISHED
from benchmarks.optimum.records import kept
from benchmarks.search import tables

CELLS = "Tarragona:3,Tarragona:5,Census:3,Census:5,EIA-10:3,EIA-10:5"
METHODS = {"icsm": {}, "ilsmc": {"start": "mdav-mhm"}, "optimize": {}}
WITHIN = 1.01
RESULTS = Path(__file__).parent / "results" / "targets.json"
PICTURE = Path(__file__).parents[2] / "docs" / "images" / "targets.svg"


def target_of(cell: str) -> float:
    """1 % above the record, or above the best published where no record is kept."""
    record = kept().get(cell)
    table, _, k = cell.partition(":")
    return WITHIN * (PUBLISHED[table, int(k)] if record is None else record.percent)


def seconds_to(p, target: float) -> float | None:
    """When the trace of a search first was at or below a loss; None if it never was."""
    for point in p.trace or ():
        if 100.0 * point.sse / p.sst <= target:
            return point.seconds
    return None


def measure(args) -> list[dict]:
    """One row for each cell, method and seed."""
    data = tables()
    for method, options in METHODS.items():
        coterie.partition(data["Census"][:80], 3, method, random_state=0, time_limit=1.0, **options)
    rows = []
    for cell in args.cells.split(","):
        table, _, k = cell.partition(":")
        target = target_of(cell)
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
                rows.append(
                    {
                        "cell": cell,
                        "method": method,
                        "seed": seed,
                        "target": round(target, 6),
                        "seconds": None if found is None else round(found, 3),
                        "reached": round(p.information_loss, 6),
                        "ended": round(p.runtime, 3),
                    }
                )
                told = "not reached" if found is None else f"{found:.2f} s"
                print(
                    f"{cell:>12} seed {seed} {method:>9}: {told} ({p.information_loss:.4f} %, "
                    f"target {target:.4f} %)",
                    flush=True,
                )
    return rows


def draw(kept_results: dict, path: Path) -> None:
    """Dots for seeds, a line at the limit for those that did not get there."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "coterie"
    from matplotlib import pyplot

    rows, limit = kept_results["rows"], kept_results["limit"]
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
        xlabel="seconds until 1 % above the best known",
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
    args = parser.parse_args(arguments)
    rows = measure(args)
    found = {
        "limit": args.seconds,
        "workers": args.workers,
        "version": coterie.__version__,
        "date": time.strftime("%Y-%m-%d"),
        "machine": platform.machine(),
        "rows": rows,
    }
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    draw(found, PICTURE)
    for method in METHODS:
        times = [r["seconds"] for r in rows if r["method"] == method and r["seconds"] is not None]
        middle = f"{np.median(times):.2f} s" if times else "-"
        of = sum(r["method"] == method for r in rows)
        print(f"{method:>9}: {len(times)} of {of} reached, median of those {middle}")


if __name__ == "__main__":
    main()
