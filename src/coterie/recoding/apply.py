"""The recoded table: columns replaced, and what each recoding did.

A top or bottom code beyond which fewer than k units lie would show that few lie there: it is
refused. ``"auto"`` takes the value nearest to the end beyond which at least k units lie.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from coterie.errors import listed, shown, unknown_name
from coterie.hierarchy import Hierarchy
from coterie.hierarchy.rungs import Flat, band_text, text_of
from coterie.numbers.renumber import renumber
from coterie.recoding.rule import AUTO, NUMERIC
from coterie.table import columns
from coterie.table.arrays import from_values
from coterie.table.classes import count_classes, value_codes
from coterie.table.encoding import BLANK, absences
from coterie.table.infer import Problems
from coterie.table.restore import replace_columns
from coterie.table.schema import Attribute, Schema
from coterie.table.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Recoded", "judged_schema", "recode"]


@dataclass(frozen=True, eq=False)
class Recoded:
    """What a recoding did to one column.

    Attributes
    ----------
    asked : dict
        The rule as the plan has it.
    rule : dict
        The same with the ends that were found for "auto": values of the table.
    values : dict
        What became of each value; of numbers that stay numbers nothing is listed.
    changed : int
        Records whose value is another one.
    distinct : tuple of two ints
        Different values before and after.
    """

    asked: Mapping[str, Any]
    rule: Mapping[str, Any]
    values: Mapping[str, Any]
    changed: int
    distinct: tuple[int, int]

    @property
    def reported(self) -> dict[str, Any]:
        """For the internal evidence."""
        return {
            "rule": dict(self.rule),
            "records_changed": self.changed,
            "values_before": self.distinct[0],
            "values_after": self.distinct[1],
        }

    def judged(self, attribute: Attribute) -> Attribute:
        """The attribute as a judge sees it: the values as they were lie below the recoded ones."""
        if not self.values or "key" not in attribute.roles:
            return attribute
        above = attribute.hierarchy or Hierarchy(Flat())
        tree = above.extended(self.values).closed(self.values)
        return replace(attribute, hierarchy=tree)


class Asked(Protocol):
    """What is asked of a recoding: a plan."""

    @property
    def recodings(self) -> Mapping[str, Mapping[str, Any]] | None:
        """The rules, by column."""

    @property
    def k(self) -> int:
        """Least units beyond a top or bottom code."""

    @property
    def unit(self) -> str | None:
        """What tells units apart."""

    @property
    def identifiers(self) -> Sequence[str]:
        """Columns that are dropped."""

    @property
    def missing_codes(self) -> Any:
        """By column: values that mean missing."""


def recode(source: Source, asked: Asked) -> tuple[Source, dict[str, Recoded], Problems]:
    """The table with columns recoded, what was done to each, and what speaks against it.

    Values that mean missing stay as they are.
    """
    problems = Problems()
    rules, k, unit = asked.recodings or {}, asked.k, asked.unit
    missing_codes = asked.missing_codes or {}
    names = source.frame.columns
    for name in rules:
        if name in asked.identifiers or name == unit:
            problems.add(f"The recoding of {name!r} would have no effect: it is not released")
    units = value_codes(source, [unit]) if unit is not None and unit in names else None
    arrays: dict[str, Any] = {}
    found: dict[str, Recoded] = {}
    for name, rule in rules.items():
        if name not in names:
            problems.add(str(unknown_name("column in recodings:", name, names)))
            continue
        codes = tuple(missing_codes.get(name, ())) + tuple(missing_codes.get("*", ()))
        column = _Column(name, source, codes, units, k, problems)
        made = column.numbers(rule) if set(rule) & set(NUMERIC) else column.texts(rule)
        if made is not None:
            arrays[name], found[name] = made
    if not found:
        return source, {}, problems
    frame = replace_columns(source.frame, arrays, retyped=True)
    spelled = {name: cells for name, cells in source.spelled.items() if name not in found}
    return replace(source, frame=frame, spelled=spelled), found, problems


def judged_schema(schema: Schema, recoded: Mapping[str, Recoded]) -> Schema:
    """The schema with recoded keys as a judge sees them."""
    if not recoded:
        return schema
    return Schema(tuple(recoded[a.name].judged(a) if a.name in recoded else a for a in schema))


class _Column:
    """One column to be recoded."""

    def __init__(
        self,
        name: str,
        source: Source,
        codes: tuple[Any, ...],
        units: NDArray[np.int64] | None,
        k: int,
        problems: Problems,
    ) -> None:
        import pyarrow as pa

        self.name, self.units, self.k, self.problems = name, units, k, problems
        array = source.frame[name].to_arrow()
        array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
        if pa.types.is_dictionary(array.type):
            array = array.cast(array.type.value_type)
        self.array = array
        self.kind = columns.kind_of(source.frame[name])
        gaps = absences(array, codes)
        self.there, self.blank = gaps == 0, gaps == BLANK

    def texts(self, rule: Mapping[str, Any]) -> tuple[pa.Array, Recoded] | None:
        """Merged, cut or in bands: text."""
        import pyarrow as pa

        encoded = self.array.dictionary_encode()
        values = encoded.dictionary.to_pylist()
        codes = np.asarray(encoded.indices.fill_null(0).to_numpy(zero_copy_only=False))
        held = np.zeros(len(values), dtype=np.bool_)
        held[codes[self.there]] = True
        (kind, setting), *_ = rule.items()
        try:
            became = [
                MADE[kind](setting, v) if h else text_of(v)
                for v, h in zip(values, held, strict=True)
            ]
        except (KeyError, ValueError, ArithmeticError):
            self.problems.add(
                f"The recoding of column {self.name!r} into {kind} is for "
                f"{'numbers' if kind == 'bands' else 'codes'}. Got {self.kind}: leave it out"
            )
            return None
        if kind == "merge" and not self._merged(setting, values):
            return None
        texts = from_values([*became, None], pa.string())
        made = texts.take(pa.array(np.where(self.blank, len(values), codes)))
        mapped = {text_of(v): new for v, new, h in zip(values, became, held, strict=True) if h}
        other = np.array([text_of(v) != new for v, new in zip(values, became, strict=True)], bool)
        changed = int(other[codes[self.there]].sum()) if len(other) else 0
        counts = (int(held.sum()), len(set(mapped.values())))
        return made, Recoded(rule, rule, mapped, changed, counts)

    def _merged(self, setting: Mapping[str, Any], values: list[Any]) -> bool:
        """Whether the values that are to be merged are there; the others are problems."""
        known = {text_of(value) for value in values}
        named = [text_of(one) for several in setting.values() for one in several]
        unknown = [one for one in named if one not in known]
        if unknown:
            self.problems.add(
                f"The recoding of column {self.name!r} must merge values of it. Got "
                f"{listed(map(shown, unknown), 5)}, which it has not: correct them",
                data=True,
            )
        taken = [label for label in setting if label in known and label not in named]
        if taken:
            self.problems.add(
                f"The recoding of column {self.name!r} must not give a merged category the name of "
                f"another one. Got {listed(map(shown, taken), 5)}: merge it too, or name it anew"
            )
        return not unknown and not taken

    def numbers(self, rule: Mapping[str, Any]) -> tuple[pa.Array, Recoded] | None:
        """Rounded, top and bottom coded: numbers still."""
        import pyarrow as pa

        if self.kind not in ("integer", "float", "decimal"):
            self.problems.add(
                f"The recoding of column {self.name!r} must be for numbers. Got {self.kind}: use "
                "merge or prefix"
            )
            return None
        before = np.asarray(
            self.array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        )
        values = before.copy()
        step = rule.get("round")
        if step is not None:
            with np.errstate(over="ignore"):
                rounded = np.rint(values / step) * step
            values = np.where(np.isfinite(rounded), rounded, values)  # steps too small to matter
        made = dict(rule)
        for name, sign in (("top", 1.0), ("bottom", -1.0)):
            if name in rule:
                end = self._end(name, rule[name], sign * values)
                if end is None:
                    return None
                made[name] = _plain(sign * end)
                values = sign * np.minimum(sign * values, end)
        values = np.where(self.there, values, before)
        whole = self.kind == "integer" and bool((values[self.there] % 1 == 0).all())
        present = values[self.there]
        distinct = (len(np.unique(before[self.there])), len(np.unique(present)))
        done = Recoded(rule, made, {}, int((before != values)[self.there].sum()), distinct)
        return self._typed(before, values, whole=whole), done

    def _typed(
        self, before: NDArray[np.float64], values: NDArray[np.float64], *, whole: bool
    ) -> pa.Array:
        """New numbers in the column's type, or in the widest of its kind; floats otherwise.

        What is not changed stays to the last digit, of which floats have no more than 17. A type
        is too narrow if it cannot hold a new number that 64 bits hold as it was meant: a multiple
        of 100 beyond 2**24 in 32 bits.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        kind = self.array.type
        null = np.asarray(self.array.is_null())
        floats = pa.array(np.where(null, 0.0, values), mask=null)
        types = [kind, pa.int64()] if whole else [kind] if pa.types.is_floating(kind) else []
        if pa.types.is_decimal(kind):
            # A float that a decimal cannot hold becomes 0 there in silence, so by the widest one.
            wide = pa.decimal128(38, kind.scale)
            if np.abs(values[~null]).max(initial=0.0) < 10.0 ** (37 - kind.scale):
                types, floats = [kind, wide], floats.cast(wide, safe=False)
        for chosen in types:
            try:
                made = floats.cast(chosen)
                if pa.types.is_floating(chosen) and _blurred(made, values, before != values):
                    continue
                return pc.if_else(pa.array(before != values), made, self.array.cast(chosen))
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
                continue  # beyond its range, or a type with which few functions can do anything
        return floats

    def _end(self, what: str, end: Any, values: NDArray[np.float64]) -> float | None:
        """Where values end, as the largest of `values`; None if it is not safe."""
        here = values[self.there]
        units = None if self.units is None else self.units[self.there]
        if end == AUTO:
            for one in np.unique(here[np.isfinite(here)])[::-1].tolist():
                if _beyond(here, one, units) >= self.k:
                    return float(one)
            self.problems.add(
                f"The {what} code of column {self.name!r} must leave at least k = {self.k} units "
                "beyond it. Got too few different values: leave it out",
                data=True,
            )
            return None
        chosen = float(end) if what == "top" else -float(end)
        many = _beyond(here, chosen, units)
        if many < self.k:
            self.problems.add(
                f"The {what} code of column {self.name!r} must have at least k = {self.k} units "
                f"beyond it, or it shows how few there are. Got {shown(end)}, with "
                f"{many or 'none'}: use 'auto', or another one",
                data=True,
            )
            return None
        return chosen


