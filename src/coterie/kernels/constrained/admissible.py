"""Whether a group is admissible: enough units, diverse values, no dominant contributor.

Entry points: `Rules` (made by `coterie.guarantees.constraints`), `shortfall`, and what it would be
`after_swap` or `without` a member; `admits`, of a group that is a list.

What a search moves is an *atom*: a record, or all records of a unit that stay together. The
shortfall of a group is 0 if it is admissible; else it adds up by how much each rule is missed, so
that a repair can tell a step forward. All from the members, nothing kept up to date: O(s log s) for
s records and each rule, and a search asks only about moves that would gain.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner
from coterie.kernels.base.sorting import sort, sort_by

__all__ = ["Rules", "admits", "after_swap", "shortfall", "without"]

Rules = namedtuple(
    "Rules",
    [
        "first",  # (a + 1,): where the records of each atom begin in `records`
        "records",  # (n,)
        "units",  # (n,): unit of each record
        "counts_units",  # False: every record is a unit of its own
        "k",  # least units
        "codes",  # (C, n): confidential values, 0..m-1 by rank
        # (C, 6): least distinct values, largest share, least entropy, largest distance, and of
        # recursive diversity c and l; l = 0 for none
        "bounds",
        "caps",  # largest share of each value, as `whole` has them
        "floors",  # least share of each value
        "single",  # (C,): whether caps and floors say anything
        "ordered",  # (C,): whether distance is by rank
        "start",  # (C + 1,): where the values of each attribute begin in `whole`
        "whole",  # shares in the whole table; of an ordered attribute, cumulated
        "before",  # of an ordered attribute: sum of `whole` over the first v values, m + 1 of them
        "amounts",  # (A, n): absolute contributions
        "limits",  # (A, 3): p, n and the largest share of n, as fractions; n = 0 for none
        "at",  # (n,): scratch, the records of the group
        "ints",  # (n,): scratch
        "sums",  # (n,): scratch
        "judged",  # (1,): records looked at so far, by each rule: what the questions cost
    ],
)

DISTINCT, SHARE, ENTROPY, DISTANCE, RATIO, DEPTH = 0, 1, 2, 3, 4, 5
# Shares and entropies are sums of rounded numbers: what misses a rule by less has not missed it.
SLACK = 1e-10


@inner
def area(whole, base, before, base_before, level, start, end):
    """Sum over the values start..end-1 of |level - F|."""
    low = start
    high = end
    while low < high:  # the first value whose F lies above the level
        middle = (low + high) // 2
        if whole[base + middle] > level:
            high = middle
        else:
            low = middle + 1
    below = level * (low - start) - (before[base_before + low] - before[base_before + start])
    above = (before[base_before + end] - before[base_before + low]) - level * (end - low)
    return below + above


@inner
def run_end(items, start, count):
    """Where the run of equal items that begins at `start` ends."""
    end = start + 1
    while end < count and items[end] == items[start]:
        end += 1
    return end


@inner
def bring_largest(values, place, count):
    """Swap the largest of ``values[place:count]``, the first of equal ones, to `place`."""
    best = place
    for other in range(place + 1, count):
        if values[other] > values[best]:
            best = other
    values[place], values[best] = values[best], values[place]
    return values[place]


@inner
def by_value(rules, c, count):
    """How far single values of the records at hand, sorted, are above or below their limits."""
    ints, caps, floors = rules.ints, rules.caps, rules.floors
    base = rules.start[c]
    rules.judged[0] += rules.start[c + 1] - base
    missing = 0.0
    value = np.int64(0)
    r = 0
    for value in range(rules.start[c + 1] - base):
        end = r
        while end < count and ints[end] == value:
            end += 1
        share = (end - r) / count
        if share > caps[base + value] + SLACK:
            missing += share - caps[base + value]
        if share < floors[base + value] - SLACK:
            missing += floors[base + value] - share
        r = end
    return missing


@inner
def recursion(rules, c, count):
    """How far the most frequent value of the records at hand, sorted, is above c times the rest."""
    ints, sums = rules.ints, rules.sums
    found = 0
    r = 0
    while r < count:
        end = run_end(ints, r, count)
        sums[found] = end - r
        found += 1
        r = end
    rest = float(count)
    first = 0.0
    for turn in range(min(found, int(rules.bounds[c, DEPTH]) - 1)):
        most = bring_largest(sums, turn, found)
        if turn == 0:
            first = most
        rest -= most
    allowed = rules.bounds[c, RATIO] * rest
    # The most frequent value must stay below, so what is equal misses it too.
    return (first - allowed + 0.5) / count if first >= allowed * (1.0 - SLACK) else 0.0


@inner
def uniformity(rules, c, count):
    """How far the confidential attribute `c` of the records at hand misses its rules."""
    ints, codes, at, bounds = rules.ints, rules.codes, rules.at, rules.bounds
    whole, before = rules.whole, rules.before
    base = rules.start[c]
    m = rules.start[c + 1] - base
    ordered = rules.ordered[c]
    for r in range(count):
        ints[r] = codes[c, at[r]]
    sort(ints, count)
    distinct = 0
    most = 0
    entropy = 0.0
    far = 0.0
    level = 0.0
    place = 0
    asks_distance = bounds[c, DISTANCE] < 1.0
    r = 0
    while r < count:
        value = ints[r]
        end = run_end(ints, r, count)
        distinct += 1
        most = max(most, end - r)
        share = (end - r) / count
        entropy -= share * np.log(share)
        if asks_distance:
            if ordered:
                far += area(whole, base, before, base + c, level, place, value)
                level = end / count
                place = value
            else:
                far += max(share - whole[base + value], 0.0)
        r = end
    if asks_distance and ordered:
        far += area(whole, base, before, base + c, level, place, m)
        far = far / (m - 1.0) if m > 1 else 0.0
    missing = 0.0
    if distinct < bounds[c, DISTINCT]:
        missing += (bounds[c, DISTINCT] - distinct) / bounds[c, DISTINCT]
    if most / count > bounds[c, SHARE] + SLACK:
        missing += most / count - bounds[c, SHARE]
    if entropy < bounds[c, ENTROPY] - SLACK:
        missing += (bounds[c, ENTROPY] - entropy) / bounds[c, ENTROPY]
    if far > bounds[c, DISTANCE] + SLACK:
        missing += far - bounds[c, DISTANCE]
    if rules.single[c]:
        missing += by_value(rules, c, count)
    if bounds[c, DEPTH] > 0.0:
        missing += recursion(rules, c, count)
    return missing


@inner
def dominance(rules, a, count):
    """How far the amounts `a` of the records at hand, sorted by unit, miss their rules."""
    at, units, sums, amounts = rules.at, rules.units, rules.sums, rules.amounts
    parts = 0
    total = 0.0
    for r in range(count):
        amount = amounts[a, at[r]]
        total += amount
        if rules.counts_units and r > 0 and units[at[r]] == units[at[r - 1]]:
            sums[parts - 1] += amount
        else:
            sums[parts] = amount
            parts += 1
    if total <= 0.0:
        return 0.0
    p = rules.limits[a, 0]
    top = int(rules.limits[a, 1])
    taken = 0.0
    missing = 0.0
    largest = 0.0
    for turn in range(min(parts, max(top, 2))):
        most = bring_largest(sums, turn, parts)
        if turn == 0:
            largest = most
        if turn < top:
            taken += most
    asked = p * largest
    rest = 0.0
    for u in range(2, parts):
        rest += sums[u]
    if rest < asked * (1.0 - SLACK):
        missing += (asked - rest) / asked
    if top > 0 and taken / total > rules.limits[a, 2] + SLACK:
        missing += taken / total - rules.limits[a, 2]
    return missing


@inner
def shortfall(rules, atoms, count):
    """By how much the first `count` of `atoms`, as a group, miss the rules; 0 if admissible."""
    at, first, records, units = rules.at, rules.first, rules.records, rules.units
    size = np.int64(0)  # not a literal: callees would be compiled for it, too
    for a in range(count):
        for r in range(first[atoms[a]], first[atoms[a] + 1]):
            at[size] = records[r]
            size += 1
    if size == 0:
        return np.inf
    rules.judged[0] += size * (1 + rules.codes.shape[0] + rules.amounts.shape[0])
    found = size
    if rules.counts_units:
        sort_by(at, size, units)
        found = 1
        for r in range(1, size):
            if units[at[r]] != units[at[r - 1]]:
                found += 1
    missing = 0.0
    if found < rules.k:
        missing += (rules.k - found) / rules.k
    for c in range(rules.codes.shape[0]):
        missing += uniformity(rules, c, size)
    for a in range(rules.amounts.shape[0]):
        missing += dominance(rules, a, size)
    return missing


@inner
def after_swap(rules, a, p, s, incoming):
    """Shortfall of the p members `a` if the one at `s` makes room for `incoming`."""
    kept = a[s]
    a[s] = incoming
    missing = shortfall(rules, a, p)
    a[s] = kept
    return missing


@inner
def without(rules, a, p, x):
    """Shortfall of the p members `a` without `x`; leaves `a` as it was."""
    s = 0
    while a[s] != x:
        s += 1
    a[s] = a[p - 1]
    missing = shortfall(rules, a, p - 1)
    a[s] = x
    return missing


@inner
def admits(head, after, rules, listed, g, leaves, joins):
    """Whether group `g` is admissible with `joins` in place of `leaves`; either may be ALONE.

    Members are listed in ascending order: what is asked of a group depends on nothing else.
    """
    count = np.int64(0)
    waiting = joins >= 0
    i = head[g]
    while i >= 0:
        if waiting and joins < i:
            listed[count] = joins
            count += 1
            waiting = False
        if i != leaves:
            listed[count] = i
            count += 1
        i = after[i]
    if waiting:
        listed[count] = joins
        count += 1
    return shortfall(rules, listed, count) == 0.0
