"""Plans that every engine must carry out alike, and the table they are for."""

from __future__ import annotations

import numpy as np
import pandas as pd

__all__ = ["PLANS", "table"]

N = 900


def table():
    """Numbers, categories, dates, gaps, codes, units, weights, and amounts that add up."""
    rng = np.random.default_rng(5)
    made = pd.DataFrame(
        {
            "a": rng.normal(size=N).round(3),
            "b": rng.gamma(2.0, 10.0, N).round(2),
            "c": rng.integers(18, 90, N),
            "gappy": np.where(rng.random(N) < 0.2, np.nan, rng.normal(size=N).round(2)),
            "coded": np.where(rng.random(N) < 0.1, -9.0, rng.integers(0, 50, N)),
            "sex": rng.choice(["f", "m"], N),
            "job": rng.choice(["clerk", "cook", "nurse", "smith"], N, p=[0.4, 0.3, 0.2, 0.1]),
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, N), unit="D"),
            "region": rng.choice(["n", "s", "w", "rare"], N, p=[0.5, 0.3, 0.197, 0.003]),
            "zip": rng.choice(["2601", "2602", "2603", "9000"], N, p=[0.6, 0.39, 0.005, 0.005]),
            "diagnosis": rng.choice(["x", "y", "z"], N, p=[0.6, 0.3, 0.1]),
            "income": rng.lognormal(8.0, 0.5, N).round(),
            "weight": rng.uniform(1.0, 3.0, N).round(2),
            "household": np.repeat(np.arange(N // 3), 3),
            "food": rng.gamma(2.0, 50.0, N).round(2),
            "rent": rng.gamma(3.0, 90.0, N).round(2),
        }
    )
    made["total"] = (made["food"] + made["rent"]).round(2)
    return made


BASE = {
    "k": 4,
    "quasi_identifiers": ["a", "b", "c"],
    "method": "mdav",
    "random_state": 7,
    "declared": ["zip", "household"],
}
UNITS = {"unit": "household", "declared": ["zip"]}
WATCHED = {"confidential": ["diagnosis", "income"]}
SUMS = {"quasi_identifiers": ["food", "rent", "total"]}

