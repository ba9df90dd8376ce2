from __future__ import annotations

import numpy as np
import pytest

import coterie
from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem
from coterie.partitioning.search import paths
from tests import apart


def test_tiles_shrink_with_the_time_limit():
    def size(d, limit):
        return paths.tile_size(1_000_000, d, 5, Run(time_limit=limit))

    sizes = [size(10, limit) for limit in (1, 10, 600)]
    assert sizes == sorted(sizes)
    assert paths.LEAST / 2 < sizes[0] < sizes[-1] == size(10, None) == paths.START_TILE
    assert size(40, None) < paths.START_TILE / 8  # nothing is passed over
    assert paths.tile_size(20_000, 40, 5, Run()) >= 20_000


def test_a_table_that_mdav_takes_no_time_for_is_one_tile():
    for n, d, k in ((100_000, 10, 5), (200_000, 10, 5), (40_000, 30, 10), (10_001, 60, 3)):
        assert paths.tile_size(n, d, k, Run(time_limit=0.2)) >= n
    assert paths.tile_size(1_000_000, 10, 5, Run(time_limit=0.2)) < 100_000


def test_the_start_of_one_large_tile_is_told_and_heeds_the_callback(rng, monkeypatch, clock):
    monkeypatch.setattr(paths, "UNCUT", 1000)
    clock.tick = 0.1  # every look is told
    X = rng.normal(size=(60_000, 6))
    coterie.partition(X[:3000], 3, "optimize", iterations=1, melt=1)  # compiled
    heard = []

    def stop(told):
        heard.append((told.phase, told.fraction))
        if len(heard) == 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        coterie.partition(X, 3, "optimize", callback=stop, workers=2)
    assert {phase for phase, _ in heard} == {"tiles"}


def test_a_start_after_other_work_is_no_interrupt(rng, monkeypatch):
    monkeypatch.setattr(paths, "UNCUT", 100)
    problem = Problem.of(rng.normal(size=(300, 2)), 3)
    run = Run(workers=2)
    first = paths.first_partition(problem, run, 100)
    assert np.array_equal(paths.first_partition(problem, run, 100), first)


@apart.POSIX
def test_ctrl_c_does_not_wait_for_a_tile():
    """A tile of half the table takes long: what is told of it is far from the end."""
    code = """
        import os, signal
        import numpy as np, coterie
        from coterie.partitioning.search import paths
        paths.UNCUT = 1000
        X = np.random.default_rng(0).normal(size=(400_000, 6))
        told = []

        def tell(progress):
            if progress.phase == "tiles" and progress.fraction is not None:
                told.append(progress.fraction)
                if len(told) == 3:  # the first may be of its compilation
                    os.kill(os.getpid(), signal.SIGINT)  # nobody else's time counts

        p = coterie.partition(X, 3, "optimize", workers=2, tile=200_000, callback=tell)
        print(p.interrupted, p.sizes.min() >= 3, max(told) < 0.9)
    """
    assert apart.printed(code) == ["True True True"]
