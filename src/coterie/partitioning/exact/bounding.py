"""`lower_bound`: an SSE that no partition can go below."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from coterie.errors import bad_parameter
from coterie.partitioning import arguments
from coterie.partitioning.driver import Progress, Run
from coterie.partitioning.exact.beginning import first_outcome
from coterie.partitioning.exact.listing import raise_by_lists
from coterie.partitioning.exact.nearest import nearest
from coterie.partitioning.exact.outliers import dear_records, settle_outliers
from coterie.partitioning.exact.relaxation import CLOSED, Relaxation
from coterie.partitioning.exact.solver import have_highs, highs
from coterie.partitioning.problem import Problem

__all__ = ["LowerBound", "lower_bound", "raise_bound"]

METHODS = ("auto", "columns", "ascent", "nearest")
MANY = 20_000  # records beyond which "auto" takes the quick bound
SMALLER = 0.5  # of the time limit, at most, for the prices of smaller groups
CUTTING = 0.7  # of the time limit, at most, until the integer programs begin
ROUGH = 1e-4  # tolerance of each of the first rounds of cuts: the next one moves the prices anyway
FINE = 2e-5  # tolerance of each round of wide cuts, which raise it by less
GAIN = 1e-5  # of the bound, by which a round of cuts must raise it for another one


@dataclass(frozen=True)
class LowerBound:
    """A proved bound.

    Attributes
    ----------
    value : float
        No partition of the records into groups of at least k has a lower SSE.
    percent : float
        The same as an information loss: percent of SST.
    exact : bool
        Whether the relaxation over all groups was solved: the bound is then at least its value,
        and only more cuts or branching could raise it. False for a bound that more time, or
        another method, may improve. (The bound itself holds either way.)
    method : str
        How it was found: ``"columns"``, ``"ascent"`` or ``"nearest"``.
    iterations : int
        Rounds of pricing.
    columns : int
        Groups in the pool at the end.
    cuts : int
        Rows of the relaxation beyond one for each record.
    seconds : float
        Without compilation.
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    value: float
    percent: float
    exact: bool
    method: str
    iterations: int
    columns: int
    cuts: int
    seconds: float
    interrupted: bool


def lower_bound(
    X: ArrayLike,
    k: int,
    time_limit: float | None = 60.0,
    *,
    method: str = "auto",
    cuts: bool = True,
    callback: Callable[[Progress], object] | None = None,
) -> LowerBound:
    """Prove how little information any partition of `X` with groups of at least `k` can lose.

    Parameters
    ----------
    X : (n, d) array of numbers
        Records in the space in which distance is measured, as for `coterie.partition`.
    k : int
        Least number of records in a group, 2..n.
    time_limit : float or None
        Seconds, not counting compilation. When it is up, or on Ctrl-C, the best bound so far is
        returned: every stage gives valid ones. None: until nothing is left to gain.
    method : str
        ``"columns"``: column generation over all groups, with cuts; needs highspy.
        ``"ascent"``: the same without a solver; nearly as good, never `exact`.
        ``"nearest"``: the sum over nearest neighbors, for any number of records.
        ``"auto"``: the first of these that fits the number of records and what is installed.
    cuts : bool
        Whether to go on behind the linear relaxation, by cuts.
    callback : callable, optional
        Called with a `Progress` about ten times a second; what it raises ends the run.

    Returns
    -------
    LowerBound
        With value, percent, exact, iterations, columns, seconds.

    Raises
    ------
    DataError, ParameterError
        If the input cannot be partitioned or an argument breaks its rule.
    MissingDependency
        For ``method="columns"`` without highspy.

    References
    ----------
    Aloise, Hansen, Rocha, Santi (2014), "Column generation bounds for numerical microaggregation",
    Journal of Global Optimization. The proofs of both bounds used here stand in
    ``coterie.partitioning.exact.pricing`` and ``.nearest``.

    Examples
    --------
    >>> import coterie
    >>> X = [[1.0, 1.0], [1.0, 2.0], [2.0, 1.0], [8.0, 8.0], [8.0, 9.0], [9.0, 8.0]]
    >>> bound = coterie.lower_bound(X, k=3)
    >>> round(bound.value, 6), round(coterie.partition(X, k=3).sse, 6)
    (2.666667, 2.666667)
    """
    problem = Problem.of(X, k, "lower_bound")
    chosen = _choose(method, problem.n)
    if not isinstance(cuts, bool):
        raise bad_parameter("cuts", "lower_bound", "True or False", cuts)
    run = Run(
        time_limit=arguments.seconds(time_limit, "lower_bound"),
        callback=arguments.callback(callback, "lower_bound"),
        workers=os.cpu_count() or 1,
    )
    with run.counting():
        return bound_of(problem, run, chosen, 1000 if cuts else 0)


