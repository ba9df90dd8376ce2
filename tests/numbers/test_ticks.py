from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coterie.numbers.ticks import later, since

MOMENTS = st.integers(1 - 2**63, 2**63 - 1)


@given(MOMENTS, st.lists(MOMENTS, min_size=1))
def test_differences_are_those_of_whole_numbers(start, units):
    found = since(start, np.array(units, dtype=np.int64))
    assert found.tolist() == [float(one - start) for one in units]


@given(MOMENTS, st.integers(-(2**53), 2**53))
def test_back_to_the_moment(start, apart):
    expected = min(max(start + apart, 1 - 2**63), 2**63 - 1)
    found = int(later(start, np.array([float(apart)]))[0])
    limit = 2**11  # float64 steps near 2**63, where the sum had to be cut
    assert found == expected or (abs(expected) == 2**63 - 1 and abs(found - expected) <= limit)


@given(MOMENTS, st.floats(-1e30, 1e30))
def test_nothing_wraps_round(start, apart):
    found = int(later(start, np.array([np.rint(apart)]))[0])
    assert -(2**63) < found < 2**63
    assert (found >= start) if apart > 0.5 else (found <= start) if apart < -0.5 else found == start
