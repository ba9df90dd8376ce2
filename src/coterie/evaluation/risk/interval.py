"""Interval disclosure: how many values an intruder learns to within a small interval.

Mortazavi, Jalili (2017), Transactions on Data Privacy 10:117-144, Equation (8), and the rank
intervals of Domingo-Ferrer, Torra (2001), "A quantitative comparison of disclosure control methods
for microdata". Both look at the released record *nearest* to the original one, which is what the
intruder has. `sdid_own` looks at the record's own row: what one who knows the row would learn, and
what the 2017 paper's printed figures fit (docs/disclosure.md).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import Case, Finding

__all__ = ["exact_share", "rank_interval", "sdid", "sdid_own"]


def sdid(case: Case) -> Finding:
    """Share of values within `sd` standard deviations of the nearest released record's."""
    before, after = case.standard
    near = np.abs(before - after[case.links().nearest]) <= case.settings.sd
    return by_cell(case, near)


def sdid_own(case: Case) -> Finding:
    """Share of values within `sd` standard deviations of their own released value."""
    before, after = case.standard
    return by_cell(case, np.abs(before - after) <= case.settings.sd)


def rank_interval(case: Case) -> Finding:
    """Share of values within `rank_window` * n ranks of the nearest released record's value."""
    before, after = case.standard
    linked = case.links().nearest
    reach = int(case.settings.rank_window * case.n)
    near = np.empty(before.shape, dtype=bool)
    for j in range(before.shape[1]):
        ranked = np.sort(after[:, j])
        value = after[linked, j]
        low = np.searchsorted(ranked, value, "left") - reach
        high = np.searchsorted(ranked, value, "right") - 1 + reach
        bottom = ranked[np.maximum(low, 0)]
        top = ranked[np.minimum(high, case.n - 1)]
        near[:, j] = (bottom <= before[:, j]) & (before[:, j] <= top)
    return by_cell(case, near)


def exact_share(case: Case) -> Finding:
    """Share of key values that are released unchanged, in their own row."""
    by_column = {
        column.name: 100.0 * float(np.equal(*column.distinct).mean()) for column in case.pair.keys
    }
    return Finding(float(np.mean(list(by_column.values()))), by_column=by_column)


def by_cell(case: Case, flagged: NDArray[np.bool_]) -> Finding:
    """Percent of flagged cells, by column and by record."""
    shares = 100.0 * flagged.mean(axis=0)
    return Finding(
        100.0 * float(flagged.mean()),
        by_column={c.name: float(s) for c, s in zip(case.numeric, shares, strict=True)},
        by_record=100.0 * flagged.mean(axis=1),
    )
