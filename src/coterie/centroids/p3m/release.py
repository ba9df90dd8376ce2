"""P3M: centroids that keep a chosen distance from the members' values, with mean and variance.

Mortazavi, Jalili (2017), "Fine granular proximity breach prevention during numerical data
anonymization", Transactions on Data Privacy 10:117-144, Equation (14), which the paper solves with
a commercial solver. Here, with c the released value of a group and w < 1 the importance of a
target, the error of a target is gamma = (delta^2 - (c - x)^2) / (1 - w), so that the objective is a
sum of polynomials of degree four, one for each group, coupled only by the mean and the variance.
For two multipliers every group is minimized by itself, exactly, by the roots of a cubic; the
multipliers are found by cutting planes. That gives a lower bound and, from the best points met,
starts for Newton's method on the surface of equal moments, which holds both moments after every
step. Where the bound leaves room, groups are moved to their other basin one by one.

Time and memory are linear in the records: about 100 passes over the groups an attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.centroids.mean import group_means
from coterie.centroids.p3m.solver import BASINS, AttributeTask, Solution, solve
from coterie.centroids.p3m.standard import StandardAttribute
from coterie.centroids.p3m.targets import distance_target
from coterie.centroids.result import Aggregate, Grouped
from coterie.errors import DataError, bad_parameter

__all__ = ["P3M", "p3m"]

HELD = 1e-9  # a moment within this, in standard deviations, is held


@dataclass(frozen=True, eq=False)
class P3M(Aggregate):
    """Released values by group, and how well they do what was asked.

    Attributes
    ----------
    values, labels
        See `Aggregate`.
    objective : (d,) array
        Equation (14) for each attribute, in standard deviations, with the margin.
    bound : (d,) array
        A value that no solution can go below: the dual of the same problem; NaN for a basin other
        than ``"best"``.
    mean_residual, variance_residual : (d,) arrays
        Mean and variance of the released attribute minus the original's, in standard deviations
        and relative to the variance.
    satisfied : (d,) array
        Share of the distance targets that the released values fulfill, 0..1, weighted by importance
        (Equation (13)).
    infeasible : tuple of int
        Attributes in which hard targets, mean and variance cannot be had together: the hard targets
        are kept there and the residuals say what that costs. Attributes with one group only, and
        none with a constant value, which is released as it is.
    """

    objective: NDArray[np.float64]
    bound: NDArray[np.float64]
    mean_residual: NDArray[np.float64]
    variance_residual: NDArray[np.float64]
    satisfied: NDArray[np.float64]
    infeasible: tuple[int, ...]

    @classmethod
    def mixed(cls, results: Sequence[P3M]) -> P3M:
        """Attribute t of the t-th of `results`, which share their groups."""

        def pick(name: str) -> NDArray[np.float64]:
            return np.stack([getattr(one, name)[..., t] for t, one in enumerate(results)], axis=-1)

        names = ("objective", "bound", "mean_residual", "variance_residual", "satisfied")
        return cls(
            values=pick("values"),
            labels=results[0].labels,
            **{name: pick(name) for name in names},
            infeasible=tuple(t for t, one in enumerate(results) if t in one.infeasible),
        )


def p3m(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    delta: Any = 0.1,
    importance: Any = 0.001,
    alpha: float = 0.5,
    unit: str = "sd",
    one_sided: bool = False,
    margin: float = 1e-4,
    basin: str | Sequence[str] = "best",
    integers: str = "refuse",
    attributes: Sequence[str] | None = None,
    table: Any = None,
    callback: Callable[[float], object] | None = None,
) -> P3M:
    """Centroids at a distance from the members' values, with the mean and variance of `X`.

    Parameters
    ----------
    X : (n, d) array of numbers
        Records in any units; every attribute is standardized inside.
    labels : (n,) array of integers
        The group of each record, from any method.
    delta : number, (d,) or (n, d) array, column name or mapping
        Least distance targeted between an original value and the released one.
    importance : number, (d,) or (n, d) array, column name or mapping
        Weight w of each target, 0..1. With w = 1 the target is hard: |x - c| >= delta. (The paper
        asks for equality there, which hardly any group can fulfill.)
    alpha : float
        Share of the targets in the objective, 0..1; the rest goes to small shifts of the centroids.
    unit : str
        Of `delta`: ``"sd"``, standard deviations of the attribute; ``"value"``, the attribute's
        own unit; ``"relative"``, a share of |x| with x the standardized value, as in section 5.1
        of the paper.
    one_sided : bool
        If True a released value farther away than targeted costs nothing; in the paper's form it
        costs as much as one that is too near.
    margin : float
        Targets are aimed at delta * (1 + margin). Equation (14) asks for equality, so that
        important targets end within rounding of their distance, as often below it as above; the
        margin puts them above. 0 solves the equation as it is printed.
    basin : str, or one for each attribute
        ``"best"`` is the lowest objective found. A value at a distance from its group can lie on
        either side of it at nearly the same objective, and risk and utility depend on the side: the
        local minima below the plain means (``"means"``, what a local solver finds), and below means
        moved away from the mean (``"outward"``), toward it (``"inward"``) or away from the median
        (``"spread"``) are offered to choose from, for instance by `coterie.tune`.
    integers : str
        Arrays of integers are refused with ``"refuse"``, as released values are not whole;
        ``"round"`` rounds them half to even, and the residuals are those of the rounded values.
    attributes : sequence of str, optional
        Names of the d attributes, for distance targets given by name.
    table : table, optional
        Holds the columns that `delta` and `importance` name.
    callback : callable, optional
        Called with the share of attributes done.

    Returns
    -------
    P3M
        With values, objective, bound, residuals and satisfied distance targets.

    Examples
    --------
    >>> import coterie
    >>> from coterie.centroids.mean import mean
    >>> from coterie.centroids.p3m import p3m
    >>> X = coterie.standardize(coterie.datasets.diabetes()[["age", "bmi"]].astype(float))
    >>> labels = coterie.partition(X, k=3).labels
    >>> found = p3m(X, labels, delta=0.1, importance=0.5)
    >>> bool((abs(found.variance_residual) < 1e-9).all())
    True
    >>> plain = mean(X, labels, renormalize=True).table
    >>> bool((abs(X - found.table) >= 0.1).mean() > (abs(X - plain) >= 0.1).mean())
    True
    """
    whole = _whole(X)
    grouped = Grouped.of(X, labels, "p3m")
    n, d = grouped.X.shape
    _check(alpha, margin, unit, one_sided, integers, callback)
    basins = [basin] * d if isinstance(basin, str) else list(basin)
    if len(basins) != d or not all(one in BASINS for one in basins):
        rule = "one of " + ", ".join(map(repr, BASINS)) + ", or a list of one for each attribute"
        raise bad_parameter("basin", "p3m", rule, basin)
    if whole and integers == "refuse":
        raise DataError(
            "X of p3m must hold numbers that need not be whole. Got integers; convert them to "
            "float, or give integers='round' to round the released values."
        )
    names = [f"x{j + 1}" for j in range(d)] if attributes is None else list(map(str, attributes))
    if len(names) != d:
        raise bad_parameter("attributes", "p3m", f"{d} names", names)
    wanted = _given("delta", delta, n, names, table)
    weight = _given("importance", importance, n, names, table)
    values = group_means(grouped)
    start = np.append(grouped.starts, n)
    figures = np.zeros((5, d))
    infeasible = []
    for t in range(d):
        own = StandardAttribute.of(grouped.X[:, t])
        limit = own.limit(wanted[:, t], unit)
        if own.constant:
            found = Solution.constant(len(grouped.sizes))
        else:
            task = AttributeTask(
                own.standard[grouped.order],
                limit[grouped.order] * (1.0 + margin),
                weight[grouped.order, t],
                start,
                float(alpha),
                one_sided,
            )
            found = solve(task, basins[t])
            values[:, t] = own.restored(found.values, names[t])
        if whole:
            values[:, t] = np.round(values[:, t])
        released = own.standardized(values[:, t])[grouped.labels]
        kept = np.abs(own.standard - released) >= limit - HELD
        missed = weight[~kept, t].sum()
        importance_sum = weight[:, t].sum()
        figures[:, t] = (
            found.objective,
            found.bound,
            released.mean() - own.standard.mean(),
            released.var() - own.standard.var(),
            max(1.0 - missed / importance_sum, 0.0) if importance_sum > 0 else 1.0,
        )
        if not found.feasible:
            infeasible.append(t)
        if callback is not None:
            callback((t + 1) / d)
    objective, bound, mean_residual, variance_residual, satisfied = figures
    return P3M(
        values,
        grouped.labels,
        objective,
        bound,
        mean_residual,
        variance_residual,
        satisfied,
        tuple(infeasible),
    )


def _given(name: str, given: Any, n: int, names: list[str], table: Any) -> NDArray[np.float64]:
    """Distances or importances as an (n, d) array."""
    found = distance_target(name, given, n, names, table)
    if found is None:
        raise bad_parameter(name, "p3m", "given", None)
    return found


def _whole(X: ArrayLike) -> bool:
    try:
        return np.asarray(X).dtype.kind in "iu"
    except ValueError:
        return False  # rows of unequal length: `Grouped` says so


def _check(
    alpha: Any, margin: Any, unit: Any, one_sided: Any, integers: Any, callback: Any
) -> None:
    for name, value in (("alpha", alpha), ("margin", margin)):
        number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
        if not number or not 0.0 <= value <= 1.0:
            raise bad_parameter(name, "p3m", "a number from 0 to 1", value)
    if unit not in ("sd", "value", "relative"):
        raise bad_parameter("unit", "p3m", "one of 'sd', 'value', 'relative'", unit)
    if not isinstance(one_sided, bool):
        raise bad_parameter("one_sided", "p3m", "True or False", one_sided)
    if integers not in ("refuse", "round"):
        raise bad_parameter("integers", "p3m", "one of 'refuse', 'round'", integers)
    if callback is not None and not callable(callback):
        raise bad_parameter("callback", "p3m", "a function of one argument", callback)
