"""A limited address space (``ulimit -v``, batch systems): begin modestly, and say what ran out.

Numerical libraries start a thread for each processor as they load, each with buffers of its own.
Under a limit one thread has to do: some of them wait for ever for a buffer that they cannot have.
"""

from __future__ import annotations

import errno
import os

__all__ = ["begin_modestly", "ran_out", "shortage"]

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def limit() -> int | None:
    """Bytes of address space that this process may have; None where there is no limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if most == resource.RLIM_INFINITY else most


def begin_modestly() -> None:
    """Before NumPy is loaded: one thread for each library, unless the caller has chosen."""
    if limit() is not None:
        for name in THREADS:
            os.environ.setdefault(name, "1")


def ran_out(error: BaseException) -> bool:
    """Whether memory, or threads for want of it, is what the error is about."""
    if isinstance(error, MemoryError):
        return True
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    text = str(error).lower()
    signs = ("can't start new thread", "cannot allocate memory", "failed to map segment")
    if any(sign in text for sign in signs):
        return True
    # Compiled code that has no memory left for its own complaint.
    if limit() is not None and isinstance(error, SystemError):
        return True
    # A library that does not fit cannot be loaded, and each one says so in its own words.
    return limit() is not None and isinstance(error, (ImportError, OSError)) and "load" in text


def shortage() -> str:
    """What to tell, in one line."""
    most = limit()
    if most is None:
        return "out of memory; use fewer columns or a machine with more. Nothing written"
    return (
        f"out of memory: the address space is limited to {most // 2**20} MiB (ulimit -v). Raise "
        "the limit, to 4 GiB for a start. Nothing written"
    )
