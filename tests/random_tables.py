"""Random tables of all types, with gaps, missing codes, units, weights and strata."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd

LEVELS = ["none", "some", "much", "most"]
CODES = (97, 98, 99)
KINDS = {
    "income": "number",
    "age": "number",
    "school": LEVELS,
    "trade": "category",
    "married": "category",
    "born": "number",
}


def random_table(seed):
    """A table and the arguments that protect it."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(24, 72))
    age = rng.integers(15, 90, n)
    columns = {
        "income": np.round(rng.lognormal(3, 1, n), int(rng.integers(0, 4))),
        "age": age.astype(object),
        "school": rng.choice(LEVELS, n, p=rng.dirichlet(np.ones(4))).astype(object),
        "trade": rng.choice(list("abcde"), n, p=rng.dirichlet(np.ones(5))).astype(object),
        "married": (rng.random(n) < 0.4).astype(object),
        "born": np.array(
            [dt.date(2024 - int(a), 1, 1) + dt.timedelta(int(rng.integers(365))) for a in age],
            dtype=object,
        ),
    }
    names = list(columns)
    keys = [names[i] for i in sorted(rng.permutation(len(names))[: int(rng.integers(1, 6))])]
    for name in keys:
        if rng.random() < 0.3:
            columns[name] = np.array(columns[name], dtype=object)
            columns[name][rng.random(n) < 0.2] = None
    table = pd.DataFrame({name: columns[name] for name in keys})
    arguments = {
        "k": int(rng.integers(2, 5)),
        "quasi_identifiers": keys,
        "method": "mdav",
        "random_state": 0,
        "missing": "pattern",
        "small_strata": ["drop", "merge"][int(rng.integers(2))],
        "types": {n: "boolean" for n in keys if n == "married"},
        "declared": keys,
    }
    if "school" in keys:
        arguments["orders"] = {"school": LEVELS}
    if "age" in keys and rng.random() < 0.6:
        coded = rng.random(n) < 0.3
        table.loc[coded, "age"] = rng.choice(CODES, int(coded.sum()))
        arguments["missing_codes"] = {"age": list(CODES)}
    if "age" in keys:
        table["age"] = pd.array(table["age"], dtype="Int64")
    if "married" in keys:
        table["married"] = pd.array(table["married"], dtype="boolean")
    if "income" in keys:
        table["income"] = table["income"].astype(float)
    if rng.random() < 0.4:
        table["weight"] = rng.uniform(0.5, 20, n)
        arguments["sample_weight"] = "weight"
        arguments["declared"] = [*keys, "weight"]  # one for each record
    if rng.random() < 0.3:
        table["household"] = rng.integers(0, n // 2, n)
        arguments["unit"] = "household"
    if rng.random() < 0.4:
        table["area"] = rng.choice(["2611", "2612", "2700", "31"], n, p=[0.5, 0.05, 0.4, 0.05])
        arguments["strata"] = ["area"]
    if rng.random() < 0.4:
        arguments["attribute_weights"] = {name: float(rng.uniform(0.3, 4)) for name in keys}
    return table, arguments
