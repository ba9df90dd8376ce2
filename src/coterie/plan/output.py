"""Output: how the released table is put down, and what it is for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coterie.partitioning.options import one_of
from coterie.plan.analysis import read_analysis
from coterie.plan.option import Flag, names, option

if TYPE_CHECKING:
    from coterie.plan.plan import Plan

__all__ = ["Output"]


@dataclass(frozen=True, kw_only=True)
class Output:
    """The order of the rows, text that a spreadsheet would run, and what the release is for."""

    row_order: str = option(
        one_of("sorted", "keep"),
        '{"sorted", "keep"}',
        "Sorted by the released values, so that the order tells nothing; or as it came.",
        Flag(("--keep-order/--no-keep-order",), "Rows as they came, not sorted.", "", "keep"),
        anywhere=True,
    )

    formulas: str = option(
        one_of("prefix", "quote", "keep"),
        '{"prefix", "quote", "keep"}',
        "Text in a CSV file that a spreadsheet would run as a formula (it begins with =, +, - or "
        "@ and is no number): with an apostrophe in front, which coterie takes off when it reads "
        "the file; in quotes, which not every spreadsheet respects; or as it is.",
        Flag(("--formulas",), "CSV text that a spreadsheet would run: prefix, quote or keep."),
        anywhere=True,
    )

    analyses: Sequence[str] = option(
        names(what="analysis text"),
        "sequence of str",
        """What the release is for, made from both tables and compared in the internal report:
        ``"income ~ age + edu"``, ``"mean income by region"``, ``"total income"``, ``"count by
        region, sex"``.""",
        Flag(("--analysis",), "'y ~ a + b', 'mean y by d', 'count by a, b'.", "TEXT", "names"),
        adds=True,
        anywhere=True,
    )

    @property
    def put_down(self) -> dict[str, Any]:
        """What the format of a file is told, on every engine."""
        return {"formulas": self.formulas}

    def contradictions(self: Plan) -> Iterator[str]:  # type: ignore[misc]
        """Analyses that cannot be read."""
        for text in self.analyses:
            try:
                read_analysis(text)
            except ValueError as error:
                yield str(error)
