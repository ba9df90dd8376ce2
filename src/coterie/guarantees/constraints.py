"""Constraints: what a group must satisfy beyond its size, over arrays.

One mechanism for all of them: a group is admissible if it holds at least k distinct units, if its
confidential values are diverse enough, and if no unit dominates an amount. All of these are kept by
a union of groups, so a table can be partitioned into admissible groups if and only if it is
admissible as a whole: that is checked before any work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.errors import DataError, bad_parameter
from coterie.guarantees import disclosure
from coterie.numbers.renumber import renumber

__all__ = ["Constraints", "Diversity", "Dominance", "Repair", "RuleFinding"]

ON_VIOLATION = ("repair", "refuse")
AT_LEAST = ("unit", "min_distinct", "entropy_l", "p_percent")  # the others are at most
SLACK = 1e-9  # rounding of a share or a distance; the kernels allow a tenth of it


@dataclass(frozen=True)
class RuleFinding:
    """How a set of classes stands to one rule.

    Attributes
    ----------
    rule : str
        "unit", "together", or one of `coterie.guarantees.thresholds`.
    column : str or None
        The attribute it is about; None for units.
    asked, worst : float
        The threshold, and the class that comes nearest to it or misses it most.
    failing, classes : int
        Classes that miss it, of how many.
    """

    rule: str
    column: str | None
    asked: Any
    worst: float
    failing: int
    classes: int

    @classmethod
    def merged(cls, parts: Sequence[RuleFinding]) -> RuleFinding:
        """How all classes stand to a rule that was looked at in several parts."""
        worst = min if parts[0].rule in AT_LEAST else max
        return replace(
            parts[0],
            worst=worst(one.worst for one in parts),
            failing=sum(one.failing for one in parts),
            classes=sum(one.classes for one in parts),
        )

    @property
    def name(self) -> str:
        """The rule and its column in one word."""
        return self.rule if self.column is None else f"{self.rule}[{self.column}]"

    def __str__(self) -> str:
        about = "" if self.column is None else f" on {self.column!r}"
        return f"{self.rule} = {self.asked}{about}: worst {self.worst:.6g}"


@dataclass(frozen=True, eq=False)
class Diversity:
    """A confidential attribute and how alike its values in a group may be.

    Attributes
    ----------
    name : str
    codes : (n,) int array
        The values by rank, 0..m-1.
    shares : (m,) float array
        Share of each value in the whole table, of which these records may be a part.
    ordered : bool
        Whether `t_closeness` is by ranks (numbers, dates, ordinals) or with equal distances.
    min_distinct, max_share, entropy_l, t_closeness : number or None
        Least different values; largest share of one value; least exp(entropy); largest distance
        from the whole table.
    alpha_k : float, mapping of code to float, or None
        Largest share of each value, or of the sensitive ones.
    recursive_cl : (float, int) or None
    beta_likeness, delta_disclosure : float or None
    """

    name: str
    codes: NDArray[np.int64]
    shares: NDArray[np.float64]
    ordered: bool
    min_distinct: int | None = None
    max_share: float | None = None
    entropy_l: float | None = None
    t_closeness: float | None = None
    alpha_k: float | Mapping[int, float] | None = None
    recursive_cl: tuple[float, int] | None = None
    beta_likeness: float | None = None
    delta_disclosure: float | None = None

    @classmethod
    def of(cls, name: str, values: ArrayLike, ordered: bool, **limits: Any) -> Diversity:
        """From values that can be sorted; a mapping `alpha_k` is by value."""
        found, codes, counts = np.unique(
            np.asarray(values), return_inverse=True, return_counts=True
        )
        if isinstance(limits.get("alpha_k"), Mapping):
            place = {value: code for code, value in enumerate(found.tolist())}
            asked = limits["alpha_k"].items()
            limits["alpha_k"] = {place[v]: limit for v, limit in asked if v in place}
        return cls(name, codes.astype(np.int64), counts / len(codes), ordered, **limits)

    def findings(self, labels: NDArray[np.int64]) -> Iterator[RuleFinding]:
        """How the classes `labels` of all records stand to each rule."""
        if self.min_distinct is not None:
            found = disclosure.distinct_values(labels, self.codes)
            yield _at_least("min_distinct", self.name, self.min_distinct, found)
        if self.max_share is not None:
            share = disclosure.largest_share(labels, self.codes)
            yield _at_most("max_share", self.name, self.max_share, share)
        if self.entropy_l is not None:
            effective = disclosure.effective_values(labels, self.codes)
            yield _at_least("entropy_l", self.name, self.entropy_l, effective)
        if self.t_closeness is not None:
            measure = disclosure.ordered_distance if self.ordered else disclosure.equal_distance
            distance = measure(labels, self.codes, self.shares)
            yield _at_most("t_closeness", self.name, self.t_closeness, distance)
        if self.alpha_k is not None:
            limits = self.alphas
            share = disclosure.largest_of(labels, self.codes, limits)
            # In units of each value's own limit: of one limit for all, the share itself.
            scale = 1.0 if isinstance(self.alpha_k, Mapping) else float(self.alpha_k)
            yield _at_most("alpha_k", self.name, scale, share * scale)
        if self.recursive_cl is not None:
            c, least = self.recursive_cl
            ratio = disclosure.recursive_ratio(labels, self.codes, least)
            made = _below("recursive_cl", self.name, c, ratio)
            yield replace(made, asked=(c, least))
        if self.beta_likeness is not None:
            growth = disclosure.likeness(labels, self.codes, self.shares, self.beta_likeness)
            yield _at_most("beta_likeness", self.name, self.beta_likeness, growth)
        if self.delta_disclosure is not None:
            ratio = disclosure.log_ratio(labels, self.codes, self.shares)
            yield _at_most("delta_disclosure", self.name, self.delta_disclosure, ratio)

    @property
    def by_value(self) -> bool:
        """Whether there are rules on single values."""
        asked = (self.alpha_k, self.beta_likeness, self.delta_disclosure)
        return any(one is not None for one in asked)

    @property
    def alphas(self) -> NDArray[np.float64]:
        """Largest share of each value by (alpha, k)-anonymity; infinite where there is no limit."""
        limits = np.full(len(self.shares), np.inf)
        if isinstance(self.alpha_k, Mapping):
            for code, limit in self.alpha_k.items():
                limits[code] = limit
        elif self.alpha_k is not None:
            limits[:] = self.alpha_k
        return limits

    @property
    def caps(self) -> NDArray[np.float64]:
        """Largest share that each value may have in a group, by all rules on single values."""
        most = self.alphas
        if self.beta_likeness is not None:
            growth = disclosure.growth_limits(self.shares, self.beta_likeness)
            most = np.minimum(most, self.shares * (1.0 + growth))
        if self.delta_disclosure is not None:
            most = np.minimum(most, self.shares * np.exp(self.delta_disclosure))
        return np.minimum(most, 1.0)

    @property
    def floors(self) -> NDArray[np.float64]:
        """Least share that each value must have."""
        if self.delta_disclosure is None:
            return np.zeros(len(self.shares))
        return self.shares * np.exp(-self.delta_disclosure)


@dataclass(frozen=True, eq=False)
class Dominance:
    """An amount and how much of a group's total the largest units may make up.

    Attributes
    ----------
    name : str
    amounts : (n,) float array
        What each record adds; absolute values count.
    p_percent : float or None
        All but the two largest units add at least this much, in percent of the largest.
    dominance : (int, float) or None
        The so many largest units add at most this much, in percent of the total.
    """

    name: str
    amounts: NDArray[np.float64]
    p_percent: float | None = None
    dominance: tuple[int, float] | None = None

    def findings(
        self, labels: NDArray[np.int64], units: NDArray[np.int64] | None
    ) -> Iterator[RuleFinding]:
        """How the classes `labels` of all records stand to each rule."""
        if self.p_percent is not None:
            rest = disclosure.remainder_percent(labels, units, self.amounts)
            yield _at_least("p_percent", self.name, self.p_percent, rest)
        if self.dominance is not None:
            count, most = self.dominance
            top = disclosure.top_percent(labels, units, self.amounts, count)
            yield replace(_at_most("dominance", self.name, most, top), asked=(count, most))


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

    Examples
    --------
    >>> import coterie, numpy as np
    >>> from coterie.guarantees.constraints import Constraints
    >>> X = np.arange(8.0)[:, None]
    >>> p = coterie.partition(X, 2, constraints=Constraints(units=np.array([0, 0, 1, 1] * 2)))
    >>> p.labels.tolist()
    [0, 0, 0, 1, 1, 2, 2, 2]
    """

    units: NDArray[np.int64] | None = None
    together: bool = False
    diversity: tuple[Diversity, ...] = ()
    dominance: tuple[Dominance, ...] = ()
    on_violation: str = "repair"

    def __bool__(self) -> bool:
        return self.units is not None or bool(self.diversity) or bool(self.dominance)

    @property
    def binding(self) -> bool:
        """Whether they ask more of a group than k records: not where each record is a unit."""
        alone = self.units is None or len(np.unique(self.units)) == len(self.units)
        return not alone or bool(self.diversity) or bool(self.dominance)

    def part(self, records: NDArray[np.int64]) -> Constraints:
        """The same for some of the records; shares stay those of the whole table."""
        return Constraints(
            None if self.units is None else self.units[records],
            self.together,
            tuple(replace(one, codes=one.codes[records]) for one in self.diversity),
            tuple(replace(one, amounts=one.amounts[records]) for one in self.dominance),
            self.on_violation,
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
        lengths = [len(self.units)] if self.units is not None else []
        lengths += [len(d.codes) for d in self.diversity]
        lengths += [len(d.amounts) for d in self.dominance]
        for length in lengths:
            if length != n:
                rule = f"arrays of one value for each of the {n} records"
                raise bad_parameter("constraints", "partition", rule, f"{length} values")
        impossible = [one for one in self._of_whole(n, k) if one.failing]
        if impossible:
            raise DataError(
                f"All records together must be admissible. Got {'; '.join(map(str, impossible))}; "
                "use milder thresholds."
            )

    def _of_whole(self, n: int, k: int) -> tuple[RuleFinding, ...]:
        return self.findings(np.zeros(n, dtype=np.int64), k)

    def findings(self, labels: NDArray[np.int64], k: int) -> tuple[RuleFinding, ...]:
        """How the groups `labels` of all records stand to each rule."""
        labels = renumber(labels)
        found: list[RuleFinding] = []
        if self.units is not None:
            counts = disclosure.distinct_values(labels, self.units)
            found.append(_at_least("unit", None, k, counts))
            if self.together:
                spread = disclosure.distinct_values(_codes(self.units), labels)
                found.append(_at_most("together", None, 1, spread))
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
            bounds=np.array([_bounds(one) for one in self.diversity]).reshape(-1, 6),
            caps=np.concatenate([*(one.caps for one in self.diversity), np.empty(0)]),
            floors=np.concatenate([*(one.floors for one in self.diversity), np.empty(0)]),
            single=np.array([one.by_value for one in self.diversity], dtype=np.bool_),
            ordered=np.array([one.ordered for one in self.diversity], dtype=np.bool_),
            start=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            whole=np.concatenate([*whole, np.empty(0)]),
            before=np.concatenate([*before, np.empty(0)]),
            amounts=_stacked([np.abs(one.amounts) for one in self.dominance], n, np.float64),
            limits=np.array([_limits(one) for one in self.dominance]).reshape(-1, 3),
            at=np.empty(n, dtype=np.int64),
            ints=np.empty(n, dtype=np.int64),
            sums=np.empty(n),
        )


