"""Separation: cuts over a few records that a fractional solution violates, by tabu search.

Entry points: `separation` (Python, makes the state), `step` (resumable).

Give records whole weights u below a divisor q and let l(g) be the weights that group g of the
solution x holds. Each record is covered once, so the sum of x(g) l(g) is the sum of u, and the cut
that rounds down by q (`coterie.partitioning.exact.cuts`) is violated by

    (sum of u mod q  -  sum of x(g) (l(g) mod q)) / q.

A search begins with one record of weight q - 1, where this is zero, and goes from cut to cut by
pairs of records of which one's weight rises by a and the other's by q - a, mod q: the first term
stays as it is, and so do the groups that hold both. The pair that leaves the least loss, the second
term, is taken, whether that is a gain or not; records just changed rest for some moves. One of the
two is in the cut or shares a group with one that is, the other shares a group with the first.
O(records in reach * their neighbors * groups of a record) a move.

References
----------
Caprara, Fischetti (1996), Mathematical Programming 74:221-235 (q = 2); Glover (1989), ORSA Journal
on Computing 1(3):190-206.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.exact.sharing import shared_out

__all__ = ["NEXT", "Separation", "separation", "step"]

Separation = namedtuple(
    "Separation",
    [
        "share",  # (g,): weight of each group in the solution
        "group_starts",  # (g + 1,)
        "records",  # records of the groups, one group after the other
        "record_starts",  # (n + 1,)
        "groups",  # groups of the records, one record after the other, rising
        "divisor",
        "moves",  # of each search
        "starts",  # (c,): records that searches begin with
        "found",  # (c, width): records of the best cut of each search, -1 behind the last; out
        "weights",  # (c, width): theirs; out
        "violation",  # (c,): out
        # scratch
        "weight",  # (n,)
        "load",  # (g,): weights that each group holds, mod q
        "placed",  # (width,): records of the cut, in any order
        "rests",  # (n,): the first move in which a record may be changed again
        "seen",  # (n,): twice the last move in which a record was met, one more if it was in reach
        "reach",  # (n,): records in reach
        "change",  # (n, q): of the loss, if the record's weight rises by so much
        "pair",  # (4,): the best pair: record, rise, record, rise
        "cursor",  # (3,): NEXT, SIZE, MOVE
    ],
)

NEXT, SIZE, MOVE = range(3)  # start; records of the cut; moves of all searches
REST = 4  # moves
GAIN = 1e-9


def separation(members, share, n, divisor, starts, width, moves):
    """State for the groups `members` (-1 behind the last record) of weight `share`."""
    return Separation(
        **shared_out(members, share, n),
        divisor=divisor,
        moves=moves,
        starts=np.asarray(starts, dtype=np.int64),
        found=np.full((len(starts), width), -1),
        weights=np.zeros((len(starts), width), dtype=np.int64),
        violation=np.zeros(len(starts)),
        weight=np.zeros(n, dtype=np.int64),
        load=np.zeros(len(members), dtype=np.int64),
        placed=np.zeros(width, dtype=np.int64),
        rests=np.zeros(n, dtype=np.int64),
        seen=np.zeros(n, dtype=np.int64),
        reach=np.zeros(n, dtype=np.int64),
        change=np.zeros((n, divisor)),
        pair=np.zeros(4, dtype=np.int64),
        cursor=np.zeros(3, dtype=np.int64),
    )


@kernel
def step(state, budget):
    """Do at least `budget` units of work unless all searches are done; return how many."""
    cursor = state.cursor
    work = 0
    while work < budget and cursor[NEXT] < state.starts.shape[0]:
        work += search(state, cursor[NEXT])
        cursor[NEXT] += 1
    return work


@inner
def search(state, start):
    """One search from one record; return the work done."""
    cursor, q = state.cursor, state.divisor
    cursor[SIZE] = 0
    raise_by(state, state.starts[start], q - 1)
    loss = q - 1.0
    least = loss - GAIN
    work = 1
    cursor[MOVE] += REST  # nobody rests from the search before
    for _ in range(state.moves):
        cursor[MOVE] += 1
        count = gather(state)
        work += 4 * count * q
        change = best_pair(state, count)
        if change == np.inf:
            break
        loss += change
        raise_by(state, state.pair[0], state.pair[1])
        raise_by(state, state.pair[2], state.pair[3])
        state.rests[state.pair[0]] = cursor[MOVE] + REST
        state.rests[state.pair[2]] = cursor[MOVE] + REST
        if loss < least:
            least = loss - GAIN
            state.violation[start] = (q - 1.0 - loss) / q
            for p in range(state.placed.shape[0]):
                inside = p < cursor[SIZE]
                state.found[start, p] = state.placed[p] if inside else -1
                state.weights[start, p] = state.weight[state.placed[p]] if inside else 0
    while cursor[SIZE] > 0:
        record = state.placed[0]
        raise_by(state, record, q - state.weight[record])
    return work


@inner
def raise_by(state, record, rise):
    """Let a record's weight rise, mod q; keep the list of those placed and the groups' loads."""
    cursor, q, placed = state.cursor, state.divisor, state.placed
    before = state.weight[record]
    after = (before + rise) % q
    state.weight[record] = after
    for e in range(state.record_starts[record], state.record_starts[record + 1]):
        g = state.groups[e]
        state.load[g] = (state.load[g] + rise) % q
    if before == 0:
        placed[cursor[SIZE]] = record
        cursor[SIZE] += 1
    elif after == 0:
        cursor[SIZE] -= 1
        for p in range(cursor[SIZE]):
            if placed[p] == record:
                placed[p] = placed[cursor[SIZE]]
                break


@inner
def gather(state):
    """Records in reach that do not rest, and what their rises change; return how many."""
    cursor = state.cursor
    move = cursor[MOVE]
    count = 0
    for p in range(cursor[SIZE]):
        one = state.placed[p]
        for e in range(state.record_starts[one], state.record_starts[one + 1]):
            g = state.groups[e]
            for f in range(state.group_starts[g], state.group_starts[g + 1]):
                other = state.records[f]
                if state.seen[other] == 2 * move + 1 or state.rests[other] >= move:
                    continue
                state.seen[other] = 2 * move + 1
                state.reach[count] = other
                count += 1
                foresee(state, other)
    return count


@inner
def foresee(state, record):
    """Note what each rise of a record's weight would change the loss by."""
    q = state.divisor
    for rise in range(1, q):
        value = 0.0
        for e in range(state.record_starts[record], state.record_starts[record + 1]):
            g = state.groups[e]
            value += state.share[g] * ((state.load[g] + rise) % q - state.load[g])
        state.change[record, rise] = value


