"""A schema as a TOML file: to be written with guesses, edited, and given back.

The top of the file holds what concerns the whole table (k, method, the columns by role), and a
table ``[columns.NAME]`` what concerns a column: type, order, missing_codes, transform, weight.
"""

from __future__ import annotations

import datetime
import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.errors import DataError, ParameterError, bad_parameter, shown, unknown_name
from coterie.table import atomic, columns
from coterie.table.read import check_file
from coterie.table.schema import Attribute, Schema
from coterie.table.source import Source
from coterie.table.suspects import suspects

__all__ = ["dump", "load", "render", "settings_text"]

ROLES = ("quasi_identifiers", "confidential", "identifiers", "strata", "declared")
SINGLE = ("unit", "sample_weight")
# What a column's table may hold, and the argument that it becomes.
OF_COLUMN = {
    "type": "types",
    "order": "orders",
    "missing_codes": "missing_codes",
    "transform": "transforms",
    "weight": "attribute_weights",
}


def load(path: str | os.PathLike[str], allowed: Iterable[str] | None = None) -> dict[str, Any]:
    r"""The arguments that a TOML file stands for.

    Parameters
    ----------
    path : str or path
        A file as `dump` writes it.
    allowed : iterable of str, optional
        Names that may stand at the top beside those of `infer`, such as "k" and "method"; others
        are refused. By default every name may, and is given back.

    Returns
    -------
    dict
        Arguments of `infer` (types, orders, missing_codes, transforms, attribute_weights gathered
        from the columns), and whatever else stands at the top.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from coterie.table import config
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "schema.toml")
    ...     _ = path.write_text("k = 5\n[columns.age]\nweight = 2")
    ...     config.load(path)
    {'k': 5, 'attribute_weights': {'age': 2}}
    """
    path = Path(path)
    check_file(path, str(path))
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}). Check the path.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DataError(
            f"{path} is not valid TOML ({shown(str(error), 120)}). Repair it."
        ) from None
    parts = content.pop("columns", {})
    if not isinstance(parts, dict):
        raise bad_parameter("columns", str(path), "a table of columns, [columns.NAME]", parts)
    if allowed is not None:
        known = {*ROLES, *SINGLE, "missing_codes", *allowed}
        for name in content:
            if name not in known:
                raise unknown_name(f"setting in {path}:", name, {*known, "columns"})
    for name in ROLES:
        value = content.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise bad_parameter(name, str(path), "a list of column names", value)
    return content | _gathered(parts, content.get("missing_codes"), path)


def dump(schema: Schema, source: Source, path: str | os.PathLike[str]) -> None:
    """Write a schema, or where it names no key a guess at one, as a TOML file with comments."""
    text = render(schema, source)
    with atomic.replacing(path) as temporary:
        try:
            temporary.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise atomic.cannot_write(str(path), error) from error


def render(schema: Schema, source: Source) -> str:
    """The text that `dump` writes."""
    guessed = not schema.keys
    if guessed:
        schema, found = _guess(schema, source)
    else:
        found = {s.column: s.reason for s in suspects(source, schema)}
    lines = [
        f"# What the columns of {_comment(source.origin)} are: {len(source.frame)} records. "
        "Check every line.",
        "",
        "k = 5  # every released combination of key values is shared by at least so many records",
        "",
        "# Keys: what others may know of a respondent. Grouped and released as centroids."
        + (" A guess: all that is not dropped." if guessed else ""),
        *_list("quasi_identifiers", schema.keys),
        "# Confidential: released as it is, and watched. A column may be a key as well.",
        *_list("confidential", schema.confidential),
        "# Dropped." + (" A guess, for the reasons given below." if guessed and found else ""),
        *_list("identifiers", schema.identifiers),
        "# Groups never mix values of these columns.",
        *_list("strata", schema.strata),
        "# Columns that may stay although they look like identifiers.",
        *_list("declared", [a.name for a in schema if a.declared]),
        "# The respondent, where one has several records; and sampling weights.",
        _single("unit", schema.unit),
        _single("sample_weight", schema.sample_weight),
        "# Promises beyond k, for every confidential column or by column: `coterie anonymize -h`.",
        "# min_distinct = 3",
        "# max_share = {NAME = 0.6}",
        "",
        "# Values that count as missing in every column. -999 stays -999 unless it is named here.",
        "# missing_codes = [-999]",
        "",
        "# A column's type is continuous, integer, ordinal, nominal, boolean, date or datetime.",
        '# Of a key also: transform = "log1p" (or asinh, rank), weight = 2.0.',
    ]
    for attribute in schema:
        lines += ["", *_column(attribute, found.get(attribute.name))]
    return "\n".join(lines) + "\n"


