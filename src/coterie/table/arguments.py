"""What arguments say of columns by name: roles, mappings, missing codes; unknown names noted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.errors import listed, shown, unknown_name
from coterie.table.problems import Problems
from coterie.table.schema import Schema

__all__ = ["ARGUMENTS", "by_column", "missing_codes", "named", "roles_of"]

# Roles that say opposite things about a column, with the reason.
CONTRADICTIONS = {
    ("identifier", "key"): "an identifier is dropped, a key is released as centroids",
    ("identifier", "confidential"): "an identifier is dropped, a confidential column is kept",
    ("identifier", "stratum"): "an identifier is dropped, a stratum is kept",
    ("key", "stratum"): "a stratum is released as it is and is part of the proof already",
    ("key", "unit"): "a unit names the respondent",
    ("key", "weight"): "a weight is used to compute centroids",
}

ARGUMENTS = {
    "key": "quasi_identifiers",
    "confidential": "confidential",
    "identifier": "identifiers",
    "stratum": "strata",
    "unit": "unit",
    "weight": "sample_weight",
}


def roles_of(
    names: list[str], given: Mapping[str, Any], base: Schema | None, problems: Problems
) -> dict[str, set[str]]:
    """Roles of each column by the arguments, contradictions noted."""
    roles: dict[str, set[str]] = {name: set() for name in names}
    for role, argument in ARGUMENTS.items():
        for name in named(argument, given.get(argument), names, problems):
            roles[name].add(role)
    for name, held in roles.items():
        for (a, b), why in CONTRADICTIONS.items():
            if a in held and b in held:
                problems.add(
                    f"Column {name!r} is named in {ARGUMENTS[a]} and in {ARGUMENTS[b]}, but {why}: "
                    "name it in one of them",
                    columns=[name],
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


def named(argument: str, value: Any, names: list[str], problems: Problems) -> list[str]:
    """Known columns named by an argument, each once; the others are problems."""
    if value is None:
        return []
    wanted = [value] if isinstance(value, str) else list(value)
    if argument in ("unit", "sample_weight") and not isinstance(value, str):
        problems.add(f"The {argument!r} parameter must be the name of a column. Got {shown(value)}")
        return []
    for name in sorted({str(n) for n in wanted if wanted.count(n) > 1}):
        problems.add(f"Column {name!r} is named twice in {argument}: name it once", columns=[name])
    return [
        name for name in dict.fromkeys(wanted) if _known(f"in {argument}", name, names, problems)
    ]


def _known(where: str, name: Any, names: list[str], problems: Problems) -> bool:
    if name in names:
        return True
    problems.add(str(unknown_name(f"column {where}:", name, names)))
    return False


def by_column(argument: str, value: Any, names: list[str], problems: Problems) -> dict[str, Any]:
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


def missing_codes(
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
            for name, item in by_column("missing_codes", of_columns, names, problems).items()
        }, everywhere
    return {}, _several(value)


def _several(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple, set, frozenset)) else (value,)
