"""Rows of a table by their numbers: their distances, copies of them, and the mean of some.

Entry points: `squared`, `squared_to`, `coordinates`, and `begin_mean`, `add_to_mean`, `end_mean`.

Rows by number, not as views: making a view costs as much as a distance. Sums go from attribute to
attribute in order, so that equal rows have equal distances to the last bit.
"""

from coterie.kernels.base.jit import inlined, inner

__all__ = ["add_to_mean", "begin_mean", "coordinates", "end_mean", "squared", "squared_to"]


@inlined
def squared(rows, i, others, j):
    """Squared distance of row `i` of `rows` and row `j` of `others`."""
    d2 = 0.0
    for a in range(rows.shape[1]):
        t = rows[i, a] - others[j, a]
        d2 += t * t
    return d2


@inner
def squared_to(rows, i, point):
    """Squared distance of row `i` and a point."""
    d2 = 0.0
    for a in range(point.shape[0]):
        t = rows[i, a] - point[a]
        d2 += t * t
    return d2


@inner
def coordinates(rows, i, out):
    """Write row `i` into `out`."""
    for a in range(out.shape[0]):
        out[a] = rows[i, a]


# A mean is that of the differences from its first row: equal rows have exactly their value as mean.


@inlined
def begin_mean(
    means,  # out
    g,
):
    """Begin the mean `g` of some rows, the first of which is not added."""
    for a in range(means.shape[1]):
        means[g, a] = 0.0


@inlined
def add_to_mean(
    rows,
    i,
    first,
    means,  # out
    g,
):
    """Add row `i`."""
    for a in range(rows.shape[1]):
        means[g, a] += rows[i, a] - rows[first, a]


@inlined
def end_mean(
    rows,
    first,
    count,
    means,  # out
    g,
):
    """The mean `g` of `count` rows is what was added, divided, and the first of them."""
    for a in range(rows.shape[1]):
        means[g, a] = rows[first, a] + means[g, a] / count
