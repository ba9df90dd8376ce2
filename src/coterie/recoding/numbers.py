"""Numbers that stay numbers: rounded, top and bottom coded.

A top or bottom code beyond which fewer than k units lie would show that few lie there: it is
refused. ``"auto"`` takes the value nearest to the end beyond which at least k units lie: a part of
the table keeps its own end and all that lies beyond, and that of the whole is among these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.recoding.cells import Cells
from coterie.recoding.rule import AUTO
from coterie.recoding.tails import SIGNS, Tail, end_of, joined, tail_of
from coterie.table.problems import Problems

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["NumberRule", "Numbers"]

NUMERIC_KINDS = ("integer", "float", "decimal")
MOST_COUNTED = 1 << 18  # different values up to which those of parts are counted

Span = tuple[float, float]
NOTHING: Span = (math.inf, -math.inf)


@dataclass(frozen=True, eq=False)
class Numbers:
    """What must be known of a column before it can be recoded; those of parts add up.

    Attributes
    ----------
    kind, type : str, pyarrow.DataType
        What the column is.
    whole : bool
        Whether all its values are whole numbers after rounding.
    rounded, others : pair of floats
        The least and the largest after rounding; and of values that mean missing.
    given : pair
        The least and the largest as they are.
    tails : mapping
        For each end that is coded, the records or units near it; the values times the end's sign.
    values : float array or None
        All different values; None if there are too many to be counted in parts.
    blurred : bool
        Whether the column's type is too narrow for its values after rounding.
    """

    kind: str
    type: pa.DataType
    k: int
    whole: bool = True
    rounded: Span = NOTHING
    others: Span = NOTHING
    given: tuple[Any, Any] | None = None
    tails: Mapping[str, Tail] = field(default_factory=dict)
    values: NDArray[np.float64] | None = None
    blurred: bool = False

    @classmethod
    def of(cls, cells: Cells, rule: Mapping[str, Any], k: int) -> Numbers:
        """What a part has."""
        import pyarrow.compute as pc

        if cells.kind not in NUMERIC_KINDS:
            return cls(cells.kind, cells.array.type, k)
        before = _floats(cells.array)
        values = _rounded(before, rule.get("round"))
        here = values[cells.there]
        rows = np.flatnonzero(cells.there)
        tails = {
            name: tail_of(cells, rows, sign * here, _times(rule[name], sign), k)
            for name, sign in SIGNS.items()
            if name in rule
        }
        ends = pc.min_max(cells.array).as_py() if cells.kind != "float" else {"min": None}
        return cls(
            cells.kind,
            cells.array.type,
            k,
            cells.kind == "integer" and bool((here % 1 == 0).all()),
            _span(here),
            _span(before[~cells.there & ~np.asarray(cells.array.is_null())]),
            None if ends["min"] is None else (ends["min"], ends["max"]),
            tails,
            np.unique(before[cells.there]),
            _blurred(here[here != before[cells.there]], cells.array.type),
        )

    def __add__(self, other: Numbers) -> Numbers:
        values = None
        if self.values is not None and other.values is not None:
            values = np.union1d(self.values, other.values)
        given = [one for one in (self.given, other.given) if one is not None]
        return Numbers(
            self.kind,
            self.type,
            self.k,
            self.whole and other.whole,
            _wider(self.rounded, other.rounded),
            _wider(self.others, other.others),
            (min(g[0] for g in given), max(g[1] for g in given)) if given else None,
            {name: joined(tail, other.tails[name]) for name, tail in self.tails.items()},
            values if values is not None and len(values) <= MOST_COUNTED else None,
            self.blurred or other.blurred,
        )

    def settled(
        self, name: str, rule: Mapping[str, Any], k: int, problems: Problems
    ) -> NumberRule | None:
        """The rule with its ends and its type; None, and a problem, where there is none."""
        import pyarrow as pa

        if self.kind not in NUMERIC_KINDS:
            problems.add(
                f"The recoding of column {name!r} must be for numbers. Got {self.kind}: use "
                "merge or prefix"
            )
            return None
        ends: dict[str, float] = {}
        for what, tail in self.tails.items():
            top = ends.get("top", math.inf)
            end = end_of(name, what, rule[what], tail, top, k, problems)
            if end is None:
                return None
            ends[what] = end
        ended = NumberRule(rule, ends, self.type)
        low, high = ended.ended(np.array(self.rounded)).tolist() if self._any else NOTHING
        span = _wider((low, high), self.others)
        whole = self.whole and all(e % 1 == 0 for e in ends.values())
        counts = None
        if self.values is not None:
            after = ended.ended(_rounded(self.values, rule.get("round")))
            counts = (len(self.values), len(np.unique(after)))
        blurred = self.blurred or _blurred(np.array([*ends.values()]), self.type)
        kind = pa.float64() if blurred else self._type(span, whole=whole)
        return NumberRule(rule, ends, kind, counts)

    @property
    def _any(self) -> bool:
        return self.rounded[0] <= self.rounded[1]

    def _type(self, span: Span, *, whole: bool) -> pa.DataType:
        """The column's type if it holds all new numbers, or the widest of its kind; else floats."""
        import pyarrow as pa
        import pyarrow.compute as pc

        kind = self.type
        types = [kind, pa.int64()] if whole else [kind] if pa.types.is_floating(kind) else []
        most = max(-span[0], span[1], 0.0)
        # A float that a decimal cannot hold becomes 0 there in silence, so by the widest one.
        if pa.types.is_decimal(kind) and most < 10.0 ** (37 - kind.scale):
            types = [kind, pa.decimal128(38, kind.scale)]
        ends = pa.array([one for one in span if math.isfinite(one)], pa.float64())
        for chosen in types:
            try:
                cast, given = _cast(ends, chosen), pa.array(list(self.given or ()), kind)
                pc.if_else(pa.array([True] * len(cast)), cast, cast)
                given.cast(chosen)
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
                continue  # beyond its range, or a type with which few functions can do anything
            return chosen
        return pa.float64()


