"""Two releases of one table: the smallest class both make together, with and without --previous.

Run: make bench-previous, or python3 dev.py bench previous [--keep]
"""

from __future__ import annotations

import argparse
import time

import pandas as pd

import coterie
from benchmarks.measured import Sheet

SIZES = ((3, 5), (5, 3), (10, 3), (3, 10))
ABOUT = """Two releases of one table by MDAV, with different k: the second made by itself, and
[beside the first](../how-to/panel.md). A cell holds the records that share their class in both
releases. *Small* cells have fewer records than the smaller k. Shares and losses are in percent,
seconds are processor seconds of the second release."""


def cells(keys, *releases):
    """Records in each combination of classes, counted with pandas through the crosswalks."""
    codes = [
        pd.Series(r.data.groupby(keys).ngroup().to_numpy(), index=r.crosswalk) for r in releases
    ]
    both = pd.concat(codes, axis=1)
    return both.groupby(list(both.columns)).size()


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--keep", action="store_true", help="leave results and page")
    asked = parser.parse_args(arguments)
    given = {"method": "mdav", "random_state": 0}
    tables = {
        "Tarragona": coterie.datasets.tarragona(),
        "Census": coterie.datasets.census(),
        "EIA": coterie.datasets.eia().drop(columns="UTILITYID"),
    }
    sheet = Sheet("panel", "Two releases together, measured", "previous", ABOUT)
    columns = {"table": "", "k, then k": ""}
    for way in ("alone", "beside"):
        columns |= {
            f"smallest cell {way}": "d",
            f"records in small cells {way}": ".1f",
            f"loss {way}": ".2f",
            f"seconds {way}": ".2f",
        }
    told = sheet.table("A second release alone, and beside the first", columns)
    print("smallest class of both releases, share of records in classes below the smaller k, IL %")
    for name, table in tables.items():
        keys = list(table)
        for before, after in SIZES:
            bar = min(before, after)
            old = coterie.anonymize(table, before, keys, **given)
            row = [name, f"{before}, {after}"]
            for more in ({}, {"previous": old}):
                began = time.process_time()
                new = coterie.anonymize(table, after, keys, **given, **more)
                seconds = time.process_time() - began
                found = cells(keys, old, new)
                share = 100 * found[found < bar].sum() / len(table)
                row += [int(found.min()), float(share), new.information_loss, seconds]
            told.add(*row)
            print(*(f"{c:.2f}" if isinstance(c, float) else c for c in row), flush=True)
    if asked.keep:
        sheet.keep()


if __name__ == "__main__":
    main()
