"""Signals that end a command: what it had begun is removed first, then the exit code tells which.

Service managers, batch systems and closed terminals end a process by a signal whose usual effect is
that nothing more of it runs. Here a thread waits for them: it removes what the process keeps on the
disk and ends it with 128 plus the signal's number, whatever the main thread is doing. That one, as
soon as it is back from compiled code, stands still, so that it neither writes on nor reports files
that have gone. Ctrl-C stays an interrupt, after which a search gives the best it has found; a
second one, half a second or more after the first, ends the process in the same way.

Only the command line listens; a program that uses the library keeps its own handlers.
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType

from coterie import scratch

__all__ = ["ended", "heard"]

# Their usual effect is to end the process; batch systems send SIGXCPU and the users' two before a
# time limit, and an alarm that was set before the program was started is one.
NAMES = ("SIGHUP", "SIGTERM", "SIGQUIT", "SIGXCPU", "SIGUSR1", "SIGUSR2", "SIGALRM")
AGAIN = 0.5  # seconds from which on a second Ctrl-C is meant as one
LEAVE = 0  # tells the thread that nobody needs it any more; no signal has that number
TRIES = 5
BORN = "multiprocessing.spawn"  # in the command of a process that waits for its task
SETTLE = 0.02  # seconds for a call of the main thread that was under way when the signal came

_ours: list[int] = []  # signals that this module handles now


@contextlib.contextmanager
def heard() -> Iterator[None]:
    """Within the block signals end the process tidily; afterwards all is as it was before."""
    scratch.written.clear()
    if os.name == "nt" or threading.current_thread() is not threading.main_thread():
        try:
            yield
        finally:
            _clear()
        return
    numbers = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    # One that is ignored (nohup) or handled by somebody else is not ours.
    numbers = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    thread = threading.Thread(target=_watch, args=(reader, set(numbers)), daemon=True)
    thread.start()
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    _ours[:] = numbers
    for number in numbers:
        signal.signal(number, _stand_still)
    _mind_forks()
    try:
        yield
    finally:
        _clear()
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(before)
        os.write(writer, bytes([LEAVE]))
        thread.join()  # if it is ending the process, it does so before this returns
        os.close(reader)
        os.close(writer)
        _ours.clear()


def ended(how: str) -> str:
    """The one line for a command that did not come to its end."""
    files = ", ".join(" ".join(name.split()) for name in scratch.written)
    return f"coterie: {how}; " + (f"written before: {files}" if files else "nothing was written")


def _watch(reader: int, numbers: set[int]) -> None:
    """Wait for signals, which Python's own handler writes into a pipe as they come."""
    first: float | None = None
    while True:
        (number,) = os.read(reader, 1)
        if number == LEAVE:
            return
        if number == signal.SIGINT:
            now = time.monotonic()
            if first is not None and now - first >= AGAIN:
                _end(number, "interrupted twice")
            first = now if first is None else first
        elif number in numbers:
            _end(number, f"ended by {signal.Signals(number).name}")


def _end(number: int, how: str) -> None:
    """Remove what is on the disk and end the process; nothing here waits for another thread."""
    for _ in range(TRIES):
        _kill_children()  # workers that still write; Dask would start others in their place
        if scratch.clear(settle=SETTLE):
            break
    _kill_children()
    shown = "\x1b[?25h" if os.isatty(2) else ""  # a progress bar hides the cursor
    with contextlib.suppress(OSError):
        os.write(2, f"{shown}{ended(how)}\n".encode(errors="replace"))
    os._exit(128 + number)


def _kill_children() -> None:
    """End the processes that this one has started for tasks."""
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None:
        with contextlib.suppress(Exception):
            for child in multiprocessing.active_children():
                child.kill()
    # One that is being born is on no list yet, and would find nobody to read its task from. Only
    # Dask starts processes here, and it brings psutil along.
    psutil = sys.modules.get("psutil")
    if psutil is not None:
        with contextlib.suppress(Exception):
            for child in psutil.Process().children():
                if any(BORN in word for word in child.cmdline()):
                    child.kill()


def _stand_still(number: int, frame: FrameType | None) -> None:
    """In the main thread: do nothing more; the other one is ending the process."""
    while True:
        time.sleep(60)


def _clear() -> None:
    """Remove whatever is left, however often somebody presses Ctrl-C meanwhile."""
    while True:
        try:
            scratch.clear()
            return
        except KeyboardInterrupt:
            continue


@functools.cache
def _mind_forks() -> None:
    """A fork has no such thread, and must not end its parent by the pipe that they share.

    Signals wait until the child is as it would be without us.
    """
    blocked = threading.local()

    def wait() -> None:
        blocked.before = signal.pthread_sigmask(signal.SIG_BLOCK, _ours)

    def go_on() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked.before)

    def forget() -> None:
        if _ours:
            signal.set_wakeup_fd(-1)
            for number in _ours:
                signal.signal(number, signal.SIG_DFL)
            _ours.clear()
        go_on()

    os.register_at_fork(before=wait, after_in_parent=go_on, after_in_child=forget)
