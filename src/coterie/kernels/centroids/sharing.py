"""Sharing: groups exchange records so that they share deeper labels and narrower intervals.

Entry point: `exchange`, a range of the records at a time. A record may move to the group of a
candidate, or change places with a member of it, whichever lowers the cost of the two groups most.
The cost of a group is its size times, for each tree, the weight of the levels below the first that
all of it shares, and for each interval its width; plus the squared distances to its mean on the
other coordinates. Time: records x candidates x k^2 x (levels + intervals + coordinates).
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner, kernel

__all__ = ["Shared", "costs", "exchange"]

# nodes: (n, levels) of all trees, each from its values up; starts: (trees + 1,) where each begins;
# weights: (levels,); lows, highs: (n, intervals), in weighted shares of the table's width; points:
# (n, d) of all other keys; labels: (n,); members: (groups, most); sizes, cost:
# (groups,).
Shared = namedtuple("Shared", "nodes starts weights lows highs points labels members sizes cost")


@inner
def _other(s, group, place, out, new):
    """The record at a place of a group in which `new` stands for `out`; -1 for none."""
    record = s.members[group, place]
    return new if record == out else record


@inner
def _cost(s, group, out, new):
    """What a group costs with `new` in place of `out`; -1 as `new` leaves the place empty."""
    size = s.sizes[group]
    if out < 0 and new >= 0:
        size += 1
    count = np.int64(0)
    total = 0.0
    for t in range(len(s.starts) - 1):
        for level in range(s.starts[t], s.starts[t + 1]):
            label = np.int64(-1)
            same = True
            for place in range(size):
                record = new if place >= s.sizes[group] else _other(s, group, place, out, new)
                if record < 0:
                    continue
                if label < 0:
                    label = s.nodes[record, level]
                elif s.nodes[record, level] != label:
                    same = False
                    break
            if same:
                break
            total += s.weights[level]
    for place in range(size):
        record = new if place >= s.sizes[group] else _other(s, group, place, out, new)
        if record >= 0:
            count += 1
    for m in range(s.lows.shape[1]):
        low, high = np.inf, -np.inf
        for place in range(size):
            record = new if place >= s.sizes[group] else _other(s, group, place, out, new)
            if record < 0:
                continue
            low = min(low, s.lows[record, m])
            high = max(high, s.highs[record, m])
        total += high - low
    total *= count
    for a in range(s.points.shape[1]):
        mean, squares = 0.0, 0.0
        for place in range(size):
            record = new if place >= s.sizes[group] else _other(s, group, place, out, new)
            if record >= 0:
                mean += s.points[record, a]
                squares += s.points[record, a] * s.points[record, a]
        total += max(squares - mean * mean / count, 0.0)
    return total


@kernel
def costs(
    s,  # out: cost
):
    """The cost of every group; their sum."""
    total = 0.0
    for group in range(len(s.sizes)):
        s.cost[group] = _cost(s, group, np.int64(-2), np.int64(-1))
        total += s.cost[group]
    return total


@inner
def _replace(s, group, out, new):
    for place in range(s.sizes[group]):
        if s.members[group, place] == out:
            s.members[group, place] = new
            return


@inner
def _remove(s, group, out):
    last = s.sizes[group] - 1
    _replace(s, group, out, s.members[group, last])
    s.sizes[group] = last


@kernel
def exchange(
    s,  # out: labels, members, sizes, cost
    candidates,
    order,
    first,
    stop,
    k,
):
    """Let the records at `first`..`stop` of `order` move or change places; how often that helped.

    `candidates` are (n, c) records of the same stratum, -1 for none.
    """
    most = s.members.shape[1]
    gained = 0
    for at in range(first, stop):
        record = order[at]
        own = s.labels[record]
        best, partner, target = -1e-12, np.int64(-1), np.int64(-1)
        for c in range(candidates.shape[1]):
            near = candidates[record, c]
            if near < 0:
                continue
            group = s.labels[near]
            seen = group == own
            for before in range(c):
                if candidates[record, before] >= 0:
                    seen = seen or s.labels[candidates[record, before]] == group
            if seen:
                continue
            now = s.cost[own] + s.cost[group]
            if s.sizes[own] > k and s.sizes[group] < most:
                change = _cost(s, own, record, np.int64(-1)) - now
                change += _cost(s, group, np.int64(-2), record)
                if change < best:
                    best, partner, target = change, np.int64(-1), group
            for place in range(s.sizes[group]):
                other = s.members[group, place]
                change = _cost(s, own, record, other) - now
                if change >= best:
                    continue  # the other group costs something, too
                change += _cost(s, group, other, record)
                if change < best:
                    best, partner, target = change, other, group
        if target < 0:
            continue
        gained += 1
        if partner < 0:
            _remove(s, own, record)
            s.members[target, s.sizes[target]] = record
            s.sizes[target] += 1
        else:
            _replace(s, own, record, partner)
            _replace(s, target, partner, record)
            s.labels[partner] = own
        s.labels[record] = target
        s.cost[own] = _cost(s, own, np.int64(-2), np.int64(-1))
        s.cost[target] = _cost(s, target, np.int64(-2), np.int64(-1))
    return gained
