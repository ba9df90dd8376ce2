"""Edit rules on EIA: totals and signs, before and after, with mean, median and P3M.

Run: make bench-rules, or python3 dev.py bench rules [K]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

import coterie

TOTALS = {
    "TOTREVENUE": ["RESREVENUE", "COMREVENUE", "INDREVENUE", "OTHREVENUE"],
    "TOTSALES": ["RESSALES", "COMSALES", "INDSALES", "OTHRSALES"],
}


def broken(table):
    """Records whose totals do not add up, or with a negative number: counted with pandas alone."""
    off = [(table[total] != table[parts].sum(axis=1)).sum() for total, parts in TOTALS.items()]
    return (*map(int, off), int((table < 0).any(axis=1).sum()))


def main(k="3"):
    table = coterie.datasets.eia().drop(columns="UTILITYID")
    keys = list(table)
    rules = [f"{name} >= 0" for name in keys]
    rules += [f"{total} == {' + '.join(parts)}" for total, parts in TOTALS.items()]
    given = {"method": "mdav", "random_state": 0}
    print(f"EIA, {len(table)} records, {len(keys)} keys, k = {k}; MDAV")
    print("records that break TOTREVENUE, TOTSALES, a sign; of the file as pandas reads it")
    print(f"{'original':<22}{broken(table)}")
    with tempfile.TemporaryDirectory() as folder:
        for aggregation in ("mean", "median", "p3m"):
            for asked in ([], rules):
                more = {"rules": asked, "broken_rules": "repair"} if asked else {}
                began = time.perf_counter()
                r = coterie.anonymize(table, int(k), keys, aggregation=aggregation, **given, **more)
                seconds = time.perf_counter() - began
                path = Path(folder, "out.csv")
                r.write(path)
                found = pd.read_csv(path)
                assert found.groupby(keys).size().min() >= int(k)
                name = f"{aggregation}{', with rules' if asked else ''}"
                told = r.evidence.public["measures"]
                print(f"{name:<22}{broken(found)!s:<20} IL {told['il']:.4f} %  {seconds:.2f} s")
                for column, found_there in told.get("distance_targets", {}).items():
                    if asked and column in TOTALS:
                        print(
                            f"{'':<22}{column}: mean moved by {found_there['mean_shift_sd']:+.4f} "
                            f"sd, sd times {found_there['sd_ratio']:.4f}"
                        )


if __name__ == "__main__":
    main(*sys.argv[1:])
