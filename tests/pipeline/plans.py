"""Plans that every engine must carry out alike, and the table they are for."""

from __future__ import annotations

import numpy as np
import pandas as pd

__all__ = ["PLANS", "REFUSED", "covering", "table"]

N = 900
REFUSED = frozenset(
    {
        "close and refused",
        "impossible in all strata",
        "a share that is too small",
        "units that cannot stay together",
        "columns of units that differ",
        "columns of units in several strata",
        "small strata refused",
        "a name that is taken",
        "bounds that some break",
        "suppressed with what it cannot be with",
        "analyses that cannot be",
        "gaps",
        "words without an order",
        "recodings that cannot be",
        "unknown columns",
        "households that are released",
        "gaps, a rule and an unknown column",
        "too large a k",
    }
)


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
    of_house = np.random.default_rng(6)
    made["rooms"] = np.repeat(of_house.integers(1, 9, N // 3), 3)
    made["persons"] = np.repeat(of_house.integers(1, 6, N // 3), 3)
    made["area"] = np.repeat(of_house.choice(["city", "land"], N // 3), 3)
    return made


BASE = {
    "k": 4,
    "quasi_identifiers": ["a", "b", "c"],
    "method": "mdav",
    "random_state": 7,
}
UNITS = {"unit": "household"}
HOUSES = {**UNITS, "quasi_identifiers": ["c", "rooms", "persons"]}
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
    "columns of units": {**HOUSES, "unit_columns": ["rooms", "persons"], "row_order": "keep"},
    "columns of units and records": {
        **HOUSES,
        "unit_columns": ["rooms"],
        "strata": ["area"],
    },
    "columns of units together": {
        **HOUSES,
        "quasi_identifiers": ["a", "b", "rooms"],
        "unit_columns": ["rooms"],
        "unit_members": "together",
    },
    "columns of units that differ": {**HOUSES, "unit_columns": ["rooms", "c"]},
    "columns of units in several strata": {
        **HOUSES,
        "unit_columns": ["rooms"],
        "strata": ["sex"],
    },
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
    # records suppressed
    "the dearest groups suppressed": {"suppress_at_most": 0.05},
    "suppressed, in strata": {
        "suppress_at_most": 0.1,
        "strata": ["region"],
        "small_strata": "merge",
        "row_order": "keep",
    },
    "suppressed, as units": {**UNITS, "suppress_at_most": 0.2, "p_percent": {"b": 10.0}},
    "suppressed, units together": {**UNITS, "unit_members": "together", "suppress_at_most": 0.03},
    "suppressed, with gaps, weights and a rule": {
        "quasi_identifiers": ["gappy", "coded", "c"],
        "missing_codes": {"coded": [-9]},
        "missing": "pattern",
        "small_strata": "drop",
        "sample_weight": "weight",
        "rules": ["c <= 85"],
        "broken_rules": "drop",
        "suppress_at_most": 0.08,
    },
    "suppressed by what is released": {
        "quasi_identifiers": ["c", "zip"],
        "hierarchies": {"zip": {"prefix": [1, 2]}},
        "suppress_at_most": 0.06,
        "recodings": {"c": {"top": 80}},
    },
    "nothing to suppress": {"suppress_at_most": 0.001},
    "suppressed with what it cannot be with": {
        **WATCHED,
        "suppress_at_most": 0.1,
        "t_closeness": {"income": 0.3},
    },
    # what it is for
    "means, totals and counts": {
        "analyses": ["mean income by sex, region", "total b", "count by job", "mean c by sex"],
        "strata": ["sex"],
    },
    "regressions": {
        "quasi_identifiers": ["b", "c", "job"],
        "analyses": ["income ~ b + c + job", "b ~ c + sex"],
        "row_order": "keep",
    },
    "weighted analyses of what is left": {
        "sample_weight": "weight",
        "suppress_at_most": 0.05,
        "analyses": ["mean b by region", "count by sex", "b ~ c + region"],
        "missing": "drop",
        "quasi_identifiers": ["b", "c", "gappy"],
        "recodings": {"c": {"round": 5}},
    },
    "analyses that cannot be": {"analyses": ["mean wage", "mean job by sex", "count by agee"]},
    # recodings
    "bands": {"quasi_identifiers": ["a", "c"], "recodings": {"c": {"bands": 10}}},
    "rounded and top coded": {
        "recodings": {"b": {"round": 5, "top": "auto"}, "c": {"bottom": 25, "top": 80}}
    },
    "ends of units": {
        **UNITS,
        "recodings": {"b": {"top": "auto", "bottom": "auto"}, "income": {"round": 1000}},
    },
    "merged and cut": {
        "quasi_identifiers": ["a", "job", "zip"],
        "recodings": {"job": {"merge": {"food": ["cook", "smith"]}}, "zip": {"prefix": 2}},
    },
    "recoded strata": {
        "strata": ["zip"],
        "recodings": {"zip": {"merge": {"2603 or 9000": ["2603", "9000"]}}},
    },
    "recoded strata, merged": {
        "strata": ["zip", "region"],
        "small_strata": "merge",
        "recodings": {"zip": {"prefix": 3}, "region": {"merge": {"far": ["w", "rare"]}}},
        "k": 10,
    },
    "recoded and watched": {
        **WATCHED,
        "recodings": {"diagnosis": {"merge": {"yz": ["y", "z"]}}, "income": {"round": 500}},
        "min_distinct": {"diagnosis": 2},
        "t_closeness": {"income": 0.3},
        "k": 8,
    },
    "recoded with codes and gaps": {
        "quasi_identifiers": ["gappy", "coded"],
        "missing_codes": {"coded": [-9]},
        "missing": "pattern",
        "recodings": {"coded": {"round": 10, "top": 30}, "gappy": {"bottom": "auto"}},
        "small_strata": "drop",
    },
    "bands of what has codes": {
        "quasi_identifiers": ["a", "coded"],
        "missing_codes": {"coded": [-9]},
        "missing": "pattern",
        "recodings": {"coded": {"bands": 10}},
    },
    "cut codes released as ancestors": {
        "quasi_identifiers": ["a", "zip"],
        "recodings": {"zip": {"prefix": 3}},
        "hierarchies": {"zip": {"prefix": [1, 2]}},
    },
    "rounded, with a rule": {"rules": ["c <= 80"], "recodings": {"c": {"top": 80}}},
    "recodings that cannot be": {
        "recodings": {
            "b": {"top": 5000},
            "job": {"merge": {"x": ["cok"]}},
            "sex": {"round": 3},
            "day": {"bands": 3},
            "household": {"prefix": 1},
            "wage": {"prefix": 1},
        },
        **UNITS,
    },
    # what is wrong
    "unknown columns": {"quasi_identifiers": ["aa", "b"], "strata": ["regoin"]},
    "households that are released": {"declared": ["zip", "income"]},
    "gaps, a rule and an unknown column": {
        "quasi_identifiers": ["a", "gappy"],
        "rules": ["a >= 0"],
        "confidential": ["diagnose"],
    },
    "too large a k": {"k": 5000},
    "a search": {"method": "ls"},
}


def _declared(plan):
    """The plan with all columns declared that nothing else is said of.

    Else each of these plans is refused for the same reason, whatever else it asks for.
    """
    used = {plan.get("unit"), plan.get("sample_weight")}
    for role in ("quasi_identifiers", "confidential", "strata"):
        used |= set(plan.get(role, ()))
    return {"declared": [name for name in table().columns if name not in used], **plan}


PLANS = {name: _declared({**BASE, **changed}) for name, changed in CHANGES.items()}


def covering():
    """Names of few plans that ask between them for every option, choice and kind of recoding.

    The broadest first; a plan that is refused only for what is in no other.
    """
    asked = {name: set(_asked(plan)) for name, plan in PLANS.items()}
    left = set().union(*asked.values())
    chosen = []
    while left:
        many = {name: len(new & left) for name, new in asked.items() if new & left}
        chosen.append(max(many, key=lambda name: (name not in REFUSED, many[name])))
        left -= asked[chosen[-1]]
    return chosen


def _asked(plan):
    """Each option with its value where that is a choice between words."""
    for name, value in plan.items():
        if name in ("declared", "quasi_identifiers", "unit", "sample_weight", "pooled"):
            yield name, ""
        elif name == "recodings":
            yield from ((name, kind) for column in value.values() for kind in column)
        elif name == "transforms":
            yield from ((name, kind) for kind in value.values())
        else:
            yield name, value if isinstance(value, str) else ""
