"""`coterie look` on a million records and forty columns of all kinds: seconds and peak memory.

Run: python3 dev.py bench advice.speed [RECORDS] [csv | parquet]
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


def table(n):
    """Forty columns: numbers, codes, dates, money, text, a household, a weight, sums."""
    rng = np.random.default_rng(0)
    household = np.sort(rng.integers(0, n // 3, n))
    columns = {
        "hhid": household,
        "weight": rng.gamma(5, 100, n // 3).round(3)[household],
        "born": pd.Timestamp("1930-01-01") + pd.to_timedelta(rng.integers(0, 30_000, n), "D"),
        "seen": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 10**8, n), "s"),
        "icd": rng.choice([f"{a}{b:02d}.{c}" for a in "ACIJ" for b in range(90) for c in "01"], n),
        "isco": rng.choice(np.arange(1110, 9630, 20), n),
        "region": rng.choice([f"R{i:02d}" for i in range(20)], n),
        "sex": rng.choice([1, 2, 9], n),
        "note": np.char.add("note ", rng.integers(0, n, n).astype(str)),
        "age": rng.integers(0, 100, n),
    }
    columns |= {f"answer{i}": rng.integers(1, 6, n) for i in range(10)}
    columns |= {f"amount{i}": rng.lognormal(7, 1, n).round(2) for i in range(9)}
    columns |= {f"flag{i}": rng.random(n) < 0.3 for i in range(5)}
    columns |= {f"count{i}": rng.poisson(3, n) for i in range(5)}
    columns["total"] = columns["amount0"] + columns["amount1"]
    return pd.DataFrame(columns)


def main(n="1000000", kind="csv"):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"in.{kind}"
        made = table(int(n))
        made.to_csv(path, index=False) if kind == "csv" else made.to_parquet(path)
        shape = made.shape
        del made
        began = time.perf_counter()
        run = subprocess.run(
            [sys.executable, "-m", "coterie", "look", path, "--json"],
            check=True,
            capture_output=True,
            text=True,
        )
        wall = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = {
        "records": shape[0],
        "columns": shape[1],
        "file": kind,
        "wall": wall,
        "seconds": used.ru_utime + used.ru_stime,
        "peak_mib": used.ru_maxrss / 1024,
    }
    print(found)
    told = json.loads(run.stdout)
    print({column["name"]: column["role"] for column in told["columns"]})
    keep("speed", found)


if __name__ == "__main__":
    main(*sys.argv[1:])
