"""The riskiest records and how the risk is spread over all of them. Internal, never public."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import CoterieError
from coterie.evaluation.request import case_of
from coterie.evaluation.risk.records import records_of

if TYPE_CHECKING:
    import narwhals as nw

    from coterie.evaluation import Evaluation
    from coterie.table.schema import Schema

__all__ = ["riskiest"]

LISTED = 10
MOST_RANKED = 250_000  # records: each set of keys looks at all of them
EDGES = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)  # percent


def riskiest(
    original: nw.DataFrame[Any],
    released: nw.DataFrame[Any],
    schema: Schema,
    found: Evaluation | None,
    rows: NDArray[np.int64] | None = None,
) -> dict[str, Any] | None:
    """What a report tells of single records; nothing of very large tables.

    `rows` are the numbers of the records in the original. Where linkage was not measured, records
    are listed by the keys on which they are alone and by their class, without a chance.
    """
    if found is None or len(original) > MOST_RANKED:
        return None
    score = found.get("dld_expected")
    linked = None if score is None else score.by_record
    try:
        case = case_of(original.to_native(), released.to_native(), aligned=True, schema=schema)
    except CoterieError:
        return None
    records = records_of(case, np.full(case.n, np.nan) if linked is None else linked)
    order = records.order[:LISTED].tolist()
    numbers = np.arange(case.n) if rows is None else rows
    return {
        "listed": [
            {
                "row": int(numbers[record]),
                "linked": None if linked is None else float(records.linked[record]),
                "class_size": int(records.class_size[record]),
                "alone_on": list(records.alone(record)),
                "stands_out": {
                    name: float(values[record]) for name, values in records.stands_out.items()
                },
            }
            for record in order
        ],
        "ties": 0 if linked is None else int((linked >= linked.max() * (1 - 1e-9)).sum()),
        "spread": [] if linked is None else _spread(records.linked),
    }


def _spread(linked: NDArray[np.float64]) -> list[list[Any]]:
    """How many records are linked with which chance."""
    bins: list[list[Any]] = [["never", int((linked <= 0.0).sum())]]
    for low, high in itertools.pairwise(EDGES):
        inside = int(((linked > low) & (linked <= high)).sum())
        name = f"≤ {high:g} %"
        bins.append([name, inside])
    while len(bins) > 1 and not bins[-1][1]:
        bins.pop()
    return bins
