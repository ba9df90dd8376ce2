"""The control part: people like those of the original who were not released.

Records of the original that are handed in as a control would show the same success as the release,
and so no risk at all: that is refused where it can be seen.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from coterie.errors import DataError
from coterie.evaluation.links import equal_rows
from coterie.evaluation.pair import Pair, numbered
from coterie.evaluation.tables import Table

__all__ = ["with_control"]

LEAST = 10  # records below which equal ones may be chance


def with_control(pair: Pair, table: Table, unit: object) -> Pair:
    """The pair with its control checked, and the units of the control where they are known."""
    assert pair.control is not None
    again = released_again(pair)
    if again >= LEAST and 2 * again >= table.rows:
        raise DataError(
            f"control must hold records that were not released. Got {table.rows:,}, of which "
            f"{again:,} are in the original; hold them out before the release is made."
        )
    if not isinstance(unit, str) or unit not in table:  # each of its records counts as a person
        return pair
    units = numbered(table.values(unit))
    return replace(pair, control=replace(pair.control, units=units))


def released_again(pair: Pair) -> int:
    """Records of the control that equal one record alone of the original in every column."""
    assert pair.control is not None
    mine, others = ([*part.keys, *part.confidential] for part in (pair, pair.control))
    columns = []
    for column, other in zip(mine, others, strict=True):
        columns.append(np.concatenate([column.distinct[0], other.distinct[0]]))
        columns.append(np.concatenate([column.gaps[0], other.gaps[0]]))
    labels = equal_rows(columns)
    alone = np.bincount(labels[: pair.n], minlength=int(labels.max()) + 1) == 1
    # Where most of the original is not alone, equal records are to be expected.
    if 2 * int(alone.sum()) < pair.n:
        return 0
    return int(alone[labels[pair.n :]].sum())
