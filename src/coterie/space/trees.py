"""The axis of codes with a tree behind them, and of more categories than coordinates.

The squared distance of two codes is the weight of the levels on which they differ: one-hot
coordinates of the labels on each level, over sqrt(2), times the root of the level's weight. Where
that would be more than `MOST_COORDINATES`, the levels with few labels keep theirs, and each label
of the others gets a direction drawn by a fixed seed in `DRAWN` coordinates, of length 1. Two such
directions meet at about a right angle: the squared distance on such a level is its weight, times a
factor of mean 1 and standard deviation 1 / sqrt(DRAWN), 0.14 (somewhat more where several levels
are drawn, which share the coordinates). Only the search sees it: losses count levels exactly
(`coterie.space.loss`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.hierarchy.rungs import Flat
from coterie.hierarchy.tree import Hierarchy

__all__ = ["DRAWN", "MOST_COORDINATES", "Tree"]

MOST_COORDINATES = 100  # with more, every distance of the search would cost too much
DRAWN = 48
SEED = 20_260_000

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tree:
    """The axis of codes: where each label of each level lies.

    Attributes
    ----------
    hierarchy : Hierarchy
        The tree.
    places : tuple of dicts
        On each level, the row of `vectors` for each label.
    vectors : (labels, width) array
        What a label adds to the coordinates.
    mean : (width,) array
        Of all records: subtracted.
    spread : float
        Of all records: divided by.
    """

    hierarchy: Hierarchy
    places: tuple[Mapping[str, int], ...]
    vectors: Floats
    mean: Floats
    spread: float = 1.0
    exact: bool = True

    @classmethod
    def of(
        cls, hierarchy: Hierarchy | None, categories: Sequence[Any], counts: Sequence[int]
    ) -> Tree:
        """The axis of categories with these counts; without a hierarchy they form one level."""
        tree = hierarchy if hierarchy is not None else Hierarchy(Flat()).closed(())
        known = [place for place, category in enumerate(categories) if tree.knows(category)]
        categories, counts = ([given[at] for at in known] for given in (categories, counts))
        paths = [tree.path(category) for category in categories]
        labels = [
            list(dict.fromkeys(path[level] for path in paths)) for level in range(len(tree.levels))
        ]
        sizes = [len(names) for names in labels]
        drawn = _drawn(sizes)
        starts = np.cumsum([0, *sizes])
        places = tuple(
            {label: int(start) + at for at, label in enumerate(sorted(names))}
            for start, names in zip(starts, labels, strict=False)
        )
        vectors = _vectors(sizes, drawn, tree.levels)
        axis = cls(tree, places, vectors, np.zeros(vectors.shape[1]), exact=not any(drawn))
        if not len(paths) or not sum(counts):
            return axis
        points = axis._raw(categories)
        share = np.asarray(counts, dtype=np.float64) / sum(counts)
        mean = share @ points
        # Distances as they are, not as they were drawn: every key weighs alike.
        variance = 0.0
        for level, weight in enumerate(tree.levels):
            held: dict[str, float] = {}
            for path, part in zip(paths, share.tolist(), strict=True):
                held[path[level]] = held.get(path[level], 0.0) + part
            variance += weight * (1.0 - sum(part * part for part in held.values())) / 2.0
        spread = float(np.sqrt(max(variance, 0.0))) or 1.0
        return cls(tree, places, vectors, mean, spread, not any(drawn))

    @property
    def width(self) -> int:
        """Number of coordinates."""
        return int(self.vectors.shape[1])

    def of_categories(self, categories: Sequence[Any]) -> Floats:
        """The coordinates of each category, or label of the tree, that a column has."""
        return np.asarray((self._raw(categories) - self.mean) / self.spread)

    def _raw(self, categories: Sequence[Any]) -> Floats:
        places = np.zeros((len(categories), self.width))
        for row, category in enumerate(categories):
            for level, label in enumerate(self._path(category)[: len(self.places)]):
                at = self.places[level].get(label) if label is not None else None
                if at is not None:
                    places[row] += self.vectors[at]
        return places

    def _path(self, category: Any) -> Sequence[str | None]:
        """The labels of a value; of a label above the values, those from where it stands."""
        text = self.hierarchy.text(category)
        for level in range(1, len(self.places)):
            if text in self.places[level] and text not in self.places[0]:
                return (*(None,) * level, *self._above[level, text])
        if text == self.hierarchy.root:
            return ()
        try:
            return self.hierarchy.path(category)
        except (KeyError, ValueError, TypeError):
            return ()

    @cached_property
    def _above(self) -> dict[tuple[int, str], Sequence[str]]:
        """Each label above the values, and those above it."""
        found: dict[tuple[int, str], Sequence[str]] = {}
        for text in self.places[0]:
            path = self.hierarchy.path(text)
            for level in range(1, len(self.places)):
                found.setdefault((level, path[level]), path[level:])
        return found


def _drawn(sizes: Sequence[int]) -> list[bool]:
    """The levels whose labels get directions: the widest, until the rest have few enough."""
    drawn = [False] * len(sizes)
    for level in sorted(range(len(sizes)), key=lambda level: -sizes[level]):
        wide = sum(size for size, out in zip(sizes, drawn, strict=True) if not out)
        if wide + (DRAWN if any(drawn) else 0) <= MOST_COORDINATES:
            break
        drawn[level] = True
    return drawn


def _vectors(sizes: Sequence[int], drawn: Sequence[bool], weights: Sequence[float]) -> Floats:
    exact = sum(size for size, out in zip(sizes, drawn, strict=True) if not out)
    width = max(1, exact + (DRAWN if any(drawn) else 0))
    rng = np.random.default_rng(SEED)
    vectors = np.zeros((sum(sizes), width))
    row = column = 0
    for size, out, weight in zip(sizes, drawn, weights, strict=True):
        scale = np.sqrt(weight / 2.0)
        if out:
            directions = rng.standard_normal((size, DRAWN))
            directions /= np.sqrt(np.square(directions).sum(axis=1, keepdims=True))
            vectors[row : row + size, exact : exact + DRAWN] = scale * directions
        else:
            vectors[row + np.arange(size), column + np.arange(size)] = scale
            column += size
        row += size
    return vectors
