"""What constraints did to a partition: groups that missed a rule, and what repaired them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["RepairRecord"]


@dataclass(frozen=True)
class RepairRecord:
    """What constraints did to a partition.

    Attributes
    ----------
    plain_sse : float or None
        SSE of the partition for k alone; None where units were kept together from the start.
    plain_groups : int
        How many groups the method made.
    violated : dict
        Of those, how many missed each rule.
    start : str
        "given" (nothing was missed), "repaired", "grown", "merged" (one group is left) or, over
        several strata, all of these.
    merged, exchanged : int
        Merges, and members taken or swapped, that repaired the start.
    iterations, accepted : int
        Regroupings tried, and those that were kept, as were groups that were dissolved. While a
        small table is annealed, some are kept that cost a little.
    """

    plain_sse: float | None
    plain_groups: int
    violated: dict[str, int]
    start: str = "given"
    merged: int = 0
    exchanged: int = 0
    iterations: int = 0
    accepted: int = 0

    @classmethod
    def combined(cls, parts: Sequence[RepairRecord]) -> RepairRecord:
        """What was done to several strata."""
        costs = [part.plain_sse for part in parts]
        violated: Counter[str] = Counter()
        for part in parts:
            violated.update(part.violated)
        return cls(
            None if None in costs else float(sum(cost or 0.0 for cost in costs)),
            sum(part.plain_groups for part in parts),
            dict(violated),
            ", ".join(dict.fromkeys(part.start for part in parts)),
            *(
                sum(getattr(part, name) for part in parts)
                for name in ("merged", "exchanged", "iterations", "accepted")
            ),
        )
