"""A table as a steward has it: names, e-mails, dates, codes, gaps and a diagnosis."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd

KEYS = [
    "age",
    "income",
    "height",
    "hours",
    "education",
    "health",
    "region",
    "sector",
    "born",
    "married",
]
ORDERS = {
    "education": ["none", "primary", "secondary", "tertiary"],
    "health": ["poor", "fair", "good"],
}
FLAGS = {"identifiers": ["name", "email"], "missing": "pattern", "small_strata": "drop"}


def mixed(n: int, seed: int = 0) -> pd.DataFrame:
    """Ten keys of all types, two identifiers and a confidential column; 3 % gaps in two keys."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 95, n)
    income = np.round(rng.lognormal(10, 0.6, n), 2)
    height = np.round(rng.normal(170, 10, n), 1)
    table = pd.DataFrame(
        {
            "name": [f"Person {i:06d} of {rng.integers(1000)}" for i in range(n)],
            "email": [f"p{i}@example.org" for i in range(n)],
            "age": age,
            "income": income,
            "height": height,
            "hours": rng.integers(0, 60, n),
            "education": rng.choice(ORDERS["education"], n),
            "health": rng.choice(ORDERS["health"], n, p=[0.2, 0.5, 0.3]),
            "region": rng.choice(["north", "south", "east", "west", "centre"], n),
            "sector": rng.choice(list("ABCDEFGH"), n),
            "born": [
                dt.date(2024 - int(a), int(m), 15)
                for a, m in zip(age, rng.integers(1, 13, n), strict=True)
            ],
            "married": rng.random(n) < 0.5,
            "diagnosis": rng.choice(["flu", "asthma", "diabetes", "none"], n),
        }
    )
    table.loc[rng.random(n) < 0.03, "income"] = np.nan
    table.loc[rng.random(n) < 0.03, "height"] = np.nan
    return table
