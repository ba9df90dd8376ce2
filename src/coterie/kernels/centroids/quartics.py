"""Costs of groups as functions of their released value: polynomials of degree four, in pieces.

Entry points: `build` (from the records' distance targets), `answer` (each group's minimum for two
multipliers), `alternatives` (each group's best other minimum), `minima` (of one polynomial).

A group's released value is c = center + u. Its cost is a polynomial in u on each of its pieces: one
piece without ends in the paper's form (Mortazavi, Jalili 2017, Equation (14)); several where
targets
are hard (gaps between the pieces are forbidden) or one-sided (the polynomial changes where a
member's distance target is met).

Every function is one pass over the groups; `build` costs s^2 for a group of s records with pieces.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import allocating, inner, kernel

__all__ = [
    "GroupCosts",
    "alternatives",
    "answer",
    "bend",
    "build",
    "minima",
    "piece_of",
    "slope",
    "value",
]

GroupCosts = namedtuple(
    "GroupCosts",
    [
        "size",  # (m,): records in each group
        "center",  # (m,): mean of each group, in standard deviations
        "begin",  # (m + 1,): first piece of each group
        "low",  # (pieces,): left end in u, -inf for none
        "high",  # (pieces,): right end
        "left",  # (pieces,): left wall, the end of the connected pieces
        "right",  # (pieces,): right wall
        "coef",  # (pieces, 5): cost as a polynomial in u, constant term first
    ],
)

FAR = 1e-6  # two stationary points nearer than this are one


@inner
def add_quartic(coef, p, weight, r, delta):
    """Add weight * ((u - r)^2 - delta^2)^2 to the polynomial of piece `p`."""
    e = r * r - delta * delta
    coef[p, 0] += weight * e * e
    coef[p, 1] -= weight * 4.0 * r * e
    coef[p, 2] += weight * (4.0 * r * r + 2.0 * e)
    coef[p, 3] -= weight * 4.0 * r
    coef[p, 4] += weight


@kernel
def count_pieces(begin, importance, one_sided):
    """Upper bound of the number of pieces."""
    total = 0
    for j in range(len(begin) - 1):
        cuts = 0
        for i in range(begin[j], begin[j + 1]):
            if one_sided or importance[i] >= 1.0:
                cuts += 2
        total += cuts + 1
    return total


@allocating
def build(x, delta, importance, start, alpha, shift, one_sided, groups):
    """Fill `groups` from records sorted by group; returns the number of pieces.

    `alpha` weighs the errors of soft distance targets, `shift` the squared shifts of the centroids.
    """
    m = len(start) - 1
    at = 0
    for j in range(m):
        first, last = start[j], start[j + 1]
        size = last - first
        total = 0.0
        for i in range(first, last):
            total += x[i] - x[first]
        center = x[first] + total / size
        groups.size[j] = size
        groups.center[j] = center
        groups.begin[j] = at
        hard = 0
        cuts = np.empty(2 * size)
        ends = 0
        for i in range(first, last):
            if importance[i] >= 1.0:
                hard += 1
            if delta[i] > 0.0 and (one_sided or importance[i] >= 1.0):
                cuts[ends] = x[i] - center - delta[i]
                cuts[ends + 1] = x[i] - center + delta[i]
                ends += 2
        cuts = np.sort(cuts[:ends])
        for c in range(ends + 1):
            low = -np.inf if c == 0 else cuts[c - 1]
            high = np.inf if c == ends else cuts[c]
            if low == high and hard == 0:
                continue
            if c == 0:
                inside = high - 1.0 if ends > 0 else 0.0
            elif c == ends:
                inside = low + 1.0
            else:
                inside = low + 0.5 * (high - low)
            if not allowed(x, delta, importance, first, last, center, inside):
                continue
            groups.low[at] = low
            groups.high[at] = high
            for a in range(5):
                groups.coef[at, a] = 0.0
            groups.coef[at, 2] = shift * size
            for i in range(first, last):
                if importance[i] >= 1.0:
                    continue
                r = x[i] - center
                if one_sided and abs(inside - r) >= delta[i]:
                    continue
                error = 1.0 - importance[i]
                add_quartic(groups.coef, at, alpha / (error * error), r, delta[i])
            at += 1
        # Connected pieces share their walls.
        for p in range(groups.begin[j], at):
            touches = p > groups.begin[j] and groups.high[p - 1] == groups.low[p]
            groups.left[p] = groups.left[p - 1] if touches else groups.low[p]
        for p in range(at - 1, groups.begin[j] - 1, -1):
            touches = p < at - 1 and groups.low[p + 1] == groups.high[p]
            groups.right[p] = groups.right[p + 1] if touches else groups.high[p]
    groups.begin[m] = at
    return at


@inner
def allowed(x, delta, importance, first, last, center, u):
    """Whether no hard distance target forbids `u`."""
    for i in range(first, last):
        if importance[i] >= 1.0 and abs(u - (x[i] - center)) < delta[i]:
            return False
    return True


@inner
def value(coef, p, u):
    return coef[p, 0] + u * (coef[p, 1] + u * (coef[p, 2] + u * (coef[p, 3] + u * coef[p, 4])))


@inner
def slope(coef, p, u):
    return coef[p, 1] + u * (2.0 * coef[p, 2] + u * (3.0 * coef[p, 3] + u * 4.0 * coef[p, 4]))


@inner
def bend(coef, p, u):
    return 2.0 * coef[p, 2] + u * (6.0 * coef[p, 3] + u * 12.0 * coef[p, 4])


@inner
def piece_of(groups, j, u):
    """The piece of group `j` that holds `u`, or the one nearest to it."""
    best = groups.begin[j]
    gap = np.inf
    for p in range(groups.begin[j], groups.begin[j + 1]):
        d = max(groups.low[p] - u, u - groups.high[p])
        if d <= 0.0:
            return p
        if d < gap:
            gap = d
            best = p
    return best


@inner
def minima(
    a1,
    a2,
    a3,
    a4,
    roots,  # out: local minima of a1 u + a2 u^2 + a3 u^3 + a4 u^4
):
    """Number of local minima, 0 if the polynomial has no lower bound."""
    if a4 <= 0.0:
        if a2 <= 0.0:
            return 0
        roots[0] = -a1 / (2.0 * a2)
        return 1
    # u^3 + b u^2 + c u + d = 0, then t^3 + p t + q = 0 with u = t - b / 3
    b = 0.75 * a3 / a4
    c = 0.5 * a2 / a4
    d = 0.25 * a1 / a4
    third = b / 3.0
    p = c - b * third
    q = d - third * c + 2.0 * third * third * third
    disc = 0.25 * q * q + p * p * p / 27.0
    if disc < 0.0:
        radius = 2.0 * np.sqrt(-p / 3.0)
        ratio = 3.0 * q / (p * radius)
        angle = np.arccos(min(1.0, max(-1.0, ratio))) / 3.0
        roots[0] = radius * np.cos(angle) - third
        roots[1] = radius * np.cos(angle + 2.0943951023931953) - third
        count = 2
    else:
        big = np.sqrt(disc)
        t = -0.5 * q - big if q > 0.0 else -0.5 * q + big
        s = np.cbrt(t)
        roots[0] = (s - p / (3.0 * s) if s != 0.0 else 0.0) - third
        count = 1
    for r in range(count):
        u = roots[r]
        for _ in range(2):  # the closed form loses digits where roots are close
            f = d + u * (c + u * (b + u))
            g = c + u * (2.0 * b + 3.0 * u)
            if g > 0.0:
                u -= f / g
        roots[r] = u
    return count


@allocating
def answer(
    groups,
    lam,
    mu,
    u,  # out: each group's minimum of cost + n (lam c + mu c^2)
    sums,  # out: the total of that, sum n c, sum n c^2
):
    """Minimize every group by itself; False if some group has no lower bound."""
    roots = np.empty(2)
    total = 0.0
    first = 0.0
    second = 0.0
    coef = groups.coef
    for j in range(len(groups.size)):
        n = groups.size[j]
        center = groups.center[j]
        linear = n * (lam + 2.0 * mu * center)
        square = n * mu
        best = np.inf
        best_u = 0.0
        for p in range(groups.begin[j], groups.begin[j + 1]):
            low, high = groups.low[p], groups.high[p]
            count = minima(coef[p, 1] + linear, coef[p, 2] + square, coef[p, 3], coef[p, 4], roots)
            if count == 0 and (low == -np.inf or high == np.inf):
                return False
            for r in range(count):
                v = roots[r]
                if low <= v <= high:
                    f = value(coef, p, v) + v * (linear + v * square)
                    if f < best:
                        best = f
                        best_u = v
            for side in range(2):
                v = low if side == 0 else high
                if abs(v) < np.inf:
                    f = value(coef, p, v) + v * (linear + v * square)
                    if f < best:
                        best = f
                        best_u = v
        u[j] = best_u
        c = center + best_u
        total += best + n * center * (lam + mu * center)
        first += n * c
        second += n * c * c
    sums[0] = total
    sums[1] = first
    sums[2] = second
    return True


@allocating
def alternatives(
    groups,
    lam,
    mu,
    u,
    other,  # out: the best minimum of each group away from u; u itself where there is none
    gain,  # out: by how much the group's Lagrangian falls there; -inf where there is none
):
    roots = np.empty(2)
    coef = groups.coef
    for j in range(len(groups.size)):
        n = groups.size[j]
        linear = n * (lam + 2.0 * mu * groups.center[j])
        square = n * mu
        here = piece_of(groups, j, u[j])
        now = value(coef, here, u[j]) + u[j] * (linear + u[j] * square)
        other[j] = u[j]
        gain[j] = -np.inf
        for p in range(groups.begin[j], groups.begin[j + 1]):
            count = minima(coef[p, 1] + linear, coef[p, 2] + square, coef[p, 3], coef[p, 4], roots)
            for r in range(count + 2):
                if r < count:
                    v = roots[r]
                elif r == count:
                    v = groups.left[p]
                else:
                    v = groups.right[p]
                if not (groups.low[p] <= v <= groups.high[p]) or abs(v) == np.inf:
                    continue
                if abs(v - u[j]) < FAR:
                    continue
                f = now - value(coef, p, v) - v * (linear + v * square)
                if f > gain[j]:
                    gain[j] = f
                    other[j] = v
