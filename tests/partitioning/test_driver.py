"""The driver on streams that only count: limits, callbacks, interrupts, threads."""

from __future__ import annotations

import contextlib
import threading
import time

import pytest

from coterie.partitioning.driver import Drive, Progress, Run
from tests import apart


class Counter:
    """A stream that counts its units; each step takes `nap` seconds of a clock."""

    def __init__(self, end=None, nap=0.0, clock=time, interrupt_at=None):
        self.count, self.end, self.interrupt_at = 0, end, interrupt_at
        self.nap, self.clock = nap, clock
        self.steps = []
        self.threads = set()

    @property
    def done(self):
        return self.end is not None and self.count >= self.end

    @property
    def progress(self):
        return None if self.end is None else self.count / self.end

    def step(self, budget):
        if budget == 0:
            return 0
        self.threads.add(threading.current_thread().name)
        self.clock.sleep(self.nap)
        work = budget if self.end is None else min(budget, self.end - self.count)
        self.count += work
        self.steps.append(work)
        if self.interrupt_at is not None and self.count >= self.interrupt_at:
            raise KeyboardInterrupt
        return work


def test_one_stream_runs_to_its_end():
    stream = Counter(end=12_345)
    assert Run().drive([stream], phase="x") == Drive("finished", 0, 0)
    assert stream.count == 12_345


def test_steps_are_adapted_to_their_time(clock):
    stream = Counter(end=10**9, nap=0.001, clock=clock)
    Run().drive([stream], phase="x")
    assert stream.steps[0] < 10_000  # begins carefully
    assert len(stream.steps) < 60  # and grows


def test_slow_steps_shrink(clock):
    class Slow(Counter):
        def step(self, budget):
            clock.sleep(budget * 1e-4)
            return super().step(budget)

    stream = Slow(end=8000)
    Run().drive([stream], phase="x")
    assert max(stream.steps[2:-1]) < 1000


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_iterations_are_exact_on_any_number_of_workers(workers):
    streams = [Counter() for _ in range(3)]
    seen = []
    drive = Run(iterations=250, workers=workers).drive(
        streams, phase="x", epoch=100, barrier=lambda done: seen.append(done)
    )
    assert drive == Drive("iterations", 3, 250)
    assert [s.count for s in streams] == [250] * 3
    assert seen == [100, 200, 250]
    if workers > 1:
        assert all("coterie" in name for s in streams for name in s.threads)


@pytest.mark.parametrize("granted", [0, 1, 2])
def test_fewer_threads_than_wanted_do_the_same_work(granted, monkeypatch):
    """Under ``ulimit -v`` or ``-u`` a thread may not start: what is there does the work."""
    start, started = threading.Thread.start, []

    def limited(self):
        if self.name.startswith("coterie"):
            if len(started) == granted:
                raise RuntimeError("can't start new thread")
            started.append(self)
        start(self)

    monkeypatch.setattr(threading.Thread, "start", limited)
    streams = [Counter() for _ in range(5)]
    drive = Run(iterations=100, workers=4).drive(streams, phase="x", epoch=100)
    assert drive == Drive("iterations", 1, 100)
    assert [s.count for s in streams] == [100] * 5
    assert len(started) == granted


def test_no_thread_outlives_a_drive():
    before = set(threading.enumerate())  # one of an earlier test may end meanwhile
    Run(iterations=300, workers=3).drive([Counter() for _ in range(4)], phase="x", epoch=100)
    assert set(threading.enumerate()) <= before

    class Fails(Counter):
        def step(self, budget):
            if budget and self.count > 200:
                raise ValueError("broken")
            return super().step(budget)

    with pytest.raises(ValueError, match="broken"):
        Run(workers=3).drive([Fails(), Counter(nap=0.001), Counter()], phase="x", epoch=10**6)
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("workers", [1, 2])
def test_time_limit_ends_at_an_epoch(clock, workers):
    streams = [Counter(nap=0.01, clock=clock), Counter(nap=0.01, clock=clock)]
    run = Run(time_limit=0.2, workers=workers)
    drive = run.drive(streams, phase="x", epoch=500)
    assert drive.ended == "time"
    assert drive.iterations == drive.epochs * 500
    assert {s.count for s in streams} == {drive.iterations}
    steps = len(streams[0].steps) + len(streams[1].steps)
    assert run.seconds == pytest.approx(0.01 * steps)
    assert 20 <= steps <= 22  # at the first barrier after the limit


