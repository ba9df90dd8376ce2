"""Groups by what is released of them: labels that they share, intervals that hold them.

The search groups records that lie near to each other. What a label or an interval loses is decided
by the member that differs most, so groups are then made to share: records move, or change places,
wherever that lowers the loss of what is released (`coterie.kernels.centroids.sharing`). Candidates
come from sorting all records by their labels, coarse ones first, in another order of the keys each
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.guarantees.constraints import Constraints
from coterie.numbers.renumber import renumber
from coterie.partitioning.core import Outcome, Partition
from coterie.partitioning.problem import Problem
from coterie.space import Space
from coterie.table.encoding import DAY, Column, per_second

__all__ = ["Sharpened", "released_costs", "sharpen"]

PASSES = 24  # over all records, at most
ENOUGH = 0.001  # a pass that gains less than this share is the last but `PATIENCE`
PATIENCE = 3
WINDOW = 6  # neighbours on either side in a sorted order
CHUNK = 512  # records between two looks at Ctrl-C
QUANTILES = (3, 9, 27, 81)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Sharpened:
    """What it gained: the loss of the keys, in percent, before and after, and the passes."""

    before: float
    after: float
    passes: int

    @property
    def reported(self) -> dict[str, Any]:
        """For the internal evidence."""
        return {
            "loss_percent_of_the_search": self.before,
            "loss_percent": self.after,
            "passes": self.passes,
        }


def sharpen(
    columns: Sequence[Column],
    partition: Partition,
    points: Floats,
    parts: Sequence[Ints],
    constraints: Constraints,
    seed: object,
) -> tuple[Partition, Sharpened | None]:
    """The partition with groups that share more; as it is where nothing is generalized.

    Groups keep k to 2k - 1 records and their strata. With constraints beyond k the groups stay.
    """
    if constraints or not any(c.attribute.generalized for c in columns):
        return partition, None
    from coterie.kernels.centroids import sharing

    k = partition.k
    made = _Records.of(columns)
    state = _state(made, partition)
    rng = np.random.default_rng(seed if isinstance(seed, int) else 0)
    strata = np.zeros(len(points), dtype=np.int64)
    for number, part in enumerate(parts):
        strata[part] = number
    first = last = sharing.costs(state)
    idle = done = 0
    while done < PASSES and idle < PATIENCE:
        candidates = _candidates(made, strata, rng)
        order = rng.permutation(len(points))
        for start in range(0, len(order), CHUNK):
            stop = min(start + CHUNK, len(order))
            sharing.exchange(state, candidates, order, start, stop, k)
        now = float(state.cost.sum())
        idle = idle + 1 if last - now <= ENOUGH * first else 0
        last, done = now, done + 1
    scale = 100.0 / (len(points) * sum(c.attribute.weight for c in columns))
    reported = Sharpened(first * scale, last * scale, done)
    whole = Partition.of(
        Problem.of(points, k, "anonymize"),
        Outcome(state.labels, interrupted=partition.interrupted),
        method=partition.method,
        options=partition.options,
        runtime=partition.runtime,
        repair=partition.repair,
    )
    return replace(whole, trace=partition.trace, epochs=partition.epochs), reported


def released_costs(columns: Sequence[Column], partition: Partition) -> Floats:
    """What each group loses of what is released, over its records: shares of keys, weighted."""
    from coterie.kernels.centroids import sharing

    state = _state(_Records.of(columns), partition)
    sharing.costs(state)
    return np.asarray(state.cost)


@dataclass(frozen=True, eq=False)
class _Records:
    """Records as the kernel sees them; a gap is shared by its whole group."""

    nodes: Ints
    starts: Ints
    weights: Floats
    lows: Floats
    highs: Floats
    points: Floats
    sortable: tuple[tuple[Ints, ...], ...]  # of each key, codes from coarse to fine

    @classmethod
    def of(cls, columns: Sequence[Column]) -> _Records:
        n = len(columns[0].values)
        nodes: list[Ints] = []
        starts, weights = [0], []
        lows: list[Floats] = []
        highs: list[Floats] = []
        sortable: list[tuple[Ints, ...]] = []
        plain = [c for c in columns if not c.attribute.generalized]
        for column in columns:
            attribute, there = column.attribute, ~column.missing
            if attribute.release == "ancestor":
                found = _nodes(column)
                nodes += found
                assert attribute.hierarchy is not None
                weights += [attribute.weight * level for level in attribute.hierarchy.levels]
                starts.append(len(nodes))
                sortable.append(tuple(reversed(found)))
            elif attribute.release == "interval":
                low, high = _cells(column)
                low, high = (np.where(there, end, 0.0) * attribute.weight for end in (low, high))
                lows.append(low)
                highs.append(high)
                sortable.append(_quantiles(low))
        points = np.zeros((n, 0))
        if plain:
            points = Space.of(plain).coordinates(plain)
            sortable += [_quantiles(points[:, a]) for a in range(points.shape[1])]
        return cls(
            np.ascontiguousarray(np.column_stack(nodes) if nodes else np.zeros((n, 0), np.int64)),
            np.array(starts, dtype=np.int64),
            np.array(weights, dtype=np.float64),
            np.ascontiguousarray(np.column_stack(lows) if lows else np.zeros((n, 0))),
            np.ascontiguousarray(np.column_stack(highs) if highs else np.zeros((n, 0))),
            np.ascontiguousarray(points),
            tuple(sortable),
        )


def _nodes(column: Column) -> list[Ints]:
    """The label of each record on each level, as numbers in the order of the tree."""
    tree = column.attribute.hierarchy
    assert tree is not None
    paths = [tree.path(category) for category in column.categories]
    ranked = sorted(range(len(paths)), key=lambda at: paths[at][::-1])
    made = []
    for level in range(len(tree.levels)):
        place: dict[str, int] = {}
        for at in ranked:
            place.setdefault(paths[at][level], len(place))
        codes = np.array([place[path[level]] for path in paths] or [0], dtype=np.int64)
        made.append(np.where(column.missing, 0, codes[column.values.astype(np.int64)]))
    return made


def _cells(column: Column) -> tuple[Floats, Floats]:
    """Where the step of each value begins and ends, in shares of the table's interval."""
    steps = column.attribute.steps
    assert steps is not None
    values = column.values
    if column.attribute.type == "datetime":
        import pyarrow as pa

        kind = column.arrow_type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        values = np.floor((values + column.origin) / (DAY * per_second(kind)))
    there = ~column.missing
    if not there.any():
        return np.zeros(len(values)), np.zeros(len(values))
    found, codes = np.unique(values[there], return_inverse=True)
    ends = np.array([steps.bounds(steps.text(one, one)) for one in found.tolist()])
    start, stop = ends[:, 0].min(), ends[:, 1].max()
    low, high = np.zeros(len(values)), np.zeros(len(values))
    low[there] = (ends[codes, 0] - start) / (stop - start)
    high[there] = (ends[codes, 1] - start) / (stop - start)
    return low, high