@dataclass(frozen=True)
class Repair:
    """What constraints did to a partition.

    Attributes
    ----------
    plain_sse : float or None
        SSE of the partition for k alone; None where units were kept together from the start.
    plain_groups : int
        How many groups the method made.
    violated : dict
        Of those, how many missed each rule.
    start : str
        "given" (nothing was missed), "repaired", "grown", "merged" (one group is left) or, over
        several strata, all of these.
    merged, exchanged : int
        Merges, and members taken or swapped, that repaired the start.
    iterations, accepted : int
        Regroupings tried, and those that won something back.
    """

    plain_sse: float | None
    plain_groups: int
    violated: dict[str, int]
    start: str = "given"
    merged: int = 0
    exchanged: int = 0
    iterations: int = 0
    accepted: int = 0

    @classmethod
    def combined(cls, parts: Sequence[Repair]) -> Repair:
        """What was done to several strata."""
        costs = [part.plain_sse for part in parts]
        violated: Counter[str] = Counter()
        for part in parts:
            violated.update(part.violated)
        return cls(
            None if None in costs else float(sum(cost or 0.0 for cost in costs)),
            sum(part.plain_groups for part in parts),
            dict(violated),
            ", ".join(dict.fromkeys(part.start for part in parts)),
            *(
                sum(getattr(part, name) for part in parts)
                for name in ("merged", "exchanged", "iterations", "accepted")
            ),
        )


