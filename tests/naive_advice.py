"""Plain, slow versions of what a look counts, over lists of Python values."""

from __future__ import annotations

from collections import Counter
from itertools import combinations


def alone(rows):
    """Which rows nobody else has."""
    many = Counter(rows)
    return [many[row] == 1 for row in rows]


def minimal_uniques(columns):
    """Records unique on one, two, three columns, and on no fewer."""
    names = list(columns)
    total = len(columns[names[0]])
    smallest = [None] * total
    for size in (1, 2, 3):
        for chosen in combinations(names, size):
            rows = list(zip(*(columns[name] for name in chosen), strict=True))
            for place, unique in enumerate(alone(rows)):
                if unique and smallest[place] is None:
                    smallest[place] = size
    return tuple(smallest.count(size) for size in (1, 2, 3))


def separation(values):
    """Share of the pairs of records that differ."""
    pairs = list(combinations(values, 2))
    return sum(a != b for a, b in pairs) / len(pairs)


def below(columns, k):
    """Records whose values fewer than k records share."""
    rows = list(zip(*columns, strict=True))
    many = Counter(rows)
    return sum(many[row] < k for row in rows)


def determines(one, other):
    """Whether equal values of one column always come with equal values of the other."""
    seen = {}
    return all(seen.setdefault(a, b) == b for a, b in zip(one, other, strict=True) if a is not None)


def rebuilt(units, values):
    """Share of the units with several records whose records, and no others, have one value."""
    several = {u for u, n in Counter(units).items() if n > 1}
    found = 0
    for unit in several:
        own = {v for u, v in zip(units, values, strict=True) if u == unit}
        value = next(iter(own))
        others = {u for u, v in zip(units, values, strict=True) if v == value}
        found += len(own) == 1 and value is not None and others == {unit}
    return found / len(several) if several else 0.0
