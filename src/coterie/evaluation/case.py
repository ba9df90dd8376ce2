"""What every measure is given: the two tables, the settings, and what several measures share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.pair import Column, Pair
from coterie.partitioning.driver import Progress

__all__ = ["Case", "Finding", "Links", "Settings"]

CHUNK = 2000  # queries linked between two calls of the callback


@dataclass(frozen=True, eq=False)
class Finding:
    """What a measure found: its value, and where it comes from.

    `by_column` and `by_record` split the value where that makes sense; `parts` holds figures that
    belong to it.
    """

    value: float
    by_column: dict[str, float] | None = None
    by_record: NDArray | None = None
    parts: dict[str, float] | None = None


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
    seed: int | None = 0


@dataclass(frozen=True, eq=False)
class Links:
    """To which released records a distance-based intruder links each original record.

    Attributes
    ----------
    nearest : (n,) int array
        Lowest index of a released record at the least distance.
    ties : (n,) int array
        How many released records are at that distance.
    hit : (n,) bool array
        Whether the record's own released row is among them.
    """

    nearest: NDArray[np.int64]
    ties: NDArray[np.int64]
    hit: NDArray[np.bool_]


class Case:
    """One judgement: `pair` and `settings`, and computations that measures share, made once."""

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

    def tell(self, fraction: float) -> None:
        """Report how far the present measure is."""
        if self._callback is not None:
            seconds = time.perf_counter() - self._began
            self._callback(Progress(self.phase, seconds, fraction))

    @cached_property
    def numeric(self) -> tuple[Column, ...]:
        """The numeric keys."""
        return tuple(column for column in self.pair.keys if column.numeric)

    @cached_property
    def scales(self) -> dict[str, tuple[float, float]]:
        """Mean and standard deviation of each numeric key in the original; 1 for a constant."""
        found = {}
        for column in self.numeric:
            values = column.original
            constant = values.min() == values.max()
            centre = float(values[0]) if constant else float(values.mean())
            found[column.name] = centre, 1.0 if constant else float(values.std())
        return found

    @cached_property
    def standard(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Both tables' numeric keys in the original's standard deviations, records by columns."""
        sides: tuple[Any, ...] = tuple(
            np.empty((self.n, len(self.numeric)), order="F") for _ in range(2)
        )
        for j, column in enumerate(self.numeric):
            centre, spread = self.scales[column.name]
            sides[0][:, j] = (column.original - centre) / spread
            sides[1][:, j] = (column.released - centre) / spread
        return sides

    @cached_property
    def classes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Class of each released record (equal on all keys) and the size of each class."""
        labels = equal_rows([column.distinct[1] for column in self.pair.keys])
        return labels, np.bincount(labels)

    def links(self, names: tuple[str, ...] | None = None) -> Links:
        """Nearest released records as seen from the original, on the keys `names` or on all."""
        chosen = names or tuple(column.name for column in self.pair.keys)
        if chosen not in self._links:
            self._links[chosen] = self._link(chosen)
        return self._links[chosen]

    def _link(self, names: tuple[str, ...]) -> Links:
        from coterie.kernels import linkage

        before, after = self._coordinates(names)
        if self.settings.noise > 0:
            rng = np.random.default_rng(self.settings.seed)
            before = before + self.settings.noise * rng.standard_normal(before.shape)
        labels = equal_rows(list(after.T))
        count = np.bincount(labels)
        first = np.full(len(count), self.n)
        np.minimum.at(first, labels, np.arange(self.n))
        tree, place = linkage.tree(after[first], count, first)
        own = place[labels]
        links = Links(
            np.empty(self.n, dtype=np.int64),
            np.empty(self.n, dtype=np.int64),
            np.empty(self.n, dtype=np.bool_),
        )
        for start in range(0, self.n, CHUNK):
            stop = min(start + CHUNK, self.n)
            linkage.link(tree, before, own, start, stop, links.nearest, links.ties, links.hit)
            self.tell(stop / self.n)
        return links

    def _coordinates(self, names: tuple[str, ...]) -> tuple[NDArray, NDArray]:
        """Both tables as points: standardised numbers; categories as one-hot / sqrt(2).

        The squared distance of two different categories is then 1.
        """
        sides: list[list[NDArray]] = [[], []]
        position = {column.name: j for j, column in enumerate(self.numeric)}
        for column in self.pair.keys:
            if column.name not in names:
                continue
            if column.numeric:
                for side, table in zip(sides, self.standard, strict=True):
                    side.append(table[:, position[column.name]])
                continue
            for code in np.union1d(column.original, column.released):
                for side, values in zip(sides, (column.original, column.released), strict=True):
                    side.append((values == code) / np.sqrt(2.0))
        return np.column_stack(sides[0]), np.column_stack(sides[1])


def equal_rows(columns: list[NDArray]) -> NDArray[np.int64]:
    """A number for each record, the same for records that are equal in every column."""
    order = np.lexsort(columns[::-1])
    fresh = np.zeros(len(order), dtype=bool)
    for column in columns:
        ranked = column[order]
        fresh[1:] |= ranked[1:] != ranked[:-1]
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = np.cumsum(fresh)
    return labels