def _bounds(one: Diversity) -> tuple[float, ...]:
    c, least = (np.inf, 0) if one.recursive_cl is None else one.recursive_cl
    return (
        float(one.min_distinct or 1),
        1.0 if one.max_share is None else one.max_share,
        0.0 if one.entropy_l is None else float(np.log(one.entropy_l)),
        1.0 if one.t_closeness is None else one.t_closeness,
        float(c),
        float(least),
    )


def _limits(one: Dominance) -> tuple[float, float, float]:
    count, most = (0, 100.0) if one.dominance is None else one.dominance
    return (one.p_percent or 0.0) / 100.0, float(count), most / 100.0


def _codes(units: NDArray[np.int64]) -> NDArray[np.int64]:
    return renumber(units).astype(np.int64)


def _stacked(rows: list[NDArray], n: int, kind: Any) -> NDArray:
    return np.ascontiguousarray(np.array(rows, dtype=kind).reshape(-1, n))


def _at_least(rule: str, column: str | None, asked: float, found: NDArray) -> RuleFinding:
    failing = int((found < asked * (1.0 - SLACK)).sum())
    return RuleFinding(rule, column, asked, float(found.min()), failing, len(found))


def _below(rule: str, column: str | None, asked: float, found: NDArray) -> RuleFinding:
    failing = int((found >= asked * (1.0 - SLACK)).sum())
    return RuleFinding(rule, column, asked, float(found.max()), failing, len(found))


def _at_most(rule: str, column: str | None, asked: float, found: NDArray) -> RuleFinding:
    failing = int((found > asked + SLACK).sum())
    return RuleFinding(rule, column, asked, float(found.max()), failing, len(found))
