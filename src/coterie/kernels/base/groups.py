"""The state of a search: a partition that moves, and the way back to the one that was kept.

Entry points: `groups` (Python, makes the state), `transfer`, `refresh`, `release`, `keep`,
`restore`, `total`.

The members of a group are a linked list in ascending order, and everything known of a group
(centroid, SSE, radius, each member's distance) is computed anew from its members when it changes:
O(size d), no drift, and the whole state is a function of the labels alone. Groups are numbered
0..count-1 without holes.

Lists, not the rows of `kernels.search.slots`: a group may grow to n records, and rows for that take
n^2 / k places (13 GB for 100,000 records, k = 3); the ascending order decides how sums are rounded.

Going back costs as much as was changed: `touched` logs every record whose label was written since
the last `keep`, `kept` holds its label then. Memory O(n d).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.figures import figures
from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.lists import enlist, link, unlink
from coterie.kernels.base.shadows import along, principal_axes

__all__ = ["Groups", "groups", "keep", "refresh", "release", "restore", "total", "transfer"]

Groups = namedtuple(
    "Groups",
    [
        "points",  # (n, d): never written to
        "k",
        "limit",  # most records in a group; n where there is no limit
        "labels",  # (n,)
        "after",  # (n,): next member of the same group, -1 for the last
        "own",  # (n,): squared distance of each record to its group's centroid
        "head",  # (slots,): first member
        "size",  # (slots,)
        "sse",  # (slots,)
        "radius",  # (slots,): distance of the farthest member from the centroid
        "span",  # (slots,): distance beyond which no other group gains by a member of this one
        "since",  # (slots,): the moment of the last change of a group, see CLOCK
        "centroids",  # (slots, d)
        "axes",  # (m, d): orthonormal directions in which the points vary most, m <= 4
        "shadows",  # (m, slots): the centroids' coordinates along them
        "margin",  # more than rounding can add to a distance of two shadows
        "sums",  # (4,): SSE of all groups as an unevaluated sum of two; the same when last kept
        "cursor",  # (4,): COUNT of groups, LOGGED records, KEPT count, CLOCK (changes so far)
        "kept",  # (n,): labels when last kept
        "touched",  # (n,): the log
        "logged",  # (n,): whether a record is in the log
        "dirty",  # (slots,): scratch of `restore`
        "is_dirty",  # (slots,)
        "row",  # (1, n): scratch of `refresh`
    ],
)

COUNT, LOGGED, KEPT, CLOCK = 0, 1, 2, 3


def groups(points, labels, k, limit):
    """State for the partition `labels`, numbered 0..g-1, of (n, d) `points`."""
    n, d = points.shape
    slots = max(n // k, 1)
    axes = principal_axes(points)
    state = Groups(
        points=points,
        k=k,
        limit=limit,
        labels=labels.astype(np.int64),
        after=np.full(n, -1),
        own=np.zeros(n),
        head=np.full(slots, -1),
        size=np.zeros(slots, dtype=np.int64),
        sse=np.zeros(slots),
        radius=np.zeros(slots),
        span=np.zeros(slots),
        since=np.zeros(slots, dtype=np.int64),
        centroids=np.zeros((slots, d)),
        axes=axes,
        shadows=np.zeros((len(axes), slots)),
        margin=1e-14 * d * np.sqrt(d),
        sums=np.zeros(4),
        cursor=np.zeros(4, dtype=np.int64),
        kept=np.empty(n, dtype=np.int64),
        touched=np.empty(n, dtype=np.int64),
        logged=np.zeros(n, dtype=np.bool_),
        dirty=np.empty(slots, dtype=np.int64),
        is_dirty=np.zeros(slots, dtype=np.bool_),
        row=np.empty((1, n), dtype=np.int64),
    )
    fill(state)
    return state


@kernel
def fill(state):
    """Build lists and figures from the labels."""
    count = 0
    for i in range(state.labels.shape[0] - 1, -1, -1):  # backwards: lists come out ascending
        g = state.labels[i]
        state.kept[i] = g
        state.after[i] = state.head[g]
        state.head[g] = i
        state.size[g] += 1
        count = max(count, g + 1)
    state.cursor[COUNT] = count
    for g in range(count):
        refresh(state, g)
    keep(state)


@kernel
def total(state):
    """SSE of the partition."""
    return state.sums[0] + state.sums[1]


@inner
def add_to_total(sums, value):
    """Add without losing what is small (TwoSum): the total does not drift."""
    old = sums[0]
    new = old + value
    part = new - old
    sums[1] += (old - (new - part)) + (value - part)
    sums[0] = new


@inner
def stamp(state, g):
    """Note that group `g` is another one from now on."""
    state.cursor[CLOCK] += 1
    state.since[g] = state.cursor[CLOCK]


@inner
def refresh(state, g):
    """Compute all figures of group `g` from its members."""
    stamp(state, g)
    after, row = state.after, state.row
    size = state.size[g]
    i = state.head[g]
    for m in range(size):
        row[0, m] = i
        i = after[i]
    sse, largest = figures(state.points, row, 0, size, state.own, state.centroids, g)
    for m in range(state.axes.shape[0]):
        state.shadows[m, g] = along(state.axes, m, state.centroids, g)
    add_to_total(state.sums, sse - state.sse[g])
    state.sse[g] = sse
    state.radius[g] = np.sqrt(largest)
    # With more than k members here and at least k there, `may_shift` is false beyond this.
    state.span[g] = (2.0 + 1.0 / state.k) * state.radius[g] if size > state.k else 0.0


@inner
def transfer(state, i, g):
    """Move record `i` to group `g`; the figures of both groups are the caller's to refresh."""
    head, after = state.head, state.after
    enlist(state.touched, state.logged, state.cursor, LOGGED, i)
    old = state.labels[i]
    unlink(head, after, old, i)
    link(head, after, g, i)
    state.size[old] -= 1
    state.size[g] += 1
    state.labels[i] = g