def test_compilation_is_not_counted(clock):
    class Compiles(Counter):
        def step(self, budget):
            if budget == 0:
                clock.sleep(0.2)
            return super().step(budget)

    run = Run()
    run.drive([Compiles(end=10, nap=0.03, clock=clock)], phase="x")
    assert run.compiling == pytest.approx(0.2)
    assert run.seconds == pytest.approx(0.03)


@pytest.mark.parametrize("workers", [1, 2])
def test_callback_hears_of_progress_in_this_thread(workers):
    told = []

    def callback(progress):
        told.append((progress, threading.current_thread()))

    run = Run(iterations=300, workers=workers, callback=callback)
    run.drive([Counter(), Counter()], phase="search", epoch=100, barrier=lambda done: 5.0)
    assert all(thread is threading.current_thread() for _, thread in told)
    last = told[-1][0]
    assert isinstance(last, Progress)
    assert (last.phase, last.iterations, last.information_loss) == ("search", 300, 5.0)


def test_callback_hears_the_share_of_a_long_computation(clock):
    told = []
    Run(callback=told.append).drive([Counter(end=10**8, nap=0.02, clock=clock)], phase="x")
    shares = [p.fraction for p in told if p.fraction is not None]
    assert len(shares) >= 2
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_callback_raises_reaches_the_caller_and_stops_the_threads(workers):
    def refuse(progress):
        raise RuntimeError("enough")

    streams = [Counter(nap=0.001) for _ in range(2)]
    with pytest.raises(RuntimeError, match="enough"):
        Run(workers=workers, callback=refuse).drive(streams, phase="x", epoch=10**9)
    assert not [t for t in threading.enumerate() if t.name.startswith("coterie")]


def test_what_a_worker_raises_reaches_the_caller():
    class Fails(Counter):
        def step(self, budget):
            if budget:
                raise ZeroDivisionError
            return 0

    with pytest.raises(ZeroDivisionError):
        Run(workers=2).drive([Counter(nap=0.001), Fails()], phase="x", epoch=10**9)


def test_interrupt_is_raised_or_ends_the_search():
    with pytest.raises(KeyboardInterrupt):
        Run().drive([Counter(end=10**9, interrupt_at=2000)], phase="x")
    drive = Run().drive([Counter(interrupt_at=2000)], phase="x", epoch=1500, anytime=True)
    assert drive == Drive("interrupted", 1, 1500)


DEAF = """
    import contextlib, signal, time
    from coterie.partitioning.driver import Run
    from tests.partitioning.test_driver import Counter

    class Deaf(Counter):
        sent = False

        def step(self, budget):
            work = super().step(budget)
            if budget and not self.sent:
                self.sent = True
                with contextlib.suppress(KeyboardInterrupt):
                    signal.raise_signal(signal.SIGINT)
                    time.sleep(0.001)  # handled here, if this is the main thread
            return work

    usual = signal.getsignal(signal.SIGINT)
    streams = [Deaf(nap=0.001), Counter(nap=0.001)]
    run = Run(workers={workers})
    print(run.drive(streams, phase="x", epoch=10**9, anytime=True).ended)
    print(signal.getsignal(signal.SIGINT) is usual)
"""


@apart.POSIX
@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_that_is_lost_in_a_step_still_ends_the_search(workers):
    """Compiled code clears what its own checks raise, and a signal may be handled in there."""
    assert apart.printed(DEAF.format(workers=workers)) == ["interrupted", "True"]


def test_a_part_may_have_a_limit_of_its_own(clock):
    run = Run(time_limit=100.0)
    with run.within(0.0):
        assert run.out_of_time
    with run.within(2.0):
        clock.sleep(1.9)
        assert not run.out_of_time
        clock.sleep(0.1)
        assert run.out_of_time
    with run.within(None):
        assert run.time_limit == 100.0
    with run.within(1000.0):
        assert run.time_limit == 100.0
    assert not run.out_of_time
    free = Run()
    with contextlib.suppress(KeyError), free.within(0.0):
        assert free.out_of_time
        raise KeyError
    assert free.time_limit is None


def test_the_whole_is_told_while_a_part_is_at_work():
    heard = []
    run = Run(callback=heard.append)
    with run.telling(7, 3.5):
        run.tell("part", iterations=1, loss=99.0, at_least=0.0)
    run.tell("whole", iterations=8, loss=3.0, at_least=0.0)
    assert [(t.phase, t.iterations, t.information_loss) for t in heard] == [
        ("part", 7, 3.5),
        ("whole", 8, 3.0),
    ]
