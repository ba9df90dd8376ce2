"""The command *curve*: loss and risk over k and methods, on a sample first and then on all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.app.child.desk import Desk, plan_of
from coterie.errors import CoterieError
from coterie.table.arrays import take_rows
from coterie.table.classes import value_codes

if TYPE_CHECKING:
    from coterie.plan import Plan
    from coterie.table.source import Source

__all__ = ["curve", "sample"]

SAMPLE = 2000  # records of the first look
SEED = 0


def curve(desk: Desk, command: Mapping[str, Any]) -> dict[str, Any]:
    """Every k by every method; each point is told as soon as it is known."""
    source = desk.read(command["table"])
    plan = plan_of(command)
    some = sample(source, plan)
    tables = [source] if some is None else [some, source]
    count = len(command["k"]) * len(command["methods"]) * len(tables)
    done = 0
    for table in tables:
        for method in command["methods"]:  # in their order: each curve is whole before the next
            for size in command["k"]:
                desk.controls.check()
                point = _point(desk, table, plan, size, method)
                done += 1
                point |= {"records": len(table.frame), "sample": table is not source}
                desk.wire.send("point", point=point, share=done / count)
    return {"points": count}


def _point(desk: Desk, table: Source, plan: Plan, size: int, method: str) -> dict[str, Any]:
    """One release, judged; or why there is none."""
    from coterie.tuning.comparison import compare

    seeded = plan.random_state if plan.random_state is not None else SEED
    asked = plan.replace(k=size, random_state=seeded)
    reported: dict[str, Any] = {"k": size, "method": method, "refused": ""}
    try:
        row = compare(table, [size], [method], plan=asked, callback=desk.controls).iloc[0]
    except CoterieError as error:
        return {**reported, "refused": str(error), "loss": None, "risk": None}
    linked = row["linked"]
    measured = linked is not None and linked == linked
    return {
        **reported,
        "loss": float(row["information_loss"]),
        # Linkage is not measured on large tables: then the most that it can be is told.
        "risk": float(linked) if measured else 100.0 / int(row["smallest"]),
        "measured": measured,
        "groups": int(row["groups"]),
        "seconds": float(row["seconds"]),
    }


def sample(source: Source, plan: Plan) -> Source | None:
    """Some records, all of a unit or none; None where the table is hardly larger."""
    n = len(source.frame)
    if n <= 2 * SAMPLE:
        return None
    draw = np.random.default_rng(SEED)
    if plan.unit is None or plan.unit not in source.frame.columns:
        rows = draw.choice(n, SAMPLE, replace=False)
    else:
        units = value_codes(source, [plan.unit])
        order = draw.permutation(int(units.max()) + 1)
        sizes = np.bincount(units)[order]
        chosen = order[: int(np.searchsorted(np.cumsum(sizes), SAMPLE)) + 1]
        rows = np.flatnonzero(np.isin(units, chosen))
    rows = np.sort(rows).astype(np.int64)
    return replace(source, frame=take_rows(source.frame, rows), spelled={})
