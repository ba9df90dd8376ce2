"""Space: the coordinates in which distance and SSE are measured, fitted from what adds up.

Every attribute weighs alike: its coordinates together have variance 1 over the records that have
it, times the attribute's weight. Only distances live here: centroids are always taken in the
column's own units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.numbers.checks import check_points
from coterie.space.axis import NOMINAL, Hot, Line
from coterie.space.exact_sums import Moments
from coterie.space.trees import MOST_COORDINATES, Tree
from coterie.table.categories import category_key
from coterie.table.schema import Attribute

__all__ = ["Axis", "Space", "Summary", "Values", "standardize"]

Axis = Line | Hot | Tree


class Values(Protocol):
    """A column: its values, or codes of its categories, and where it has none."""

    @property
    def attribute(self) -> Attribute:
        """Type, transform and weight."""

    @property
    def values(self) -> NDArray:
        """One for each record; anything at a gap."""

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Where there is none."""

    @property
    def categories(self) -> tuple[Any, ...]:
        """What the codes of a categorical attribute stand for."""


@dataclass
class Summary:
    """What a space must know of one attribute; summaries of parts add up to that of the whole.

    Attributes
    ----------
    moments : Moments
        Of a number, date or rank after its transform, less `origin`.
    counts : Counter
        Of a category: how often each value occurs.
    """

    origin: float = 0.0
    moments: Moments = field(default_factory=Moments)
    counts: Counter[Any] = field(default_factory=Counter)

    def __add__(self, other: Summary) -> Summary:
        counts = self.counts.copy()
        counts.update(other.counts)  # a value that no kept record has stays known
        return Summary(self.origin, self.moments + other.moments, counts)


@dataclass(frozen=True)
class Space:
    """The axes of some attributes.

    Attributes
    ----------
    attributes : tuple of Attribute
        What they are; their weights multiply squared distances.
    axes : tuple of Line, Hot or Tree
        The coordinates of each.
    categories : tuple of tuples
        What the codes of each categorical attribute stand for.

    Examples
    --------
    >>> import pandas as pd
    >>> from coterie.table.encoding import Column
    >>> from coterie.table import infer, read
    >>> table = read(pd.DataFrame({"age": [30.0, 50.0], "sex": ["f", "m"]}))
    >>> schema = infer(table, quasi_identifiers=["age", "sex"])
    >>> columns = [Column.of(schema[name], table.frame[name].to_arrow()) for name in schema.keys]
    >>> Space.of(columns).coordinates(columns)
    array([[-1., -1.],
           [ 1.,  1.]])
    """

    attributes: tuple[Attribute, ...] = ()
    axes: tuple[Axis, ...] = ()
    categories: tuple[tuple[Any, ...], ...] = ()

    @classmethod
    def of(cls, columns: Iterable[Values], *, unseen: bool = False) -> Space:
        """The space of a table that is at hand as a whole.

        With `unseen`, categories that no record has are coordinates too, however many there are:
        another table may have them.
        """
        attributes, axes, categories = [], [], []
        for column in columns:
            attribute, values = column.attribute, column.values[~column.missing]
            axis: Axis
            known: tuple[Any, ...] = ()
            if attribute.type in NOMINAL:
                codes = values.astype(np.int64)
                counts = np.bincount(codes, minlength=len(column.categories))
                every = unseen and attribute.hierarchy is None
                met = np.arange(len(counts)) if every else np.flatnonzero(counts)
                known = tuple(column.categories[code] for code in met)
                axis = _categorical(attribute, known, counts[met].tolist(), unseen=unseen)
            else:
                axis = Line.of(values, attribute.transform)
            attributes.append(attribute)
            axes.append(axis)
            categories.append(known)
        return cls(tuple(attributes), tuple(axes), tuple(categories))

    @classmethod
    def fit(
        cls,
        attributes: Sequence[Attribute],
        summaries: Mapping[str, Summary],
        lines: Mapping[str, Line] | None = None,
    ) -> Space:
        """The space of a table in parts, from what was found in all of them.

        `lines` are axes that are known already: ranks need all values at once.
        """
        axes: list[Axis] = []
        categories: list[tuple[Any, ...]] = []
        for attribute in attributes:
            found = summaries[attribute.name]
            if attribute.type in NOMINAL:
                counts = {value: size for value, size in found.counts.items() if size}
                known = tuple(sorted(counts, key=category_key))
                axes.append(_categorical(attribute, known, [counts[value] for value in known]))
                categories.append(known)
            elif lines and attribute.name in lines:
                axes.append(lines[attribute.name])
                categories.append(())
            else:
                axes.append(Line.of_moments(found.moments, found.origin, attribute.transform))
                categories.append(())
        return cls(tuple(attributes), tuple(axes), tuple(categories))

    @classmethod
    def of_array(cls, X: NDArray[np.float64], *, scaled: bool = True) -> Space:
        """The space of records that are numbers alone; as they are unless `scaled`."""
        axes = tuple(Line.lines(X)) if scaled else (Line(),) * X.shape[1]
        names = [f"x{place + 1}" for place in range(len(axes))]
        kinds = tuple(Attribute(name, frozenset({"key"}), "continuous", "") for name in names)
        return cls(kinds, axes, ((),) * len(axes))

    def points(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """The coordinates of records that are numbers alone."""
        blocks = zip(self.axes, X.T, strict=True)
        return np.hstack(
            [axis.coordinates(column) for axis, column in blocks if not isinstance(axis, Tree)]
        )

    def coordinates(self, columns: Iterable[Values]) -> NDArray[np.float64]:
        """The (n, D) coordinates of some records; a gap lies at 0, the mean of the attribute.

        Groups share their pattern of gaps, so what stands at a gap never adds to a distance.
        """
        return np.hstack([self.block(place, column) for place, column in enumerate(columns)])

    def block(self, place: int, column: Values) -> NDArray[np.float64]:
        """The coordinates of one attribute."""
        axis, known = self.axes[place], self.categories[place]
        present = ~column.missing
        values = column.values[present]
        scale = np.sqrt(self.attributes[place].weight)
        block = np.zeros((len(present), axis.width))
        if isinstance(axis, Tree):
            if len(values):
                block[present] = axis.of_categories(column.categories)[values.astype(np.int64)]
            return block * scale
        if known and column.categories != known:
            position = {category: code for code, category in enumerate(known)}
            codes = np.array([position.get(c, -1) for c in column.categories], dtype=np.int64)
            values = codes[values.astype(np.int64)]
        block[present] = axis.coordinates(values) * scale
        return block


def _shares(counts: Sequence[int]) -> tuple[float, ...]:
    total = sum(counts)
    return tuple(size / total for size in counts) if total else ()


def _categorical(
    attribute: Attribute, known: Sequence[Any], counts: Sequence[int], *, unseen: bool = False
) -> Hot | Tree:
    """The axis of categories: by their tree, or one-hot unless there are too many for that."""
    if attribute.hierarchy is None and (unseen or len(known) <= MOST_COORDINATES):
        return Hot(_shares(counts))
    return Tree.of(attribute.hierarchy, known, counts)


def standardize(X: ArrayLike) -> NDArray[np.float64]:
    """Columns of mean 0 and standard deviation 1, so that every attribute weighs alike.

    A constant column becomes all zeros: it tells records apart no more than before.

    Examples
    --------
    >>> import coterie
    >>> coterie.standardize([[1.0, 5.0], [3.0, 5.0]])
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    values = check_points(X, "standardize")
    return Space.of_array(values).points(values)
