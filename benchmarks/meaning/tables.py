"""Tables made by seed: households and health with codes of four kinds, and a survey of wages."""

from __future__ import annotations

import numpy as np
import pandas as pd

__all__ = ["HEALTH", "WAGES", "health", "wages"]

HEALTH = {
    "quasi_identifiers": ["icd", "nace", "nuts", "born", "income"],
    "hierarchies": {
        "icd": {"prefix": [1, 2, 3]},
        "nace": {"prefix": [1, 2, 3]},
        "nuts": {"prefix": [2, 3, 4]},
    },
    "releases": {"born": "interval", "income": "interval"},
    "steps": {"born": "month", "income": 1000},
}
WAGES = ["occupation", "industry", "ethnicity", "region", "experience", "schooling", "hours"]
WAGES += ["wage", "union"]


def _codes(rng, n, first, branches, skew):
    """Codes of a tree, some branches far more frequent than others on every level."""
    text = np.array(first)[_skewed(rng, n, len(first), skew)]
    for wide in branches:
        signs = np.array([str(digit) for digit in range(wide)])
        text = np.char.add(text, signs[_skewed(rng, n, wide, skew)])
    return text


def _skewed(rng, n, wide, skew):
    share = 1.0 / np.arange(1, wide + 1) ** skew
    return rng.choice(wide, n, p=share / share.sum())


def health(n=20_000, seed=0):
    """ICD-like (2,000 leaves, 4 levels), NACE-like, NUTS-like codes, dates of birth, income."""
    rng = np.random.default_rng(seed)
    icd = _codes(rng, n, list("ABCDEFGHIJKLMNOPQRST"), (10, 5, 2), 0.7)
    nace = _codes(rng, n, [f"{d}" for d in range(1, 9)], (6, 4, 3), 0.6)
    nuts = _codes(rng, n, ["AT", "DE", "ES", "FR", "IT"], (4, 4, 4), 0.4)
    days = rng.triangular(0, 14_000, 27_000, n).astype(int)
    age = (27_000 - days) / 365
    income = rng.lognormal(9.6 + 0.01 * np.minimum(age, 40), 0.5, n).round(0)
    born = pd.Timestamp("1935-01-01") + pd.to_timedelta(days, unit="D")
    return pd.DataFrame({"icd": icd, "nace": nace, "nuts": nuts, "born": born, "income": income})


def wages(n=545, seed=0):
    """A survey with nine keys, four of them nominal codes."""
    rng = np.random.default_rng(seed)
    schooling = rng.integers(8, 18, n)
    experience = rng.integers(0, 40, n)
    hours = np.clip(rng.normal(40, 8, n), 5, 80).round(0)
    wage = np.exp(1.0 + 0.07 * schooling + 0.01 * experience + rng.normal(0, 0.4, n)).round(2)
    return pd.DataFrame(
        {
            "occupation": _codes(rng, n, list("123456789"), (4, 3), 0.4),
            "industry": _codes(rng, n, list("ABCDEFGH"), (4,), 0.4),
            "ethnicity": rng.choice(["a1", "a2", "b1", "b2"], n, p=[0.6, 0.1, 0.2, 0.1]),
            "region": _codes(rng, n, ["N", "S", "E", "W"], (3,), 0.3),
            "experience": experience,
            "schooling": schooling,
            "hours": hours,
            "wage": wage,
            "union": rng.choice([True, False], n, p=[0.3, 0.7]),
        }
    )
