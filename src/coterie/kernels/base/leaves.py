"""The records that no group holds yet, arranged so that few are looked at for a question.

Entry points: `leaves` (Python, makes the state), `renewing` (Python, maintains it). The questions
stand in `coterie.kernels.base.asking`.

The nearest are sought in the leaves of a kd-tree: 32 records to a leaf, 32 leaves to a branch, a
box round each. The farthest are sought on the rim: the same records ordered by their distance from
an anchor, the centroid when the order was made. A record is at most that far from any point, plus
the way from the anchor to it, so a walk inwards soon ends: after some dozens of records for the
centroid of today, at the records about as far out as the query for a query at the rim.

Leaves and rim are kept attribute by attribute in single precision, 32 records at a time. Limits are
widened by all that rounding can do, and what is within them is confirmed in double precision,
attribute after attribute as a plain loop would: the answer is that of a pass over all. Every tie
goes to the record with the lowest index in the caller's table; by that index a record is known.

Both orders are made anew when two fifths of the records have left: O(n log n). Memory: the table
once more for the two copies of it in half the precision, and some words for each record.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import kernel
from coterie.kernels.base.kd_order import kd_order
from coterie.kernels.base.lanes import LANES
from coterie.kernels.base.rows import squared_to

__all__ = ["Leaves", "leaves", "renewing"]

LEAF = LANES  # records in a leaf
BRANCH = LANES * LEAF  # records in a branch
KEPT = 0.6  # share of the records at which the orders are made anew,
FEW = 2048  # unless so few remain,
SETTLED = 0.95  # and the share from which on they are if the centroid went astray

UNIT = 1e-7  # more than the rounding of a number to single precision, 2^-24
TINY = 1e-18  # below it squares are lost in single precision
SLACK = 1e-9  # far more than double precision loses in a distance

Leaves = namedtuple(
    "Leaves",
    [
        "points",  # (n, d): the caller's
        "slot",  # (n,): where each record stands, leaf by leaf; -1 once it left
        "ids",  # (slots,): the record in each slot
        "cube",  # (leaves, d, LEAF) float32
        "filled",  # (leaves,): records in each leaf, in the first of its slots
        "norm",  # (leaves,): greatest norm of its records, for what rounding can do
        "low",  # (branches + blocks, d, LANES) float32: boxes of a branch's leaves, of branches
        "high",
        "rim_ids",  # (slots,): the records from the outermost inwards
        "rim_cube",  # (leaves, d, LEAF) float32
        "rim_radius",  # (leaves,): upper bound of their distance from the anchor
        "anchor",  # (d,)
        "total",  # (d,): sum of the remaining records, kept up to date as they leave
        "near_d2",  # (most,): squared distances of what `nearest` selected
        "near",  # (most,): the records, nearest first
        "query",  # (d,) float32: scratch, the point asked about
        "block",  # (LANES,) float32: scratch, squared distances of one leaf
        "bound",  # (1 + blocks, LANES) float32: scratch, of one branch's boxes, then of branches
        "count",  # (7,): see below
    ],
)

# How many remain, how many of them ask for new orders; leaves and branches in use; where the rim
# begins; distances computed and boxes looked at so far.
SIZE, STALE, IN_USE, BRANCHES, OUTER, DISTANCES, BOXES = range(7)


def leaves(points, most, rim=False):
    """State for (n, d) `points`, able to select up to `most` nearest at a time.

    The points are as `Problem` prepares them: their squares fit single precision. Without a `rim`,
    `farthest` must not be asked. The orders are made by the first step.
    """
    n, d = points.shape
    branches = -(-n // BRANCH)
    blocks = -(-branches // LANES)
    size = branches * LANES
    outer = size if rim else 0
    return Leaves(
        points=points,
        slot=np.zeros(n, dtype=np.int64),
        ids=np.zeros(size * LEAF, dtype=np.int64),
        cube=np.zeros((size, d, LEAF), dtype=np.float32),
        filled=np.zeros(size, dtype=np.int64),
        norm=np.zeros(size),
        low=np.zeros((branches + blocks, d, LANES), dtype=np.float32),
        high=np.zeros((branches + blocks, d, LANES), dtype=np.float32),
        rim_ids=np.zeros(outer * LEAF, dtype=np.int64),
        rim_cube=np.zeros((outer, d, LEAF), dtype=np.float32),
        rim_radius=np.zeros(outer),
        anchor=np.zeros(d),
        total=points.sum(axis=0),
        near_d2=np.empty(most),
        near=np.empty(most, dtype=np.int64),
        query=np.empty(d, dtype=np.float32),
        block=np.empty(LANES, dtype=np.float32),
        bound=np.empty((1 + blocks, LANES), dtype=np.float32),
        count=np.array([n, n, 0, 0, 0, 0, 0]),
    )


def renewing(rounds):
    """The `step(state, budget)` of a kernel `rounds` that returns when its leaves are stale."""

    def step(state, budget):
        rest = state.rest
        if budget == 0:  # compile everything, do nothing
            nobody, nothing = rest.ids[:0], rest.norm[:0]
            kd_order(rest.points, nobody, rest.block[:0], LEAF, BRANCH)
            pack(rest.points, nobody, rest.anchor, nobody, rest.cube, nothing, nothing)
        elif rest.count[SIZE] <= rest.count[STALE] or _astray(rest):
            _renew(rest)
        return rounds(state, budget)

    return step


def _astray(rest):
    """Whether the centroid has left the anchor far behind, as it does when an outlier leaves."""
    size = rest.count[SIZE]
    if len(rest.rim_radius) == 0 or size > SETTLED * rest.count[STALE] / KEPT:
        return False
    moved = np.linalg.norm(rest.total / size - rest.anchor)
    return 5.0 * moved > rest.rim_radius[rest.count[OUTER]]


def _renew(rest):
    """Make the orders anew."""
    size = int(rest.count[SIZE])
    records = np.arange(size)
    if rest.count[IN_USE] > 0:  # from leaf to leaf: nearly in order already
        standing = np.arange(LEAF) < rest.filled[: rest.count[IN_USE], None]
        records = rest.ids[: standing.size][standing.ravel()]
    used = -(-size // LEAF)
    branches = -(-size // BRANCH)
    rest.count[STALE] = int(size * KEPT) if size > FEW else -1
    rest.count[IN_USE], rest.count[BRANCHES], rest.count[OUTER] = used, branches, 0
    # 1. The tree.
    kd_order(rest.points, records, np.empty(size, dtype=np.float32), LEAF, BRANCH)
    rest.slot[records] = np.arange(size)
    np.divide(rest.total, size, out=rest.anchor)
    radius = np.empty(used * LEAF)
    pack(rest.points, records, rest.anchor, rest.ids, rest.cube, rest.norm, radius)
    rest.filled[:used] = LEAF
    rest.filled[used - 1] = size - (used - 1) * LEAF
    rest.filled[used:] = 0
    for bound, edge, empty in ((rest.low, np.min, np.inf), (rest.high, np.max, -np.inf)):
        side = np.full((branches * LANES, rest.points.shape[1]), empty, dtype=np.float32)
        side[:used] = np.nextafter(edge(rest.cube[:used], axis=2), np.float32(-empty))
        bound[:branches] = side.reshape(branches, LANES, -1).swapaxes(1, 2)
        blocks = -(-branches // LANES)
        whole = np.full((blocks * LANES, rest.points.shape[1]), empty, dtype=np.float32)
        whole[:branches] = edge(bound[:branches], axis=2)
        bound[-blocks:] = whole.reshape(blocks, LANES, -1).swapaxes(1, 2)
    # 2. The rim.
    if len(rest.rim_radius) > 0:
        order = np.argsort(-radius[:size])
        rim = rest.rim_ids, rest.rim_cube, rest.rim_radius
        pack(rest.points, records[order], rest.anchor, *rim, radius)
        rest.rim_radius[:used] = radius[::LEAF] * (1.0 + SLACK)


@kernel
def pack(
    points,
    records,
    anchor,
    ids,  # out
    cube,  # out
    norm,  # out: greatest norm of each block
    radius,  # out: distance of each record from the anchor
):
    """Put records into blocks of LANES; the last block is filled up with the last record."""
    blocks = (records.shape[0] + LANES - 1) // LANES
    for block in range(blocks):
        greatest = 0.0
        for lane in range(LANES):
            at = block * LANES + lane
            record = records[min(at, records.shape[0] - 1)]
            ids[at] = record
            squares = 0.0
            for a in range(points.shape[1]):
                x = points[record, a]
                cube[block, a, lane] = x
                squares += x * x
            greatest = max(greatest, squares)
            radius[at] = np.sqrt(squared_to(points, record, anchor))
        norm[block] = np.sqrt(greatest)