CHANGES = {
    # what a class must keep
    "two different values": {**WATCHED, "min_distinct": {"diagnosis": 2}},
    "three different values": {**WATCHED, "min_distinct": {"diagnosis": 3}, "k": 5},
    "no value too frequent": {**WATCHED, "max_share": {"diagnosis": 0.75}},
    "entropy": {**WATCHED, "entropy_l": {"diagnosis": 1.8}, "k": 6},
    "entropy of all watched": {**WATCHED, "entropy_l": 1.5},
    "close by ranks": {**WATCHED, "t_closeness": {"income": 0.25}, "k": 8},
    "close with equal distances": {**WATCHED, "t_closeness": {"diagnosis": 0.3}, "k": 8},
    "close and refused": {**WATCHED, "t_closeness": {"income": 0.2}, "on_violation": "refuse"},
    "a sensitive value": {**WATCHED, "alpha_k": {"diagnosis": {"z": 0.5}}, "k": 5},
    "all values sensitive": {**WATCHED, "alpha_k": {"diagnosis": 0.8}, "k": 5},
    "recursive diversity": {**WATCHED, "recursive_cl": {"diagnosis": (3.0, 2)}, "k": 6},
    "recursive diversity of units": {**UNITS, **WATCHED, "recursive_cl": {"diagnosis": (4.0, 2)}},
    "likeness": {**WATCHED, "beta_likeness": {"diagnosis": 1.5}, "k": 8},
    "likeness in strata": {
        **WATCHED,
        "beta_likeness": {"diagnosis": 2.0},
        "alpha_k": {"diagnosis": {"z": 0.6}},
        "strata": ["sex"],
        "k": 8,
    },
    "little disclosed": {**WATCHED, "delta_disclosure": {"diagnosis": 1.5}, "k": 12},
    "less disclosed than can be": {**WATCHED, "delta_disclosure": {"income": 0.1}},
    "p percent": {"p_percent": {"b": 10.0}},
    "p percent of units": {**UNITS, "p_percent": {"income": 10.0}},
    "dominance": {"dominance": {"b": (2, 80.0)}},
    "dominance of units": {**UNITS, "dominance": {"income": (1, 60.0)}},
    "impossible in all strata": {**WATCHED, "min_distinct": {"diagnosis": 4}},
    "impossible in some strata": {
        **WATCHED,
        "min_distinct": {"diagnosis": 3},
        "strata": ["zip"],
        "small_strata": "merge",
    },
    "a share that is too small": {**WATCHED, "max_share": 1.5},
    # units
    "units": UNITS,
    "units in strata": {**UNITS, "strata": ["sex"]},
    "units together": {**UNITS, "unit_members": "together"},
    "units together with diversity": {
        **UNITS,
        **WATCHED,
        "unit_members": "together",
        "min_distinct": {"diagnosis": 2},
    },
    "units that cannot stay together": {**UNITS, "unit_members": "together", "strata": ["sex"]},
    # strata
    "small strata refused": {"strata": ["region"]},
    "small strata merged": {"strata": ["region"], "small_strata": "merge"},
    "small strata dropped": {"strata": ["region"], "small_strata": "drop"},
    "codes merged to a prefix": {"strata": ["zip"], "small_strata": "merge", "k": 10},
    "strata under a name": {"strata": ["region"], "small_strata": "merge", "pooled": "elsewhere"},
    "a name that is taken": {"strata": ["region"], "small_strata": "merge", "pooled": "n"},
    "strata of units merged": {**UNITS, "strata": ["region", "zip"], "small_strata": "merge"},
    # rules
    "a sum": {**SUMS, "rules": ["total == food + rent"]},
    "a sum of medians": {**SUMS, "rules": ["total == food + rent"], "aggregation": "median"},
    "bounds that some break": {"rules": ["b >= 5", "c <= 80"]},
    "bounds repaired": {"rules": ["b >= 5", "c <= 80"], "broken_rules": "repair"},
    "bounds dropped": {"rules": ["b >= 5", "c <= 80"], "broken_rules": "drop"},
    # gaps and codes
    "gaps": {"quasi_identifiers": ["a", "gappy"]},
    "gaps by pattern": {"quasi_identifiers": ["a", "gappy"], "missing": "pattern"},
    "gaps dropped": {"quasi_identifiers": ["a", "gappy"], "missing": "drop"},
    "codes": {
        "quasi_identifiers": ["a", "coded"],
        "missing_codes": {"coded": [-9]},
        "missing": "pattern",
    },
    "codes everywhere": {
        "quasi_identifiers": ["a", "gappy", "coded"],
        "missing_codes": [-9],
        "missing": "pattern",
    },
    # values
    "weights": {"sample_weight": "weight"},
    "weights that are dropped": {"sample_weight": "weight", "identifiers": ["weight"]},
    "weighted medians": {"sample_weight": "weight", "aggregation": "median"},
    "mixed types": {
        "quasi_identifiers": ["c", "sex", "job", "day"],
        "attribute_weights": {"c": 2.0},
    },
    "ordinal": {"quasi_identifiers": ["a", "c"], "types": {"c": "ordinal"}},
    "words without an order": {"quasi_identifiers": ["c", "job"], "types": {"job": "ordinal"}},
    "ranks": {"transforms": {"b": "rank"}},
    "ranks in strata that are dropped": {
        "transforms": {"b": "rank", "a": "asinh"},
        "strata": ["region"],
        "small_strata": "drop",
    },
    "sets of keys": {"attribute_groups": [["a", "b"], ["c"]]},
    "one key a set": {"attribute_groups": [["a"], ["b"], ["c"]], "strata": ["sex"]},
    "in the order given": {"row_order": "keep"},
    "in the order given, in strata": {
        "row_order": "keep",
        "strata": ["region"],
        "small_strata": "merge",
    },
    # what is wrong
    "unknown columns": {"quasi_identifiers": ["aa", "b"], "strata": ["regoin"]},
    "households that are released": {"declared": ["zip"]},
    "gaps, a rule and an unknown column": {
        "quasi_identifiers": ["a", "gappy"],
        "rules": ["a >= 0"],
        "confidential": ["diagnose"],
    },
    "too large a k": {"k": 5000},
    "a search": {"method": "ls"},
}
PLANS = {name: {**BASE, **changed} for name, changed in CHANGES.items()}
