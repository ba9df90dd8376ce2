"""The process of the command line, and how it ends: with the command's exit code, always."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
from typing import NoReturn, TextIO

from coterie.cli import main

__all__ = ["end", "program"]

# New objects between two looks for garbage. Python's own 700 are for programs that go on for ever:
# here they are modules, nearly all of them, and a tenth of the time goes into looking at them.
OBJECTS = 100_000


def program() -> NoReturn:
    """Run the command that the process was started for, and end the process."""
    gc.set_threshold(OBJECTS, 10, 10)
    end(main())


def end(code: int) -> NoReturn:
    """End this process with `code`, whatever threads of other libraries are still alive.

    pyarrow, HiGHS and others keep threads that outlive the call which started them. One that asks
    for the interpreter while it is being taken apart aborts the process, so that a script sees 134
    or 139 in place of our code. Hence it is not taken apart: what was registered for the end is
    run, what was printed is written, and the process is left at once.
    """
    with contextlib.suppress(BaseException):  # Ctrl-C as well: the work is done, and so told
        atexit._run_exitfuncs()
    code = _written(sys.stdout, code)
    code = _written(sys.stderr, code)
    os._exit(code)


def _written(stream: TextIO | None, code: int) -> int:
    """Write what `stream` still holds; a reader that went away is no error, a full disk is."""
    try:
        if stream is not None and not stream.closed:
            stream.flush()
    except BrokenPipeError:
        return code
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError, ValueError):
            why = getattr(error, "strerror", None) or error
            line = f"coterie: standard output cannot be written ({why}). Free space on its disk.\n"
            os.write(2, line.encode())
        return code or 2
    return code
