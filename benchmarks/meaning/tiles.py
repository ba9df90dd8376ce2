"""A million records with two hierarchical keys in tiles: seconds, peak memory, truth of the file.

Run: python3 dev.py bench meaning.tiles [RECORDS] [TILE]

The release runs in a process of its own, so that making and checking the table count for nothing.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.meaning.store import keep
from benchmarks.meaning.tables import health

K = 5
TREES = {"icd": {"prefix": [1, 2, 3]}, "nuts": {"prefix": [2, 3, 4]}}


def release(folder, tile):
    """Runs alone: the release, and what it took."""
    import coterie

    folder = Path(folder)
    began, processor = time.perf_counter(), time.process_time()
    done = coterie.distributed.anonymize(
        folder / "in.parquet",
        folder / "out.parquet",
        K,
        quasi_identifiers=["icd", "nuts", "income"],
        hierarchies=TREES,
        releases={"income": "interval"},
        steps={"income": 1000},
        declared=["row"],
        method="mdav",
        random_state=1,
        engine="tiles",
        tile=int(tile),
    )
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(
        json.dumps(
            {
                "wall": time.perf_counter() - began,
                "seconds": time.process_time() - processor,
                "peak_mib": max(own.ru_maxrss, children.ru_maxrss) / 1024,
                "loss": done.evidence.internal["information_loss_percent"],
                "tiles": done.evidence.internal["tiles"],
            }
        )
    )


def false_labels(table, out):
    """Records with a label or an interval that is not true of them, by pandas alone."""
    both = table.merge(out, on="row", suffixes=("", "_now"))
    assert len(both) == len(table)
    wrong = np.zeros(len(both), dtype=bool)
    for name in TREES:
        pairs = both[[name, f"{name}_now"]].drop_duplicates()
        true = [
            label == "*" or code.startswith(label)
            for code, label in pairs.itertuples(index=False, name=None)
        ]
        known = dict(zip(pairs.itertuples(index=False, name=None), true, strict=True))
        wrong |= ~np.array([known[pair] for pair in zip(both[name], both[f"{name}_now"])])  # noqa: B905
    ends = both.income_now.str.extract(r"\[(-?\d+), (-?\d+)\)").astype(float)
    return int((wrong | (both.income < ends[0]) | (both.income >= ends[1])).sum())


def main(n="1000000", tile="50000"):
    with tempfile.TemporaryDirectory() as folder:
        table = health(int(n))[["icd", "nuts", "income"]]
        table["row"] = np.random.default_rng(5).normal(size=len(table))
        table.to_parquet(Path(folder) / "in.parquet")
        made = subprocess.run(
            [sys.executable, "-m", __spec__.name, "release", folder, tile],
            check=True,
            capture_output=True,
            text=True,
        )
        found = json.loads(made.stdout.splitlines()[-1])
        out = pd.read_parquet(Path(folder) / "out.parquet")
        found |= {
            "records": len(table),
            "leaves": table.icd.nunique() + table.nuts.nunique(),
            "k": K,
            "method": "mdav",
            "tile": int(tile),
            "achieved": int(out.groupby(["icd", "nuts", "income"]).size().min()),
            "false": false_labels(table, out),
        }
    print(found)
    keep("tiles", found)


if __name__ == "__main__":
    release(*sys.argv[2:]) if sys.argv[1:2] == ["release"] else main(*sys.argv[1:])
