"""Protection: the groups of a part and what is released of its records, whatever engine asks.

In memory the part is the whole table; otherwise it is a tile, with the space that was fitted to all
records. What came of it is an `Outcome`: outcomes add up to what is told of the release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from coterie.centroids.edits.keep import Kept
from coterie.evaluation.declared import declared_loss, declared_tallies
from coterie.guarantees.constraints import Constraints, Repair
from coterie.partitioning import registry
from coterie.partitioning.core import Partition
from coterie.pipeline.assembly import Assembled, assemble
from coterie.pipeline.evidence import Facts
from coterie.pipeline.grouping import group, share
from coterie.pipeline.households import nest
from coterie.pipeline.preparation import Prepared
from coterie.pipeline.refinement import refine
from coterie.pipeline.reuse import regroup
from coterie.pipeline.stages import Stages
from coterie.space import Loss, LossTally, Space
from coterie.table.encoding import Column
from coterie.table.schema import Schema

__all__ = ["Made", "Outcome", "facts_of", "lost", "make", "tallied"]


@dataclass(frozen=True, eq=False)
class Made:
    """A part in groups, and what is released of its records.

    Attributes
    ----------
    prepared : Prepared
        The part, without records that were let go.
    points : list of arrays
        Its records in the space of each set of keys, before any were let go.
    gained : mapping
        What refinement changed.
    """

    prepared: Prepared
    points: Sequence[Any]
    partitions: tuple[Partition, ...]
    assembled: Assembled
    gained: Mapping[str, Any] = field(default_factory=dict)


def make(
    prepared: Prepared,
    constraints: Constraints,
    space: Callable[[Sequence[Column]], Space],
    stages: Stages,
    *,
    seed: Any,
    part: float = 1.0,
    workers: int | None = None,
) -> Made:
    """Group the records of a part and put centroids in their place.

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
        The share of a time limit that is this part's.
    workers : int, optional
        Threads of a search.
    """
    plan, layers, sets = prepared.plan, prepared.layers, prepared.sets

    def points_of(columns: Sequence[Column]) -> Any:
        return space(columns).coordinates(columns)

    points = [points_of([c for c in prepared.columns if c.name in names]) for names in sets]
    stages.done("space")
    search: dict[str, Any] = {
        "method": plan.method,
        "random_state": seed,
        "time_limit": share(plan.time_limit, part / len(sets)),
        "iterations": plan.iterations,
        "callback": stages.callback,
        "options": dict(plan.method_options or {}),
    }
    if workers is not None and registry.find(plan.method).anytime:
        search["workers"] = workers
    grouped = group
    if prepared.earlier is not None:
        grouped = partial(regroup, old=prepared.earlier.codes[layers.rows])
    wide: dict[str, Any] = {}
    gained: dict[str, Any] = {}
    nested = [c for c in prepared.columns if c.name in plan.unit_columns]
    if nested and plan.unit_members != "together":
        rest = [c for c in prepared.columns if c.name not in plan.unit_columns]
        made, groups = nest(
            points_of(nested),
            points_of(rest) if rest else None,
            prepared.k,
            layers,
            constraints,
            **search,
        )
        partitions: tuple[Partition, ...] = (made,)
        wide = {column.name: groups for column in nested}
    else:
        keys = set(prepared.schema.keys)
        partitions = tuple(
            grouped(one, prepared.k, layers, constraints.without(keys - set(names)), **search)
            for one, names in zip(points, sets, strict=True)
        )
        prepared, partitions, gained = refine(
            prepared, partitions, points, constraints, stages.callback
        )
    stages.done("partition")
    assembled = assemble(prepared, partitions, wide)
    stages.done("aggregation")
    return Made(prepared, points, partitions, assembled, gained)


@dataclass(frozen=True, eq=False)
class Outcome:
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
        What it took to keep rules and promises.
    """

    rows: int
    merged: int
    sizes: Counter[int]
    sse: float
    sst: float
    tallies: dict[str, LossTally]
    edited: list[Kept]
    repairs: list[Repair]
    method: str
    options: Mapping[str, Any]

    @classmethod
    def of(cls, made: Made) -> Outcome:
        """What became of a part."""
        sizes: Counter[int] = Counter()
        for groups in made.partitions:
            sizes.update(groups.sizes.tolist())
        kept, frame = made.assembled.kept, made.assembled.frame
        return cls(
            len(frame),
            made.prepared.layers.merged,
            sizes,
            sum(groups.sse for groups in made.partitions),
            sum(groups.sst for groups in made.partitions),
            declared_tallies(kept.to_native(), frame.to_native(), made.prepared.schema),
            [replace(one, values={}) for one in made.assembled.edited],
            [groups.repair for groups in made.partitions if groups.repair is not None],
            made.partitions[0].method,
            dict(made.partitions[0].options),
        )


def tallied(outcomes: Sequence[Outcome]) -> dict[str, LossTally]:
    """What each key lost over all parts, the same in any order and layout."""
    tallies = dict(outcomes[0].tallies)
    for one in outcomes[1:]:
        for name, tally in one.tallies.items():
            tallies[name] = tallies[name] + tally
    return tallies


def lost(outcomes: Sequence[Outcome], schema: Schema) -> Loss:
    """The loss over all parts."""
    return declared_loss(tallied(outcomes), schema)


def facts_of(
    outcomes: Sequence[Outcome], schema: Schema, asked: Mapping[str, Any], **found: Any
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
