"""Distances among the candidates of a seed; `pricing`, beside it, has the state they read.

Entry points: `distances_between` (O(count^2 d)), `neighbors_between` (O(count^2) and little more),
and `put`, a selection of the least values by insertion.
"""

import numpy as np

from coterie.kernels.base.jit import inner
from coterie.kernels.base.remaining import squared_distances

__all__ = ["distances_between", "neighbors_between", "put"]


@inner
def put(smallest, wanted, filled, value):
    """Insert `value` into the rising ``smallest[:wanted]`` if it belongs there."""
    if filled == wanted:
        if wanted == 0 or value >= smallest[wanted - 1]:
            return filled
        filled -= 1
    i = filled
    while i > 0 and smallest[i - 1] > value:
        smallest[i] = smallest[i - 1]
        i -= 1
    smallest[i] = value
    return filled + 1


@inner
def distances_between(state, count):
    """Squared distances of all pairs of candidates."""
    gathered, query = state.gathered, state.query
    d = query.shape[0]
    for a in range(d):
        for i in range(count):
            gathered[a, i] = state.columns[a, state.candidate[i]]
    for i in range(count):
        for a in range(d):
            query[a] = gathered[a, i]
        squared_distances(gathered, 0, count, query, state.pair[i])


@inner
def neighbors_between(state, count, most):
    """Sums of each candidate's least squared distances to other candidates, up to `most`."""
    smallest = state.smallest
    for i in range(count):
        filled = 0
        for j in range(count):
            if j != i:
                filled = put(smallest, most, filled, state.pair[i, j])
        total = 0.0
        state.local[i, 0] = 0.0
        for j in range(most):
            total += smallest[j] if j < filled else np.inf
            state.local[i, j + 1] = total
