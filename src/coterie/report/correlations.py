"""How the numeric keys of a table go together, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError
from coterie.evaluation.utility.moments import correlation
from coterie.public import DocumentRule, of_correlations
from coterie.report.columns import numbers
from coterie.table.encoding import CATEGORICAL, Column

if TYPE_CHECKING:
    import narwhals as nw

    from coterie.table.schema import Schema

__all__ = ["correlations"]

MOST_CORRELATED = 16  # attributes in the matrices
COARSEST = 0.2  # step of a correlation that still says something


def correlations(
    original: nw.DataFrame[Any], released: nw.DataFrame[Any], schema: Schema, rule: DocumentRule
) -> dict[str, Any] | None:
    """Correlations of the numeric keys before and after, over records that have them all."""
    names = [a.name for a in schema.key_attributes if a.type not in CATEGORICAL]
    sides: list[list[NDArray[np.float64]]] = [[], []]
    there = np.ones(len(original), dtype=bool)
    used = []
    for name in names[:MOST_CORRELATED]:
        try:
            pair = [Column.of(schema[name], f[name].to_arrow()) for f in (original, released)]
        except DataError:
            continue
        used.append(name)
        for side, column in zip(sides, pair, strict=True):
            side.append(numbers(column))
            there &= ~column.missing
    if len(used) < 2 or there.sum() < max(rule.k, 3):
        return None
    tables = [np.column_stack(side)[there] for side in sides]
    before, after = (np.round(correlation(table), 4).tolist() for table in tables)
    return {
        "names": used,
        **_reported(before, tables[0], rule.where(there)),
        "after": after,
        "records": int(there.sum()),
        "left_out": len(names) - len(used),
    }


def _reported(
    matrix: list[list[float]], values: NDArray[np.float64], rule: DocumentRule
) -> dict[str, Any]:
    """Correlations of the original, each with its step in public, None where that is coarse."""
    if rule.internal:
        return {"before": matrix}
    influence = of_correlations(values, rule)
    figures: list[list[float | None]] = [list(row) for row in matrix]
    steps: list[list[float | None]] = [[None] * len(row) for row in matrix]
    for i, row in enumerate(matrix):
        for j, r in enumerate(row[:i]):
            one = rule.figure(r, influence[i, j], signed=True)
            coarse = one["value"] is None or one.get("step", 0.0) > COARSEST
            figures[i][j] = figures[j][i] = None if coarse else max(-1.0, min(1.0, one["value"]))
            steps[i][j] = steps[j][i] = None if coarse else one.get("step")
    return {"before": figures, "steps": steps}
