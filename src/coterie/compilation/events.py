"""Who wants to know what is being compiled: a kernel's first use on a machine takes seconds.

Entry point: `heard`. Nothing here loads Numba; `loading` tells of what Numba does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["Compiling", "heard", "tell"]


@dataclass(frozen=True)
class Compiling:
    """One function on its way to machine code.

    Attributes
    ----------
    function : str
        Module and name, for example ``"annealing.step"``.
    done, total : int
        Functions compiled so far, of those that the kernel in question is made of.
    seconds : float or None
        What the whole kernel took, at its end; None before.
    """

    function: str
    done: int
    total: int
    seconds: float | None = None


Listener = Callable[[Compiling], object]

_listeners: list[Listener] = []


@contextmanager
def heard(listener: Listener) -> Iterator[None]:
    """Within, call `listener` before each function that is compiled and at each kernel's end.

    It is called by the thread that compiles. What it raises ends the compilation and reaches the
    caller of the kernel.

    Examples
    --------
    >>> from coterie.compilation import events
    >>> seen = []
    >>> with events.heard(seen.append):
    ...     events.tell(events.Compiling("mdav.rounds", 0, 9))
    >>> seen[0].function
    'mdav.rounds'
    """
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def tell(event: Compiling) -> None:
    """Call every listener."""
    for listener in tuple(_listeners):
        listener(event)
