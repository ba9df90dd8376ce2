"""Preparation: a table that nothing speaks against protecting becomes columns and strata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.edits.plan import Edits
from coterie.errors import DataError
from coterie.guarantees.beyond_k import BeyondK
from coterie.guarantees.panel.earlier import Divided, Earlier, divide, read_previous
from coterie.guarantees.strata import Strata, form_strata
from coterie.pipeline.examination import examined
from coterie.pipeline.stages import Stages
from coterie.plan import Plan
from coterie.recoding.apply import Recoded, judged_schema, recode
from coterie.table.arrays import to_numpy
from coterie.table.classes import value_codes
from coterie.table.encoding import Column
from coterie.table.read import read
from coterie.table.schema import Schema
from coterie.table.source import Source

__all__ = ["Prepared", "kept_records", "prepare", "refuse_few", "weights_of"]


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table that nothing speaks against protecting.

    Attributes
    ----------
    plan : Plan
        What was asked.
    beyond_k : BeyondK
        What it asks of the values of a class.
    k : int
        Least units in a group.
    sets : list of tuples of str
        The keys that are grouped together.
    columns : list of Column
        Keys of the records kept.
    layers : Strata
        Which records are kept, and which of them may share a group.
    units : (n,) int array or None
        The unit of every record of the source.
    weights : (m,) float array or None
        Sampling weights of the records kept.
    edits : Edits
        Rules that every record of the release must keep.
    earlier : Earlier or None
        Where the records stood in earlier releases.
    divided : Divided or None
        What was left out to keep them safe together with those.
    unrecoded : Source or None
        The table as it came, where columns were recoded.
    recoded : mapping
        What was done to these.
    """

    plan: Plan
    beyond_k: BeyondK
    source: Source
    schema: Schema
    k: int
    sets: list[tuple[str, ...]]
    columns: list[Column]
    layers: Strata
    units: NDArray[np.int64] | None
    weights: NDArray[np.float64] | None
    edits: Edits
    earlier: Earlier | None = None
    divided: Divided | None = None
    unrecoded: Source | None = None
    recoded: Mapping[str, Recoded] = field(default_factory=dict)

    @property
    def original(self) -> Source:
        """The table as it came."""
        return self.source if self.unrecoded is None else self.unrecoded


def prepare(
    table: Any,
    plan: Plan,
    stages: Stages,
    *,
    problems: Sequence[str] = (),
) -> Prepared:
    """Read and check a table for what a plan asks; problems known already are told with the rest.

    Raises
    ------
    ParameterError, DataError
        One message with every problem found.
    """
    given = table if isinstance(table, Source) else read(table)
    source, recoded, early = recode(given, plan)
    stages.done("read")
    seen = examined(source, plan, problems=problems)
    seen.found.refuse(early, first=problems)
    schema, columns, edits, size = seen.schema, seen.columns, seen.edits, plan.k
    gaps = np.column_stack([column.gaps for column in columns])
    stages.done("schema")
    rows = np.flatnonzero(kept_records(plan, gaps, edits.breakers))
    refuse_few(len(rows), len(gaps), size)
    units = value_codes(source, [schema.unit]) if schema.unit is not None else None
    layers = form_strata(source, schema, rows, gaps, units, size, plan.small_strata, plan.pooled)
    earlier, divided = None, None
    if plan.previous:
        earlier = read_previous(plan.previous, plan.match, source, units, size)
        divided = divide(layers, earlier, units, plan.small_strata, plan.departed or "error")
        layers = divided.layers
    return Prepared(
        plan,
        seen.beyond_k,
        source,
        judged_schema(schema, {name: one.settled for name, one in recoded.items()}),
        size,
        seen.sets,
        [column.some(layers.rows) for column in columns],
        layers,
        units,
        weights_of(source, schema, layers.rows),
        edits,
        earlier,
        divided,
        given if recoded else None,
        recoded,
    )


def kept_records(
    plan: Plan, gaps: NDArray[np.integer], breakers: NDArray[np.bool_] | None
) -> NDArray[np.bool_]:
    """Which records of a part the plan keeps: those with gaps or that break rules may be dropped.

    Parameters
    ----------
    gaps : (n, keys) int array
        0 where there is a value.
    breakers : (n,) bool array or None
        Records that break a rule, where those are dropped.
    """
    kept = np.ones(len(gaps), dtype=np.bool_)
    if plan.missing == "drop":
        kept &= ~gaps.any(axis=1)
    return kept if breakers is None else kept & ~breakers


def refuse_few(kept: int, records: int, k: int) -> None:
    """Refuse a table of which fewer than k records are left."""
    if kept < k:
        raise DataError(
            f"anonymize must keep at least k = {k} records. Got {kept} after dropping "
            f"{records - kept} with missing keys or broken rules; use missing='pattern', "
            "broken_rules='repair' or another key."
        )


def weights_of(
    source: Source, schema: Schema, rows: NDArray[np.int64]
) -> NDArray[np.float64] | None:
    """The sampling weights of some records; refused where they are none."""
    import pyarrow as pa

    name = schema.sample_weight
    if name is None:
        return None
    given = source.frame[name].to_arrow()
    weights = to_numpy(given.cast(pa.float64(), safe=False))[rows]
    if not (np.isfinite(weights).all() and (weights > 0).all()):
        bad = weights[~(np.isfinite(weights) & (weights > 0))][0]
        raise DataError(
            f"Column {name!r} must hold finite weights above 0. Got {bad}; drop such records."
        )
    return np.asarray(weights, dtype=np.float64)
