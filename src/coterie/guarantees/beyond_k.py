"""Guarantees beyond k: what a caller asks of the values in a class, checked, and judged on a table.

`BeyondK.of` reads the arguments, one number for all columns of a kind or a mapping by column;
`BeyondK.constraints` turns them into arrays, for the search, for the proof on the file that was
read back, and for a file by any tool.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import CoterieError, DataError, ParameterError, bad_parameter, unknown_name
from coterie.guarantees.constraints import Constraints
from coterie.guarantees.diversity import Diversity, Spread
from coterie.guarantees.dominance import Dominance
from coterie.guarantees.finding import RuleFinding
from coterie.guarantees.thresholds import THRESHOLDS
from coterie.numbers.magnitude import magnitude
from coterie.table.arrays import constant, from_numpy, to_numpy
from coterie.table.classes import plain_array, value_codes
from coterie.table.encoding import CATEGORICAL
from coterie.table.problems import Problems
from coterie.table.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["OF_AMOUNTS", "OF_VALUES", "BeyondK", "NotAdmissible"]

OF_VALUES = (
    *("min_distinct", "max_share", "entropy_l", "t_closeness"),
    *("alpha_k", "recursive_cl", "beta_likeness", "delta_disclosure"),
)
OF_AMOUNTS = ("p_percent", "dominance")
OF_WHOLE = ("t_closeness", "beta_likeness", "delta_disclosure")  # by shares of the whole


class NotAdmissible(CoterieError):
    """A class misses a guarantee beyond k.

    Attributes
    ----------
    findings : tuple of Finding
        Every guarantee that is missed, with the number of classes.
    """

    is_answer = True

    def __init__(self, findings: Sequence[RuleFinding]) -> None:
        self.findings = tuple(findings)
        reported = "; ".join(f"{one} ({one.failing} of {one.classes} classes)" for one in findings)
        ways = "Protect the table with these thresholds, or milder ones."
        if all(one.rule == "k_map" for one in findings):  # merging classes need not mend it
            ways = "Use a larger k, fewer keys or strata, or a smaller k_map."
        super().__init__(f"Not as guaranteed: {reported}. {ways}")

    @classmethod
    def unless_kept(cls, findings: Sequence[RuleFinding]) -> None:
        """Raise if a class misses one of them."""
        missed = [one for one in findings if one.failing]
        if missed:
            raise cls(missed)


@dataclass(frozen=True)
class BeyondK:
    """What was asked for, by rule and column.

    Attributes
    ----------
    asked : dict
        Of each rule a dict of column to threshold; rules that were not asked for are left out.
    orders : dict
        Whether t-closeness is by rank, by column (True), with the categories of an ordinal in
        their order, or with equal distances (False); by the column's type where not named.
    """

    asked: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    orders: Mapping[str, bool | tuple[Any, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.asked)

    @classmethod
    def of(
        cls,
        owner: str,
        source: Source,
        keys: Sequence[str],
        confidential: Sequence[str],
        *,
        amounts: Sequence[str] = (),
        keys_add_up: bool = False,
        declared: Mapping[str, tuple[str, Sequence[Any] | None]] | None = None,
        problems: Problems | None = None,
        all_records: bool = True,
        **given: Any,
    ) -> BeyondK:
        """Check the arguments of `owner`; a plain number is for `confidential` or `amounts`.

        Parameters
        ----------
        keys_add_up : bool
            Whether what each unit added to a key is known, as it is while a table is protected.
        declared : mapping of column to type and order, optional
            What was said of columns; t-closeness goes by the column's own type elsewhere.
        problems : Problems, optional
            What is wrong is added to it; without, it is raised.
        all_records : bool
            Whether the source is all of the table, so that its gaps can be counted.
        """
        found = problems if problems is not None else Problems()
        names = list(source.frame.columns)
        free = [name for name in confidential if name not in keys]
        asked: dict[str, dict[str, Any]] = {}
        for rule, value in given.items():
            if value is None:
                continue
            columns = free if rule in OF_VALUES else list(amounts)
            by_column = value if isinstance(value, Mapping) else dict.fromkeys(columns, value)
            words, test = THRESHOLDS[rule]
            wrong = [v for v in ([*by_column.values()] or [value]) if not test(v)]
            if wrong:
                found.add(str(bad_parameter(rule, owner, words, wrong[0])))
                continue
            if not by_column:
                what = "confidential columns that are no keys"
                what = what if rule in OF_VALUES else "columns of amounts"
                found.add(
                    f"{rule} of {owner} needs {what}. Got none; name them, or give {rule} by column"
                )
            for name in by_column:
                if name not in names:
                    found.add(str(unknown_name(f"column in {rule}:", name, names)))
                elif name in keys and not (rule in OF_AMOUNTS and keys_add_up):
                    why = "all of a class share its released value"
                    found.add(
                        f"{rule} cannot be asked of {name!r}: it is a key, {why}", columns=[name]
                    )
                elif rule in OF_AMOUNTS and not source.frame[name].dtype.is_numeric():
                    kind = source.frame[name].dtype
                    found.add(
                        f"{rule} of {name!r} needs numbers. Got {kind}; leave it out",
                        columns=[name],
                    )
            asked[rule] = {name: _pair(rule, v) for name, v in by_column.items()}
        orders = {name: _rank_by(*one) for name, one in (declared or {}).items()}
        checked = cls(asked, orders)
        if all_records:
            checked.tell_gaps(source, found)
        if problems is None:
            found.refuse()
        return checked

    @property
    def watched(self) -> tuple[str, ...]:
        """The columns that something is asked of."""
        return tuple(dict.fromkeys(name for columns in self.asked.values() for name in columns))

    def tell_gaps(self, source: Source, problems: Problems) -> None:
        """Add what the gaps of columns that must be ranked speak against."""
        for name in self.asked.get("t_closeness", {}):
            if name in source.frame.columns and self.ordered(source, name):
                gaps = plain_array(source, name).null_count
                if gaps:
                    problems.add(
                        f"t_closeness of {name!r} needs a value of every record to rank them. Got "
                        f"{gaps} missing; drop those records, or declare it nominal",
                        data=True,
                        columns=[name],
                    )

    def spreads(self, source: Source, rows: NDArray[np.int64]) -> dict[str, Spread]:
        """The values of the columns that classes must be close to, of the records `rows`."""
        found = {}
        for name in dict.fromkeys(n for rule in OF_WHOLE for n in self.asked.get(rule, {})):
            codes = self._values(source, name)[rows]
            _, first, counts = np.unique(codes, return_index=True, return_counts=True)
            values = plain_array(source, name).take(from_numpy(rows[first]))
            found[name] = Spread(values, counts / len(codes))
        return found

    def ordered(self, source: Source, name: str) -> bool:
        """Whether the values of a column are ranked: numbers and dates, unless declared."""
        if name in self.orders:
            return bool(self.orders[name])
        kind = source.frame[name].dtype
        return bool(kind.is_numeric() or kind.is_temporal())

    def constraints(
        self,
        source: Source,
        units: NDArray[np.int64] | None = None,
        *,
        together: bool = False,
        amounts: Mapping[str, NDArray[np.float64]] | None = None,
        rows: NDArray[np.int64] | None = None,
        spreads: Mapping[str, Spread] | None = None,
    ) -> Constraints:
        """The arrays of a table, or of some of its `rows`; `units` and `amounts` are of those.

        `amounts` by column stand for what a released table no longer tells. `spreads` are those
        of the whole table, if this is a part of it.
        """
        here = slice(None) if rows is None else rows
        diversity = []
        for name in dict.fromkeys(n for rule in OF_VALUES for n in self.asked.get(rule, {})):
            limits = {r: self.asked[r][name] for r in OF_VALUES if name in self.asked.get(r, {})}
            ordered, whole = self.ordered(source, name), (spreads or {}).get(name)
            if whole is not None:
                codes = whole.codes(plain_array(source, name))[here]
                if isinstance(limits.get("alpha_k"), Mapping):
                    values = whole.values.to_pylist()
                    limits["alpha_k"] = _coded(values, range(len(values)), limits["alpha_k"])
                diversity.append(Diversity(name, codes, whole.shares, ordered, **limits))
                continue
            codes = self._values(source, name)[here]
            if isinstance(limits.get("alpha_k"), Mapping):
                values = plain_array(source, name).to_pylist()
                every = self._values(source, name).tolist()
                limits["alpha_k"] = _coded(values, every, limits["alpha_k"])
            diversity.append(Diversity.of(name, codes, ordered, **limits))
        dominance = []
        for name in dict.fromkeys(n for rule in OF_AMOUNTS for n in self.asked.get(rule, {})):
            limits = {r: self.asked[r][name] for r in OF_AMOUNTS if name in self.asked.get(r, {})}
            known = (amounts or {}).get(name)
            values = self.amounts(source, name)[here] if known is None else known
            dominance.append(Dominance(name, values, **limits))
        return Constraints(units, together, tuple(diversity), tuple(dominance))

    def amounts(self, source: Source, name: str) -> NDArray[np.float64]:
        """What each record adds to a column; nothing where it is missing."""
        import pyarrow as pa

        values = to_numpy(
            plain_array(source, name).cast(pa.float64(), safe=False).fill_null(constant(0.0))
        )
        if not np.isfinite(values).all():
            raise DataError(
                f"Column {name!r} must be finite to be judged by dominance rules. Got "
                f"{values[~np.isfinite(values)][0]}; drop such records."
            )
        # Rules of dominance know shares only, so the unit is free; sums must be float64.
        return np.ldexp(values, -magnitude(values))

    def _values(self, source: Source, name: str) -> NDArray[np.int64]:
        if not self.ordered(source, name):
            return value_codes(source, [name])
        array = plain_array(source, name)
        order = self.orders.get(name)
        return _positions(array, order) if isinstance(order, tuple) else _ranks(array)


def _coded(
    values: Sequence[Any], codes: Sequence[int], limits: Mapping[Any, float]
) -> dict[int, float]:
    """Limits of single values by the codes of these; a value that does not occur has none."""
    first: dict[Any, int] = {}
    for row, value in enumerate(values):
        first.setdefault(value, row)
    by_text = {str(value): row for value, row in first.items() if value is not None}
    coded = {}
    for value, limit in limits.items():
        at = first.get(value, by_text.get(str(value)))  # a settings file has texts alone
        if at is not None:
            coded[int(codes[at])] = limit
    return coded


def _rank_by(kind: str, order: Sequence[Any] | None) -> bool | tuple[Any, ...]:
    """How t-closeness sees a column of a type: by rank, in an order, or with equal distances."""
    if kind == "ordinal":
        return True if order is None else tuple(order)
    return kind not in CATEGORICAL


def _pair(rule: str, value: Any) -> Any:
    """A threshold of two numbers as a tuple."""
    if rule == "dominance":
        return int(value[0]), float(value[1])
    return (float(value[0]), int(value[1])) if rule == "recursive_cl" else value


def _ranks(array: pa.Array) -> NDArray[np.int64]:
    import pyarrow.compute as pc

    return to_numpy(pc.rank(array, tiebreaker="dense")).astype(np.int64)


def _positions(array: pa.Array, order: tuple[Any, ...]) -> NDArray[np.int64]:
    place = {value: position for position, value in enumerate(order)}
    try:
        return np.array([place[value] for value in array.to_pylist()], dtype=np.int64)
    except KeyError as unknown:
        raise ParameterError(f"An order must name every value. Got {unknown} beside it.") from None
