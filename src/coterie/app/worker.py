"""The server's end of the child process: commands out, events in, an end at once."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from coterie import scratch

__all__ = ["Gone", "Worker"]

LONGEST = 2**26  # bytes of an event: a summary of a wide table
LAST = ("done", "failed", "stopped")  # events after which the child waits for a command


class Gone(Exception):
    """The child has ended, by itself or because it was ended."""


class Worker:
    """One child at a time, started when it is first asked for something.

    Parameters
    ----------
    folder : path
        Where it works; what a killed child leaves there is removed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: asyncio.subprocess.Process | None = None

    @property
    def number(self) -> int | None:
        """Of the process; None where there is none."""
        return self.process.pid if self.process and self.process.returncode is None else None

    async def ask(
        self, command: Mapping[str, Any], hear: Callable[[dict[str, Any]], None]
    ) -> dict[str, Any]:
        """Give a command; events go to `hear`, the last one is returned.

        Raises
        ------
        Gone
            If the child ends before.
        """
        process = await self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(command).encode() + b"\n")
            await process.stdin.drain()
            while line := await process.stdout.readline():
                event: dict[str, Any] = json.loads(line)
                if event["event"] in LAST:
                    return event
                hear(event)
        except (BrokenPipeError, ConnectionResetError, ValueError):
            pass
        await self.end()
        raise Gone

    def say(self, word: str) -> None:
        """A word about the work at hand: stop, pause, resume, take."""
        if self.process and self.process.stdin and self.process.returncode is None:
            self.process.stdin.write(json.dumps({"control": word}).encode() + b"\n")

    def kill(self) -> None:
        """End the child at once; whoever waits for it is told that it is `Gone`."""
        if self.process and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()

    async def end(self) -> None:
        """End the child, and remove what it left."""
        process, self.process = self.process, None
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.wait()
        scratch.sweep(self.folder)

    async def _started(self) -> asyncio.subprocess.Process:
        if self.process is not None and self.process.returncode is not None:
            await self.end()
        if self.process is None:
            debug = bool(os.environ.get("COTERIE_DEBUG"))
            # -P: a file in the folder of the table is never taken for a module. A session of its
            # own: Ctrl-C in the terminal is for the server.
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "coterie.app.child"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=None if debug else asyncio.subprocess.DEVNULL,
                limit=LONGEST,
                cwd=self.folder,
                start_new_session=True,
            )
        return self.process
