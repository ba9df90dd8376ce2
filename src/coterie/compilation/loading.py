"""Numba, loaded without what no kernel needs, and made to tell when it compiles."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

from numba.core import event

from coterie.compilation.events import Compiling, tell

__all__ = ["leave_blas_out", "listen"]


def leave_blas_out() -> None:
    """Let Numba begin without SciPy's BLAS, which no kernel calls.

    Numba looks for it while it loads and asks again before any use. The first look takes as long as
    half the rest of Numba, and where memory is limited (``ulimit -v``) the library may wait for
    ever for buffers that it cannot have, deaf to Ctrl-C.
    """
    if "numba.np.arraymath" in sys.modules:
        return
    try:
        from numba.np import linalg
    except ImportError:  # another Numba keeps it elsewhere, and may look
        return
    look = getattr(linalg, "ensure_blas", None)
    if look is None:
        return
    linalg.ensure_blas = lambda: None
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = look


def listen() -> None:
    """Tell `events` of every function of ours that is compiled; what is found again is not."""
    event.register("numba:compile", _Forward())


class _Forward(event.Listener):
    """From Numba's events, nested as functions are, to ours, a kernel at a time."""

    def __init__(self) -> None:
        self.here = threading.local()

    def on_start(self, reported: Any) -> None:
        function = reported.data["dispatcher"].py_func
        if not function.__module__.startswith("coterie."):
            return
        here = self.here
        if not getattr(here, "depth", 0):
            here.depth, here.done, here.began = 0, 0, time.perf_counter()
            here.total = len(_uncompiled(reported.data["dispatcher"], set()))
        here.depth += 1
        tell(Compiling(_name(function), here.done, max(here.total, here.done + 1)))

    def on_end(self, reported: Any) -> None:
        function = reported.data["dispatcher"].py_func
        if not function.__module__.startswith("coterie."):
            return
        here = self.here
        here.depth -= 1
        here.done += 1
        if here.depth == 0:
            seconds = time.perf_counter() - here.began
            tell(Compiling(_name(function), here.done, here.done, seconds))


def _name(function: Any) -> str:
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def _uncompiled(dispatcher: Any, seen: set[Any]) -> set[Any]:
    """The dispatcher and those that it leads to, without what this process has compiled."""
    if dispatcher in seen or dispatcher.overloads:
        return seen
    seen.add(dispatcher)
    function = dispatcher.py_func
    for name in function.__code__.co_names:
        called = function.__globals__.get(name)
        if hasattr(called, "py_func"):
            _uncompiled(called, seen)
    return seen
