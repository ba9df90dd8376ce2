"""What a class discloses of its members without telling them apart: plain statistics by class.

Values too much alike (Machanavajjhala et al. (2007), "l-diversity", ACM TKDD 1(1); Li, Li,
Venkatasubramanian (2007), "t-closeness", ICDE) and contributors too large (the p% and the (n, k)
dominance rules of statistical offices; Hundepool et al. (2012), Statistical Disclosure Control,
Wiley, chapter 4). Every function takes the class of each record, 0..c-1 with none empty, and gives
one number a class; n log n.

Each of them is kept by a union: of two classes that pass a threshold, the union passes it too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.numbers.renumber import renumber

__all__ = [
    "contributions",
    "distinct_values",
    "effective_values",
    "equal_distance",
    "growth_limits",
    "largest_of",
    "largest_share",
    "likeness",
    "log_ratio",
    "ordered_distance",
    "recursive_ratio",
    "remainder_percent",
    "top_percent",
    "value_counts",
]

SLACK = 1e-12  # growth that is rounding
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def value_counts(labels: Ints, values: NDArray) -> tuple[Ints, NDArray, Ints]:
    """Each (class, value) that occurs: the class, the value, and how often."""
    order = np.lexsort((values, labels))
    owner, value = labels[order], values[order]
    fresh = np.ones(len(labels), dtype=bool)
    fresh[1:] = (owner[1:] != owner[:-1]) | (value[1:] != value[:-1])
    starts = np.flatnonzero(fresh)
    return owner[starts], value[starts], np.diff(np.append(starts, len(labels)))


def distinct_values(labels: Ints, values: NDArray) -> Ints:
    """Different values in each class."""
    return np.bincount(value_counts(labels, values)[0])


def largest_share(labels: Ints, values: NDArray) -> Floats:
    """Share of each class that its most frequent value has."""
    owner, _, count = value_counts(labels, values)
    most = np.zeros(int(owner.max()) + 1, dtype=np.int64)
    np.maximum.at(most, owner, count)
    return most / np.bincount(labels)


def effective_values(labels: Ints, values: NDArray) -> Floats:
    """Exponential of each class's entropy: as many values, evenly spread."""
    owner, _, count = value_counts(labels, values)
    share = count / np.bincount(labels)[owner]
    return np.exp(-np.bincount(owner, weights=share * np.log(share)))


def equal_distance(labels: Ints, codes: Ints, shares: Floats | None = None) -> Floats:
    """Distance of each class from the whole table if any two values are 1 apart.

    `shares` are those of the codes 0, 1, ... in the whole table, if the records are a part of it.

    The earth mover's distance is then half the sum of |p - q|: what exceeds its share in the class
    is exactly what the other values lack.
    """
    owner, code, count = value_counts(labels, codes)
    share = (np.bincount(codes) / len(labels) if shares is None else shares)[code]
    excess = np.maximum(count / np.bincount(labels)[owner] - share, 0.0)
    return np.bincount(owner, weights=excess).astype(np.float64)


def ordered_distance(labels: Ints, values: NDArray, shares: Floats | None = None) -> Floats:
    """Distance of each class from the whole table by ranks: sum of |F_class - F| over m - 1.

    The sum is over the m different values. F_class is constant between two of the class's own
    values, so a class of s records costs s pieces, each split where F crosses the constant: n log n
    in all, however many values there are. With `shares`, the values are codes 0, 1, ... by rank.
    """
    n, sizes = len(labels), np.bincount(labels)
    rank = renumber(values) if shares is None else values
    whole = np.cumsum(np.bincount(rank)) / n if shares is None else np.cumsum(shares)
    m = len(whole)
    if m == 1:
        return np.zeros(len(sizes))
    before = np.concatenate(([0.0], np.cumsum(whole)))  # sum of F over the first v values
    order = np.lexsort((rank, labels))
    owner, at = labels[order], rank[order]
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    level = (np.arange(n) - starts[owner] + 1) / sizes[owner]
    end = np.append(at[1:], m)
    end[np.append(owner[1:] != owner[:-1], True)] = m
    total = np.bincount(owner, _area(whole, before, level, at, end)).astype(np.float64)
    head = at[starts]
    total += _area(whole, before, np.zeros(len(sizes)), np.zeros_like(head), head)
    return total / (m - 1)


def largest_of(labels: Ints, codes: Ints, limits: Floats) -> Floats:
    """Largest share of a value in each class, in units of the limit of that value."""
    owner, code, count = value_counts(labels, codes)
    found = np.zeros(int(owner.max()) + 1)
    np.maximum.at(found, owner, count / np.bincount(labels)[owner] / limits[code])
    return found


