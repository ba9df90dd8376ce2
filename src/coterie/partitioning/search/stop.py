"""When a search stops: iterations, seconds, a target, or no more improvement.

A `Stop` is what was asked for, a `Budget` what is left of it: the only place in which a phase of
`optimize` looks at a clock. There iterations are regions of each walk; a step of columns counts as
one, too. Whatever changes the partition is counted, so that the seed, the settings and the
iterations of the last change replay it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from coterie.partitioning.driver import Run

__all__ = ["ITERATIONS", "Budget", "Stop"]

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


@dataclass
class Budget:
    """Limits of one search and what was spent.

    Attributes
    ----------
    run : Run
        Its clock, callback, workers and seed.
    stop : Stop
        Iterations, target and patience.
    done : int
        Iterations so far.
    improved : int
        Iterations after which the partition last became better.
    epochs : int
        Completed ones.
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    run: Run
    stop: Stop
    done: int = 0
    improved: int = 0
    epochs: int = 0
    interrupted: bool = False

    @property
    def spent(self) -> float:
        """Seconds so far, without compilation and pauses."""
        return self.run.seconds

    @property
    def limited(self) -> bool:
        """Whether the clock ends the search."""
        return self.run.time_limit is not None

    @property
    def limit(self) -> float:
        """Seconds in all; infinite without a time limit."""
        limit = self.run.time_limit
        return math.inf if limit is None else limit

    @property
    def left(self) -> float:
        """Seconds; infinite without a time limit."""
        return max(self.limit - self.spent, 0.0) if self.limited else math.inf

    @property
    def late(self) -> bool:
        """Whether the clock has ended the search."""
        return self.run.out_of_time

    @property
    def ended(self) -> bool:
        """Whether the clock or Ctrl-C has ended the search."""
        return self.interrupted or self.late

    @property
    def over(self) -> bool:
        """The same, or the iterations wanted are done, or patience is."""
        lately = self.done - self.improved
        return self.ended or self.done >= self.stop.iterations or lately >= self.stop.patience

    def deadline(self, share: float) -> float:
        """When this share of the time limit, from now on, is over; infinite where none is."""
        return self.spent + share * self.limit if self.limited else math.inf

    @contextmanager
    def until(self, deadline: float) -> Iterator[None]:
        """A part of the work that ends then, or with the search."""
        left = deadline - self.spent
        with self.run.within(None if math.isinf(left) else left):
            yield
