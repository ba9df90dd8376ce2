"""MHM: the best cuts of an ordered sequence of points into groups of k..2k-1.

Entry points: `path` and `tour` (Python, make the states), `step_path` and `step_tour` (resumable).

For every end j and every size m the sum of squares of the window (j-m, j] is grown backwards from
j, one point at a time (Welford): it only ever adds what is not negative, so there is nothing to
cancel and no error travels from one window to the next. A block of consecutive ends is grown side
by side, which is what vectorizes.

Several k share the windows, of a path and of a tour. Path: O(n k d) time, O(n) memory for one k.
Tour: the windows are also shared by all 2k-1 rotations, O(n k d + n k^2) time, O(n + k^2) memory;
the best rotation of each k is then cut as a path that begins within the tour.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.base.jit import inner, kernel

__all__ = ["Path", "Tour", "path", "step_path", "step_tour", "tour"]

Windows = namedtuple(
    "Windows",
    [
        "columns",  # (d, length): the points in their order, attribute by attribute
        "smallest",  # sizes of windows wanted: smallest..largest, two points at least
        "largest",
        "mean",  # (d, width): scratch, the mean of the window that ends at each end of a block
        "sse",  # (width,): scratch, its sum of squares
        "gain",  # (width,): scratch
        "cost",  # (largest - smallest + 1, width): what `grow` finds
    ],
)

Path = namedtuple(
    "Path",
    [
        "windows",
        "ks",  # (q,): the least group sizes wanted
        "starts",  # (q,): where the path of each k begins
        "best",  # (q, n + 1): least cost of the points from there to j
        "size",  # (q, n + 1): size of the last group in that cut
        "cursor",  # (1,): ends done
    ],
)

Tour = namedtuple(
    "Tour",
    [
        "windows",  # over the tour and its first 2k-2 points once more, k the greatest
        "ks",  # (q,): the least group sizes wanted
        "n",
        "best",  # (q, 2k, 2k - 1): ring of the last 2k ends, a column for each rotation
        "total",  # (q, 2k - 1): cost of the best cut of each rotation
        "cursor",  # (1,): ends done
    ],
)


def windows(columns, smallest, largest):
    """Scratch for windows of smallest..largest points over (d, length) `columns`."""
    d = columns.shape[0]
    width = int(np.clip(2**16 // largest, 8, 256))
    return Windows(
        columns=columns,
        smallest=smallest,
        largest=largest,
        mean=np.empty((d, width)),
        sse=np.empty(width),
        gain=np.empty(width),
        cost=np.empty((largest - smallest + 1, width)),
    )


def path(points, ks, starts=None):
    """State for cutting the (n, d) `points`, in the order they stand, for each k of `ks`.

    The path of each k begins before the point `starts` says, before the first by default; the cut
    of any number of points from there on can be read from the result.
    """
    n = points.shape[0]
    ks = np.asarray(ks)
    starts = np.zeros_like(ks) if starts is None else np.asarray(starts)
    best = np.full((len(ks), n + 1), np.inf)
    best[np.arange(len(ks)), starts] = 0.0
    return Path(
        windows=windows(
            np.ascontiguousarray(points.T), int(ks.min()), min(n, 2 * int(ks.max()) - 1)
        ),
        ks=ks,
        starts=starts,
        best=best,
        size=np.zeros((len(ks), n + 1), dtype=np.int32),
        cursor=np.zeros(1, dtype=np.int64),
    )


def tour(points, ks):
    """State for finding the best rotation of the closed tour `points`, n >= 2k for each k."""
    n = points.shape[0]
    ks = np.asarray(ks)
    rotations = 2 * int(ks.max()) - 1
    best = np.full((len(ks), rotations + 1, rotations), np.inf)
    best[:, 0, 0] = 0.0
    return Tour(
        windows=windows(
            np.ascontiguousarray(np.concatenate([points, points[: rotations - 1]]).T),
            int(ks.min()),
            rotations,
        ),
        ks=ks,
        n=n,
        best=best,
        total=np.full((len(ks), rotations), np.inf),
        cursor=np.zeros(1, dtype=np.int64),
    )


@inner
def grow(win, begin, ends):
    """Fill `cost` for the windows that end at begin+1 .. begin+ends; return the work done."""
    columns, mean, sse, gain = win.columns, win.mean, win.sse, win.gain
    d = columns.shape[0]
    for b in range(ends):
        sse[b] = 0.0
        for a in range(d):
            mean[a, b] = columns[a, begin + b]
    largest = min(win.largest, begin + ends)
    for m in range(2, largest + 1):
        low = max(0, m - 1 - begin)  # earlier ends have fewer than m points behind them
        share = 1.0 / m
        weight = (m - 1.0) / m
        for b in range(low, ends):
            gain[b] = 0.0
        for a in range(d):
            for b in range(low, ends):
                delta = columns[a, begin + b + 1 - m] - mean[a, b]
                gain[b] += delta * delta
                mean[a, b] += delta * share
        for b in range(low, ends):
            sse[b] += gain[b] * weight
        if m >= win.smallest:
            row = m - win.smallest
            for b in range(low, ends):
                win.cost[row, b] = sse[b]
    return largest * ends


@kernel
def step_path(state, budget):
    """Grow at least `budget` windows unless the path ends first; return how many."""
    win, best, size = state.windows, state.best, state.size
    n = win.columns.shape[1]
    width = win.sse.shape[0]
    work = 0
    while work < budget and state.cursor[0] < n:
        begin = state.cursor[0]
        ends = min(width, n - begin)
        work += grow(win, begin, ends)
        for q in range(state.ks.shape[0]):
            k = state.ks[q]
            for b in range(ends):
                j = begin + b + 1
                if j <= state.starts[q]:
                    continue
                least = np.inf
                chosen = 0
                for m in range(k, min(2 * k - 1, j) + 1):
                    cost = best[q, j - m] + win.cost[m - win.smallest, b]
                    if cost < least:
                        least = cost
                        chosen = m
                best[q, j] = least
                size[q, j] = chosen
        state.cursor[0] = begin + ends
    return work


@kernel
def step_tour(state, budget):
    """Grow at least `budget` windows unless the tour is round; return how many."""
    win, n = state.windows, state.n
    length = win.columns.shape[1]
    width = win.sse.shape[0]
    work = 0
    while work < budget and state.cursor[0] < length:
        begin = state.cursor[0]
        ends = min(width, length - begin)
        grown = grow(win, begin, ends)
        work += grown
        for q in range(state.ks.shape[0]):
            work += grown * (state.ks[q] // 4)
            for b in range(ends):
                rotate(win, state.ks[q], n, begin + b + 1, b, state.best[q], state.total[q])
        state.cursor[0] = begin + ends
    return work


@inner
def rotate(win, k, n, j, b, best, total):
    """The least cost of the points up to `j` in every rotation, and of those that end there."""
    rotations = 2 * k - 1
    ring = 2 * k
    row = j % ring
    for s in range(rotations):
        best[row, s] = np.inf
    for m in range(k, min(2 * k - 1, j) + 1):
        cost = win.cost[m - win.smallest, b]
        before = (j - m) % ring
        for s in range(rotations):
            whole = best[before, s] + cost
            best[row, s] = whole if whole < best[row, s] else best[row, s]
    if j < rotations:
        for s in range(j, rotations):
            best[row, s] = np.inf  # rotation s begins at s, not before
        best[row, j] = 0.0
    if n <= j < n + rotations:
        total[j - n] = best[row, j - n]
