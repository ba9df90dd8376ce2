"""Runs in the peers' own environment: the groups that a peer makes of a table, and its seconds.

python peer_groups.py PEER K TABLE.csv OUT.json; knows nothing of coterie.
"""

from __future__ import annotations

import json
import sys
import time

import pandas as pd

CODES = ["icd", "nace", "nuts"]


def read(path):
    return pd.read_csv(path, dtype=dict.fromkeys(CODES, str))


def mondrian(table, k):
    """Groups of anonypyx's Mondrian: codes are categories, dates days, income a number."""
    import anonypyx

    table = table.copy()
    for name in CODES:
        table[name] = table[name].astype("category")
    table["born"] = pd.to_datetime(table.born).astype("int64") // 86_400_000_000_000
    make = getattr(anonypyx, "Anonymiser", None) or anonypyx.Anonymizer
    table["row"] = range(len(table))
    began = time.process_time()
    peer = make(table, k=k, algorithm="Mondrian", feature_columns=[*CODES, "born", "income"])
    groups = peer.algorithm.partition(peer.parameters)
    return [list(map(int, group)) for group in groups], time.process_time() - began


def full_domain(table, k):
    """Groups of anjana's full-domain generalization, no record left out."""
    from anjana.anonymity import k_anonymity

    trees = {
        name: _prefixes(table[name], cuts)
        for name, cuts in (("icd", (3, 2, 1)), ("nace", (3, 2, 1)), ("nuts", (4, 3, 2)))
    }
    trees["born"] = _levels(table.born, [lambda d: d[:7], lambda d: d[:4], lambda d: d[:3] + "0s"])
    bands = [
        lambda v, w=w: f"[{int(v // w) * w}, {int(v // w) * w + w})" for w in (1000, 5000, 20000)
    ]
    trees["income"] = _levels(table.income, bands)
    began = time.process_time()
    out = k_anonymity(table.copy(), [], list(trees), k, 0, trees)
    took = time.process_time() - began
    labels = out.groupby(list(trees), sort=False, observed=True).ngroup()
    return [list(map(int, rows)) for rows in labels.groupby(labels).groups.values()], took


def _prefixes(codes, cuts):
    return _levels(codes, [lambda code, n=n: code[:n] for n in cuts])


def _levels(values, steps):
    found = pd.Series(values.unique())
    levels = {0: found.to_numpy()}
    for level, step in enumerate(steps, 1):
        levels[level] = found.map(step).to_numpy()
    levels[len(steps) + 1] = pd.Series(["*"] * len(found)).to_numpy()
    return levels


if __name__ == "__main__":
    peer, k, path, out = sys.argv[1:]
    groups, seconds = {"mondrian": mondrian, "full-domain": full_domain}[peer](read(path), int(k))
    with open(out, "w") as file:
        json.dump({"groups": groups, "seconds": seconds}, file)
