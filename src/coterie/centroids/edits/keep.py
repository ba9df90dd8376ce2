"""Groups' released values that keep the rules: moved as little as need be, one vector a group.

Means of records that keep a linear rule keep it too, so means stay where they are unless a record
breaks a rule or the values are whole numbers. Medians and P3M's values, each made attribute by
attribute, are projected (`project`); whole numbers and decimals are then rounded together
(`rounding`). A change is counted in standard deviations of the attribute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.edits.check import Figures
from coterie.centroids.edits.feasible import matrix
from coterie.centroids.edits.plan import impossible
from coterie.centroids.edits.project import Conditions, project
from coterie.centroids.edits.rounding import nearest, round_within
from coterie.centroids.edits.rule import Condition, Rule

if TYPE_CHECKING:
    from coterie.table.encoding import Column

__all__ = ["Kept", "keep", "step_of"]

NARROW = 1e-140
MOVED = 1e-9  # standard deviations: less is rounding of floating-point numbers


@dataclass(frozen=True, eq=False)
class Kept:
    """Values that keep the rules, and what that took.

    Attributes
    ----------
    values : dict of column to (g,) array
        The released value of each group, rounded as its column is.
    projected, rounded : int
        Groups whose values were moved before rounding, and in rounding.
    change : dict of column to float
        Root of the mean squared change of the records, in standard deviations of the column.
    spread : dict of column to float
        Those standard deviations.
    records : int
        How many records there are.
    """

    values: dict[str, NDArray[np.float64]]
    projected: int = 0
    rounded: int = 0
    change: dict[str, float] = field(default_factory=dict)
    spread: dict[str, float] = field(default_factory=dict)
    records: int = 0


def step_of(column: Column) -> float:
    """What a column's released numbers are multiples of; 0 for any number."""
    import pyarrow as pa

    kind = column.arrow_type
    if pa.types.is_decimal(kind):
        return 10.0**-kind.scale
    whole = column.attribute.type != "continuous" or pa.types.is_integer(kind)
    return 1.0 if whole else 0.0


def keep(
    columns: Sequence[Column],
    centers: Mapping[str, NDArray[np.float64]],
    labels: NDArray[np.int64],
    rules: Sequence[Rule],
    others: Mapping[str, Figures],
) -> Kept:
    """Move `centers`, as little as need be, until every rule holds for every group.

    Parameters
    ----------
    columns : sequence of Column
        The keys that `rules` name, of the records released.
    centers : mapping of column to (g,) array
        Values of the groups before rounding.
    labels : (n,) int array
        The group of each record.
    rules : sequence of Rule
        What must hold.
    others : mapping of column to Figures
        The other columns that rules name, of the same records.

    Raises
    ------
    DataError
        If no values of a group suit all of its members.
    """
    names = [column.name for column in columns]
    given = np.column_stack([centers[name] for name in names])
    steps = np.array([step_of(column) for column in columns])
    spread = np.array([_spread(column) for column in columns])
    parts = [(rule, part) for rule in rules for part in rule.parts if _keys(part, names)]
    rows = matrix([part for _, part in parts], names)
    equal = np.array([part.equal for _, part in parts], dtype=bool)
    present = _present(columns, labels)
    bounds = np.column_stack([_bounds(part, names, labels, others) for _, part in parts])
    applies = np.column_stack(
        [present[:, [names.index(n) for n in _keys(rule, names)]].all(axis=1) for rule, _ in parts]
    )
    applies &= bounds < np.inf
    values, plain = given.copy(), nearest(given, steps)
    projected = np.zeros(len(given), dtype=bool)
    patterns, which = np.unique(applies, axis=0, return_inverse=True)
    for place, pattern in enumerate(patterns):
        groups = np.flatnonzero(which.ravel() == place)
        here = Conditions(rows[pattern], equal[pattern], bounds[np.ix_(groups, pattern)])
        moved, possible = project(given[groups], spread**-2.0, here)
        if not possible.all():
            raise impossible(int((~possible).sum()), rules)
        projected[groups] = (np.abs(moved - given[groups]) > MOVED * spread).any(axis=1)
        values[groups], possible = round_within(moved, steps, spread**-2.0, here)
        if not possible.all():
            raise impossible(int((~possible).sum()), rules)
    turned = (np.abs(values - plain) > MOVED * spread).any(axis=1) & ~projected
    share = np.bincount(labels)[:, None] / len(labels)
    change = np.sqrt((share * np.square((values - plain) / spread)).sum(axis=0))
    return Kept(
        {name: values[:, place] for place, name in enumerate(names)},
        int(projected.sum()),
        int(turned.sum()),
        {name: float(change[place]) for place, name in enumerate(names)},
        {name: float(spread[place]) for place, name in enumerate(names)},
        len(labels),
    )


def _keys(of: Rule | Condition, names: Sequence[str]) -> list[str]:
    found = of.columns if isinstance(of, Rule) else of.coefficients
    return [name for name in found if name in names]


def _spread(column: Column) -> float:
    """Standard deviation; 1 for a constant column, or one too narrow for squares."""
    present = column.values[~column.missing]
    spread = float(present.std()) if len(present) else 0.0
    return spread if spread > NARROW else 1.0


def _present(columns: Sequence[Column], labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which groups have a value in which column; all members of a group have the same gaps."""
    present = np.zeros((int(labels.max()) + 1, len(columns)), dtype=bool)
    for place, column in enumerate(columns):
        present[labels, place] = ~column.missing
    return present


def _bounds(
    part: Condition, names: Sequence[str], labels: NDArray[np.int64], others: Mapping[str, Figures]
) -> NDArray[np.float64]:
    """What a condition leaves to the keys of each group: the least that any member leaves."""
    fixed = [name for name in part.coefficients if name not in names]
    bounds = np.full(int(labels.max()) + 1, part.bound)
    if not fixed:
        return bounds
    taken = np.sum([part.coefficients[n] * others[n].values for n in fixed], axis=0)
    gaps = np.logical_or.reduce([others[n].missing for n in fixed])
    bounds[:] = np.inf
    np.minimum.at(bounds, labels[~gaps], (part.bound - taken)[~gaps])
    return bounds
