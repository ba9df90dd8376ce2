"""Pools of small strata, and the value that they release."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.errors import DataError
from coterie.guarantees.pooling import form_pools, pooled_values


def pooled(counts, k, gaps=None):
    counts = np.array(counts)
    gaps = [0] * len(counts) if gaps is None else gaps
    return form_pools(range(len(counts)), gaps, counts, lambda some: int(counts[some].sum()), k)


def test_the_small_ones_are_one_pool():
    assert pooled([9, 2, 8, 1, 2], 5) == [[1, 3, 4]]


def test_a_pool_that_is_too_small_takes_the_smallest_other():
    assert pooled([9, 1, 7, 2], 5) == [[1, 3, 2]]


def test_other_gaps_are_other_pools():
    assert pooled([9, 2, 9, 2, 2, 3], 4, gaps=[0, 0, 1, 1, 0, 1]) == [[1, 4], [3, 5]]


def test_nobody_is_left_to_help():
    with pytest.raises(DataError, match=r"reach k = 5 units when pooled\. Got 2 among the records"):
        pooled([9, 2], 5, gaps=[0, 1])


def test_units_are_not_counted_twice():
    """Two strata of two units each, one of which is in both: held together there are three."""
    pools = form_pools(
        [0, 1, 2], [0, 0, 0], np.array([2, 2, 6]), lambda some: 3 + 6 * (2 in some), 4
    )
    assert pools == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["261", "262", "300"], ["26*", "26*", "300"]),
        (["261", "362", "300"], ["other", "other", "300"]),
        (["261", "26", "300"], ["other", "other", "300"]),  # codes of two lengths
        (["north", "norms", "300"], ["other", "other", "300"]),  # words
        (["261", None, "300"], ["other", "other", "300"]),
        (["261", "262", "26*"], ["other", "other", "26*"]),  # taken
        (["a1", "b2", "other"], ["other (pooled)", "other (pooled)", "other"]),
        (["a1", "a1", "b2"], None),  # nothing is mixed
    ],
)
def test_what_a_pool_releases_is_none_of_its_values(texts, expected):
    assert pooled_values(texts, [[0, 1]], "code") == expected


def test_a_name_that_is_taken_is_refused():
    assert pooled_values(["a", "b", "c"], [[0, 1]], "code", "rest") == ["rest", "rest", "c"]
    with pytest.raises(
        DataError, match=r"must not be one of 'code' already. Got 'c'; name another"
    ):
        pooled_values(["a", "b", "c"], [[0, 1]], "code", "c")
