"""Fines of cuts while groups are formed; `pricing`, beside it, has the state they read.

Entry points: `choose` and `unchoose` (a record joins or leaves the records chosen, S), `forget`,
`due_for_one` and `due_for_two` (what the last records bring), `tables` (Python). O(cuts of the
record) each.

A group pays a cut's fine as often as the weights of its records hold the divisor. What S has met of
a cut says what it has paid, by `paid`, and what each of the cut's other records is expected to
bring: `hope` of the fine if its weight is at least `need`, the least that brings another payment.
Hopes are such that no choice of the others brings less than theirs together; what it brings beyond
them falls due when it is chosen.
"""

import numpy as np

from coterie.kernels.base.jit import inner

__all__ = ["choose", "due_for_one", "due_for_two", "forget", "tables", "unchoose"]


HOPES = {}  # found before, by divisor, weights and what is met


def tables(kinds):
    """(paid, hope, need) by kind of cut, a divisor and its weights, and by what S has met of it."""
    most = max([sum(weights) for _, weights in kinds], default=0)
    shape = len(kinds), most + 1
    paid, hope, need = np.zeros(shape), np.zeros(shape), np.full(shape, most + 1)
    for kind, (divisor, weights) in enumerate(kinds):
        for met in range(sum(weights) + 1):
            paid[kind, met] = met // divisor
            need[kind, met] = divisor - met % divisor
            key = divisor, weights, met
            if key not in HOPES:
                HOPES[key] = _hope(*key)
            hope[kind, met] = HOPES[key]
    return paid, hope, need


def _hope(divisor, weights, met):
    """The greatest share that no choice of records of the needed weight falls short of."""
    if met == 0:
        return 0.0
    need = divisor - met % divisor
    # By sum: the fewest records of the needed weight among those chosen.
    fewest = [0] + [np.inf] * met
    for weight in weights:
        for total in range(met, weight - 1, -1):
            fewest[total] = min(fewest[total], fewest[total - weight] + (weight >= need))
    if fewest[met] == np.inf:
        return 0.0
    left = sum(weight >= need for weight in weights) - fewest[met]
    brought = [(met % divisor + j * need) // divisor / j for j in range(1, left + 1)]
    return min(brought, default=0.0)


@inner
def choose(state, rank, size):
    """Take a record into S: fines that fall due now, and `extra` for the candidates left.

    Returns what is due beyond the hope that the record's own key holds.
    """
    due = 0.0
    for e in range(state.starts[rank], state.starts[rank + 1]):
        c, weight = state.cut_of[e], state.weight_of[e]
        kind, met, fine = state.kind[c], state.met[c], size * state.fines[c]
        now = met + weight
        state.met[c] = now
        need, hope = state.need[kind, met], state.hope[kind, met]
        need_now, hope_now = state.need[kind, now], state.hope[kind, now]
        share = state.paid[kind, now] - state.paid[kind, met]
        due += fine * (share - hope if weight >= need else share)
        if hope > 0.0 or hope_now > 0.0:
            for j in range(state.rows.shape[1]):
                r = state.rows[c, j]
                if r < 0:
                    break
                other = state.slot[r]
                if other >= 0 and r != rank:
                    change = 0.0
                    if state.weights[c, j] >= need_now:
                        change += hope_now
                    if state.weights[c, j] >= need:
                        change -= hope
                    state.extra[other] += fine * change
    return due


@inner
def unchoose(state, rank):
    """Take a record out of S again."""
    for e in range(state.starts[rank], state.starts[rank + 1]):
        state.met[state.cut_of[e]] -= state.weight_of[e]


@inner
def forget(state, rank):
    """Clear what `choose` left in `extra`."""
    for e in range(state.starts[rank], state.starts[rank + 1]):
        for j in range(state.rows.shape[1]):
            r = state.rows[state.cut_of[e], j]
            if r < 0:
                break
            if state.slot[r] >= 0:
                state.extra[state.slot[r]] = 0.0


@inner
def brought(state, c, weight):
    """What a candidate of this weight brings of a cut's fine when it joins S, beyond the hope."""
    kind, met = state.kind[c], state.met[c]
    share = state.paid[kind, met + weight] - state.paid[kind, met]
    return share - state.hope[kind, met] if weight >= state.need[kind, met] else share


@inner
def due_for_one(state, rank, size):
    """Fines that fall due when a candidate joins S, beyond the hopes its key holds."""
    due = 0.0
    for e in range(state.starts[rank], state.starts[rank + 1]):
        c = state.cut_of[e]
        due += size * state.fines[c] * brought(state, c, state.weight_of[e])
    return due


@inner
def due_for_two(state, p, q, size):
    """Fines that fall due when two candidates join S, beyond the hopes their keys hold."""
    due = 0.0
    for e in range(state.starts[p], state.starts[p + 1]):
        c, weight = state.cut_of[e], state.weight_of[e]
        also = weight_in(state, c, q)
        share = brought(state, c, weight)
        if also > 0:
            kind, met = state.kind[c], state.met[c]
            both = state.paid[kind, met + weight + also] - state.paid[kind, met + weight]
            share += both - state.hope[kind, met] if also >= state.need[kind, met] else both
        due += size * state.fines[c] * share
    for e in range(state.starts[q], state.starts[q + 1]):
        c = state.cut_of[e]
        if weight_in(state, c, p) == 0:
            due += size * state.fines[c] * brought(state, c, state.weight_of[e])
    return due


@inner
def weight_in(state, c, rank):
    """A record's weight in a cut, zero if it is none of its records."""
    for j in range(state.rows.shape[1]):
        if state.rows[c, j] == rank:
            return state.weights[c, j]
    return np.int64(0)
