"""Steps of resumable kernels: none for nothing, no standing still, and the work as it was done."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from coterie.kernels.base import groups
from coterie.kernels.base.leaves import BOXES, DISTANCES, SIZE
from coterie.kernels.constructive import cbfs, mdav, vmdav
from coterie.kernels.path import mhm
from coterie.kernels.search import cycles, exchange

N, K, COUNT = 23, 2, 8
LABELS = np.sort(np.arange(N) % COUNT)  # groups of three, the last of two


def partition(points):
    return groups.groups(points, LABELS, K, 2 * K - 1)


def looked(state):
    """What a kernel over leaves has looked at: every distance and every box."""
    return int(state.rest.count[DISTANCES] + state.rest.count[BOXES])


def pairs(state):
    """Pairs of records of different groups, without those of the ranks not done yet."""
    sizes = np.diff(state.starts)[: int(state.cursor[0])]
    return (int(sizes.sum()) ** 2 - int(np.square(sizes).sum())) // 2


class Kernel(NamedTuple):
    """A kernel's step, how its state is made, when it has ended, its work so far, its result."""

    step: Callable
    make: Callable
    done: Callable
    work: Callable
    result: Callable


KERNELS = {
    "mdav": Kernel(
        mdav.step,
        lambda X: mdav.mdav(X, K, 3 * K),
        lambda s: s.cursor[mdav.PHASE] == mdav.DONE,
        looked,
        lambda s: s.labels,
    ),
    "cbfs": Kernel(
        cbfs.step,
        lambda X: cbfs.cbfs(X, K, K, True),
        lambda s: s.rest.count[SIZE] < K,
        looked,
        lambda s: s.labels,
    ),
    "vmdav": Kernel(
        vmdav.step,
        lambda X: vmdav.vmdav(X, K, 1.0),
        lambda s: s.cursor[vmdav.PHASE] == vmdav.DONE,
        looked,
        lambda s: s.labels,
    ),
    "path": Kernel(
        mhm.step_path,
        lambda X: mhm.path(X, [K]),
        lambda s: s.cursor[0] == N,
        lambda s: int(s.cursor[0]) * (2 * K - 1),
        lambda s: s.best,
    ),
    "cycles": Kernel(
        cycles.step,
        lambda X: cycles.cycles(partition(X), np.arange(COUNT)),
        lambda s: s.cursor[0] == COUNT,
        pairs,
        lambda s: s.dist,
    ),
    "exchange": Kernel(
        exchange.step,
        lambda X: exchange.exchange(partition(X), 10**4),
        lambda s: s.cursor[exchange.AT] == N,
        lambda s: int(s.cursor[exchange.AT]) * N,
        lambda s: s.change[: s.cursor[exchange.FOUND]],
    ),
}


def arrays(state):
    """Every array of a state and of the states within it, as it is now."""
    found = []
    for part in state:
        if isinstance(part, np.ndarray):
            found.append(part.tobytes())
        elif isinstance(part, tuple):
            found += arrays(part)
    return found


@pytest.mark.nojit
@pytest.mark.parametrize("name", KERNELS)
def test_a_step_does_what_it_is_given_and_says_how_much(name, rng):
    step, make, done, work, result = KERNELS[name]
    points = rng.normal(size=(N, 2))
    whole, parts = make(points), make(points)
    assert step(whole, 0) == step(parts, 0) == 0
    told = 0
    while not done(parts):
        made = step(parts, 1)
        assert made > 0 or done(parts)  # with nothing done it would never end
        told += made
        assert told == work(parts)
        before = arrays(parts)
        assert step(parts, 0) == 0
        assert arrays(parts) == before
    while not done(whole):
        assert step(whole, 10**9) > 0
    assert work(whole) == told
    assert np.array_equal(result(whole), result(parts))
