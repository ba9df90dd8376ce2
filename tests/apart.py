"""Programs in a process and session of their own: no signal of theirs reaches pytest."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator

import pytest

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
PATIENCE = 600  # seconds: only an end to a test that hangs, whatever else the machine does


def let_children_hear() -> None:
    """Undo what a job in the background passes on to all that it starts: signals that it ignores.

    A handler that does nothing keeps this process as deaf as it was, and is not inherited.
    """
    for name in ("SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            with contextlib.suppress(ValueError):  # not in the main thread, where handlers are set
                signal.signal(number, lambda number, frame: None)


@contextlib.contextmanager
def started(*arguments: object, **options: object) -> Iterator[subprocess.Popen[str]]:
    """`python ARGUMENTS`, killed with all that it has started when the block is left."""
    process = subprocess.Popen(
        [sys.executable, *map(str, arguments)], text=True, start_new_session=True, **options
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def printed(code: str) -> list[str]:
    """The lines that a program prints, which may signal itself; it must end well."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started("-c", textwrap.dedent(code), **pipes) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    return out.splitlines()


def interrupted(code: str) -> list[str]:
    """Send Ctrl-C to a program once it has printed a line; the lines that it prints after that.

    It must end well: an interrupt that is not caught, or comes too late to be, is a failure.
    """
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started("-c", textwrap.dedent(code), **pipes) as process:
        first = process.stdout.readline()
        assert first, process.communicate(timeout=PATIENCE)[1]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    return out.splitlines()
