"""Owner: the process that made a scratch folder, and whether it is still at work.

A process number alone does not tell: after a while it belongs to another process, in a container
every first process has the number 1, and on a shared disk it may be a number of another machine. So
the marker holds as well when the process began, in which namespace its number counts, and since
which start the machine has been running. What cannot be told for certain is told as unknown.

A lock on the marker (`lock`) ends with the process that holds it, however it ends.
"""

from __future__ import annotations

import errno
import json
import os
from dataclasses import asdict, dataclass

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["Owner", "lock"]

BEYOND = 1 << 20  # on Windows a locked byte cannot be read: one behind the text is taken
BUSY = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)


@dataclass(frozen=True)
class Owner:
    """A process, told apart from every other that has or had its number.

    Attributes
    ----------
    pid : int
    started : int
        Clock ticks from the machine's start to the process's; 0 where the system does not say.
    namespace : str
        In which `pid` counts; empty where the system has none.
    boot : str
        Drawn anew at every start of the machine; empty where the system does not say.
    host : str
        The machine's name.
    """

    pid: int
    started: int
    namespace: str
    boot: str
    host: str

    @classmethod
    def here(cls) -> Owner:
        """The process that asks."""
        pid = os.getpid()
        found = _began(pid)
        return cls(pid, found or 0, _namespace(), _boot(), _host())

    @classmethod
    def parse(cls, text: bytes) -> Owner | None:
        """What a marker says; None if it was not written to its end."""
        try:
            found = json.loads(text)
            return cls(
                int(found["pid"]),
                int(found["started"]),
                *(str(found[name]) for name in ("namespace", "boot", "host")),
            )
        except (ValueError, TypeError, KeyError):
            return None

    def text(self) -> bytes:
        """For `parse`."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @property
    def near(self) -> bool:
        """Whether it is, or was, a process of this machine."""
        return (bool(self.boot) and self.boot == _boot()) or self.host == _host()

    @property
    def lives(self) -> bool | None:
        """Whether it is still at work; None where that cannot be told."""
        boot = _boot()
        if not boot or not self.boot:  # no Linux: the number alone can be asked for
            return None if self.host != _host() or _exists(self.pid) else False
        if self.boot != boot:  # the same machine started anew, or another one
            return False if self.host == _host() else None
        if self.namespace != _namespace():
            return None
        return _began(self.pid) == self.started


def _began(pid: int) -> int | None:
    """When a process began, in clock ticks; None for one that has ended or never was."""
    text = _read(f"/proc/{pid}/stat")
    # The name of the program comes second, in parentheses, and may hold anything.
    fields = text.rpartition(")")[2].split()
    if len(fields) < 20 or fields[0] in ("Z", "X"):  # ended, but nobody has asked for its code
        return None
    return int(fields[19])


def _namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


def _boot() -> str:
    return _read("/proc/sys/kernel/random/boot_id").strip()


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _host() -> str:
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")


def _exists(pid: int) -> bool:
    """Whether there may be such a process."""
    if os.name == "nt":  # where asking in this way would end it
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        pass
    return True


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
