"""Small integers: ties everywhere, and no rounding to hide behind."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from coterie.partitioning.problem import Problem

lattices = hnp.arrays(
    np.int64, st.tuples(st.integers(4, 36), st.integers(1, 4)), elements=st.integers(-4, 4)
)


def prepared(X):
    """The points as kernels see them: a centroid may round another way before they are moved."""
    return Problem.of(X, 2).points