def _quantiles(values: Floats) -> tuple[Ints, ...]:
    """Numbers in few classes, then in more, then by rank."""
    ranks = renumber(values)
    edges = np.sort(ranks)
    codes = [
        np.searchsorted(edges[(np.arange(1, q) * len(edges)) // q], ranks, "right")
        for q in QUANTILES
    ]
    return (*codes, ranks)


def _state(made: _Records, partition: Partition) -> Any:
    """The kernel's state of a partition."""
    from coterie.kernels.centroids import sharing

    labels = partition.labels.astype(np.int64).copy()
    sizes = np.bincount(labels)
    most = max(2 * partition.k - 1, int(sizes.max()))
    members = np.full((len(sizes), most), -1, dtype=np.int64)
    order = np.argsort(labels, kind="stable")
    places = np.arange(len(labels)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    members[labels[order], places] = order
    return sharing.Shared(
        *(made.nodes, made.starts, made.weights, made.lows, made.highs, made.points),
        *(labels, members, sizes.astype(np.int64), np.zeros(len(sizes))),
    )


def _candidates(made: _Records, strata: Ints, rng: np.random.Generator) -> Ints:
    """For each record those of its stratum beside it in a sorted order, -1 for none.

    The order interleaves the keys at random, each of them from coarse to fine.
    """
    n = len(strata)
    turns = [key for key, codes in enumerate(made.sortable) for _ in codes]
    taken = [0] * len(made.sortable)
    ranked: list[Ints] = [strata]
    for key in rng.permutation(turns).tolist():
        ranked.append(made.sortable[key][taken[key]])
        taken[key] += 1
    order = np.lexsort((rng.random(n), *ranked[::-1]))
    found = np.full((n, 2 * WINDOW), -1, dtype=np.int64)
    for step in range(1, WINDOW + 1):
        found[order[:-step], 2 * step - 2] = order[step:]
        found[order[step:], 2 * step - 1] = order[:-step]
    other = strata[found] != strata[:, None]
    found[other & (found >= 0)] = -1
    return found
