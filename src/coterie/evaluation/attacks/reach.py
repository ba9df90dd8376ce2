"""Where an intruder ends who looks for the released rows nearest to what he knows of a person.

He knows some keys of a person exactly, sees which values are missing, and goes to the nearest row
among those with the same gaps, on the keys that are there; and within the stratum, if he knows all
keys. Rows that are equal on what he knows are one place. Persons may be in the original or in the
control part; where no released row has a person's gaps he ends nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case
from coterie.evaluation.column import ColumnPair, Side
from coterie.evaluation.links import equal_rows
from coterie.numbers.renumber import renumber

__all__ = ["NOWHERE", "Persons", "Reached", "persons", "reach"]

NOWHERE = -1
TENTH = 0.1
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Persons:
    """Records that are attacked: of the original, or of the control part.

    Attributes
    ----------
    keys, confidential : tuples of Column
        What they have; their original side counts.
    rows : (m,) int array
        Which of them are attacked.
    rare : (m,) bool array
        Whether each of these lies farther from the middle of the table than nine tenths of the
        original records do; a rare category is far from it.
    blocks : (n,) int array or None
        Their released strata; `NOWHERE` if not known.
    """

    keys: tuple[ColumnPair, ...]
    confidential: tuple[ColumnPair, ...]
    rows: Ints
    rare: NDArray[np.bool_]
    blocks: Ints | None


@dataclass(frozen=True, eq=False)
class Reached:
    """Places of the release, and where each person's search ended.

    Attributes
    ----------
    places : (n,) int array
        The place of each released record.
    sizes : (p,) int array
        Records in each place.
    ends : (m,) int array
        The place where each person's search ended, or `NOWHERE`.
    """

    places: Ints
    sizes: Ints
    ends: Ints


def persons(case: Case, salt: int) -> tuple[Persons, Persons | None]:
    """Whom an attack is tried on: records of the original, and of the control if there is one.

    So many of all of them and so many of the rarest tenth, by the seed; `salt` tells attacks apart.
    """
    rng = np.random.default_rng(None if case.settings.seed is None else [case.settings.seed, salt])
    far = case.remoteness(case.pair.keys)
    limit = float(np.quantile(far, 1.0 - TENTH))
    aligned = case.pair.aligned and case.pair.blocks is not None
    first = _drawn(
        case.pair.keys,
        case.pair.confidential,
        far > limit,
        case.pair.blocks if aligned else None,
        case.settings.attempts,
        rng,
    )
    control = case.pair.control
    if control is None:
        return first, None
    rare = case.remoteness(control.keys) > limit
    second = _drawn(
        control.keys, control.confidential, rare, control.blocks, case.settings.attempts, rng
    )
    return first, second


def _drawn(
    keys: tuple[ColumnPair, ...],
    confidential: tuple[ColumnPair, ...],
    rare: NDArray[np.bool_],
    blocks: Ints | None,
    most: int,
    rng: np.random.Generator,
) -> Persons:
    """A simple sample of all, and beside it one of the rare: those come last."""
    every, few = np.arange(len(rare)), np.flatnonzero(rare)
    rows = every if len(every) <= most else np.sort(rng.choice(every, most, replace=False))
    more = few if len(few) <= most else np.sort(rng.choice(few, most, replace=False))
    marks = np.repeat([False, True], [len(rows), len(more)])
    return Persons(keys, confidential, np.concatenate([rows, more]), marks, blocks)


def reach(case: Case, who: Persons, names: Sequence[str]) -> Reached:
    """Where the search of each person ends, by the keys `names`."""
    chosen = [place for place, column in enumerate(case.pair.keys) if column.name in set(names)]
    kinds = _patterns(case, who, chosen)
    # By values and gaps, not by coordinates: of a category with many values there are many.
    places = equal_rows([one for i in chosen for one in case.pair.keys[i].apart(1)])
    reached = Reached(places, np.bincount(places), np.full(len(who.rows), NOWHERE))
    blocks = case.pair.blocks if len(chosen) == len(case.pair.keys) else None
    within = None if blocks is None or who.blocks is None else who.blocks[who.rows]
    for kind in np.unique(kinds[1]):
        asked = np.flatnonzero(kinds[1] == kind)
        known = [i for i in chosen if who.keys[i].gaps[0][who.rows[asked[0]]] == 0]
        for block in [NOWHERE] if within is None else np.unique(within[asked]).tolist():
            these = asked if within is None else asked[within[asked] == block]
            there = kinds[0] == kind
            if block != NOWHERE and blocks is not None:
                there &= blocks == block
            rows = np.flatnonzero(there)
            if len(rows):
                found = _nearest(case, who, known, rows, places[rows], who.rows[these])
                reached.ends[these] = places[found]
    return reached


def _nearest(
    case: Case, who: Persons, known: list[int], rows: Ints, places: Ints, asked: Ints
) -> Ints:
    """For each person the released record that is nearest on the keys `known`, among `rows`.

    These have the same gaps, so those that are equal on the keys known are of one of `places`.
    """
    from coterie.kernels.risk import linkage

    if not known:  # who has no key at all may be anybody: the first
        return np.full(len(asked), rows[0])
    after = case.released_block(tuple(known))[rows]
    before = np.hstack([case.spaces[0].block(i, _some(who.keys[i], asked)) for i in known])
    labels = renumber(places)
    first = np.full(int(labels.max()) + 1, len(rows))
    np.minimum.at(first, labels, np.arange(len(rows)))
    tree, _ = linkage.tree(after[first], np.bincount(labels), first)
    m = len(asked)
    nearest, ties = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    own, hit = np.zeros(m, dtype=np.int64), np.empty(m, dtype=np.bool_)
    linkage.link(tree, np.ascontiguousarray(before), own, 0, m, nearest, ties, hit)
    return rows[nearest]


def _some(column: ColumnPair, rows: Ints) -> Side:
    """The original side of some records, as a space takes it."""
    return column.rows(rows).side(0)


def _patterns(case: Case, who: Persons, chosen: list[int]) -> tuple[Ints, Ints]:
    """A number for the gaps of each released record, and of each person: equal for equal gaps."""
    after = [case.pair.keys[i].gaps[1] for i in chosen]
    before = [who.keys[i].gaps[0][who.rows] for i in chosen]
    n, m = case.n, len(who.rows)
    if not any(gaps.any() for gaps in (*after, *before)):
        return np.zeros(n, dtype=np.int64), np.zeros(m, dtype=np.int64)
    both = [np.concatenate(pair).astype(np.int64) for pair in zip(after, before, strict=True)]
    codes = equal_rows(both)
    return codes[:n], codes[n:]
