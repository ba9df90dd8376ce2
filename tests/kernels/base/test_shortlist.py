"""Lists of near records beside those of a plain sort."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.kernels.base import shortlist

pytestmark = pytest.mark.nojit


def nearest(points, x, some, count):
    """The `count` nearest of `some` records to `x`, and how far they are."""
    away = {y: float(np.square(points[x] - points[y]).sum()) for y in some if y != x}
    found = sorted(away, key=lambda y: away[y])[:count]
    return found, [away[y] for y in found]


def lists(points, rng, count):
    """For each record the nearest of a few that are drawn: as a cutting leaves them."""
    n = len(points)
    rows = [
        nearest(points, x, rng.choice(n, 3 * count, replace=False).tolist(), count)
        for x in range(n)
    ]
    near = np.array([row[0] for row in rows], dtype=np.int32)
    return near, np.array([row[1] for row in rows])


def test_joined_lists_are_the_nearest_of_near_ones(rng):
    points = rng.normal(size=(60, 3))
    near, away = lists(points, rng, 5)
    before, far = near.copy(), away.copy()
    part = rng.permutation(60)[:40]
    shortlist.join(points, part, before, near, away)
    for x in range(60):
        if x not in part:
            assert (near[x] == before[x]).all()
            assert (away[x] == far[x]).all()
            continue
        some = set(before[x].tolist()).union(*(before[y].tolist() for y in before[x]))
        wanted, distances = nearest(points, x, sorted(some), 5)
        assert near[x].tolist() == wanted
        assert away[x] == pytest.approx(distances)
    assert (away < far).any()


def test_merged_lists_are_the_nearest_of_both(rng):
    points = rng.normal(size=(40, 2))
    near, away = np.full((40, 4), -1, dtype=np.int32), np.full((40, 4), np.inf)
    seen = {x: set() for x in range(40)}
    for _ in range(3):
        part = rng.permutation(40)[:25]
        rows = [nearest(points[part], i, range(25), 4) for i in range(25)]
        found = np.array([row[0] for row in rows])
        shortlist.merge(part, found, np.array([row[1] for row in rows]), near, away)
        for i, x in enumerate(part.tolist()):
            seen[x] |= set(part[found[i]].tolist())
    for x, some in seen.items():
        wanted, distances = nearest(points, x, sorted(some), 4)
        assert near[x, : len(wanted)].tolist() == wanted
        assert away[x, : len(wanted)] == pytest.approx(distances)
