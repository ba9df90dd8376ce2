"""Grouping: every stratum is partitioned by itself; the cost is that of all of them together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError
from coterie.partitioning.core import Outcome, Partition
from coterie.partitioning.dispatch import partition
from coterie.partitioning.problem import Problem
from coterie.strata import Strata
from coterie.verification import count_classes

__all__ = ["group", "share"]


def share(seconds: Any, part: float) -> Any:
    """Part of a time limit; what is no number is left for `partition` to refuse."""
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    return seconds * part if number else seconds


def group(
    points: NDArray[np.float64],
    k: int,
    layers: Strata,
    units: NDArray[np.int64] | None,
    *,
    method: str,
    options: dict[str, Any],
    **limits: Any,
) -> Partition:
    """Partition every stratum by itself; the cost is that of all of them together."""
    limits = {name: value for name, value in limits.items() if value is not None}
    if len(layers.parts) == 1:
        whole = partition(points, k, method, **limits, **options)
    else:
        labels = np.empty(len(points), dtype=np.int64)
        groups, runtime, interrupted, used = 0, 0.0, False, None
        within = dict(limits)
        for part in layers.parts:
            if "time_limit" in limits:
                within["time_limit"] = share(limits["time_limit"], len(part) / len(points))
            used = partition(points[part], k, method, **within, **options)
            labels[part] = used.labels + groups
            groups += len(used.sizes)
            runtime += used.runtime or 0.0
            interrupted = interrupted or used.interrupted
        assert used is not None
        problem = Problem.of(points, k, "anonymize")
        whole = Partition.of(
            problem,
            Outcome(labels, interrupted=interrupted),
            method=used.method,
            options=used.options,
            runtime=runtime,
        )
    if units is not None:
        _check_units(whole, units[layers.rows], k)
    return whole


def _check_units(groups: Partition, units: NDArray[np.int64], k: int) -> None:
    counts = count_classes(groups.labels, units)
    if counts.min() < k:
        raise DataError(
            f"Every group must hold at least k = {k} units. Got {int((counts < k).sum())} group(s) "
            f"with fewer, the smallest of {counts.min()}; use one record a unit, or a larger k."
        )