def bound_of(problem: Problem, run: Run, method: str, cuts: int) -> LowerBound:
    """The bound of a prepared problem; see `lower_bound`."""
    mean = problem.points.mean(axis=0)
    sst = float(np.square(problem.points - mean).sum())
    value, iterations, columns, rows = 0.0, 0, 0, 0
    exact = interrupted = False
    relaxation: Relaxation | None = None
    try:
        if problem.n < 2 * problem.k:  # one group: nothing to relax
            value, exact = sst * (1 - 1e-12), True
        elif method == "nearest":
            value = float(nearest(problem, run, problem.k - 1).prices(problem.k).sum())
        else:
            relaxation = Relaxation(problem, first_outcome(problem, run).labels)
            raise_bound(relaxation, run, linear=method == "columns", cuts=cuts)
    except KeyboardInterrupt:
        interrupted = True
    if relaxation is not None:
        value, exact = relaxation.bound, relaxation.exact
        iterations, columns = relaxation.rounds, len(relaxation.columns)
        rows = len(relaxation.cuts)
    value = max(value, 0.0)
    return LowerBound(
        value=value * problem.scale * problem.scale,
        percent=100.0 * min(value / sst, 1.0) if sst > 0 else 0.0,
        exact=exact,
        method=method,
        iterations=iterations,
        columns=columns,
        cuts=rows,
        seconds=max(run.seconds, 0.0),
        interrupted=interrupted,
    )


def raise_bound(relaxation: Relaxation, run: Run, *, linear: bool = True, cuts: int = 1000) -> None:
    """All that raises the bound of a relaxation, in turn, as far as the time limit allows."""
    limit = run.time_limit
    with run.within(None if limit is None else SMALLER * limit):
        relaxation.start(run)
    relaxation.solve(run, linear=linear, cuts=0)
    if cuts > 0 and relaxation.exact:
        relaxation.tolerance = ROUGH
        with run.within(None if limit is None else CUTTING * limit - run.seconds):
            relaxation.tighten(run, cuts, GAIN)
        relaxation.tolerance = CLOSED
        relaxation.generate(run)
        raise_further(relaxation, run)
        relaxation.tighten(run, cuts, GAIN)  # lists may be too long at once
        relaxation.tolerance = FINE
        relaxation.widen(run, cuts, GAIN)
        relaxation.tolerance = CLOSED
        relaxation.generate(run)


def raise_further(relaxation: Relaxation, run: Run) -> None:
    """What integer programs over a few groups add to a relaxation that has been solved."""
    count = dear_records(relaxation)
    if count and not (run.out_of_time or relaxation.closed):
        settle_outliers(relaxation, run, count)
    raise_by_lists(relaxation, run)


def _choose(method: object, n: int) -> str:
    if method not in METHODS:
        rule = "one of " + ", ".join(map(repr, METHODS))
        raise bad_parameter("method", "lower_bound", rule, method)
    if method == "columns":
        highs()
    if method == "auto":
        if n > MANY:
            return "nearest"
        return "columns" if have_highs() else "ascent"
    return str(method)
