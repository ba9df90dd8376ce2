"""The one loop around resumable kernels: deadline, iterations, callback, Ctrl-C and streams.

A method is one or several *streams*; a stream advances by short steps and can be left between any
two of them. `Run.drive` advances them, in this thread or on several, and is the only place that
looks at the clock. Two kinds of work pass through it:

- a computation that ends by itself (MDAV, MHM): one stream, driven until it is done;
- a search: a fixed number of logical streams, advanced by epochs of a fixed number of iterations.
  All streams meet at a barrier after each epoch, where the method merges what they found and the
  limits are looked at. The number of workers decides who advances a stream, never how far, so the
  same seed and iterations give the same result on any number of them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from coterie.compilation.events import Compiling, heard
from coterie.compilation.interrupts import interrupts_heard
from coterie.partitioning import pausing
from coterie.partitioning.streams import (
    HEARTBEAT,
    Drive,
    KernelStream,
    Progress,
    SingleStep,
    Stream,
    in_threads,
    share_done,
)

__all__ = ["COMPILING", "Drive", "KernelStream", "Progress", "Run", "SingleStep", "Stream"]

COMPILING = "compiling"  # the phase while kernels are compiled, which happens once on a machine
STEP_SECONDS = 0.04  # what a step is meant to take; it must stay well below 0.1


@dataclass
class Run:
    """What one call of `partition` may spend, and whom it tells. Methods receive it and drive.

    Attributes
    ----------
    time_limit : float or None
        Seconds from the first step on; compilation is not counted.
    iterations : int or None
        Iterations of each stream of a search.
    callback : callable or None
        Called with a `Progress`, always from the calling thread, about ten times a second. What
        it raises ends the run and reaches the caller.
    workers : int
        Threads over which streams are spread.
    seed : numpy.random.SeedSequence
        Source of all randomness.
    compiling : float
        Seconds spent on compilation: within `counting` all of it, and the first, empty step of each
        kind of stream, which loads what was compiled before.
    bound : callable or None
        Gives the percent of information loss that was proved to be the least; for the callback.
    stopping : threading.Event
        Set when threads are to end between two steps; a stream with long steps may look at it.
    """

    time_limit: float | None = None
    iterations: int | None = None
    callback: Callable[[Progress], object] | None = None
    workers: int = 1
    seed: np.random.SeedSequence = field(default_factory=np.random.SeedSequence)
    compiling: float = 0.0
    bound: Callable[[], float] | None = None
    stopping: threading.Event = field(default_factory=threading.Event)
    _began: float = field(default_factory=lambda: time.perf_counter())
    _reported: float = 0.0
    _paused: float = field(default_factory=pausing.seconds)
    _interrupted: threading.Event = field(default_factory=threading.Event)

    @property
    def seconds(self) -> float:
        """Time since the run began, without compilation and pauses."""
        paused = pausing.seconds() - self._paused
        return time.perf_counter() - self._began - self.compiling - paused

    @property
    def out_of_time(self) -> bool:
        """Whether the time limit has passed."""
        return self.time_limit is not None and self.seconds >= self.time_limit

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Compilation by this thread is told to the callback and not counted as work."""
        thread = threading.get_ident()
        at = 0.0

        def note(event: Compiling) -> None:
            nonlocal at
            if threading.get_ident() != thread:
                return
            if event.seconds is not None:
                self.compiling += event.seconds
                return
            if event.done == 0:
                at = self.seconds
            if self.callback is not None:
                self.callback(Progress(COMPILING, at, event.done / event.total))

        with heard(note):
            yield

    @contextmanager
    def within(self, seconds: float | None) -> Iterator[None]:
        """A part of the work with a limit of its own, at most what is left; None for no other."""
        limit = self.time_limit
        if seconds is not None:
            end = self.seconds + seconds
            self.time_limit = end if limit is None else min(limit, end)
        try:
            yield
        finally:
            self.time_limit = limit

    @contextmanager
    def telling(self, iterations: int, loss: float) -> Iterator[None]:
        """A part of the work on some of the records, during which the whole stays as it is.

        It ends by itself: the iterations are the whole's.
        """
        callback, limit = self.callback, self.iterations
        self.iterations = None
        if callback is not None:
            self.callback = lambda reported: callback(
                replace(reported, iterations=iterations, information_loss=loss)
            )
        try:
            yield
        finally:
            self.callback, self.iterations = callback, limit

    def drive(
        self,
        streams: Sequence[Stream],
        *,
        phase: str,
        epoch: int | None = None,
        barrier: Callable[[int], float | None] | None = None,
        anytime: bool = False,
        iterations: float | None = None,
    ) -> Drive:
        """Advance `streams` until they are done or a limit is reached.

        Parameters
        ----------
        streams : sequence of Stream
            Independent of each other between two barriers.
        phase : str
            Told to the callback.
        epoch : int, optional
            Iterations of every stream between two barriers. Without it the streams run to their
            end and no limit applies.
        barrier : callable, optional
            Called after each epoch with the iterations done; merges the streams' findings and
            returns the information loss of the best partition so far, for the callback.
        anytime : bool
            If True, Ctrl-C ends the drive and the streams' findings stand; if False it is raised.
        iterations : float, optional
            Most iterations of each stream in this drive, in place of the run's; ``math.inf`` where
            the streams themselves know their end.
        """
        with interrupts_heard() as self._interrupted:
            self.stopping = threading.Event()  # that of the last work in threads is set
            self._compile(streams[:1])
            pace = _Pace()
            epochs = done = 0
            most = self.iterations if iterations is None else iterations
            try:
                while True:
                    if all(stream.done for stream in streams):
                        return Drive("finished", epochs, done)
                    share = epoch
                    if epoch is not None:
                        if most is not None:
                            share = int(min(epoch, most - done))
                        if share == 0:
                            return Drive("iterations", epochs, done)
                        if self.out_of_time:
                            return Drive("time", epochs, done)
                    self._advance(streams, share, pace, phase)
                    if share is not None:
                        epochs += 1
                        done += share
                    loss = barrier(done) if barrier is not None else None
                    self.tell(phase, iterations=done if epoch else None, loss=loss, at_least=0.0)
            except KeyboardInterrupt:
                if not anytime:
                    raise
                return Drive("interrupted", epochs, done)

    def tell(
        self,
        phase: str,
        *,
        fraction: float | None = None,
        iterations: int | None = None,
        loss: float | None = None,
        at_least: float = HEARTBEAT,
    ) -> None:
        """Call the callback, unless it was called less than `at_least` seconds ago."""
        if self.callback is None:
            return
        now = self.seconds
        if now - self._reported >= at_least:
            self._reported = now
            bound = self.bound() if self.bound is not None else None
            self.callback(Progress(phase, now, fraction, iterations, loss, bound))

    def _between(self, streams: Sequence[Stream], phase: str) -> None:
        """Between two steps: tell how far it is, or end."""
        if self._interrupted.is_set():
            raise KeyboardInterrupt
        self.tell(phase, fraction=share_done(streams))

    def _compile(self, streams: Sequence[Stream]) -> None:
        began, before = time.perf_counter(), self.compiling
        for stream in streams:
            stream.step(0)
        self.compiling = before + time.perf_counter() - began

    def _advance(
        self, streams: Sequence[Stream], share: int | None, pace: _Pace, phase: str
    ) -> None:
        """Advance every stream by `share` units, or to its end if `share` is None."""

        def advance(stream: Stream, between: Callable[[], object]) -> None:
            _advance_one(stream, share, pace, between)

        def between() -> None:
            self._between(streams, phase)

        if min(self.workers, len(streams)) > 1:
            self.stopping = threading.Event()
            if in_threads(streams, advance, self.workers, self.stopping, between):
                return
        for stream in streams:
            advance(stream, between)


class _Pace:
    """Units of work that take about `STEP_SECONDS`, learned as the work goes on."""

    def __init__(self) -> None:
        self.budget = 1000

    def learn(self, work: int, seconds: float) -> None:
        if work > 0:
            factor = STEP_SECONDS / max(seconds, 1e-6)
            self.budget = max(1, int(work * min(max(factor, 0.1), 4.0)))


def _advance_one(
    stream: Stream, share: int | None, pace: _Pace, between: Callable[[], object]
) -> None:
    left = share
    while not stream.done and (left is None or left > 0):
        began = time.perf_counter()
        work = stream.step(pace.budget if left is None else min(left, pace.budget))
        pace.learn(work, time.perf_counter() - began)
        if left is not None:
            left -= work
        between()
