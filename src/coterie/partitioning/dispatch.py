"""`partition` and `methods`: the numeric core as callers see it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from coterie.errors import ParameterError
from coterie.guarantees.constraints import Constraints
from coterie.partitioning import arguments, registry
from coterie.partitioning.constrained.repair import constrained
from coterie.partitioning.core import Partition
from coterie.partitioning.driver import Progress, Run
from coterie.partitioning.problem import Problem

__all__ = ["methods", "partition"]


def partition(
    X: ArrayLike,
    k: int,
    method: str = "mdav",
    *,
    random_state: int | np.random.Generator | None = None,
    time_limit: float | None = None,
    iterations: int | None = None,
    workers: int | None = None,
    callback: Callable[[Progress], object] | None = None,
    constraints: Constraints | None = None,
    **options: Any,
) -> Partition:
    """Group the records of `X`, at least `k` to a group, so that little information is lost.

    Parameters
    ----------
    X : (n, d) array of numbers
        Records in the space in which distance is measured: standardize or weight the attributes
        first (`coterie.standardize`). Finite; any real dtype.
    k : int
        Least number of records in a group, 2..n.
    method : str
        One of `coterie.methods`, or any constructive method's name followed by ``-mhm``.
    random_state : int, numpy.random.Generator or None
        Seed of methods that draw at random; the others give the same result for every seed.
    time_limit : float, optional
        Seconds, not counting compilation; for methods that search. A search that starts from
        another method's groups (its option `start`) always lets that method finish.
    iterations : int, optional
        Iterations of each stream; for methods that search.
    workers : int, optional
        Threads; for methods that search. Changes the speed, never the result.
    callback : callable, optional
        Called with a `Progress` about ten times a second. What it raises ends the run.
    constraints : coterie.Constraints, optional
        What every group must satisfy beyond k records: distinct units, diverse values, no dominant
        contributor. The method's groups are repaired where they miss it, then searched on among
        admissible ones; the result's `repair` tells what was done.
    **options
        The method's own options; ``coterie.methods()`` lists them with their rules.

    Returns
    -------
    Partition
        With labels, sizes, centroids, sse and information_loss.

    Raises
    ------
    DataError, ParameterError
        If the input cannot be partitioned; the message says what to do. Both are ValueErrors.

    Examples
    --------
    >>> import coterie
    >>> X = [[1.0, 1.0], [1.0, 2.0], [2.0, 1.0], [8.0, 8.0], [8.0, 9.0], [9.0, 8.0]]
    >>> p = coterie.partition(X, k=3, method="mdav")
    >>> p.labels.tolist()
    [0, 0, 0, 1, 1, 1]
    >>> round(p.information_loss, 2)
    1.78
    """
    chosen = registry.find(method)
    problem = Problem.of(X, k)
    solve, values = registry.bind(chosen, options)
    limits = {"time_limit": time_limit, "iterations": iterations, "workers": workers}
    if not chosen.anytime:
        for name, value in limits.items():
            if value is not None:
                raise ParameterError(
                    f"The {name!r} parameter is for methods that search; {method!r} runs to its "
                    f"end. Got {name}={value!r}; leave it out or choose a search method."
                )
    import coterie.kernels.base.jit  # noqa: F401  (loading Numba is not the method's time)

    run = Run(
        time_limit=arguments.seconds(time_limit, "partition"),
        iterations=arguments.count("iterations", iterations, "partition"),
        workers=arguments.count("workers", workers, "partition") or os.cpu_count() or 1,
        callback=arguments.callback(callback, "partition"),
        seed=arguments.seed(random_state, "partition"),
    )
    reported = None
    with run.counting():
        if constraints:
            outcome, reported = constrained(problem, run, solve, constraints)
        else:
            outcome = solve(problem, run)
    return Partition.of(
        problem,
        outcome,
        method=chosen.name,
        options={**values, **outcome.settings},
        runtime=max(run.seconds, 0.0),
        repair=reported,
    )


def methods() -> list[registry.Method]:
    """Every method by its name, with a one-line description, its reference and its options.

    Examples
    --------
    >>> import coterie
    >>> [m.name for m in coterie.methods()][:1]
    ['mdav']
    """
    return list(registry.METHODS.values())
