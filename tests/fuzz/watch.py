"""The parent of the workers: starts them, reads what they tell, and ends one that hangs."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

ROOT = Path(__file__).resolve().parents[2]
HANGS = 20.0  # seconds on one case
PATIENCE = 6.0  # times that, where a busy machine gives the worker less than its share
WARMING = 1800.0  # seconds until all kernels are compiled, at worst
SHRINKING = 60.0
MEMORY = "/dev/shm"  # thousands of small files, none of which has to outlive its case


@dataclass
class Worker:
    """A process, what it works on, and since when."""

    seed: str
    number: int
    step: int
    kinds: str | None
    module: str = "tests.fuzz.worker"
    hangs: float = HANGS
    doing: str = "warming"
    since: float = 0.0
    cpu: float = 0.0
    process: Any = None
    lines: queue.Queue[str | None] = field(default_factory=queue.Queue)
    stands: TextIO | None = None

    def start(self) -> None:
        """Begin, or begin anew, with case `number`."""
        self.stands = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed by `end`
        command = [sys.executable, "-m", self.module, "--seed", self.seed]
        command += ["--first", str(self.number), "--step", str(self.step)]
        command += ["--kinds", self.kinds] if self.kinds else []
        # One thread for each library: as many workers as there are cores do the rest.
        threads = dict.fromkeys(("OMP_NUM_THREADS", "POLARS_MAX_THREADS", "ARROW_NUM_THREADS"), "1")
        memory = {"TMPDIR": MEMORY} if os.access(MEMORY, os.W_OK) else {}
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={
                **os.environ,
                **threads,
                **memory,
                "RUST_BACKTRACE": "0",
                "PYTHONWARNINGS": "ignore",
            },
            stdout=subprocess.PIPE,
            stderr=self.stands,
            text=True,
            start_new_session=True,  # Ctrl-C is for the parent, which ends its workers
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, args=(self.process, self.lines), daemon=True).start()
        self._now("warming")

    @staticmethod
    def _read(process: Any, lines: queue.Queue[str | None]) -> None:
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    def _now(self, doing: str) -> None:
        self.doing, self.since, self.cpu = doing, time.monotonic(), self._spent()

    def _spent(self) -> float:
        """CPU seconds of the process; its age where the system does not tell."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return time.monotonic()

    def _hangs(self) -> bool:
        age = time.monotonic() - self.since
        if self.doing == "warming":
            return age > WARMING
        limit = SHRINKING if self.doing.startswith("shrinking") else self.hangs
        busy = self._spent() - self.cpu
        return age > limit and (busy > 0.7 * limit or age > PATIENCE * limit)

    def news(self) -> Iterator[dict[str, Any]]:
        """What was told since; a death or a hang is told as the end of its case."""
        while True:
            try:
                line = self.lines.get_nowait()
            except queue.Empty:
                break
            if line is None:
                yield from self._died()
                return
            said = json.loads(line)
            if "start" in said:
                self._now(said["start"])
            elif "shrinking" in said:
                self._now("shrinking " + said["shrinking"])
            elif "renew" in said:
                self.number = said["renew"]
                self.end()
                self.start()
                return
            else:
                if "end" in said:
                    self.number = int(said["end"].rpartition("-")[2]) + self.step
                yield said
        if self._hangs():
            stood = self.end()
            yield self._lost("hang", f"more than {self.hangs:.0f} s\n{stood}")
            self.start()

    def _died(self) -> Iterator[dict[str, Any]]:
        code = self.process.wait()
        stood = self.end()
        if self.doing == "warming":
            raise RuntimeError(f"a worker cannot start (exit code {code}): {stood[-2000:]}")
        yield self._lost("death", f"exit code {code}\n{stood}")
        self.start()

    def _lost(self, rule: str, text: str) -> dict[str, Any]:
        seed = self.doing.removeprefix("shrinking ")
        self.number = int(seed.rpartition("-")[2]) + self.step
        found = {"signature": f"{rule} {_place(text)}", "text": f"{rule}: {text}"}
        return {"end": seed, "outcome": "found", "cpu": self.hangs, "findings": [found]}

    def end(self) -> str:
        """End the process; what it has written on its way."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        assert self.stands is not None
        self.stands.seek(0)
        stood = self.stands.read()
        self.stands.close()
        return stood[-6000:]


def _place(text: str) -> str:
    """Where a process stood: the innermost line of coterie's own."""
    own = [line for line in text.splitlines() if "/coterie/" in line and "File" in line]
    return own[0].partition("/coterie/")[2].replace('"', "") if own else text.splitlines()[0]
