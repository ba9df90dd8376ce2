"""Two tables become a pair: read from any library, checked, aligned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError, bad_parameter, unknown_name
from coterie.evaluation.column import ColumnPair, column_of
from coterie.evaluation.generalized import generalized_column
from coterie.evaluation.pair import Control, Pair
from coterie.evaluation.tables import Table
from coterie.numbers.renumber import renumber
from coterie.table.arrays import constant, to_numpy
from coterie.table.categories import texts_of
from coterie.table.schema import Attribute, Schema

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["read_pair"]


def read_pair(
    original: Table,
    released: Table,
    quasi_identifiers: Sequence[Any] | None,
    confidential: Sequence[Any],
    *,
    aligned: bool,
    match: Any = None,
    orders: Mapping[str, Sequence[Any]] | None = None,
    schema: Schema | None = None,
    control: Table | None = None,
    others: Sequence[str] = (),
    population: Table | None = None,
) -> Pair:
    """Check both tables and pick the columns to compare. Raises `DataError`, `ParameterError`.

    `control` holds records that were not released, with the columns of the original; `others` are
    columns to be read beside the keys, `population` people of whom keys and strata are known.
    """
    if original.rows != released.rows:
        raise DataError(
            f"original and released must have the same number of rows. Got {original.rows} and "
            f"{released.rows}; leave records that were suppressed out of the original first."
        )
    watched = original.chosen(confidential, "confidential")
    if quasi_identifiers is not None:
        keys = original.chosen(quasi_identifiers, "quasi_identifiers")
    elif schema is not None:
        keys = list(schema.keys)
    else:
        _same_columns(original, released)
        keys = [name for name in original.names if name not in watched and name != match]
    if not keys:
        raise bad_parameter(
            "quasi_identifiers", "evaluate", "at least one column", [], "Name the released keys."
        )
    for name in [*keys, *watched, *others, *([] if match is None else [match])]:
        original.check(name)
        released.check(name)
        if control is not None and name != match and name not in others:
            control.check(name)
        if population is not None and name in keys:
            population.check(name)
    if match is not None:
        released.reorder(_order(original.array(match), released.array(match), str(match)))
    levels = {} if orders is None else dict(orders)
    for name in levels:
        if name not in original:
            raise unknown_name("column in 'orders':", name, original.names)

    def levels_of(name: str) -> Sequence[Any] | None:
        if name in levels or (schema is not None and name in schema.names):
            return levels.get(name)
        own = original.levels(name)  # of an ordered categorical column
        return own if own is not None and released.within(name, own) else None

    def column(name: str, *stacked: Table | None) -> ColumnPair:
        known = schema[name] if schema is not None and name in schema.names else None
        before, after = original.array(name), released.array(name)
        for table in stacked:
            if table is not None:
                # On both sides, so that codes and levels are those of all records there are.
                more = table.array(name)
                before = _stacked(name, before, more, table.which)
                after = _stacked(name, after, more, table.which)
        truthful = generalized_column(known or _unknown(name), before, after)
        return truthful or column_of(known, name, before, after, levels_of(name))

    matched = aligned or match is not None
    strata = () if schema is None else tuple(n for n in schema.strata if n in original)
    strata = tuple(name for name in strata if name in released and name not in keys)
    pooled = _pooled(original, released, strata) if matched and strata else None
    n = original.rows
    all_keys = [column(name, control, population) for name in keys]
    all_watched = [column(name, control) for name in watched]
    here = slice(n)
    blocks, other_blocks = _blocks(released, strata, control, population)
    m = n if control is None else n + control.rows

    def part(rows: slice, place: int, table: Table | None, watching: bool) -> Control | None:
        if table is None:
            return None
        seen = [one.rows(rows) for one in all_watched] if watching else []
        return Control(tuple(one.rows(rows) for one in all_keys), tuple(seen), other_blocks[place])

    return Pair(
        keys=tuple(one.rows(here) for one in all_keys),
        confidential=tuple(one.rows(here) for one in all_watched),
        aligned=matched,
        n=n,
        pooled=pooled,
        strata=strata,
        blocks=blocks,
        control=part(slice(n, m), 0, control, True),
        others={name: column(name) for name in others},
        population=part(slice(m, None), 1, population, False),
    )


def _unknown(name: str) -> Attribute:
    """An attribute of which nothing was said: what its values show counts."""
    return Attribute(name, frozenset({"key"}), "continuous", "nothing was said of it")


def _stacked(name: str, first: Any, second: Any, which: str) -> Any:
    """The records of two tables, one after the other."""
    import pyarrow as pa

    if isinstance(first, list) or isinstance(second, list):
        return [v for a in (first, second) for v in (a if isinstance(a, list) else a.to_pylist())]
    try:
        if first.type != second.type:
            numbers = all(
                pa.types.is_integer(a.type) or pa.types.is_floating(a.type) for a in (first, second)
            )
            kind = pa.float64() if numbers else first.type
            first, second = first.cast(kind), second.cast(kind)
        return pa.concat_arrays([first, second])
    except (pa.ArrowException, TypeError):
        raise DataError(
            f"Column {name!r} of {which} must be of the type that the other tables have. Got "
            f"{second.type} beside {first.type}; convert it."
        ) from None


def _blocks(
    released: Table, strata: Sequence[str], *others: Table | None
) -> tuple[NDArray[np.int64] | None, list[NDArray[np.int64] | None]]:
    """A number for each combination of released strata values; in other tables -1 for others."""
    if not strata:
        return None, [None for _ in others]
    tables = [released, *(table for table in others if table is not None)]
    codes = np.zeros(sum(table.rows for table in tables), dtype=np.int64)
    for name in strata:
        for table in tables:
            table.check(name)
        both = [one for table in tables for one in _texts(table.array(name)).to_pylist()]
        place: dict[Any, int] = {}
        values = np.array([place.setdefault(one, len(place)) for one in both], dtype=np.int64)
        codes = renumber(codes * len(place) + values)
    parts = iter(np.split(codes, np.cumsum([table.rows for table in tables])[:-1]))
    here = next(parts)
    blocks: list[NDArray[np.int64] | None] = []
    for other in others:
        mine = None if other is None else next(parts)
        blocks.append(None if mine is None else np.where(np.isin(mine, here), mine, -1))
    return here, blocks


def _pooled(original: Table, released: Table, strata: Sequence[str]) -> NDArray[np.bool_] | None:
    """Records that no longer have their own stratum."""
    import pyarrow.compute as pc

    other = np.zeros(original.rows, dtype=np.bool_)
    for name in strata:
        before, after = (_texts(table.array(name)) for table in (original, released))
        gone = to_numpy(before.is_null()) != to_numpy(after.is_null())
        other |= gone | to_numpy(pc.fill_null(pc.not_equal(before, after), constant(False)))
    return other if other.any() else None


def _texts(array: Any) -> pa.Array:
    import pyarrow as pa

    if isinstance(array, list):
        texts = [None if value is None or value != value else str(value) for value in array]
        return pa.array(texts, type=pa.string())
    return texts_of(array)


def _same_columns(first: Table, second: Table) -> None:
    only = [sorted(set(a.names) - set(b.names)) for a, b in ((first, second), (second, first))]
    if any(only):
        parts = [
            f"{which} alone has {', '.join(map(repr, names[:5]))}"
            for which, names in zip(("original", "released"), only, strict=True)
            if names
        ]
        raise DataError(
            f"original and released must have the same columns. Got: {'; '.join(parts)}. "
            "Name the columns to compare in 'quasi_identifiers'."
        )


def _order(before: Any, after: Any, match: str) -> NDArray[np.int64]:
    """For each record of the original its row in the released table."""
    first, second = (a if isinstance(a, list) else a.to_pylist() for a in (before, after))
    place = {value: row for row, value in enumerate(second)}
    if len(place) < len(second) or len(set(first)) < len(first):
        raise DataError(
            f"The column to match records by, {match!r}, must tell every record apart. Got "
            "repeated values; use a column that is unique, or aligned=True if the rows match."
        )
    missing = [value for value in first if value not in place]
    if missing:
        raise DataError(
            f"The column to match records by, {match!r}, must hold the same values in both tables. "
            f"Got {len(missing)} that only the original has, the first {missing[0]!r}; leave "
            "records that were suppressed out of the original first."
        )
    return np.array([place[value] for value in first], dtype=np.int64)
