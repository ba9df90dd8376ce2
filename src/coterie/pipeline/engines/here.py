"""Here: the process itself, one task after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coterie.pipeline.engines.engine import Task, Tell
from coterie.pipeline.engines.memory import peak_memory

__all__ = ["Here"]


@dataclass
class Here:
    """The process itself; see `coterie.pipeline.engines.engine.Engine`."""

    name: str = "tiles"
    peaks: dict[str, float] = field(default_factory=dict)

    @property
    def workers(self) -> int:
        """One: itself."""
        return 1

    def map(self, task: Task, work: str, jobs: Sequence[Any], tell: Tell) -> list[Any]:
        """One after the other: the first refusal ends it."""
        results = []
        for job in jobs:
            results.append(task(work, job))
            tell(len(results) / len(jobs))
        self.peaks["this process"] = peak_memory()
        return results

    def check(self, folder: Path) -> None:
        """It is this process: nothing to refuse."""
