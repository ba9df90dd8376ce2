"""Refinement: groups that share more of what is released, and those that are let go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.sharing import sharpen
from coterie.guarantees.constraints import Constraints
from coterie.partitioning.core import Partition
from coterie.partitioning.driver import Progress
from coterie.pipeline.preparation import Prepared
from coterie.pipeline.suppression import spare

__all__ = ["refine"]


def refine(
    prepared: Prepared,
    partitions: Sequence[Partition],
    spaces: Sequence[NDArray[np.float64]],
    constraints: Constraints,
    callback: Callable[[Progress], object] | None = None,
) -> tuple[Prepared, tuple[Partition, ...], dict[str, Any]]:
    """Groups by what is released of them, without what is left out; and what both gained."""
    plan, keys = prepared.plan, set(prepared.schema.keys)
    told: dict[str, Any] = {}
    made: list[Partition] = []
    for names, groups, points in zip(prepared.sets, partitions, spaces, strict=True):
        columns = [c for c in prepared.columns if c.name in names]
        if prepared.earlier is None:
            rules = constraints.without(keys - set(names))
            groups, gained = sharpen(
                columns, groups, points, prepared.layers.parts, rules, plan.random_state, callback
            )
            if gained is not None:
                told["shared"] = gained.reported
        made.append(groups)
    if plan.suppress_at_most:
        prepared, made[0], spared = spare(prepared, made[0], spaces[0], plan.suppress_at_most)
        if spared is not None:
            told["suppressed"] = spared.told
    return prepared, tuple(made), told
