"""How the phases of `optimize` are composed: what each is given, and when it takes part.

Frozen parameters, and what is chosen by them from the size of a table and what is left of a budget.
`USUAL` are those of the method; a test or a benchmark runs the same composition with others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import partial

from coterie.partitioning.search.optimize.annealing import Annealing
from coterie.partitioning.search.optimize.columns import (
    Closing,
    Dive,
    Plunge,
    Relaxing,
    Tightening,
)
from coterie.partitioning.search.optimize.cooling import Cooling
from coterie.partitioning.search.optimize.options import OptimizeOptions
from coterie.partitioning.search.optimize.regions import Regions
from coterie.partitioning.search.optimize.start import Start
from coterie.partitioning.search.stop import Budget

__all__ = ["USUAL", "Composition"]


@dataclass(frozen=True)
class Nearness:
    """To whose groups a record may move.

    records
        Near records of each.
    large
        The same of large tables, or twice k: what is near at hand comes first.
    listed
        Tiles in which near records are sought, for one of the start.
    """

    records: int = 20
    large: int = 10
    listed: int = 50

    def chosen(self, k: int, large: bool) -> int:
        """Near records of each."""
        return max(self.large, 2 * k) if large else self.records


@dataclass(frozen=True)
class Territories:
    """Into how many the groups of a large table are cut while it cools down.

    usual
        Without a time limit.
    fewest, most
        With one, as many as there are workers, within these.
    """

    usual: int = 4
    fewest: int = 2
    most: int = 8

    def chosen(self, budget: Budget) -> int:
        """By the workers where the clock decides, too, else by nothing."""
        if not budget.limited:
            return self.usual
        workers = 2 ** math.ceil(math.log2(budget.run.workers))
        return int(min(max(workers, self.fewest), self.most))


@dataclass(frozen=True)
class Melting:
    """How everything cools down, twice.

    quick
        The first annealing, which also tells the pace.
    quick_large
        The same of large tables: a longer one may take all the time, and to no end.
    slow
        The second, its proposals without a time limit; fewer for large tables.
    slow_large
        The same of large tables, with a time limit: its parts, by the clock.
    share
        Of the time left, with a time limit, for the second, if that is enough for `long` proposals
        for each record or more.
    short_share
        The same if it is enough for `short` or fewer: groups have to be found before regions can
        improve them. In between it falls with the logarithm.
    with_columns
        The same, however long, where columns take part: dives anneal, too.
    most
        Proposals for each record that the clock may choose.
    """

    quick: Annealing = field(default_factory=partial(Annealing, 500))
    quick_large: Cooling = field(default_factory=partial(Cooling, (20,), fewest=5))
    slow: Annealing = field(default_factory=partial(Annealing, 10_000))
    slow_large: Cooling = field(default_factory=partial(Cooling, (None,) * 8))
    share: float = 0.4
    short_share: float = 0.7
    short: int = 20_000
    long: int = 80_000
    with_columns: float = 0.13
    most: int = 300_000

    def chosen(self, budget: Budget, pace: float, small: float, columns: bool) -> int:
        """Proposals for each record in the second annealing, by the seconds that one takes."""
        if not budget.limited:
            return int(self.slow.proposals * small)
        enough_for = budget.left / max(pace, 1e-9)
        share = self.with_columns if columns else self.share_of(enough_for)
        return min(self.most, int(share * enough_for))

    def share_of(self, enough_for: float) -> float:
        """Of a time that is enough for so many proposals for each record."""
        within = min(max(enough_for, self.short), self.long)
        way = math.log(within / self.short) / math.log(self.long / self.short)
        return self.short_share + way * (self.share - self.short_share)


@dataclass(frozen=True)
class Rounds:
    """How regions follow each other.

    regions
        One round of them. Records of a region are at least these, proposals those of the options.
    usual
        Regions that hold a record, on average, from one round to the next.
    early
        The same before columns.
    alone
        In all, where the caller sets no limit of any kind.
    longer
        Factor of a region's proposals from one round to the next.
    groups
        Of k records, that a region holds if that is more.
    idle
        Relative gain of a round, so little that nothing improves any more.
    """

    regions: Regions = field(default_factory=partial(Regions, 60, 700))
    usual: int = 30
    early: int = 10
    alone: int = 10
    longer: float = 1.5
    groups: int = 15
    idle: float = 1e-5

    def records(self, k: int) -> int:
        """Of a region, where the caller does not say."""
        return max(self.regions.records, self.groups * k)


@dataclass(frozen=True)
class ColumnPhases:
    """When column generation takes part, and its phases.

    work
        What it takes by k, in the time of so many proposals for each record, roughly. For more than
        six, or in large tables, it takes too long to be of use to a search.
    seen
        Of the latest partitions, whose groups it may recombine.
    relaxing, tightening, plunge, closing
        The phases; steps of the first are those of the options.
    """

    work: tuple[tuple[int, float], ...] = ((2, 8e3), (3, 15e3), (4, 20e3), (5, 38e3), (6, 100e3))
    seen: int = 50
    relaxing: Relaxing = field(default_factory=Relaxing)
    tightening: Tightening = field(default_factory=Tightening)
    plunge: Plunge = field(default_factory=Plunge)
    closing: Closing = field(default_factory=Closing)

    def worth(self, k: int, budget: Budget, pace: float, each: float) -> bool:
        """Whether seconds or iterations are enough, by what a proposal for each record takes.

        `pace` in seconds, and `each` of them in an iteration.
        """
        work = dict(self.work).get(k, math.inf)
        if budget.limited:
            return work * pace <= self.relaxing.share * budget.limit
        iterations = budget.run.iterations
        return iterations is not None and work <= iterations * each


@dataclass(frozen=True)
class Dives:
    """How dives follow each other: many short ones, then ever longer.

    dive
        One of them, after a round of cuts.
    certain
        Weights from which on groups stay in the others, one after the other.
    proposals
        In the first, for each record that the certain groups leave.
    rounds
        In the first, regions that hold such a record before it joins them.
    deeper
        Factor of both from one dive to the next,
    melts
        up to so many times the annealing of everything,
    most_rounds
        and so many regions.
    deepest
        Dives, after which both have come there: a float holds no power of thousands.
    """

    dive: Dive = field(default_factory=Dive)
    certain: tuple[float, ...] = (0.6, 0.8, 0.98)
    proposals: int = 2000
    rounds: int = 10
    deeper: float = 1.25
    melts: int = 4
    most_rounds: int = 60
    deepest: int = 40

    def chosen(self, options: OptimizeOptions, dives: int, melt: int) -> OptimizeOptions:
        """How what the certain groups leave is searched after so many dives."""
        longer = self.deeper ** min(dives, self.deepest)
        return replace(
            options,
            columns=False,
            rounds=min(self.rounds * longer, self.most_rounds),
            melt=int(min(self.proposals * longer, self.melts * melt)),
            start="halves",
            target=None,
            patience=None,
        )


@dataclass(frozen=True)
class Composition:
    """All phases, as they follow each other.

    small
        Records of which the optimum is found at once, without any of them.
    start, nearness
        The first partition, and where records may move from there.
    melting, territories
        Everything cools down, a large table in territories.
    rounds, columns, dives
        What improves it then, for ever longer.
    """

    small: int = 14
    start: Start = field(default_factory=Start)
    nearness: Nearness = field(default_factory=Nearness)
    melting: Melting = field(default_factory=Melting)
    territories: Territories = field(default_factory=Territories)
    rounds: Rounds = field(default_factory=Rounds)
    columns: ColumnPhases = field(default_factory=ColumnPhases)
    dives: Dives = field(default_factory=Dives)


USUAL = Composition()
