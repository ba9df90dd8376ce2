"""One attribute whose released values are labels of a tree or intervals, beside the original.

Labels are categories of a tree for every measure. An interval counts as its middle where a measure
needs numbers; two intervals are equal only where their texts are. What either loses, and whether it
is true of a record, is counted exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.column import ColumnPair, column_of
from coterie.evaluation.tables import coded, gaps_of
from coterie.hierarchy.intervals import IntervalSteps, steps_of
from coterie.hierarchy.tree import Hierarchy
from coterie.numbers.renumber import renumber
from coterie.space import LossTally, generalized_tally
from coterie.table.schema import Attribute

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Generalized", "generalized_column"]

DAY = 86_400_000_000.0  # microseconds


@dataclass(frozen=True, eq=False)
class Generalized(ColumnPair):
    """A column of two tables with what each record lost of it.

    Attributes
    ----------
    lost : (n,) array
        The share of its levels that a record gave up, or the width of its interval.
    true : (n,) bool array
        Whether what is released is true of the record.
    measured : str
        ``"tree"`` or ``"interval"``.
    steps : IntervalSteps or None
        Of an interval: what its ends are rounded outwards to.
    """

    lost: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    true: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    measured: str = "tree"
    steps: IntervalSteps | None = None

    def tally(self, weights: NDArray[np.float64] | None) -> LossTally:
        """What it lost."""
        before, after = self.there
        return generalized_tally(
            self.measured, self.lost, self.true, before, before & ~after, weights, self.ends
        )

    @property
    def ends(self) -> tuple[float, float]:
        """Of an interval: where one for everybody would begin and end."""
        values = self.original[self.there[0]]
        if self.steps is None or not len(values):
            return np.inf, -np.inf
        unit = DAY if self.steps.dated else 1.0
        whole = self.steps.text(float(values.min()) / unit, float(values.max()) / unit)
        return self.steps.bounds(whole)

    def rows(self, chosen: Any) -> Generalized:
        """The same of some records."""
        some = super().rows(chosen)
        assert isinstance(some, Generalized)
        return replace(some, lost=self.lost[chosen], true=self.true[chosen])


def generalized_column(
    attribute: Attribute, before: pa.Array | list[Any], after: pa.Array | list[Any]
) -> ColumnPair | None:
    """The column of an attribute with a hierarchy or intervals; None for any other.

    Numbers and dates whose released values read like intervals are taken as such, whoever made
    them. None where the released values are no text: another tool's numbers, judged as numbers.
    """
    arrays = (before, after)
    if attribute.hierarchy is None and (_textual(before) or not _textual(after)):
        return None
    gaps = tuple(_gaps(attribute, array) for array in arrays)
    if attribute.hierarchy is not None:
        pair: ColumnPair = _tree(attribute.name, attribute.hierarchy, arrays, gaps)
    else:
        steps = attribute.steps or steps_of(map(str, coded(after, gaps[1])[1]))
        found = None if steps is None else _interval(attribute, steps, arrays, gaps)
        if found is None:
            return None
        pair = found
    return replace(pair, weight=attribute.weight)


def _tree(name: str, tree: Hierarchy, arrays: Any, gaps: Any) -> Generalized:
    """Labels: both sides as codes of the same list of texts."""
    place: dict[str, int] = {}
    sides = []
    for array, gap in zip(arrays, gaps, strict=True):
        codes, values = coded(array, gap)
        table = np.array([place.setdefault(tree.text(v), len(place)) for v in values], np.int64)
        side = np.zeros(len(gap), dtype=np.int64)
        side[gap == 0] = table[codes] if len(table) else 0
        sides.append(side)
    texts = list(place)
    lost, true = np.zeros(len(gaps[0])), np.ones(len(gaps[0]), dtype=np.bool_)
    both = (gaps[0] == 0) & (gaps[1] == 0)
    pairs, at = np.unique(sides[0][both] * len(texts) + sides[1][both], return_inverse=True)
    found = [_given_up(tree, texts[p // len(texts)], texts[p % len(texts)]) for p in pairs.tolist()]
    lost[both] = np.array([share for share, _ in found])[at] if found else 0.0
    true[both] = np.array([good for _, good in found], dtype=np.bool_)[at] if found else True
    return Generalized(
        name, "category", sides[0], sides[1], gaps, tuple(texts), tree=tree, lost=lost, true=true
    )


def _given_up(tree: Hierarchy, value: str, released: str) -> tuple[float, bool]:
    try:
        path = tree.path(value)
    except (KeyError, ValueError, TypeError):
        return (0.0, True) if value == released else (1.0, False)
    return tree.shares(path, released), released in path


def _interval(
    attribute: Attribute, steps: IntervalSteps, arrays: Any, gaps: Any
) -> Generalized | None:
    """Intervals: their middle, and by rank of their text."""
    known = column_of(replace(attribute, steps=None, release=""), attribute.name, *arrays[:1] * 2)
    if not known.numeric:
        return None
    unit = DAY if steps.dated else 1.0
    codes, texts = coded(arrays[1], gaps[1])
    try:
        bounds = np.array([_bounds(steps, text) for text in texts]).reshape(-1, 2) * unit
    except ValueError:
        return None
    low, high = np.zeros(len(gaps[1])), np.zeros(len(gaps[1]))
    rank = np.zeros(len(gaps[1]), dtype=np.int64)
    here = gaps[1] == 0
    if len(texts):
        low[here], high[here] = bounds[codes, 0], bounds[codes, 1]
        order = np.lexsort((bounds[:, 1], bounds[:, 0]))
        rank[here] = np.argsort(order)[codes]
    values = known.original
    return Generalized(
        attribute.name,
        "number",
        values,
        low / 2 + high / 2,
        gaps,
        # No interval is an original value, wherever its middle lies.
        ranks=(-1 - renumber(known.distinct[0]), rank),
        lost=(high / 2 - low / 2) / unit,  # half its width: the whole may be no float64
        true=(low <= values) & ((values < high) | (values == low)),
        measured="interval",
        steps=steps,
    )


def _bounds(steps: IntervalSteps, text: Any) -> tuple[float, float]:
    """Where an interval begins and ends; a value that is none (of a control part) is a point."""
    try:
        return steps.bounds(str(text))
    except ValueError:
        if not steps.dated:
            return (float(text), float(text))
        moment = np.datetime64(str(text).strip(), "us").astype(np.int64) / DAY
        return (float(moment), float(moment))


def _gaps(attribute: Attribute, array: Any) -> NDArray[np.int16]:
    """Where a side has no value: a missing code may be text on one side, a number on the other."""
    codes = attribute.missing_codes
    found = gaps_of(array, codes)
    if found.any() or not codes:
        return found
    return gaps_of(array, tuple(map(str if _textual(array) else _number, codes)))


def _number(code: Any) -> Any:
    try:
        return float(code)
    except (TypeError, ValueError):
        return code


def _textual(array: Any) -> bool:
    import pyarrow.types as kinds

    if isinstance(array, list):
        return any(isinstance(value, str) for value in array)
    kind = array.type
    kind = kind.value_type if kinds.is_dictionary(kind) else kind
    return bool(kinds.is_string(kind) or kinds.is_large_string(kind) or kinds.is_string_view(kind))
