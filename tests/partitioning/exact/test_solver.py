"""HiGHS at work: several models at a time, ended by clock, error, Ctrl-C, end of the program."""

from __future__ import annotations

import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import coterie
from coterie.partitioning.driver import Run
from coterie.partitioning.exact import solver
from tests import apart
from tests.partitioning.exact.endless import endless

pytest.importorskip("highspy")

BEGIN = """
from coterie.partitioning.driver import Run
from coterie.partitioning.exact import solver
from tests.partitioning.exact.endless import endless
"""


def linear():
    """The least x >= 1."""
    model = solver.solver()
    model.addVar(1.0, 9.0)
    model.changeColCost(0, 1.0)
    return model


class Deaf:
    """A model that does not look up until `heard`."""

    class Look:
        def subscribe(self, function): ...

        def unsubscribe(self, function): ...

    cbSimplexInterrupt = cbIpmInterrupt = cbMipInterrupt = Look()

    def __init__(self):
        self.heard = threading.Event()

    def setOptionValue(self, name, value): ...

    def getRunTime(self):
        return 0.0

    def run(self):
        self.heard.wait()

    def resetGlobalScheduler(self, blocking): ...


class Enough(Exception):
    """Raised by a callback."""


def test_another_model_is_solved_while_one_is_at_work():
    solved = []

    def meanwhile(progress):
        model = linear()
        solved.append((solver.solve(model, Run(), "linear"), model.getInfo()))
        raise Enough

    with pytest.raises(Enough):
        solver.solve(endless(), Run(callback=meanwhile), "integer")
    ((ended, info),) = solved
    assert ended
    assert info.objective_function_value == 1.0


def test_threads_bound_at_the_same_time_as_one_after_another():
    tables = np.random.default_rng(0).normal(size=(4, 60, 2))

    def bound(X):
        return coterie.lower_bound(X, k=3, method="columns", time_limit=None).value

    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(bound, tables))
    assert together == list(map(bound, tables))


def test_a_solver_left_alone_is_in_nobodys_way(monkeypatch):
    monkeypatch.setattr(solver, "GRACE", 0.0)
    deaf = Deaf()
    assert solver.solve(deaf, Run(time_limit=0.0), "integer") is None
    (left,) = (thread for thread in threading.enumerate() if isinstance(thread, solver._Work))
    assert not left.done.is_set()
    assert left.stopping.is_set()
    assert solver.solve(linear(), Run(), "linear")
    threading.Timer(0.1, deaf.heard.set).start()
    solver._end_all()
    assert left.done.is_set()


def test_a_model_that_was_stopped_can_be_solved_again():
    model = endless()

    def enough(progress):
        raise Enough

    with pytest.raises(Enough):
        solver.solve(model, Run(callback=enough), "integer")
    kind = solver.highs().HighsVarType.kContinuous
    model.changeColsIntegrality(50, np.arange(50, dtype=np.int32), np.full(50, int(kind), np.uint8))
    assert solver.solve(model, Run(), "linear")
    assert model.getModelStatus() == solver.highs().HighsModelStatus.kOptimal


def test_what_the_thread_raises_reaches_the_caller():
    broken = Deaf()
    broken.run = lambda: (_ for _ in ()).throw(MemoryError("bad_alloc"))
    with pytest.raises(MemoryError, match="bad_alloc"):
        solver.solve(broken, Run(), "integer")


@pytest.mark.parametrize("how", ["daemon", "deaf"])
def test_a_program_ends_well_while_highs_is_at_work(how):
    """A thread that comes back from HiGHS to an interpreter that is gone aborts the process."""
    code = {
        "daemon": """
            import threading
            begun = threading.Event()
            work = Run(callback=lambda progress: begun.set())
            arguments = (endless(), work, "integer")
            threading.Thread(target=solver.solve, args=arguments, daemon=True).start()
            begun.wait()
            print("main ends")
        """,
        "deaf": """
            solver.GRACE = 0.0
            solver._Work._looked_up = lambda self, event: None
            model = endless()
            model.setOptionValue("mip_max_nodes", 300)  # else it would never end
            model.setOptionValue = lambda name, value: None  # nor does it see the time limit
            assert solver.solve(model, Run(time_limit=0.0), "integer") is None
            print("main ends")
        """,
    }[how]
    assert apart.printed(BEGIN + textwrap.dedent(code)) == ["main ends"]


@apart.POSIX
def test_ctrl_c_leaves_an_integer_program():
    code = """
        try:
            solver.solve(endless(), Run(callback=lambda progress: print("at work", flush=True)), "")
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """
    lines = apart.interrupted(BEGIN + textwrap.dedent(code))
    assert lines[-1] == "interrupted"


def test_the_clock_ends_an_integer_program():
    model = endless()
    assert solver.solve(model, Run(time_limit=0.2), "integer") is False
    kinds = solver.highs().HighsModelStatus
    assert model.getModelStatus() in (kinds.kInterrupt, kinds.kTimeLimit)
