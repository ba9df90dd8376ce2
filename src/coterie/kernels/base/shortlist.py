"""Lists of near records that become better: entry points `merge` and `join`.

`merge` takes O(count) for each record and list, `join` O(d count^2) for each record.
"""

from coterie.kernels.base.jit import inner, kernel
from coterie.kernels.base.rows import squared

__all__ = ["join", "merge"]


@inner
def enter(
    x,
    y,
    d2,
    near,  # (n, count), out
    near_away,  # (n, count), out
):
    """Put `y` into the list of `x` behind those as near, unless it is there; it is near enough."""
    t = near.shape[1] - 1
    for known in range(near.shape[1]):
        if near[x, known] == y:
            return
    while t > 0 and near_away[x, t - 1] > d2:
        near[x, t] = near[x, t - 1]
        near_away[x, t] = near_away[x, t - 1]
        t -= 1
    near[x, t] = y
    near_away[x, t] = d2


@kernel
def merge(
    part,
    found,  # (m, count): places in `part`, nearest first
    away,  # (m, count)
    near,  # (n, count), out: records, nearest first; -1 behind the last
    near_away,  # (n, count), out
):
    """Merge the lists of the records `part` into those of all, without repetition."""
    count = near.shape[1]
    for i in range(part.shape[0]):
        x = part[i]
        for c in range(count):
            y = part[found[i, c]]
            d2 = away[i, c]
            if d2 >= near_away[x, count - 1]:
                break
            enter(x, y, d2, near, near_away)


@kernel
def join(
    points,
    part,
    before,  # (n, count): the lists as they were, so that the order of the records is all one
    near,  # (n, count), out: as in `merge`; without an end
    near_away,  # (n, count), out
):
    """Let the records `part` look at those near to their near ones.

    Dong, Charikar, Li (2011), WWW: 577-586: a neighbor of a neighbor is likely to be one, too.
    """
    count = near.shape[1]
    for i in range(part.shape[0]):
        x = part[i]
        for c in range(count):
            y = before[x, c]
            for e in range(count):
                z = before[y, e]
                if z == x:
                    continue
                d2 = squared(points, x, points, z)
                if d2 < near_away[x, count - 1]:
                    enter(x, z, d2, near, near_away)
