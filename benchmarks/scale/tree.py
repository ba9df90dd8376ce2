"""A program and all that it starts, watched from outside: seconds of processors, peak memory.

Java and the workers that it starts are nobody's children in the end, and tell no parent what they
took: so each process is looked at while it runs.
"""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Watched", "watch"]

TICK = 0.1  # seconds between two looks
CLOCK = os.sysconf("SC_CLK_TCK")


@dataclass
class Watched:
    """What a program and its children took.

    Attributes
    ----------
    code : int
        As which the program ended.
    seconds, busy : float
        By the clock, and of processors.
    peaks : list of (str, float)
        Each process by its name, and the most MB that it held; small ones left out.
    most : float
        The most MB that all of them held at once.
    """

    code: int
    seconds: float
    busy: float
    peaks: list[tuple[str, float]] = field(default_factory=list)
    most: float = 0.0


def watch(command: list[str], least: float = 60.0, **options) -> Watched:
    """Run a program to its end; processes that never held `least` MB are not listed."""
    began = time.perf_counter()
    program = subprocess.Popen(command, **options)
    seen: dict[int, tuple[str, float, float]] = {}
    most = 0.0
    while program.poll() is None:
        now = 0.0
        for pid in _tree(program.pid):
            found = _look(pid)
            if found is None:
                continue
            name, busy, peak, held = found
            before = seen.get(pid, ("", 0.0, 0.0))  # at its end it holds nothing any more
            seen[pid] = (name, max(busy, before[1]), max(peak, before[2]))
            now += held
        most = max(most, now)
        time.sleep(TICK)
    seconds = time.perf_counter() - began
    peaks = [(name, round(peak)) for name, _, peak in seen.values() if peak >= least]
    busy = sum(one for _, one, _ in seen.values())
    return Watched(program.returncode, seconds, busy, peaks, most)


def _tree(root: int) -> list[int]:
    """A process and all that it started, and so on; empty once it has gone."""
    above: dict[int, list[int]] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            fields = _stat(int(entry.name))
            if fields is not None:
                above.setdefault(int(fields[1]), []).append(int(entry.name))
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += above.get(pid, [])
    return found


def _stat(pid: int) -> list[str] | None:
    """What the kernel tells of a process, from its state on: the name before it may hold spaces."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return None


def _look(pid: int) -> tuple[str, float, float, float] | None:
    """Name, seconds of processors, peak and present MB of a process."""
    fields = _stat(pid)
    if fields is None:
        return None
    try:
        name = Path(f"/proc/{pid}/comm").read_text().strip()
        lines = dict(
            line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines()
        )
    except (OSError, ValueError):
        return None
    busy = (int(fields[11]) + int(fields[12])) / CLOCK
    sizes = [int(lines.get(n, "0 kB").split()[0]) / 1024 for n in ("VmHWM", "VmRSS")]
    return name, busy, sizes[0], sizes[1]
