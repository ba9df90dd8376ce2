"""Interval disclosure: how many values an intruder learns to within a small interval.

Mortazavi, Jalili (2017), Transactions on Data Privacy 10:117-144, Equation (8), and the rank
intervals of Domingo-Ferrer, Torra (2001), "A quantitative comparison of disclosure control methods
for microdata". Both look at the released record *nearest* to the original one, which is what the
intruder has. `sdid_own` looks at the record's own row: what one who knows the row would learn, and
what the 2017 paper's printed figures fit (docs/explanation/p3m.md). A key counts over the records
that have it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.case import BY_COLUMN, Case, Finding

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
    near = np.empty(before.shape, dtype=bool)
    for j in range(before.shape[1]):
        ranked = np.sort(after[:, j])
        ranked = ranked[~np.isnan(ranked)]
        reach = int(case.settings.rank_window * len(ranked))
        value = after[linked, j]
        low = np.searchsorted(ranked, value, "left") - reach
        high = np.searchsorted(ranked, value, "right") - 1 + reach
        bottom = ranked[np.clip(low, 0, len(ranked) - 1)]
        top = ranked[np.minimum(high, len(ranked) - 1)]
        near[:, j] = (bottom <= before[:, j]) & (before[:, j] <= top)
    return by_cell(case, near)


def exact_share(case: Case) -> Finding:
    """Share of key values that are released unchanged, in their own row."""
    by_column = {}
    for column in case.pair.keys:
        before, after = column.there
        if before.any():
            same = np.equal(*column.distinct) & after
            by_column[column.name] = 100.0 * float(same[before].mean())
    note = "" if all(column.gapless for column in case.pair.keys) else BY_COLUMN
    return Finding(float(np.mean(list(by_column.values()))), by_column=by_column, note=note)


def by_cell(case: Case, flagged: NDArray[np.bool_]) -> Finding:
    """Percent of flagged cells, by column and by record; cells without a value do not count."""
    before, after = case.standard
    if case.gapless:
        shares, records = 100.0 * flagged.mean(axis=0), 100.0 * flagged.mean(axis=1)
        value = 100.0 * float(flagged.mean())
    else:
        there = ~(np.isnan(before) | np.isnan(after))
        flagged = flagged & there
        held = there.sum(axis=1)
        shares = 100.0 * flagged.sum(axis=0) / np.maximum(there.sum(axis=0), 1)
        records = np.where(held > 0, 100.0 * flagged.sum(axis=1) / np.maximum(held, 1), np.nan)
        value = 100.0 * float(flagged.sum() / max(int(there.sum()), 1))
    return Finding(
        value,
        by_column={c.name: float(s) for c, s in zip(case.numeric, shares, strict=True)},
        by_record=records,
        note=case.by_column_note,
    )
