"""Tallies: the exact sums that the loss of a key is made of, which add up over parts of a table.

What they count as distance and as best single value stands in `coterie.space.loss`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.space.exact_sums import Moments, exact_total

__all__ = ["CATEGORIES", "GENERALIZED", "LINE", "LossTally", "generalized_tally", "tally_of"]

GENERALIZED = ("tree", "interval")
LINE = ("number", "ordinal")
CATEGORIES = ("ordinal", "category", "tree")
NONE = Fraction(0)


@dataclass(frozen=True)
class LossTally:
    """What one key lost in some records: tallies of parts add up to that of the whole.

    Attributes
    ----------
    kind : str
        ``"number"``, ``"ordinal"``, ``"category"``, ``"stratum"`` (a category of which only is
        known whether it was given up), ``"tree"`` (a label of a hierarchy) or ``"interval"``.
    records, changed : int
        Records that have the key, and those whose value is another one now or was taken away;
        of a label or an interval those of whom it is not true.
    original, taken : Moments
        Of a number or position: the original values, and those that were taken away.
    error : Fraction
        Weighted squared distances, or the weight of the changed categories.
    weights : dict
        Of a category: the weight of each original value.
    taken_weights : dict
        The same of those that were taken away.
    ends : tuple of two floats
        Of an interval: where one for everybody would begin and end.
    """

    kind: str
    records: int = 0
    changed: int = 0
    original: Moments = field(default_factory=Moments)
    taken: Moments = field(default_factory=Moments)
    error: Fraction = NONE
    weights: Mapping[Any, Fraction] = field(default_factory=dict)
    taken_weights: Mapping[Any, Fraction] = field(default_factory=dict)
    ends: tuple[float, float] = (math.inf, -math.inf)

    def __add__(self, other: LossTally) -> LossTally:
        return LossTally(
            self.kind,
            self.records + other.records,
            self.changed + other.changed,
            self.original + other.original,
            self.taken + other.taken,
            self.error + other.error,
            _added(self.weights, other.weights),
            _added(self.taken_weights, other.taken_weights),
            (min(self.ends[0], other.ends[0]), max(self.ends[1], other.ends[1])),
        )

    @property
    def most(self) -> Fraction:
        """What a record of weight 1 loses at most, of a label or an interval."""
        if self.kind == "tree":
            return Fraction(1)
        low, high = self.ends
        return (Fraction(high) - Fraction(low)) / 2 if low <= high else NONE

    @property
    def best(self) -> Any:
        """The best single value for all records: a mean, a position or a category."""
        if self.kind not in LINE:
            return max(self.weights, key=lambda v: (self.weights[v], str(v)), default=None)
        mean = self.original.center
        return mean if self.kind == "number" else math.ceil(mean - Fraction(1, 2))

    @property
    def lost(self) -> Fraction:
        """The squared distance of what is released."""
        if self.kind in GENERALIZED:
            gone = sum(self.taken_weights.values(), NONE) * self.most
            return self.error + gone
        if self.kind in LINE:
            return self.error + self.taken.about(Fraction(self.best))
        kept = self.taken_weights.get(self.best, NONE)
        return self.error + sum(self.taken_weights.values(), NONE) - kept

    @property
    def total(self) -> Fraction:
        """The squared distance of the best single value."""
        if self.kind in GENERALIZED:
            return sum(self.weights.values(), NONE) * self.most
        if self.kind in LINE:
            return self.original.about(Fraction(self.best))
        # A stratum's best single value is none at all: everybody's would be given up.
        kept = self.weights.get(self.best, NONE) if self.kind == "category" else NONE
        return sum(self.weights.values(), NONE) - kept


def tally_of(
    kind: str,
    original: NDArray,
    released: NDArray,
    present: NDArray[np.bool_],
    taken: NDArray[np.bool_],
    weights: NDArray[np.float64] | None = None,
    categories: Sequence[Any] = (),
) -> LossTally:
    """The tally of one key over some records.

    Parameters
    ----------
    kind : {"number", "ordinal", "category", "stratum"}
    original, released : (n,) arrays
        Values, positions, or codes of `categories`.
    present, taken : (n,) bool arrays
        Records that have the key in the original, and those of them that have it no more.
    weights : (n,) array, optional
        Sampling weights.

    Examples
    --------
    >>> import numpy as np
    >>> x, y = np.array([1.0, 3.0, 8.0, 8.0]), np.array([2.0, 2.0, 8.0, 8.0])
    >>> here = np.ones(4, dtype=bool)
    >>> found = tally_of("number", x, y, here, ~here)
    >>> float(found.lost), float(found.total)
    (2.0, 38.0)
    """
    both = present & ~taken
    every = bool(both.all())  # as nearly always: then nothing is copied
    x, y = (side if every else side[both] for side in (original, released))
    w = weights if every or weights is None else weights[both]
    other = x != y
    changed = int(other.sum()) + int(taken.sum())
    gone = None if weights is None else weights[taken]
    if kind not in LINE:
        apart = Fraction(int(other.sum())) if w is None else exact_total(w[other])
        everyone = None if weights is None else weights[present]
        return LossTally(
            kind,
            int(present.sum()),
            changed,
            error=apart,
            weights=_by_category(original[present], everyone, categories),
            taken_weights=_by_category(original[taken], gone, categories),
        )
    kept = Moments.of(x.astype(np.float64, copy=False), weights=w)
    let_go = Moments.of(original[taken].astype(np.float64), weights=gone)
    return LossTally(
        kind,
        int(present.sum()),
        changed,
        kept + let_go,
        let_go,
        # Halves: the difference of two numbers may be beyond what a float can hold.
        4 * Moments.of(x / 2 - y / 2, weights=w).squares,
    )


def generalized_tally(
    kind: str,
    lost: NDArray[np.float64],
    true: NDArray[np.bool_],
    present: NDArray[np.bool_],
    taken: NDArray[np.bool_],
    weights: NDArray[np.float64] | None = None,
    ends: tuple[float, float] = (math.inf, -math.inf),
) -> LossTally:
    """The tally of a key whose released values are labels of a tree, or intervals.

    Parameters
    ----------
    kind : {"tree", "interval"}
    lost : (n,) array
        The share of its levels that each record gave up, or half the width of its interval.
    true : (n,) bool array
        Whether what is released is true of the record.
    """
    both = present & ~taken

    def weight(some: NDArray[np.bool_]) -> Fraction:
        return Fraction(int(some.sum())) if weights is None else exact_total(weights[some])

    error = Moments.of(lost[both], weights=None if weights is None else weights[both]).total
    return LossTally(
        kind,
        int(present.sum()),
        int((both & ~true).sum()) + int(taken.sum()),
        error=error,
        weights={"": weight(present)},
        taken_weights={"": weight(taken)},
        ends=ends,
    )


def _added(one: Mapping[Any, Fraction], other: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    return {value: one.get(value, NONE) + other.get(value, NONE) for value in {**one, **other}}


def _by_category(
    codes: NDArray, weights: NDArray[np.float64] | None, categories: Sequence[Any]
) -> dict[Any, Fraction]:
    codes = codes.astype(np.int64)
    if weights is None:
        counts = np.bincount(codes, minlength=len(categories)).tolist()
        return {categories[c]: Fraction(size) for c, size in enumerate(counts) if size}
    found = {}
    order = np.argsort(codes, kind="stable")
    ranked = codes[order]
    for code in np.unique(ranked).tolist():
        start, stop = np.searchsorted(ranked, [code, code + 1])
        found[categories[code]] = exact_total(weights[order[start:stop]])
    return found
