"""Kills: a signal at a random moment leaves the old file or the whole new one, and nothing else.

After SIGKILL nothing can be removed: the next job on the same target does it, which has another
scratch folder. After any other signal nothing may be left when the process has ended.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from tests.faults import job
from tests.faults.job import Place

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
MOMENTS = ("any", "begun", "writing")


@dataclass(frozen=True)
class Kill:
    """One case."""

    number: int
    engine: str
    signal: signal.Signals
    moment: str
    delay: float  # share of the time that such a job takes, or that is left of it
    scratch: bool
    to_all: bool  # to the whole session, as a closing terminal does

    def __str__(self) -> str:
        where = " --scratch" if self.scratch else ""
        whom = "session" if self.to_all else "process"
        return (
            f"{self.number}: {self.engine}{where}, {self.signal.name} to the {whom}, "
            f"{self.moment} + {self.delay:.2f}"
        )


def drawn(seed: int, count: int, engines: tuple[str, ...] = job.ENGINES) -> list[Kill]:
    """So many cases, every engine with every signal equally often."""
    draw = random.Random(seed)
    pairs = [(e, s) for e in engines for s in SIGNALS]
    return [
        Kill(
            number,
            *pairs[number % len(pairs)],
            moment=draw.choice(MOMENTS),
            delay=draw.random(),
            scratch=draw.random() < 0.5,
            to_all=draw.random() < 0.5,
        )
        for number in range(count)
    ]


@dataclass
class Known:
    """What a job of an engine makes when nobody ends it, and how long it takes."""

    new: object
    seconds: float


def learned(folder: Path, inputs: Path, engine: str, runs: int = 2) -> Known:
    """Run a job to its end, twice for its time: the first one may have to compile."""
    seconds = []
    for number in range(runs):
        place = Place(folder / f"{engine}-{number}", engine)
        began = time.monotonic()
        code = job.run(place, inputs)
        seconds.append(time.monotonic() - began)
        if code:
            raise RuntimeError(f"{engine}: exit code {code}: {place.said()}")
        if place.left():
            raise RuntimeError(f"{engine} left {place.left()} without being ended")
    return Known(place.found(), min(seconds))


@dataclass
class Found:
    """What came of a kill."""

    code: int
    torn: bool
    left: list[str]
    problems: list[str]
    hit: bool  # whether the job had something on the disk when it was ended
    finished: bool  # whether the new file was there already


def attempt(kill: Kill, folder: Path, inputs: Path, known: Known) -> Found:
    """Start a job, end it, and look at what it left."""
    place = Place(folder, kill.engine)
    place.put_old()
    command = job.arguments(place, inputs, scratch=kill.scratch)
    hit = False
    with contextlib.ExitStack() as stack:
        process, feed = _started(kill, place, inputs, command, stack)
        stack.callback(job.over, process)
        hit = _wait(kill, place, process, known)
        if process.poll() is None:
            for one in job.session(process.pid) if kill.to_all else [process.pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, kill.signal)
        if feed is not None:
            with contextlib.suppress(OSError):
                feed.close()
        try:
            code = job.ended(process)
        except subprocess.TimeoutExpired:
            return Found(-1, False, [], ["hangs"], hit, False)
    problems = []
    left = place.left()
    torn = place.found() not in (place.old, known.new)
    if not job.alone(process.pid):
        problems.append("processes of its session go on")
    if kill.signal == signal.SIGKILL:
        problems += _next(place, inputs, known)
        left = place.left()
    elif place.left() and not left:
        left = place.left()  # written by a process that outlived it
    problems += _codes(kill, code, place, known)
    if torn:
        problems.append("the target is torn")
    if left:
        problems.append(f"left behind: {', '.join(left)}")
    return Found(code, torn, left, problems, hit, place.found() == known.new)


def _started(
    kill: Kill, place: Place, inputs: Path, command: list[str], stack: contextlib.ExitStack
) -> tuple[subprocess.Popen[bytes], object]:
    """The process; with a pipe that stays open where it is to be ended while it reads from it."""
    if kill.engine != "stdin":
        return job.start(place, command), None
    if kill.moment != "begun":
        source = stack.enter_context((inputs / "in.csv").open("rb"))
        return job.start(place, command, stdin=source.fileno()), None
    reader, writer = os.pipe()
    process = job.start(place, command, stdin=reader)
    os.close(reader)
    feed = os.fdopen(writer, "wb", buffering=0)
    with contextlib.suppress(BrokenPipeError):
        feed.write(job.beginning(inputs))
    return process, feed


def _wait(kill: Kill, place: Place, process: subprocess.Popen[bytes], known: Known) -> bool:
    """Until the moment has come; whether the job had something on the disk then."""
    began = time.monotonic()
    if kill.moment == "any":
        share = 1.05 * known.seconds * kill.delay
    else:
        state = place.begun if kill.moment == "begun" else place.writing
        job.until(lambda: state() or process.poll() is not None, pause=0.001)
        rest = max(0.05, known.seconds - (time.monotonic() - began))
        share = kill.delay * (rest if kill.moment == "begun" else 0.02)
    job.until(lambda: process.poll() is not None, share, pause=0.005)
    return process.poll() is None and place.begun()


def _next(place: Place, inputs: Path, known: Known) -> list[str]:
    """The next job on the same target, without a scratch folder of its own."""
    if place.engine == "dask":
        shutil.rmtree(place.target, ignore_errors=True)  # parts are never overwritten
    code = job.run(place, inputs)
    if code or place.found() != known.new:
        return [f"the next job ended with {code}: {place.said()[-300:]}"]
    return []


def _codes(kill: Kill, code: int, place: Place, known: Known) -> list[str]:
    """Whether exit code, target and what was said fit together."""
    if kill.signal == signal.SIGKILL:
        return [] if code in (0, -9) else [f"exit code {code}"]
    # Before the program has begun a signal has its usual effect.
    allowed = {0, 128 + kill.signal, -kill.signal}
    said = place.said()
    problems = [] if code in allowed else [f"exit code {code}: {said[-300:]}"]
    if code == 0 and place.found() != known.new:
        problems.append("exit code 0 without the release")
    if code == 128 + kill.signal and len(said.splitlines()) != 1:
        problems.append(f"said {said[-300:]!r}")
    return problems
