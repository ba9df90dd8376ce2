"""Partition: which record is in which group, and what that costs.

Sums of squares are taken round each group's own centroid, and a centroid as the first member plus
the mean difference from it: no cancellation at offsets like 1e9, and a group of equal records has
exactly their value as its centroid and exactly zero SSE.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import ParameterError, bad_parameter
from coterie.guarantees.repair import RepairRecord
from coterie.numbers.renumber import by_code, renumber
from coterie.partitioning.problem import Problem

if TYPE_CHECKING:
    from coterie.partitioning.driver import Run

__all__ = ["Outcome", "Partition", "Trace", "TracePoint", "canonical", "sse_of"]


@dataclass(frozen=True)
class TracePoint:
    """The best partition known at one moment of a search."""

    iterations: int
    seconds: float
    sse: float


class Trace:
    """The course of a search: notes each improvement, and tells it as information loss."""

    def __init__(self, problem: Problem, run: Run) -> None:
        self.run = run
        self.spread = float(np.square(problem.points - problem.points.mean(axis=0)).sum())
        self.points: tuple[TracePoint, ...] = ()

    def note(self, iterations: int, sse: float) -> float:
        """Add a point if `sse` is lower than ever; return the information loss in percent."""
        if not self.points or sse < self.points[-1].sse:
            self.points += (TracePoint(iterations, self.run.seconds, sse),)
        return self._percent(sse)

    @property
    def loss(self) -> float:
        """The least information loss so far, in percent."""
        return self._percent(self.points[-1].sse)

    def _percent(self, sse: float) -> float:
        return 100.0 * sse / self.spread if self.spread > 0 else 0.0


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a method hands back to `partition`: labels in any numbering, and what it learned.

    `first` is the record round which the first group was formed, where there is one: the path
    through the groups starts there. `settings` are options that the method chose itself, by the
    clock: with them a run can be replayed.
    """

    labels: NDArray[np.int64]
    first: int | None = None
    trace: tuple[TracePoint, ...] | None = None
    lower_bound: float | None = None
    epochs: int | None = None
    interrupted: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Partition:
    """A partition of n records into groups of at least k, and what it costs.

    Made by `coterie.partition`, or from labels of any origin by `Partition.from_labels`.

    Attributes
    ----------
    labels : (n,) int array
        Group of each record, 0..g-1, numbered by each group's first record.
    sizes : (g,) int array
        Number of records in each group.
    centroids : (g, d) float array
        Mean of each group, in the units of `X`.
    sse, sst : float
        Sum of squared distances to the own group's centroid, and to the mean of all.
    k : int
        The least group size asked for.
    method : str
        Name of the method that made it.
    options : mapping
        The method's options, defaults included.
    runtime : float or None
        Seconds, without compilation.
    trace : tuple of TracePoint or None
        Best SSE against iterations and seconds; None for methods that do not search.
    lower_bound : float or None
        An SSE that no partition can go below, where one was proved.
    epochs : int or None
        Epochs that a search completed.
    interrupted : bool
        True if Ctrl-C ended the search and this is the best partition found so far.
    repair : RepairRecord or None
        What constraints did to the groups, where some were asked for.
    """

    labels: NDArray[np.int64]
    sizes: NDArray[np.int64]
    centroids: NDArray[np.float64]
    sse: float
    sst: float
    k: int
    method: str = "labels"
    options: Mapping[str, Any] = field(default_factory=dict)
    runtime: float | None = None
    trace: tuple[TracePoint, ...] | None = None
    lower_bound: float | None = None
    epochs: int | None = None
    interrupted: bool = False
    repair: RepairRecord | None = None
    _relative_loss: float = field(default=0.0, repr=False)

    @classmethod
    def from_labels(cls, X: ArrayLike, labels: ArrayLike, k: int) -> Partition:
        """Judge a grouping made elsewhere: any integers that tell the groups apart.

        Raises
        ------
        ParameterError
            If a label is missing or a group has fewer than `k` records.

        Examples
        --------
        >>> import coterie
        >>> p = coterie.Partition.from_labels([[1.0], [2.0], [9.0], [11.0]], [7, 7, 3, 3], k=2)
        >>> p.labels.tolist(), p.sse
        ([0, 0, 1, 1], 2.5)
        """
        problem = Problem.of(X, k, "Partition.from_labels")
        codes = np.asarray(labels)
        if codes.shape != (problem.n,) or codes.dtype.kind not in "iu":
            rule = f"one integer for each of the {problem.n} records"
            got = f"{codes.dtype} of shape {codes.shape}"
            raise bad_parameter("labels", "Partition.from_labels", rule, got)
        return cls.of(problem, Outcome(codes.astype(np.int64)))

    @classmethod
    def of(cls, problem: Problem, outcome: Outcome, **facts: Any) -> Partition:
        """The partition that `outcome` stands for, its cost computed afresh from the points."""
        labels, sizes, order, starts = canonical(outcome.labels)
        if (sizes < problem.k).any():
            small = int((sizes < problem.k).sum())
            raise ParameterError(
                f"labels must give every group at least k = {problem.k} records. Got {small} "
                f"group(s) below it, the smallest of {sizes.min()}; merge them or lower k."
            )
        points = problem.points
        offset = _offsets(points, sizes, order, starts)
        sse = _sum_of_squares(points, points[order[starts]] + offset, labels)
        sst = _sum_of_squares(points, points.mean(axis=0)[None, :], np.zeros_like(labels))
        for array in (labels, sizes):
            array.flags.writeable = False
        centroids = problem.values[order[starts]] + offset * problem.scale
        centroids.flags.writeable = False
        square = problem.scale * problem.scale
        bound = outcome.lower_bound
        return cls(
            labels=labels,
            sizes=sizes,
            centroids=centroids,
            sse=sse * square,
            sst=sst * square,
            k=problem.k,
            trace=None
            if outcome.trace is None
            else tuple(TracePoint(t.iterations, t.seconds, t.sse * square) for t in outcome.trace),
            lower_bound=None if bound is None else bound * square,
            epochs=outcome.epochs,
            interrupted=outcome.interrupted,
            _relative_loss=sse / sst if sst > 0 else 0.0,
            **facts,
        )

    @property
    def information_loss(self) -> float:
        """IL = 100 SSE / SST, in percent; 0 where all records are equal."""
        return 100.0 * min(self._relative_loss, 1.0)

    @property
    def gap(self) -> float | None:
        """Percent by which SSE may still lie above the optimum; None without a bound."""
        if self.lower_bound is None:
            return None
        return 0.0 if self.sse <= 0 else 100.0 * max(0.0, 1.0 - self.lower_bound / self.sse)

    def __repr__(self) -> str:
        return (
            f"Partition(method={self.method!r}, n={len(self.labels)}, k={self.k}, "
            f"groups={len(self.sizes)}, information_loss={self.information_loss:.4f})"
        )


