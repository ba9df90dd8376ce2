"""Every numeric table of the five publications, as parts that give theirs beside ours."""

from __future__ import annotations

from benchmarks.papers import icsm2015, ilsmc2020, p3m2017, systematic2011, vldb2006
from benchmarks.papers.store import Effort, Part


def parts(quick: bool = False, most: int | None = None, iterations: int = 5000) -> list[Part]:
    """All of them, publication by publication; `quick` takes fewer tables, runs and restarts.

    `most` takes as many as they did, but at most so many; `iterations` is for ILSM alone.
    """
    effort = Effort(quick, most, iterations)
    return [
        *vldb2006.parts(effort),
        *icsm2015.parts(effort),
        *p3m2017.parts(),
        *systematic2011.parts(effort),
        *ilsmc2020.parts(effort),
    ]
