"""Guards: what speaks against releasing a table as it is declared, each with the ways out.

Columns released as they are that (nearly) every record has alone; numbers of respondents without a
unit; columns that rebuild units; columns that give a key back. A declared column passes, and what
speaks against it is kept for evidence and dossier.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from coterie.advice.facts import ColumnFacts, facts_of
from coterie.advice.relations import Relation, find_relations
from coterie.advice.units import find_units, nearly_unique
from coterie.table.schema import Attribute, Schema
from coterie.table.source import Source
from coterie.table.suspects import suspects

__all__ = ["Objection", "guard", "objections"]

LEAST = 10  # records, or units, below which values differ by chance
AS_IS = {"other", "confidential", "weight"}
KINDS = ("date", "datetime", "integer", "float", "decimal")


@dataclass(frozen=True)
class Objection:
    """What speaks against releasing a column: why, and what to do about it.

    The kind is "unit", "identifier", "unique", "rebuilds" or "gives back".
    """

    columns: tuple[str, ...]
    reason: str
    remedy: str
    kind: str

    def __str__(self) -> str:
        names = ", ".join(map(repr, self.columns))
        return f"Column{'s' * (len(self.columns) > 1)} {names} {self.reason}: {self.remedy}"


def guard(source: Source, schema: Schema, *, whole: bool = True) -> tuple[Schema, list[Objection]]:
    """The schema with what declared columns are excepted from, and all other objections.

    Of a sample (not the `whole` table) only what a sample can tell: names, shapes, relations.
    """
    found = objections(source, schema, whole=whole)
    open_ones: list[Objection] = []
    excepted: dict[str, list[str]] = {}
    for one in found:
        declared = [name for name in one.columns if schema[name].declared]
        for name in declared:
            excepted.setdefault(name, []).append(one.reason)
        if not declared:
            open_ones.append(one)
    if not excepted:
        return schema, open_ones
    guarded = (
        replace(a, exceptions=tuple(excepted.get(a.name, ()))) if a.name in excepted else a
        for a in schema.attributes
    )
    return Schema(tuple(guarded)), open_ones


def objections(source: Source, schema: Schema, *, whole: bool = True) -> list[Objection]:
    """Everything that speaks against releasing the table, declared columns included."""
    columns = _Columns(source)
    units = _units(columns, schema) if whole and schema.unit is None else []
    reported = {name for one in units for name in one.columns}
    found = units + [
        Objection((s.column,), s.reason, s.remedy, "identifier")
        for s in suspects(source, schema, declared=True)
        if s.column not in reported
    ]
    reported |= {name for one in found for name in one.columns}
    if whole:
        if schema.unit is not None:
            found += _rebuilding(columns, schema)
            reported |= {name for one in found for name in one.columns}
        found += _nearly_unique(columns, schema, reported)
    found += _giving_back(columns, schema, reported)
    return found


class _Columns:
    """Facts about columns, looked at when they are asked for."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.known: dict[str, ColumnFacts] = {}

    def __getitem__(self, name: str) -> ColumnFacts:
        if name not in self.known:
            self.known[name] = facts_of(self.source, name)
        return self.known[name]


def _released(schema: Schema) -> list[Attribute]:
    """Columns released as they are, but for strata, which are part of the proof."""
    return [
        a
        for a in schema.attributes
        if a.roles & AS_IS and not a.roles & {"key", "unit", "identifier"}
    ]


def _ways(name: str) -> str:
    """The ways out that every column has."""
    return (
        f"make it a key with quasi_identifiers=[{name!r}] (-q), drop it with "
        f"identifiers=[{name!r}] (--drop), or say that it may stay with declared=[{name!r}] "
        "(--declare)"
    )


def _nearly_unique(columns: _Columns, schema: Schema, reported: set[str]) -> list[Objection]:
    found = []
    for attribute in _released(schema):
        name = attribute.name
        weight = "weight" in attribute.roles
        if (attribute.roles != {"other"} and not weight) or name in reported:
            continue
        column = columns[name]
        if column.kind not in KINDS or column.present < LEAST:
            continue
        if nearly_unique(column.alone, column.present):
            reason = (
                f"has {column.distinct} different values in {column.present} records, "
                f"{column.alone} of them in one record each"
            )
            first = f"say that nobody knows it with confidential=[{name!r}], {_ways(name)}"
            remedy = _ways_of_weights(name) if weight else first
            found.append(Objection((name,), reason, remedy, "unique"))
        elif weight and schema.unit is not None:
            found += _of_one_unit(columns[schema.unit], column)
    return found


