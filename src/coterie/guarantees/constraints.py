"""Constraints: what a group must satisfy beyond its size, over arrays.

One mechanism for all of them: a group is admissible if it holds at least k distinct units, if its
confidential values are diverse enough, and if no unit dominates an amount. All of these are kept by
a union of groups, so a table can be partitioned into admissible groups if and only if it is
admissible as a whole: that is checked before any work.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, bad_parameter
from coterie.guarantees import disclosure
from coterie.guarantees.diversity import Diversity
from coterie.guarantees.dominance import Dominance
from coterie.guarantees.finding import RuleFinding, at_least, at_most
from coterie.numbers.renumber import renumber

__all__ = ["Constraints"]

ON_VIOLATION = ("repair", "refuse")


@dataclass(frozen=True, eq=False)
class Constraints:
    """What every group must satisfy beyond k records.

    Attributes
    ----------
    units : (n,) int array or None
        Unit of each record: a group needs k distinct ones. None: each record is one.
    together : bool
        Whether all records of a unit share a group.
    diversity : tuple of Diversity
    dominance : tuple of Dominance
    on_violation : {"repair", "refuse"}
        What happens to a partition with groups that are not admissible.
    effort : float
        Of the work that a search of a whole table may take, what these records get: a table in many
        strata takes no longer than one that is whole.

    Examples
    --------
    >>> import coterie, numpy as np
    >>> X = np.arange(8.0)[:, None]
    >>> p = coterie.partition(
    ...     X, 2, constraints=coterie.Constraints(units=np.array([0, 0, 1, 1] * 2))
    ... )
    >>> p.labels.tolist()
    [0, 0, 0, 1, 1, 2, 2, 2]
    """

    units: NDArray[np.int64] | None = None
    together: bool = False
    diversity: tuple[Diversity, ...] = ()
    dominance: tuple[Dominance, ...] = ()
    on_violation: str = "repair"
    effort: float = 1.0

    def __bool__(self) -> bool:
        return self.units is not None or bool(self.diversity) or bool(self.dominance)

    @property
    def binding(self) -> bool:
        """Whether they ask more of a group than k records: not where each record is a unit."""
        alone = self.units is None or len(np.unique(self.units)) == len(self.units)
        return not alone or bool(self.diversity) or bool(self.dominance)

    def part(self, records: NDArray[np.int64]) -> Constraints:
        """The same for some of the records; shares stay those of the whole table."""
        lengths = self._lengths()
        return Constraints(
            None if self.units is None else self.units[records],
            self.together,
            tuple(replace(one, codes=one.codes[records]) for one in self.diversity),
            tuple(replace(one, amounts=one.amounts[records]) for one in self.dominance),
            self.on_violation,
            self.effort * (len(records) / lengths[0] if lengths else 1.0),
        )

    def without(self, names: Collection[str]) -> Constraints:
        """The same, but for the amounts of columns among `names`."""
        kept = tuple(one for one in self.dominance if one.name not in names)
        return replace(self, dominance=kept)

    def check(self, n: int, k: int) -> None:
        """Refuse arrays of another length, and records that are not admissible even as one group.

        Raises
        ------
        ParameterError, DataError
        """
        if self.on_violation not in ON_VIOLATION:
            rule = "one of " + ", ".join(map(repr, ON_VIOLATION))
            raise bad_parameter("on_violation", "Constraints", rule, self.on_violation)
        for length in self._lengths():
            if length != n:
                rule = f"arrays of one value for each of the {n} records"
                raise bad_parameter("constraints", "partition", rule, f"{length} values")
        impossible = [one for one in self._of_whole(n, k) if one.failing]
        if impossible:
            raise DataError(
                f"All records together must be admissible. Got {'; '.join(map(str, impossible))}; "
                "use milder thresholds."
            )

    def _lengths(self) -> list[int]:
        """Records of each array."""
        lengths = [len(self.units)] if self.units is not None else []
        lengths += [len(d.codes) for d in self.diversity]
        return lengths + [len(d.amounts) for d in self.dominance]

    def _of_whole(self, n: int, k: int) -> tuple[RuleFinding, ...]:
        return self.findings(np.zeros(n, dtype=np.int64), k)

    def findings(self, labels: NDArray[np.int64], k: int) -> tuple[RuleFinding, ...]:
        """How the groups `labels` of all records stand to each rule."""
        labels = renumber(labels)
        found: list[RuleFinding] = []
        if self.units is not None:
            counts = disclosure.distinct_values(labels, self.units)
            found.append(at_least("unit", None, k, counts))
            if self.together:
                spread = disclosure.distinct_values(_codes(self.units), labels)
                found.append(at_most("together", None, 1, spread))
        for one in self.diversity:
            found += one.findings(labels)
        for other in self.dominance:
            found += other.findings(labels, self.units)
        return tuple(found)

    def atoms(self, n: int) -> NDArray[np.int64]:
        """What a search moves: each record, or the unit of each record where members stay."""
        if self.units is None or not self.together:
            return np.arange(n)
        return _codes(self.units)

    def rules(self, n: int, k: int) -> Any:
        """The kernels' form, for `n` records."""
        from coterie.kernels.constrained.admissible import Rules

        atoms = self.atoms(n)
        sizes = np.array([len(one.shares) for one in self.diversity], dtype=np.int64)
        whole = [np.cumsum(d.shares) if d.ordered else d.shares for d in self.diversity]
        before = [np.concatenate(([0.0], np.cumsum(one))) for one in whole]
        units = np.arange(n) if self.units is None else _codes(self.units)
        return Rules(
            first=np.concatenate(([0], np.cumsum(np.bincount(atoms)))).astype(np.int64),
            records=np.argsort(atoms, kind="stable"),
            units=units,
            counts_units=self.units is not None,
            k=k,
            codes=_stacked([one.codes for one in self.diversity], n, np.int64),
            bounds=np.array([one.bounds for one in self.diversity]).reshape(-1, 6),
            caps=np.concatenate([*(one.caps for one in self.diversity), np.empty(0)]),
            floors=np.concatenate([*(one.floors for one in self.diversity), np.empty(0)]),
            single=np.array([one.by_value for one in self.diversity], dtype=np.bool_),
            ordered=np.array([one.ordered for one in self.diversity], dtype=np.bool_),
            start=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            whole=np.concatenate([*whole, np.empty(0)]),
            before=np.concatenate([*before, np.empty(0)]),
            amounts=_stacked([np.abs(one.amounts) for one in self.dominance], n, np.float64),
            limits=np.array([one.limits for one in self.dominance]).reshape(-1, 3),
            at=np.empty(n, dtype=np.int64),
            ints=np.empty(n, dtype=np.int64),
            sums=np.empty(n),
            judged=np.zeros(1, dtype=np.int64),
        )


def _codes(units: NDArray[np.int64]) -> NDArray[np.int64]:
    return renumber(units).astype(np.int64)


def _stacked(rows: list[NDArray], n: int, kind: Any) -> NDArray:
    return np.ascontiguousarray(np.array(rows, dtype=kind).reshape(-1, n))
