"""Records in the order of a kd-tree's leaves.

Entry point: `kd_order`. O(n log n) time, no memory of its own.
"""

import numpy as np

from coterie.kernels.base.jit import allocating, inner

__all__ = ["kd_order"]

SAMPLE = 128  # records that choose the attribute to cut


@allocating
def kd_order(
    points,
    order,  # in and out
    key,  # scratch, float32
    leaf,
    branch,
):
    """Reorder the records `order` so that each half, half of a half and so on stands apart.

    Cuts fall at multiples of `branch` records, then at multiples of `leaf`: only the last leaf and
    the last branch may be short. Each part is cut in the attribute in which it varies most.
    """
    starts = np.empty(64, dtype=np.int64)
    stops = np.empty(64, dtype=np.int64)
    starts[0] = 0
    stops[0] = order.shape[0]
    waiting = 1
    while waiting > 0:
        waiting -= 1
        start = starts[waiting]
        stop = stops[waiting]
        if stop - start <= leaf:
            continue
        unit = branch if stop - start > branch else leaf
        middle = start + (stop - start + unit - 1) // unit // 2 * unit
        attribute = widest(points, order, start, stop)
        for i in range(start, stop):
            key[i] = points[order[i], attribute]
        cut(key, order, start, stop - 1, middle)
        starts[waiting] = start
        stops[waiting] = middle
        starts[waiting + 1] = middle
        stops[waiting + 1] = stop
        waiting += 2


@inner
def widest(points, order, start, stop):
    """The attribute in which a sample of the records start..stop-1 varies most."""
    best = -1.0
    best_at = 0
    stride = max(1, (stop - start) // SAMPLE)
    for a in range(points.shape[1]):
        origin = points[order[start], a]
        total = 0.0
        squares = 0.0
        drawn = 0
        for i in range(start, stop, stride):
            x = points[order[i], a] - origin
            total += x
            squares += x * x
            drawn += 1
        spread = squares - total * total / drawn
        if spread > best:
            best = spread
            best_at = a
    return best_at


@inner
def cut(
    key,  # out
    order,  # out
    low,
    high,
    middle,
):
    """Reorder low..high of both so that no key before `middle` is greater than one from it on."""
    while low < high:
        pivot = key[(low + high) // 2]
        i = low
        j = high
        while i <= j:
            while key[i] < pivot:
                i += 1
            while key[j] > pivot:
                j -= 1
            if i <= j:
                key[i], key[j] = key[j], key[i]
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            break