def _of_one_unit(unit: ColumnFacts, weight: ColumnFacts) -> list[Objection]:
    """A weight that units share with nobody, though their records share it."""
    pairs = np.unique(np.column_stack([unit.codes, weight.codes]), axis=0)
    pairs = pairs[(pairs >= 0).all(axis=1)]
    owners = np.bincount(pairs[:, 1])
    alone = len(np.unique(pairs[owners[pairs[:, 1]] == 1, 0]))
    if unit.distinct < LEAST or not nearly_unique(alone, unit.distinct):
        return []
    reason = (
        f"has a value that nobody else has for {alone} of {unit.distinct} values of {unit.name!r}"
    )
    return [Objection((weight.name,), reason, _ways_of_weights(weight.name), "unique")]


def _ways_of_weights(name: str) -> str:
    """The ways out for a sampling weight: most of all, that fewer people have their own."""
    return (
        f"round it in the table until many share each value, use it and leave it out of the "
        f"release with identifiers=[{name!r}] (--drop), or say that it may stay with "
        f"declared=[{name!r}] (--declare)"
    )


def _units(columns: _Columns, schema: Schema) -> list[Objection]:
    """Numbers of respondents that have several records, where no unit is named."""
    wanted = [
        a for a in schema.attributes if a.roles & {"identifier", "other"} and not a.roles & {"key"}
    ]
    may_be = {
        a.name: columns[a.name]
        for a in wanted
        if a.type in ("integer", "nominal", "ordinal", "continuous")
    }
    repeated = {
        name: c
        for name, c in may_be.items()
        if c.distinct >= LEAST and c.present >= 1.05 * c.distinct and not c.gaps
    }
    if not repeated:
        return []
    every = {a.name: columns[a.name] for a in schema.attributes}
    sure = [
        u
        for u in find_units(every, repeated)
        if u.sure == "sure" or (u.sure == "likely" and schema[u.column].roles == {"other"})
    ]
    return [
        Objection(
            (u.column,),
            f"repeats ({u.reason}), and k would count records, not respondents",
            f"name the respondent with unit={u.column!r} (--unit), or say that it is none with "
            f"declared=[{u.column!r}] (--declare)",
            "unit",
        )
        for u in sure[:1]
    ]


def _rebuilding(columns: _Columns, schema: Schema) -> list[Objection]:
    """Columns that tell which records are of one unit, though the unit is not released."""
    unit = columns[schema.unit or ""]
    if schema[unit.name].declared or unit.distinct < LEAST or unit.distinct == unit.present:
        return []
    found = []
    for attribute in _released(schema):
        share = rebuilt(unit.codes, columns[attribute.name].codes)
        if share >= 0.5:
            reason = (
                f"is the same in all records of a {unit.name} and of nobody else: it rebuilds "
                f"{100 * share:.3g} % of the units with several records"
            )
            weight = "weight" in attribute.roles
            remedy = (_ways_of_weights if weight else _ways)(attribute.name)
            found.append(Objection((attribute.name,), reason, remedy, "rebuilds"))
    return found


def rebuilt(units: NDArray[np.int64], values: NDArray[np.int64]) -> float:
    """Share of the units with several records that a column tells apart from all the others.

    >>> import numpy as np
    >>> rebuilt(np.array([0, 0, 1, 1, 2]), np.array([7, 7, 8, 9, 9]))
    0.5
    """
    both = (units >= 0) & (values >= 0)
    sizes = np.bincount(units[units >= 0])
    if not (sizes > 1).any() or not both.any():
        return 0.0
    wide = int(values.max()) + 1
    pairs, many = np.unique(units[both] * wide + values[both], return_counts=True)
    owner, value = pairs // wide, pairs % wide
    owners = np.bincount(value, minlength=wide)
    whole = (many == sizes[owner]) & (sizes[owner] > 1) & (owners[value] == 1)
    return float(whole.sum() / (sizes > 1).sum())


def _giving_back(columns: _Columns, schema: Schema, reported: set[str]) -> list[Objection]:
    """Columns released as they are that give a key back."""
    keys = [a.name for a in schema.key_attributes if a.type != "boolean"]
    given = [a.name for a in _released(schema) if a.name not in reported]
    if not keys or not given:
        return []
    seen: Mapping[str, ColumnFacts] = {name: columns[name] for name in (*keys, *given)}
    found: dict[tuple[str, ...], list[Relation]] = {}
    for one in find_relations(seen, keys, given):
        found.setdefault(one.of, []).append(one)
    warnings = []
    for names, ones in found.items():
        reason = (
            f"{'give' if len(names) > 1 else 'gives'} back the key "
            f"{' and '.join(repr(one.column) for one in ones)} ({ones[0].text})"
        )
        listed = ", ".join(map(repr, names))
        remedy = (
            f"make {'one of them' if len(names) > 1 else 'it'} a key (-q), drop it (--drop), or "
            f"say that {'they' if len(names) > 1 else 'it'} may stay with declared=[{listed}] "
            "(--declare)"
        )
        warnings.append(Objection(names, reason, remedy, "gives back"))
    return warnings