@inner
def best_pair(state, count):
    """The pair that leaves the least loss, in `pair`; its change, infinite if there is none."""
    cursor, q, pair = state.cursor, state.divisor, state.pair
    move, room = cursor[MOVE], state.placed.shape[0] - cursor[SIZE]
    least = np.inf
    for i in range(count):
        one = state.reach[i]
        for e in range(state.record_starts[one], state.record_starts[one + 1]):
            g = state.groups[e]
            for f in range(state.group_starts[g], state.group_starts[g + 1]):
                other = state.records[f]
                if state.seen[other] < 2 * move:
                    if state.rests[other] >= move:
                        continue
                    state.seen[other] = 2 * move
                    foresee(state, other)
                elif other == one or (other < one and state.seen[other] == 2 * move + 1):
                    continue  # met already, as one and other
                more = (state.weight[one] == 0) + (state.weight[other] == 0)
                if more > room:
                    continue
                for rise in range(1, q):
                    value = state.change[one, rise] + state.change[other, q - rise]
                    if value - 2 * q >= least:  # no more than that is shared
                        continue
                    value -= shared(state, one, other, rise)
                    if value < least - GAIN:
                        least = value
                        pair[0], pair[1], pair[2], pair[3] = one, rise, other, q - rise
    return least


@inner
def shared(state, one, other, rise):
    """What both changes count for groups that hold both records, and that stay as they are."""
    q = state.divisor
    value = 0.0
    e, f = state.record_starts[one], state.record_starts[other]
    while e < state.record_starts[one + 1] and f < state.record_starts[other + 1]:
        g, h = state.groups[e], state.groups[f]
        if g == h:
            load = state.load[g]
            value += state.share[g] * ((load + rise) % q + (load + q - rise) % q - 2 * load)
        if g <= h:
            e += 1
        if h <= g:
            f += 1
    return value
