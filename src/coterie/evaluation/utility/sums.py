"""What an analysis needs of the records of a table: sums that parts of it can be added up by.

Means, totals and counts come from sums that are exact, so they are the same for any parts of a
table. A regression keeps the triangle R of a QR decomposition: that of two parts is the triangle of
both, one above the other (Golub, Van Loan, Matrix Computations, 4th ed., 5.3 and 6.5), and has the
singular values of all records; nothing is squared on the way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.column import ColumnPair
from coterie.numbers.magnitude import lifted, magnitude
from coterie.plan.analysis import Analysis
from coterie.space.exact_sums import Moments, square_root
from coterie.table.categories import category_key

__all__ = ["Found", "Name", "Sums"]

Floats = NDArray[np.float64]


class Own(Enum):
    """Columns of a regression that are no column of the table, whatever those are called."""

    INTERCEPT = "intercept"
    OUTCOME = "outcome"


Term = tuple[str, Any] | Own  # a column of a regression; of categories, with one of them
Name = Term | tuple[Any, ...]  # of an estimate: a term, or the values of a domain
Found = dict[Name, tuple[float, float]]  # the estimates and their standard errors


@dataclass(frozen=True)
class Triangle:
    """The columns of a regression, the outcome last, as the R of their QR decomposition.

    Attributes
    ----------
    terms : tuple of Term
        The columns; of categories one for each, which are told apart at the end.
    upper : (c, c) array
        R, each column over a power of two.
    lift : (c,) int array
        These powers.
    """

    terms: tuple[Term, ...] = (Own.INTERCEPT, Own.OUTCOME)
    upper: Floats = field(default_factory=lambda: np.zeros((2, 2)))
    lift: NDArray[np.int64] = field(default_factory=lambda: np.zeros(2, dtype=np.int64))

    @classmethod
    def of(cls, terms: Sequence[Term], columns: Floats, weight: Floats) -> Triangle:
        """Of some records, by the square roots of their weights."""
        lower, lift = lifted(columns)
        return cls(tuple(terms), _triangle(lower * np.sqrt(weight)[:, None]), lift)

    def __add__(self, other: Triangle) -> Triangle:
        named = dict.fromkeys([*self.terms[:-1], *other.terms[:-1]])
        terms = (*named, Own.OUTCOME)
        place = {term: i for i, term in enumerate(terms)}
        lowest = np.iinfo(np.int64).min
        lift = np.full(len(terms), lowest)
        for one in (self, other):
            # A column of zeros has no size: it must not lift the small numbers of another part.
            sized = np.where(one.upper.any(axis=0), one.lift, lowest)
            np.maximum.at(lift, [place[term] for term in one.terms], sized)
        lift[lift == lowest] = 0
        rows = []
        for one in (self, other):
            at = [place[term] for term in one.terms]
            wide = np.zeros((len(one.upper), len(terms)))
            wide[:, at] = np.ldexp(one.upper, one.lift - lift[at])
            rows.append(wide)
        return Triangle(terms, _triangle(np.vstack(rows)), lift)

    def solved(self, wanted: Sequence[Term], records: int) -> list[tuple[float, float]]:
        """Coefficients of some of the columns and their standard errors; none if they depend."""
        at = [self.terms.index(term) for term in wanted]
        upper = _triangle(self.upper[:, [*at, len(self.terms) - 1]])
        design, count = upper[:-1, :-1], len(at)
        sizes = np.linalg.svd(design, compute_uv=False)
        if sizes.min() <= sizes.max() * max(records, count) * np.finfo(np.float64).eps:
            return []  # a column follows from the others: no coefficient of its own
        inverse = np.linalg.inv(design)
        free = records - count
        error = abs(float(upper[-1, -1])) / math.sqrt(free) if free > 0 else math.nan
        powers = self.lift[-1] - self.lift[at]
        values = np.ldexp(inverse @ upper[:-1, -1], powers)
        errors = np.ldexp(np.sqrt(np.square(inverse).sum(axis=1)) * error, powers)
        return list(zip(values.tolist(), errors.tolist(), strict=True))


def _triangle(rows: Floats) -> Floats:
    """The square R of a QR decomposition."""
    upper = np.zeros((rows.shape[1], rows.shape[1]))
    found = np.linalg.qr(rows, mode="r")
    upper[: len(found)] = found
    return upper


@dataclass(frozen=True, eq=False)
class Domain:
    """The records of one combination of values.

    Attributes
    ----------
    plain, squared : Moments
        Of the outcome by the weights, and by their squares; of counts the outcome is 1.
    weighted : Moments
        Of the outcome times the weight.
    """

    plain: Moments
    squared: Moments
    weighted: Moments

    @classmethod
    def of(cls, outcome: Floats, weight: Floats) -> Domain:
        """Of some records; products are taken of numbers over powers of two, if they must be."""
        power, other = magnitude(weight), magnitude(outcome)
        low = np.ldexp(weight, -power)
        return cls(
            Moments.of(outcome, weights=weight),
            Moments.of(outcome, weights=low * low).weighted(_two(2 * power)),
            Moments.of(np.ldexp(outcome, -other) * low).times(_two(power + other)),
        )

    def __add__(self, other: Domain) -> Domain:
        return Domain(
            self.plain + other.plain,
            self.squared + other.squared,
            self.weighted + other.weighted,
        )

    def mean(self) -> tuple[float, float]:
        """The weighted mean and its linearized standard error."""
        center = self.plain.center
        error = square_root(self.squared.about(center) / self.plain.weight**2)
        return float(center), error

    def total(self, records: int) -> tuple[float, float]:
        """The weighted total: every record adds to it, nothing if it is outside of the domain."""
        total = self.weighted.total
        return float(total), square_root(self.weighted.squares - total * total / Fraction(records))


@dataclass(frozen=True, eq=False)
class Sums:
    """What an analysis needs of some records that have all of its columns.

    Attributes
    ----------
    records : int
    domains : mapping from values to Domain
        For means, totals and counts.
    triangle : Triangle
        For a regression.
    """

    records: int = 0
    domains: Mapping[tuple[Any, ...], Domain] = field(default_factory=dict)
    triangle: Triangle = field(default_factory=Triangle)

    @classmethod
    def of(
        cls, asked: Analysis, columns: Mapping[str, ColumnPair], which: int, weights: Floats | None
    ) -> Sums:
        """Of the original (0) or the released (1) records of a table, or of a part of one."""
        chosen = [columns[name] for name in asked.columns]
        there = np.flatnonzero(np.logical_and.reduce([column.there[which] for column in chosen]))
        if not len(there):
            return cls()
        weight = np.ones(len(there)) if weights is None else weights[there]
        values = {
            column.name: (column.original, column.released)[which][there].astype(np.float64)
            for column in chosen
        }
        outcome = np.ones(len(there)) if asked.outcome is None else values[asked.outcome]
        by = [columns[name] for name in asked.by]
        if asked.kind == "regression":
            return cls(len(there), triangle=_design(by, values, outcome, weight))
        domains = {
            name: Domain.of(outcome[rows], weight[rows]) for name, rows in _domains(by, values)
        }
        return cls(len(there), domains)

    def __add__(self, other: Sums) -> Sums:
        domains = dict(self.domains)
        for name, more in other.domains.items():
            domains[name] = domains[name] + more if name in domains else more
        return Sums(self.records + other.records, domains, self.triangle + other.triangle)

    def terms(self) -> list[Term]:
        """The columns of a regression, but for the outcome."""
        return list(self.triangle.terms[:-1])

    def estimates(self, asked: Analysis, first: Mapping[str, Any]) -> Found:
        """The figures; of categories those beside the `first` of each column."""
        if not self.records:
            return {}
        if asked.kind == "regression":
            references: list[Term] = list(first.items())
            wanted = sorted(
                (term for term in self.terms() if term not in references),
                key=lambda term: _place(asked, term),
            )
            solved = self.triangle.solved(wanted, self.records)
            found: Found = dict(zip(wanted, solved, strict=True)) if solved else {}
        else:
            names = sorted(self.domains, key=lambda one: [category_key(part) for part in one])
            found = {name: self._of_domain(asked, name) for name in names}
        return {name: pair for name, pair in found.items() if np.isfinite(pair).all()}

    def _of_domain(self, asked: Analysis, name: tuple[Any, ...]) -> tuple[float, float]:
        domain = self.domains[name]
        try:
            return domain.mean() if asked.kind == "mean" else domain.total(self.records)
        except OverflowError:  # beyond all float64
            return math.inf, math.inf


def _design(
    by: Sequence[ColumnPair], values: Mapping[str, Floats], outcome: Floats, weight: Floats
) -> Triangle:
    """Every category has a column here: which one the others are told from, all parts decide."""
    terms: list[Term] = [Own.INTERCEPT]
    columns = [np.ones(len(outcome))]
    for column in by:
        own = values[column.name]
        if column.kind != "category":
            terms.append((column.name, None))
            columns.append(own)
            continue
        for code in np.unique(own).tolist():
            terms.append((column.name, column.categories[int(code)]))
            columns.append((own == code).astype(np.float64))
    return Triangle.of([*terms, Own.OUTCOME], np.column_stack([*columns, outcome]), weight)


def _domains(
    by: Sequence[ColumnPair], values: Mapping[str, Floats]
) -> list[tuple[tuple[Any, ...], Any]]:
    """The records of each combination of values; all of them without a domain."""
    if not by:
        return [((), slice(None))]
    table = np.column_stack([values[column.name] for column in by])
    found, which, counts = np.unique(table, axis=0, return_inverse=True, return_counts=True)
    rows = np.split(np.argsort(which.ravel(), kind="stable"), np.cumsum(counts)[:-1])
    named = [
        tuple(
            column.categories[int(value)] if column.categories else value
            for column, value in zip(by, combination, strict=True)
        )
        for combination in found.tolist()
    ]
    return list(zip(named, rows, strict=True))


def _two(power: int) -> Fraction:
    return Fraction(2) ** power


def _place(asked: Analysis, term: Term) -> tuple[int, tuple[str, Any]]:
    if isinstance(term, Own):
        return 0, ("", None)
    return 1 + asked.by.index(term[0]), category_key(term[1])
