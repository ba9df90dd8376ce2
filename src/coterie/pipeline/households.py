"""Columns of a unit: the same for all its records, and released so.

Units are grouped first, on their own columns alone; then the records within each group of units, on
all other keys, every group with records of at least k units. So a unit's columns get one centroid
for all of its records, and classes on all keys are the groups of records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, shown
from coterie.guarantees.constraints import Constraints
from coterie.guarantees.strata import Strata
from coterie.partitioning.core import Outcome, Partition
from coterie.partitioning.problem import Problem
from coterie.pipeline.grouping import group, share
from coterie.table.classes import class_codes, value_codes
from coterie.table.problems import Problems
from coterie.table.schema import Schema
from coterie.table.source import Source

__all__ = [
    "check_unit_columns",
    "nest",
    "prove_unit_columns",
    "refuse_scattered",
    "refuse_torn",
    "scattered",
]


def check_unit_columns(
    names: Sequence[str],
    source: Source,
    schema: Schema,
    problems: Problems,
    *,
    all_records: bool = True,
) -> None:
    """What speaks against columns that are said to be the same for all records of a unit.

    Whether they are, a sample cannot tell.
    """
    known = [name for name in names if name in schema.names]
    for name in names:
        if name not in known:
            problems.add(f"Unknown column in unit_columns: {name!r}; correct it")
    if schema.unit is None:
        return
    units = value_codes(source, [schema.unit])
    for name in known:
        if "identifier" in schema[name].roles or name == schema.unit:
            problems.add(
                f"Column {name!r} of unit_columns must be released: take it out of them",
                columns=[name],
            )
            continue
        differing = _differing(units, class_codes(source, [name])) if all_records else 0
        if differing:
            problems.add(
                f"unit_columns must be the same in all records of a unit. Column {name!r} differs "
                f"within {differing} of {len(np.unique(units))} units: correct the table, or take "
                "it out of them",
                data=True,
                columns=[name],
            )


def _differing(units: NDArray[np.int64], codes: NDArray[np.int64]) -> int:
    """Units whose records do not agree."""
    pairs = np.unique(np.column_stack([units, codes]), axis=0)
    return int((np.bincount(pairs[:, 0]) > 1).sum())


def scattered(units: NDArray[np.int64], strata: NDArray[np.int64]) -> NDArray[np.int64]:
    """The units, of those of the records kept, that have records in several strata."""
    pairs = np.unique(np.column_stack([units, strata]), axis=0)
    return np.flatnonzero(np.bincount(pairs[:, 0]) > 1)


def nest(
    of_units: NDArray[np.float64],
    points: NDArray[np.float64] | None,
    k: int,
    layers: Strata,
    constraints: Constraints,
    *,
    time_limit: Any,
    **search: Any,
) -> tuple[Partition, NDArray[np.int64]]:
    """Groups of records within groups of units, and the group of units of each record.

    Parameters
    ----------
    of_units : (m, d) array
        The records in the space of their units' columns.
    points : (m, e) array or None
        The records in the space of all other keys; None if there are none.
    constraints : Constraints
        With the units.
    """
    units = constraints.units
    assert units is not None
    refuse_scattered(units, layers.numbers)
    names, first, whose = np.unique(units, return_index=True, return_inverse=True)
    parts = [np.unique(whose[part]) for part in layers.parts]
    search["time_limit"] = share(time_limit, 0.5)
    above = group(
        of_units[first],
        k,
        Strata(np.arange(len(names)), parts, layers.names),
        Constraints(),
        **search,
    )
    wide = above.labels[whose]
    if points is None:
        labels = wide
    else:
        order = np.argsort(wide, kind="stable")
        ends = np.cumsum(np.bincount(wide))[:-1]
        inner = replace(layers, parts=np.split(order, ends))
        labels = group(points, k, inner, constraints, **search).labels
    both = of_units if points is None else np.column_stack([of_units, points])
    nested = Partition.of(
        Problem.of(both, k, "anonymize"),
        Outcome(labels, interrupted=above.interrupted),
        method=above.method,
        options=above.options,
        runtime=above.runtime,
    )
    return nested, wide


def refuse_scattered(units: NDArray[np.int64], strata: NDArray[np.int64]) -> None:
    """Refuse units with records in several strata: their columns would differ."""
    many = scattered(units, strata)
    if len(many):
        raise DataError(
            "unit_columns must be the same in all records of a unit, which must be in one "
            f"stratum. Got {len(many)} units with records in several; use fewer strata, fill the "
            "gaps, or take the columns out of unit_columns."
        )


def prove_unit_columns(
    found: Source, names: Sequence[str], units: NDArray[np.int64], said: str = "the release"
) -> None:
    """Raise `DataError` if a released column differs within a unit."""
    refuse_torn({name: _differing(units, class_codes(found, [name])) for name in names}, said)


def refuse_torn(differing: Mapping[str, int], said: str = "the release") -> None:
    """Raise `DataError` if a released column differs within some units."""
    for name, many in differing.items():
        if many:
            raise DataError(
                f"Column {shown(name)} of {said} must be the same in all records of a unit. Got "
                f"{many} units in which it differs; this is a fault of ours, please report it."
            )