@dataclass(frozen=True, eq=False)
class NumberRule:
    """What becomes of the numbers of a column.

    Attributes
    ----------
    asked : mapping
        As the plan has it.
    ends : mapping
        Where it is top and bottom coded.
    type : pyarrow.DataType
        Of the recoded column.
    distinct : pair of ints or None
        Different values before and after; None if they were too many to be counted.
    """

    asked: Mapping[str, Any]
    ends: Mapping[str, float]
    type: pa.DataType
    distinct: tuple[int, int] | None = None

    @property
    def values(self) -> Mapping[str, str]:
        """No value becomes text."""
        return {}

    @property
    def rule(self) -> dict[str, Any]:
        """The rule with the ends that were found: values of the table."""
        return {**self.asked, **{name: _plain(end) for name, end in self.ends.items()}}

    def ended(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rounded numbers between the ends."""
        for name, end in self.ends.items():
            values = np.minimum(values, end) if name == "top" else np.maximum(values, end)
        return values

    def applied(self, cells: Cells) -> tuple[pa.Array, int]:
        """A part of the column recoded, and how many of its records changed.

        What is not changed stays to the last digit, of which floats have no more than 17.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        before = _floats(cells.array)
        values = self.ended(_rounded(before, self.asked.get("round")))
        values = np.where(cells.there, values, before)
        other = before != values
        null = np.asarray(cells.array.is_null())
        recoded = _cast(pa.array(np.where(null, 0.0, values), mask=null), self.type)
        changed = int(other[cells.there].sum())
        if self.type == pa.float64() and not pa.types.is_floating(cells.array.type):
            return recoded, changed
        return pc.if_else(pa.array(other), recoded, cells.array.cast(self.type)), changed


def _times(end: Any, sign: float) -> Any:
    return end if end == AUTO else sign * end


def _floats(array: pa.Array) -> NDArray[np.float64]:
    import pyarrow as pa

    return np.asarray(array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))


def _rounded(values: NDArray[np.float64], step: Any) -> NDArray[np.float64]:
    if step is None:
        return values
    with np.errstate(over="ignore", invalid="ignore"):
        parts = np.rint(values / step)
        rounded = parts * step
        below = (parts - np.sign(parts)) * step  # where the nearest multiple is beyond all floats
    rounded = np.where(np.isfinite(rounded), rounded, below)
    return np.where(np.isfinite(rounded), rounded, values)  # steps too small to matter


def _blurred(values: NDArray[np.float64], kind: pa.DataType) -> bool:
    """Whether floats are too narrow for numbers that 64 bits hold as they were meant.

    So is a multiple of 100 beyond 2**24 for 32 bits. Of 0.1 any float is but the nearest one, so
    only wholes, halves, ... of 1024 parts count.
    """
    import pyarrow as pa

    if not pa.types.is_floating(kind):
        return False
    held = pa.array(values).cast(kind).cast(pa.float64()).to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore"):
        parts = values * 1024.0
    return bool(((np.trunc(parts) == parts) & (held != values)).any())


def _cast(floats: pa.Array, kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    if pa.types.is_decimal(kind):
        floats = floats.cast(pa.decimal128(38, kind.scale), safe=False)
    return floats.cast(kind)


def _span(values: NDArray[np.float64]) -> Span:
    values = values[~np.isnan(values)]
    return (float(values.min()), float(values.max())) if len(values) else NOTHING


def _wider(one: Span, other: Span) -> Span:
    return min(one[0], other[0]), max(one[1], other[1])


def _plain(number: float) -> int | float:
    return int(number) if number == int(number) else number
