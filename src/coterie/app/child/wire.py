"""Lines of JSON between server and child, and what the server may say while work goes on."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any, BinaryIO

from coterie.partitioning import pausing
from coterie.partitioning.driver import Progress
from coterie.report.plain import plain

__all__ = ["Controls", "Stopped", "Wire"]

PACE = 0.2  # seconds between two progress events; a reader wants no more
PARTITION = "partition"  # the stage after which a search has nothing left to give


class Stopped(Exception):
    """The server wants no more of this."""


class Wire:
    """Events to the server, one a line."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.lock = threading.Lock()

    def send(self, event: str, **content: Any) -> None:
        """Tell the server something."""
        text = json.dumps(plain({"event": event, **content}), ensure_ascii=True)
        with self.lock:
            self.stream.write(text.encode() + b"\n")
            self.stream.flush()


class Controls:
    """The callback of all work: tells its progress, and does what the server has said meanwhile.

    - *stop*: the work ends here, with nothing.
    - *pause*, *resume*: the work stands still; the time counts for no limit.
    - *take*: a search that has a partition ends with it, as with Ctrl-C.
    """

    def __init__(self, tell: Callable[..., None]) -> None:
        self.tell = tell
        self.changed = threading.Condition()
        self.stopping = self.paused = self.taking = False
        self._sent = 0.0
        self._seconds = 0.0
        self._found = False  # whether the search at work has a partition to take

    def begin(self) -> None:
        """Another piece of work begins: what was said about the last one is over."""
        with self.changed:
            self.stopping = self.paused = self.taking = False
        self._sent, self._seconds, self._found = 0.0, 0.0, False

    def hear(self, word: str) -> None:
        """What the server says, from the thread that listens."""
        with self.changed:
            if word == "stop":
                self.stopping = True
            elif word in ("pause", "resume"):
                self.paused = word == "pause"
            elif word == "take":
                self.taking = True
            self.changed.notify_all()

    def __call__(self, progress: Progress) -> None:
        """See `Progress`; raises what ends the work."""
        self._note(progress)
        now = time.monotonic()
        if now - self._sent >= PACE or progress.fraction == 1.0:
            self._sent = now
            self.tell(
                "progress",
                phase=progress.phase,
                seconds=progress.seconds,
                fraction=progress.fraction,
                iterations=progress.iterations,
                loss=progress.information_loss,
                bound=progress.lower_bound,
            )
        self.check()
        if self.paused:
            self._hold()
        if self.taking and self._found:
            raise KeyboardInterrupt

    def check(self) -> None:
        """End here if the server has said so."""
        if self.stopping:
            raise Stopped

    def _note(self, progress: Progress) -> None:
        """Each stratum is searched by itself: a clock that goes back is a new search."""
        if progress.seconds < self._seconds or progress.phase == PARTITION:
            self._found = False
        if progress.information_loss is not None:
            self._found = True
        self._seconds = progress.seconds

    def _hold(self) -> None:
        self.tell("paused")
        with pausing.held(), self.changed:
            self.changed.wait_for(lambda: self.stopping or self.taking or not self.paused)
        self.check()
        self.tell("resumed")