@inner
def clear(state, g):
    """Forget a group without members."""
    add_to_total(state.sums, -state.sse[g])
    state.head[g] = -1
    state.size[g] = 0
    state.sse[g] = 0.0
    state.radius[g] = 0.0
    state.span[g] = 0.0


@inner
def release(state, g):
    """Close the hole of the empty group `g`: the last group takes its number. Returns that group.

    O(size d); the number returned is the one that is now free.
    """
    clear(state, g)
    last = state.cursor[COUNT] - 1
    state.cursor[COUNT] = last
    if last != g:
        stamp(state, g)
        i = state.head[last]
        while i >= 0:
            enlist(state.touched, state.logged, state.cursor, LOGGED, i)
            state.labels[i] = g
            i = state.after[i]
        state.head[g] = state.head[last]
        state.size[g] = state.size[last]
        state.sse[g] = state.sse[last]
        state.radius[g] = state.radius[last]
        state.span[g] = state.span[last]
        for a in range(state.centroids.shape[1]):
            state.centroids[g, a] = state.centroids[last, a]
        for m in range(state.shadows.shape[0]):
            state.shadows[m, g] = state.shadows[m, last]
        state.head[last] = -1
        state.size[last] = 0
        state.sse[last] = 0.0  # it moved, the total is as before
        state.radius[last] = 0.0
        state.span[last] = 0.0
    return last


@kernel
def keep(state):
    """Make the present partition the one that `restore` goes back to."""
    for t in range(state.cursor[LOGGED]):
        i = state.touched[t]
        state.kept[i] = state.labels[i]
        state.logged[i] = False
    state.cursor[LOGGED] = 0
    state.cursor[KEPT] = state.cursor[COUNT]
    state.sums[2] = state.sums[0]
    state.sums[3] = state.sums[1]


@kernel
def restore(state):
    """Go back to the partition last kept, in time proportional to what was changed."""
    labels, kept, touched = state.labels, state.kept, state.touched
    head, after, size = state.head, state.after, state.size
    soiled = 0
    moved = 0
    for t in range(state.cursor[LOGGED]):
        i = touched[t]
        state.logged[i] = False
        if labels[i] != kept[i]:
            for g in (labels[i], kept[i]):
                if not state.is_dirty[g]:
                    state.is_dirty[g] = True
                    state.dirty[soiled] = g
                    soiled += 1
            unlink(head, after, labels[i], i)
            size[labels[i]] -= 1
            touched[moved] = i
            moved += 1
    for t in range(moved):
        i = touched[t]
        labels[i] = kept[i]
        link(head, after, kept[i], i)
        size[kept[i]] += 1
    state.cursor[LOGGED] = 0
    state.cursor[COUNT] = state.cursor[KEPT]
    for t in range(soiled):
        g = state.dirty[t]
        state.is_dirty[g] = False
        if size[g] > 0:
            refresh(state, g)
        else:
            clear(state, g)
    state.sums[0] = state.sums[2]
    state.sums[1] = state.sums[3]
