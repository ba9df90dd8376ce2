"""The state of a walk that sweeps over the slots of a territory (`sweeps`).

Entry point: `sweeper`.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.strips import padded

__all__ = [
    "BITS",
    "DONE",
    "EMPTY",
    "FIRST",
    "MOVES",
    "PROPOSALS",
    "SLOTS",
    "SWEEP",
    "WAIT",
    "Level",
    "Sweeper",
    "sweeper",
]

Level = namedtuple(
    "Level",
    [
        "temperature",
        "sweeps",  # turns of every record
        "rare",  # proposals for one that dissolves or distills, about
        "window",  # slots that are swept together
        "bold",  # costs up to so many temperatures
        "fading",  # of a cost that is remembered, in steps of `coarse`
    ],
)

Sweeper = namedtuple(
    "Sweeper",
    [
        "number",
        "words",  # random state
        "slots",  # (slots,): those of its territory that are no empty ones
        "empty",  # (slots,): empty ones
        "waits",  # (2^BITS,): how far up a move may go at temperature 1, by chance
        "limits",  # (2^BITS,): the same at the temperature of now, in a byte (`coarse`)
        "drawn",  # (4, limit + 1): near record and chance of each member, of this slot and the next
        "looks",  # (4, limit + 2): members that will look at another group
        "count",  # (4,): for how many it was drawn
        "direction",  # (d,): twice the way between two centroids
        "moved",  # (2 limit + 2, 2): record and slot, to take a dissolved or distilled group back
        "cursor",  # integers, see below
    ],
)

SLOTS, EMPTY, FIRST, SWEEP, WAIT, PROPOSALS, MOVES, DONE = range(8)
# slots in the territory; empty ones; where the window begins; sweeps of it so far; proposals until
# the next that dissolves or distills; proposals and moves in all; whether the territory is done
BITS = 12


def sweeper(state, number, words):
    """State of walk `number`, which owns nothing yet."""
    slots = state.size.shape[0]
    chances = (np.arange(2**BITS) + 0.5) / 2**BITS
    dtype = state.rows.dtype
    return Sweeper(
        number=number,
        words=words,
        slots=np.zeros(slots, dtype=np.uint32),
        empty=np.zeros(slots, dtype=np.uint32),
        waits=(-np.log(chances)).astype(dtype),
        limits=np.zeros(2**BITS, dtype=np.uint8),
        drawn=np.zeros((4, state.limit + 1), dtype=np.int64),
        looks=np.zeros((4, state.limit + 2), dtype=np.int64),
        count=np.zeros(4, dtype=np.int64),
        direction=padded((state.rows.shape[1],), dtype),
        moved=np.zeros((2 * state.limit + 2, 2), dtype=np.uint32),
        cursor=np.zeros(8, dtype=np.int64),
    )
