"""Output: how the released table is put down."""

from __future__ import annotations

from dataclasses import dataclass

from coterie.partitioning.options import one_of
from coterie.plan.option import Flag, option

__all__ = ["Output"]


@dataclass(frozen=True, kw_only=True)
class Output:
    """The order of the rows."""

    row_order: str = option(
        one_of("sorted", "keep"),
        '{"sorted", "keep"}',
        "Sorted by the released values, so that the order tells nothing; or as it came.",
        Flag(("--keep-order/--no-keep-order",), "Rows as they came, not sorted.", "", "keep"),
    )
