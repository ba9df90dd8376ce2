"""The course of a search: best SSE against iterations and seconds."""

from __future__ import annotations

import numpy as np

from coterie.partitioning.core import TracePoint
from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem

__all__ = ["Trace"]


class Trace:
    """Notes each improvement; knows the SST, so that it can tell the information loss."""

    def __init__(self, problem: Problem, run: Run) -> None:
        self.run = run
        self.spread = float(np.square(problem.points - problem.points.mean(axis=0)).sum())
        self.points: tuple[TracePoint, ...] = ()

    def note(self, iterations: int, sse: float) -> float:
        """Add a point if `sse` is lower than ever; return the information loss in percent."""
        if not self.points or sse < self.points[-1].sse:
            self.points += (TracePoint(iterations, self.run.seconds, sse),)
        return self._percent(sse)

    @property
    def loss(self) -> float:
        """The least information loss so far, in percent."""
        return self._percent(self.points[-1].sse)

    def _percent(self, sse: float) -> float:
        return 100.0 * sse / self.spread if self.spread > 0 else 0.0
