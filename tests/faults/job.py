"""A job on the command line, the folders it may write to, and what it may leave there.

Each job is a process of its own session with its own folder for temporary files, so that a signal
reaches nobody else and whatever is left can be seen. Only the command line is used.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENGINES = ("memory", "stdin", "tiles", "dask")
OLD = b"what was there before\n"
PATIENCE = 300.0  # seconds until a process counts as hanging, on a busy machine
ROWS = 4000
PLACES = ("out", "tmp", "scratch")


def table(folder: Path, rows: int = ROWS) -> None:
    """The input of all jobs, as CSV and as Parquet; every value of `secret` is an original."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(0)
    made = pd.DataFrame(rng.normal(size=(rows, 3)), columns=["a", "b", "c"]).round(6)
    made["secret"] = rng.choice(["flu", "asthma", "none"], rows)
    made.to_csv(folder / "in.csv", index=False)
    made.to_parquet(folder / "in.parquet", row_group_size=200)


@dataclass
class Place:
    """The folders of one case, all on one disk: the target's, for temporary files, for scratch.

    What the process says goes elsewhere: the disk may be full, or read-only.
    """

    root: Path
    engine: str
    disk: Path = field(init=False)
    target: Path = field(init=False)

    def __post_init__(self) -> None:
        self.disk = self.root / "disk"
        for path in (self.root / "home", *(self.disk / name for name in PLACES)):
            path.mkdir(parents=True, exist_ok=True)
        name = {"memory": "o.csv", "stdin": "o.csv", "tiles": "o.parquet", "dask": "o"}
        self.target = self.disk / "out" / name[self.engine]

    def put_old(self) -> None:
        """What the target held before the job; a folder of parts must not exist."""
        if self.engine == "dask":
            shutil.rmtree(self.target, ignore_errors=True)
        else:
            self.target.write_bytes(OLD)

    def found(self) -> object:
        """What the target holds now."""
        if self.target.is_dir():
            return {p.name: p.read_bytes() for p in sorted(self.target.iterdir())}
        return self.target.read_bytes() if self.target.exists() else None

    @property
    def old(self) -> object:
        """What `found` gives before a job."""
        return None if self.engine == "dask" else OLD

    def left(self) -> list[str]:
        """Whatever lies on the disk that is not the target."""
        found = sorted(p for name in PLACES for p in (self.disk / name).rglob("*"))
        return [str(p.relative_to(self.disk)) for p in found if self.target not in (p, *p.parents)]

    def said(self) -> str:
        """What the last process has said on standard error."""
        return (self.root / "stderr").read_text(errors="replace")

    def begun(self) -> bool:
        """Whether the job has put something on the disk."""
        return any(os.listdir(self.disk / name) for name in ("tmp", "scratch")) or self.writing()

    def writing(self) -> bool:
        """Whether there is a hidden folder with something in it beside the target."""
        with contextlib.suppress(OSError):
            for entry in os.scandir(self.disk / "out"):
                if entry.name.startswith(".") and len(os.listdir(entry.path)) > 1:
                    return True
        return False

    def environment(self) -> dict[str, str]:
        """Nothing of the user's but where compiled kernels are."""
        kept = {n: v for n, v in os.environ.items() if n in ("PATH", "NUMBA_CACHE_DIR", "LANG")}
        return {
            **kept,
            "HOME": str(self.root / "home"),
            "TMPDIR": str(self.disk / "tmp"),
            "PYTHONPATH": str(ROOT),
        }


def arguments(place: Place, inputs: Path, *, scratch: bool = False, seed: int = 1) -> list[str]:
    """The command that protects the table with the place's engine."""
    source = {"memory": "in.csv", "stdin": "-", "tiles": "in.csv", "dask": "in.parquet"}
    name = source[place.engine]
    given = name if name == "-" else str(inputs / name)
    flags = ["anonymize", given, "-k", "3", "-q", "a", "-q", "b", "-q", "c", "--quiet"]
    flags += ["--method", "mdav", "--seed", str(seed), "-o", str(place.target)]
    if place.engine in ("tiles", "dask"):
        flags += ["--engine", place.engine, "--tile", "800"]
        flags += ["--scratch", str(place.disk / "scratch")] if scratch else []
    if place.engine == "dask":
        flags += ["--workers", "1"]
    return flags


def start(
    place: Place,
    command: list[str],
    *,
    stdin: int | None = None,
    limit: Callable[[], object] | None = None,
    program: str = "coterie",
) -> subprocess.Popen[bytes]:
    """The command as a process of its own session; what it says goes into files.

    Shells ignore Ctrl-C in the background, and nohup a closed terminal: the job would inherit both.
    """

    def begin() -> None:
        for one in (signal.SIGINT, signal.SIGHUP):
            signal.signal(one, signal.SIG_DFL)
        if limit is not None:
            limit()

    with (place.root / "stdout").open("wb") as out, (place.root / "stderr").open("wb") as err:
        return subprocess.Popen(
            [sys.executable, "-m", program, *command],
            cwd=place.root,
            env=place.environment(),
            stdin=subprocess.DEVNULL if stdin is None else stdin,
            stdout=out,
            stderr=err,
            start_new_session=True,
            preexec_fn=begin,
        )


def beginning(inputs: Path) -> bytes:
    """More of a table than is read at a time, so that some of it must lie on the disk."""
    text = (inputs / "in.csv").read_bytes()
    return (text * (1 + (1 << 17) // len(text)))[: 1 << 17]


def run(
    place: Place, inputs: Path, *, limit: Callable[[], object] | None = None, **more: int
) -> int:
    """A job from its beginning to its end; its exit code."""
    with (inputs / "in.csv").open("rb") as source:
        stdin = source.fileno() if place.engine == "stdin" else None
        command = arguments(place, inputs, **more)
        return ended(start(place, command, stdin=stdin, limit=limit))


def ended(process: subprocess.Popen[bytes], patience: float = PATIENCE) -> int:
    """The exit code; a process that hangs is killed, with its session, and told."""
    try:
        return process.wait(patience)
    except BaseException:  # it hangs, or whoever waits for it is interrupted
        over(process)
        raise


def over(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that is still there, with its session."""
    if process.poll() is None:
        for member in session(process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(member, 9)
        process.wait()


def session(leader: int) -> list[int]:
    """The processes of a session that are alive."""
    members = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                text = Path("/proc", name, "stat").read_text()
                state, _, _, number = text.rpartition(")")[2].split()[:4]
                if int(number) == leader and state not in "ZX":
                    members.append(int(name))
    return members


def alone(leader: int, patience: float = PATIENCE) -> bool:
    """Wait until nobody of a session is left: workers end when they notice."""
    return until(lambda: not session(leader), patience)


def until(state: Callable[[], bool], patience: float = PATIENCE, pause: float = 0.01) -> bool:
    """Wait for a state; whether it came."""
    end = time.monotonic() + patience
    while not state():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True
