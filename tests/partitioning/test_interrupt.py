"""Ctrl-C and callbacks during a long run of a real kernel."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import coterie

LONG = textwrap.dedent("""
    import sys, numpy as np, coterie
    X = np.random.default_rng(0).normal(size=(400_000, 10))
    coterie.partition(X[:100], 3, "mdav")  # compiled before the clock starts
    print("ready", flush=True)
    try:
        coterie.partition(X, 3, "mdav")
    except KeyboardInterrupt:
        print("interrupted", flush=True)
""")


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_ends_a_long_mdav_at_once():
    process = subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline().strip() == "ready"
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        began = time.perf_counter()
        assert process.stdout.readline().strip() == "interrupted"
        waited = time.perf_counter() - began
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.stdout.close()
    # The promise is 0.3 s; a loaded machine that runs tests side by side gets some grace.
    assert waited < 1.0


def test_a_callback_that_raises_stops_it_cleanly():
    X = np.random.default_rng(0).normal(size=(100_000, 4))
    coterie.partition(X[:100], 3, "mdav")

    def enough(progress):
        assert progress.phase == "mdav"
        assert 0 <= progress.fraction <= 1
        raise TimeoutError("enough")

    before = threading.active_count()
    began = time.perf_counter()
    with pytest.raises(TimeoutError, match="enough"):
        coterie.partition(X, 3, "mdav", callback=enough)
    assert time.perf_counter() - began < 3.0
    assert threading.active_count() == before
    # Nothing of the stopped run is left behind: the next one is whole.
    assert coterie.partition(X[:500], 3, "mdav").sizes.sum() == 500
