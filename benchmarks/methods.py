"""What each method loses: on the embedded table as a picture, on normal records of several sizes.

make bench-methods                                # both
make bench-methods ARGS="--sizes 1000 --keep"     # fewer sizes; leave results, page and picture
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import coterie
from benchmarks.measured import PAGES, Sheet

KEYS = ["age", "sex", "bmi", "bp"]
COLORS = {
    "constructive": "#8da0cb",
    "path": "#66c2a5",
    "search": "#fc8d62",
}
PICTURE = PAGES.parent / "images" / "methods.svg"
ABOUT = """What the [methods](../explanation/methods.md) lose, in percent. Seconds are processor
seconds of one call, kernels compiled, all threads together."""
SIZES = ("systematic", "tfrp", "mdav", "cbfs", "mdav-mhm", "vmdav", "tsp-mhm", "auto")
SLOW = {"tsp-mhm": 20_000, "systematic": 60_000, "tfrp": 60_000}  # records; no more than that


def timed(X, name, **options):
    """Loss in percent and processor seconds; a call on a few records compiles first."""
    coterie.partition(X[:100], 5, name, random_state=0, **options)
    began = time.process_time()
    p = coterie.partition(X, 5, name, random_state=0, **options)
    return p.information_loss, time.process_time() - began


def embedded(sheet):
    """Every method on the 442 patients."""
    X = coterie.standardize(coterie.datasets.diabetes()[KEYS])
    told = sheet.table(
        "442 patients, four keys, k = 5",
        {"method": "", "kind": "", "loss": ".3f", "seconds": ".3f"},
        "The embedded table, standardized; seed 0. `ilsm` and `ilsmc` have 2,000 iterations.",
    )
    rows = []
    for method in coterie.methods():
        if method.kind == "exact":
            continue
        limits = {"iterations": 2000} if method.name.startswith("ils") else {}
        loss, seconds = timed(X, method.name, **limits)
        rows.append((loss, method.name, method.kind))
        told.add(f"`{method.name}`", method.kind, loss, seconds)
        print(f"{method.name:12} {loss:8.3f} %  {seconds:.3f} s", flush=True)
    told.rows.sort(key=lambda row: -row[2])
    return rows


def by_size(sheet, sizes):
    """Some methods on independent normal records of five attributes."""
    columns = {"method": ""}
    for n in sizes:
        columns |= {f"{n:,}, loss": ".2f", f"{n:,}, seconds": ".2f"}
    told = sheet.table(
        "Normal records of five attributes, k = 5",
        columns,
        "By the number of records; empty where the method would take long.",
    )
    tables = [np.random.default_rng(0).normal(size=(n, 5)) for n in sizes]
    for name in SIZES:
        row = [f"`{name}`"]
        for X in tables:
            row += timed(X, name) if len(X) <= SLOW.get(name, len(X)) else [None, None]
        told.add(*row)
        print(*row, flush=True)


def draw(rows, target):
    """The losses on the embedded table as bars."""
    rows = sorted(rows, reverse=True)
    mpl.rcParams["svg.hashsalt"] = "coterie"  # the same picture from the same figures
    figure, axes = plt.subplots(figsize=(7, 4.6), layout="constrained")
    axes.barh([r[1] for r in rows], [r[0] for r in rows], color=[COLORS[r[2]] for r in rows])
    for place, (loss, _, _) in enumerate(rows):
        axes.text(loss + 0.1, place, f"{loss:.2f}", va="center", fontsize=8)
    handles = [plt.Rectangle((0, 0), 1, 1, color=c) for c in COLORS.values()]
    axes.legend(handles, COLORS, frameon=False, loc="upper right")
    axes.set_xlabel("information lost, percent (442 patients, 4 keys, k = 5)")
    axes.tick_params(labelsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(target, metadata={"Date": None})
    print(f"wrote {target.name}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 10_000, 100_000])
    parser.add_argument("--output", type=Path, default=PICTURE)
    parser.add_argument("--keep", action="store_true", help="leave results, page and picture")
    asked = parser.parse_args(arguments)
    sheet = Sheet("methods", "Methods, measured", "methods", ABOUT)
    rows = embedded(sheet)
    if asked.sizes:
        by_size(sheet, asked.sizes)
    if asked.keep:
        draw(rows, asked.output)
        sheet.pictures["What each method loses on the embedded table"] = "methods.svg"
        sheet.keep()


if __name__ == "__main__":
    main()
