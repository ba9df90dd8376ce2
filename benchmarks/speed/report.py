"""Seconds and bytes of reports: a mixed table of 50,000 records, and a million records.

The release is made first and not counted. Reports of both kinds are made twice, the second time
counted, so that compilation is not; seconds are those of the processor, which a busy machine
changes less than those of the clock, and of the clock.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd

import coterie
from coterie.report import html, summary
from tests.mixed import FLAGS, KEYS, ORDERS, mixed


def large(n: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": rng.integers(0, 100, n),
            "income": rng.lognormal(10, 0.8, n),
            "height": rng.normal(170, 10, n),
            "region": rng.choice(list("abcdefgh"), n),
            "diagnosis": rng.choice(list("pqr"), n),
        }
    )


def measure(name: str, release: coterie.Release) -> None:
    for kind in ("internal", "public"):
        html(summary(release, kind))
        began = time.process_time(), time.perf_counter()
        told = summary(release, kind)
        half = time.process_time(), time.perf_counter()
        page = html(told)
        end = time.process_time(), time.perf_counter()
        parts = [f"{b - a:5.1f} ({d - c:5.1f})" for (a, c), (b, d) in ((began, half), (half, end))]
        print(f"{name:<22} {kind:<9} {parts[0]}  {parts[1]}  {len(page.encode()) / 1000:6.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000, help="of the large table")
    asked = parser.parse_args()
    print("seconds of the processor (of the clock)")
    print(f"{'table':<22} {'kind':<9} {'summary':>13}  {'page':>13}  {'kB':>6}")
    release = coterie.anonymize(
        mixed(50_000), 5, KEYS, confidential=["diagnosis"], orders=ORDERS, random_state=0, **FLAGS
    )
    measure("50,000 x 10 mixed", release)
    release = coterie.anonymize(
        large(asked.records),
        5,
        ["age", "income", "height", "region"],
        confidential=["diagnosis"],
        declared=["income", "height"],
        random_state=0,
    )
    measure(f"{asked.records:,} x 4", release)


if __name__ == "__main__":
    main()
