"""Options of `optimize`."""

from __future__ import annotations

from dataclasses import dataclass

from coterie.partitioning.options import flag, integer, integers, number, one_of

__all__ = ["OptimizeOptions"]


@dataclass(frozen=True)
class OptimizeOptions:
    """How `optimize` searches.

    neighbors
        Near records of each, to whose groups it may move; by default 20, or beyond 8000 records 10,
        or 2 k if that is more.
    region
        Records of a region; by default 60, or 15 k if that is more.
    proposals
        Moves proposed for each record of a region while it cools down; half as many again from one
        round to the next.
    rounds
        Regions that hold a record, on average, after which to stop. By default ten, fewer beyond
        8000 records; no limit if anything else ends the search.
    melt
        Moves proposed for each record while everything cools down together, before the regions. By
        default 10,000, less for large tables; with a time limit, what a part of it allows: the
        partition's `options` tell how many that were.
    parts
        The same for more than 8000 records, in each part of the way from the first temperature to
        the last. By default all at once, or with a time limit as many as it allows: the partition's
        `options` tell how many those were.
    start
        What comes before: ``"paths"``, the best of several cut paths; ``"halves"``, the records
        halved again and again, which is there at once; ``"both"``, up to 8000 records, each of them
        annealed quickly and the better one kept: outliers stay where they are put.
    tile
        Records of a tile, of which MDAV makes the first groups, beyond 10,000 records. By default
        500,000, fewer if the time limit is short.
    territories
        Into how many the groups of more than 8000 records are cut while everything cools down:
        each worker needs one, and fewer lose less. By default four; with a time limit, as many as
        there are workers, from two to eight.
    columns
        Whether column generation and integer programs take part, where the table is small enough
        for the time limit and highspy is installed. They also prove a lower bound. The partition's
        `options` tell whether they did.
    relaxation
        Steps of column generation, at most, those of a plunge and of cuts included. By default
        until nothing is left to gain, or for 50, 25 and 30 % of the time limit (the last for each
        round of cuts): the partition's `options` tell how many that were, which with `columns`,
        `melt`, `parts`, `region`, `tile`, `territories`, the seed and the iterations replays a run
        that the clock ended.
    target, patience
        Stop at this information loss in percent, or after so many regions of each walk without
        improvement.

    `iterations` counts the regions of each walk, and a step of columns as one. Columns take part
    where the time limit or the iterations are worth it, or `relaxation` is given.
    """

    neighbors: int | None = integer(None, at_least=2)
    region: int | None = integer(None, at_least=4)
    proposals: int = integer(700)
    rounds: float | None = number(None, 0.0)
    melt: int | None = integer(None, at_least=0)
    parts: tuple[int, ...] | None = integers()
    start: str = one_of("paths", "halves", "both")
    tile: int | None = integer(None, at_least=2)
    territories: int | None = integer(None)
    columns: bool = flag(True)
    relaxation: int | None = integer(None, at_least=0)
    target: float | None = number(None, 0.0, 100.0)
    patience: int | None = integer(None)
