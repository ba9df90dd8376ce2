"""HiGHS, loaded when it is first needed, on one thread, ended by the clock or by Ctrl-C.

Any number of models may be at work in a process. `highspy.Highs.startSolve` allows for one: its
locks belong to the class, not to the model. So each run has a thread of our own, which takes none.

References
----------
Huangfu, Hall (2018), Mathematical Programming Computation 10:119-142.
"""

from __future__ import annotations

import atexit
import threading
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
    work = _Work(model)
    ended = True
    try:
        work.start()
        while not work.done.is_set():
            work.done.wait(HEARTBEAT)
            if run.out_of_time:
                ended = False
                if not work.ends():
                    return None
            run.tell(phase)
    except BaseException:
        work.ends()
        raise
    work.join()
    if work.failure is not None:
        raise work.failure
    # HiGHS may be the first to see that the time is up.
    return ended and model.getModelStatus() != highs().HighsModelStatus.kTimeLimit


class _Work(threading.Thread):
    """One run of a model, which it keeps alive until HiGHS has come back.

    `done` says whether it has: in Python 3.11, a thread whose `join` is interrupted by Ctrl-C is
    taken for one that has ended, by `is_alive` as well.
    """

    def __init__(self, model: Any) -> None:
        super().__init__(name="HiGHS", daemon=True)  # `_end_all` waits, and can tell it to end
        self.model = model
        self.stopping = threading.Event()
        self.done = threading.Event()
        self.failure: BaseException | None = None

    def run(self) -> None:
        model = self.model
        looks = (model.cbSimplexInterrupt, model.cbIpmInterrupt, model.cbMipInterrupt)
        try:
            for look in looks:
                look.subscribe(self._looked_up)
            model.run()
            for look in looks:
                look.unsubscribe(self._looked_up)
            # The workers of HiGHS belong to this thread; on Windows they may hold up its end.
            model.resetGlobalScheduler(False)
        except BaseException as error:  # for the thread that waits
            self.failure = error
        finally:
            self.done.set()

    def _looked_up(self, event: Any) -> None:
        if event.data_in is not None:  # said each time: a model keeps an earlier stop
            event.data_in.user_interrupt = self.stopping.is_set()

    def ends(self) -> bool:
        """Tell HiGHS to end; whether it does within `GRACE`."""
        self.stopping.set()
        return self.done.wait(GRACE)


@atexit.register
def _end_all() -> None:
    """Tell every run to end, and wait for it.

    A thread that comes back from HiGHS to an interpreter that is gone aborts the process.
    """
    at_work = [thread for thread in threading.enumerate() if isinstance(thread, _Work)]
    for work in at_work:
        work.stopping.set()
    for work in at_work:
        work.done.wait()
