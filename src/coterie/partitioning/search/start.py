"""The partition that a search begins with, and how many groups it may have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import bad_parameter
from coterie.numbers.renumber import renumber
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem

__all__ = ["StartMethod", "first_labels", "group_counts", "largest", "scattered"]

StartMethod = Callable[[Problem, Run], Outcome] | None


def largest(problem: Problem, limit: bool) -> int:
    """Most records in a group: 2k-1 with a limit, all of them without."""
    return 2 * problem.k - 1 if limit else problem.n


def group_counts(
    problem: Problem, limit: bool, least: int | None, method: str = ""
) -> tuple[int, int]:
    """Least and most groups of a search.

    By default the top quintile of the numbers of groups that sizes k..2k-1 allow, and always room
    for at least one perturbation where there can be two groups.

    References
    ----------
    Laszlo, Mukherjee (2015), as told by Bierman (2020), chapter 3, `perturb`.
    """
    most = problem.n // problem.k
    fewest = -(-problem.n // (2 * problem.k - 1))
    floor = fewest if limit else 1
    if least is None:
        quintile = -(-(fewest + 4 * most) // 5)
        return max(floor, min(quintile, most - 1)), most
    if not floor <= least <= most:
        rule = f"between {floor} and n // k = {most} for {problem.n} records and k = {problem.k}"
        raise bad_parameter("min_groups", f"method {method!r}", rule, least)
    return least, most


def scattered(
    problem: Problem, words: NDArray[np.int64], limit: bool, least: int, most: int
) -> NDArray[np.int64]:
    """A random partition: a random number of groups, records dealt out in random order."""
    from coterie.kernels.search import perturb

    labels = np.empty(problem.n, dtype=np.int64)
    order = np.empty(problem.n, dtype=np.int64)
    perturb.scatter(words, least, most, problem.k, largest(problem, limit), order, labels)
    return labels


def first_labels(problem: Problem, run: Run, start: StartMethod) -> NDArray[np.int64] | None:
    """The groups of the method that a search starts from, numbered 0..g-1; None for random."""
    if start is None:
        return None
    labels: Any = renumber(start(problem, run).labels)
    return labels.astype(np.int64)
