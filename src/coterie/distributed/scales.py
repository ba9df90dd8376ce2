"""Scales: coordinates of each key from statistics of the whole table.

The same coordinates as `coterie.space` gives a table in memory, but for rounding: numbers are
standardised, categories are one-hot over sqrt(2), each key has variance 1 times its weight. The
statistics come from exact sums and counts, so they are the same for every layout of parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.distributed.exact_sums import Moments
from coterie.encoding import Column, category_key
from coterie.space import NOMINAL, check_categories, one_hot, transformed
from coterie.table.schema import Attribute

__all__ = ["Scale", "coordinates"]


@dataclass(frozen=True)
class Scale:
    """The coordinates of one key.

    Attributes
    ----------
    attribute : Attribute
        The key.
    origin, mean, spread : float
        Of a number: what is subtracted first, the mean of what is left, its standard deviation.
    categories, shares : tuple
        Of a category: all that occur, and their shares.
    """

    attribute: Attribute
    origin: float = 0.0
    mean: float = 0.0
    spread: float = 0.0
    categories: tuple[object, ...] = ()
    shares: tuple[float, ...] = ()

    @classmethod
    def of_numbers(cls, attribute: Attribute, moments: Moments, origin: float) -> Scale:
        """The scale of a number, date or rank."""
        return cls(attribute, origin, moments.mean, moments.spread)

    @classmethod
    def of_categories(cls, attribute: Attribute, counts: Mapping[object, int]) -> Scale:
        """The scale of a nominal key."""
        check_categories(attribute.name, len(counts))
        categories = tuple(sorted(counts, key=category_key))
        total = sum(counts.values())
        shares = tuple(counts[c] / total for c in categories)
        return cls(attribute, categories=categories, shares=shares)

    def block(self, column: Column) -> NDArray[np.float64]:
        """The coordinates of some records; a gap lies at 0."""
        present = ~column.missing
        values = column.values[present]
        if self.attribute.type in NOMINAL:
            place = {category: code for code, category in enumerate(self.categories)}
            known = np.array([place[c] for c in column.categories], dtype=np.int64)
            part = one_hot(known[values.astype(np.int64)], np.array(self.shares))
        elif self.spread > 0:
            shifted = transformed(self.attribute.transform, values) - self.origin
            part = ((shifted - self.mean) / self.spread)[:, None]
        else:
            part = np.zeros((len(values), 1))
        made = np.zeros((len(present), part.shape[1]))
        made[present] = part * np.sqrt(self.attribute.weight)
        return made


def coordinates(scales: Sequence[Scale], columns: Sequence[Column]) -> NDArray[np.float64]:
    """The (n, D) coordinates of some records."""
    return np.hstack([scale.block(column) for scale, column in zip(scales, columns, strict=True)])
