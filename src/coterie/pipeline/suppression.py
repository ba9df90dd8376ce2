"""Bounded suppression: a few records are left out if that spares the others most.

Whole groups are let go, those that cost most for each record in them: a group of outliers is far
from every other, so whoever took them in would pay for it; a record that merely is far has company.
Never more than the plan allows, in units where it names some; what stays keeps its groups.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.sharing import released_costs
from coterie.partitioning.core import Outcome, Partition
from coterie.partitioning.problem import Problem

__all__ = ["Spared", "chosen", "distances", "spare"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Spared:
    """What was left out, and what that gained.

    Attributes
    ----------
    records, units : int
        Left out; units are None where each record is one.
    at_most : float
        The share that was allowed.
    before, after : float
        What is lost of all records, and of those that stay, in percent of what there was to lose
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
    measure: str = "squared distances"

    @property
    def told(self) -> dict[str, Any]:
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


def chosen(costs: Floats, labels: Ints, share: float, units: Ints | None = None) -> NDArray:
    """Which records to leave out: groups that cost most for each record.

    Examples
    --------
    >>> import numpy as np
    >>> labels = np.array([0, 0, 1, 1, 2, 2])
    >>> points = np.array([[0.0], [0.1], [5.0], [9.0], [20.0], [20.1]])
    >>> chosen(distances(points, labels), labels, 0.4).tolist()
    [False, False, True, True, False, False]
    """
    groups = len(costs)
    sizes = np.bincount(labels, minlength=groups)
    cost = costs / sizes
    everyone = len(labels) if units is None else len(np.unique(units))
    room = int(np.floor(share * everyone + 1e-9))
    out = np.zeros(len(labels), dtype=np.bool_)
    gone: set[int] = set()
    members = np.split(np.argsort(labels, kind="stable"), np.cumsum(sizes)[:-1])
    left = groups
    for group in np.argsort(-cost, kind="stable").tolist():
        if cost[group] <= 0 or left == 1:
            break
        who = members[group]
        more = len(who) if units is None else len({*units[who].tolist()} - gone)
        if more > room:
            continue
        room -= more
        left -= 1
        out[who] = True
        if units is not None:
            gone |= {*units[who].tolist()}
    return out


def spare(
    prepared: Any, partition: Partition, points: Floats, share: float
) -> tuple[Any, Partition, Spared | None]:
    """The table, its groups and what was left out; as they are where nothing is to be."""
    if not share:
        return prepared, partition, None
    layers = prepared.layers
    units = None if prepared.units is None else prepared.units[layers.rows]
    # What is released decides: a label may cost little where distances are large.
    keys = [column for column in prepared.columns if column.name in prepared.sets[0]]
    if any(column.attribute.generalized for column in keys):
        costs = released_costs(keys, partition)
        measure = "what is released"
        whole = float(len(points) * sum(column.attribute.weight for column in keys))
    else:
        costs, whole = distances(points, partition.labels), partition.sst
        measure = "squared distances"
    out = chosen(costs, partition.labels, share, units)
    before = 100.0 * float(costs.sum()) / whole if whole > 0 else 0.0
    if not out.any():
        units_out = None if units is None else 0
        return prepared, partition, Spared(share, 0, units_out, before, before, measure)
    stay = np.flatnonzero(~out)
    place = np.cumsum(~out) - 1
    parts = [place[part[~out[part]]] for part in layers.parts]
    kept = Partition.of(
        Problem.of(points[stay], partition.k, "anonymize"),
        Outcome(partition.labels[stay], interrupted=partition.interrupted),
        method=partition.method,
        options=partition.options,
        runtime=partition.runtime,
        repair=partition.repair,
    )
    kept = replace(kept, trace=partition.trace, epochs=partition.epochs)
    released = {name: array.take(_arrow(stay)) for name, array in layers.released.items()}
    made = replace(
        prepared,
        layers=replace(
            layers,
            rows=layers.rows[stay],
            parts=[part for part in parts if len(part)],
            released=released,
        ),
        columns=[column.some(stay) for column in prepared.columns],
        weights=None if prepared.weights is None else prepared.weights[stay],
    )
    left = None if units is None else len(np.unique(units)) - len(np.unique(units[stay]))
    stayed = np.unique(partition.labels[stay])
    after = 100.0 * float(costs[stayed].sum()) / whole if whole > 0 else 0.0
    return made, kept, Spared(share, int(out.sum()), left, before, after, measure)


def _arrow(rows: Ints) -> Any:
    import pyarrow as pa

    return pa.array(rows)
