"""One line for each thing that can be asked: its check, its documentation, its flag, its engines.

Builds on the options of methods (`coterie.partitioning.options`): a field carries the check that
returns the value to keep, the rule in words, and here also what other surfaces need to know.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from coterie.partitioning import options

__all__ = [
    "Flag",
    "Option",
    "by_column",
    "column",
    "limit",
    "names",
    "of",
    "option",
    "text",
]

Check = Callable[[Any], Any]  # returns the value to keep, or raises TypeError / ValueError


@dataclasses.dataclass(frozen=True)
class Flag:
    """How an option is given on the command line.

    Attributes
    ----------
    names : tuple of str
        ``("-q", "--quasi-identifier")``.
    help : str
        One line.
    metavar : str
        What stands for the value.
    reads : str
        How texts become a value: "text", "number" (or else a text), "names", "pairs", "numbers",
        "lists", "limits", "codes", "rules" or, for a switch, "keep" (`coterie.cli.asked` has a
        function for each).
    """

    names: tuple[str, ...]
    help: str
    metavar: str = ""
    reads: str = "text"


@dataclasses.dataclass(frozen=True)
class Option:
    """One thing that can be asked, as its field describes it.

    Attributes
    ----------
    name, default, rule, check, choices
        Of the value; `choices` is empty where it is not one of a few.
    usual : object
        The default in the form that its check gives it; as it is where it breaks its own rule,
        which only that of a required option does.
    doc : str
        For the docstring.
    kind : str
        The type, as numpydoc writes it.
    flag : Flag or None
        On the command line.
    adds : bool
        Whether what is said in two places adds up (lists, mappings) or the later word counts.
    of_column : str
        Name of the setting in a column's own table of the settings file; empty if it has none.
    anywhere : bool
        Whether tables in parts (tiles, clusters) understand it.
    """

    name: str
    default: Any
    rule: str
    check: Check
    choices: tuple[str, ...]
    doc: str
    kind: str
    flag: Flag | None
    adds: bool
    of_column: str
    anywhere: bool
    usual: Any


def option(
    field: Any,
    kind: str,
    doc: str,
    flag: Flag | None = None,
    *,
    adds: bool = False,
    of_column: str = "",
    anywhere: bool = False,
) -> Any:
    """The field of an option, from one of `coterie.partitioning.options` or of this file."""
    more = {
        "doc": " ".join(doc.split()),
        "kind": kind,
        "flag": flag,
        "adds": adds,
        "of_column": of_column,
        "anywhere": anywhere,
    }
    return dataclasses.field(default=field.default, metadata={**field.metadata, **more})


@cache
def of(kind: type) -> Mapping[str, Option]:
    """The options of a dataclass, by name, in their order."""
    return {
        f.name: Option(f.name, f.default, **f.metadata, usual=_usual(f))
        for f in dataclasses.fields(kind)
        if "doc" in f.metadata
    }


def _usual(field: dataclasses.Field[Any]) -> Any:
    try:
        return field.metadata["check"](field.default)
    except (TypeError, ValueError):
        return field.default


def names(at_least: int = 0, what: str = "column name") -> Any:
    """Names of columns, or other texts: any iterable, or a single one; kept as a tuple."""

    def check(value: Any) -> tuple[str, ...]:
        if value is None:
            value = ()
        given = (value,) if isinstance(value, str) else _items(value)
        if len(given) < at_least or not all(isinstance(one, str) for one in given):
            raise TypeError
        return given

    some = f"at least one {what}" if at_least else f"{what}s"
    return options.field((), f"a sequence of {some}", check)


def column() -> Any:
    """The name of a column, or None."""

    def check(value: Any) -> str | None:
        if value is not None and not isinstance(value, str):
            raise TypeError
        return value

    return options.field(None, "the name of a column", check)


def text() -> Any:
    """A text that is not empty, or None."""

    def check(value: Any) -> str | None:
        if value is not None and not (isinstance(value, str) and value):
            raise TypeError
        return value

    return options.field(None, "a text", check)


def by_column(rule: str, keep: Check) -> Any:
    """A mapping from column to something that `keep` accepts; kept as a dict."""

    def check(value: Any) -> dict[str, Any]:
        if value is None:
            return {}
        if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
            raise TypeError
        return {name: keep(one) for name, one in value.items()}

    return options.field(None, f"a mapping from column to {rule}", check)


def limit(rule: str, test: Callable[[Any], bool]) -> Any:
    """A threshold for all columns of a kind, or a mapping by column; None for no threshold."""

    def check(value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, Mapping):
            return one(value)
        if not value:
            raise ValueError
        return {name: one(each) for name, each in value.items()}

    def one(value: Any) -> Any:
        value = tuple(value) if isinstance(value, list) else value
        if not test(value):
            raise ValueError
        return value

    return options.field(None, rule, check)


def _items(value: Any) -> tuple[Any, ...]:
    if isinstance(value, (Mapping, bytes)) or not isinstance(value, Iterable):
        raise TypeError
    return tuple(value)