def settings_text(arguments: Mapping[str, Any]) -> str:
    """Arguments of `coterie.anonymize` as a TOML file that `load` turns into them again.

    What a file cannot hold, such as a release in memory, stands there as a comment.

    Examples
    --------
    >>> print(settings_text({"k": 5, "types": {"age": "integer"}}))
    k = 5
    <BLANKLINE>
    [columns.age]
    type = "integer"
    <BLANKLINE>
    """
    by_column = {plural: single for single, plural in OF_COLUMN.items()}
    lines: list[str] = []
    parts: dict[str, list[str]] = {}
    for name, given in arguments.items():
        if name in by_column and isinstance(given, Mapping):
            for column, value in given.items():
                if column == "*":
                    lines.append(f"missing_codes = {_value(_plain(value))}")
                else:
                    line = f"{by_column[name]} = {_value(_plain(value))}"
                    parts.setdefault(column, []).append(line)
            continue
        value = _plain(given)
        if _holds(value):
            lines.append(f"{name} = {_value(value)}")
        else:
            lines.append(f"# {name} = {_comment(shown(given))}  # not a value that a file can hold")
    for column, settings in parts.items():
        lines += ["", f"[columns.{_key(column)}]", *settings]
    return "\n".join(lines) + "\n"


def _plain(value: Any) -> Any:
    """Arrays and tuples as lists, paths as text."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    return value


def _holds(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_holds, value))
    if isinstance(value, dict):
        return all(map(_holds, value.values()))
    return isinstance(value, (str, bool, int, float, datetime.date))


def _gathered(parts: Mapping[str, Any], everywhere: Any, path: Path) -> dict[str, Any]:
    """From settings by column to columns by setting."""
    made: dict[str, dict[str, Any]] = {}
    for column, settings in parts.items():
        if not isinstance(settings, dict):
            raise ParameterError(
                f"[columns] of {path} must hold a table for each column. Got {column} = "
                f"{shown(settings)}; quote a name that contains a dot."
            )
        for name, value in settings.items():
            if name not in OF_COLUMN:
                raise unknown_name(f"setting of column {column!r} in {path}:", name, OF_COLUMN)
            made.setdefault(OF_COLUMN[name], {})[column] = value
    if everywhere is not None and "missing_codes" in made:
        made["missing_codes"]["*"] = everywhere
    return dict(made)


def _guess(schema: Schema, source: Source) -> tuple[Schema, dict[str, str]]:
    """What looks like an identifier is dropped, the rest are keys: rather too many than too few."""
    plain = [a for a in schema if a.roles <= {"other"} and not a.declared]
    # In a short table numbers may all differ by chance.
    numbers_may_differ = len(source.frame) < 100
    as_keys = {a.name: replace(a, roles=frozenset({"key"})) for a in plain}
    looked = as_keys if numbers_may_differ else {}
    found = suspects(source, Schema(tuple(looked.get(a.name, a) for a in schema)))
    reasons = {s.column: s.reason for s in found}
    made = []
    for attribute in schema:
        if attribute.name in as_keys and attribute.name in reasons:
            attribute = replace(attribute, roles=frozenset({"identifier"}))
        elif attribute.name in as_keys and _may_be_key(attribute, source):
            attribute = as_keys[attribute.name]
        made.append(attribute)
    return Schema(tuple(made)), reasons


def _may_be_key(attribute: Attribute, source: Source) -> bool:
    series = source.frame[attribute.name]
    kind = columns.kind_of(series)
    if kind in ("integer", "decimal") and not columns.exact(columns.present(series)):
        return False
    known = ("integer", "float", "decimal", "text", "boolean", "date", "datetime")
    return kind in known and len(columns.present(series)) > 0


def _column(attribute: Attribute, suspicion: str | None) -> list[str]:
    lines = [f"[columns.{_key(attribute.name)}]"]
    if suspicion:
        lines.append(f"# looks like an identifier: it {_comment(suspicion)}")
    reason = attribute.reason.rpartition("; ")[2].rpartition(": ")[2]
    lines.append(f"type = {_value(attribute.type)}  # {_comment(reason)}")
    if attribute.order is not None:
        lines.append(f"order = {_value(attribute.order)}  # lowest first")
    if attribute.missing_codes:
        lines.append(f"missing_codes = {_value(attribute.missing_codes)}")
    if attribute.transform != "none":
        lines.append(f"transform = {_value(attribute.transform)}")
    if attribute.weight != 1.0:
        lines.append(f"weight = {_value(attribute.weight)}")
    return lines


def _list(name: str, items: Iterable[str]) -> list[str]:
    items = list(items)
    line = f"{name} = {_value(items)}"
    if len(line) <= 100:
        return [line, ""]
    return [f"{name} = [", *(f"    {_quoted(item)}," for item in items), "]", ""]


def _single(name: str, value: str | None) -> str:
    return f'# {name} = ""' if value is None else f"{name} = {_quoted(value)}"


def _quoted(text: str) -> str:
    # JSON's escapes are TOML's, but for the one control character that JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else _quoted(name)


def _comment(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def _value(value: Any) -> str:
    """A value in TOML."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(name)} = {_value(one)}" for name, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, (int, float)):
        return repr(value)
    return _quoted(str(value))
