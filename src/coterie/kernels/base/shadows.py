"""Shadows: coordinates along the few directions in which the points vary most.

Entry points: `principal_axes` (Python), `along`, `cast`. The distance of two shadows is at most
that of the points, so a scan over all groups needs four coordinates to rule out nearly all of them.
Which axes these are changes the speed only.
"""

import numpy as np

from coterie.kernels.base.jit import inlined, inner

__all__ = ["AXES", "along", "cast", "principal_axes"]

AXES = 4


def principal_axes(points):
    """The four directions of largest variance; all of them for up to four attributes."""
    n, d = points.shape
    if d <= AXES:
        return np.eye(d)
    some = points[:: max(1, n // 4096)]
    some = some - some.mean(axis=0)
    _, vectors = np.linalg.eigh(some.T @ some)
    return np.ascontiguousarray(vectors[:, : -AXES - 1 : -1].T)


@inlined
def along(axes, m, rows, i):
    """Coordinate of row `i` of `rows` along axis `m`."""
    total = 0.0
    for a in range(rows.shape[1]):
        total += axes[m, a] * rows[i, a]
    return total


@inner
def cast(axes, rows, i, out):
    """Write the shadow of row `i` of `rows` into `out`."""
    for m in range(axes.shape[0]):
        out[m] = along(axes, m, rows, i)
