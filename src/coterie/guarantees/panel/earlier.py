"""Earlier releases: what an intruder learns who has them all, and records that must stay together.

Who has two releases can join them row by row, by columns that were released as they are, and knows
of each record both released keys. So records are alike only if they share their class in every
release, being absent included; and by subtracting a group's sum in one release from sums in the
other, nothing can be computed but sums over such cells. Every cell must therefore have enough
units. `Earlier` holds the cells of the past, `divide` says which of them a new release can keep,
and `coterie.pipeline.reuse` groups records so that new classes are unions or parts of old ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, ParameterError
from coterie.guarantees.panel.crosswalk import identities, read_crosswalk
from coterie.guarantees.proof import NotKAnonymous
from coterie.guarantees.strata import Strata
from coterie.numbers.renumber import renumber
from coterie.table.classes import class_codes, count_classes
from coterie.table.source import Source

__all__ = ["Earlier", "divide", "read_previous"]

NEW = -1  # the class of a record that no earlier release holds


@dataclass(frozen=True, eq=False)
class Earlier:
    """Where the records of a table stood in earlier releases, all of them together.

    Attributes
    ----------
    releases : int
        How many there are.
    k : int
        Units that every cell must have: those asked for, or of the smallest class already out.
    asked : int
        Units asked for.
    codes : (n,) int array
        Class of each record of the table; `NEW` for one that no earlier release holds.
    classes : (u,) int array
        Class of each record of earlier releases.
    here : (u,) int array
        Row in the table of each record of earlier releases, -1 for those it no longer has.
    units : (u,) int array
        The respondent of each record of earlier releases.
    """

    releases: int
    k: int
    asked: int
    codes: NDArray[np.int64]
    classes: NDArray[np.int64]
    here: NDArray[np.int64]
    units: NDArray[np.int64]

    def leaving(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Units of each class that a release of the records `rows` would no longer hold."""
        kept = np.zeros(len(self.codes) + 1, dtype=bool)
        kept[rows] = True  # the last place stands for -1: not in the table
        gone = ~kept[self.here]
        counts = np.zeros(int(self.classes.max()) + 1, dtype=np.int64)
        if gone.any():
            found = count_classes(self.classes[gone], self.units[gone])
            counts[: len(found)] = found
        return counts

    def prove(
        self,
        table: Source,
        keys: Sequence[str],
        crosswalk: NDArray[np.int64],
        units: NDArray[np.int64] | None,
    ) -> int:
        """Units of the smallest class that old and new keys make together.

        Raises
        ------
        NotKAnonymous
            If it has fewer than `k`.
        """
        old = self.codes[crosswalk] + 1
        both = class_codes(table, keys) * (int(old.max()) + 1) + old
        counts = count_classes(renumber(both), units)
        small = counts[counts < self.k]
        if len(small):
            raise NotKAnonymous(
                self.k,
                int(small.min()),
                (*keys, "earlier releases"),
                [{"units": int(count)} for count in small],
            )
        return int(counts.min())


def read_previous(
    given: Any, match: str | None, source: Source, units: NDArray[np.int64] | None, k: int
) -> Earlier:
    """Find the records of a table again in earlier releases.

    Parameters
    ----------
    given : Release, path of a crosswalk, or sequence of these
        The earlier releases.
    match : str or None
        Column that names a record in every table; None if the rows are the same as then.
    source : Source
        The table.
    units : (n,) int array or None
        The respondent of each of its records.
    k : int
        Units asked for.
    """
    several = given if isinstance(given, (list, tuple)) else [given]
    walks = [read_crosswalk(one, match) for one in several]
    for walk in walks:
        if match is None and walk.records != len(source.frame):
            raise DataError(
                f"The table must have the rows of {walk.origin}, {walk.records:,}. Got "
                f"{len(source.frame):,}; name a column that tells records apart, match= (--match)."
            )
        if units is not None and walk.units is None:
            raise DataError(
                f"{walk.origin} must tell units apart. Got a release made without unit=; leave "
                "unit out, or make that release with it."
            )
    if match is None:
        names: list[Any] = list(range(len(source.frame)))
    else:
        names = identities(source, match)
    place: dict[Any, int] = {}
    of: list[list[Any]] = []
    for walk in walks:
        known = walk.rows.tolist() if walk.identities is None else walk.identities
        of.append(known)
        for name in known:
            place.setdefault(name, len(place))
    codes = np.full((len(place), len(walks)), NEW, dtype=np.int64)
    people = np.full(len(place), -1, dtype=np.int64)
    smallest = k
    shift = 0
    for column, (walk, known) in enumerate(zip(walks, of, strict=True)):
        at = np.array([place[name] for name in known])
        codes[at, column] = walk.classes
        own = walk.units if units is not None and walk.units is not None else at
        people[at] = np.where(people[at] < 0, own + shift, people[at])
        shift = int(people.max()) + 1
        smallest = min(smallest, int(count_classes(walk.classes, own).min()))
    classes = np.unique(codes, axis=0, return_inverse=True)[1].ravel().astype(np.int64)
    row = {name: position for position, name in enumerate(names)}
    here = np.array([row.get(name, -1) for name in place], dtype=np.int64)
    found = np.full(len(source.frame), NEW, dtype=np.int64)
    found[here[here >= 0]] = classes[here >= 0]
    if not (found >= 0).any():
        raise DataError(
            f"Some records must be in the earlier release. Got none of {len(names):,}; check "
            "the column to match by."
        )
    return Earlier(len(walks), smallest, k, found, classes, here, people)


