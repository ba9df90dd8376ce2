"""Bounds on the reference data beside the best losses known, cell by cell.

A cell may take ten minutes, so cells are chosen (`--table`, `--k`); the page holds the last figure
of every cell, with the load that it met.
"""

from __future__ import annotations

import argparse
import json
import os
import time

import coterie
from benchmarks import measured
from benchmarks.measured import DIGITS, RESULTS, Sheet, by_processor, plain
from benchmarks.optimum import records
from benchmarks.optimum.published import PUBLISHED
from coterie import datasets, standardize

ABOUT = """[Bounds](../explanation/bounds.md) that no partition can go below, of standardized
tables, in percent of the variation. The *gap* is how far the best loss known to us can be from the
optimum at most, in percent of it, rounded up; bounds are rounded down. *Best known* are the losses
of our [records](records.md), or the best published one where that is lower.
*Limit* is the time limit asked for, *seconds* what the bound took of it, by the clock or of the
processor as the heading says, compilation aside; *processor* is what the whole process used,
compilation and other threads included; *load* is that of the machine when it ended. *Solved* says
that the linear relaxation over all groups was solved to its end, *cuts* how many cuts were added to
it."""
COLUMNS = {
    "table": "",
    "k": "",
    "bound": ".4f down",
    "best known": ".4f",
    "gap": ".2f up",
    "target": "",
    "solved": "",
    "cuts": "",
    "limit": "",
    "seconds": ".0f",
    "processor": ".0f",
    "load": ".0f",
}
CELLS = RESULTS / "bounds.json"


def table(name):
    """A reference table by the name that published figures have."""
    if name == "Tarragona":
        return standardize(datasets.tarragona())
    if name == "Census":
        return standardize(datasets.census())
    return standardize(datasets.eia(attributes=10 if name == "EIA-10" else 11))


def target(name, k):
    """The gap aimed at, in percent."""
    if name.startswith("EIA"):
        return 1.0 if k <= 5 else None
    return 0.1 if k <= 5 else 0.5 if k == 6 else 3.0


def measure(name, k, seconds):
    """One row of the page."""
    X = table(name)
    before = time.process_time()
    bound = coterie.lower_bound(X, k, seconds, method="columns")
    spent = time.process_time() - before
    row = [*judged(name, k, bound.percent), "yes" if bound.exact else "no", bound.cuts]
    return [*row, f"{seconds:g} s", bound.seconds, spent, os.getloadavg()[0]]


def judged(name, k, bound):
    """A cell, its bound, the best loss known, the gap, and whether that is small enough."""
    known = records.best_known(name, k)
    gap = max(0.0, 100.0 * (1.0 - (1.0 - DIGITS) * bound / known))
    aim = target(name, k)
    told = "" if aim is None else f"{aim:g}: {'met' if gap <= aim else 'missed'}"
    return [name, k, bound, known, gap, told]


def rejudged(rows):
    """Rows by cell, beside what is known by now."""
    return {(row[0], row[1]): [*judged(*row[:3]), *row[6:]] for row in rows}


def earlier():
    """The rows of the last result file, by cell."""
    if not CELLS.exists():
        return {}
    found = json.loads(CELLS.read_text(encoding="utf-8"))["tables"][0]
    return rejudged(found["rows"]) if list(found["columns"]) == list(COLUMNS) else {}


def write():
    """The page anew beside what is known by now; who measured the bounds and when stays."""
    found = json.loads(CELLS.read_text(encoding="utf-8"))
    (table,) = found["tables"]
    rows = list(rejudged(table["rows"]).values())
    table |= {"columns": COLUMNS, "rows": [[plain(cell) for cell in row] for row in rows]}
    found["about"] = " ".join(ABOUT.split())
    text = json.dumps(found, indent=1, ensure_ascii=False)
    CELLS.write_text(text + "\n", encoding="utf-8")
    measured.write(CELLS.stem)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0, help="for each cell")
    parser.add_argument("--table", nargs="*", choices=sorted({name for name, _ in PUBLISHED}))
    parser.add_argument("--k", type=int, nargs="*")
    parser.add_argument("--processor", action="store_true", help="count processor seconds")
    parser.add_argument("--keep", action="store_true", help="leave results and page")
    parser.add_argument("--page", action="store_true", help="the page beside the records of today")
    given = parser.parse_args()
    if given.page:
        write()
        return
    if given.processor:
        by_processor()
    for name, k in PUBLISHED:
        if (given.table and name not in given.table) or (given.k and k not in given.k):
            continue
        row = measure(name, k, given.seconds)
        print(*row, flush=True)
        if given.keep:
            rows = {**earlier(), (name, k): row}
            sheet = Sheet("bounds", "Bounds, measured", "exact.bounds", ABOUT)
            clock = "processor" if given.processor else "clock"
            told = sheet.table(f"Cells, each within its limit by the {clock}", COLUMNS)
            for cell in PUBLISHED:
                if cell in rows:
                    told.add(*rows[cell])
            sheet.keep()
            records.write()  # its page has these bounds, too


if __name__ == "__main__":
    main()
