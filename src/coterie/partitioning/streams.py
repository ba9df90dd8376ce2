"""Lines of work that can be left between any two steps, threads over them, and what is told."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = [
    "HEARTBEAT",
    "Drive",
    "KernelStream",
    "Progress",
    "SingleStep",
    "Stream",
    "counted",
    "in_threads",
    "leaving",
    "share_done",
]

HEARTBEAT = 0.1  # seconds between two calls of the callback


class Stream(Protocol):
    """A resumable line of work."""

    @property
    def done(self) -> bool:
        """True when nothing is left to do."""

    @property
    def progress(self) -> float | None:
        """Share of the work done, 0..1; None if there is no natural end."""

    def step(self, budget: int) -> int:
        """Do about `budget` units of work (exactly, if they are iterations); return how many."""


@dataclass
class KernelStream:
    """A stream over a kernel's ``step(state, budget)`` and its state."""

    kernel: Callable[[Any, int], int]
    state: Any
    finished: Callable[[Any], bool]
    share: Callable[[Any], float] | None = None

    @property
    def done(self) -> bool:
        """See `Stream`."""
        return self.finished(self.state)

    @property
    def progress(self) -> float | None:
        """See `Stream`."""
        return None if self.share is None else self.share(self.state)

    def step(self, budget: int) -> int:
        """See `Stream`."""
        return int(self.kernel(self.state, budget))


def counted(step: Callable[[Any, int], int], state: Any, total: int) -> KernelStream:
    """A stream over a kernel whose cursor counts what is done, up to `total`."""
    return KernelStream(
        step,
        state,
        finished=lambda s: s.cursor[0] == total,
        share=lambda s: s.cursor[0] / total,
    )


def leaving(
    step: Callable[[Any, int], int], state: Any, finished: Callable[[Any], bool]
) -> KernelStream:
    """A stream over a kernel that records leave: what is left to do falls with their square."""
    from coterie.kernels.base.leaves import SIZE

    n = len(state.rest.slot)
    return KernelStream(step, state, finished, share=lambda s: 1.0 - (s.rest.count[SIZE] / n) ** 2)


@dataclass
class SingleStep:
    """A stream that does all its work, ``work(whole)``, in one short step.

    ``work(False)`` does a little of it, to compile what it calls; it must do no harm to do that
    again.
    """

    work: Callable[[bool], int]
    done: bool = False

    @property
    def progress(self) -> float:
        """See `Stream`."""
        return float(self.done)

    def step(self, budget: int) -> int:
        """See `Stream`."""
        ended = self.work(budget > 0)
        self.done = budget > 0
        return ended


@dataclass(frozen=True)
class Progress:
    """What a callback is told.

    Attributes
    ----------
    phase : str
        What is going on, for example ``"mdav"`` or ``"path"``; ``"compiling"`` while kernels are
        compiled, once on a machine.
    seconds : float
        Since the work began, without compilation.
    fraction : float or None
        Share of this phase that is done, where it has a natural end.
    iterations : int or None
        Iterations of each stream, for a search.
    information_loss : float or None
        Percent, of the best partition so far, for a search.
    lower_bound : float or None
        Percent, below which no partition can go, for a search that has proved one so far.
    """

    phase: str
    seconds: float
    fraction: float | None = None
    iterations: int | None = None
    information_loss: float | None = None
    lower_bound: float | None = None


@dataclass(frozen=True)
class Drive:
    """How a drive ended: ``finished``, ``iterations``, ``time`` or ``interrupted``."""

    ended: str
    epochs: int
    iterations: int


def share_done(streams: Sequence[Stream]) -> float | None:
    """Share of all streams' work that is done; None if one has no natural end."""
    shares = [share for stream in streams if (share := stream.progress) is not None]
    return sum(shares) / len(streams) if len(shares) == len(streams) else None


def in_threads(
    streams: Sequence[Stream],
    advance: Callable[[Stream, Callable[[], object]], None],
    workers: int,
    stop: threading.Event,
    between: Callable[[], object],
) -> bool:
    """Advance every stream in threads, none of which outlives this call.

    With as many as the system grants: limits on memory or processes may allow fewer than
    `workers`. Returns False, nothing done, if it grants none. Between two steps of its stream a
    thread ends if `stop` is set; meanwhile this one calls `between`, which may raise.
    """
    waiting = deque(streams)
    failures: list[BaseException] = []

    def until_stopped() -> None:
        if stop.is_set():
            raise _Stopped

    def work(ended: threading.Event) -> None:
        try:
            while waiting and not stop.is_set():
                try:
                    stream = waiting.popleft()
                except IndexError:  # another thread was quicker
                    return
                advance(stream, until_stopped)
        except _Stopped:
            pass
        except BaseException as error:
            failures.append(error)
            stop.set()
        finally:
            ended.set()

    # Events, not `join`: in Python 3.11 a thread whose `join` Ctrl-C interrupts counts as
    # ended, and what it still changes would be read.
    crew: dict[threading.Thread, threading.Event] = {}
    try:
        for number in range(min(workers, len(streams))):
            ended = threading.Event()
            thread = threading.Thread(target=work, args=(ended,), name=f"coterie_{number}")
            crew[thread] = ended  # before it starts: Ctrl-C may come in between
            try:
                thread.start()
            except RuntimeError:
                del crew[thread]
                break
        for ended in crew.values():
            while not ended.is_set():
                # Bounded: only between two waits can Ctrl-C reach this thread everywhere.
                ended.wait(HEARTBEAT)
                between()
    finally:
        stop.set()
        for thread, ended in crew.items():
            if thread.ident is not None:  # else it has not begun, and will see the stop
                ended.wait()
    if failures:
        raise failures[0]
    return bool(crew)


class _Stopped(Exception):
    """Ends a thread's stream between two steps."""
