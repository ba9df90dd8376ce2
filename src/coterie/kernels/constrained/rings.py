"""Annealing of single atoms between admissible groups: shifts, swaps, and rings of three.

Entry points: `rings` (Python, makes the state), `step` (resumable).

An atom x goes to the group of a near one: alone (*shift*), against the member whose return costs
least (*swap*), or in a *ring*, where a member y of that group goes on to a third, whose cheapest
member, or none if x can be spared, goes to the first. A ring is what neither swaps, shifts nor
pools grown anew (`regrouping`) can do: where each of its steps alone costs, or breaks a rule. With
p members and the centroid c, a group that gives x for y changes its SSE by

    Delta(y, c) - Delta(x, c) - Delta(x, y) / p

A move is made if all its groups stay admissible and it raises the SSE by no more than -t log u, t
falling geometrically with the work done (Kirkpatrick, Gelatt, Vecchi (1983), Science 220:671-680)
and 0 in the end. The best partition is put aside. The number of groups stays as it is: `resizing`
changes it before a walk.

Why it ends: work is counted, and each proposal is some. A proposal costs O(s d) for groups of s
members, and the questions whether they may be so. Memory O(n m) for m near ones of each atom.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.draws import below, real
from coterie.kernels.base.groups import refresh, total, transfer
from coterie.kernels.base.jit import inlined, inner, kernel
from coterie.kernels.base.rows import squared
from coterie.kernels.constrained.admissible import admits
from coterie.kernels.search.moves import ALONE, SLACK, replaced

__all__ = ["Rings", "rings", "step"]

Rings = namedtuple(
    "Rings",
    [
        "pool",  # the atoms that are proposed to move: all, or those of a region
        "near",  # (n, m): the nearest of each atom
        "listed",  # (n + 1,): scratch, the members of a group
        "best",  # (n,): the labels that were put aside
        "heat",  # (3,): HOT and COLD, the first and the last temperature, LEAST SSE put aside
        "cursor",  # (4,): WORK done, work ALLOWED, PROPOSALS and MOVES made
    ],
)

HOT, COLD, LEAST = 0, 1, 2
WORK, ALLOWED, PROPOSALS, MOVES = 0, 1, 2, 3
NONE = np.int64(-2)  # in place of an atom: no way
SLICE = 64  # proposals at one temperature
RARE = 3  # one proposal of so many is a ring
QUENCH = 0.9  # of the work: what follows is at temperature 0
PROPOSED, LOOKED, JUDGED, MOVED = (
    60,
    4,
    25,
    300,
)  # work: each, coordinate, record, move


def rings(state, near, hot, cold, allowed, pool=None):
    """A walk from where `state` is, from temperature `hot` to `cold`, for work `allowed`.

    It proposes moves of the atoms of `pool`, of all by default.
    """
    n = len(state.labels)
    return Rings(
        pool=np.arange(n) if pool is None else pool,
        near=near,
        listed=np.empty(n + 1, dtype=np.int64),
        best=state.labels.copy(),
        heat=np.array([hot, cold, total(state)]),
        cursor=np.array([0, int(allowed), 0, 0]),
    )


@inlined
def exchanged(state, g, leaves, joins):
    """Change of the SSE of group `g` with `joins` in place of `leaves`; either may be ALONE."""
    p = state.size[g]
    if leaves < 0:
        return p / (p + 1.0) * squared(state.points, joins, state.centroids, g)
    if joins < 0:
        return -p / (p - 1.0) * state.own[leaves]
    there = squared(state.points, joins, state.centroids, g)
    apart = squared(state.points, leaves, state.points, joins)
    return replaced(there, state.own[leaves], apart, p)


@inlined
def closing(state, rules, listed, x, last, to, most):
    """The member of group `to` that goes where `x` was when `last` comes in; ALONE, or NONE.

    The cheapest of those that leave both groups admissible and change their SSE by less than
    `most`. ALONE, nobody goes back, comes first among equals, then the lowest index.
    """
    a = state.labels[x]
    found = NONE
    z = ALONE if state.size[a] > state.k else state.head[to]
    while True:
        change = exchanged(state, to, z, last) + exchanged(state, a, x, z)
        if change < most and admits(state.head, state.after, rules, listed, to, z, last):
            if admits(state.head, state.after, rules, listed, a, x, z):
                most = change
                found = z
        z = state.head[to] if z == ALONE else state.after[z]
        if z < 0:
            return found


@inlined
def member(state, g, place):
    """The atom at a `place` of group `g`, counted from 0."""
    i = state.head[g]
    for _ in range(place):
        i = state.after[i]
    return i


@inlined
def propose(walk, state, rules, words, temperature):
    """One proposal; returns the members looked at, or 0 if there was nothing to propose."""
    x = walk.pool[below(words, np.int64(walk.pool.shape[0]))]
    a = state.labels[x]
    b = state.labels[walk.near[x, below(words, np.int64(walk.near.shape[1]))]]
    if a == b:
        return np.int64(0)
    most = -temperature * np.log(1.0 - real(words)) if temperature > 0.0 else 0.0
    last = x
    to = b
    through = below(words, np.int64(RARE)) == 0
    if through:
        last = member(state, b, below(words, state.size[b]))
        to = state.labels[walk.near[last, below(words, np.int64(walk.near.shape[1]))]]
        if to == a or to == b:
            return np.int64(1)
        most -= exchanged(state, b, last, x)
    z = closing(state, rules, walk.listed, x, last, to, most)
    looked = state.size[to]
    if z == NONE or (
        through and not admits(state.head, state.after, rules, walk.listed, b, last, x)
    ):
        return looked
    transfer(state, x, b)
    if through:
        transfer(state, last, to)
        refresh(state, b)
    if z >= 0:
        transfer(state, z, a)
    refresh(state, a)
    refresh(state, to)
    walk.cursor[MOVES] += 1
    return looked


@inner
def put_aside(state, walk):
    """Note the partition if it is the best so far."""
    if total(state) * SLACK < walk.heat[LEAST]:
        walk.heat[LEAST] = total(state)
        for i in range(state.labels.shape[0]):
            walk.best[i] = state.labels[i]


@kernel
def step(walk, state, rules, words, budget):
    """Make up to `budget` times SLICE proposals; return how many times."""
    cursor, heat = walk.cursor, walk.heat
    d = state.points.shape[1]
    done = np.int64(0)
    while done < budget and cursor[WORK] < cursor[ALLOWED]:
        done += 1
        share = cursor[WORK] / (QUENCH * cursor[ALLOWED])
        temperature = heat[HOT] * (heat[COLD] / heat[HOT]) ** share if share < 1.0 else 0.0
        for _ in range(SLICE):
            judged, moves = rules.judged[0], cursor[MOVES]
            looked = propose(walk, state, rules, words, temperature)
            cursor[WORK] += PROPOSED + LOOKED * d * looked + JUDGED * (rules.judged[0] - judged)
            if cursor[MOVES] > moves:
                cursor[WORK] += MOVED
                put_aside(state, walk)
        cursor[PROPOSALS] += SLICE
    return done
