"""Ways into functions that only kernels call, for tests that ask about them one by one."""

from __future__ import annotations

import numpy as np

from coterie.kernels.base import asking as _asking
from coterie.kernels.base import draws as _draws
from coterie.kernels.base import lists as _lists
from coterie.kernels.base.jit import kernel
from coterie.kernels.base.rows import squared as _squared
from coterie.kernels.centroids import p3m as _p3m
from coterie.kernels.centroids import quartics as _quartics
from coterie.kernels.constrained import admissible as _admissible
from coterie.kernels.constrained import dissolving as _dissolving
from coterie.kernels.constructive import joining as _joining
from coterie.kernels.search import accept as _accept
from coterie.kernels.search import moves as _moves
from coterie.kernels.search import perturb as _perturb
from coterie.kernels.search import visits as _visits

_accepted = _accept.accept
_cheapest = _joining.cheapest
_shortfall = _admissible.shortfall
_do_without, _next_widest = _dissolving.dissolve, _dissolving.next_widest
_bits, _below, _real, _shuffle = _draws.bits, _draws.below, _draws.real, _draws.shuffle
_farthest, _nearest, _take = _asking.farthest, _asking.nearest, _asking.take
_shift_change, _swap_change = _moves.shift_change, _moves.swap_change
_move, _gains, _ALONE, _visit = _moves.move, _moves.gains, _moves.ALONE, _visits.visit
_may_shift, _may_swap = _moves.may_shift, _moves.may_swap
_members, _next_shift, _next_swap = _lists.members, _visits.next_shift, _visits.next_swap
_choose, _excess = _perturb.choose, _perturb.excess
_dissolve, _distill = _perturb.dissolve, _perturb.distill
_minima, _piece_of = _quartics.minima, _quartics.piece_of
_value, _slope, _bend = _quartics.value, _quartics.slope, _quartics.bend
_moments, _rescale = _p3m.moments, _p3m.rescale


@kernel
def accepted(words, criterion, setting, loss, best, times):
    count = 0
    for _ in range(times):
        count += _accepted(words, criterion, setting, loss, best)
    return count


@kernel
def shortfall(rules, atoms, count):
    return _shortfall(rules, atoms, count)


@kernel
def do_without(plan, state, rules, work, g):
    return _do_without(plan, state, rules, work.atoms, work.cost, work.members, g)


@kernel
def next_widest(state, level, cursor, last):
    return _next_widest(state, level, cursor, last)


@kernel
def bits(words):
    return _bits(words)


@kernel
def below(words, bound):
    return _below(words, bound)


@kernel
def real(words):
    return _real(words)


@kernel
def shuffle(words, items, count):
    _shuffle(words, items, count)


@kernel
def farthest(rest, query):
    return _farthest(rest, query)


@kernel
def nearest(rest, seed, query, most):
    _nearest(rest, seed, query, most)


@kernel
def take(rest, count, label, labels):
    _take(rest, count, label, labels)


@kernel
def shift_change(state, x, to):
    return _shift_change(state, x, to)


@kernel
def swap_change(state, x, y):
    return _swap_change(state, x, y)


@kernel
def shift(state, x, to):
    _move(state, x, _ALONE, to)


@kernel
def swap(state, x, y):
    _move(state, x, y, state.labels[y])


@kernel
def gains_by_shift(state, x, to):
    return _gains(state, x, _ALONE, to)


@kernel
def gains_by_swap(state, x, y):
    return _gains(state, x, y, state.labels[y])


@kernel
def may_shift(radius, size, i, j, apart):
    return _may_shift(radius, size, i, j, apart)


@kernel
def may_swap(radius, i, j, apart):
    return _may_swap(radius, i, j, apart)


@kernel
def next_swap(state, pair, i, j, start):
    p = _members(state.head, state.after, i, pair.a)
    q = _members(state.head, state.after, j, pair.b)
    apart = np.sqrt(_squared(state.centroids, i, state.centroids, j))
    return _next_swap(state, pair, p, q, i, j, apart, start)


@kernel
def next_shift(state, pair, giver, taker, start):
    p = _members(state.head, state.after, giver, pair.a)
    apart = np.sqrt(_squared(state.centroids, giver, state.centroids, taker))
    return _next_shift(state, pair, p, giver, taker, apart, start)


@kernel
def visit(state, pair, i, partners, count):
    return _visit(state, pair, None, i, partners, count)


@kernel
def choose(sse, count, words, samples):
    return _choose(sse, count, words, samples)


@kernel
def excess(state, scratch, records):
    return _excess(
        state.own, state.head, state.after, state.size, state.cursor[0], state.k, scratch, records
    )


@kernel
def dissolve(state, plan, words, samples):
    _dissolve(state, plan, words, samples)


@kernel
def distill(state, plan, pair, words):
    _distill(state, plan, pair, words)


@kernel
def minima(a1, a2, a3, a4, roots):
    return _minima(a1, a2, a3, a4, roots)


@kernel
def piece_of(groups, j, u):
    return _piece_of(groups, j, u)


@kernel
def cost_at(coef, p, u, out):
    """Cost of a released value with its first and second derivative."""
    out[0] = _value(coef, p, u)
    out[1] = _slope(coef, p, u)
    out[2] = _bend(coef, p, u)


@kernel
def moments(groups, u, out):
    out[0], out[1] = _moments(groups, u)


@kernel
def rescale(groups, records, u):
    return _rescale(groups, records, u)


@kernel
def cheapest(groups, point):
    return _cheapest(groups, point)
