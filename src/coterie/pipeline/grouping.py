"""Grouping: every stratum is partitioned by itself; the cost is that of all of them together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.guarantees.constraints import Constraints
from coterie.guarantees.repair import RepairRecord
from coterie.guarantees.strata import Strata
from coterie.partitioning.core import Outcome, Partition
from coterie.partitioning.dispatch import partition
from coterie.partitioning.problem import Problem

__all__ = ["group", "share"]


def share(seconds: Any, part: float) -> Any:
    """Part of a time limit; what is no number is left for `partition` to refuse."""
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    return seconds * part if number else seconds


def group(
    points: NDArray[np.float64],
    k: int,
    layers: Strata,
    constraints: Constraints,
    *,
    method: str,
    options: dict[str, Any],
    **limits: Any,
) -> Partition:
    """Partition every stratum by itself; the cost is that of all of them together."""
    limits = {name: value for name, value in limits.items() if value is not None}
    if len(layers.parts) == 1:
        whole = partition(points, k, method, constraints=constraints, **limits, **options)
    else:
        labels = np.empty(len(points), dtype=np.int64)
        groups, runtime, interrupted, used = 0, 0.0, False, None
        within = dict(limits)
        repairs: list[RepairRecord] = []
        for part in layers.parts:
            if "time_limit" in limits:
                within["time_limit"] = share(limits["time_limit"], len(part) / len(points))
            rules = constraints.part(part)
            used = partition(points[part], k, method, constraints=rules, **within, **options)
            labels[part] = used.labels + groups
            groups += len(used.sizes)
            runtime += used.runtime or 0.0
            interrupted = interrupted or used.interrupted
            if used.repair is not None:
                repairs.append(used.repair)
        assert used is not None
        problem = Problem.of(points, k, "anonymize")
        whole = Partition.of(
            problem,
            Outcome(labels, interrupted=interrupted),
            method=used.method,
            options=used.options,
            runtime=runtime,
            repair=RepairRecord.combined(repairs) if repairs else None,
        )
    return whole
