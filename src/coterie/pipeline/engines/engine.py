"""An engine maps a task over jobs: the same results in the order of the jobs, whoever runs them.

A task is a plain function of the name of a file, what all tasks know (`coterie.pipeline.work`), and
of a job: a part of the table or where its records lie. A refusal is a result like any other until
it is clear that no earlier job refuses.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence, Set
from pathlib import Path
from typing import Any, Protocol

import coterie
from coterie.errors import CoterieError, DataError, bad_parameter

__all__ = [
    "Engine",
    "Run",
    "Task",
    "Tell",
    "attempt",
    "check_workers",
    "count_of",
    "look",
    "refuse",
]

Task = Callable[[str, Any], Any]
Tell = Callable[[float], object]
Run = Callable[[Any, str, Sequence[Any]], list[Any]]  # an engine's map within a phase


class Engine(Protocol):
    """Runs a task over jobs."""

    name: str
    peaks: dict[str, float]

    @property
    def workers(self) -> int:
        """How many there are now."""

    def map(self, task: Task, work: str, jobs: Sequence[Any], tell: Tell) -> list[Any]:
        """The results in the order of `jobs`; `tell` hears the share that is done."""

    def check(self, folder: Path) -> None:
        """Refuse workers that do not see `folder`, or run another coterie."""


def attempt(task: Task, work: str, job: Any) -> Any:
    """What a task gives: its result or its refusal; whether that is the first, others can tell."""
    try:
        return task(work, job)
    except CoterieError as error:
        return error


def refuse(results: Sequence[Any], waiting: Set[int] = frozenset()) -> None:
    """Raise the first refusal among results, as one process would: later ones wait.

    `waiting` are the places of results that are not there yet.
    """
    for place, result in enumerate(results):
        if place in waiting:
            return
        if isinstance(result, CoterieError):
            raise result


def look(folder: str) -> tuple[str, bool]:
    """On a worker: its version of coterie, and whether it sees a folder."""
    return coterie.__version__, os.path.isdir(folder)


def check_workers(found: Iterable[tuple[str, str, bool]], kind: str, folder: Path) -> None:
    """Refuse workers of another version, or that do not see `folder`.

    Parameters
    ----------
    found : iterable of (name, version, whether the folder is seen)
    kind : str
        What a worker is called.
    """
    for worker, version, sees in found:
        if version != coterie.__version__:
            raise DataError(
                f"{kind.capitalize()} {worker} must have coterie {coterie.__version__}. Got "
                f"{version}; install the same version everywhere."
            )
        if not sees:
            raise DataError(
                f"{kind.capitalize()} {worker} must see the folder {folder}. It does not; use a "
                f"folder that all {kind}s share."
            )


def count_of(workers: Any) -> int:
    """How many processes to start: one a core unless the caller says otherwise."""
    count = os.cpu_count() or 1 if workers is None else workers
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise bad_parameter("workers", "anonymize", "an integer of at least 1", workers)
    return count
