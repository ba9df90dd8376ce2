"""Roles and types of every column: as declared, else inferred with a reason; checked at once."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from coterie.errors import shown, unknown_name
from coterie.table import columns
from coterie.table.arguments import ARGUMENTS, by_column, missing_codes, named, roles_of
from coterie.table.meaning import DeclaredMeaning, with_meaning
from coterie.table.problems import Problems
from coterie.table.rules import check_column, check_weight
from coterie.table.schema import TRANSFORMS, TYPES, Attribute, Schema
from coterie.table.source import Source
from coterie.table.types import found_code, found_type

__all__ = ["examine", "infer"]

MEANING = ("hierarchies", "releases", "steps")


def infer(
    source: Source,
    *,
    quasi_identifiers: Iterable[str] = (),
    confidential: Iterable[str] = (),
    identifiers: Iterable[str] = (),
    strata: Iterable[str] = (),
    unit: str | None = None,
    sample_weight: str | None = None,
    types: Mapping[str, str] | None = None,
    orders: Mapping[str, Sequence[Any]] | None = None,
    missing_codes: Mapping[str, Sequence[Any]] | Sequence[Any] | None = None,
    transforms: Mapping[str, str] | None = None,
    attribute_weights: Mapping[str, float] | None = None,
    hierarchies: Mapping[str, Any] | None = None,
    releases: Mapping[str, str] | None = None,
    steps: Mapping[str, Any] | None = None,
    declared: Iterable[str] = (),
    base: Schema | None = None,
) -> Schema:
    """Say what every column is.

    Parameters
    ----------
    source : Source
        The table.
    quasi_identifiers, confidential, identifiers, strata : iterable of str
        Columns by role; a column named in none of them is "other".
    unit, sample_weight : str, optional
        The column that names the respondent, and the one of sampling weights.
    types : mapping of column to type, optional
        Instead of what would be inferred.
    orders : mapping of column to values, optional
        The values of ordinal columns, lowest first; a column with an order is ordinal.
    missing_codes : mapping of column to values, or values, optional
        Values that count as missing; without a column, or for the column "*", in every column
        that holds them.
    transforms : mapping of key to "none", "log1p", "asinh" or "rank", optional
    attribute_weights : mapping of key to a positive number, optional
    hierarchies, releases, steps : mapping, optional
        By key: the tree behind its codes, what is released of a group, and what the ends of
        released intervals are rounded to.
    declared : iterable of str
        Columns that may stay although they look like identifiers.
    base : Schema, optional
        Roles and types of columns that the other arguments do not name. Identifiers that the table
        no longer has are passed over.

    Returns
    -------
    Schema
        One attribute a column, in column order.

    Raises
    ------
    ParameterError, DataError
        One error with every problem: the arguments', or only the data's.

    Examples
    --------
    >>> import pandas as pd
    >>> from coterie.table import infer, read
    >>> source = read(pd.DataFrame({"age": [30, 40], "sex": ["f", "m"]}))
    >>> schema = infer(source, quasi_identifiers=["age", "sex"])
    >>> [(a.name, a.type) for a in schema]
    [('age', 'integer'), ('sex', 'nominal')]
    >>> infer(source, quasi_identifiers=["agee"])
    Traceback (most recent call last):
    coterie.errors.ParameterError: Unknown column in quasi_identifiers: 'agee'. Did you mean 'age'?
    """
    given = {name: value for name, value in locals().items() if name != "source"}
    schema, problems = examine(source, **given)
    problems.refuse()
    return schema


def examine(source: Source, **given: Any) -> tuple[Schema, Problems]:
    """The schema as far as it can be had, and every problem: `infer` without the error."""
    problems = Problems()
    base = given.get("base")
    names = source.frame.columns
    roles = roles_of(names, given, base, problems)
    tables = {
        key: by_column(key, given.get(key), names, problems)
        for key in ("types", "orders", "transforms", "attribute_weights", *MEANING)
    }
    codes, everywhere = missing_codes(given.get("missing_codes"), names, problems)
    kept = named("declared", given.get("declared"), names, problems)
    for name, reason in source.odd.items():
        if roles[name] != {"identifier"}:
            problems.add(reason, data=True, columns=[name])
    attributes = []
    for name in names:
        before = base[name] if base is not None and name in base.names else None
        declared = _Declared(
            roles=frozenset(roles[name]) or None,
            type=tables["types"].get(name),
            order=tables["orders"].get(name),
            codes=codes.get(name),
            everywhere=everywhere,
            transform=tables["transforms"].get(name),
            weight=tables["attribute_weights"].get(name),
            declared=name in kept,
            before=before,
        )
        asked = DeclaredMeaning(*(tables[key].get(name) for key in MEANING))
        with problems.about(name):
            attribute = _attribute(source, name, declared, problems)
            attributes.append(with_meaning(attribute, source.frame[name], asked, before, problems))
    return Schema(tuple(attributes)), problems


@dataclass(frozen=True)
class _Declared:
    """What the caller says about a column; None where nothing."""

    roles: frozenset[str] | None
    type: str | None
    order: Sequence[Any] | None
    codes: tuple[Any, ...] | None
    everywhere: tuple[Any, ...]
    transform: str | None
    weight: float | None
    declared: bool
    before: Attribute | None


def _attribute(source: Source, name: str, declared: _Declared, problems: Problems) -> Attribute:
    """One column: what is said of it, what is found in it, and whether both fit."""
    before = declared.before
    series = source.frame[name]
    kind = columns.kind_of(series)
    roles = declared.roles or (before.roles if before else frozenset({"other"}))
    missing = _missing(source, series, declared, problems)
    order = declared.order if declared.order is not None else (before.order if before else None)
    wanted = declared.type or ("ordinal" if declared.order is not None else None)
    if wanted is None and before is not None:
        wanted = before.type
    attribute = Attribute(
        name,
        roles,
        "nominal",
        "",
        missing_codes=missing,
        transform=declared.transform or (before.transform if before else "none"),
        weight=1.0 if before is None else before.weight,
        declared=declared.declared or bool(before and before.declared),
    )
    if declared.weight is not None:
        attribute = replace(attribute, weight=check_weight(name, declared.weight, problems))
    for value, what, known in (
        (wanted, f"type of column {name!r}:", TYPES),
        (attribute.transform, f"transform of column {name!r}:", TRANSFORMS),
    ):
        if value is not None and value not in known:
            problems.add(str(unknown_name(what, value, known)))
            return attribute
    if wanted is None:
        kind_found, reason, own_order = found_type(source, series, kind, missing)
        order = order if order is not None else own_order
        coded = found_code(source, series, kind, kind_found, missing)
        if coded is not None and order is None:
            kind_found, reason = "nominal", coded
            attribute = replace(attribute, coded=coded, taken_for_code=True)
    else:
        kind_found, reason = wanted, "type as declared"
    attribute = replace(
        attribute,
        type=kind_found,
        role_reason=_role_reason(declared, roles),
        type_reason=reason,
        order=None if order is None else tuple(order),
    )
    return check_column(series, kind, attribute, problems, explicit=wanted is not None)


def _role_reason(declared: _Declared, roles: frozenset[str]) -> str:
    if declared.roles:
        named = [ARGUMENTS[role] for role in ARGUMENTS if role in roles]
        return f"named in {' and '.join(named)}"
    if declared.before is not None:
        return f"{' and '.join(sorted(roles))} by the schema given"
    return "other: named in no role"


def _missing(
    source: Source, series: Any, declared: _Declared, problems: Problems
) -> tuple[Any, ...]:
    """Missing codes of a column in its own type: declared by the caller, and by the file."""
    name = series.name
    own = source.details.get("missing", {}).get(name, ())
    kind = columns.kind_of_codes(series)
    found = [*own, *(declared.before.missing_codes if declared.before else ())]
    for code in declared.everywhere:
        try:
            own_code = columns.code_for(code, kind)
        except ValueError:
            continue  # meant for columns of another type
        if len(columns.present(series, (own_code,))) < len(columns.present(series)):
            found.append(own_code)
    for code in declared.codes or ():
        try:
            own_code = columns.code_for(code, kind)
        except ValueError:
            rule: str | None = f"be a value that a column of type {kind} can hold"
        else:
            found.append(own_code)
            rule = _zone_rule(series.dtype, own_code)
        if rule is not None:
            problems.add(
                f"The missing code {shown(code)} of column {name!r} must {rule}: correct it"
            )
    return tuple(dict.fromkeys(found))


def _zone_rule(dtype: Any, code: Any) -> str | None:
    """What a moment must have to stand in any record of a column; None where it does."""
    if not isinstance(code, datetime.datetime) or not hasattr(dtype, "time_zone"):
        return None
    if (dtype.time_zone is None) == (code.tzinfo is None):
        return None
    return "have no time zone, as its moments" if dtype.time_zone is None else "say its time zone"
