"""Truthful releases: every released value checked in pandas; loss by key; modes beside ancestors.

Run: python3 dev.py bench truth [RECORDS] [nominal | health]
"""

from __future__ import annotations

import sys
import time

import pandas as pd

import coterie
from benchmarks.meaning.store import keep
from benchmarks.meaning.tables import HEALTH, WAGES, health, wages


def true_of(table, released):
    """Share of the records of which each released value is true, by pandas alone."""
    found = {}
    for name in ("icd", "nace", "nuts"):
        pairs = zip(table[name], released[name], strict=True)
        found[name] = sum(label == "*" or code.startswith(label) for code, label in pairs)
    ends = released.income.str.extract(r"\[(-?[\d.]+), (-?[\d.]+)\)").astype(float)
    found["income"] = int(((ends[0] <= table.income) & (table.income < ends[1])).sum())
    first = released.born.str.split("..", regex=False).str[0]
    last = released.born.str.split("..", regex=False).str[-1]
    start = pd.to_datetime(first, format="%Y-%m")
    stop = pd.to_datetime(last, format="%Y-%m") + pd.offsets.MonthBegin(1)
    found["born"] = int(((start <= table.born) & (table.born < stop)).sum())
    return {name: 100.0 * count / len(table) for name, count in found.items()}


def health_table(n, k=5):
    table = health(n)
    began = time.process_time()
    out = coterie.anonymize(table, k=k, **HEALTH, method="mdav", random_state=1, row_order="keep")
    took = time.process_time() - began
    told = out.evidence.internal
    print(f"health and households, {n:,} records, k = {k}: {took:.1f} processor s in all (mdav)")
    print("  seconds by stage", {s: round(v, 1) for s, v in told["seconds"].items()})
    print("  proven:", out.verification, "| truthful:", told.get("truthful"))
    print("  true of the records, percent, by pandas:", true_of(table, out.data))
    losses = {n: round(v, 2) for n, v in told["information_loss_percent_by_key"].items()}
    print("  loss by key", losses, "| in all", round(out.information_loss, 2))
    shared = told["shared"]
    print(
        f"  the search by distances alone {shared['loss_percent_of_the_search']:.2f}, "
        f"to start from {shared['loss_percent_of_the_start']:.2f}, "
        f"after {shared['passes']} passes of sharing {shared['loss_percent']:.2f}",
        flush=True,
    )
    keep(
        "truth",
        {
            "records": n,
            "k": k,
            "method": "mdav",
            "seconds": took,
            "achieved": out.verification.achieved,
            "loss": dict(told["information_loss_percent_by_key"]),
            "total": out.information_loss,
            "true": true_of(table, out.data),
            "search": shared["loss_percent_of_the_search"],
            "started": shared["loss_percent_of_the_start"],
            "shared": shared["loss_percent"],
            "passes": shared["passes"],
        },
    )


def nominal_table():
    table = wages()
    codes = ["occupation", "industry", "ethnicity", "region"]
    trees = {
        "occupation": {"prefix": [1, 2]},
        "industry": {"prefix": [1]},
        "ethnicity": {"prefix": [1]},
        "region": {"prefix": [1]},
    }
    print("nine keys, 545 records, k = 5, mdav: percent of the records with a false category; loss")
    rows = []
    for title, asked in (
        ("mode, no trees", {}),
        ("mode on trees", {"hierarchies": trees, "releases": dict.fromkeys(codes, "mode")}),
        ("ancestor", {"hierarchies": trees}),
    ):
        out = coterie.anonymize(
            table, k=5, quasi_identifiers=WAGES, method="mdav", random_state=1, **asked
        )
        told = out.evidence.internal
        false = {n: round(v, 1) for n, v in told["changed_percent_by_key"].items() if n in codes}
        lost = {n: round(told["information_loss_percent_by_key"][n], 1) for n in codes}
        print(f"  {title:<15} false {false}  loss {lost}  all keys {out.information_loss:.1f}")
        rows.append({"title": title, "false": false, "loss": lost, "total": out.information_loss})
    keep("nominal", {"rows": rows})
    sys.stdout.flush()


def main(n="20000", what="both"):
    if what in ("both", "nominal"):
        nominal_table()
    if what in ("both", "health"):
        health_table(int(n))


if __name__ == "__main__":
    main(*sys.argv[1:])
