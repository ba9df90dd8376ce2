"""Information loss on the released values, whatever made them: IL by type of attribute, and IL1s.

IL is the loss that every report, evidence and comparison tells (`coterie.space.loss`): squared
distances of the released values over those of the best single value, the mean over the keys by
their weights. IL1s: Yancey, Winkler, Creecy (2002), "Disclosure risk assessment in perturbative
microdata protection", as used by the R package sdcMicro.
"""

from __future__ import annotations

import numpy as np

from coterie.evaluation.case import BY_COLUMN, Case, Finding

__all__ = ["changed", "il", "il1s"]


def il(case: Case) -> Finding:
    """Percent lost; above 100 if a single value for everybody would have been better."""
    loss = case.loss
    return Finding(
        loss.percent,
        by_column={name: key.percent for name, key in loss.keys.items()},
        note="" if all(column.gapless for column in case.pair.keys) else BY_COLUMN,
    )


def changed(case: Case) -> Finding:
    """Percent of the records whose category is another one, the mean over such keys."""
    found = case.loss.changed
    note = "" if all(column.gapless for column in case.pair.keys) else BY_COLUMN
    return Finding(float(np.mean(list(found.values()))), by_column=found, note=note)


def il1s(case: Case) -> Finding:
    """Mean of |x - x'| / (sqrt(2) sigma) over the numeric keys."""
    before, after = case.standard
    distance = np.abs(before - after) / np.sqrt(2.0)
    there = ~np.isnan(distance)
    held = there.any(axis=1)
    records = np.full(case.n, np.nan)
    records[held] = np.nanmean(distance[held], axis=1)
    columns = {
        c.name: float(distance[there[:, j], j].mean()) if there[:, j].any() else 0.0
        for j, c in enumerate(case.numeric)
    }
    value = float(distance.mean()) if case.gapless else float(distance[there].mean())
    return Finding(value, by_column=columns, by_record=records, note=case.by_column_note)
