"""Edit rules on EIA: totals and signs, before and after, with mean, median and P3M.

Run: make bench-rules, or python3 dev.py bench rules [-k 3] [--keep]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import pandas as pd

import coterie
from benchmarks.measured import Sheet

TOTALS = {
    "TOTREVENUE": ["RESREVENUE", "COMREVENUE", "INDREVENUE", "OTHREVENUE"],
    "TOTSALES": ["RESSALES", "COMSALES", "INDSALES", "OTHRSALES"],
}
ABOUT = """What it costs to keep [edit rules](../how-to/edit-rules.md): EIA, 4,092 records with
ten revenue and sales columns of whole numbers as keys, MDAV; all signs and both totals as rules.
The records that break a rule are counted with pandas on the CSV file as written. *Loss* is in
percent; seconds are processor seconds of one release."""


def broken(table):
    """Records whose totals do not add up, or with a negative number: counted with pandas alone."""
    off = [(table[total] != table[parts].sum(axis=1)).sum() for total, parts in TOTALS.items()]
    return (*map(int, off), int((table < 0).any(axis=1).sum()))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-k", type=int, default=3)
    parser.add_argument("--keep", action="store_true", help="leave results and page")
    asked = parser.parse_args(arguments)
    table = coterie.datasets.eia().drop(columns="UTILITYID")
    keys = list(table)
    rules = [f"{name} >= 0" for name in keys]
    rules += [f"{total} == {' + '.join(parts)}" for total, parts in TOTALS.items()]
    given = {"method": "mdav", "random_state": 0}
    sheet = Sheet("edit-rules", "Edit rules, measured", "rules", ABOUT)
    counts = {"TOTREVENUE off": ",", "TOTSALES off": ",", "negative": ","}
    told = sheet.table(
        f"Records that break a rule, k = {asked.k}",
        {"released": "", **counts, "loss": ".3f", "seconds": ".2f"},
    )
    moved = sheet.table(
        "What the rules move of P3M's totals",
        {"column": "", "mean moved by, sd": "+.4f", "sd times": ".4f"},
    )
    told.add("original", *broken(table), None, None)
    print("records that break TOTREVENUE, TOTSALES, a sign; of the file as pandas reads it")
    print(f"{'original':<22}{broken(table)}")
    with tempfile.TemporaryDirectory() as folder:
        for aggregation in ("mean", "median", "p3m"):
            for wanted in ([], rules):
                more = {"rules": wanted, "broken_rules": "repair"} if wanted else {}
                began = time.process_time()
                r = coterie.anonymize(
                    table, asked.k, keys, aggregation=aggregation, **given, **more
                )
                seconds = time.process_time() - began
                path = Path(folder, "out.csv")
                r.write(path)
                found = pd.read_csv(path)
                assert found.groupby(keys).size().min() >= asked.k
                name = f"{aggregation}{', with rules' if wanted else ''}"
                figures = r.evidence.internal["measures"]
                told.add(name, *broken(found), figures["il"], seconds)
                print(f"{name:<22}{broken(found)!s:<20} IL {figures['il']:.4f} %  {seconds:.2f} s")
                for column, there in figures.get("distance_targets", {}).items():
                    if wanted and column in TOTALS:
                        moved.add(column, there["mean_shift_sd"], there["sd_ratio"])
                        print(f"{'':<22}{column}: {there['mean_shift_sd']:+.4f} sd, sd times "
                              f"{there['sd_ratio']:.4f}")  # fmt: skip
    if asked.keep:
        sheet.keep()


if __name__ == "__main__":
    main()
