"""A clock for the driver that a test moves: no result depends on how busy the machine is."""

from __future__ import annotations

import threading


class Clock:
    """In place of the module `time`: every look takes `tick` seconds, and sleep no real ones."""

    def __init__(self, tick: float = 0.0) -> None:
        self.now = 0.0
        self.tick = tick
        self._lock = threading.Lock()

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.now += seconds

    def perf_counter(self) -> float:
        self.sleep(self.tick)
        return self.now
