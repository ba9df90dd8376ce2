from __future__ import annotations

import numpy as np
import pytest

from coterie.kernels.base import draws
from tests.kernels import entries
from tests.naive_search import Draws


@pytest.mark.nojit
def test_known_numbers():
    """The first numbers of xoshiro128++ from the state 1, 2, 3, 4."""
    words = np.array([1, 2, 3, 4])
    assert [int(entries.bits(words)) for _ in range(5)] == [
        641,
        1573767,
        3222811527,
        3517856514,
        836907274,
    ]


@pytest.mark.nojit
def test_the_oracle_draws_the_same():
    words = draws.seeded(np.random.SeedSequence(5))
    other = Draws(words)
    for bound in (1, 2, 3, 7, 100, 2**30 + 12345, 2**31 - 1, 2**31):
        assert [entries.below(words, bound) for _ in range(20)] == [
            other.below(bound) for _ in range(20)
        ]
    assert [entries.real(words) for _ in range(5)] == [other.real() for _ in range(5)]
    items = np.arange(30)
    entries.shuffle(words, items, 20)
    assert items.tolist() == other.shuffled(range(20)) + list(range(20, 30))


def test_bounded_numbers_are_even():
    words = draws.seeded(np.random.SeedSequence(1))
    counts = np.bincount([entries.below(words, 6) for _ in range(60_000)], minlength=6)
    assert np.abs(counts - 10_000).max() < 400
    reals = np.array([entries.real(words) for _ in range(20_000)])
    assert 0.0 <= reals.min() < 0.001
    assert 0.999 < reals.max() < 1.0
    assert reals.mean() == pytest.approx(0.5, abs=0.01)


def test_a_state_of_zeros_is_avoided():
    class Zeros:
        def generate_state(self, count, dtype):
            return np.zeros(count, dtype=dtype)

    words = draws.seeded(Zeros())
    assert len({int(entries.bits(words)) for _ in range(10)}) > 5
