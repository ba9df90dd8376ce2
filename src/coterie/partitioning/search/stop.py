"""When an iterated search stops: iterations, seconds, a target, or no more improvement."""

from __future__ import annotations

import math
from dataclasses import dataclass

from coterie.partitioning.driver import Run

__all__ = ["ITERATIONS", "Stop"]

ITERATIONS = 5000  # of the publications, where the caller sets no limit of any kind


@dataclass(frozen=True)
class Stop:
    """What ends a search besides the clock, which the driver watches.

    Attributes
    ----------
    iterations : float
        Most iterations of each stream; infinite if something else ends it.
    goal : float
        SSE at which to stop, -1 for none.
    patience : int
        Iterations of a stream without improvement after which it stops.
    """

    iterations: float
    goal: float
    patience: int

    @classmethod
    def of(
        cls,
        run: Run,
        target: float | None,
        patience: int | None,
        spread: float,
        default: float = ITERATIONS,
    ) -> Stop:
        """From what the caller asks for; `target` is an information loss, `spread` the SST.

        Without any a stream ends after `default` iterations.
        """
        iterations: float = math.inf
        if run.iterations is not None:
            iterations = run.iterations
        elif run.time_limit is None and target is None and patience is None:
            iterations = default
        goal = -1.0 if target is None else target / 100.0 * spread
        return cls(iterations, goal, 2**62 if patience is None else patience)