def canonical(
    labels: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Labels numbered by first appearance; sizes; records group by group; where each begins."""
    wide = int(labels.max()) - int(labels.min()) > 8 * len(labels)
    codes = renumber(labels) if wide else labels - labels.min()
    held = np.bincount(codes)
    held = held[held > 0]
    order = by_code(codes)
    first = order[np.cumsum(held) - held]
    number = np.empty(len(first), dtype=np.int64)
    number[by_code(first)] = np.arange(len(first))
    renamed = np.empty(len(labels), dtype=np.int64)
    renamed[order] = np.repeat(number, held)
    sizes = np.bincount(renamed).astype(np.int64)
    return renamed, sizes, by_code(renamed), np.cumsum(sizes) - sizes


def sse_of(points: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """SSE of labels in any numbering."""
    renamed, sizes, order, starts = canonical(labels)
    means = points[order[starts]] + _offsets(points, sizes, order, starts)
    return _sum_of_squares(points, means, renamed)


def _offsets(
    points: NDArray[np.float64],
    sizes: NDArray[np.int64],
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Of each group, its mean less its first member: at most the group's diameter."""
    first = np.repeat(points[order[starts]], sizes, axis=0)
    return np.add.reduceat(points[order] - first, starts) / sizes[:, None]


def _sum_of_squares(
    points: NDArray[np.float64], centers: NDArray[np.float64], labels: NDArray[np.int64]
) -> float:
    total = 0.0
    for start in range(0, len(points), 65536):  # keeps the residuals of a large table small
        part = slice(start, start + 65536)
        residual = points[part] - centers[labels[part]]
        total += float(np.einsum("ij,ij->", residual, residual))
    return total
