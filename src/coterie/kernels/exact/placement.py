"""Placement: cuts of given kinds that a fractional solution violates, by local search.

Entry points: `placement` (Python, makes the state), `step` (resumable).

A kind of cut is a divisor q and weights w; a cut places one record at each weight. With l(g) the
weights that group g of the solution holds, its left side is the sum of x(g) floor(l(g) / q). A
search begins with two records that share groups, adds at each weight the record that raises the
left side most, and then takes each place's record out and puts the best one in, until none of them
changes. A group that almost holds a divisor counts a little. Only records that share a group with
those placed are tried. Each trial is a sum over the few groups of a record: O(places * neighbors *
groups of a record) a round.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.exact.sharing import shared_out

__all__ = ["NEXT", "Placement", "placement", "step"]

Placement = namedtuple(
    "Placement",
    [
        "share",  # (g,): weight of each group in the solution
        "group_starts",  # (g + 1,)
        "records",  # records of the groups, one group after the other
        "record_starts",  # (n + 1,)
        "groups",  # groups of the records, one record after the other
        "weights",  # (s,): of the places, falling
        "worth",  # (sum of weights + 1,): of what a group holds: whole divisors, and a little more
        "divisor",
        "starts",  # (c, 2): records that searches begin with
        "found",  # (c, s): out
        "violation",  # (c,): out
        # scratch
        "load",  # (g,): weights that each group holds
        "inside",  # (n,): whether a record is placed
        "seen",  # (n,): the last trial in which a record was met
        "cursor",  # (2,): NEXT, TRIAL
    ],
)

NEXT, TRIAL = range(2)  # start; trials of all searches
ROUNDS = 8
SHARING = 0.02  # of a whole divisor: what an almost filled group is worth in comparisons
GAIN = 1e-9


def placement(members, share, n, weights, divisor, starts):
    """State for the groups `members` (-1 behind the last record) of weight `share`."""
    load = np.arange(sum(weights) + 1)
    return Placement(
        **shared_out(members, share, n),
        weights=np.array(weights, dtype=np.int64),
        worth=load // divisor + SHARING * (load % divisor / divisor) ** 2,
        divisor=divisor,
        starts=np.ascontiguousarray(starts, dtype=np.int64),
        found=np.full((len(starts), len(weights)), -1),
        violation=np.zeros(len(starts)),
        load=np.zeros(len(members), dtype=np.int64),
        inside=np.zeros(n, dtype=np.bool_),
        seen=np.full(n, -1),
        cursor=np.zeros(2, dtype=np.int64),
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
    """One search from two records; return the work done."""
    placed = state.found[start]
    size = placed.shape[0]
    work = 1
    for p in range(size):
        record = state.starts[start, p] if p < 2 else np.int64(-1)
        if record < 0:
            record = best(state, placed, p, p)
            work += 50
            if record < 0:
                break
        put_in(state, placed, p, record)
    if placed[size - 1] >= 0:
        idle, p = 0, size - 1
        for _ in range(ROUNDS * size):
            before = placed[p]
            take_out(state, placed, p)
            after = best(state, placed, size, p)
            if after < 0 or not gain(state, after, p) > gain(state, before, p) + GAIN:
                after = before
            put_in(state, placed, p, after)
            idle = idle + 1 if after == before else 0
            if idle == size:
                break
            p = (p + 1) % size
            work += 50
        limit = 0
        for p in range(size):
            limit += state.weights[p]
        state.violation[start] = left_side(state, placed) - limit // state.divisor
    for p in range(size):
        if placed[p] >= 0:
            state.inside[placed[p]] = False
            shift(state, placed[p], -state.weights[p])
    return work


@inner
def best(state, placed, filled, place):
    """The record to put in at `place`: shares a group with one of those placed; -1 if none does."""
    state.cursor[TRIAL] += 1
    trial = state.cursor[TRIAL]
    chosen, most = np.int64(-1), -1.0
    for p in range(filled):
        if p == place:
            continue
        one = placed[p]
        for e in range(state.record_starts[one], state.record_starts[one + 1]):
            g = state.groups[e]
            for f in range(state.group_starts[g], state.group_starts[g + 1]):
                other = state.records[f]
                if state.inside[other] or state.seen[other] == trial:
                    continue
                state.seen[other] = trial
                value = gain(state, other, place)
                if value > most + GAIN or (value > most - GAIN and other < chosen):
                    chosen, most = other, value
    return chosen


@inner
def gain(state, record, place):
    """What the groups of a record become worth more if it is placed."""
    weight = state.weights[place]
    value = 0.0
    for e in range(state.record_starts[record], state.record_starts[record + 1]):
        g = state.groups[e]
        load = state.load[g]
        value += state.share[g] * (state.worth[load + weight] - state.worth[load])
    return value


@inner
def shift(state, record, weight):
    """Add to what the groups of a record hold."""
    for e in range(state.record_starts[record], state.record_starts[record + 1]):
        state.load[state.groups[e]] += weight


@inner
def put_in(state, placed, place, record):
    """Place a record."""
    placed[place] = record
    state.inside[record] = True
    shift(state, record, state.weights[place])


@inner
def take_out(state, placed, place):
    """Free a place; `placed` keeps the record's name."""
    state.inside[placed[place]] = False
    shift(state, placed[place], -state.weights[place])


@inner
def left_side(state, placed):
    """The cut's left side: whole divisors that the groups hold, by their weight."""
    value = 0.0
    for p in range(placed.shape[0]):
        one = placed[p]
        for e in range(state.record_starts[one], state.record_starts[one + 1]):
            g = state.groups[e]
            first = True  # a group counts with the first of its records that is placed
            for q in range(p):
                for f in range(state.group_starts[g], state.group_starts[g + 1]):
                    if state.records[f] == placed[q]:
                        first = False
            if first:
                value += state.share[g] * (state.load[g] // state.divisor)
    return value
