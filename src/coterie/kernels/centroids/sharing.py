"""Sharing: groups exchange records so that they share deeper labels and narrower intervals.

Entry points: `costs` (of all groups), `exchange` (a range of the records at a time), `cut` (the
cheapest groups of neighbors in an order).

The cost of a group is its size times, for each tree, the weight of the levels below the first that
all of it shares, and for each interval its width; plus the squared distances to its mean on the
other coordinates. What a group shares without one of its members is kept for each member, so that
an exchange is judged without a look at the others. Time: a proposal is O(levels + intervals +
coordinates), one that is taken O(k) times that; `cut` O(n k (levels + intervals + coordinates)).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.draws import below, real
from coterie.kernels.base.jit import inner, kernel

__all__ = ["Shared", "costs", "cut", "exchange"]

# nodes: (n, levels) of all trees, each from its values up; starts: (trees + 1,) where each begins;
# given: (trees, most levels + 1), weight given up where a level is the first that is shared; lows,
# highs: (n, intervals), in weighted shares of the table's width; points: (n, d) of all other keys.
# labels: (n,); members: (groups, most); sizes, cost: (groups,).
# level, low, high: (n + groups, trees or intervals), what is shared by a record's group without it,
# and, from n on, by a whole group; sums: (groups, d), squares: (groups,), of points.
Shared = namedtuple(
    "Shared",
    "nodes starts given lows highs points labels members sizes cost level low high sums squares",
)


@inner
def _levels(s, group, t):
    """The first level of a tree that a group shares, and that its others share without each."""
    base, count = s.starts[t], s.starts[t + 1] - s.starts[t]
    size, n = s.sizes[group], len(s.labels)
    for place in range(size):
        s.level[s.members[group, place], t] = count
    whole = count
    for level in range(count):
        first = s.nodes[s.members[group, 0], base + level]
        second = s.nodes[s.members[group, 1], base + level] if size > 1 else first
        others, odd, alike = 0, np.int64(0), True
        for place in range(1, size):
            label = s.nodes[s.members[group, place], base + level]
            if label != first:
                others += 1
                odd = place
            alike = alike and label == second
        if others == 0:
            whole = level
            for place in range(size):
                record = s.members[group, place]
                s.level[record, t] = min(s.level[record, t], level)
            break
        if others == 1:
            record = s.members[group, odd]
            s.level[record, t] = min(s.level[record, t], level)
        if alike:
            record = s.members[group, 0]
            s.level[record, t] = min(s.level[record, t], level)
    s.level[n + group, t] = whole


@inner
def _ends(s, group, m):
    """The ends of a group's interval, and of its others' without each."""
    low, next_low, high, next_high = np.inf, np.inf, -np.inf, -np.inf
    size, n = s.sizes[group], len(s.labels)
    for place in range(size):
        record = s.members[group, place]
        x, y = s.lows[record, m], s.highs[record, m]
        next_low = min(next_low, max(x, low))
        low = min(low, x)
        next_high = max(next_high, min(y, high))
        high = max(high, y)
    for place in range(size):
        record = s.members[group, place]
        s.low[record, m] = next_low if s.lows[record, m] == low else low
        s.high[record, m] = next_high if s.highs[record, m] == high else high
    s.low[n + group, m] = low
    s.high[n + group, m] = high


@inner
def _refresh(s, group):
    """All that is kept of a group, from its members."""
    for t in range(len(s.starts) - 1):
        _levels(s, group, t)
    for m in range(s.lows.shape[1]):
        _ends(s, group, m)
    squares = 0.0
    for a in range(s.points.shape[1]):
        total = 0.0
        for place in range(s.sizes[group]):
            value = s.points[s.members[group, place], a]
            total += value
            squares += value * value
        s.sums[group, a] = total
    s.squares[group] = squares
    none = np.int64(-1)
    s.cost[group] = _cost(s, group, len(s.labels) + group, none, none)


@inner
def _cost(s, group, row, out, new):
    """What a group costs without `out` and with `new`, -1 for none; `row`: what the rest shares."""
    size = s.sizes[group] - (out >= 0) + (new >= 0)
    one = s.members[group, 0]
    if one == out:
        one = s.members[group, 1]
    total = 0.0
    for t in range(len(s.starts) - 1):
        level = s.level[row, t]
        if new >= 0:
            base, count = s.starts[t], s.starts[t + 1] - s.starts[t]
            while level < count and s.nodes[one, base + level] != s.nodes[new, base + level]:
                level += 1
        total += s.given[t, level]
    for m in range(s.lows.shape[1]):
        low, high = s.low[row, m], s.high[row, m]
        if new >= 0:
            low, high = min(low, s.lows[new, m]), max(high, s.highs[new, m])
        total += high - low
    total *= size
    if s.points.shape[1] == 0:
        return total
    squares = s.squares[group]
    for a in range(s.points.shape[1]):
        less = s.points[out, a] if out >= 0 else 0.0
        more = s.points[new, a] if new >= 0 else 0.0
        mean = s.sums[group, a] - less + more
        squares += more * more - less * less - mean * mean / size
    return total + max(squares, 0.0)


@kernel
def costs(
    s,  # out: all but what it is made of, labels, members, sizes
):
    """The cost of every group; their sum."""
    total = 0.0
    for group in range(len(s.sizes)):
        _refresh(s, group)
        total += s.cost[group]
    return total


@kernel
def exchange(
    s,  # out
    order,
    strata,
    window,
    tries,
    temperature,
    k,
    first,
    stop,
    words,  # in and out
):
    """Let the records at `first`..`stop` of `order` move or change places; how often they did.

    Each tries so often to change places with a member of the group of one beside it, at most
    `window` away, or to move there where sizes of k and more allow it. What costs more is taken
    with a chance by its cost over the temperature (Metropolis); at 0 only what costs less.
    """
    n, most = len(order), s.members.shape[1]
    taken = 0
    for at in range(first, stop):
        record = order[at]
        for _ in range(tries):
            step = 1 + below(words, window)
            near = at + step if below(words, 2) == 0 else at - step
            if near < 0 or near >= n or strata[order[near]] != strata[record]:
                continue
            own, group = s.labels[record], s.labels[order[near]]
            if own == group:
                continue
            limit = -1e-12
            if temperature > 0.0:
                limit = -temperature * np.log(1.0 - real(words))
            now = s.cost[own] + s.cost[group]
            if s.sizes[own] > k and s.sizes[group] < most and below(words, 2) == 0:
                change = _cost(s, own, record, record, np.int64(-1)) - now
                if change >= limit:
                    continue
                change += _cost(s, group, len(s.labels) + group, np.int64(-1), record)
                if change >= limit:
                    continue
                last = s.sizes[own] - 1
                _replace(s, own, record, s.members[own, last])
                s.sizes[own] = last
                s.members[group, s.sizes[group]] = record
                s.sizes[group] += 1
            else:
                place = below(words, s.sizes[group])
                other = s.members[group, place]
                change = _cost(s, own, record, record, other) - now
                if change >= limit:
                    continue  # the other group costs something, too
                change += _cost(s, group, other, other, record)
                if change >= limit:
                    continue
                _replace(s, own, record, other)
                s.members[group, place] = record
                s.labels[other] = own
            s.labels[record] = group
            _refresh(s, own)
            _refresh(s, group)
            taken += 1
    return taken


@inner
def _replace(s, group, out, new):
    for place in range(s.sizes[group]):
        if s.members[group, place] == out:
            s.members[group, place] = new
            return


@kernel
def cut(
    s,
    order,
    k,
    first,
    last,
    levels,  # scratch: (trees,)
    ends,  # scratch: (2, intervals)
    sums,  # scratch: (d,)
    best,  # in and out: (len(order) + 1,) the cost of the first so many records; of none 0
    back,  # out: (len(order) + 1,) where their last group begins; -1 where there is no way
):
    """The cheapest groups of k to 2k - 1 neighbors in an order, one stratum's.

    Of its first so many records, for each number of `first` + 1..`last`, those before being known.
    """
    for stop in range(first + 1, last + 1):
        best[stop] = np.inf
        back[stop] = -1
        end = order[stop - 1]
        squares = 0.0
        for t in range(len(levels)):
            levels[t] = 0
        for m in range(ends.shape[1]):
            ends[0, m], ends[1, m] = np.inf, -np.inf
        for a in range(len(sums)):
            sums[a] = 0.0
        for start in range(stop - 1, max(stop - 2 * k, -1), -1):
            record = order[start]
            size = stop - start
            cost = 0.0
            for t in range(len(levels)):
                base, count = s.starts[t], s.starts[t + 1] - s.starts[t]
                level = levels[t]
                while level < count and s.nodes[end, base + level] != s.nodes[record, base + level]:
                    level += 1
                levels[t] = level
                cost += s.given[t, level]
            for m in range(ends.shape[1]):
                ends[0, m] = min(ends[0, m], s.lows[record, m])
                ends[1, m] = max(ends[1, m], s.highs[record, m])
                cost += ends[1, m] - ends[0, m]
            cost *= size
            within = 0.0
            for a in range(len(sums)):
                value = s.points[record, a]
                sums[a] += value
                squares += value * value
                within += sums[a] * sums[a] / size
            cost += max(squares - within, 0.0)
            if size >= k and best[start] + cost < best[stop]:
                best[stop] = best[start] + cost
                back[stop] = start
    return last - first
