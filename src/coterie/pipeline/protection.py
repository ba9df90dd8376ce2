"""Protection: the groups of a part and what is released of its records, whatever engine asks.

In memory the part is the whole table; otherwise it is a tile, with the space that was fitted to all
records. What came of it is an `PartOutcome`: outcomes add up to what is told of the release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.edits.keep import Kept
from coterie.centroids.sharing import sharpen
from coterie.evaluation.declared import DeclaredPair, declared_loss
from coterie.guarantees.constraints import Constraints
from coterie.guarantees.repair import RepairRecord
from coterie.partitioning import registry
from coterie.partitioning.core import Partition
from coterie.pipeline.assembly import Assembled, assemble
from coterie.pipeline.evidence import Facts
from coterie.pipeline.grouping import group, share
from coterie.pipeline.households import nest
from coterie.pipeline.preparation import Prepared
from coterie.pipeline.reuse import regroup
from coterie.pipeline.stages import Stages
from coterie.pipeline.suppression import (
    RELEASED,
    Suppression,
    SuppressionCosts,
    to_suppress,
    without,
)
from coterie.space import Loss, LossTally, Space, Stake
from coterie.table.encoding import Column
from coterie.table.schema import Attribute, Schema

__all__ = [
    "GroupedPart",
    "PartOutcome",
    "ReleasedPart",
    "at_stake",
    "facts_of",
    "find_groups",
    "lost",
    "release",
    "stakes_of",
    "suppress",
    "tallied",
]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GroupedPart:
    """A part in groups.

    Attributes
    ----------
    prepared : Prepared
        The part, without suppressed records.
    points : list of arrays
        Its records in the space of each set of keys.
    wide : mapping of column to int array
        Groups of columns that are of whole units.
    gained : mapping
        What sharper groups, and suppression, gained.
    """

    prepared: Prepared
    points: Sequence[Floats]
    partitions: tuple[Partition, ...]
    wide: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    gained: Mapping[str, Any] = field(default_factory=dict)

    def without(self, suppressed: NDArray[np.bool_]) -> GroupedPart:
        """Without some groups."""
        own = self.prepared, self.partitions[0], self.points[0]
        rest, kept, points = without(*own, suppressed)
        return replace(self, prepared=rest, partitions=(kept,), points=[points])


@dataclass(frozen=True, eq=False)
class ReleasedPart:
    """A part in groups, and what is released of its records."""

    grouped: GroupedPart
    assembled: Assembled

    @property
    def prepared(self) -> Prepared:
        """The part, without suppressed records."""
        return self.grouped.prepared

    @property
    def partitions(self) -> tuple[Partition, ...]:
        """Its groups."""
        return self.grouped.partitions

    def pair(self) -> DeclaredPair:
        """Its keys, what they were and what is released of them."""
        sides = (self.assembled.kept.to_native(), self.assembled.frame.to_native())
        return DeclaredPair.of(*sides, self.prepared.schema)


def find_groups(
    prepared: Prepared,
    constraints: Constraints,
    space: Callable[[Sequence[Column]], Space],
    stages: Stages,
    *,
    seed: Any,
    part: float = 1.0,
    workers: int | None = None,
) -> GroupedPart:
    """Group the records of a part.

    Parameters
    ----------
    prepared : Prepared
        What nothing speaks against protecting.
    constraints : Constraints
        What a group must satisfy beyond its size.
    space : callable
        The space of some columns.
    seed
        Of the search.
    part : float
        The share of a time limit, or of the work of a search without one, that is this part's.
    workers : int, optional
        Threads of a search.
    """
    plan, layers, sets = prepared.plan, prepared.layers, prepared.sets
    constraints = replace(constraints, effort=part * constraints.effort)

    def points_of(columns: Sequence[Column]) -> Any:
        return space(columns).coordinates(columns)

    points = [points_of([c for c in prepared.columns if c.name in names]) for names in sets]
    stages.done("space")
    limits: dict[str, Any] = {
        "method": plan.method,
        "random_state": seed,
        "time_limit": share(plan.time_limit, part / len(sets)),
        "iterations": plan.iterations,
        "callback": stages.callback,
        "options": dict(plan.method_options or {}),
    }
    if workers is not None and registry.find(plan.method).anytime:
        limits["workers"] = workers
    grouped = group
    if prepared.earlier is not None:
        grouped = partial(regroup, old=prepared.earlier.codes[layers.rows])
    nested = [c for c in prepared.columns if c.name in plan.unit_columns]
    if nested and plan.unit_members != "together":
        rest = [c for c in prepared.columns if c.name not in plan.unit_columns]
        within, wide = nest(
            points_of(nested),
            points_of(rest) if rest else None,
            prepared.k,
            layers,
            constraints,
            **limits,
        )
        return GroupedPart(prepared, points, (within,), {column.name: wide for column in nested})
    keys = set(prepared.schema.keys)
    partitions, gained = [], {}
    for one, names in zip(points, sets, strict=True):
        rules = constraints.without(keys - set(names))
        groups = grouped(one, prepared.k, layers, rules, **limits)
        if prepared.earlier is None:
            own = [c for c in prepared.columns if c.name in names]
            groups, sharper = sharpen(
                own, groups, one, layers.parts, rules, plan.random_state, stages.callback
            )
            if sharper is not None:
                gained["shared"] = sharper.reported
        partitions.append(groups)
    return GroupedPart(prepared, points, tuple(partitions), gained=gained)


def suppress(grouped: GroupedPart) -> GroupedPart:
    """Without the groups that cost most, as far as the plan allows; the part is the whole table."""
    prepared, share = grouped.prepared, grouped.prepared.plan.suppress_at_most
    if not share:
        return grouped
    rows, units = prepared.layers.rows, prepared.units
    held = None if units is None else units[rows].tolist()
    costs = [SuppressionCosts.of(prepared, grouped.partitions[0], grouped.points[0], rows, held)]
    suppressed = to_suppress(costs, share)
    keys = [column.attribute for column in prepared.columns]
    whole = at_stake(costs[0], keys, len(rows), grouped.partitions[0].sst)
    reported = Suppression.of(costs, suppressed, share, whole).reported
    rest = grouped.without(suppressed[0])
    return replace(rest, gained={**grouped.gained, "suppressed": reported})


def at_stake(costs: SuppressionCosts, keys: Sequence[Attribute], records: int, sst: float) -> float:
    """What there was to lose of some records."""
    if costs.measure == RELEASED:
        return float(records * sum(key.weight for key in keys))
    return sst


def release(grouped: GroupedPart, stages: Stages) -> ReleasedPart:
    """Put centroids in the place of the records of each group."""
    stages.done("partition")
    assembled = assemble(grouped.prepared, grouped.partitions, grouped.wide)
    stages.done("aggregation")
    return ReleasedPart(grouped, assembled)


@dataclass(frozen=True, eq=False)
class PartOutcome:
    """What a part adds to what is told of a release.

    Attributes
    ----------
    rows, merged : int
        Records released; those of pooled strata.
    sizes : Counter
        Groups of each size.
    sse, sst : float
        Of the groups' means, and of all records of the part, in the space of the search.
    tallies : dict
        What each key lost.
    edited, repairs : lists
        What it took to keep rules and guarantees.
    """

    rows: int
    merged: int
    sizes: Counter[int]
    sse: float
    sst: float
    tallies: dict[str, LossTally]
    edited: list[Kept]
    repairs: list[RepairRecord]
    method: str
    options: Mapping[str, Any]

    @classmethod
    def of(cls, part: ReleasedPart, pair: DeclaredPair) -> PartOutcome:
        """What became of a part, whose `pair` of tables was read."""
        sizes: Counter[int] = Counter()
        for groups in part.partitions:
            sizes.update(groups.sizes.tolist())
        return cls(
            len(part.assembled.frame),
            part.prepared.layers.merged,
            sizes,
            sum(groups.sse for groups in part.partitions),
            sum(groups.sst for groups in part.partitions),
            pair.tallies,
            [replace(one, values={}) for one in part.assembled.edited],
            [groups.repair for groups in part.partitions if groups.repair is not None],
            part.partitions[0].method,
            dict(part.partitions[0].options),
        )


def tallied(outcomes: Sequence[PartOutcome]) -> dict[str, LossTally]:
    """What each key lost over all parts, the same in any order and layout.

    Strata are one of them only where a released record has lost its own.
    """
    tallies = dict(outcomes[0].tallies)
    for one in outcomes[1:]:
        for name, tally in one.tallies.items():
            tallies[name] = tallies[name] + tally
    return {n: one for n, one in tallies.items() if one.kind != "stratum" or one.changed}


def stakes_of(outcomes: Sequence[PartOutcome]) -> dict[str, Stake]:
    """What the loss of each key is made of, over all parts."""
    return {name: Stake.of(one) for name, one in tallied(outcomes).items()}


def lost(outcomes: Sequence[PartOutcome], schema: Schema) -> Loss:
    """The loss over all parts."""
    return declared_loss(tallied(outcomes), schema)


def facts_of(
    outcomes: Sequence[PartOutcome], schema: Schema, asked: Mapping[str, Any], **found: Any
) -> Facts:
    """The facts of a release, whatever held it; `found` are those that parts cannot tell."""
    return Facts(
        schema=schema,
        asked=asked,
        method=outcomes[0].method,
        options=outcomes[0].options,
        released=sum(one.rows for one in outcomes),
        merged=sum(one.merged for one in outcomes),
        sizes=sum((one.sizes for one in outcomes), Counter()),
        **found,
    )
