"""Roles and types of every column: as declared, else inferred with a reason; checked at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from coterie.errors import DataError, ParameterError, listed, shown, together, unknown_name
from coterie.table import columns
from coterie.table.codes import classified, code_reason
from coterie.table.meaning import DeclaredMeaning, with_meaning
from coterie.table.rules import check_column, check_weight
from coterie.table.schema import TRANSFORMS, TYPES, Attribute, Schema
from coterie.table.source import Source

__all__ = ["Problems", "examine", "infer"]

# Roles that say opposite things about a column, with the reason.
CONTRADICTIONS = {
    ("identifier", "key"): "an identifier is dropped, a key is released as centroids",
    ("identifier", "confidential"): "an identifier is dropped, a confidential column is kept",
    ("identifier", "stratum"): "an identifier is dropped, a stratum is kept",
    ("key", "stratum"): "a stratum is released as it is and is part of the proof already",
    ("key", "unit"): "a unit names the respondent",
    ("key", "weight"): "a weight is used to compute centroids",
}

MEANING = ("hierarchies", "releases", "steps")

ARGUMENTS = {
    "key": "quasi_identifiers",
    "confidential": "confidential",
    "identifier": "identifiers",
    "stratum": "strata",
    "unit": "unit",
    "weight": "sample_weight",
}


@dataclass
class Problems:
    """What is wrong with a table and its arguments, gathered so that it is told at once."""

    texts: list[str] = field(default_factory=list)
    of_arguments: bool = False
    refused: set[str] = field(default_factory=set)

    def add(self, text: str, *, data: bool = False, column: str | None = None) -> None:
        """Note a problem: of the arguments, or of the data, with the column it refuses."""
        if column is not None:
            self.refused.add(column)
        text = text.rstrip(". ")
        if text not in self.texts:
            self.texts.append(text)
        self.of_arguments = self.of_arguments or not data

    def put_first(self, texts: Sequence[str]) -> None:
        """Tell problems of the arguments that were found before."""
        self.texts = list(dict.fromkeys([*texts, *self.texts]))
        self.of_arguments = self.of_arguments or bool(texts)

    def join(self, other: Problems) -> None:
        """Tell what was found elsewhere, too."""
        self.texts = list(dict.fromkeys([*self.texts, *other.texts]))
        self.of_arguments = self.of_arguments or other.of_arguments
        self.refused |= other.refused

    def refuse(self) -> None:
        """Raise one error that tells them all, if there are any."""
        if self.texts:
            kind = ParameterError if self.of_arguments else DataError
            error = kind(together(self.texts))
            error.problems = tuple(self.texts)
            raise error


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
    roles = _roles(names, given, base, problems)
    tables = {
        key: _by_column(key, given.get(key), names, problems)
        for key in ("types", "orders", "transforms", "attribute_weights", *MEANING)
    }
    codes, everywhere = _codes(given.get("missing_codes"), names, problems)
    kept = _names("declared", given.get("declared"), names, problems)
    for name, reason in source.odd.items():
        if roles[name] != {"identifier"}:
            problems.add(reason, data=True)
    attributes = []
    for name in names:
        before = base[name] if base is not None and name in base.names else None
        attribute = _attribute(
            source,
            name,
            _Declared(
                roles=frozenset(roles[name]) or None,
                type=tables["types"].get(name),
                order=tables["orders"].get(name),
                codes=codes.get(name),
                everywhere=everywhere,
                transform=tables["transforms"].get(name),
                weight=tables["attribute_weights"].get(name),
                declared=name in kept,
                before=before,
            ),
            problems,
        )
        asked = DeclaredMeaning(*(tables[key].get(name) for key in MEANING))
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
        kind_found, reason, own_order = _found(source, series, kind, missing)
        order = order if order is not None else own_order
        coded = _coded(source, series, kind, kind_found, missing)
        if coded is not None and order is None:
            kind_found, reason = "nominal", f"taken for a code: {coded}"
            attribute = replace(attribute, coded=coded)
    else:
        kind_found, reason = wanted, "type as declared"
    attribute = replace(
        attribute,
        type=kind_found,
        reason=f"{_role_reason(declared, roles)}; {kind_found}: {reason}",
        order=None if order is None else tuple(order),
    )
    return check_column(series, kind, attribute, problems, explicit=wanted is not None)


def _found(
    source: Source, series: Any, kind: str, missing: tuple[Any, ...]
) -> tuple[str, str, tuple[Any, ...] | None]:
    """The type of a column that nothing is said about, why, and its own order."""
    name = series.name
    measure = source.details.get("measures", {}).get(name)
    labels = source.details.get("labels", {}).get(name)
    if measure in ("nominal", "ordinal") and kind in ("integer", "float", "text"):
        order = None
        if measure == "ordinal":
            order = tuple(columns.values_of(series, missing))
        return measure, f"the {source.format} file calls it {measure}", order
    if labels and measure != "scale" and kind in ("integer", "float"):
        codes = set(columns.values_of(series, missing))
        if codes <= {float(code) for code in labels}:
            return "nominal", "every code has a value label", None
    own = columns.order_of(series)
    if own is not None:
        return "ordinal", "an ordered categorical column", own
    if kind == "boolean":
        return "boolean", "true and false", None
    if kind == "integer":
        return "integer", "whole numbers", None
    if kind in ("float", "decimal"):
        values = columns.present(series, missing)
        gaps = len(values) < len(series)
        scale = getattr(series.dtype, "scale", None)
        if scale == 0:
            return "integer", "whole numbers, stored as decimals", None
        if gaps and len(values) and columns.whole(values):
            return "integer", "whole numbers beside gaps, stored as floats", None
        return "continuous", "numbers", None
    if kind == "date":
        return "date", "dates", None
    if kind == "datetime":
        values = columns.present(series, missing)
        zoned = getattr(series.dtype, "time_zone", None) is not None
        if len(values) and not zoned and columns.at_midnight(values):
            return "date", "datetimes that are all at midnight", None
        return "datetime", "datetimes", None
    if kind == "text":
        return "nominal", "text without a declared order", None
    return "nominal", f"values of type {kind}", None


def _coded(
    source: Source, series: Any, kind: str, found: str, missing: tuple[Any, ...]
) -> str | None:
    """Why a column of numbers is taken for a code; None if it is none.

    They are whole but for classifications: 62.01 is an industry, 250.01 a disease.
    """
    if found not in ("integer", "continuous") or kind not in ("integer", "float"):
        return None
    if source.details.get("measures", {}).get(series.name) == "scale":
        return None
    values = columns.present(series, missing)
    if not len(values) or columns.infinite(values):
        return None
    if not classified(series.name) and not columns.exact_and_whole(values):
        return None
    return code_reason(series.name, *columns.counted(values))


def _role_reason(declared: _Declared, roles: frozenset[str]) -> str:
    if declared.roles:
        named = [ARGUMENTS[role] for role in ARGUMENTS if role in roles]
        return f"named in {' and '.join(named)}"
    if declared.before is not None:
        return f"{' and '.join(sorted(roles))} by the schema given"
    return "other: named in no role"


def _roles(
    names: list[str], given: Mapping[str, Any], base: Schema | None, problems: Problems
) -> dict[str, set[str]]:
    """Roles of each column by the arguments, contradictions noted."""
    roles: dict[str, set[str]] = {name: set() for name in names}
    for role, argument in ARGUMENTS.items():
        for name in _names(argument, given.get(argument), names, problems):
            roles[name].add(role)
    for name, held in roles.items():
        for (a, b), why in CONTRADICTIONS.items():
            if a in held and b in held:
                problems.add(
                    f"Column {name!r} is named in {ARGUMENTS[a]} and in {ARGUMENTS[b]}, but {why}: "
                    "name it in one of them"
                )
    if base is not None:
        gone = [a.name for a in base if a.name not in roles and "identifier" not in a.roles]
        if gone:
            problems.add(
                f"Columns of the schema that the table does not have: {listed(map(repr, gone))}; "
                "rename or remove them",
                data=True,
            )
    return roles


def _names(argument: str, value: Any, names: list[str], problems: Problems) -> list[str]:
    """Known columns named by an argument, each once; the others are problems."""
    if value is None:
        return []
    wanted = [value] if isinstance(value, str) else list(value)
    if argument in ("unit", "sample_weight") and not isinstance(value, str):
        problems.add(f"The {argument!r} parameter must be the name of a column. Got {shown(value)}")
        return []
    for name in sorted({str(n) for n in wanted if wanted.count(n) > 1}):
        problems.add(f"Column {name!r} is named twice in {argument}: name it once")
    return [
        name for name in dict.fromkeys(wanted) if _known(f"in {argument}", name, names, problems)
    ]


def _known(where: str, name: Any, names: list[str], problems: Problems) -> bool:
    if name in names:
        return True
    problems.add(str(unknown_name(f"column {where}:", name, names)))
    return False


def _by_column(argument: str, value: Any, names: list[str], problems: Problems) -> dict[str, Any]:
    """A mapping from column to something; unknown columns are problems."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        problems.add(
            f"The {argument!r} parameter must be a mapping from column to value. Got {shown(value)}"
        )
        return {}
    return {
        name: item
        for name, item in value.items()
        if _known(f"in {argument}", name, names, problems)
    }


def _codes(
    value: Any, names: list[str], problems: Problems
) -> tuple[dict[str, tuple[Any, ...]], tuple[Any, ...]]:
    """Missing codes by column, and those for every column."""
    if value is None:
        return {}, ()
    if isinstance(value, Mapping):
        everywhere = _several(value["*"]) if "*" in value else ()
        of_columns = {name: item for name, item in value.items() if name != "*"}
        return {
            name: _several(item)
            for name, item in _by_column("missing_codes", of_columns, names, problems).items()
        }, everywhere
    return {}, _several(value)


def _several(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple, set, frozenset)) else (value,)


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
            found.append(columns.code_for(code, kind))
        except ValueError:
            problems.add(
                f"The missing code {shown(code)} of column {name!r} must be a value that a column "
                f"of type {kind} can hold: correct it"
            )
    return tuple(dict.fromkeys(found))
