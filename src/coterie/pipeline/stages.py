"""Seconds of each stage of the pipeline, told to the caller as they end."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from coterie.partitioning.driver import Progress

__all__ = ["Stages"]


@dataclass
class Stages:
    """Seconds of each stage, and the one loop that tells the caller about them."""

    callback: Callable[[Progress], object] | None
    seconds: dict[str, float] = field(default_factory=dict)
    _began: float = field(default_factory=time.perf_counter)

    def done(self, name: str) -> None:
        """The stage `name` ended now."""
        now = time.perf_counter()
        self.seconds[name] = now - self._began
        self._began = now
        self.tell(name, 1.0)

    def tell(self, name: str, fraction: float) -> None:
        """So much of the stage `name` is done."""
        if self.callback is not None:
            since = time.perf_counter() - self._began
            self.callback(Progress(name, sum(self.seconds.values()) + since, fraction=fraction))
