"""What a group shares, as text that is true of each of its records: an ancestor or an interval.

The ancestor is the deepest label that stands on the paths of all of them; the interval goes from
the least to the largest, both rounded outwards to the step that the plan names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.hierarchy.intervals import IntervalSteps
from coterie.hierarchy.tree import Hierarchy
from coterie.numbers.ticks import later
from coterie.table.arrays import from_values
from coterie.table.categories import texts_of
from coterie.table.encoding import Column

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ancestors", "generalized", "intervals", "shown_as"]


def generalized(column: Column, labels: NDArray[np.int64]) -> pa.Array:
    """The released text of every record of a key that is released as an ancestor or an interval.

    Gaps stay, and missing codes stand there as text.
    """
    import pyarrow as pa

    there = ~column.missing
    groups = int(labels.max()) + 1
    found: list[str | None] = [None] * groups  # a group shares its pattern of gaps
    if there.any():
        met, codes = np.unique(labels[there], return_inverse=True)
        released = _texts(column, there, codes)
        for group, text in zip(met.tolist(), released, strict=True):
            found[group] = text
    texts = from_values(found, pa.string()).take(pa.array(labels))
    if not column.missing.any():
        return texts
    stood = texts_of(from_values(list(column.attribute.missing_codes) or [None], column.plain_type))
    words = [None, None, *stood.to_pylist()]
    values = texts.to_pylist()
    for row in np.flatnonzero(column.missing).tolist():
        values[row] = words[int(column.gaps[row])]
    return from_values(values, pa.string())


def _texts(column: Column, there: NDArray[np.bool_], codes: NDArray[np.int64]) -> list[str]:
    attribute = column.attribute
    values = column.values[there]
    if attribute.release == "ancestor":
        assert attribute.hierarchy is not None
        return ancestors(attribute.hierarchy, column.categories, values.astype(np.int64), codes)
    assert attribute.steps is not None
    if attribute.type == "datetime":
        units = later(column.origin, np.rint(values))
        values = np.floor_divide(units, column.per_day).astype(np.float64)
    return intervals(attribute.steps, values, codes)


def ancestors(
    tree: Hierarchy,
    categories: tuple[Any, ...],
    values: NDArray[np.int64],
    labels: NDArray[np.int64],
) -> list[str]:
    """The deepest label that each group 0..g-1 shares; `values` are codes of `categories`.

    Examples
    --------
    >>> import numpy as np
    >>> from coterie.hierarchy import build
    >>> codes = ("2611", "2612", "2620")
    >>> tree = build({"prefix": [1, 2, 3]}).closed(codes)
    >>> ancestors(tree, codes, np.array([0, 1, 0, 2, 1, 1]), np.array([0, 0, 1, 1, 2, 2]))
    ['261', '26', '2612']
    """
    paths = [tree.path(category) for category in categories]
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    ranked = values[order]
    groups = len(starts)
    found: list[str] = [tree.root] * groups
    open_ = np.ones(groups, dtype=np.bool_)
    for level in range(len(tree.levels)):
        place: dict[str, int] = {}
        node = np.array([place.setdefault(path[level], len(place)) for path in paths], np.int64)
        names = list(place)
        mine = node[ranked]
        low, high = np.minimum.reduceat(mine, starts), np.maximum.reduceat(mine, starts)
        for group in np.flatnonzero(open_ & (low == high)).tolist():
            found[group] = names[int(low[group])]
            open_[group] = False
    return found


def intervals(
    steps: IntervalSteps, values: NDArray[np.float64], labels: NDArray[np.int64]
) -> list[str]:
    """The interval of each group 0..g-1.

    Examples
    --------
    >>> import numpy as np
    >>> intervals(IntervalSteps(10), np.array([21.0, 38.0, 50.0, 50.0]), np.array([0, 0, 1, 1]))
    ['[20, 40)', '[50, 60)']
    """
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    ranked = values[order]
    low, high = np.minimum.reduceat(ranked, starts), np.maximum.reduceat(ranked, starts)
    ends = zip(low.tolist(), high.tolist(), strict=True)
    return [steps.text(first, last) for first, last in ends]


def shown_as(column: Column, released: Any) -> Column:
    """What is released of a column, as numbers or codes: an interval counts as its middle."""
    steps = column.attribute.steps
    if column.attribute.release != "interval" or steps is None:
        return Column.of(column.attribute, released, column.origin)
    texts = released.to_pylist()
    there = (~column.missing).tolist()
    middle = {t: sum(steps.bounds(t)) / 2 for t, here in zip(texts, there, strict=True) if here}
    values = np.array([middle[t] if h else 0.0 for t, h in zip(texts, there, strict=True)])
    if column.attribute.type == "datetime":
        values = values * column.per_day - column.origin
    return replace(column, values=values)
