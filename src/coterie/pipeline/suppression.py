"""Bounded suppression: a few records are not released, so that the others lose less.

Whole groups are suppressed, those that cost most for each record in them: a group of outliers is
far from every other, so whoever took them in would pay for it; a record that merely is far has
company.
Never more than the plan allows, in units where it names some; what stays keeps its groups.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.sharing import released_costs
from coterie.partitioning.core import Outcome, Partition
from coterie.partitioning.problem import Problem
from coterie.pipeline.preparation import Prepared

__all__ = ["Suppression", "SuppressionCosts", "to_suppress", "without"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DISTANCES, RELEASED = "squared distances", "what is released"


@dataclass(frozen=True, eq=False)
class SuppressionCosts:
    """What the groups of a part cost: those of all parts together say which are suppressed.

    Attributes
    ----------
    costs : (g,) float array
        Of each group: of labels and intervals that are released where a key has some, else the
        squared distances of its records to their mean.
    sizes, first : (g,) int arrays
        Its records, and the number of the first one: of groups that cost the same, that decides.
    units : list of sets, or None
        Those in each group; None where each record is one.
    measure : str
        What the costs are.
    """

    costs: Floats
    sizes: Ints
    first: Ints
    units: list[set[Hashable]] | None
    measure: str

    @classmethod
    def of(
        cls,
        prepared: Prepared,
        partition: Partition,
        points: Floats,
        numbers: Ints,
        units: Sequence[Hashable] | None,
    ) -> SuppressionCosts:
        """Of a part, whose records have these numbers in the table, and these units."""
        labels = partition.labels
        # What is released decides: a label may cost little where distances are large.
        keys = [column for column in prepared.columns if column.name in prepared.sets[0]]
        if any(column.attribute.generalized for column in keys):
            costs, measure = released_costs(keys, partition), RELEASED
        else:
            costs, measure = distances(points, labels), DISTANCES
        first = np.full(len(partition.sizes), np.iinfo(np.int64).max)
        np.minimum.at(first, labels, numbers)
        held: list[set[Hashable]] | None = None
        if units is not None:
            held = [set() for _ in partition.sizes]
            for label, unit in zip(labels.tolist(), units, strict=True):
                held[label].add(unit)
        return cls(costs, partition.sizes, first, held, measure)


@dataclass(frozen=True)
class Suppression:
    """What was suppressed, and what that gained.

    Attributes
    ----------
    records, units : int
        Suppressed; units are None where each record is one.
    at_most : float
        The share that was allowed.
    before, after : float
        What is lost of all records, and of the others, in percent of what there was to lose
        of the whole table: of released labels and intervals where a key has some, else of squared
        distances.
    measure : str
        Which of the two.
    """

    at_most: float
    records: int
    units: int | None
    before: float
    after: float
    measure: str = DISTANCES

    @classmethod
    def of(
        cls,
        parts: Sequence[SuppressionCosts],
        suppressed: Sequence[NDArray[np.bool_]],
        share: float,
        whole: float,
    ) -> Suppression:
        """Of some groups of each part; `whole` is what there was to lose."""
        away = np.concatenate(suppressed)
        costs = np.concatenate([part.costs for part in parts])
        sizes = np.concatenate([part.sizes for part in parts])
        units, fewer = _units(parts), None
        if units is not None:
            kept = [held for held, out in zip(units, away, strict=True) if not out]
            fewer = len(set().union(*units)) - len(set().union(*kept))
        before, after = (
            100.0 * float(some.sum()) / whole if whole > 0 else 0.0
            for some in (costs, costs[~away])
        )
        return cls(share, int(sizes[away].sum()), fewer, before, after, parts[0].measure)

    @property
    def reported(self) -> dict[str, Any]:
        """For the internal evidence."""
        return {
            "at_most": self.at_most,
            "records": self.records,
            "units": self.units,
            "objective_percent_with_all": self.before,
            "objective_percent_of_the_rest": self.after,
            "objective": self.measure,
        }


def distances(points: Floats, labels: Ints) -> Floats:
    """The squared distances of each group's records to their mean, added up."""
    groups = int(labels.max()) + 1
    sizes = np.bincount(labels, minlength=groups)
    means = np.column_stack(
        [
            np.bincount(labels, points[:, a], minlength=groups) / sizes
            for a in range(points.shape[1])
        ]
    )
    errors = np.square(points - means[labels]).sum(axis=1)
    return np.asarray(np.bincount(labels, errors, minlength=groups), dtype=np.float64)


def to_suppress(parts: Sequence[SuppressionCosts], share: float) -> list[NDArray[np.bool_]]:
    """Which groups of each part to suppress: those that cost most for each record.

    Examples
    --------
    >>> import numpy as np
    >>> sizes = np.array([2, 2, 2])
    >>> part = SuppressionCosts(np.array([0.01, 8.0, 0.1]), sizes, np.arange(3), None, DISTANCES)
    >>> to_suppress([part], 0.4)[0].tolist()
    [False, True, False]
    """
    costs, sizes, first = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("costs", "sizes", "first")
    )
    units = _units(parts)
    everyone = int(sizes.sum()) if units is None else len(set().union(*units))
    room = int(np.floor(share * everyone + 1e-9))
    suppressed = np.zeros(len(costs), dtype=np.bool_)
    away: set[Hashable] = set()
    left = len(costs)
    for group in np.lexsort((first, -costs / sizes)).tolist():
        if costs[group] <= 0 or left == 1:
            break
        more = int(sizes[group]) if units is None else len(units[group] - away)
        if more > room:
            continue
        room -= more
        left -= 1
        suppressed[group] = True
        if units is not None:
            away |= units[group]
    return np.split(suppressed, np.cumsum([len(part.sizes) for part in parts])[:-1])


def _units(parts: Sequence[SuppressionCosts]) -> list[set[Hashable]] | None:
    if any(part.units is None for part in parts):
        return None
    return [held for part in parts for held in part.units or ()]


def without(
    prepared: Prepared, partition: Partition, points: Floats, suppressed: NDArray[np.bool_]
) -> tuple[Prepared, Partition, Floats]:
    """A part without the records of some groups: its table, groups and points."""
    if not suppressed.any():
        return prepared, partition, points
    kept = ~suppressed[partition.labels]
    rows = np.flatnonzero(kept)
    groups = Partition.of(
        Problem.of(points[rows], partition.k, "anonymize"),
        Outcome(partition.labels[rows], interrupted=partition.interrupted),
        method=partition.method,
        options=partition.options,
        runtime=partition.runtime,
        repair=partition.repair,
    )
    groups = replace(groups, trace=partition.trace, epochs=partition.epochs)
    remaining = replace(
        prepared,
        layers=prepared.layers.some(kept),
        columns=[column.some(rows) for column in prepared.columns],
        weights=None if prepared.weights is None else prepared.weights[rows],
    )
    return remaining, groups, points[rows]
