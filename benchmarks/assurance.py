"""What each constraint costs: information loss and seconds beside k alone, proven on the files."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import coterie
from benchmarks.measured import Sheet
from coterie import datasets
from coterie.guarantees.disclosure import remainder_percent

HEADS = (
    f"{'table':10} {'k':>2}  {'constraint':42} {'IL %':>8} {'k alone':>8} {'seconds':>8}  proven"
)
ABOUT = """What [guarantees beyond k](../how-to/beyond-k.md) cost, by `auto` with seed 0. *Loss*
is that of the release, *k alone* what the search had lost before the guarantee was asked for,
both in percent. Every release was written to a CSV file and judged there with pandas. Seconds are
processor seconds of the release. Where a release with a guarantee loses less than k alone, the
search that keeps guarantees went on where the method had stopped."""
SHEET = Sheet("beyond-k", "Guarantees beyond k, measured", "assurance", ABOUT)
COLUMNS = {"k": "", "guarantee": "", "loss": ".3f", "k alone": ".3f", "seconds": ".1f"}


def protect(name, what, table, k, keys, check=None, **arguments):
    """Release a table through a file, judge the file with pandas, print a row; give both back."""
    began = time.process_time()
    release = coterie.anonymize(table, k, keys, random_state=0, **arguments)
    seconds = time.process_time() - began
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "release.csv")
        release.write(path)
        file = pd.read_csv(path)
    alone = release.evidence.internal["search"].get("objective_percent_k_alone")
    judged = {} if check is None else check(file, release)
    told = ", ".join(f"{title} {figure:g}" for title, figure in judged.items())
    if not SHEET.tables or not SHEET.tables[-1].title.startswith(name):
        formats = {title: ".2f" if isinstance(f, float) else "," for title, f in judged.items()}
        SHEET.table(f"{name}, {len(table):,} records", COLUMNS | formats)
    SHEET.tables[-1].add(k, what, release.information_loss, alone, seconds, *judged.values())
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
        single = float(100 * (found == 1).mean())
        return {"fewest utilities in a class": int(found.min()), "classes with one, %": single}

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
        return {"cells that fail p% = 10, %": float(100 * (rest < 10 - 1e-7).mean())}

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
        return {
            "classes": len(counts),
            "fewest values": int(groups.nunique().min()),
            "largest share": float(share),
            "largest t": float(far),
        }

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
        given = table.drop(columns="cost" if "unit" in asked else ["cost", "household"])
        shared = {"confidential": ["diagnosis"], "declared": keys, **search}
        protect("health", what, given, k, keys, values, **asked, **shared)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=["eia", "tarragona", "health"])
    parser.add_argument("-k", type=int, action="append", help="group sizes; 3 and 5")
    parser.add_argument("--time-limit", type=float, help="seconds for each search")
    parser.add_argument("--records", type=int, default=20_000, help="of the health table")
    parser.add_argument("--keep", action="store_true", help="leave results and page")
    given = parser.parse_args()
    search = {} if given.time_limit is None else {"time_limit": given.time_limit}
    sizes = given.k or [3, 5]
    print(HEADS)
    for table in given.tables:
        if table == "health":
            health(given.records, sizes[-1], **search)
        else:
            {"eia": eia, "tarragona": tarragona}[table](sizes, **search)
    if given.keep:
        SHEET.keep()


if __name__ == "__main__":
    main()
