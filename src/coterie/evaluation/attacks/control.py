"""What a control of another size than the original says about singling out.

Whether a predicate holds for exactly one record depends on how many records there are: one of
weight w (the chance that it holds for somebody) singles out in a table of n with probability
n w (1 - w)^(n - 1) (Cohen, Nissim (2020), PNAS 117(15):8344-8352), which is largest at w = 1/n. The
reference must therefore be told for a table as large as the original; rates of linkability and
inference are shares of persons and know no size.

- A control as large: as counted.
- A larger one: the chance that exactly one of the c records for which a predicate holds is among n
  drawn from the m, c C(m - c, n - 1) / C(m, n): without bias, whatever the weights.
- A smaller one: the counts are Poisson with means that differ from predicate to predicate by a
  distribution that is not known. The value is that of the likeliest distribution (Kiefer, Wolfowitz
  (1956), Annals of Mathematical Statistics 27:887-906; by expectation and maximization on a grid).
  Distributions that differ where the control cannot see fit as well: the interval has the least and
  the largest value over all of them under which no observed frequency leaves its Wilson interval
  (two linear programs). It is wide where the control is small: more doubt, a higher upper limit of
  the risk.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.attacks.trial import Rate

__all__ = ["largest_count", "singled_out"]

ALIKE = 0.01  # sizes that differ by less are equal
CELLS = 12  # counts from here on are one: such predicates hold for many
POINTS = 60  # of the grid of means
ROUNDS = 400
Floats = NDArray[np.float64]


def largest_count(released: int, held_out: int) -> int:
    """How far matches in the control must be counted: beyond it a predicate holds for many."""
    return max(1000, 40 * held_out // max(released, 1))


def singled_out(counts: NDArray[np.int64], released: int, held_out: int) -> Rate:
    """Share of predicates that hold for one of `released` records that were not released.

    `counts` says for how many of the `held_out` records each predicate holds.
    """
    if not len(counts):  # nothing to try
        return Rate(0.0)
    if abs(released / held_out - 1.0) < ALIKE:
        return Rate.of(counts == 1)
    if held_out > released:
        return Rate.of(_drawn_alone(counts, released, held_out))
    value, low, high = _extended(counts, released / held_out)
    return Rate(value, len(counts), (low, high))


def _drawn_alone(counts: NDArray[np.int64], n: int, m: int) -> Floats:
    """The chance that one of `counts` of m records is among n that are drawn."""
    # c n / m * C(m - c, n - 1) / C(m - 1, n - 1), the quotient as a product over the others.
    most = int(counts.max(initial=1))
    others = np.arange(1, most)
    none = np.cumsum(np.log(np.maximum(m - n - others + 1, 1e-300)) - np.log(m - others))
    gone = np.exp(np.concatenate(([0.0], none)))
    return np.where(counts > 0, counts * n / m * gone[np.maximum(counts - 1, 0)], 0.0)


def _extended(counts: NDArray[np.int64], ratio: float) -> tuple[float, float, float]:
    """Likeliest, least and largest share that holds for one of `ratio` times as many records."""
    held = np.minimum(counts, CELLS)
    seen = np.bincount(held, minlength=CELLS + 1).astype(np.float64)
    # 1 / ratio: of all means the one that singles out most often.
    means = np.concatenate(([0.0, 1.0 / ratio], np.geomspace(0.02 / ratio, 3.0 * CELLS, POINTS)))
    chances = _poisson(means)
    alone = ratio * means * np.exp(-ratio * means)
    mixture = np.full(len(means), 1.0 / len(means))
    if not held.any():  # what the rounds would come to
        mixture = (means == 0.0).astype(np.float64)
    there = seen > 0
    for _ in range(ROUNDS):
        joint = chances[there] * mixture
        mixture = (seen[there, None] * joint / joint.sum(axis=1, keepdims=True)).sum(axis=0)
        mixture /= seen.sum()
    value = float(mixture @ alone)
    low, high = _span(seen, chances, alone)
    return value, min(low, value), max(high, value)


def _poisson(means: Floats) -> Floats:
    """Chance of each count below `CELLS`, and of all others, by the mean."""
    table = np.zeros((CELLS + 1, len(means)))
    table[0] = np.exp(-means)
    for count in range(1, CELLS):
        table[count] = table[count - 1] * means / count
    table[CELLS] = np.maximum(1.0 - table[:CELLS].sum(axis=0), 0.0)
    return table


def _span(seen: Floats, chances: Floats, alone: Floats) -> tuple[float, float]:
    """Least and largest share over the distributions that the frequencies allow."""
    from scipy.optimize import linprog

    total = float(seen.sum())
    spans = [Rate(count / total, total).wilson for count in seen.tolist()]
    middle, half = np.array(spans).T
    for slack in (1.0, 2.0, 4.0, 8.0):  # predicates overlap: their counts may spread more
        ends = [
            linprog(
                sign * alone,
                A_ub=np.vstack([chances, -chances]),
                b_ub=np.concatenate([middle + slack * half, slack * half - middle]),
                A_eq=np.ones((1, len(alone))),
                b_eq=[1.0],
            )
            for sign in (1.0, -1.0)
        ]
        if all(end.success for end in ends):
            return max(float(ends[0].fun), 0.0), -float(ends[1].fun)
    return 0.0, float(alone.max())  # nothing fits: nothing is known
