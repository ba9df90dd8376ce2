"""The proof: classes counted by pandas, and the counterexample where there is one."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.errors import ParameterError
from coterie.guarantees.beyond_k import BeyondK
from coterie.guarantees.proof import NotKAnonymous, count, verified
from coterie.table import read


def proven(data, k, keys, unit=None):
    return count(read(data), k, tuple(keys), unit, BeyondK(), (), None)


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(["a", "b"]), st.integers(0, 4)),
        min_size=2,
        max_size=20,
    ),
    k=st.integers(2, 4),
    by_unit=st.booleans(),
)
def test_agrees_with_pandas(rows, k, by_unit):
    data = pd.DataFrame(rows, columns=["x", "y", "unit"])
    grouped = data.groupby(["x", "y"])["unit"]
    sizes = grouped.nunique() if by_unit else grouped.size()
    unit = "unit" if by_unit else None
    if k > len(data):
        with pytest.raises(ParameterError, match="at most the number of records"):
            proven(data, k, ["x", "y"], unit)
    elif sizes.min() < k:
        with pytest.raises(NotKAnonymous) as caught:
            proven(data, k, ["x", "y"], unit)
        below = {(v["x"], v["y"]): v["units"] for v in caught.value.violations}
        assert below == sizes[sizes < k].to_dict()
        assert caught.value.achieved == caught.value.counts["achieved"] == sizes.min()
        assert caught.value.counts["classes_below_k"] == len(below)
        assert "violations" not in caught.value.counts
    else:
        found = proven(data, k, ["x", "y"], unit)
        assert (found.achieved, found.classes, found.records) == (
            sizes.min(),
            len(sizes),
            len(data),
        )


def test_a_missing_value_is_a_value_like_any_other():
    data = pd.DataFrame({"x": ["a", "a", None, None]})
    assert proven(data, 2, ["x"]).classes == 2
    with pytest.raises(NotKAnonymous):
        proven(data.iloc[:3], 2, ["x"])


def test_sizes_alone_prove_the_same():
    found = verified(3, Counter({3: 2, 5: 1}), ["x"], 11, None)
    assert (found.achieved, found.classes, found.records) == (3, 3, 11)
    assert "each of at least 3 records (k = 3)" in str(found)
    with pytest.raises(NotKAnonymous, match=r"3 class\(es\) .* the smallest 1, 2, 2\.") as caught:
        verified(3, Counter({2: 2, 1: 1, 9: 4}), ["x"], 41, "firm")
    assert caught.value.is_answer
