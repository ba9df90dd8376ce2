"""A piece of work that the child does, as the pages see it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

__all__ = ["ACTIVE", "Job"]

ACTIVE = ("waiting", "running", "paused", "stopping")
MOST_POINTS = 240  # of the course of a search: every second one goes when there are more


@dataclass
class Job:
    """What is being done, how far it is, how it ended.

    Attributes
    ----------
    kind : str
        look, curve, run or write.
    status : str
        waiting, running, paused, stopping; done, failed, canceled.
    course : list of (seconds, loss, bound)
        Of a search.
    steps : list of dict
        Stages that have ended, or steps of what is written.
    """

    number: int
    kind: str
    status: str = "waiting"
    phase: str = ""
    fraction: float | None = None
    seconds: float = 0.0
    iterations: int | None = None
    loss: float | None = None
    bound: float | None = None
    course: list[tuple[float, float, float | None]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""
    canceled: bool = False
    began: float = field(default_factory=time.monotonic)
    _before: float = 0.0  # seconds of the searches of strata before this one

    @property
    def active(self) -> bool:
        """Whether it is not over."""
        return self.status in ACTIVE

    def hear(self, event: dict[str, Any]) -> None:
        """Take in an event of the child."""
        kind = event["event"]
        if kind == "progress":
            self._progress(event)
        elif kind in ("paused", "resumed"):
            self.status = "paused" if kind == "paused" else "running"
        elif kind == "step":
            self.steps.append({name: one for name, one in event.items() if name != "event"})
        elif kind == "point":
            self.fraction = event["share"]

    def _progress(self, event: dict[str, Any]) -> None:
        self.phase = event["phase"]
        if not self.course:  # else those of the search
            self.seconds = event["seconds"]
        if self.kind == "curve":
            return  # its share is that of the points
        self.fraction, self.iterations = event["fraction"], event["iterations"]
        if event["bound"] is not None:
            self.bound = event["bound"]
        if event["loss"] is not None:
            self.loss = event["loss"]
            last = self.course[-1][0] if self.course else 0.0
            if self._before + event["seconds"] < last:
                self._before = last
            self.seconds = self._before + event["seconds"]
            self.course.append((self.seconds, self.loss, self.bound))
            if len(self.course) > MOST_POINTS:
                self.course = [*self.course[:-1:2], self.course[-1]]

    def snapshot(self) -> dict[str, Any]:
        """What the browser is told."""
        return {
            "number": self.number,
            "kind": self.kind,
            "status": self.status,
            "phase": self.phase,
            "fraction": self.fraction,
            "seconds": self.seconds,
            "iterations": self.iterations,
            "loss": self.loss,
            "bound": self.bound,
            "course": self.course,
            "steps": len(self.steps),
        }
