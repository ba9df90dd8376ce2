"""Record by record: who is at risk, and why. Internal: it names records of the original.

Of each record: the chance that an intruder who knows all keys links it, the units in its released
class, the fewest keys on which it is alone in the original, and how far its confidential values
stand out in its class (a number by its distance from the mean of the others of the class in
standard deviations of the table, a category by the share of the others that have another one).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case
from coterie.evaluation.column import ColumnPair
from coterie.evaluation.links import equal_rows
from coterie.evaluation.risk.homogeneity import value_codes
from coterie.numbers.magnitude import magnitude

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Records", "records_of"]

MOST_KEYS = 3  # of a set on which records may be alone
MOST_SETS = 250
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Records:
    """The risk of each record.

    Attributes
    ----------
    linked : (n,) float array
        Chance of a right link by all keys, percent; not a number if it was not measured.
    class_size : (n,) int array
        Units in the released class.
    alone_on : (n,) int array
        Place in `sets` of the first and smallest set of keys on which the record is alone in the
        original; -1 if it is so on none that was looked at.
    sets : list of tuples of str
        The sets that were looked at: of one key, of two, of three.
    stands_out : dict of column to (n,) float array
        Of each confidential column.
    """

    linked: Floats
    class_size: NDArray[np.int64]
    alone_on: NDArray[np.int64]
    sets: list[tuple[str, ...]]
    stands_out: dict[str, Floats]

    @property
    def order(self) -> NDArray[np.int64]:
        """Records from the riskiest on: by link, by how few keys make it alone, by its values."""
        lengths = np.array([len(one) for one in self.sets] + [MOST_KEYS + 1])
        out = np.zeros(len(self.linked))
        for values in self.stands_out.values():
            out = np.maximum(out, _ranked(values))
        linked = np.nan_to_num(self.linked, nan=-1.0)
        return np.lexsort((-out, self.class_size, lengths[self.alone_on], -linked))

    def alone(self, record: int) -> tuple[str, ...]:
        """The keys on which a record is alone; none if it is not."""
        place = int(self.alone_on[record])
        return self.sets[place] if place >= 0 else ()

    def table(self, rows: NDArray[np.int64] | None = None) -> pd.DataFrame:
        """A row a record, from the riskiest on; `rows` are their numbers in the original."""
        import pandas as pd

        order = self.order
        numbers = np.arange(len(order)) if rows is None else rows
        names = np.array([" + ".join(one) for one in self.sets] + [""], dtype=object)
        columns = {
            "original_row": numbers[order],
            "linked_percent": self.linked[order],
            "class_size": self.class_size[order],
            "alone_on": names[self.alone_on[order]],
        }
        for name, values in self.stands_out.items():
            columns[f"{name}_stands_out"] = values[order]
        return pd.DataFrame(columns)


def records_of(case: Case, linked: Floats | None = None) -> Records:
    """Judge each record of two aligned tables; `linked` is the chance of a link, if it is known."""
    labels, sizes = case.classes
    if linked is None:
        linked = np.full(case.n, np.nan)
        measured = not case.pair.torn()
    else:
        measured = False
    if measured:
        links = case.links()
        linked = 100.0 * links.hit / links.ties
    sets, alone = _alone(case)
    out = {c.name: _stands_out(labels, c) for c in case.pair.confidential}
    return Records(linked, sizes[labels], alone, sets, out)


def _alone(case: Case) -> tuple[list[tuple[str, ...]], NDArray[np.int64]]:
    """Sets of keys by size, and the first on which each record shares its values with nobody."""
    keys = case.pair.keys
    codes = [equal_rows(column.apart(0)) for column in keys]
    found = np.full(case.n, -1, dtype=np.int64)
    sets: list[tuple[str, ...]] = []
    for size in range(1, min(MOST_KEYS, len(keys)) + 1):
        for places in itertools.combinations(range(len(keys)), size):
            left = found < 0
            if len(sets) == MOST_SETS or not left.any():
                return sets, found
            labels = equal_rows([codes[place] for place in places])
            found[left & (np.bincount(labels)[labels] == 1)] = len(sets)
            sets.append(tuple(keys[place].name for place in places))
    return sets, found


def _stands_out(labels: NDArray[np.int64], column: ColumnPair) -> Floats:
    """How far the value of each record is from the others of its class; 0 if there are none."""
    if not column.numeric:
        pairs = equal_rows([labels, value_codes(column)])
        others = np.maximum(np.bincount(labels)[labels] - 1, 1)
        same = np.bincount(pairs)[pairs] - 1
        alone = np.bincount(labels)[labels] == 1
        return np.where(alone, 0.0, 1.0 - same / others)
    there = column.there[1]
    values = np.where(there, column.released, 0.0).astype(np.float64)
    values = np.ldexp(values, -magnitude(values))
    spread = float(values[there].std()) if there.any() else 0.0
    if spread == 0.0:
        return np.zeros(len(labels))
    values = np.where(there, (values - values[there].mean()) / spread, 0.0)
    count = np.bincount(labels, weights=there)[labels] - there
    total = np.bincount(labels, weights=values)[labels] - values
    away = np.abs(values - total / np.maximum(count, 1.0))
    return np.where(there & (count > 0), away, 0.0)


def _ranked(values: Floats) -> Floats:
    """Values as shares of the largest, so that those of several columns can be compared."""
    most = float(values.max(initial=0.0))
    return values / most if most > 0 else values
