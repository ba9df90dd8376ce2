"""Diversity: how alike the confidential values of a group may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coterie.guarantees import disclosure
from coterie.guarantees.finding import RuleFinding, at_least, at_most, below
from coterie.table.arrays import to_numpy

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Diversity", "Spread"]


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

    Examples
    --------
    >>> import coterie
    >>> incomes = [[20.0], [21.0], [22.0], [40.0], [41.0], [42.0]]
    >>> causes = ["flu", "flu", "flu", "flu", "cold", "cold"]
    >>> cause = coterie.Diversity.of("cause", causes, ordered=False, min_distinct=2)
    >>> coterie.partition(incomes, 3).labels.tolist()
    [0, 0, 0, 1, 1, 1]
    >>> asked = coterie.Constraints(diversity=(cause,))
    >>> coterie.partition(incomes, 3, constraints=asked).labels.tolist()
    [0, 0, 1, 1, 0, 1]
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
            yield at_least("min_distinct", self.name, self.min_distinct, found)
        if self.max_share is not None:
            share = disclosure.largest_share(labels, self.codes)
            yield at_most("max_share", self.name, self.max_share, share)
        if self.entropy_l is not None:
            effective = disclosure.effective_values(labels, self.codes)
            yield at_least("entropy_l", self.name, self.entropy_l, effective)
        if self.t_closeness is not None:
            measure = disclosure.ordered_distance if self.ordered else disclosure.equal_distance
            distance = measure(labels, self.codes, self.shares)
            yield at_most("t_closeness", self.name, self.t_closeness, distance)
        if self.alpha_k is not None:
            limits = self.alphas
            share = disclosure.largest_of(labels, self.codes, limits)
            # In units of each value's own limit: of one limit for all, the share itself.
            scale = 1.0 if isinstance(self.alpha_k, Mapping) else float(self.alpha_k)
            yield at_most("alpha_k", self.name, scale, share * scale)
        if self.recursive_cl is not None:
            c, least = self.recursive_cl
            ratio = disclosure.recursive_ratio(labels, self.codes, least)
            finding = below("recursive_cl", self.name, c, ratio)
            yield replace(finding, asked=(c, least))
        if self.beta_likeness is not None:
            growth = disclosure.likeness(labels, self.codes, self.shares, self.beta_likeness)
            yield at_most("beta_likeness", self.name, self.beta_likeness, growth)
        if self.delta_disclosure is not None:
            ratio = disclosure.log_ratio(labels, self.codes, self.shares)
            yield at_most("delta_disclosure", self.name, self.delta_disclosure, ratio)

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

    @property
    def bounds(self) -> tuple[float, ...]:
        """Thresholds on a whole group in the kernels' form, the weakest where nothing is asked."""
        c, least = (np.inf, 0) if self.recursive_cl is None else self.recursive_cl
        return (
            float(self.min_distinct or 1),
            1.0 if self.max_share is None else self.max_share,
            0.0 if self.entropy_l is None else float(np.log(self.entropy_l)),
            1.0 if self.t_closeness is None else self.t_closeness,
            float(c),
            float(least),
        )


@dataclass(frozen=True, eq=False)
class Spread:
    """The values of a confidential column in the whole table, and the share of each.

    Attributes
    ----------
    values : pyarrow.Array
        By rank where the column has one.
    shares : (m,) float array
    """

    values: pa.Array
    shares: NDArray[np.float64]

    def codes(self, array: pa.Array) -> NDArray[np.int64]:
        """The place of each value of a part of the table."""
        import pyarrow.compute as pc

        found = pc.index_in(array, value_set=self.values, skip_nulls=False)
        return to_numpy(found).astype(np.int64)
