"""Orders of the records in which neighbors share what would be released of them.

All records are parted by the key that gains most, then each of the parts, and so on, until fewer
than 2k are left: by the labels of the next level of a tree, or by a cut through an interval or
another coordinate. What a parting gains is the loss that it saves if no group crosses it; what it
costs is that fewer partings are left, as many as the bits that it takes (its entropy). A `power` of
the bits weighs one against the other, and none of them is best for every table; without one the
widest key is parted, as Mondrian does (LeFevre, DeWitt, Ramakrishnan 2006, ICDE, section 4.1).

Time: O(n log(n) keys) for each level of the partings, of which there are about log2(n / k).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.shared_records import SharedRecords

__all__ = ["branched"]

CUTS = np.arange(1, 10) / 10.0  # shares of the records on one side of a cut

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass
class _Best:
    """The best parting so far: a tree, or the values and the one at which the right side begins."""

    power: float | None
    worth: float = 0.0
    tree: int = -1
    values: Floats | None = None
    cut: float = 0.0

    def better(self, gain: float, bits: float, width: float) -> bool:
        """Whether this parting is worth more, in which case it is now the measure."""
        worth = width if self.power is None else gain / bits**self.power
        if gain <= 1e-12 or worth <= self.worth:
            return False
        self.worth = worth
        return True


def branched(records: SharedRecords, rows: Ints, k: int, power: float | None) -> Ints:
    """`rows` in an order in which neighbors share much.

    Parameters
    ----------
    records : SharedRecords
        What is released of all records.
    rows : array of int
        Those of one stratum.
    k : int
        Least records of a group.
    power : float or None
        Of the bits that a parting takes; None parts the widest key.
    """
    done: list[Ints] = []
    trees = len(records.starts) - 1
    stack = [(rows, tuple(np.diff(records.starts).tolist()))]
    while stack:
        some, depths = stack.pop()
        if len(some) < 2 * k:
            done.append(some)
            continue
        best = _Best(power)
        depths = tuple(_look(records, some, t, depths[t], k, best) for t in range(trees))
        for m in range(records.lows.shape[1]):
            _look_at_interval(records.lows[some, m], records.highs[some, m], k, best)
        if records.points.shape[1]:
            _look_at_points(records.points[some], k, best)
        if best.worth <= 0.0:
            done.append(some)
        elif best.values is not None:
            left = best.values < best.cut
            stack += [(some[~left], depths), (some[left], depths)]
        else:
            stack += _branches(records, some, best.tree, depths, k)
    return np.concatenate(done)


def _look(records: SharedRecords, some: Ints, tree: int, depth: int, k: int, best: _Best) -> int:
    """The levels of a tree that records differ on; and whether to part them by the topmost."""
    start = records.starts[tree]
    while depth > 0:
        nodes = records.nodes[some, start + depth - 1]
        if nodes.min() != nodes.max():
            break
        depth -= 1
    if depth == 0:
        return 0
    counts = np.bincount(nodes)
    counts = counts[counts > 0]
    share = counts / len(some)
    gain = records.weights[start + depth - 1] * share[counts >= k].sum()
    width = records.weights[start : start + depth].sum()
    if best.better(float(gain), float(-(share * np.log2(share)).sum()), float(width)):
        best.tree, best.values = tree, None
    return depth


def _branches(
    records: SharedRecords, some: Ints, tree: int, depths: tuple[int, ...], k: int
) -> list[tuple[Ints, tuple[int, ...]]]:
    """Records by their labels; those of labels with fewer than k stay together."""
    nodes = records.nodes[some, records.starts[tree] + depths[tree] - 1]
    order = np.argsort(nodes, kind="stable")
    parts = np.split(some[order], np.flatnonzero(np.diff(nodes[order])) + 1)
    below = tuple(depth - (t == tree) for t, depth in enumerate(depths))
    branches = [(part, below) for part in reversed(parts) if len(part) >= k]
    small = [part for part in parts if len(part) < k]
    return [*branches, (np.concatenate(small), depths)] if small else branches


def _places(ranked: Floats, k: int) -> Ints:
    """Where sorted values may be cut, k or more on either side, equal ones together."""
    near = ranked[(CUTS * len(ranked)).astype(np.int64)]
    places = np.concatenate([np.searchsorted(ranked, near, side) for side in ("left", "right")])
    places = np.unique(places)
    return np.asarray(places[(places >= k) & (places <= len(ranked) - k)], dtype=np.int64)


def _look_at_interval(low: Floats, high: Floats, k: int, best: _Best) -> None:
    order = np.argsort(low, kind="stable")
    x, y = low[order], high[order]
    width = float(y[-1] - x[0])
    places = _places(x, k)
    if not len(places):
        return
    share = places / len(x)
    gains = width - share * (y[places - 1] - x[0]) - (1.0 - share) * (y[-1] - x[places])
    _keep_best(low, x, places, gains, width, best)


def _look_at_points(points: Floats, k: int, best: _Best) -> None:
    """The coordinate that varies most, by what is saved of its squared distances."""
    spread = points.var(axis=0)
    values = points[:, int(spread.argmax())]
    ranked = np.sort(values)
    places = _places(ranked, k)
    if not len(places):
        return
    n, sums = len(ranked), np.cumsum(ranked)
    left, right = sums[places - 1] / places, (sums[-1] - sums[places - 1]) / (n - places)
    gains = places / n * (1.0 - places / n) * np.square(left - right)
    _keep_best(values, ranked, places, gains, float(spread.max()), best)


def _keep_best(
    values: Floats, ranked: Floats, places: Ints, gains: Floats, width: float, best: _Best
) -> None:
    """The cut that gains most for its bits; Mondrian's is the one nearest to the middle."""
    share = places / len(ranked)
    bits = -(share * np.log2(share) + (1.0 - share) * np.log2(1.0 - share))
    worth = -np.abs(share - 0.5) if best.power is None else gains / bits**best.power
    at = int(worth.argmax())
    if best.better(float(gains[at]), float(bits[at]), width):
        best.values, best.cut = values, float(ranked[places[at]])
