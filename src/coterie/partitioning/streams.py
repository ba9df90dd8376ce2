"""Lines of work that can be left between any two steps, and what is told of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["Drive", "KernelStream", "Progress", "SingleStep", "Stream", "counted", "leaving"]


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
