"""Assembly: centroids back into the table, and its rows in an order that tells nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.edits.keep import Kept, keep
from coterie.centroids.generalized import generalized
from coterie.centroids.typed import centroids, disclosure_aware, rounded
from coterie.partitioning.core import Partition
from coterie.pipeline.preparation import Prepared
from coterie.table.arrays import take_rows
from coterie.table.ranks import row_order
from coterie.table.restore import replace_columns
from coterie.table.schema import Schema

__all__ = ["Assembled", "assemble", "order"]


@dataclass(frozen=True, eq=False)
class Assembled:
    """The released table, aligned with the records that were kept.

    Attributes
    ----------
    kept, frame : narwhals.DataFrame
        The original records that were kept, and what is released of them, row by row.
    targets_met : dict
        How P3M's distance targets were met, by column.
    edited : list of Kept
        What it took to keep the rules, for each set of keys that has any.
    """

    kept: Any
    frame: Any
    targets_met: dict[str, Any] = field(default_factory=dict)
    edited: list[Kept] = field(default_factory=list)


def assemble(
    prepared: Prepared,
    partitions: Sequence[Partition],
    wide: Mapping[str, NDArray[np.int64]] | None = None,
) -> Assembled:
    """What is released of every record: its groups' centroids, strata, and all other columns.

    The centroids of some columns may be of `wide` groups, that hold several others each.
    """
    wide = wide or {}
    source, schema, layers = prepared.source, prepared.schema, prepared.layers
    rows, plan = layers.rows, prepared.plan
    kept = take_rows(source.frame, rows) if len(rows) < len(source.frame) else source.frame
    came = kept if prepared.original is source else take_rows(prepared.original.frame, rows)
    frame = kept.drop(list(schema.fates()["dropped"]))
    arrays: dict[str, Any] = {}
    texts: dict[str, Any] = {}
    targets_met: dict[str, Any] = {}
    edited: list[Kept] = []
    for names, groups in zip(prepared.sets, partitions, strict=True):
        mine = [c for c in prepared.columns if c.name in names]
        together = [c for c in mine if not c.attribute.generalized]
        for column in mine:
            if column.attribute.generalized:
                labels = wide.get(column.name, groups.labels)
                texts[column.name] = generalized(column, labels)
        aware, centers = None, {}
        if plan.aggregation == "p3m" and together:
            aware = disclosure_aware(
                together, groups.labels, plan.distance_targets, kept.to_native()
            )
            centers = dict(aware.values)
        for column in together:
            if column.name not in centers:
                centers[column.name] = centroids(
                    column,
                    wide.get(column.name, groups.labels),
                    prepared.weights,
                    column.attribute.release or plan.aggregation,
                )
        values = {c.name: rounded(c, centers[c.name]) for c in together}
        edits = prepared.edits
        ruled = [c for c in together if edits.rules and c.name in edits.columns]
        if ruled:
            held = keep(ruled, centers, groups.labels, *edits.of(names, rows))
            values.update(held.values)
            edited.append(held)
        if aware is not None:
            targets_met.update(aware.reported(values))
        for column in together:
            labels = wide.get(column.name, groups.labels)
            arrays[column.name] = column.restore(values[column.name][labels])
    retyped = {**texts, **layers.released}
    frame = replace_columns(replace_columns(frame, arrays), retyped, retyped=True)
    return Assembled(came, frame, targets_met, edited)


def order(frame: Any, schema: Schema) -> NDArray[np.int64]:
    """Rows by their released values: keys and strata first, then all the other columns."""
    first = [*schema.keys, *schema.strata]
    names = first + [name for name in frame.columns if name not in first]
    return row_order(frame.to_arrow().select(names))
