"""Limits: too little memory, a full disk, a folder that cannot be written.

A job that meets one ends with one line, or is ended by the system; the target is the old or the new
one, and nothing is left: at once, or, where the process itself broke down, after the next job.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.faults import job
from tests.faults.job import Place
from tests.faults.kills import Known

ENGINES = ("memory", "stdin", "tiles")
MB = 1 << 20
SHORT = 200 << 10  # bytes that no job of these needs on the disk


class NotHere(Exception):
    """Why a case cannot be tried on this machine."""


def memory(draw: random.Random, folder: Path, inputs: Path, known: dict[str, Known]) -> list[str]:
    """So little address space (``ulimit -v``) that it may fail anywhere."""
    engine = draw.choice(ENGINES)
    most = int(draw.choice([200, 400, 700, 1000, 1500, 3000]) * MB * draw.uniform(0.9, 1.1))
    place = Place(folder, engine)
    place.put_old()
    (folder / "case.txt").write_text(f"{engine}, ulimit -v {most // 1024}\n")
    return _judged(place, inputs, known[engine], _limit(resource.RLIMIT_AS, most), broken=True)


def disk(draw: random.Random, folder: Path, inputs: Path, known: dict[str, Known]) -> list[str]:
    """A disk that is full at some moment; where none can be mounted, files that may not grow."""
    engine = draw.choice(ENGINES)
    most = draw.randrange(1 << 12, SHORT)
    place = Place(folder, engine)
    (folder / "case.txt").write_text(f"{engine}, {most} bytes\n")
    with mounted(place.disk, f"size={most}") as small:
        if not small:
            place.put_old()
            limit = _limit(resource.RLIMIT_FSIZE, most)
            return _judged(place, inputs, known[engine], limit)
        place = Place(folder, engine)  # its folders, on the new disk
        place.put_old()
        found = _judged(place, inputs, known[engine], None)
        kept = folder / "kept"
        if found:
            shutil.copytree(place.disk, kept)
    return found


def read_only(
    draw: random.Random, folder: Path, inputs: Path, known: dict[str, Known]
) -> list[str]:
    """A target in a folder that cannot be written: refused before any work, in one line."""
    engine = draw.choice((*ENGINES, "dask"))
    place = Place(folder, engine)
    (folder / "case.txt").write_text(f"{engine}, read-only\n")
    out = place.disk / "out"
    with contextlib.ExitStack() as stack:
        if os.geteuid() == 0:  # who may write anywhere but to such a disk
            if not stack.enter_context(mounted(out, "size=100k")):
                raise NotHere("root may write to any folder, and no disk can be mounted")
            place.put_old()
            subprocess.run(["mount", "-o", "remount,ro", str(out)], check=True)
        else:
            place.put_old()
            out.chmod(0o500)
            stack.callback(out.chmod, 0o700)
        code = job.run(place, inputs)
        problems = _reported(place, code, {2})
        if "read-only" not in place.said().lower():
            problems.append(f"said {place.said()!r}")
        if place.found() != place.old or place.left():
            problems.append(f"changed: {place.left()}")
    return problems


@contextlib.contextmanager
def mounted(folder: Path, options: str) -> Iterator[bool]:
    """A small disk in the memory, in the place of a folder; False where that is not allowed."""
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    done = (
        subprocess.run(command, capture_output=True, check=False) if shutil.which("mount") else None
    )
    if done is None or done.returncode:
        yield False
        return
    try:
        yield True
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def _limit(kind: int, most: int) -> Callable[[], object]:
    return lambda: resource.setrlimit(kind, (most, most))


def _judged(
    place: Place,
    inputs: Path,
    known: Known,
    limit: Callable[[], object] | None,
    *,
    broken: bool = False,
) -> list[str]:
    """Run a job under a limit; if it may break down, another one after it without the limit."""
    try:
        code = job.run(place, inputs, limit=limit)
    except subprocess.TimeoutExpired:
        return ["hangs"]
    problems = [] if broken else _reported(place, code, {0, 2})
    if place.found() not in (place.old, known.new):
        problems.append("the target is torn")
    if code == 0 and place.found() != known.new:
        problems.append("exit code 0 without the release")
    if broken and code not in (0, 2) and job.run(place, inputs):
        problems.append(f"the next job failed: {place.said()[-300:]}")
    if place.left():
        problems.append(f"left behind: {', '.join(place.left())}")
    return problems


def _reported(place: Place, code: int, allowed: set[int]) -> list[str]:
    said = place.said()
    if code not in allowed or len(said.splitlines()) != (code != 0):
        return [f"exit code {code}: {said[-500:]}"]
    return []
