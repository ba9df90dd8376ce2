"""Fines of triples while groups are formed; `pricing`, beside it, has the state they read.

Entry points: `choose` and `unchoose` (a record joins or leaves the records chosen, S), `forget`,
`due_for_one` and `due_for_two` (what the last records bring). O(triples of the record) each.
"""

from coterie.kernels.base.jit import inner

__all__ = ["choose", "due_for_one", "due_for_two", "forget", "unchoose"]


@inner
def choose(state, rank, size):
    """Take a record into S: fines that fall due now, and `extra` for the candidates left.

    Returns what is due beyond the halves that the record's own key holds.
    """
    due = 0.0
    for e in range(state.starts[rank], state.starts[rank + 1]):
        c = state.triple_of[e]
        half = 0.5 * size * state.fines[c]
        met = state.met[c]
        state.met[c] = met + 1
        if met == 1:
            due += half
            half = -half  # paid: the third need not expect it any more
        if met < 2:
            for j in range(3):
                other = state.slot[state.triples[c, j]]
                if other >= 0 and state.triples[c, j] != rank:
                    state.extra[other] += half
    return due


@inner
def unchoose(state, rank):
    """Take a record out of S again."""
    for e in range(state.starts[rank], state.starts[rank + 1]):
        state.met[state.triple_of[e]] -= 1


@inner
def forget(state, rank):
    """Clear what `choose` left in `extra`."""
    for e in range(state.starts[rank], state.starts[rank + 1]):
        for j in range(3):
            other = state.slot[state.triples[state.triple_of[e], j]]
            if other >= 0:
                state.extra[other] = 0.0


@inner
def due_for_one(state, rank, size):
    """Fines that fall due when a candidate joins S, beyond the halves its key holds."""
    due = 0.0
    for e in range(state.starts[rank], state.starts[rank + 1]):
        if state.met[state.triple_of[e]] == 1:
            due += 0.5 * size * state.fines[state.triple_of[e]]
    return due


@inner
def due_for_two(state, p, q, size):
    """Fines that fall due when two candidates join S, beyond the halves their keys hold."""
    due = 0.0
    for e in range(state.starts[p], state.starts[p + 1]):
        c = state.triple_of[e]
        both = state.triples[c, 0] == q or state.triples[c, 1] == q or state.triples[c, 2] == q
        if state.met[c] == 0 and both:
            due += size * state.fines[c]
        elif state.met[c] == 1 and not both:
            due += 0.5 * size * state.fines[c]
    for e in range(state.starts[q], state.starts[q + 1]):
        c = state.triple_of[e]
        both = state.triples[c, 0] == p or state.triples[c, 1] == p or state.triples[c, 2] == p
        if state.met[c] == 1 and not both:
            due += 0.5 * size * state.fines[c]
    return due
