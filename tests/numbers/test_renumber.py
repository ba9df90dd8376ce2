from __future__ import annotations

import numpy as np
import pytest

from coterie.numbers.renumber import by_code, first_rows, renumber


@pytest.mark.parametrize("kind", [int, float, str])
def test_numbers_follow_the_order_of_the_values(rng, kind):
    values = [kind(one) for one in rng.integers(-4, 5, size=60)]
    places = {value: place for place, value in enumerate(sorted(set(values)))}
    assert renumber(values).tolist() == [places[value] for value in values]
    assert renumber([]).tolist() == []


@pytest.mark.parametrize("most", [0, 1, 70_000, 1 << 33, 1 << 50])
@pytest.mark.parametrize("least", [0, -1, -100_000])
def test_rows_by_code_are_those_of_a_stable_sort(rng, least, most):
    few = rng.integers(least, most, 300, endpoint=True)
    codes = rng.choice(few, 2000)
    assert by_code(codes).tolist() == np.argsort(codes, kind="stable").tolist()
    assert by_code(codes[:0]).tolist() == []


def test_first_rows_are_those_that_unique_finds(rng):
    codes = renumber(rng.integers(0, 400, 1000))
    assert first_rows(codes).tolist() == np.unique(codes, return_index=True)[1].tolist()
    assert first_rows(codes[:0]).tolist() == []
