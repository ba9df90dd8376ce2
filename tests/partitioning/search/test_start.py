"""How many groups a search may have: sizes k..2k-1, and the top quintile of what they allow."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np
import pytest

import coterie
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.start import group_counts


def possible(n, k):
    """Numbers of groups that n records can be parted into with k..2k-1 in each."""
    return [g for g in range(1, n + 1) if g * k <= n <= g * (2 * k - 1)]


@pytest.mark.nojit
@pytest.mark.parametrize("k", [2, 3, 4, 7])
def test_the_top_quintile_of_the_numbers_of_groups(k):
    for n in (*range(k, 6 * k), 101, 834):
        numbers = possible(n, k)
        problem = Problem.of(np.arange(float(n))[:, None], k)
        quintile = ceil(numbers[0] + Fraction(4, 5) * (numbers[-1] - numbers[0]))
        least = min(quintile, numbers[-1] - 1)  # room for one perturbation
        assert group_counts(problem, False, None) == (max(1, least), numbers[-1])
        assert group_counts(problem, True, None) == (max(numbers[0], least), numbers[-1])


@pytest.mark.nojit
@pytest.mark.parametrize(("n", "k"), [(20, 3), (21, 4), (9, 2)])
def test_a_least_number_is_taken_where_it_is_possible(n, k):
    problem, numbers = Problem.of(np.arange(float(n))[:, None], k), possible(n, k)
    for limit, fewest in ((True, numbers[0]), (False, 1)):
        for least in range(fewest, numbers[-1] + 1):
            assert group_counts(problem, limit, least) == (least, numbers[-1])
        for least in (fewest - 1, numbers[-1] + 1):
            rule = rf"'ls'.*between {fewest} and n // k = {numbers[-1]} for {n} .*k = {k}.*{least}"
            with pytest.raises(coterie.ParameterError, match=rule):
                group_counts(problem, limit, least, "ls")