@dataclass(frozen=True)
class Divided:
    """Strata without the records that could not be kept, and what was told about those.

    Attributes
    ----------
    layers : Strata
        The records that are kept.
    dropped : int
        Records left out because too few of their old class are left, or some had left it.
    exposed : int
        Classes that some units have left, fewer than k: told, not repaired.
    """

    layers: Strata
    dropped: int
    exposed: int


def divide(
    layers: Strata,
    earlier: Earlier,
    units: NDArray[np.int64] | None,
    small_strata: str,
    departed: str,
) -> Divided:
    """Leave out, or refuse, the records that no grouping keeps safe beside earlier releases."""
    if small_strata == "merge":
        raise ParameterError(
            "small_strata='merge' must not be used with previous. Got both; use 'drop', or fewer "
            "strata."
        )
    rows = layers.rows
    old = earlier.codes[rows] + 1
    part = np.empty(len(rows), dtype=np.int64)
    for number, members in enumerate(layers.parts):
        part[members] = number
    cells = renumber(part * (int(old.max()) + 1) + old)
    people = np.arange(len(rows)) if units is None else units[rows]
    keep = np.ones(len(rows), dtype=bool)
    while True:  # what is left out may tear another class
        before = keep.sum()
        left = _left_by_few(earlier, rows[keep])
        torn = keep & np.isin(old - 1, left) & (old > 0)
        if departed == "drop":
            keep &= ~torn
        counts = np.zeros(int(cells.max()) + 1, dtype=np.int64)
        if keep.any():
            found = count_classes(cells[keep], people[keep])
            counts[: len(found)] = found
        weak = keep & (counts[cells] < earlier.k)
        if weak.any() and small_strata != "drop":
            new = int((weak & (old == 0)).sum())
            raise DataError(
                f"Records that were alike before must stay at least k = {earlier.k} units within "
                f"a stratum. Got {len(np.unique(cells[weak & (old > 0)]))} old class(es) with "
                f"fewer, of {int(weak.sum()) - new} record(s), and {new} new record(s); use "
                "small_strata='drop' (--small-strata drop) to leave them out, or fewer strata."
            )
        keep &= ~weak
        if keep.sum() == before:
            break
    # A class of which nobody is left in this release is as it was: nothing new is told about it.
    exposed = len(np.intersect1d(left, earlier.codes[rows[keep]]))
    if exposed and departed == "error":
        raise DataError(
            f"Records that were alike before must leave in numbers of at least k = {earlier.k}. "
            f"Got {exposed} old class(es) that fewer have left: subtracting the releases tells "
            f"their values. Use departed='drop' (--departed drop) to leave out the "
            f"{int(torn.sum())} records that stay of them, or 'tell' where it may be known."
        )
    if not keep.any():
        raise DataError("Some records must be left to release. Got none beside earlier releases.")
    kept = layers.some(keep)
    sizes = [
        len(np.unique(kept.rows[p] if units is None else units[kept.rows[p]])) for p in kept.parts
    ]
    if min(sizes) < earlier.asked:
        raise DataError(
            f"Every stratum must keep at least k = {earlier.asked} units. Got fewer after leaving "
            "out records beside earlier releases; use fewer strata or a smaller k."
        )
    return Divided(kept, int((~keep).sum()), exposed)


def _left_by_few(earlier: Earlier, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Classes that some units, fewer than k, would have left if `rows` were released."""
    gone = earlier.leaving(rows)
    return np.flatnonzero((gone > 0) & (gone < earlier.k))
