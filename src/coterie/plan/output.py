"""What is released in place of values, how the table is put down, and what it is for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coterie.errors import bad_parameter
from coterie.partitioning.options import field, number, one_of
from coterie.plan.analysis import read_analysis
from coterie.plan.option import Flag, names, option

if TYPE_CHECKING:
    from coterie.plan.plan import Plan

__all__ = ["Centroids", "Output"]

DISTANCE_TARGETS = ("delta", "importance", "alpha")


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


def _target(value: Any) -> Any:
    """A number, a name, or numbers in any nesting; arrays become lists, which a file can hold."""
    if isinstance(value, Mapping):
        return {name: _target(one) for name, one in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, bool):
        raise TypeError
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, kw_only=True)
class Centroids:
    """Mean, median or P3M, and P3M's distance targets."""

    aggregation: str = option(
        one_of("mean", "median", "p3m"),
        '{"mean", "median", "p3m"}',
        """What is released for numbers and dates. Of an ordinal the level nearest to the mean
        position, or the median; of other categories the mode.""",
        Flag(("--aggregation",), "mean, median or p3m.", "WORD"),
        anywhere=True,
    )
    delta: Any = option(
        field(None, "a number of at least 0, numbers, or names of columns", _target),
        "number, sequence, mapping or column name, optional",
        """Of P3M: least distance between an original number and the released one in standard
        deviations; a number, one for each key, or the name of a column that holds each person's
        (`coterie.centroids.p3m`).""",
        Flag(("--delta",), "p3m: least distance, in sd.", "NUMBER|COLUMN", "number"),
    )
    importance: Any = option(
        field(None, "a number from 0 to 1, numbers, or names of columns", _target),
        "number, sequence, mapping or column name, optional",
        "Of P3M: how much that distance matters.",
        Flag(("--importance",), "p3m: of the distance target, 0 to 1.", "NUMBER|COLUMN", "number"),
    )
    alpha: float | None = option(
        number(None, 0.0, 1.0),
        "float, optional",
        "Of P3M: weight of the distance targets against the loss.",
        Flag(("--alpha",), "p3m: weight of the distance targets, 0 to 1.", "NUMBER", "number"),
    )

    @property
    def distance_targets(self) -> dict[str, Any]:
        """P3M's targets that were given, by name."""
        given = {name: getattr(self, name) for name in DISTANCE_TARGETS}
        return {name: value for name, value in given.items() if value is not None}

    def contradictions(self: Plan) -> Iterator[str]:  # type: ignore[misc]
        """What cannot be asked together."""
        if self.distance_targets and self.aggregation != "p3m":
            yield (
                f"The {next(iter(self.distance_targets))!r} parameter is for aggregation='p3m'. "
                f"Got {self.aggregation!r}; leave it out or change the aggregation"
            )
        if self.aggregation == "p3m" and self.sample_weight is not None:
            yield str(
                bad_parameter(
                    "sample_weight",
                    "aggregation 'p3m'",
                    "left out",
                    self.sample_weight,
                    "Use 'mean'.",
                )
            )