def recursive_ratio(labels: Ints, codes: Ints, least: int) -> Floats:
    """Most frequent value over all but the `least` - 1 most frequent ones; infinite without any.

    Machanavajjhala et al. (2007), Definition 4.3.
    """
    owner, _, count = value_counts(labels, codes)
    total, top = _largest(owner, count.astype(np.float64), least - 1)
    rest = total - top.sum(axis=1)
    with np.errstate(divide="ignore"):
        return np.where(rest > 0, top[:, 0] / rest, np.inf)


def likeness(labels: Ints, codes: Ints, shares: Floats, beta: float) -> Floats:
    """Largest relative growth of a share, in each class, in units of its own limit times `beta`.

    Cao, Karras (2012), "Publishing microdata with a robust privacy guarantee", PVLDB 5(11), with
    the limit min(beta, -ln p) of enhanced beta-likeness: at most `beta` if and only if all keep it.
    """
    owner, code, count = value_counts(labels, codes)
    p = shares[code]
    growth = (count / np.bincount(labels)[owner] - p) / p
    limit = growth_limits(shares, beta)[code]
    found = np.zeros(int(owner.max()) + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.where(growth > SLACK, growth * beta / limit, 0.0)
    np.maximum.at(found, owner, scaled)
    return found


def growth_limits(shares: Floats, beta: float) -> Floats:
    """By how much each share may grow, relative to it."""
    with np.errstate(divide="ignore"):
        return np.minimum(beta, -np.log(shares))


def log_ratio(labels: Ints, codes: Ints, shares: Floats) -> Floats:
    """Largest |ln(q / p)| of a value in each class; infinite where a class lacks one.

    Brickell, Shmatikov (2008), "The cost of privacy", KDD: delta-disclosure.
    """
    owner, code, count = value_counts(labels, codes)
    ratio = np.abs(np.log(count / np.bincount(labels)[owner] / shares[code]))
    found = np.zeros(int(owner.max()) + 1)
    np.maximum.at(found, owner, ratio)
    return np.where(np.bincount(owner) == (shares > 0).sum(), found, np.inf)


def contributions(labels: Ints, units: Ints | None, amounts: Floats) -> tuple[Ints, Floats]:
    """What each unit adds to each class: the class and the sum of its absolute amounts."""
    size = np.abs(amounts)
    if units is None:
        return labels, size
    order = np.lexsort((units, labels))
    owner, unit = labels[order], units[order]
    fresh = np.ones(len(labels), dtype=bool)
    fresh[1:] = (owner[1:] != owner[:-1]) | (unit[1:] != unit[:-1])
    starts = np.flatnonzero(fresh)
    return owner[starts], np.add.reduceat(size[order], starts)


def remainder_percent(labels: Ints, units: Ints | None, amounts: Floats) -> Floats:
    """What all but the two largest units add, in percent of the largest; infinite without any.

    The second largest unit knows its own part of the total, and so the largest to within this:
    below p the cell fails the p% rule.
    """
    owner, part = contributions(labels, units, amounts)
    total, top = _largest(owner, part, 2)
    rest = np.maximum(total - top[:, 0] - top[:, 1], 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        percent = 100.0 * rest / top[:, 0]
    return np.where(top[:, 0] > 0, percent, np.inf)


def top_percent(labels: Ints, units: Ints | None, amounts: Floats, count: int) -> Floats:
    """Percent of each class's total that its `count` largest units add; 0 where it has none."""
    owner, part = contributions(labels, units, amounts)
    total, top = _largest(owner, part, count)
    with np.errstate(divide="ignore", invalid="ignore"):
        percent = 100.0 * top.sum(axis=1) / total
    return np.where(total > 0, percent, 0.0)


def _largest(owner: Ints, part: Floats, count: int) -> tuple[Floats, Floats]:
    """Total of each class, and its `count` largest parts, filled up with zeros."""
    order = np.lexsort((-part, owner))
    sizes = np.bincount(owner)
    place = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    top = np.zeros((len(sizes), count))
    first = place < count
    top[owner[order][first], place[first]] = part[order][first]
    return np.bincount(owner, weights=part).astype(np.float64), top


def _area(whole: Floats, before: Floats, level: Floats, start: Ints, end: Ints) -> Floats:
    """Sum over the values start..end-1 of |level - F|."""
    cross = np.clip(np.searchsorted(whole, level, "right"), start, end)
    below = level * (cross - start) - (before[cross] - before[start])
    above = (before[end] - before[cross]) - level * (end - cross)
    return below + above
