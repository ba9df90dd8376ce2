"""Every error coterie raises, and the one wording they share.

A message is one line and says four things: what is wrong (parameter, column or file), the rule,
the value seen, and what to do about it. All classes descend from `CoterieError`, so one
``except`` clause catches what coterie itself refuses and nothing else.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

__all__ = ["CoterieError", "DataError", "MissingDependency", "NotMeasured", "ParameterError"]


# Names and values come from tables and files: what ends a line, or moves a terminal's cursor.
CONTROLS = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160), 0x2028, 0x2029)}


def one_line(text: str) -> str:
    r"""A text with its control characters and line breaks written out.

    >>> print(one_line("first\nsecond"))
    first\nsecond
    """
    return text.translate(CONTROLS)


class CoterieError(Exception):
    """Base class of every error raised by coterie."""

    problems: tuple[str, ...] = ()  # one by one, where the message tells several
    columns: Mapping[str, tuple[str, ...]] = MappingProxyType({})  # that each of them is about
    is_answer = False  # of a question that was rightly asked: exit code 1, where a mistake is 2

    def __str__(self) -> str:
        return one_line(super().__str__())


class ParameterError(CoterieError, ValueError):
    """An argument breaks a rule: the message names it, the rule and the value received."""


class DataError(CoterieError, ValueError):
    """A table or array cannot be protected as it is."""


class MissingDependency(CoterieError, ImportError):
    """An optional package is needed; the message holds the command that installs it."""


class NotMeasured(CoterieError, KeyError):
    """A measure was not computed; the message says why."""

    def __str__(self) -> str:
        return one_line(str(self.args[0]))  # a KeyError would show it in quotes


E = TypeVar("E", bound=CoterieError)


def about(column: str, error: E) -> E:
    """An error that is about a column, and knows it."""
    error.columns = {str(error): (column,)}
    return error


def bad_parameter(
    name: str, owner: str, rule: str, got: object, remedy: str = ""
) -> ParameterError:
    """The one wording for a parameter outside its rule.

    >>> str(bad_parameter("k", "partition", "an integer of at least 2", 1))
    "The 'k' parameter of partition must be an integer of at least 2. Got 1 instead."
    """
    text = f"The {name!r} parameter of {owner} must be {rule}. Got {shown(got)} instead."
    return ParameterError(f"{text} {remedy}".strip())


def unknown_name(what: str, name: object, known: Iterable[str]) -> ParameterError:
    """An unknown method, option or column: with the near match, or with all that exist.

    >>> str(unknown_name("method", "mdaw", ["mdav", "exact"]))
    "Unknown method 'mdaw'. Did you mean 'mdav'?"
    """
    names = sorted(known)
    near = difflib.get_close_matches(str(name), names, n=1, cutoff=0.6)
    if near:
        hint = f"Did you mean {near[0]!r}?"
    elif names:
        hint = f"Known: {', '.join(names)}."
    else:
        hint = "It takes none."
    return ParameterError(f"Unknown {what} {shown(name)}. {hint}")


def shown(value: object, limit: int = 60) -> str:
    """A value as it may stand in a one-line message: its repr without line breaks, cut short."""
    text = " ".join(repr(value).split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


def listed(items: Iterable[str], limit: int = 8) -> str:
    """Items separated by commas, the first few of many.

    >>> listed(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    items = list(items)
    text = ", ".join(items[:limit])
    return text if len(items) <= limit else f"{text} and {len(items) - limit} more"


def together(texts: Iterable[str]) -> str:
    """Several problems as one line.

    >>> together(["k is too small.", "Did you mean 'age'?"])
    "k is too small; Did you mean 'age'?"
    """
    text = "; ".join(one.rstrip(". ") for one in texts)
    return text if text.endswith("?") else text + "."
