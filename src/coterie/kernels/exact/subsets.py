"""The optimum over all partitions of a few records, by dynamic programming over their subsets.

Entry points: `subsets` (Python, makes the state), `step` (resumable), `groups` (Python, reads the
answer).

A subset is an integer, bit i for record i. The cost of a group is the sum of its squared pairwise
distances over its size: a sum of what is not negative, with nothing to cancel. The best partition
of a subset takes the group of its highest record, in every possible way, and the best partition of
what is left, which is a smaller integer. Subsets with the last record are never left over, but for
the whole: n - 1 bits are enough. At most 3^(n-1) / 2 groups are tried (6e8 for 20 records, one to
two seconds), each by one addition. Memory: 14 bytes for each of 2^n subsets, 15 MB for 20 records.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner, kernel

__all__ = ["Subsets", "groups", "step", "subsets"]

Subsets = namedtuple(
    "Subsets",
    [
        "k",
        "squared",  # (n, n): squared distances
        "spread",  # (2^n,): sum of squared pairwise distances; then the cost as a group
        "best",  # (2^(n-1) + 1,): least cost of a partition; the whole comes last
        "group",  # (2^(n-1) + 1,): one group of that partition
        "cursor",  # (2,): PHASE, NEXT subset
    ],
)

PHASE, NEXT = 0, 1
SPREAD, COST, BEST, DONE = 0, 1, 2, 3


def subsets(points, k):
    """State for (n, d) `points`, n of at least 2k."""
    n = len(points)
    squared = np.zeros((n, n))
    for a in range(points.shape[1]):
        squared += np.square(points[:, a, None] - points[None, :, a])
    half = 1 << (n - 1)
    return Subsets(
        k=k,
        squared=squared,
        spread=np.zeros(1 << n),
        best=np.full(half + 1, np.inf),
        group=np.zeros(half + 1, dtype=np.int32),
        cursor=np.array([SPREAD, 0]),
    )


def groups(state):
    """The groups of the best partition as subsets, once the phase is DONE."""
    left = len(state.spread) - 1
    chosen = int(state.group[-1])
    found = [chosen]
    left ^= chosen
    while left:
        found.append(int(state.group[left]))
        left ^= found[-1]
    return found


@inner
def count(subset):
    """Number of records in a subset."""
    size = 0
    while subset:
        subset &= subset - 1
        size += 1
    return size


@inner
def highest(subset):
    """Index of the highest record of a subset that is not empty."""
    record = -1
    while subset:
        subset >>= 1
        record += 1
    return record


@inner
def spread(state, subset):
    """Sum of squared pairwise distances, from that without the highest record."""
    top = highest(subset)
    rest = subset ^ (1 << top)
    total = state.spread[rest]
    for i in range(top):
        if rest >> i & 1:
            total += state.squared[top, i]
    return total


@inner
def solve(state, subset, slot):
    """Find the best partition of a subset; return the number of groups tried."""
    k = state.k
    size = count(subset)
    if size < k:
        return 1
    if size < 2 * k:  # cannot be split
        state.best[slot] = state.spread[subset]
        state.group[slot] = subset
        return 1
    head = 1 << highest(subset)
    rest = subset ^ head
    least = np.inf
    chosen = 0
    others = rest
    while others > 0:
        others = (others - 1) & rest
        cost = state.spread[others | head]
        if cost < least:
            cost += state.best[rest ^ others]
            if cost < least:
                least = cost
                chosen = others | head
    state.best[slot] = least
    state.group[slot] = chosen
    return 1 << (size - 1)


@kernel
def step(state, budget):
    """Try at least `budget` groups unless all have been; return how many."""
    cursor = state.cursor
    whole = state.spread.shape[0] - 1
    last = state.best.shape[0] - 1
    work = 0
    while work < budget and cursor[PHASE] != DONE:
        subset = cursor[NEXT]
        end = last if cursor[PHASE] == BEST else whole
        if cursor[PHASE] == SPREAD:
            if subset > 0:
                state.spread[subset] = spread(state, subset)
            work += 4
        elif cursor[PHASE] == COST:
            size = count(subset)
            if state.k <= size < 2 * state.k:
                state.spread[subset] /= size
            else:
                state.spread[subset] = np.inf
            work += 2
        elif subset < last:
            work += solve(state, subset, subset)
        else:
            work += solve(state, whole, last)
        cursor[NEXT] += 1
        if subset == end:
            cursor[NEXT] = 0
            cursor[PHASE] += 1
    return work
