"""What each constraint costs: information loss and seconds beside k alone, proven on the files."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import coterie
from coterie import datasets
from coterie.guarantees.disclosure import remainder_percent

HEADS = (
    f"{'table':10} {'k':>2}  {'constraint':42} {'IL %':>8} {'k alone':>8} {'seconds':>8}  proven"
)


def protect(name, what, table, k, keys, check=None, **arguments):
    """Release a table through a file, judge the file with pandas, print a row; give both back."""
    began = time.perf_counter()
    release = coterie.anonymize(table, k, keys, random_state=0, **arguments)
    seconds = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "release.csv")
        release.write(path)
        file = pd.read_csv(path)
    alone = release.evidence.internal["search"].get("objective_percent_k_alone")
    told = "" if check is None else check(file, release)
    against = "" if alone is None else f"{alone:.4f}"
    print(
        f"{name:10} {k:2}  {what:42} {release.information_loss:8.4f} {against:>8} "
        f"{seconds:8.1f}  {told}",
        flush=True,
    )
    return file, release


def classes(file, keys):
    return file.groupby(keys, sort=False).ngroup().to_numpy()


def eia(sizes, **search):
    """Ten numeric keys of EIA; a unit is a utility."""
    table = datasets.eia(attributes=11)
    keys = [c for c in table.columns if c != "UTILITYID"]

    def utilities(file, release):
        ids = table["UTILITYID"].to_numpy()[release.crosswalk]
        found = pd.Series(ids).groupby(classes(file, keys)).nunique()
        single = 100 * (found == 1).mean()
        return f"utilities a class: {found.min()} or more; {single:.0f} % of classes have one"

    for k in sizes:
        numbers = table[keys]
        protect("EIA", "none", numbers, k, keys, utilities, declared=keys, **search)
        unit = {"unit": "UTILITYID", "declared": keys}
        protect("EIA", "unit=UTILITYID", table, k, keys, utilities, **unit, **search)
        together = {**unit, "unit_members": "together"}
        protect("EIA", "unit, members together", table, k, keys, utilities, **together, **search)


def tarragona(sizes, **search):
    """Thirteen amounts of 834 companies, each of them a cell of each class."""
    table = datasets.tarragona()
    keys = list(table.columns)

    def cells(file, release):
        labels = classes(file, keys)
        original = table.to_numpy(float)[release.crosswalk]
        rest = np.array([remainder_percent(labels, None, column) for column in original.T])
        return f"{100 * (rest < 10 - 1e-7).mean():.2f} % of cells fail p% = 10"

    for k in sizes:
        shared = {"declared": keys, **search}
        protect("Tarragona", "none", table, k, keys, cells, **shared)
        protect("Tarragona", "p_percent=10", table, k, keys, cells, p_percent=10, **shared)
        rule = {"dominance": (1, 75)}
        protect("Tarragona", "dominance=(1, 75)", table, k, keys, cells, **rule, **shared)


def health(n, k, **search):
    """A made-up survey: each constraint alone, then all of them."""
    table = datasets.health(n, random_state=0)
    keys = ["age", "sex", "height", "weight", "income"]

    def values(file, release):
        labels = classes(file, keys)
        groups = file["diagnosis"].groupby(labels)
        share = groups.agg(lambda v: v.value_counts(normalize=True).iloc[0]).max()
        whole = file["diagnosis"].value_counts(normalize=True)
        counts = pd.crosstab(labels, file["diagnosis"], normalize="index")
        far = (counts - whole[counts.columns]).clip(lower=0).sum(axis=1).max()
        return (
            f"classes {len(counts)}: distinct >= {groups.nunique().min()}, "
            f"share <= {share:.3f}, t <= {far:.3f}"
        )

    targets = {
        "none": {},
        "min_distinct=3": {"min_distinct": 3},
        "max_share=0.6": {"max_share": 0.6},
        "entropy_l=2.5": {"entropy_l": 2.5},
        "t_closeness=0.2": {"t_closeness": 0.2},
        "min_distinct=3, max_share=0.6, t=0.2": {
            "min_distinct": 3,
            "max_share": 0.6,
            "t_closeness": 0.2,
        },
        "unit=household": {"unit": "household"},
        "unit=household, members together": {"unit": "household", "unit_members": "together"},
    }
    for what, asked in targets.items():
        given = table if "unit" in asked else table.drop(columns="household")
        shared = {"confidential": ["diagnosis"], "declared": keys, **search}
        protect("health", what, given, k, keys, values, **asked, **shared)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=["eia", "tarragona", "health"])
    parser.add_argument("-k", type=int, action="append", help="group sizes; 3 and 5")
    parser.add_argument("--time-limit", type=float, help="seconds for each search")
    parser.add_argument("--records", type=int, default=20_000, help="of the health table")
    given = parser.parse_args()
    search = {} if given.time_limit is None else {"time_limit": given.time_limit}
    sizes = given.k or [3, 5]
    print(HEADS)
    for table in given.tables:
        if table == "health":
            health(given.records, sizes[-1], **search)
        else:
            {"eia": eia, "tarragona": tarragona}[table](sizes, **search)


if __name__ == "__main__":
    main()
