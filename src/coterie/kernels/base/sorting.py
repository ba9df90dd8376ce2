"""Sorting by Shell's method: no memory, and what is sorted is small.

Entry points: `sort`, `sort_by`.
"""

from coterie.kernels.base.jit import inlined, inner

__all__ = ["sort", "sort_by"]


@inlined
def widest_gap(count):
    """The first gap: 1, 4, 13, 40 and so on."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    return gap


@inner
def sort(items, count):
    """Sort the first `count` items."""
    gap = widest_gap(count)
    while gap > 0:
        for i in range(gap, count):
            item = items[i]
            j = i
            while j >= gap and items[j - gap] > item:
                items[j] = items[j - gap]
                j -= gap
            items[j] = item
        gap //= 3


@inner
def sort_by(items, count, keys):
    """Sort the first `count` items by ``keys[item]``, then by item."""
    gap = widest_gap(count)
    while gap > 0:
        for i in range(gap, count):
            item = items[i]
            key = keys[item]
            j = i
            while j >= gap:
                other = items[j - gap]
                if keys[other] < key or (keys[other] == key and other < item):
                    break
                items[j] = other
                j -= gap
            items[j] = item
        gap //= 3
