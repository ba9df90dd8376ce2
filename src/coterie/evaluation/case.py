"""What every measure is given: the two tables, the settings, and what several measures share."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.column import ColumnPair
from coterie.evaluation.links import Links, equal_rows, link_among
from coterie.evaluation.pair import Pair
from coterie.partitioning.driver import Progress
from coterie.space import Loss, Space
from coterie.table.classes import count_classes

if TYPE_CHECKING:
    from coterie.evaluation.attacks.trial import Attack
    from coterie.evaluation.risk.partial import KnownKeys
    from coterie.evaluation.utility.analyses import Estimate
    from coterie.plan.analysis import Analysis

__all__ = ["BY_COLUMN", "Case", "Finding", "Settings", "average"]

BY_COLUMN = "each key over the records that have it"


@dataclass(frozen=True, eq=False)
class Finding:
    """What a measure found: its value, and where it comes from.

    `by_column` and `by_record` split the value where that makes sense; `parts` holds figures that
    belong to it; `note` says what was left out, if anything was. `attacks` are those that were
    tried, `sets` the keys that an intruder may know, `estimates` those of analyses.
    """

    value: float
    by_column: dict[str, float] | None = None
    by_record: NDArray | None = None
    parts: dict[str, float] | None = None
    note: str = ""
    attacks: tuple[Attack, ...] = ()
    sets: tuple[KnownKeys, ...] = ()
    estimates: tuple[Estimate, ...] = ()


@dataclass(frozen=True, eq=False)
class Settings:
    """The numbers that measures depend on; see `coterie.evaluate`."""

    sd: float = 0.05
    rank_window: float = 0.05
    threshold: float = 0.1
    noise: float = 0.0
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    delta: NDArray[np.float64] | None = None
    importance: NDArray[np.float64] | None = None
    sample_weight: NDArray[np.float64] | None = None
    units: NDArray[np.int64] | None = None
    moments: str = "original"
    seed: int | None = 0
    attempts: int = 2000
    tolerance: float = 0.05
    epsilon: float = 0.1
    analyses: tuple[Analysis, ...] = ()


class Case:
    """One judgment: `pair` and `settings`, and computations that measures share, made once."""

    def __init__(
        self,
        pair: Pair,
        settings: Settings,
        callback: Callable[[Progress], object] | None = None,
    ) -> None:
        self.pair = pair
        self.settings = settings
        self.n = pair.n
        self.phase = ""
        self._callback = callback
        self._began = time.perf_counter()
        self._links: dict[tuple[str, ...], Links] = {}
        self._released: dict[int, NDArray[np.float64]] = {}

    def tell(self, fraction: float) -> None:
        """Report how far the present measure is."""
        if self._callback is not None:
            seconds = time.perf_counter() - self._began
            self._callback(Progress(self.phase, seconds, fraction))

    @cached_property
    def numeric(self) -> tuple[ColumnPair, ...]:
        """The numeric keys that some record has."""
        return self.pair.numeric

    @cached_property
    def gapless(self) -> bool:
        """Whether every record has every numeric key in both tables."""
        return all(column.gapless for column in self.numeric)

    @property
    def by_column_note(self) -> str:
        """What a measure by column leaves out."""
        return "" if self.gapless else BY_COLUMN

    @cached_property
    def spaces(self) -> tuple[Space, Space]:
        """The spaces of both tables: that of the original, unless each has its own moments."""
        first = Space.of([column.side(0) for column in self.pair.keys], unseen=True)
        if self.settings.moments == "original":
            return first, first
        second = Space.of([column.side(1) for column in self.pair.keys], unseen=True)
        # Categories have no moments of their own: both tables share the original's.
        mixed = tuple(
            own if column.numeric else axis
            for column, own, axis in zip(self.pair.keys, second.axes, first.axes, strict=True)
        )
        return first, Space(first.attributes, mixed, first.categories)

    @cached_property
    def standard(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Both tables' numeric keys in the original's standard deviations; not a number at gaps."""
        return self._numbers(self.spaces[0], 0), self._numbers(self.spaces[0], 1)

    @cached_property
    def normal(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The same, each table in the moments that were chosen for it."""
        return self.standard[0], self._numbers(self.spaces[1], 1)

    def _numbers(self, space: Space, which: int) -> NDArray[np.float64]:
        values = np.empty((self.n, len(self.numeric)), order="F")
        for place, column in enumerate(self.numeric):
            at = self.pair.keys.index(column)
            values[:, place] = space.block(at, column.side(which))[:, 0]
            values[~column.there[which], place] = np.nan
        return values

    def released_block(self, places: tuple[int, ...]) -> NDArray[np.float64]:
        """Coordinates of the released records on some of the keys, by their places."""
        for place in places:
            if place not in self._released:
                side = self.pair.keys[place].side(1)
                self._released[place] = self.spaces[1].block(place, side)
        return np.hstack([self._released[place] for place in places])

    def remoteness(self, keys: tuple[ColumnPair, ...]) -> NDArray[np.float64]:
        """Squared distance of each record from the middle of the original table."""
        total = np.zeros(len(keys[0].original))
        for place, column in enumerate(keys):
            total += np.square(self.spaces[0].block(place, column.side(0))).sum(axis=1)
        return total

    @cached_property
    def loss(self) -> Loss:
        """What the release lost."""
        weights = {column.name: column.weight for column in self.pair.keys}
        return Loss.of(self.pair.tallies(self.settings.sample_weight), weights)

    @cached_property
    def classes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Class of each released record (equal on all keys, gaps included) and units in each.

        Strata that the schema names count as keys, as they do in the proof of a release.
        """
        arrays = [array for column in self.pair.keys for array in column.apart(1)]
        arrays += [] if self.pair.blocks is None else [self.pair.blocks]
        labels = equal_rows(arrays)
        return labels, count_classes(labels, self.settings.units)

    def links(self, names: tuple[str, ...] | None = None) -> Links:
        """Nearest released records as seen from the original, on the keys `names` or on all."""
        chosen = names or tuple(column.name for column in self.pair.keys)
        if chosen not in self._links:
            self._links[chosen] = self._link(chosen)
        return self._links[chosen]

    def _link(self, names: tuple[str, ...]) -> Links:
        columns = [(place, c) for place, c in enumerate(self.pair.keys) if c.name in names]
        sides = []
        for which, space in enumerate(self.spaces):
            sides.append([space.block(place, column.side(which)) for place, column in columns])
        if self.settings.noise > 0:
            rng = np.random.default_rng(self.settings.seed)
            widths = [block.shape[1] for block in sides[0]]
            noise = self.settings.noise * rng.standard_normal((self.n, sum(widths)))
            parts = np.split(noise, np.cumsum(widths)[:-1], axis=1)
            sides[0] = [block + part for block, part in zip(sides[0], parts, strict=True)]
        links = Links(
            np.empty(self.n, dtype=np.int64),
            np.empty(self.n, dtype=np.int64),
            np.empty(self.n, dtype=np.bool_),
        )
        pattern = self.pair.patterns(0, names)
        if self.pair.blocks is not None and len(names) == len(self.pair.keys):
            pattern = equal_rows([pattern, self.pair.blocks])
        done = 0
        for code in range(int(pattern.max()) + 1):
            rows = np.flatnonzero(pattern == code)
            known = [place for place, (_, c) in enumerate(columns) if c.there[0][rows[0]]]
            before, after = (_joined([side[place] for place in known], rows) for side in sides)
            done = self._link_within(before, after, rows, links, done)
        return links

    def _link_within(
        self, before: NDArray, after: NDArray, rows: NDArray[np.int64], links: Links, done: int
    ) -> int:
        """Link some records among each other; how many have been linked so far."""
        found = link_among(before, after, tell=lambda stop: self.tell((done + stop) / self.n))
        links.nearest[rows] = rows[found.nearest]
        links.ties[rows], links.hit[rows] = found.ties, found.hit
        return done + len(rows)


def _joined(blocks: list[NDArray], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Coordinates of some records; who has no key at all lies where all the others do."""
    return np.hstack([block[rows] for block in blocks]) if blocks else np.zeros((len(rows), 1))


def average(values: NDArray) -> float:
    """The mean, the same to the last digit whatever the order of the records."""
    return math.fsum(values.tolist()) / len(values)
