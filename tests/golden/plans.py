"""Twenty plans over numeric tables made by seed: what is released must stay the same.

Every plan is a function without arguments that gives the released table. Methods are bounded by
iterations or deterministic, never by the clock.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import coterie

__all__ = ["PLANS"]

PLANS: dict[str, Callable[[], pd.DataFrame]] = {}
KEYS = ["age", "income", "hours"]
STAYING = ["household", "tax", "net", "score"]  # released as they are, whatever they give away


def people(n: int = 300, seed: int = 0) -> pd.DataFrame:
    """Numbers only, beside the columns that a plan needs: unit, strata, weights, a diagnosis."""
    rng = np.random.default_rng(seed)
    income = rng.lognormal(10, 0.6, n).round(2)
    tax = (income * rng.uniform(0.1, 0.4, n)).round(2)
    return pd.DataFrame(
        {
            "id": np.arange(n),
            "household": rng.integers(0, n // 2, n),
            "region": rng.choice([1, 2, 3], n, p=[0.5, 0.3, 0.2]),
            "weight": rng.integers(1, 9, n).astype(float),
            "age": rng.integers(18, 95, n),
            "income": income,
            "hours": rng.normal(35, 9, n).round(1),
            "tax": tax,
            "net": (income - tax).round(2),
            "score": rng.normal(0, 1, n).round(3),
            "diagnosis": rng.integers(0, 6, n),
        }
    )


def gaps(table: pd.DataFrame, seed: int = 1) -> pd.DataFrame:
    """The same with a few values missing in two of the keys."""
    rng = np.random.default_rng(seed)
    table = table.copy()
    for name in ("income", "hours"):
        table.loc[rng.random(len(table)) < 0.18, name] = np.nan
    return table


def small(table: pd.DataFrame) -> pd.DataFrame:
    """The same with a stratum of two records."""
    table = table.copy()
    table.loc[[3, 7], "region"] = 9
    return table


def plan(name: str, table: Callable[[], pd.DataFrame] = people, keys: Any = None, **more: Any):
    """Add the release of `table` by these arguments."""
    arguments = {"k": 5, "method": "mdav", "random_state": 7, "identifiers": ["id"], **more}
    arguments["declared"] = [name for name in STAYING if name != more.get("unit")]

    def released() -> pd.DataFrame:
        return coterie.anonymize(table(), quasi_identifiers=keys or KEYS, **arguments).data

    PLANS[name] = released


plan("plain")
plan("strata", strata=["region"])
plan("units", unit="household")
plan("units-together", unit="household", unit_members="together", k=3)
plan("weights", sample_weight="weight")
plan("median", aggregation="median")
plan("p3m", aggregation="p3m", delta=0.2)
plan("sums", keys=["income", "tax", "net"], rules=["net == income - tax", "tax >= 0"])
plan("bounds", rules=["age >= 30", "income <= 40000"], broken_rules="repair")
plan("rules-drop", rules=["age >= 30"], broken_rules="drop")
plan("gaps-pattern", lambda: gaps(people()), missing="pattern")
plan("gaps-drop", lambda: gaps(people()), missing="drop")
plan("gaps-strata", lambda: gaps(people(900)), missing="pattern", strata=["region"], k=3)
plan("small-strata-drop", lambda: small(people()), strata=["region"], small_strata="drop")
plan("attribute-groups", attribute_groups=[["age"], ["income", "hours"]])
plan(
    "scales",
    attribute_weights={"age": 3.0, "hours": 0.25},
    transforms={"income": "log1p", "hours": "rank", "age": "asinh"},
    row_order="keep",
)
plan("diverse", confidential=["diagnosis"], min_distinct=3, method="mdav-mhm")
plan("search", method="ilsm", iterations=40)


def _earlier() -> pd.DataFrame:
    """A release beside an earlier one with another k."""
    table = people()
    more = {"identifiers": ["id"], "declared": STAYING, "method": "mdav", "random_state": 0}
    old = coterie.anonymize(table, 4, KEYS, **more)
    return coterie.anonymize(table, 6, KEYS, previous=old, **more).data


def _tiles() -> pd.DataFrame:
    """A table in tiles, units and strata."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.parquet", Path(folder) / "out.parquet"
        people(4000, 3).to_parquet(source)
        coterie.distributed.anonymize(
            source,
            target,
            5,
            KEYS,
            identifiers=["id"],
            declared=STAYING[1:],
            strata=["region"],
            unit="household",
            sample_weight="weight",
            method="mdav",
            random_state=7,
            tile=500,
            engine="tiles",
        )
        return pd.read_parquet(target)


PLANS["earlier-release"] = _earlier
PLANS["tiles"] = _tiles
