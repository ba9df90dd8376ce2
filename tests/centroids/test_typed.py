"""Numbers that must not become missing codes, and the label that a group shares, by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from coterie.centroids.generalized import ancestors
from coterie.centroids.typed import rounded
from coterie.hierarchy import build


@pytest.mark.parametrize(
    ("codes", "value", "expected"),
    [
        ((9,), 8.8, 8.0),
        ((9,), 9.3, 10.0),
        ((9,), 7.2, 7.0),
        ((9, 10), 9.3, 8.0),  # 8 is 1.3 away, 11 is 1.7
        ((8, 9, 10), 9.3, 11.0),
        ((8, 9, 10, 11), 9.3, 7.0),
        ((-1,), -0.9, 0.0),
    ],
)
def test_the_nearest_number_that_is_no_code(codes, value, expected):
    for kind in ("integer", "continuous"):
        column = SimpleNamespace(attribute=SimpleNamespace(type=kind, missing_codes=codes))
        if kind == "integer":
            assert rounded(column, np.array([value, 3.0])).tolist() == [expected, 3.0]
        else:
            code = float(codes[0])
            (found,) = rounded(column, np.array([code]))
            assert found in (np.nextafter(code, -np.inf), np.nextafter(code, np.inf))


def test_the_deepest_label_of_a_group(rng):
    """Of codes whose ancestors are their prefixes: the longest one that all members share."""
    codes = tuple(f"{v:03d}" for v in range(0, 400, 7))
    tree = build({"prefix": [1, 2]}).closed(codes)
    for _ in range(5):
        labels = rng.permutation(np.repeat(np.arange(12), 2))
        values = rng.integers(len(codes), size=24)
        values[labels == 3] = 5
        found = ancestors(tree, codes, values, labels)
        for group in range(12):
            members = {codes[v] for v in values[labels == group]}
            shared = [s for s in (3, 2, 1) if len({m[:s] for m in members}) == 1]
            expected = next(iter(members))[: shared[0]] if shared else tree.root
            assert found[group] == expected
