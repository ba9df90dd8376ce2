"""Groups that records join, and which of them is the cheapest to join.

Entry points: `joining` (Python, makes the state), `cheapest`, `from_centroid`, `add`, `drop_last`,
`close`, `reopen`.
A group is its sum S and its size m; the open groups are kept dense, attribute by attribute. The
cost of joining is |m x - S|^2 / (m (m + extra)): with extra = 0 the squared distance from the
centroid, with extra = 1 the increase of the sum of squares. The numerator of whole numbers is whole
and a division rounds equal ratios alike, so a tie on a lattice is a tie here and goes to the lowest
group.

A query costs open * d operations; opening and closing a group O(d).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inlined, inner

__all__ = ["Joining", "add", "cheapest", "close", "drop_last", "from_centroid", "joining", "reopen"]

BLOCK = 256  # costs computed at a time: they stay in the first-level cache

Joining = namedtuple(
    "Joining",
    [
        "extra",  # 0: nearest centroid; 1: least increase of the sum of squares
        "sums",  # (d, g): by position; the first `open` positions are the open groups
        "sizes",  # (g,): records in each group, as floating-point numbers
        "ids",  # (g,): the group at each position
        "where",  # (g,): the position of each group
        "open",  # (1,): how many groups are open
        "block",  # (BLOCK,): scratch, costs of one block
    ],
)


def joining(d, groups, extra):
    """State for `groups` empty groups of records with `d` attributes, all open."""
    return Joining(
        extra=extra,
        sums=np.zeros((d, groups)),
        sizes=np.zeros(groups),
        ids=np.arange(groups),
        where=np.arange(groups),
        open=np.array([groups]),
        block=np.empty(BLOCK),
    )


@inner
def cheapest(groups, point):
    """The open group that `point` joins at the least cost, -1 if none is open."""
    sums, sizes, block = groups.sums, groups.sizes, groups.block
    best = np.inf
    found = -1
    for start in range(0, groups.open[0], BLOCK):
        length = min(BLOCK, groups.open[0] - start)
        for i in range(length):
            block[i] = 0.0
        for a in range(sums.shape[0]):
            x = point[a]
            for i in range(length):
                t = sizes[start + i] * x - sums[a, start + i]
                block[i] += t * t
        for i in range(length):
            m = sizes[start + i]
            block[i] /= m * (m + groups.extra)
        for i in range(length):
            if block[i] <= best and (block[i] < best or found < 0 or groups.ids[start + i] < found):
                best = block[i]
                found = groups.ids[start + i]
    return found


@inlined
def from_centroid(groups, group, point):
    """|m x - S|^2: the squared distance of `point` from the centroid of `group`, times m^2."""
    at = groups.where[group]
    total = 0.0
    for a in range(groups.sums.shape[0]):
        t = groups.sizes[at] * point[a] - groups.sums[a, at]
        total += t * t
    return total


@inner
def add(groups, group, point):
    """Let `point` join `group`; return by how much the sum of squares grows."""
    at = groups.where[group]
    m = groups.sizes[at]
    total = from_centroid(groups, group, point)
    for a in range(groups.sums.shape[0]):
        groups.sums[a, at] += point[a]
    groups.sizes[at] = m + 1.0
    return total / (m * (m + 1.0)) if m > 0 else 0.0


@inner
def drop_last(groups, group, before):
    """Undo an `add`: `before` holds the sum that the group had."""
    at = groups.where[group]
    for a in range(groups.sums.shape[0]):
        groups.sums[a, at] = before[a]
    groups.sizes[at] -= 1.0


@inner
def close(groups, group):
    """No record joins `group` any more."""
    groups.open[0] -= 1
    swap(groups, groups.where[group], groups.open[0])


@inner
def reopen(groups, group):
    """Let records join `group` again."""
    swap(groups, groups.where[group], groups.open[0])
    groups.open[0] += 1


@inner
def swap(groups, p, q):
    """Exchange what stands at the positions p and q."""
    for a in range(groups.sums.shape[0]):
        groups.sums[a, p], groups.sums[a, q] = groups.sums[a, q], groups.sums[a, p]
    groups.sizes[p], groups.sizes[q] = groups.sizes[q], groups.sizes[p]
    groups.ids[p], groups.ids[q] = groups.ids[q], groups.ids[p]
    groups.where[groups.ids[p]] = p
    groups.where[groups.ids[q]] = q
