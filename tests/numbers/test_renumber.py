from __future__ import annotations

import pytest

from coterie.numbers.renumber import renumber


@pytest.mark.parametrize("kind", [int, float, str])
def test_numbers_follow_the_order_of_the_values(rng, kind):
    values = [kind(one) for one in rng.integers(-4, 5, size=60)]
    places = {value: place for place, value in enumerate(sorted(set(values)))}
    assert renumber(values).tolist() == [places[value] for value in values]
    assert renumber([]).tolist() == []
