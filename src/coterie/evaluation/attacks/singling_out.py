"""Singling out: predicates read off the release that hold for exactly one original record.

The intruder makes a predicate of released values that holds for one row of the release (rows that
are equal count as one) and wins if it holds for exactly one record of the original: he need not
know anybody. Of one column: the value of a row that nobody shares, or the least or largest value;
of several: a row's value of a category, and "at least" or "at most" its number, whichever is away
from the median. Cohen, Nissim (2020), "Towards formalizing the GDPR's notion of singling out", PNAS
117(15):8344-8352; the predicates are those of Giomi et al. (2023), section 5.1.

Keys and confidential columns count, not what is kept beside them (the guards refuse what most
records have to themselves). The baseline draws the values of each column independently, as who has
no release must. The reference for a control of another size: `coterie.evaluation.attacks.control`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.attacks.control import largest_count, singled_out
from coterie.evaluation.attacks.trial import ALL, NOBODY, RAREST, Attack, Rate, finding, judged
from coterie.evaluation.case import Case, Finding
from coterie.evaluation.column import ColumnPair
from coterie.evaluation.links import equal_rows
from coterie.kernels.risk.predicates import AT_LEAST, AT_MOST, EQUAL, MISSING

__all__ = ["PredicateForm", "Predicates", "matches", "matrix", "singling_out", "written"]

COLUMNS = 3  # of a predicate of several columns
DRAWS = 20  # rows looked at for each predicate that is wanted
SALT = 1
UNIVARIATE, MULTIVARIATE = "by one column", "by several columns"


@dataclass(frozen=True, eq=False)
class Predicates:
    """Conditions on columns: each row is one predicate.

    Attributes
    ----------
    columns, operators, values : (q, c) arrays
        Column, operator and value of each condition.
    source : (q,) int array
        The released record that each was read off.
    """

    columns: NDArray[np.int64]
    operators: NDArray[np.int64]
    values: NDArray[np.float64]
    source: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, chosen: NDArray) -> Predicates:
        return Predicates(
            self.columns[chosen], self.operators[chosen], self.values[chosen], self.source[chosen]
        )


@dataclass(frozen=True, eq=False)
class PredicateForm:
    """What predicates are asked for.

    Attributes
    ----------
    numeric : (d,) bool array
        Which columns hold numbers.
    width : int
        Columns of each predicate.
    wanted : int
        How many predicates, at the most.
    """

    numeric: NDArray[np.bool_]
    width: int
    wanted: int

    def of(
        self,
        columns: NDArray[np.int64],
        operators: NDArray[np.int64],
        values: NDArray[np.float64],
        source: NDArray[np.int64],
    ) -> Predicates:
        """Of a category only whether it is equal can be asked, and of a gap whether it is one."""
        possible = np.where(self.numeric[columns], operators, EQUAL)
        asked = np.where(np.isnan(values), MISSING, possible)
        return Predicates(columns, asked, np.nan_to_num(values, nan=0.0), source)

    def drawn_columns(self, many: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """For each of so many predicates `width` of the columns, in their order."""
        places = np.argsort(rng.random((many, len(self.numeric))), axis=1)
        return np.sort(places[:, : self.width], axis=1)


def singling_out(case: Case) -> Finding:
    """What the release adds to the chance that a predicate holds for exactly one person."""
    columns = [*case.pair.keys, *case.pair.confidential]
    released, original = matrix(columns, 1), matrix(columns, 0)
    numeric = np.array([column.numeric for column in columns])
    control = case.pair.control
    held_out = None if control is None else matrix([*control.keys, *control.confidential], 0)
    # Of rows that are not aligned it is not known whose the original ones are: each is a person.
    owners = case.settings.units if case.pair.aligned else None
    others = None if control is None else control.units
    sizes = people(original, owners), 0 if held_out is None else people(held_out, others)
    far = case.remoteness(case.pair.keys)
    rare = far > np.quantile(far, 0.9)
    seed = case.settings.seed
    attacks: list[Attack] = []
    by_column: dict[str, float] = {}  # of predicates on it alone, those that hold for one record
    for place, name in enumerate((UNIVARIATE, MULTIVARIATE)[: 1 + (len(columns) > 1)]):
        rng = np.random.default_rng(None if seed is None else [seed, SALT, place])
        width = 1 if name == UNIVARIATE else min(COLUMNS, len(columns))
        form = PredicateForm(numeric, width, case.settings.attempts)
        found, guesses = written(released, form, rng), _guesses(released, form, rng)
        hits = matches(original, found, 2, owners) == 1
        baseline = Rate.of(matches(original, guesses, 2, owners) == 1)
        if not len(hits):  # no predicate holds for one row alone: nothing to try
            hits = np.zeros(case.settings.attempts, dtype=bool)
        counted = None
        if held_out is not None:
            counted = matches(held_out, found, largest_count(*sizes), others)
        few = np.zeros(len(hits), dtype=bool)
        few[: len(found)] = rare[found.source] if case.pair.aligned else False
        for who, these in ((ALL, np.ones(len(hits), dtype=bool)), (RAREST, few)):
            if who == RAREST and not these.any():
                continue
            reference = None
            if counted is not None:
                reference = singled_out(counted[these[: len(found)]], *sizes)
            attacks.append(
                judged(name, Rate.of(hits[these]), baseline, reference, knows=NOBODY, who=who)
            )
        if name == UNIVARIATE:
            by_column = {
                column.name: 100.0 * float(hits[: len(found)][found.columns[:, 0] == at].mean())
                for at, column in enumerate(columns)
                if (found.columns[:, 0] == at).any()
            }
    return replace(finding(attacks), by_column=by_column or None)


def matrix(columns: list[ColumnPair], which: int) -> NDArray[np.float64]:
    """The values of the columns on one side as numbers, not a number at gaps."""
    table = np.empty((len(columns[0].original), len(columns)), order="C")
    for place, column in enumerate(columns):
        table[:, place] = column.distinct[which]
        table[column.gaps[which] != 0, place] = np.nan
    return table


def people(rows: NDArray[np.float64], owners: NDArray[np.int64] | None) -> int:
    """How many persons the rows are of."""
    return len(rows) if owners is None else len(np.unique(owners))


def matches(
    rows: NDArray[np.float64],
    found: Predicates,
    most: int,
    owners: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """For how many persons each predicate holds, counted up to `most`; a row each without owners.

    >>> at_least_2 = Predicates(*(np.array([[v]]) for v in (0, AT_LEAST, 2.0)), np.array([0]))
    >>> matches(np.array([[1.0], [2.0], [3.0]]), at_least_2, 9).tolist()
    [2]
    >>> matches(np.array([[1.0], [2.0], [3.0]]), at_least_2, 9, np.array([0, 1, 1])).tolist()
    [1]
    """
    from coterie.kernels.risk.predicates import count

    held = np.zeros(len(found), dtype=np.int64)
    if owners is None:
        owners = np.arange(len(rows))
    else:  # those of a person stand together
        order = np.argsort(owners, kind="stable")
        rows, owners = np.ascontiguousarray(rows[order]), owners[order]
    if len(found):
        count(rows, owners, found.columns, found.operators, found.values, most, held)
    return held


def written(
    released: NDArray[np.float64], form: PredicateForm, rng: np.random.Generator
) -> Predicates:
    """Predicates of that form, each of which holds for one row of the release alone."""
    labels = equal_rows([np.where(np.isnan(c), np.inf, c) for c in released.T])
    first = np.full(int(labels.max()) + 1, len(labels))
    np.minimum.at(first, labels, np.arange(len(labels)))
    rows = np.ascontiguousarray(released[first])
    make = _single if form.width == 1 else _several
    drafts = make(rows, form, rng)
    kept = _isolating(rows, drafts, form.wanted)
    return Predicates(kept.columns, kept.operators, kept.values, first[kept.source])


def _single(rows: NDArray[np.float64], form: PredicateForm, rng: np.random.Generator) -> Predicates:
    """Every value that one row has alone, missing ones too, and both ends; in any order."""
    predicates: list[tuple[int, int, float, int]] = []
    for column in range(rows.shape[1]):
        values = rows[:, column]
        there = np.flatnonzero(~np.isnan(values))
        gaps = np.flatnonzero(np.isnan(values))
        if len(gaps) == 1:
            predicates.append((column, MISSING, 0.0, int(gaps[0])))
        if not len(there):
            continue
        found, at, count = np.unique(values[there], return_index=True, return_counts=True)
        if form.numeric[column]:
            predicates.append((column, AT_MOST, float(found[0]), int(there[at[0]])))
            predicates.append((column, AT_LEAST, float(found[-1]), int(there[at[-1]])))
        alone = count == 1
        rare = zip(found[alone].tolist(), there[at[alone]].tolist(), strict=True)
        predicates += [(column, EQUAL, value, row) for value, row in rare]
    order = rng.permutation(len(predicates))
    picked = [predicates[place] for place in order]
    return Predicates(
        np.array([[one[0]] for one in picked], dtype=np.int64).reshape(-1, 1),
        np.array([[one[1]] for one in picked], dtype=np.int64).reshape(-1, 1),
        np.array([[one[2]] for one in picked], dtype=np.float64).reshape(-1, 1),
        np.array([one[3] for one in picked], dtype=np.int64),
    )


def _several(
    rows: NDArray[np.float64], form: PredicateForm, rng: np.random.Generator
) -> Predicates:
    """Predicates of drawn rows and columns, many more than are wanted."""
    n, d = rows.shape
    medians = np.array([_median(rows[:, column]) for column in range(d)])
    source = rng.integers(n, size=DRAWS * form.wanted)
    columns = form.drawn_columns(len(source), rng)
    values = np.take_along_axis(rows[source], columns, axis=1)
    upwards = values > medians[columns]
    bounds = np.where(upwards, AT_LEAST, AT_MOST)
    return form.of(columns, bounds, values, source)


def _isolating(rows: NDArray[np.float64], drafts: Predicates, wanted: int) -> Predicates:
    """The first so many that hold for one row alone, none of them twice."""
    kept: list[int] = []
    seen: set[tuple[float, ...]] = set()
    for start in range(0, len(drafts), wanted):
        these = np.arange(start, min(start + wanted, len(drafts)))
        alone = these[matches(rows, drafts[these], 2) == 1]
        terms = np.hstack([drafts.columns[alone], drafts.operators[alone], drafts.values[alone]])
        for place, key in zip(alone.tolist(), map(tuple, terms.tolist()), strict=True):
            if key not in seen:
                seen.add(key)
                kept.append(place)
        if len(kept) >= wanted:
            break
    return drafts[np.array(kept[:wanted], dtype=np.int64)]


def _guesses(
    released: NDArray[np.float64], form: PredicateForm, rng: np.random.Generator
) -> Predicates:
    """Predicates of the same form whose values and operators are drawn by themselves."""
    size = form.wanted, form.width
    columns = form.drawn_columns(form.wanted, rng)
    values = released[rng.integers(len(released), size=size), columns]
    drawn = rng.integers(3, size=size)  # EQUAL, AT_MOST or AT_LEAST
    return form.of(columns, drawn, values, np.zeros(form.wanted, dtype=np.int64))


def _median(values: NDArray[np.float64]) -> float:
    there = values[~np.isnan(values)]
    return 2.0 * float(np.median(there / 2.0)) if len(there) else 0.0  # two large ones add up
