"""HiGHS, loaded when it is first needed, on one thread, ended by the clock or by Ctrl-C.

References
----------
Huangfu, Hall (2018), Mathematical Programming Computation 10:119-142.
"""

from __future__ import annotations

import atexit
from typing import Any

from coterie.errors import MissingDependency
from coterie.imports.optional import needed
from coterie.partitioning.driver import Run

__all__ = ["have_highs", "highs", "solve", "solver"]

HEARTBEAT = 0.05  # seconds between two looks at the clock while HiGHS is at work
GRACE = 1.0  # seconds that it gets to end when the time is up


def highs() -> Any:
    """The package `highspy`, or the command that installs it."""
    return needed("highspy", "A linear or integer program", None)


def have_highs() -> bool:
    """Whether linear and integer programs can be solved here."""
    try:
        highs()
    except MissingDependency:
        return False
    return True


def solver() -> Any:
    """An empty model: silent, one thread, always the same path to the answer."""
    model = highs().Highs()
    for name, value in {"output_flag": False, "threads": 1, "random_seed": 0}.items():
        model.setOptionValue(name, value)
    model.HandleUserInterrupt = True
    return model


def solve(model: Any, run: Run, phase: str) -> bool | None:
    """Run `model` until it ends by itself (True) or the time is up (False).

    It runs in a thread of its own, so that the clock and the callback are looked after and Ctrl-C
    arrives while it works. Between two rounds of cut separation HiGHS may not look up for ten
    seconds: then it is left to end alone, and the model must not be asked for anything (None).
    """
    if run.time_limit is not None:  # looked at by HiGHS in places where it takes no interrupt
        left = max(run.time_limit - run.seconds, 0.01)
        model.setOptionValue("time_limit", model.getRunTime() + left)
    thread = model.startSolve()
    ended = True
    try:
        while thread.is_alive():
            thread.join(HEARTBEAT)
            if run.out_of_time:
                ended = False
                model.cancelSolve()
                if _outlives(thread):
                    return None
            run.tell(phase)
    except BaseException:
        model.cancelSolve()
        _outlives(thread)
        raise
    # HiGHS may be the first to see that the time is up.
    return ended and model.getModelStatus() != highs().HighsModelStatus.kTimeLimit


def _outlives(thread: Any) -> bool:
    """Whether a thread that was told to end takes longer than `GRACE`.

    The interpreter then waits for it before it ends itself: a thread that comes back from HiGHS to
    an interpreter that is gone aborts the process.
    """
    thread.join(GRACE)
    if thread.is_alive():
        atexit.register(thread.join)
    return bool(thread.is_alive())
