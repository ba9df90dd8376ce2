"""Groups by what is released of them: labels that they share, intervals that hold them.

The search groups records that lie near to each other. What a label or an interval loses is decided
by the member that differs most, not by a mean of squares, so the loss of what is released is then
lowered itself. It starts from whichever costs least in each stratum: the groups of the search, or
the cheapest ones of neighbors in one of several orders of the records (`branching`). From there
records change places, or move, between groups that lie beside each other in such an order or in
one that is drawn anew: at first also where that costs a little more, at last only where it costs
less (`coterie.kernels.centroids.sharing`). The best groups that were met count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.branching import branched
from coterie.centroids.shared_records import SharedRecords
from coterie.guarantees.constraints import Constraints
from coterie.numbers.renumber import renumber
from coterie.partitioning.core import Outcome, Partition
from coterie.partitioning.driver import Progress, Run
from coterie.partitioning.problem import Problem
from coterie.table.encoding import Column

__all__ = ["Sharpened", "released_costs", "sharpen"]

POWERS = (0.2, 0.4, 0.7, None)  # of orders to start from
CHUNK = 20_000  # records of an order between two looks at Ctrl-C
PASSES = 20  # over all records
COLD = 3  # passes at the end that take only what costs less
WARMTH = 0.003  # of the mean cost of a group: the first temperature
TRIES = 15  # of each record in a pass
NEAR = 20  # how far a partner is in an order to start from, at most
WINDOW = 6  # the same in an order that was drawn

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Sharpened:
    """What it gained: the loss of the keys, in percent.

    Attributes
    ----------
    before, started, after : float
        Of the groups of the search, of those that the exchanges started from, and at the end.
    passes : int
        Over all records.
    """

    before: float
    started: float
    after: float
    passes: int

    @property
    def reported(self) -> dict[str, Any]:
        """For the internal evidence."""
        return {
            "loss_percent_of_the_search": self.before,
            "loss_percent_of_the_start": self.started,
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
    callback: Callable[[Progress], object] | None = None,
) -> tuple[Partition, Sharpened | None]:
    """The partition with groups that share more; as it is where nothing is generalized.

    Groups keep k to 2k - 1 records and their strata. Where constraints ask for more than k records
    the groups stay. Ctrl-C ends it with the best groups so far.
    """
    if constraints.binding or not any(c.attribute.generalized for c in columns):
        return partition, None
    records = SharedRecords.of(columns)
    strata = np.zeros(len(points), dtype=np.int64)
    for number, part in enumerate(parts):
        strata[part] = number
    before = float(_costs(records, partition.labels.astype(np.int64)).sum())
    begun = _start(records, partition.labels.astype(np.int64), parts, strata, partition.k)
    drawn = np.random.SeedSequence(seed if isinstance(seed, int) else 0)
    stream = _Passes(records, begun, strata, partition.k, drawn)
    run = Run(callback=callback)
    ended = run.drive([stream], phase="sharing", anytime=True)
    scale = 100.0 / (len(points) * sum(c.attribute.weight for c in columns))
    reported = Sharpened(before * scale, stream.first * scale, stream.least * scale, stream.passes)
    whole = Partition.of(
        Problem.of(points, partition.k, "anonymize"),
        Outcome(stream.best, interrupted=partition.interrupted or ended.ended == "interrupted"),
        method=partition.method,
        options=partition.options,
        runtime=partition.runtime,
    )
    if partition.repair is not None:  # of each record a unit: nothing was missed
        repair = replace(partition.repair, plain_sse=whole.sse, plain_groups=len(whole.sizes))
        whole = replace(whole, repair=repair)
    return replace(whole, trace=partition.trace, epochs=partition.epochs), reported


def released_costs(columns: Sequence[Column], partition: Partition) -> Floats:
    """What each group loses of what is released, over its records: shares of keys, weighted."""
    return _costs(SharedRecords.of(columns), partition.labels.astype(np.int64))


@dataclass(frozen=True, eq=False)
class _Start:
    """Groups to start from, and the orders that they come from."""

    labels: Ints
    order: Ints


def _start(
    records: SharedRecords, labels: Ints, parts: Sequence[Ints], strata: Ints, k: int
) -> _Start:
    """In each stratum the groups that cost least: the search's, or those of some order."""
    best, least = labels, _by_stratum(records, labels, strata)
    order, order_least = np.concatenate(parts), np.full(len(parts), np.inf)
    for power in POWERS:
        found = [branched(records, part, k, power) for part in parts]
        cheapest = _cut(records, labels, found, k)
        cost = _by_stratum(records, cheapest, strata)
        better = cost < order_least
        ordered = zip(better, found, np.split(order, _bounds(parts)), strict=True)
        order = np.concatenate([new if won else old for won, new, old in ordered])
        order_least = np.minimum(cost, order_least)
        won = cost < least
        best = np.where(won[strata], cheapest + best.max() + 1, best)
        least = np.minimum(cost, least)
    return _Start(renumber(best).astype(np.int64), order)


def _bounds(parts: Sequence[Ints]) -> Ints:
    return np.asarray(np.cumsum([len(part) for part in parts])[:-1], dtype=np.int64)


