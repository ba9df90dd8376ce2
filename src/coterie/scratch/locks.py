"""Locks on files that end with the process that holds them, however it ends."""

from __future__ import annotations

import errno
import os

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["lock"]

BEYOND = 1 << 20  # on Windows a locked byte cannot be read: one behind the text is taken
BUSY = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)


def lock(descriptor: int) -> bool | None:
    """Take the lock of an open file: True if it is ours now, False if another process has it.

    None on a file system that has no locks. Closing the file gives the lock back.
    """
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt

            os.lseek(descriptor, BEYOND, os.SEEK_SET)
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(descriptor, 0, os.SEEK_SET)
    except OSError as error:
        return False if error.errno in BUSY else None
    return True
