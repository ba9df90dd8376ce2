"""Strata pooled along their hierarchy: the smallest subtree, as a plain program finds it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie

TREE = {"prefix": [2, 3]}


def release(table, k=4, **more):
    return coterie.anonymize(
        table,
        k,
        ["age"],
        strata=["nuts"],
        small_strata="merge",
        hierarchies={"nuts": TREE},
        method="mdav",
        row_order="keep",
        **more,
    )


def people(counts, seed=0):
    rng = np.random.default_rng(seed)
    codes = [code for code, size in counts.items() for _ in range(size)]
    return pd.DataFrame({"nuts": codes, "age": rng.integers(18, 90, len(codes))})


def test_siblings_come_first_then_cousins():
    table = people({"DE11": 2, "DE12": 3, "DE13": 9, "DE21": 2, "DE22": 5, "FR10": 6})
    out = release(table)
    became = table.nuts.to_frame().assign(now=out.data.nuts).groupby("nuts").now.unique()
    assert {code: list(now) for code, now in became.items()} == {
        "DE11": ["DE1"],
        "DE12": ["DE1"],
        "DE13": ["DE13"],
        "DE21": ["DE2"],
        "DE22": ["DE2"],  # the smallest other stratum of the smallest subtree with k units
        "FR10": ["FR10"],
    }
    assert out.evidence.internal["records_in_merged_strata"] == 12
    assert out.verification.achieved >= 4


def test_the_label_is_true_and_no_smaller_subtree_would_do():
    rng = np.random.default_rng(4)
    for seed in range(25):
        codes = [f"{a}{b}{c}" for a in ("DE", "FR") for b in "12" for c in "123"]
        counts = {code: int(rng.integers(1, 8)) for code in codes}
        table = people(counts, seed)
        now = release(table).data.nuts
        for code, label in zip(table.nuts, now, strict=True):
            assert label == "*" or code.startswith(label)
            if label == code:
                assert counts[code] >= 4
            elif counts[code] < 4:
                below = [code[:n] for n in (4, 3, 2) if n > (0 if label == "*" else len(label))]
                for prefix in below:  # what had no pool of its own further down was too little
                    inside = table.nuts.str.startswith(prefix)
                    left = inside & ~now.isin([p for p in below if len(p) > len(prefix)])
                    assert (left & (now == label)).sum() < 4 or inside.sum() >= 4
        assert now.value_counts().min() >= 4


def test_units_count():
    table = people({"DE11": 4, "DE12": 4, "FR10": 8}).assign(
        who=[1, 1, 2, 2, 3, 3, 4, 4, *range(9, 17)]
    )
    assert set(release(table, k=4, unit="who").data.nuts[:8]) == {"DE1"}


def test_it_needs_merging():
    with pytest.raises(coterie.ParameterError, match="small_strata='merge'"):
        coterie.anonymize(
            people({"DE11": 9}), 3, ["age"], strata=["nuts"], hierarchies={"nuts": TREE}
        )
