"""Two releases of one table: the smallest class both make together, with and without --previous.

Run: make bench-previous, or python3 dev.py bench previous
"""

from __future__ import annotations

import time

import pandas as pd

import coterie

SIZES = ((3, 5), (5, 3), (10, 3), (3, 10))


def cells(keys, *releases):
    """Records in each combination of classes, counted with pandas through the crosswalks."""
    codes = [
        pd.Series(r.data.groupby(keys).ngroup().to_numpy(), index=r.crosswalk) for r in releases
    ]
    both = pd.concat(codes, axis=1)
    return both.groupby(list(both.columns)).size()


def main():
    given = {"method": "mdav", "random_state": 0}
    tables = {
        "tarragona": coterie.datasets.tarragona(),
        "census": coterie.datasets.census(),
        "eia": coterie.datasets.eia().drop(columns="UTILITYID"),
    }
    print("smallest class of both releases, share of records in classes below the smaller k, IL %")
    for name, table in tables.items():
        keys = list(table)
        for before, after in SIZES:
            bar = min(before, after)
            old = coterie.anonymize(table, before, keys, **given)
            told = f"{name:<10} k = {before:>2} then {after:>2}:"
            for way, more in (("alone", {}), ("beside", {"previous": old})):
                began = time.perf_counter()
                new = coterie.anonymize(table, after, keys, **given, **more)
                seconds = time.perf_counter() - began
                found = cells(keys, old, new)
                share = 100 * found[found < bar].sum() / len(table)
                told += (
                    f"  {way} {found.min():>2} {share:5.1f} % IL {new.information_loss:6.2f} "
                    f"{seconds:5.2f} s"
                )
            print(told)


if __name__ == "__main__":
    main()
