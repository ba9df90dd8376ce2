"""P3M's basins chosen attribute by attribute, by what the release as a whole is judged by.

Where targets are wider than the groups, Equation (14) of Mortazavi, Jalili (2017) has many minima
of
nearly the same objective: a group's value can be moved up or down. Which one is taken decides how
well quantiles and correlations survive. The attributes are solved apart, so their solutions can be
combined at will and the combination judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from coterie.centroids.p3m import P3M, p3m
from coterie.centroids.p3m.solver import BASINS
from coterie.errors import ParameterError
from coterie.evaluation import evaluate
from coterie.evaluation.registry import find

__all__ = ["Choice", "choose_basins"]


@dataclass(frozen=True, eq=False)
class Choice:
    """The combination of basins that was judged best.

    Attributes
    ----------
    result : P3M
        The released values.
    basins : tuple of str
        The basin of each attribute.
    value : float
        The measure of the release.
    uniform : dict
        The measure with one basin for all attributes, for each of them.
    """

    result: P3M
    basins: tuple[str, ...]
    value: float
    uniform: dict[str, float]


def choose_basins(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    measure: str = "si",
    basins: Sequence[str] = BASINS,
    rounds: int = 2,
    callback: Callable[[float], object] | None = None,
    **distance_targets: Any,
) -> Choice:
    """P3M with the basin of each attribute chosen so that `measure` is lowest.

    Starts from the best basin common to all attributes, then changes one attribute at a time for
    as long as that helps, at most `rounds` times round: d times as many evaluations as basins.

    Parameters
    ----------
    X, labels
        As `coterie.centroids.p3m` takes them.
    measure : str
        A measure of which less is better.
    basins : sequence of str
        The basins to choose from.
    rounds : int
        Times round the attributes, at most.
    callback : callable, optional
        Called with the share of the work done, at least.
    **distance targets
        ``delta``, ``importance``, ``alpha`` and the other options of `p3m`.

    Examples
    --------
    >>> import coterie
    >>> from coterie.tuning import choose_basins
    >>> X = coterie.standardize(coterie.datasets.diabetes()[["age", "bmi", "bp"]].astype(float))
    >>> labels = coterie.partition(X, k=5).labels
    >>> chosen = choose_basins(X, labels, delta=0.8, alpha=0.8, basins=["best", "inward"])
    >>> chosen.value <= min(chosen.uniform.values())
    True
    """
    if find(measure).rises:
        raise ParameterError(
            f"The 'measure' parameter of choose_basins must be one of which less is better. Got "
            f"{measure!r}, of which {find(measure).direction}."
        )
    found = {basin: p3m(X, labels, basin=basin, **distance_targets) for basin in basins}

    def judge(result: P3M) -> float:
        return evaluate(X, result.table, aligned=True, measures=[measure])[measure].value

    uniform = {basin: judge(result) for basin, result in found.items()}
    first = min(uniform, key=lambda basin: uniform[basin])
    best, value = found[first], uniform[first]
    d = best.values.shape[1]
    names = [first] * d
    for turn in range(rounds):
        before = value
        for t in range(d):
            for basin in found:
                if basin == names[t]:
                    continue
                trial = P3M.mixed([found[basin] if s == t else best for s in range(d)])
                if (trial.values[:, t] == best.values[:, t]).all():
                    continue
                score = judge(trial)
                if score < value:
                    best, value, names[t] = trial, score, basin
            if callback is not None:
                callback((turn * d + t + 1) / (rounds * d))
        if value == before:
            break
    return Choice(best, tuple(names), value, uniform)
