"""Ctrl-C that comes while compiled code is called, or calls back, and would be lost there.

Machine code that calls a function of Python cannot pass its exception on: what the function raises
is printed and forgotten, and the compiler goes on without what the function was to do. LLVM calls
back for every kernel that it has compiled; Numba then misses the kernel. That error is taken for
the interrupt that it comes from.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["found_again", "interrupts_heard"]


@contextmanager
def found_again() -> Iterator[None]:
    """Within the block an error after an interrupt that a callback has lost is an interrupt."""
    usual = sys.unraisablehook
    lost = False

    def note(unraised: Any) -> None:
        nonlocal lost
        if unraised.exc_type is KeyboardInterrupt:
            lost = True
        else:
            usual(unraised)

    sys.unraisablehook = note
    try:
        yield
    except Exception as error:
        if lost:
            raise KeyboardInterrupt from error
        raise
    finally:
        sys.unraisablehook = usual


@contextmanager
def interrupts_heard() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, besides raising KeyboardInterrupt as ever.

    An exception that arrives while compiled code is being called can be lost on the way: the call
    clears what its own checks of the arguments raise. The event is looked at between two steps.
    """
    event = threading.Event()
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield event
        return

    def note(number: int, frame: FrameType | None) -> None:
        event.set()
        usual(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        with found_again():
            yield event
    finally:
        signal.signal(signal.SIGINT, usual)
