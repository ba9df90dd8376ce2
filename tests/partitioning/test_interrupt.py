"""Ctrl-C and callbacks during a long run of a real kernel."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import coterie
from tests import apart

LONG = """
    import numpy as np, coterie
    X = np.random.default_rng(0).normal(size=(400_000, 10))
    told = []

    def tell(progress):
        told.append(progress.fraction)
        if len(told) == 1:
            print("at work", flush=True)

    try:
        coterie.partition(X, 3, "mdav", callback=tell)
    except KeyboardInterrupt:
        print("interrupted", told[-1] < 0.9)
"""


AT_WORK = """
    import time
    from coterie.partitioning.driver import Run

    class Slow:
        done, progress, inside = False, None, False

        def step(self, budget):
            if budget:
                print("at work", flush=True)
                self.inside = True
                time.sleep(1.0)
                self.inside = False
            return budget

    streams = [Slow(), Slow()]
    try:
        Run(workers=2).drive(streams, phase="slow")
    except KeyboardInterrupt:
        pass
    print("left", any(one.inside for one in streams))
"""


@apart.POSIX
def test_ctrl_c_waits_for_the_step_that_every_thread_is_in():
    """What they change is read next."""
    assert apart.interrupted(AT_WORK)[-1] == "left False"


@apart.POSIX
def test_ctrl_c_does_not_wait_for_a_long_mdav():
    """It takes minutes to its end, and steps of a twentieth of a second."""
    assert apart.interrupted(LONG) == ["interrupted True"]


def test_a_callback_that_raises_stops_it_cleanly(clock):
    clock.tick = 0.1  # so that the first step is told
    X = np.random.default_rng(0).normal(size=(100_000, 4))
    coterie.partition(X[:100], 3, "mdav")

    def enough(progress):
        assert progress.phase == "mdav"
        assert 0 <= progress.fraction < 0.1
        raise TimeoutError("enough")

    before = set(threading.enumerate())  # one of an earlier test may end meanwhile
    with pytest.raises(TimeoutError, match="enough"):
        coterie.partition(X, 3, "mdav", callback=enough)
    assert set(threading.enumerate()) <= before
    # Nothing of the stopped run is left behind: the next one is whole.
    assert coterie.partition(X[:500], 3, "mdav").sizes.sum() == 500
