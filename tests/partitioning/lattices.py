"""Small integers: ties everywhere, and no rounding to hide behind."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from coterie.partitioning.problem import Problem


def lattices_up_to(largest):
    shape = st.tuples(st.integers(4, largest), st.integers(1, 4))
    return hnp.arrays(np.int64, shape, elements=st.integers(-4, 4))


lattices = lattices_up_to(36)


def prepared(X):
    """The points as kernels see them: a centroid may round another way before they are moved."""
    return Problem.of(X, 2).points
