"""Settings files: what is asked as TOML text, both ways without loss.

The top of a file holds what concerns the whole table (k, method, the columns by role), and a table
``[columns.NAME]`` what concerns a column: type, order, missing_codes, transform, weight.
"""

from __future__ import annotations

import datetime
import json
import os
import re
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from coterie.errors import DataError, ParameterError, bad_parameter, shown, unknown_name
from coterie.plan.columns import EVERYWHERE

__all__ = ["comment", "holds", "key", "load", "render", "value_text"]

TEXT = "the settings"  # what a text that is no file is called
FILED = "hierarchies"  # what may name files


def load(
    source: str | os.PathLike[str], of_columns: Mapping[str, str], known: Collection[str]
) -> tuple[dict[str, Any], str]:
    r"""What a settings file, or the text of one, asks for, and how to name it in messages.

    Parameters
    ----------
    source : path, or str
        A text that has a line break or an equals sign and is no file is taken as it is.
    of_columns : mapping
        What a column's table may hold, and the name under which it is gathered.
    known : collection of str
        What may stand at the top.

    Examples
    --------
    >>> load("k = 5\n[columns.age]\nweight = 2", {"weight": "attribute_weights"}, ["k"])
    ({'k': 5, 'attribute_weights': {'age': 2}}, 'the settings')
    """
    text, origin = _text(source)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(
            f"{origin} is not valid TOML ({shown(str(error), 120)}). Repair it."
        ) from None
    parts = content.pop("columns", {})
    if not isinstance(parts, dict):
        raise bad_parameter("columns", origin, "a table of columns, [columns.NAME]", parts)
    for name in content:
        if name not in known:
            raise unknown_name(f"setting in {origin}:", name, {*known, "columns"})
    for column, settings in parts.items():
        if not isinstance(settings, dict):
            raise ParameterError(
                f"[columns] of {origin} must hold a table for each column. Got {column} = "
                f"{shown(settings)}; quote a name that contains a dot."
            )
        for name, value in settings.items():
            if name not in of_columns:
                raise unknown_name(f"setting of column {column!r} in {origin}:", name, of_columns)
            gathered = content.setdefault(of_columns[name], {})
            if not isinstance(gathered, dict):  # values for every column stand at the top
                gathered = content[of_columns[name]] = {EVERYWHERE: gathered}
            gathered[column] = value
    if origin != TEXT and isinstance(content.get(FILED), dict):
        content[FILED] = {name: _resolved(one, origin) for name, one in content[FILED].items()}
    return content, origin


def _resolved(rule: Any, origin: str) -> Any:
    """A rule that names a file: one that lies beside the settings is found from anywhere."""
    if isinstance(rule, dict) and "file" in rule:
        return {**rule, "file": _resolved(rule["file"], origin)}
    if not isinstance(rule, str) or _is_file(rule):
        return rule
    neighbor = str(Path(origin).parent / rule)
    return neighbor if _is_file(neighbor) else rule


def _text(source: str | os.PathLike[str]) -> tuple[str, str]:
    if isinstance(source, str) and ("\n" in source or "=" in source) and not _is_file(source):
        return source, TEXT
    from coterie.table.read import check_file

    path = Path(source)
    check_file(path, str(path))
    try:
        return path.read_text(encoding="utf-8-sig"), str(path)
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}). Check the path.") from error
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is not valid TOML ({shown(str(error), 120)}). Repair it."
        ) from None


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def render(asked: Mapping[str, Any], of_columns: Mapping[str, str]) -> str:
    """What is asked as the text of a settings file that `load` turns into it again.

    What a file cannot hold, such as a release in memory, stands there as a comment.

    Examples
    --------
    >>> print(render({"k": 5, "types": {"age": "integer"}}, {"type": "types"}))
    k = 5
    <BLANKLINE>
    [columns.age]
    type = "integer"
    <BLANKLINE>
    """
    by_column = {gathered: single for single, gathered in of_columns.items()}
    lines: list[str] = []
    parts: dict[str, list[str]] = {}
    for name, value in asked.items():
        if not holds(value):
            lines.append(f"# {name} = {comment(shown(value))}  # not a value that a file can hold")
        elif name in by_column:
            for column, one in value.items():
                if column == EVERYWHERE:
                    lines.append(f"{name} = {value_text(one)}")
                else:
                    line = f"{by_column[name]} = {value_text(one)}"
                    parts.setdefault(column, []).append(line)
        else:
            lines.append(f"{name} = {value_text(value)}")
    for column, settings in parts.items():
        lines += ["", f"[columns.{key(column)}]", *settings]
    return "\n".join(lines) + "\n"


def holds(value: Any) -> bool:
    """Whether a settings file can hold a value."""
    if isinstance(value, (list, tuple)):
        return all(map(holds, value))
    if isinstance(value, Mapping):
        return all(map(holds, value.values()))
    return isinstance(value, (str, bool, int, float, datetime.date, datetime.time, os.PathLike))


def key(name: str) -> str:
    """A column's name as a key."""
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else _quoted(name)


def comment(text: str) -> str:
    """A text that may stand behind a ``#``."""
    return "".join(c if c.isprintable() else " " for c in text)


def value_text(value: Any) -> str:
    """A value in TOML."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key(name)} = {value_text(one)}" for name, one in value.items())
        return "{" + inside + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(value_text, value)) + "]"
    if isinstance(value, (int, float)):
        return repr(value)
    return _quoted(os.fspath(value) if isinstance(value, os.PathLike) else str(value))


def _quoted(text: str) -> str:
    # JSON's escapes are TOML's, but for the one control character that JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
