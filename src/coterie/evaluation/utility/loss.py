"""Information loss on the released values: IL by type of attribute, and IL1s.

IL = 100 SSE / SST in the space in which records are grouped: numbers by their standard deviation,
ordinal levels by their rank, categories one-hot / sqrt(2), so that two different categories are at
a squared distance of 1. SSE is that of the released values, whatever made them, so rounding,
medians and moved centroids count. IL1s: Yancey, Winkler, Creecy (2002), "Disclosure risk
assessment in perturbative microdata protection", as used by the R package sdcMicro.
"""

from __future__ import annotations

import numpy as np

from coterie.evaluation.case import Case, Finding

__all__ = ["il", "il1s"]


def il(case: Case) -> Finding:
    """100 SSE / SST of the keys; above 100 if the release is worse than everyone's mean."""
    position = {column.name: j for j, column in enumerate(case.numeric)}
    sse, sst = {}, {}
    for column in case.pair.keys:
        if column.numeric:
            before, after = (side[:, position[column.name]] for side in case.standard)
            sse[column.name] = float(np.square(before - after).sum())
            sst[column.name] = float(np.square(before).sum())
        else:
            share = np.bincount(column.original) / case.n
            sse[column.name] = float((column.original != column.released).sum())
            sst[column.name] = case.n * (1.0 - float(np.square(share).sum())) / 2.0
    total = sum(sst.values())
    by_column = {name: _percent(sse[name], sst[name]) for name in sse}
    return Finding(_percent(sum(sse.values()), total), by_column=by_column)


def il1s(case: Case) -> Finding:
    """Mean of |x - x'| / (sqrt(2) sigma) over the numeric keys."""
    before, after = case.standard
    distance = np.abs(before - after) / np.sqrt(2.0)
    columns = distance.mean(axis=0)
    return Finding(
        float(distance.mean()),
        by_column={c.name: float(v) for c, v in zip(case.numeric, columns, strict=True)},
        by_record=distance.mean(axis=1),
    )


def _percent(sse: float, sst: float) -> float:
    if sst > 0:
        return 100.0 * sse / sst
    return 0.0 if sse == 0 else float("inf")
