"""Bounded suppression on the reference data: loss and records left out, k = 5.

Run: python3 dev.py bench suppression
"""

from __future__ import annotations

import coterie
from benchmarks.meaning.store import keep


def main():
    tables = {
        "Tarragona": coterie.datasets.tarragona(),
        "Census": coterie.datasets.census(),
        "EIA": coterie.datasets.eia(),
    }
    print("k = 5, mdav: records left out; SSE within groups in percent of the whole table's SST")
    rows = []
    for name, table in tables.items():
        cells = []
        rows.append({"table": name, "records": len(table), "cells": []})
        for share in (0, 0.01, 0.02, 0.05):
            out = coterie.anonymize(
                table,
                5,
                list(table),
                declared=list(table),
                method="mdav",
                random_state=1,
                suppress_at_most=share,
            )
            told = out.evidence.internal
            gone = told.get("suppressed")
            within = (
                told["search"]["objective_percent"]
                if gone is None
                else gone["objective_percent_of_the_rest"]
            )
            left = 0 if gone is None else gone["records"]
            rows[-1]["cells"].append(
                {"share": share, "out": left, "within": within, "released": out.information_loss}
            )
            cells.append(
                f"{share:g}: {left:>4} out, {within:6.2f} (released {out.information_loss:.2f})"
            )
        print(f"{name:<10} {len(table):>5} | " + " | ".join(cells), flush=True)
    keep("suppression", {"rows": rows})


if __name__ == "__main__":
    main()