def _beyond(values: NDArray[np.float64], end: float, units: NDArray[np.int64] | None) -> int:
    over = values > end
    if not over.any():
        return 0
    some = None if units is None else renumber(units[over])
    return int(count_classes(np.zeros(int(over.sum()), dtype=np.int64), some)[0])


def _blurred(made: pa.Array, values: NDArray[np.float64], changed: NDArray[np.bool_]) -> bool:
    """Whether floats are too narrow for new numbers that have few binary places.

    Of 0.1 any float is but the nearest one, so only wholes, halves, ... of 1024 parts count.
    """
    import pyarrow as pa

    held = np.asarray(made.cast(pa.float64()).to_numpy(zero_copy_only=False))
    meant = values[changed]
    with np.errstate(over="ignore"):
        parts = meant * 1024.0
    return bool(((np.trunc(parts) == parts) & (held[changed] != meant)).any())


def _plain(number: float) -> int | float:
    return int(number) if number == int(number) else number


def _merge(setting: Mapping[str, Any], value: Any) -> str:
    text = text_of(value)
    return next((k for k, several in setting.items() if text in map(text_of, several)), text)


def _prefix(length: int, value: Any) -> str:
    text = text_of(value)
    ends = [place for place, sign in enumerate(text, 1) if sign.isalnum()]
    return text[: ends[length - 1]] if length < len(ends) else text


def _band(width: Any, value: Any) -> str:
    number = Decimal(text_of(value))
    return band_text(number, number, Decimal(text_of(width)))


MADE: dict[str, Callable[[Any, Any], str]] = {"merge": _merge, "prefix": _prefix, "bands": _band}