def _cut(records: SharedRecords, labels: Ints, orders: Sequence[Ints], k: int) -> Ints:
    """The cheapest groups of neighbors in the order of each stratum."""
    from coterie.kernels.centroids import sharing

    state = _state(records, labels)
    widths = (state.level.shape[1], state.low.shape[1], state.points.shape[1])
    joined = np.empty(len(labels), dtype=np.int64)
    groups = 0
    for order in orders:
        best, back = np.zeros(len(order) + 1), np.zeros(len(order) + 1, dtype=np.int64)
        scratch = (np.zeros(widths[0], np.int64), np.zeros((2, widths[1])), np.zeros(widths[2]))
        for first in range(0, len(order), CHUNK):
            stop = min(first + CHUNK, len(order))
            sharing.cut(state, order, k, first, stop, *scratch, best, back)
        stop = len(order)
        while stop > 0:
            start = int(back[stop])
            joined[order[start:stop]] = groups
            groups, stop = groups + 1, start
    return joined


def _by_stratum(records: SharedRecords, labels: Ints, strata: Ints) -> Floats:
    costs = _costs(records, labels) / np.bincount(labels)
    return np.asarray(np.bincount(strata, costs[labels]), dtype=np.float64)


def _costs(records: SharedRecords, labels: Ints) -> Floats:
    from coterie.kernels.centroids import sharing

    state = _state(records, labels)
    sharing.costs(state)
    return np.asarray(state.cost)


@dataclass
class _Passes:
    """The exchanges as a stream: passes over all records, cooling down."""

    records: SharedRecords
    begun: _Start
    strata: Ints
    k: int
    seed: np.random.SeedSequence
    passes: int = 0
    first: float = 0.0
    least: float = 0.0
    _at: int = 0
    _order: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def __post_init__(self) -> None:
        from coterie.kernels.base.draws import seeded
        from coterie.kernels.centroids import sharing

        self.best = self.begun.labels.copy()
        self._state = _state(self.records, self.begun.labels, 2 * self.k - 1)
        self.first = self.least = float(sharing.costs(self._state))
        drawn, words = self.seed.spawn(2)
        self._rng = np.random.default_rng(drawn)
        self._words = seeded(words)
        self._order = self.begun.order

    @property
    def done(self) -> bool:
        """See `Stream`."""
        return self.passes >= PASSES

    @property
    def progress(self) -> float:
        """See `Stream`."""
        return (self.passes + self._at / len(self._order)) / PASSES

    def step(self, budget: int) -> int:
        """See `Stream`; units are records."""
        from coterie.kernels.centroids import sharing

        own = self.passes % 2 == 0
        stop = min(self._at + budget, len(self._order))
        cooling = max(1.0 - self.passes / (PASSES - COLD), 0.0)
        sharing.exchange(
            self._state,
            self._order,
            self.strata,
            NEAR if own else WINDOW,
            TRIES,
            WARMTH * cooling * self.first / len(self._state.sizes),
            self.k,
            self._at,
            stop,
            self._words,
        )
        done, self._at = stop - self._at, stop
        if stop == len(self._order):
            self._end_pass()
        return done

    def _end_pass(self) -> None:
        cost = float(self._state.cost.sum())
        if cost < self.least:
            self.least = cost
            self.best = self._state.labels.copy()
        self.passes += 1
        self._at = 0
        own = self.passes % 2 == 0
        drawn = self.begun.order if own else _drawn_order(self.records, self.strata, self._rng)
        self._order = drawn


def _state(records: SharedRecords, labels: Ints, most: int = 0) -> Any:
    """The kernel's state of some groups."""
    from coterie.kernels.centroids import sharing

    labels, n = labels.copy(), len(labels)
    sizes = np.bincount(labels).astype(np.int64)
    groups, trees = len(sizes), len(records.starts) - 1
    members = np.full((groups, max(most, int(sizes.max()))), -1, dtype=np.int64)
    order = np.argsort(labels, kind="stable")
    places = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    members[labels[order], places] = order
    levels = np.diff(records.starts)
    given = np.zeros((trees, int(levels.max(initial=0)) + 1))
    for t in range(trees):
        weights = records.weights[records.starts[t] : records.starts[t + 1]]
        given[t, 1 : len(weights) + 1] = np.cumsum(weights)
    intervals, coordinates = records.lows.shape[1], records.points.shape[1]
    return sharing.Shared(
        *(records.nodes, records.starts, given, records.lows, records.highs, records.points),
        *(labels, members, sizes, np.zeros(groups), np.zeros((n + groups, trees), np.int64)),
        *(np.zeros((n + groups, intervals)), np.zeros((n + groups, intervals))),
        *(np.zeros((groups, coordinates)), np.zeros(groups)),
    )


def _drawn_order(records: SharedRecords, strata: Ints, rng: np.random.Generator) -> Ints:
    """The records by stratum, then by the keys, interleaved at random, each from coarse to fine."""
    turns = [key for key, codes in enumerate(records.sortable) for _ in codes]
    taken = [0] * len(records.sortable)
    ranked: list[Ints] = [strata]
    for key in rng.permutation(turns).tolist():
        ranked.append(records.sortable[key][taken[key]])
        taken[key] += 1
    return np.lexsort((rng.random(len(strata)), *ranked[::-1]))
