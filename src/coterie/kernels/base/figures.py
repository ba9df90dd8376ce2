"""The figures of a group: its centroid, its SSE and how far each member is from the centroid.

Entry point: `figures`, of groups in lists and in slots; groups in blocks, whose rows are single
precision side by side, get theirs from `strips.center`. From the members alone: O(size d), no
drift. In which order the members are listed decides how the sums are rounded.
"""

from coterie.kernels.base.jit import inlined
from coterie.kernels.base.rows import add_to_mean, begin_mean, end_mean, squared

__all__ = ["figures"]


@inlined
def figures(
    points,
    members,
    row,
    count,
    own,  # out: squared distance of each member to the centroid
    centroids,  # out
    g,
):
    """Figures of group `g`, the first `count`, at least one, of a row of `members`.

    Returns the SSE and the largest squared distance.
    """
    first = members[row, 0]
    begin_mean(centroids, g)
    for m in range(1, count):
        add_to_mean(points, members[row, m], first, centroids, g)
    end_mean(points, first, count, centroids, g)
    sse = 0.0
    largest = 0.0
    for m in range(count):
        i = members[row, m]
        own[i] = squared(points, i, centroids, g)
        sse += own[i]
        largest = max(largest, own[i])
    return sse, largest
