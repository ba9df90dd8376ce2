from __future__ import annotations

import signal
import sys
import threading
import time

import numpy as np
import pytest

import coterie
from coterie.partitioning.auto import tiles


def test_no_worse_than_the_paths_it_starts_from(rng):
    X = rng.normal(size=(150, 3))
    p = coterie.partition(X, 4, "auto", random_state=0, iterations=50)
    for method in ("mdav", "mdav-mhm", "npn-mhm", "cbfs-mhm"):
        assert p.sse <= coterie.partition(X, 4, method).sse * (1 + 1e-12)


def test_tiles_hold_every_record_once_and_are_near_equal(rng):
    X = rng.normal(size=(1003, 2))
    parts = tiles(X, 100)
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(1003))
    assert max(map(len, parts)) <= 100
    assert min(map(len, parts)) >= 49


def test_duplicates_are_cut_like_any_other():
    assert max(map(len, tiles(np.zeros((500, 2)), 60))) <= 60


def test_large_tables_are_cut_and_stay_valid(rng):
    X = rng.normal(size=(700, 2))
    p = coterie.partition(X, 3, "auto", tile=50, random_state=0)
    assert p.sizes.min() >= 3
    assert p.sizes.max() <= 5
    again = coterie.partition(X, 3, "auto", tile=50, random_state=0, workers=1)
    assert np.array_equal(p.labels, again.labels)
    assert p.sse < coterie.partition(X, 3, "mdav").sse * 1.1  # borders of tiles cost something


def test_a_time_limit_holds_for_tiles(rng):
    X = rng.normal(size=(2000, 2))
    coterie.partition(X[:300], 3, "auto", tile=50, iterations=1)
    p = coterie.partition(X, 3, "auto", tile=100, time_limit=0.5)
    assert p.runtime < 3.0
    assert p.sizes.min() >= 3


def test_an_interrupt_still_groups_every_record(rng):
    X = rng.normal(size=(2000, 2))
    coterie.partition(X[:300], 3, "auto", tile=50, iterations=1)

    def interrupt(progress):
        raise KeyboardInterrupt

    p = coterie.partition(X, 3, "auto", tile=100, time_limit=20, callback=interrupt)
    assert p.interrupted
    assert p.sizes.min() >= 3
    assert p.sizes.sum() == 2000


def test_an_option_out_of_range_is_refused():
    with pytest.raises(coterie.ParameterError, match=r"'tile'.*at least 10. Got 3"):
        coterie.partition(np.zeros((50, 1)), 3, "auto", tile=3)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_stops_within_a_tile(workers, rng):
    X = rng.normal(size=(6000, 3))
    coterie.partition(X[:300], 3, "auto", tile=50, iterations=1)
    timer = threading.Timer(1.0, signal.raise_signal, [signal.SIGINT])
    timer.start()
    began = time.perf_counter()
    p = coterie.partition(X, 3, "auto", tile=1000, iterations=10**6, workers=workers)
    assert time.perf_counter() - began < 8.0
    assert p.interrupted
    assert p.sizes.min() >= 3


def test_streams_are_not_ignored(rng):
    with pytest.raises(coterie.ParameterError, match="'streams' option"):
        coterie.partition(rng.normal(size=(700, 2)), 3, "auto", tile=50, streams=3)
